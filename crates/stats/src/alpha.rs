//! Error levels.

use serde::{Deserialize, Serialize};

/// A chance of error that a test may take, in parts per billion, so that the level of a late attempt is still exact
/// enough. Between 0 (nothing is ever shown) and one half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Alpha(u32);

impl Alpha {
    /// One in twenty.
    pub const FIVE_PERCENT: Self = Self(50_000_000);
    const HALF: u32 = 500_000_000;

    /// From parts per billion; anything above one half counts as one half.
    pub const fn from_ppb(ppb: u32) -> Self {
        Self(if ppb > Self::HALF { Self::HALF } else { ppb })
    }

    /// From parts per million; anything above one half counts as one half.
    pub const fn from_ppm(ppm: u32) -> Self {
        if ppm > Self::HALF / 1_000 {
            Self(Self::HALF)
        } else {
            Self(ppm * 1_000)
        }
    }

    /// In parts per billion.
    pub const fn ppb(self) -> u32 {
        self.0
    }

    /// As a probability.
    pub fn probability(self) -> f64 {
        f64::from(self.0) / 1e9
    }

    /// The confidence of a two-sided interval of this level, for people: `95` for five percent, `97.5`.
    pub fn confidence_percent(self) -> String {
        let rest = 1_000_000_000 - self.0;
        let text = format!("{}.{:07}", rest / 10_000_000, rest % 10_000_000);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// The level at which attempt `k` (counted from 1) is judged: 0.05 / (k (k + 1)), rounded down to parts per billion.
///
/// The levels of all attempts together stay under five percent, because 1/(k(k+1)) = 1/k - 1/(k+1) telescopes to 1.
pub const fn alpha_for_attempt(k: u32) -> Alpha {
    Alpha(alpha_for_attempt_ppb(k))
}

/// [`alpha_for_attempt`] in parts per billion. Attempt 0 does not exist and is judged like attempt 1.
pub const fn alpha_for_attempt_ppb(k: u32) -> u32 {
    let k = if k == 0 { 1 } else { k as u64 };
    (Alpha::FIVE_PERCENT.0 as u64 / (k * (k + 1))) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_attempts_together_stay_under_five_percent() {
        assert_eq!(alpha_for_attempt_ppb(1), 25_000_000);
        assert_eq!(alpha_for_attempt_ppb(2), 8_333_333);
        assert_eq!(alpha_for_attempt_ppb(u32::MAX), 0);
        let total: u64 = (1..100_000)
            .map(|k| u64::from(alpha_for_attempt_ppb(k)))
            .sum();
        assert!(total < 50_000_000 && total > 49_900_000, "{total}");
    }

    #[test]
    fn levels_are_bounded_and_shown() {
        assert_eq!(Alpha::from_ppm(50_000), Alpha::FIVE_PERCENT);
        assert_eq!(Alpha::from_ppm(u32::MAX), Alpha::from_ppb(500_000_000));
        assert_eq!(Alpha::FIVE_PERCENT.confidence_percent(), "95");
        assert_eq!(alpha_for_attempt(1).confidence_percent(), "97.5");
        assert_eq!(alpha_for_attempt(2).confidence_percent(), "99.1666667");
    }
}
