use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub, SubAssign};

/// A set of cards or tiles, one bit an id (0 to 63). Iterates in ascending id order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cards(pub u64);

impl Cards {
    /// The set with no card.
    pub const EMPTY: Self = Self(0);

    /// The set of one card.
    #[inline]
    #[must_use]
    pub const fn one(id: u8) -> Self {
        Self(1 << id)
    }

    /// How many cards it holds.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it holds no card.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it holds this card.
    #[inline]
    #[must_use]
    pub const fn has(self, id: u8) -> bool {
        self.0 >> id & 1 == 1
    }

    /// Whether every card of `other` is in this set.
    #[inline]
    #[must_use]
    pub const fn has_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether the two sets share a card.
    #[inline]
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The lowest id, if any.
    #[inline]
    #[must_use]
    pub const fn lowest(self) -> Option<u8> {
        if self.0 == 0 {
            None
        } else {
            Some(self.0.trailing_zeros() as u8)
        }
    }

    /// The highest id, if any.
    #[inline]
    #[must_use]
    pub const fn highest(self) -> Option<u8> {
        if self.0 == 0 {
            None
        } else {
            Some(63 - self.0.leading_zeros() as u8)
        }
    }

    /// The set without its lowest card.
    #[inline]
    #[must_use]
    pub const fn without_lowest(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }

    /// The ids in ascending order.
    #[inline]
    pub fn iter(self) -> CardsIter {
        CardsIter(self.0)
    }
}

/// Iterator over the ids of a [`Cards`], ascending.
#[derive(Clone, Debug)]
pub struct CardsIter(u64);

impl Iterator for CardsIter {
    type Item = u8;
    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let id = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(id)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for CardsIter {}

impl IntoIterator for Cards {
    type Item = u8;
    type IntoIter = CardsIter;
    fn into_iter(self) -> CardsIter {
        self.iter()
    }
}

impl FromIterator<u8> for Cards {
    fn from_iter<I: IntoIterator<Item = u8>>(ids: I) -> Self {
        ids.into_iter()
            .fold(Self::EMPTY, |set, id| set | Self::one(id))
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

macro_rules! set_operator {
    ($($trait:ident $method:ident $a:ident $b:ident $value:expr;)*) => {$(
        impl $trait for Cards {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($value)
            }
        }
    )*};
}

set_operator! {
    BitAnd bitand a b a & b;
    BitOr bitor a b a | b;
    BitXor bitxor a b a ^ b;
    Sub sub a b a & !b;
}

impl Not for Cards {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitOrAssign for Cards {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Cards {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl SubAssign for Cards {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}
