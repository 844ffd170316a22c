//! How many more seeds would settle a question.

use crate::{Alpha, Estimate, dist};

/// About how many *more* seeds a one-sided test of "the mean is above `margin_micro`" needs to come to a verdict with
/// the chance `power_ppm` (800,000 is usual), if mean and spread are what they look like now.
///
/// n is the smallest with (t(1 - alpha; n - 1) + t(power; n - 1)) * sd / sqrt(n) <= |mean - margin|, found by bisection.
/// `None` when spread or mean is undefined, when the mean sits exactly at the margin, when alpha is 0, or when the
/// answer would pass 2^53 seeds.
pub fn seeds_to_settle(
    estimate: &Estimate,
    margin_micro: i64,
    alpha: Alpha,
    power_ppm: u32,
) -> Option<u64> {
    let sd = estimate.sd_micro? as f64;
    let distance = (estimate.mean()? as f64 - margin_micro as f64).abs();
    if distance == 0.0 || alpha.ppb() == 0 {
        return None;
    }
    let miss = 1.0 - f64::from(power_ppm.min(999_999)) / 1e6;
    let enough = |n: u64| {
        let df = (n - 1) as f64;
        let t = dist::t_upper_quantile(alpha.probability(), df) + dist::t_upper_quantile(miss, df);
        t * sd <= distance * libm::sqrt(n as f64)
    };
    let (mut low, mut high) = (1u64, 2u64);
    while !enough(high) {
        low = high;
        high *= 2;
        if high > 1 << 53 {
            return None;
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if enough(middle) {
            high = middle
        } else {
            low = middle
        }
    }
    Some(high.saturating_sub(estimate.n))
}
