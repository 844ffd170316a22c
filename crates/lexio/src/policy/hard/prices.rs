//! What a piece of a plan costs: a play, more where it is hard to get rid of, less where it
//! brings the lead back.

use super::knobs;
use crate::beater::RankCounts;
use crate::meld::{CATEGORY_SHIFT, Category, Meld};
use crate::plan::Price;
use crate::view::View;
use evenhand_contract::{Cards, Milli};

/// One, in thousandths.
pub(super) const ONE: i64 = 1000;

/// Prices, and all terms of a total, count in parts of a thousandth: shares of room and strength
/// are rounded to so many parts before a knob multiplies them, and nothing is rounded after. A
/// price is thus linear in each knob, and a total in each weight.
pub(super) const PARTS: i64 = 64;

/// Added to a price for each tile of the piece, in thousandths, so that prices stay above 0
/// however large the discount. Every plan of a subset bears it as often as the subset has tiles;
/// differences of plans take it out again.
pub(super) const PER_TILE: i64 = 10 * ONE;

/// What pieces are priced by at one decision.
#[derive(Clone)]
pub(super) struct Pricing {
    unseen: Cards,
    /// Bit 4r for each rank of which two, or three, tiles are unseen.
    twice: u64,
    thrice: u64,
    needs_lead: Milli,
    /// For singles, groups, fives.
    narrow: [Milli; 3],
    control: Milli,
}

impl Pricing {
    pub(super) fn new(view: &View, weights: &[Milli]) -> Self {
        let unseen = view.unseen();
        let counts = RankCounts::of(unseen);
        Self {
            unseen,
            twice: counts.twice(),
            thrice: counts.thrice(),
            needs_lead: weights[knobs::NeedsLead],
            narrow: [
                weights[knobs::Narrow],
                weights[knobs::NarrowGroup],
                weights[knobs::NarrowFive],
            ],
            control: weights[knobs::Control],
        }
    }

    /// The pricing with one knob of prices moved by so much; other knobs price nothing.
    pub(super) fn moved(&self, knob: usize, by: Milli) -> Self {
        let mut moved = self.clone();
        let value = match knob {
            knobs::NeedsLead => &mut moved.needs_lead,
            knobs::Narrow => &mut moved.narrow[SINGLES],
            knobs::NarrowGroup => &mut moved.narrow[GROUPS],
            knobs::NarrowFive => &mut moved.narrow[FIVES],
            _ => &mut moved.control,
        };
        *value += by;
        moved
    }

    /// The price of a piece, in [`PARTS`] of a milli-play:
    /// 1000 + (needs_lead if its room is 0, else narrow x (1 - room)) - control x strength.
    #[inline]
    pub(super) fn price(&self, meld: &Meld) -> Price {
        let room = self.room(meld);
        let class = class(meld);
        let hard = if room == 0 {
            self.needs_lead * PARTS
        } else {
            self.narrow[class] * (PARTS - parts(room))
        };
        let control = self.control * parts(self.strength(meld, room));
        let size = i64::from(meld.size());
        let units = PARTS * (ONE + PER_TILE * size) + hard - control;
        Price {
            units: units.clamp(0, i64::from(Price::MOST_A_TILE) * size) as u32,
            needs_lead: class == FIVES || room < ONE / 4,
            orphan: class == SINGLES && room < ONE / 2,
        }
    }

    /// Follow room, 0 to 1000: how much of what others may open with so many tiles it could answer.
    #[inline]
    pub(super) fn room(&self, meld: &Meld) -> i64 {
        match meld.category {
            Category::Single => self.single_room(meld.key),
            Category::Pair => share_below(self.twice, meld.key / 4),
            Category::Triple => share_below(self.thrice, meld.key),
            _ => five_room(meld),
        }
    }

    /// Share of the unseen tiles that are below this one.
    #[inline]
    pub(super) fn single_room(&self, id: u32) -> i64 {
        let below = self.unseen & Cards((1 << id) - 1);
        i64::from(below.len()) * ONE / i64::from(self.unseen.len().max(1))
    }

    /// 1000 when nothing unseen beats it, 2 / (2 + a) with `a` tiles that do; an unseen rank of
    /// pairs or triples counts as two tiles.
    #[inline]
    fn strength(&self, meld: &Meld, room: i64) -> i64 {
        let above = match meld.category {
            Category::Single => (self.unseen.0 >> meld.key >> 1).count_ones(),
            Category::Pair => 2 * ranks_above(self.twice, meld.key / 4),
            Category::Triple => 2 * ranks_above(self.thrice, meld.key),
            _ => return room * room / ONE,
        };
        2 * ONE / (2 + i64::from(above))
    }

    /// Room of a hand's best single, and the sum of the rooms of its best pair and best triple.
    #[inline]
    pub(super) fn hand_room(&self, hand: Cards) -> [i64; 2] {
        let counts = RankCounts::of(hand);
        let best = |held: u64, unseen: u64| match held {
            0 => 0,
            _ => share_below(unseen, (63 - held.leading_zeros()) / 4),
        };
        [
            hand.highest()
                .map_or(0, |id| self.single_room(u32::from(id))),
            best(counts.twice(), self.twice) + best(counts.thrice(), self.thrice),
        ]
    }
}

const SINGLES: usize = 0;
const GROUPS: usize = 1;
const FIVES: usize = 2;

/// Which of the narrow prices a meld bears.
#[inline]
const fn class(meld: &Meld) -> usize {
    match meld.category {
        Category::Single => SINGLES,
        Category::Pair | Category::Triple => GROUPS,
        _ => FIVES,
    }
}

/// A share of 1000 in whole [`PARTS`].
#[inline]
const fn parts(share: i64) -> i64 {
    share * PARTS / ONE
}

/// Share of the ranks of a mask (bits at 4r) that lie below a rank.
#[inline]
fn share_below(mask: u64, rank: u32) -> i64 {
    let below = mask & ((1 << (4 * rank)) - 1);
    i64::from(below.count_ones()) * ONE / i64::from(mask.count_ones().max(1))
}

#[inline]
fn ranks_above(mask: u64, rank: u32) -> u32 {
    (mask >> (4 * rank) >> 1).count_ones()
}

/// Roughly the share of opened five-tile melds that this one beats: straights are opened most,
/// flushes next. Only its order matters much; the knobs scale it.
#[inline]
fn five_room(meld: &Meld) -> i64 {
    let low = i64::from(meld.key & ((1 << CATEGORY_SHIFT) - 1));
    match meld.category {
        Category::Straight => (low / 4) * 30,
        Category::Flush => 300 + (low >> 18) * 20,
        Category::FullHouse => 700 + low * 15,
        Category::Four => 930 + low * 3,
        _ => 985,
    }
}
