//! What a piece of a plan costs: a play, and more where it is hard to get rid of.

use super::knobs::{self, value};
use crate::beater::RankCounts;
use crate::meld::{CATEGORY_SHIFT, Category, Meld};
use crate::plan::Price;
use crate::tile::SUIT_0;
use crate::view::View;
use evenhand_contract::{Cards, Milli};

/// One, in thousandths.
pub(super) const ONE: i64 = 1000;

/// What is needed to price pieces at one decision.
pub(super) struct Pricing {
    unseen: u64,
    unseen_len: i64,
    twice: u64,
    thrice: u64,
    needs_lead: i64,
    narrow: [i64; 3],
    control: i64,
}

impl Pricing {
    pub(super) fn new(view: &View, weights: &[Milli]) -> Self {
        let unseen = view.unseen();
        let counts = RankCounts::of(unseen);
        Self {
            unseen: unseen.0,
            unseen_len: i64::from(unseen.len()),
            twice: counts.twice(),
            thrice: counts.thrice(),
            needs_lead: value(weights, knobs::NEEDS_LEAD),
            narrow: [
                value(weights, knobs::NARROW),
                value(weights, knobs::NARROW_GROUP),
                value(weights, knobs::NARROW_FIVE),
            ],
            control: value(weights, knobs::CONTROL),
        }
    }

    /// How much of what others may open a piece could answer, 0 to 1000.
    #[inline]
    pub(super) fn room(&self, meld: &Meld) -> i64 {
        match meld.category {
            Category::Single => self.single_room(meld.key),
            Category::Pair => share_below(self.twice, meld.key / 4),
            Category::Triple => share_below(self.thrice, meld.key),
            _ => five_room(meld),
        }
    }

    /// Share of the unseen tiles below this one.
    #[inline]
    pub(super) fn single_room(&self, id: u32) -> i64 {
        let below = self.unseen & ((1 << id) - 1);
        i64::from(below.count_ones()) * ONE / self.unseen_len.max(1)
    }

    /// 1000 when nothing unseen beats it, falling quickly.
    #[inline]
    fn strength(&self, meld: &Meld, room: i64) -> i64 {
        let above = match meld.category {
            Category::Single => (self.unseen >> meld.key >> 1).count_ones(),
            Category::Pair => (self.twice >> (4 * (meld.key / 4)) >> 1).count_ones() * 2,
            Category::Triple => (self.thrice >> (4 * meld.key) >> 1).count_ones() * 2,
            _ => return room * room / ONE,
        };
        2 * ONE / (2 + i64::from(above))
    }

    #[inline]
    pub(super) fn price(&self, meld: &Meld) -> Price {
        let room = self.room(meld);
        let class = match meld.category {
            Category::Single => 0,
            Category::Pair | Category::Triple => 1,
            _ => 2,
        };
        let needs_lead = room == 0;
        let hard = if needs_lead {
            self.needs_lead
        } else {
            self.narrow[class] * (ONE - room) / ONE
        };
        let control = self.control * self.strength(meld, room) / ONE;
        let milli = (ONE + hard - control).clamp(0, i64::from(Price::MAX));
        Price {
            milli: milli as u16,
            needs_lead: class == 2 || room < ONE / 4,
            orphan: class == 0 && room < ONE / 2,
        }
    }
}

/// Share of the ranks of a mask (bits at 4r) that lie below rank `rank`.
#[inline]
fn share_below(mask: u64, rank: u32) -> i64 {
    let all = i64::from((mask & SUIT_0).count_ones());
    let below = mask & SUIT_0 & ((1 << (4 * rank)) - 1);
    i64::from(below.count_ones()) * ONE / all.max(1)
}

/// Roughly how much of the five-tile melds that get opened a piece beats.
#[inline]
fn five_room(meld: &Meld) -> i64 {
    let low = meld.key & ((1 << CATEGORY_SHIFT) - 1);
    match meld.category {
        Category::Straight => i64::from(low / 4) * 30,
        Category::Flush => 300 + i64::from(low >> 18) * 20,
        Category::FullHouse => 700 + i64::from(low) * 15,
        Category::Four => 930 + i64::from(low) * 3,
        _ => 985,
    }
}

/// How much of what others may open a hand can answer, by its best single and pair.
#[inline]
pub(super) fn hand_room(pricing: &Pricing, hand: Cards) -> i64 {
    let single = hand
        .highest()
        .map_or(0, |id| pricing.single_room(u32::from(id)));
    let twice = RankCounts::of(hand).twice();
    let pair = if twice == 0 {
        0
    } else {
        share_below(pricing.twice, (63 - twice.leading_zeros()) / 4)
    };
    (2 * single + pair) / 3
}
