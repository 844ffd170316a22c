//! Whether a hand can beat a meld, answered from counts of ranks and suits, without building
//! melds. Asked of every re-dealt hand during calibration, so it must be exact and quick.

use crate::meld::{CATEGORY_SHIFT, Category, Meld, RunOrders, flush_key, ranks_of};
use crate::tile::SUIT_0;
use evenhand_contract::Cards;

/// How many tiles of each rank a hand holds: one nibble (0 to 4) a rank, at bit 4r.
#[derive(Clone, Copy)]
pub(crate) struct RankCounts(u64);

impl RankCounts {
    #[inline]
    pub(crate) const fn of(hand: Cards) -> Self {
        let x = hand.0;
        let pairs = x - (x >> 1 & 0x5555_5555_5555_5555);
        Self((pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333))
    }

    /// Bit 4r for each rank with two tiles or more.
    #[inline]
    pub(crate) const fn twice(self) -> u64 {
        (self.0 >> 1 | self.0 >> 2) & SUIT_0
    }

    /// Bit 4r for each rank with three tiles or more.
    #[inline]
    pub(crate) const fn thrice(self) -> u64 {
        ((self.0 & self.0 >> 1) | self.0 >> 2) & SUIT_0
    }

    /// Bit 4r for each rank with all four tiles.
    #[inline]
    pub(crate) const fn fourfold(self) -> u64 {
        self.0 >> 2 & SUIT_0
    }
}

/// Ranks of one suit's tiles, bit r for rank r.
#[inline]
pub(crate) const fn ranks_in_suit(hand: Cards, suit: u32) -> u16 {
    ranks_of(Cards(hand.0 >> suit & SUIT_0))
}

/// Rank of the highest bit of a mask with bits at 4r.
#[inline]
const fn top_rank(mask: u64) -> u32 {
    (63 - mask.leading_zeros()) / 4
}

/// Whether a mask with bits at 4r has one above rank `r`.
#[inline]
const fn any_above(mask: u64, r: u32) -> bool {
    mask >> (4 * r) > 1
}

/// Whether `hand` contains a meld of the size of `meld` with a greater key.
#[must_use]
pub fn holds_beater(hand: Cards, meld: &Meld, orders: &RunOrders) -> bool {
    let low = meld.key & ((1 << CATEGORY_SHIFT) - 1);
    match meld.category {
        Category::Single => hand.0 >> low > 1,
        Category::Pair => {
            let twice = RankCounts::of(hand).twice();
            // The best pair is of the highest doubled rank and takes that rank's highest tile.
            twice != 0 && {
                let rank = top_rank(twice);
                let suits = hand.0 >> (4 * rank) & 0xf;
                4 * rank + (63 - suits.leading_zeros()) > low
            }
        }
        Category::Triple => any_above(RankCounts::of(hand).thrice(), low),
        _ => hand.len() >= 5 && holds_better_five(hand, meld.category, low, orders),
    }
}

fn holds_better_five(hand: Cards, category: Category, low: u32, orders: &RunOrders) -> bool {
    let counts = RankCounts::of(hand);
    let fourfold = counts.fourfold();
    if category < Category::Four {
        if fourfold != 0 {
            return true;
        }
        let (thrice, twice) = (counts.thrice(), counts.twice());
        // A triple and another pair: every tripled rank is doubled as well.
        if thrice != 0 && twice.count_ones() >= 2 {
            // Each tripled rank has its pair then, so the highest one is the best.
            if category < Category::FullHouse || any_above(thrice, low) {
                return true;
            }
        }
    } else if category == Category::Four && any_above(fourfold, low) {
        return true;
    }
    if category == Category::Straight
        && let Some((order, ranks)) = best_run(ranks_of(hand), orders)
    {
        // The run's highest tile of its top rank; should that make it one suit, better still.
        let rank = 15 - ranks.leading_zeros();
        let suits = hand.0 >> (4 * rank) & 0xf;
        if order * 4 + (63 - suits.leading_zeros()) > low {
            return true;
        }
    }
    for suit in 0..4 {
        if (hand.0 & SUIT_0 << suit).count_ones() < 5 {
            continue;
        }
        // Five of one suit are a flush or, as a run, a straight flush: either beats a straight.
        if category == Category::Straight {
            return true;
        }
        let ranks = ranks_in_suit(hand, suit);
        // No five of this suit have a greater flush key than its five highest; should those be a
        // run, they beat a flush all the same.
        if category == Category::Flush && flush_key(highest_five(ranks), suit) > low {
            return true;
        }
        if let Some((order, _)) = best_run(ranks, orders)
            && (category < Category::StraightFlush || order * 4 + suit > low)
        {
            return true;
        }
    }
    false
}

/// The strongest run within a set of ranks: its place in the order and its ranks.
#[inline]
pub(crate) fn best_run(ranks: u16, orders: &RunOrders) -> Option<(u32, u16)> {
    let masks = orders.masks();
    let place = masks.iter().rposition(|&run| ranks & run == run)?;
    Some((place as u32, masks[place]))
}

/// The five highest of a set of five ranks or more.
#[inline]
fn highest_five(mut ranks: u16) -> u16 {
    while ranks.count_ones() > 5 {
        ranks &= ranks - 1;
    }
    ranks
}

#[cfg(test)]
mod tests;
