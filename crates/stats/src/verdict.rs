//! Judgements at a stated chance of error.

use crate::estimate::{around, half_width};
use crate::{Alpha, Sums, Tail, dist};
use serde::{Deserialize, Serialize};

/// What a test showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim is shown at the level asked for.
    Holds,
    /// The opposite of the claim is shown at the level asked for.
    Fails,
    /// Neither is shown; more units may settle it (see [`crate::seeds_to_settle`]).
    Inconclusive,
}

impl Verdict {
    /// The word used in records and reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// Several claims that must all hold: fails when one fails, else inconclusive when one is. Of no claims at all
    /// nothing was shown.
    pub fn all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let mut whole = None;
        for v in verdicts {
            whole = Some(match (whole, v) {
                (Some(Self::Fails), _) | (_, Self::Fails) => Self::Fails,
                (Some(Self::Inconclusive), _) | (_, Self::Inconclusive) => Self::Inconclusive,
                _ => Self::Holds,
            });
        }
        whole.unwrap_or(Self::Inconclusive)
    }
}

/// The lower and the upper bound of the mean in millionths, *each* missed with a chance of alpha (so the two together
/// form an interval of level 2 alpha). `None` with fewer than two values, or when alpha is zero.
///
/// # Panics
/// When `denominator` is not positive.
pub fn one_sided_bounds(values: &[i64], denominator: i64, alpha: Alpha) -> Option<(i64, i64)> {
    bounds(Sums::of(values), denominator, alpha)
}

fn bounds(sums: Sums, denominator: i64, alpha: Alpha) -> Option<(i64, i64)> {
    let mean_micro = sums.mean_micro(denominator)?;
    let half = half_width(sums, denominator, alpha.probability())?;
    half.is_finite()
        .then(|| around(sums, denominator, mean_micro, half))
}

/// Judges the claim "the mean is above `margin_micro`" from exact sums.
///
/// Holds when the one-sided lower bound, rounded to millionths, is above the margin; fails when the one-sided upper
/// bound is not above it; otherwise, and with fewer than two values, inconclusive. Each side errs with a chance of at
/// most alpha. Values that are all equal have no spread and are judged by their mean.
///
/// # Panics
/// When `denominator` is not positive.
pub fn judge(sums: Sums, denominator: i64, margin_micro: i64, alpha: Alpha) -> Verdict {
    match bounds(sums, denominator, alpha) {
        Some((low, _)) if low > margin_micro => Verdict::Holds,
        Some((_, high)) if high <= margin_micro => Verdict::Fails,
        _ => Verdict::Inconclusive,
    }
}

/// Superiority: the mean is above `margin_micro` (usually 0). See [`judge`].
///
/// # Panics
/// When `denominator` is not positive.
pub fn superior(values: &[i64], denominator: i64, margin_micro: i64, alpha: Alpha) -> Verdict {
    judge(Sums::of(values), denominator, margin_micro, alpha)
}

/// Non-inferiority: the mean is above *minus* `margin_micro`; the margin (at least 0) is the loss that is tolerated.
///
/// # Panics
/// When `denominator` is not positive, or the margin is negative.
pub fn non_inferior(values: &[i64], denominator: i64, margin_micro: i64, alpha: Alpha) -> Verdict {
    assert!(margin_micro >= 0, "a tolerated loss must not be negative");
    judge(Sums::of(values), denominator, -margin_micro, alpha)
}

/// The p value of the t test of "the mean is zero", in parts per million, rounded up (so at least 1).
/// `None` with fewer than two values. Without spread it is 1 part per million off zero on the tail's side, and
/// certainty (a million) otherwise.
pub fn t_test_p_ppm(values: &[i64], tail: Tail) -> Option<u32> {
    let sums = Sums::of(values);
    if sums.n() < 2 {
        return None;
    }
    let sum = if tail == Tail::Both {
        sums.sum().abs()
    } else {
        sums.sum()
    };
    if sums.is_constant() {
        return Some(if sum > 0 { 1 } else { 1_000_000 });
    }
    let t = sum as f64 / sums.n() as f64 / sums.standard_error(1)?;
    let p = dist::t_upper(t, (sums.n() - 1) as f64) * if tail == Tail::Both { 2.0 } else { 1.0 };
    Some(p_to_ppm(p))
}

/// A p value in parts per million, rounded up.
fn p_to_ppm(p: f64) -> u32 {
    (libm::ceil(p * 1e6) as u32).clamp(1, 1_000_000)
}
