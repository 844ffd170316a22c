//! A 256-bit unsigned integer with just the operations that an exact variance needs.

/// `high * 2^128 + low`. The order of the fields makes the derived order numeric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    /// The square of a number: with `x = h * 2^64 + l`, `x*x = h*h * 2^128 + 2*h*l * 2^64 + l*l`.
    pub(crate) const fn product(a: u128, b: u128) -> Self {
        const MASK: u128 = u64::MAX as u128;
        let (ah, al, bh, bl) = (a >> 64, a & MASK, b >> 64, b & MASK);
        let low = al * bl;
        // Each partial product is below 2^128 - 2^65, so adding a carry below 2^64 cannot overflow.
        let mid = ah * bl + (low >> 64);
        let mid2 = al * bh + (mid & MASK);
        Self {
            high: ah * bh + (mid >> 64) + (mid2 >> 64),
            low: (mid2 << 64) | (low & MASK),
        }
    }

    /// Sum, modulo 2^256 (the callers' bounds keep every sum below that).
    pub(crate) const fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Self {
            high: self
                .high
                .wrapping_add(other.high)
                .wrapping_add(carry as u128),
            low,
        }
    }

    /// Difference; zero when `other` is larger.
    pub(crate) fn minus(self, other: Self) -> Self {
        if other >= self {
            return Self::default();
        }
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Self {
            high: self.high - other.high - u128::from(borrow),
            low,
        }
    }

    /// Product with a 64-bit factor, modulo 2^256.
    pub(crate) const fn times(self, factor: u64) -> Self {
        let low = Self::product(self.low, factor as u128);
        Self {
            high: low
                .high
                .wrapping_add(self.high.wrapping_mul(factor as u128)),
            low: low.low,
        }
    }

    /// Whether this is zero.
    pub(crate) fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// The nearest float, to within two roundings.
    pub(crate) fn to_f64(self) -> f64 {
        const TWO_POW_128: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
        self.high as f64 * TWO_POW_128 + self.low as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_largest_product_is_exact() {
        // (2^128 - 1)^2 = 2^256 - 2^129 + 1
        let w = Wide::product(u128::MAX, u128::MAX);
        assert_eq!(
            w,
            Wide {
                high: u128::MAX - 1,
                low: 1
            }
        );
    }

    proptest! {
        #[test]
        fn small_products_agree_with_u128(a: u64, b: u64) {
            prop_assert_eq!(Wide::product(a.into(), b.into()), Wide { high: 0, low: u128::from(a) * u128::from(b) });
        }

        #[test]
        fn product_distributes_and_sum_undoes_difference(a: u128, b in 0u128..1 << 126, c in 0u128..1 << 126) {
            let whole = Wide::product(a, b + c);
            let parts = Wide::product(a, b).plus(Wide::product(a, c));
            prop_assert_eq!(whole, parts);
            prop_assert_eq!(whole.minus(Wide::product(a, b)), Wide::product(a, c));
        }

        #[test]
        fn times_is_product(a: u128, f: u64) {
            prop_assert_eq!(Wide { high: 0, low: a }.times(f), Wide::product(a, f.into()));
        }
    }
}
