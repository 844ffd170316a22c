//! How many combinations of unseen tiles beat a meld, in closed form: no subset is ever built.

use super::flush::Target;
use super::house::{PAIRS, TRIPLES};
use super::pairs_of_rank;
use super::runs;
use super::unseen::{Unseen, choose};
use crate::View;
use crate::meld::{CATEGORY_SHIFT, Category, Meld};
use evenhand_contract::Cards;

/// How many sets of unseen tiles are melds that beat `meld`.
#[must_use]
pub fn beating(view: &View, meld: &Meld) -> u64 {
    let unseen = Unseen::of(view);
    let low = meld.key & ((1 << CATEGORY_SHIFT) - 1);
    let rank = low as usize;
    match meld.category {
        Category::Single => {
            let above = !((1u64 << (meld.key & 63) << 1) - 1);
            u64::from((view.unseen() & Cards(above)).len())
        }
        Category::Pair => {
            let above = unseen.by_rank[rank / 4 + 1..].iter();
            pairs_of_rank(view.unseen(), low) + above.map(|&u| PAIRS[usize::from(u)]).sum::<u64>()
        }
        Category::Triple => {
            let above = unseen.by_rank[rank + 1..].iter();
            above.map(|&u| TRIPLES[usize::from(u)]).sum()
        }
        Category::Straight => {
            straights(&unseen, low / 4, low & 3)
                + flushes(&unseen, None)
                + houses(&unseen, 0)
                + fours(&unseen, 0)
                + runs::count(&unseen, |_, _, _| true).single
        }
        Category::Flush => {
            flushes(&unseen, Some(Target::of_key(low)))
                + houses(&unseen, 0)
                + fours(&unseen, 0)
                + runs::count(&unseen, |_, _, _| true).single
        }
        Category::FullHouse => {
            houses(&unseen, rank + 1)
                + fours(&unseen, 0)
                + runs::count(&unseen, |_, _, _| true).single
        }
        Category::Four => fours(&unseen, rank + 1) + runs::count(&unseen, |_, _, _| true).single,
        Category::StraightFlush => {
            let (order, suit) = ((low / 4) as usize, (low & 3) as u8);
            runs::count(&unseen, |s, _, o| o > order || (o == order && s > suit)).single
        }
    }
}

/// Straights above (order, suit): of each run above, one tile of each rank; of the run itself, one
/// of a higher suit at its top rank; less those of one suit.
fn straights(unseen: &Unseen, order: u32, suit: u32) -> u64 {
    let mut all = 0;
    for (place, &ranks) in unseen
        .orders()
        .masks()
        .iter()
        .enumerate()
        .skip(order as usize)
    {
        let top = 15 - ranks.leading_zeros();
        let mut ways = 1;
        for rank in 0..16 {
            if ranks >> rank & 1 == 1 {
                let mut suits = unseen.tiles.0 >> (4 * rank) & 0xf;
                if place == order as usize && rank == top {
                    suits &= !((2 << suit) - 1);
                }
                ways *= u64::from(suits.count_ones());
            }
        }
        all += ways;
    }
    let one_suit = runs::count(unseen, |s, _, o| {
        o > order as usize || (o == order as usize && u32::from(s) > suit)
    });
    all - one_suit.single
}

/// Five of one suit above the target (all of them without one), less the runs of one suit.
fn flushes(unseen: &Unseen, target: Option<Target>) -> u64 {
    let above = |ranks: u16, suit: u8| {
        target.map_or_else(
            || choose(ranks.count_ones() as u8, 5),
            |target| target.above(ranks, suit),
        )
    };
    let all: u64 = (0..4)
        .map(|suit| above(unseen.by_suit[usize::from(suit)], suit))
        .sum();
    all - runs::count(unseen, |suit, ranks, _| above(ranks, suit) > 0).single
}

/// A triple of rank `first` or above, and a pair of any other rank.
fn houses(unseen: &Unseen, first: usize) -> u64 {
    let pairs: u64 = unseen.by_rank.iter().map(|&u| PAIRS[usize::from(u)]).sum();
    let of_rank = |&u: &u8| TRIPLES[usize::from(u)] * (pairs - PAIRS[usize::from(u)]);
    unseen.by_rank[first..].iter().map(of_rank).sum()
}

/// Four of rank `first` or above, and any other tile.
fn fours(unseen: &Unseen, first: usize) -> u64 {
    let whole = unseen.by_rank[first..].iter().filter(|&&u| u == 4).count() as u64;
    whole * u64::from(unseen.total.saturating_sub(4))
}
