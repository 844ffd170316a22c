//! Whether a hand holds an answer to a play, without listing any.
//!
//! Cards lie rank by rank in groups of four bits, so shifting a set by four bits moves it one rank
//! and keeps every suit: all four suits are tried at once.

use crate::card::{JOKERS, NATURALS, RANKS, SPADE_3};
use crate::play::{JOKER_RANK, Kind, Play};
use evenhand_contract::Cards;

/// The lowest bit of every rank's group.
const RANK_BITS: u64 = 0x0001_1111_1111_1111;

/// How many naturals of each rank a set holds, in four bits a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankCounts(u64);

impl RankCounts {
    /// The counts of a set; jokers count nowhere.
    #[inline]
    #[must_use]
    pub const fn of(cards: Cards) -> Self {
        let naturals = cards.0 & NATURALS.0;
        let pairs = (naturals & 0x5555_5555_5555_5555) + (naturals >> 1 & 0x5555_5555_5555_5555);
        Self((pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333))
    }

    /// The ranks held `count` times or more, as the lowest bit of each rank's group; every rank
    /// for a count of 0, none above 4.
    #[inline]
    #[must_use]
    pub const fn at_least(self, count: u32) -> u64 {
        if count > 4 {
            return 0;
        }
        // A group holds 0 to 4, so it reaches 8 exactly when the count is met.
        (self.0 + RANK_BITS * (8 - count as u64)) >> 3 & RANK_BITS
    }
}

/// The ids whose rank is stronger than `rank` in the order in force; all for none weaker, none for
/// [`JOKER_RANK`].
#[inline]
#[must_use]
pub const fn stronger(rank: u8, revolution: bool) -> u64 {
    if rank >= JOKER_RANK {
        0
    } else if revolution {
        (1 << (4 * rank)) - 1
    } else {
        NATURALS.0 & !((1 << (4 * rank + 4)) - 1)
    }
}

/// The stairs of `size` that a set can make with at most `jokers` jokers, at least one natural in
/// each: bit `4 * start + suit`. Index k holds those that need k jokers or fewer.
#[inline]
#[must_use]
pub const fn stair_bits(cards: Cards, size: u32) -> [u64; 3] {
    let naturals = cards.0 & NATURALS.0;
    if size > RANKS as u32 || size < 3 {
        return [0; 3];
    }
    let starts = (1u64 << (4 * (RANKS as u32 + 1 - size))) - 1;
    let (mut none, mut one, mut two) = (starts, starts, starts);
    let mut place = 0;
    while place < size {
        let here = naturals >> (4 * place);
        two = two & here | one;
        one = one & here | none;
        none &= here;
        place += 1;
    }
    [none, one, two]
}

/// The starts, as bits `4 * start + suit`, of stairs stronger than `field`.
#[inline]
#[must_use]
pub const fn stronger_starts(field: &Play, revolution: bool) -> u64 {
    // Of equal size, the weakest place moves with the start.
    stronger(field.rank, revolution)
}

/// Whether `hand` holds a play that beats `field`.
#[inline]
#[must_use]
pub fn holds_beater(hand: Cards, field: &Play, revolution: bool) -> bool {
    let jokers = (hand & JOKERS).len();
    let size = field.size();
    match field.kind {
        Kind::Set => {
            if field.rank == JOKER_RANK {
                return size == 1 && hand.has(SPADE_3);
            }
            if size <= jokers {
                return true;
            }
            let counts = RankCounts::of(hand).at_least(size - jokers);
            counts & stronger(field.rank, revolution) != 0
        }
        Kind::Stair => {
            let starts = stair_bits(hand, size)[jokers as usize];
            starts & stronger_starts(field, revolution) != 0
        }
    }
}

#[cfg(test)]
mod tests;
