//! A mean with its interval.

use crate::sums::to_micro;
use crate::{Alpha, Sums, dist};
use serde::{Deserialize, Serialize};

/// The mean of per-unit values and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// How many units (seeds).
    pub n: u64,
    /// The mean in millionths, exactly rounded. Without units it is 0 and means nothing: see [`Estimate::mean`].
    pub mean_micro: i64,
    /// The two-sided t interval in millionths; `None` (undefined) with fewer than two units.
    pub interval_micro: Option<(i64, i64)>,
    /// The standard deviation of a unit's mean in millionths; `None` with fewer than two units.
    pub sd_micro: Option<i64>,
}

impl Estimate {
    /// From exact sums. With all values equal the interval has no width.
    ///
    /// # Panics
    /// When `denominator` is not positive.
    pub fn of(sums: Sums, denominator: i64, alpha: Alpha) -> Self {
        let mean_micro = sums.mean_micro(denominator).unwrap_or(0);
        let half = half_width(sums, denominator, alpha.probability() / 2.0);
        Self {
            n: sums.n(),
            mean_micro,
            interval_micro: half.map(|half| around(sums, denominator, mean_micro, half)),
            sd_micro: sums.variance(denominator).map(|v| to_micro(libm::sqrt(v))),
        }
    }

    /// The mean in millionths; `None` without units.
    pub fn mean(&self) -> Option<i64> {
        (self.n > 0).then_some(self.mean_micro)
    }
}

/// The estimate of a mean from one value a unit: `value / denominator` averaged over the units, with the two-sided t
/// interval that misses the truth with a chance of `alpha_ppm` parts per million (50,000 for a 95 % interval).
///
/// interval = mean ± t(1 - alpha/2; n - 1) * sd / sqrt(n).
///
/// The units must be independent: a seed that occurs twice is one unit (see [`crate::clustered_estimate`]).
///
/// # Panics
/// When `denominator` is not positive.
pub fn mean_estimate(values: &[i64], denominator: i64, alpha_ppm: u32) -> Estimate {
    Estimate::of(Sums::of(values), denominator, Alpha::from_ppm(alpha_ppm))
}

/// `t(1 - tail; n - 1)` standard errors; `None` with fewer than two values, infinite for a tail of zero.
pub(crate) fn half_width(sums: Sums, denominator: i64, tail: f64) -> Option<f64> {
    if sums.is_constant() {
        return (sums.n() >= 2).then_some(0.0);
    }
    Some(dist::t_upper_quantile(tail, (sums.n() - 1) as f64) * sums.standard_error(denominator)?)
}

/// The ends of an interval in millionths; without width exactly the rounded mean.
pub(crate) fn around(sums: Sums, denominator: i64, mean_micro: i64, half: f64) -> (i64, i64) {
    if half == 0.0 {
        return (mean_micro, mean_micro);
    }
    let mean = sums.mean(denominator);
    (
        to_micro(mean - half).min(mean_micro),
        to_micro(mean + half).max(mean_micro),
    )
}
