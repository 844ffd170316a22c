//! Few tiles hidden: all deals one by one.
//!
//! Only hands of five tiles or more can beat five; what the others hold does not matter. Where the
//! former can be dealt in only so few ways, each of the deals is looked at.

use super::unseen::{ONE, Unseen, choose};
use crate::beater::holds_beater;
use crate::meld::{Category, Meld, RunOrders};
use evenhand_contract::Cards;

/// Up to so many deals are looked at one by one: the more the less sure the other counts are.
const fn most(category: Category) -> u64 {
    match category {
        Category::Straight => 5_100,
        Category::Flush => 3_500,
        _ => 1_000,
    }
}

/// The hands that can hold five tiles: how many there are, and their tiles, smallest first.
fn hands(unseen: &Unseen) -> ([u8; 5], usize) {
    let mut hands = [0; 5];
    let mut seats = 0;
    for size in unseen.sizes().iter().rev() {
        for _ in 0..size.seats {
            if size.tiles >= 5 && seats < hands.len() {
                hands[seats] = size.tiles;
                seats += 1;
            }
        }
    }
    (hands, seats)
}

/// In how many ways the hands that can hold five tiles can be dealt, where those are few.
pub(super) fn deals(unseen: &Unseen, category: Category) -> Option<u64> {
    let (hands, seats) = hands(unseen);
    let mut left = unseen.total;
    let mut deals = 1;
    for &n in &hands[..seats] {
        // Of n and what is left the smaller, so that no binomial exceeds its table.
        let out = n.min(left.checked_sub(n)?);
        deals *= choose(left, out.into());
        left -= n;
        if deals > most(category) {
            return None;
        }
    }
    Some(deals)
}

/// Chance that nobody beats the five tiles, over all `deals`.
pub(super) fn none(unseen: &Unseen, meld: &Meld, deals: u64) -> u64 {
    let (hands, seats) = hands(unseen);
    let table = Table {
        meld,
        orders: unseen.orders(),
    };
    ONE * table.missing(unseen.tiles, &hands[..seats]) / deals
}

struct Table<'a> {
    meld: &'a Meld,
    orders: &'a RunOrders,
}

impl Table<'_> {
    /// Deals of `rest` to these hands in which none holds a beater.
    fn missing(&self, rest: Cards, hands: &[u8]) -> u64 {
        let Some((&n, hands)) = hands.split_first() else {
            return 1;
        };
        let n = u32::from(n);
        let others = rest.len().saturating_sub(n);
        // Choose what is the less: the hand, or what it leaves.
        if n <= others {
            self.choose(rest, Cards::EMPTY, n, &|hand| (hand, rest - hand), hands)
        } else {
            self.choose(
                rest,
                Cards::EMPTY,
                others,
                &|left| (rest - left, left),
                hands,
            )
        }
    }

    /// The same, over all choices of `n` more tiles of `from`, where `split` says what the choice
    /// leaves for the hand and for the others.
    fn choose(
        &self,
        mut from: Cards,
        chosen: Cards,
        n: u32,
        split: &dyn Fn(Cards) -> (Cards, Cards),
        others: &[u8],
    ) -> u64 {
        if n == 0 {
            let (hand, left) = split(chosen);
            return if holds_beater(hand, self.meld, self.orders) {
                0
            } else {
                self.missing(left, others)
            };
        }
        let mut sum = 0;
        while from.len() >= n
            && let Some(low) = from.lowest()
        {
            let low = Cards::one(low);
            from -= low;
            sum += self.choose(from, chosen | low, n - 1, split, others);
        }
        sum
    }
}
