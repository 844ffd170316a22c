//! The mean loss where two policies differ, with its interval over seeds.

use evenhand_stats::{Alpha, Estimate, mean_estimate, seeds_to_settle};

/// The mean loss a differing decision from (decisions, loss) of each seed. `None` without
/// decisions, or where the sums are too large.
///
/// The mean is a ratio L / C of sums over seeds; its spread is that of the residuals
/// l - (L / C) c of the seeds, by linearisation: half-width = t sd(residuals) / sqrt(n) / (C / n).
fn mean_loss(by_seed: &[(i64, i64)]) -> Option<Estimate> {
    let count: i64 = by_seed.iter().map(|(c, _)| c).sum();
    let loss: i64 = by_seed.iter().map(|(_, l)| l).sum();
    if count == 0 {
        return None;
    }
    // Residuals times C, and times n: whole numbers over C x C.
    let n = by_seed.len() as i64;
    let residual = |&(c, l): &(i64, i64)| Some(n * (l.checked_mul(count)? - loss.checked_mul(c)?));
    let residuals: Vec<i64> = by_seed.iter().map(residual).collect::<Option<_>>()?;
    let around_zero = mean_estimate(&residuals, count.checked_mul(count)?, 50_000);
    let mean_micro = mean_loss_micro(loss, count as u64);
    let shifted = |(low, high): (i64, i64)| (mean_micro + low, mean_micro + high);
    Some(Estimate {
        mean_micro,
        interval_micro: around_zero.interval_micro.map(shifted),
        ..around_zero
    })
}

/// The 95 % interval of the mean loss a differing decision, in millionths. `None` below two seeds
/// or without decisions.
pub(super) fn loss_interval(by_seed: &[(i64, i64)]) -> Option<(i64, i64)> {
    mean_loss(by_seed)?.interval_micro
}

/// Where that interval holds zero: about how many more seeds would show, with a chance of 80 %,
/// which of the two does better where they differ.
pub(super) fn more_seeds(by_seed: &[(i64, i64)]) -> Option<u64> {
    let mean = mean_loss(by_seed)?;
    let (low, high) = mean.interval_micro?;
    if low > 0 || high < 0 {
        return None;
    }
    Some(seeds_to_settle(&mean, 0, Alpha::from_ppm(25_000), 800_000)?.max(1))
}

/// Loss a decision in millionths; 0 without decisions.
pub(super) fn mean_loss_micro(loss: i64, decisions: u64) -> i64 {
    let mean = i128::from(loss) * 1_000_000 / i128::from(decisions.max(1));
    i64::try_from(mean).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{loss_interval, more_seeds};

    #[test]
    fn the_interval_of_a_ratio_by_hand() {
        // L / C = 6 / 6; residuals 2 - 1, 1 - 2, 3 - 3: sd 1; t(0.975; 2) = 4.302653;
        // half-width 4.302653 x 1 / sqrt(3) / 2 = 1.242069
        let (low, high) = loss_interval(&[(1, 2), (2, 1), (3, 3)]).unwrap();
        assert!((low + 242_069).abs() <= 1, "{low}");
        assert!((high - 2_242_069).abs() <= 1, "{high}");
        assert_eq!(loss_interval(&[(1, 5)]), None);
        // A mean of 1 with sd 1 x 3 / 6 a seed at n = 3: shown with (t + t) / 2 <= sqrt(n), at 11.
        assert_eq!(more_seeds(&[(1, 2), (2, 1), (3, 3)]), Some(2));
        assert_eq!(more_seeds(&[(1, 2), (2, 5), (3, 7)]), None);
        assert_eq!(loss_interval(&[(0, 0), (0, 0)]), None);
    }
}
