//! How many more seeds would settle a question.

use crate::{Alpha, Estimate, dist};

/// About how many *more* seeds a one-sided test of "the mean is above `margin_micro`" needs to come to a verdict with
/// the chance `power_ppm` (800,000 is usual), if mean and spread are what they look like now.
///
/// n = ((t(1 - alpha; n - 1) + t(power; n - 1)) * sd / |mean - margin|)^2, iterated because t depends on n.
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
    let mut n = 2.0;
    // It settles within a few steps; the count ends it if it should swing between two neighbours.
    for _ in 0..50 {
        let t = dist::t_upper_quantile(alpha.probability(), n - 1.0)
            + dist::t_upper_quantile(miss, n - 1.0);
        let needed = libm::ceil((t.max(0.0) * sd / distance).powi(2)).clamp(2.0, 1e18);
        if needed == n {
            break;
        }
        // From below it may leap; from above it goes half the way, for with few units t explodes.
        n = if needed > n && n > 2.0 {
            needed
        } else {
            libm::ceil((needed + n) / 2.0).max(2.0)
        };
    }
    let needed = n as u64;
    (needed < 1 << 53).then(|| needed.saturating_sub(estimate.n))
}
