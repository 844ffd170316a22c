//! Exact sums of values and of their squares.

use crate::wide::Wide;

/// How many values there were, their sum, and the sum of their squares, all exact.
///
/// Merging is associative and commutative to the bit, so blocks may be reduced in any grouping. A value is an `i64` or
/// the difference of two; with up to 2^62 values nothing overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    n: u64,
    sum: i128,
    squares: Wide,
}

impl Sums {
    /// The sums of a slice.
    pub fn of(values: &[i64]) -> Self {
        values.iter().copied().collect()
    }

    /// Takes one value in.
    pub fn add(&mut self, value: i64) {
        self.add_wide(i128::from(value));
    }

    /// Takes the difference `a - b` in, which may need 65 bits.
    pub fn add_difference(&mut self, a: i64, b: i64) {
        self.add_wide(i128::from(a) - i128::from(b));
    }

    fn add_wide(&mut self, value: i128) {
        self.n += 1;
        self.sum += value;
        self.squares = self
            .squares
            .plus(Wide::product(value.unsigned_abs(), value.unsigned_abs()));
    }

    /// Both together.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Self {
            n: self.n + other.n,
            sum: self.sum + other.sum,
            squares: self.squares.plus(other.squares),
        }
    }

    /// How many values.
    pub const fn n(self) -> u64 {
        self.n
    }

    /// Their sum.
    pub const fn sum(self) -> i128 {
        self.sum
    }

    /// `n * sum of squares - sum^2`, which is `n (n - 1)` times the unbiased variance; exact.
    fn spread(self) -> Wide {
        self.squares.times(self.n).minus(Wide::product(
            self.sum.unsigned_abs(),
            self.sum.unsigned_abs(),
        ))
    }

    /// Whether all values are equal (also with none or one).
    pub fn is_constant(self) -> bool {
        self.spread().is_zero()
    }

    /// The mean divided by `denominator` in millionths, rounded half away from zero, exactly; at the ends of `i64`
    /// it stays there. `None` without values.
    ///
    /// # Panics
    /// When `denominator` is not positive.
    pub fn mean_micro(self, denominator: i64) -> Option<i64> {
        assert!(denominator > 0, "a denominator must be positive");
        if self.n == 0 {
            return None;
        }
        let below = i128::from(self.n) * i128::from(denominator);
        // The whole part first: then what is left to scale is smaller than the divisor, and only a divisor above
        // 2^107 could overflow, which 2^44 values of the largest denominator would be.
        let (whole, rest) = (self.sum / below, self.sum % below);
        let fraction = match rest.checked_mul(1_000_000) {
            Some(scaled) => div_round(scaled, below),
            None => div_round(rest, below / 1_000_000),
        };
        let micro = whole.saturating_mul(1_000_000).saturating_add(fraction);
        Some(micro.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
    }

    /// The mean divided by `denominator`, as a float.
    pub(crate) fn mean(self, denominator: i64) -> f64 {
        self.sum as f64 / (self.n as f64 * denominator as f64)
    }

    /// The unbiased variance of value / denominator; `None` with fewer than two values.
    pub(crate) fn variance(self, denominator: i64) -> Option<f64> {
        if self.n < 2 {
            return None;
        }
        let (n, d) = (self.n as f64, denominator as f64);
        Some(self.spread().to_f64() / (n * (n - 1.0)) / d / d)
    }

    /// The standard error of the mean; `None` with fewer than two values.
    pub(crate) fn standard_error(self, denominator: i64) -> Option<f64> {
        Some(libm::sqrt(self.variance(denominator)? / self.n as f64))
    }
}

impl FromIterator<i64> for Sums {
    fn from_iter<T: IntoIterator<Item = i64>>(values: T) -> Self {
        let mut sums = Self::default();
        values.into_iter().for_each(|v| sums.add(v));
        sums
    }
}

/// Division rounded to the nearest, halves away from zero; the divisor is positive.
pub(crate) fn div_round(a: i128, below: i128) -> i128 {
    let (quotient, rest) = (a / below, a % below);
    // 2 * |rest| >= below, written so that it cannot overflow.
    if rest.abs() >= below - rest.abs() {
        quotient + a.signum()
    } else {
        quotient
    }
}

/// A float in units as millionths, rounded half away from zero and kept within `i64` (the cast saturates).
pub(crate) fn to_micro(x: f64) -> i64 {
    libm::round(x * 1e6) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_go_away_from_zero() {
        assert_eq!(
            [5, -5, 4, -4, 6, 15].map(|a| div_round(a, 10)),
            [1, -1, 0, 0, 1, 2]
        );
        assert_eq!(Sums::of(&[1]).mean_micro(2_000_000), Some(1));
        assert_eq!(Sums::of(&[-1]).mean_micro(2_000_000), Some(-1));
        assert_eq!(Sums::of(&[1]).mean_micro(2_000_001), Some(0));
    }

    #[test]
    fn extremes_do_not_overflow() {
        let mut sums = Sums::default();
        for _ in 0..1_000 {
            sums.add_difference(i64::MAX, i64::MIN);
        }
        assert!(sums.is_constant());
        assert_eq!(sums.mean_micro(1), Some(i64::MAX));
        for _ in 0..1_000 {
            sums.add_difference(i64::MIN, i64::MAX);
        }
        assert_eq!(sums.mean_micro(1), Some(0));
        // Two points of distance d around zero, half each: variance = d^2 * n / (n - 1) with d = 2^64 - 1.
        let expected = (2f64.powi(64) - 1.0).powi(2) * 2_000.0 / 1_999.0;
        let variance = sums.variance(1).unwrap();
        assert!(
            (variance / expected - 1.0).abs() < 1e-14,
            "{variance} {expected}"
        );
        assert_eq!(Sums::of(&[i64::MAX, 1]).mean_micro(i64::MAX), Some(500_000));
    }

    #[test]
    #[should_panic(expected = "positive")]
    fn a_denominator_of_zero_is_a_mistake() {
        let _ = Sums::of(&[1]).mean_micro(0);
    }

    proptest! {
        #[test]
        fn merging_is_associative_and_blind_to_cuts(values in prop::collection::vec(any::<i64>(), 0..40), a in 0usize..41, b in 0usize..41) {
            let (a, b) = (a.min(values.len()), b.min(values.len()));
            let (a, b) = (a.min(b), a.max(b));
            let (x, y, z) = (Sums::of(&values[..a]), Sums::of(&values[a..b]), Sums::of(&values[b..]));
            prop_assert_eq!(x.merged(y).merged(z), Sums::of(&values));
            prop_assert_eq!(x.merged(y.merged(z)), Sums::of(&values));
            prop_assert_eq!(z.merged(x).merged(y), Sums::of(&values));
        }

        #[test]
        fn variance_is_the_textbook_one(values in prop::collection::vec(-1000i64..1000, 2..40)) {
            let n = values.len() as f64;
            let mean = values.iter().sum::<i64>() as f64 / n;
            let expected = values.iter().map(|&v| (v as f64 - mean).powi(2)).sum::<f64>() / (n - 1.0);
            prop_assert!((Sums::of(&values).variance(1).unwrap() - expected).abs() <= 1e-8);
        }
    }
}
