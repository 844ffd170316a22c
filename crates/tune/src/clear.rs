//! When a paired difference is clear: an exact rule over integer sums, the same on every machine.

/// The sums that decide a paired comparison of two points over the same seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Paired {
    /// Seeds compared.
    pub seeds: i64,
    /// Sum of the per-seed differences (probe minus current).
    pub sum: i128,
    /// Sum of their squares.
    pub squares: i128,
}

impl Paired {
    /// Compares two points seed by seed, over the seeds that both have.
    #[must_use]
    pub fn of(probe: &[i64], current: &[i64]) -> Self {
        let mut paired = Self::default();
        for (a, b) in probe.iter().zip(current) {
            let d = i128::from(*a) - i128::from(*b);
            paired.seeds += 1;
            paired.sum += d;
            paired.squares += d * d;
        }
        paired
    }

    /// Whether the probe is clearly better: the mean difference is above zero and its t statistic
    /// is at least `t_milli` thousandths.
    ///
    /// With S = sum, Q = sum of squares and n seeds, the variance is (Q - S^2/n) / (n - 1) and
    /// t^2 = (S^2/n) / variance = S^2 (n - 1) / (n Q - S^2), so the rule needs no root and no
    /// division. Fewer than two seeds show nothing; no difference at all is never better.
    #[must_use]
    pub fn better(&self, t_milli: u32) -> bool {
        self.sum > 0 && self.reaches(t_milli)
    }

    /// Whether the probe is clearly worse, by the same rule.
    #[must_use]
    pub fn worse(&self, t_milli: u32) -> bool {
        self.sum < 0 && self.reaches(t_milli)
    }

    fn reaches(&self, t_milli: u32) -> bool {
        if self.seeds < 2 {
            return false;
        }
        let n = i128::from(self.seeds);
        let square = self.sum * self.sum;
        let t = i128::from(t_milli);
        square * (n - 1) * 1_000_000 >= t * t * (n * self.squares - square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook statistic in floats, as an oracle.
    fn t(differences: &[i64]) -> f64 {
        let n = differences.len() as f64;
        let mean = differences.iter().sum::<i64>() as f64 / n;
        let var = differences
            .iter()
            .map(|d| (*d as f64 - mean).powi(2))
            .sum::<f64>()
            / (n - 1.0);
        mean / (var / n).sqrt()
    }

    #[test]
    fn agrees_with_the_textbook() {
        let mut state = 7_u64;
        for round in 0..500 {
            let d: Vec<i64> = (0..8 + round % 9)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    (state >> 40) as i64 % 1_000 - 380
                })
                .collect();
            let zero = vec![0; d.len()];
            let paired = Paired::of(&d, &zero);
            for t_milli in [0, 500, 1_000, 2_000, 3_000] {
                let bound = f64::from(t_milli) / 1_000.0;
                assert_eq!(
                    paired.better(t_milli),
                    t(&d) >= bound && t(&d) > 0.0,
                    "{d:?}"
                );
                assert_eq!(
                    paired.worse(t_milli),
                    t(&d) <= -bound && t(&d) < 0.0,
                    "{d:?}"
                );
            }
        }
    }

    #[test]
    fn degenerate_samples() {
        assert!(!Paired::of(&[5], &[1]).better(0), "one seed shows nothing");
        assert!(
            !Paired::of(&[1, 2], &[1, 2]).better(0),
            "a tie keeps the current point"
        );
        assert!(!Paired::of(&[1, 2], &[1, 2]).worse(0));
        assert!(
            Paired::of(&[3, 4], &[1, 2]).better(9_000),
            "the same gain on every seed"
        );
    }
}
