//! Comparisons of two sides, paired on units or not.

use crate::sums::to_micro;
use crate::{Alpha, Estimate, StatsError, Sums, dist};
use serde::{Deserialize, Serialize};

/// Whether two sides were compared unit by unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// Difference by difference on the same seeds.
    Paired,
    /// Two separate samples; every place that shows the result has to say so.
    Unpaired,
}

/// A difference of means, first side minus second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Paired or not.
    pub pairing: Pairing,
    /// Units on the first side.
    pub n_a: u64,
    /// Units on the second side (the same ones when paired).
    pub n_b: u64,
    /// Mean difference in millionths; `None` when a side is empty.
    pub mean_micro: Option<i64>,
    /// Two-sided interval in millionths; `None` (undefined) when a side has fewer than two units.
    pub interval_micro: Option<(i64, i64)>,
    /// Standard deviation of a unit's difference in millionths; only when paired.
    pub sd_micro: Option<i64>,
}

/// The differences `a[i] - b[i]`.
///
/// # Errors
/// When the lengths differ or a difference does not fit into 64 bits.
pub fn differences(a: &[i64], b: &[i64]) -> Result<Vec<i64>, StatsError> {
    same_length(a, b)?;
    let pairs = a.iter().zip(b).enumerate();
    pairs
        .map(|(at, (x, y))| {
            x.checked_sub(*y)
                .ok_or(StatsError::DifferenceTooLarge { at })
        })
        .collect()
}

/// The mean of `a[i] - b[i]` over the same units in the same order, with its t interval.
///
/// # Errors
/// When the lengths differ.
///
/// # Panics
/// When `denominator` is not positive.
pub fn paired(
    a: &[i64],
    b: &[i64],
    denominator: i64,
    alpha_ppm: u32,
) -> Result<Comparison, StatsError> {
    same_length(a, b)?;
    let mut sums = Sums::default();
    a.iter()
        .zip(b)
        .for_each(|(x, y)| sums.add_difference(*x, *y));
    let estimate = Estimate::of(sums, denominator, Alpha::from_ppm(alpha_ppm));
    Ok(Comparison {
        pairing: Pairing::Paired,
        n_a: estimate.n,
        n_b: estimate.n,
        mean_micro: estimate.mean(),
        interval_micro: estimate.interval_micro,
        sd_micro: estimate.sd_micro,
    })
}

/// The difference of two separate means with Welch's interval: with v = sd^2/n of each side,
/// se = sqrt(va + vb) and df = (va + vb)^2 / (va^2/(na - 1) + vb^2/(nb - 1)).
///
/// # Panics
/// When `denominator` is not positive.
pub fn unpaired(a: &[i64], b: &[i64], denominator: i64, alpha_ppm: u32) -> Comparison {
    let (a, b) = (Sums::of(a), Sums::of(b));
    let mean = (a.n() > 0 && b.n() > 0).then(|| a.mean(denominator) - b.mean(denominator));
    let interval = mean
        .zip(a.standard_error(denominator))
        .zip(b.standard_error(denominator));
    let interval_micro = interval.map(|((mean, ea), eb)| {
        let (va, vb) = (ea * ea, eb * eb);
        let df =
            (va + vb) * (va + vb) / (va * va / (a.n() - 1) as f64 + vb * vb / (b.n() - 1) as f64);
        let spread = va + vb > 0.0 && df.is_finite();
        let tail = Alpha::from_ppm(alpha_ppm).probability() / 2.0;
        let half = if spread {
            dist::t_upper_quantile(tail, df) * libm::sqrt(va + vb)
        } else {
            0.0
        };
        (to_micro(mean - half), to_micro(mean + half))
    });
    Comparison {
        pairing: Pairing::Unpaired,
        n_a: a.n(),
        n_b: b.n(),
        mean_micro: mean.map(to_micro),
        interval_micro,
        sd_micro: None,
    }
}

fn same_length(a: &[i64], b: &[i64]) -> Result<(), StatsError> {
    if a.len() == b.len() {
        Ok(())
    } else {
        Err(StatsError::UnequalLengths {
            a: a.len(),
            b: b.len(),
        })
    }
}
