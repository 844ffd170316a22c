use serde::{Deserialize, Serialize};

/// A weight in thousandths. Weights multiply terms, so a total is a plain integer sum.
pub type Milli = i64;

/// Certainty, in millionths.
pub const PPM_ONE: i64 = 1_000_000;

/// A probability in millionths, always within 0 ..= 1,000,000.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Ppm(u32);

impl Ppm {
    /// Impossible.
    pub const ZERO: Self = Self(0);
    /// Certain.
    pub const ONE: Self = Self(PPM_ONE as u32);

    /// The nearest probability within bounds.
    #[inline]
    #[must_use]
    pub const fn clamped(ppm: i64) -> Self {
        if ppm < 0 {
            Self(0)
        } else if ppm > PPM_ONE {
            Self::ONE
        } else {
            Self(ppm as u32)
        }
    }

    /// `part / whole`, rounded to nearest (halves up); [`Ppm::ZERO`] when `whole` is 0.
    #[inline]
    #[must_use]
    pub const fn ratio(part: u64, whole: u64) -> Self {
        if whole == 0 {
            return Self::ZERO;
        }
        let scaled = (part as u128 * PPM_ONE as u128 * 2 + whole as u128) / (2 * whole as u128);
        if scaled > PPM_ONE as u128 {
            Self::ONE
        } else {
            Self(scaled as u32)
        }
    }

    /// The millionths.
    #[inline]
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0 as i64
    }

    /// The chance of the opposite.
    #[inline]
    #[must_use]
    pub const fn not(self) -> Self {
        Self(PPM_ONE as u32 - self.0)
    }

    /// The chance that both of two independent events happen, rounded to nearest.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(((self.0 as u64 * other.0 as u64 + 500_000) / PPM_ONE as u64) as u32)
    }
}
