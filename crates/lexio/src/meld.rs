//! Melds: what may be played, and the one integer that orders melds of the same size.

use crate::rules::{Rules, TopRun};
use crate::tile::{SUIT_0, runs};
use evenhand_contract::Cards;
use std::sync::LazyLock;

/// What kind of meld a set of tiles is. The five-tile categories rise in strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Category {
    /// One tile.
    Single,
    /// Two of a number.
    Pair,
    /// Three of a number.
    Triple,
    /// A legal run in mixed suits.
    Straight,
    /// Five of one suit that are no run.
    Flush,
    /// A triple and a pair.
    FullHouse,
    /// Four of a number and any tile.
    Four,
    /// A legal run in one suit.
    StraightFlush,
}

impl Category {
    /// Every category, in declaration order.
    pub const ALL: [Self; 8] = [
        Self::Single,
        Self::Pair,
        Self::Triple,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::Four,
        Self::StraightFlush,
    ];

    /// Tiles in a meld of this category.
    #[must_use]
    pub const fn size(self) -> u8 {
        match self {
            Self::Single => 1,
            Self::Pair => 2,
            Self::Triple => 3,
            _ => 5,
        }
    }
}

/// A valid meld.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Meld {
    /// The category.
    pub category: Category,
    /// Orders melds of one size; greater wins. Bits: five-tile melds carry the category from bit
    /// 24 up (straight 0 to straight flush 4), the rest is packed as the rules page lists it, ranks
    /// in four bits, suits in two.
    pub key: u32,
    /// The tiles.
    pub tiles: Cards,
}

impl Meld {
    /// How many tiles.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.category.size()
    }

    /// Whether this meld may be played on `field`: same size, greater key.
    #[inline]
    #[must_use]
    pub const fn beats(&self, field: &Self) -> bool {
        self.size() == field.size() && self.key > field.key
    }
}

/// Which bit of [`Meld::key`] the category of a five-tile meld starts at.
pub const CATEGORY_SHIFT: u32 = 24;

/// Order of each legal run by the set of its ranks, for one player count and ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunOrders {
    masks: [u16; 13],
    len: u8,
}

impl RunOrders {
    /// The runs of this player count under these rules.
    #[must_use]
    pub fn new(players: u8, rules: Rules) -> Self {
        let list = runs(players, rules);
        let mut masks = [0; 13];
        for (mask, run) in masks.iter_mut().zip(&list) {
            *mask = run.iter().fold(0, |m, r| m | 1 << r);
        }
        Self {
            masks,
            len: list.len() as u8,
        }
    }

    /// The shared instance for a table of 3, 4 or 5 (other counts are taken as 5).
    #[inline]
    #[must_use]
    pub fn get(players: u8, rules: Rules) -> &'static Self {
        static ALL: LazyLock<[[RunOrders; 2]; 3]> = LazyLock::new(|| {
            [3, 4, 5].map(|n| {
                [TopRun::Wrap1, TopRun::Wrap12].map(|top_run| {
                    RunOrders::new(
                        n,
                        Rules {
                            top_run,
                            ..Rules::default()
                        },
                    )
                })
            })
        });
        let players = usize::from(players.clamp(3, 5) - 3);
        &ALL[players][usize::from(rules.top_run == TopRun::Wrap12)]
    }

    /// Rank sets of the runs, weakest first (bit r for rank index r).
    #[inline]
    #[must_use]
    pub fn masks(&self) -> &[u16] {
        &self.masks[..usize::from(self.len)]
    }

    /// Place in the order, from 0 the weakest; `None` when these ranks are no legal run.
    #[inline]
    #[must_use]
    pub fn order(&self, ranks: u16) -> Option<u8> {
        self.masks()
            .iter()
            .position(|&m| m == ranks)
            .map(|i| i as u8)
    }
}

/// The set of ranks that occur (bit r for rank index r).
#[inline]
#[must_use]
pub const fn ranks_of(tiles: Cards) -> u16 {
    let t = tiles.0;
    let any = (t | t >> 1 | t >> 2 | t >> 3) & SUIT_0;
    // Gather every fourth bit: pairs, then quads, then bytes of gathered bits.
    let a = (any | any >> 3) & 0x0303_0303_0303_0303;
    let b = (a | a >> 6) & 0x000f_000f_000f_000f;
    let c = (b | b >> 12) & 0x0000_00ff_0000_00ff;
    ((c | c >> 24) & 0xffff) as u16
}

/// Recognises a meld; `None` when the tiles are none.
#[must_use]
pub fn classify(tiles: Cards, orders: &RunOrders) -> Option<Meld> {
    let meld = |category, key| {
        Some(Meld {
            category,
            key,
            tiles,
        })
    };
    let top = tiles.highest()?;
    let (rank, suit) = (u32::from(top / 4), u32::from(top % 4));
    let one_rank = tiles.lowest()? / 4 == top / 4;
    match tiles.len() {
        1 => meld(Category::Single, u32::from(top)),
        2 if one_rank => meld(Category::Pair, rank * 4 + suit),
        3 if one_rank => meld(Category::Triple, rank),
        5 => {
            let (category, key) = classify_five(tiles, rank, suit, orders)?;
            meld(
                category,
                (category as u32 - Category::Straight as u32) << CATEGORY_SHIFT | key,
            )
        }
        _ => None,
    }
}

/// Category and the key without its category bits; `rank` and `suit` are the top tile's.
fn classify_five(
    tiles: Cards,
    rank: u32,
    suit: u32,
    orders: &RunOrders,
) -> Option<(Category, u32)> {
    let ranks = ranks_of(tiles);
    match ranks.count_ones() {
        5 => {
            let one_suit = tiles.0 & !(SUIT_0 << suit) == 0;
            let order = orders.order(ranks).map(u32::from);
            match (order, one_suit) {
                (Some(order), true) => Some((Category::StraightFlush, order * 4 + suit)),
                (Some(order), false) => Some((Category::Straight, order * 4 + suit)),
                (None, true) => Some((Category::Flush, flush_key(ranks, suit))),
                (None, false) => None,
            }
        }
        2 => {
            // Two ranks over five tiles: 4 + 1 or 3 + 2; the top rank has 1 to 4 of them.
            let of_top = (tiles.0 >> (4 * rank) & 0xf).count_ones();
            let other = u32::from(ranks.trailing_zeros() as u8);
            Some(match of_top {
                4 => (Category::Four, rank),
                1 => (Category::Four, other),
                3 => (Category::FullHouse, rank),
                _ => (Category::FullHouse, other),
            })
        }
        _ => None,
    }
}

/// Five ranks from the highest down, four bits each, then the suit in two.
pub(crate) fn flush_key(mut ranks: u16, suit: u32) -> u32 {
    let mut key = 0;
    while ranks != 0 {
        let top = 15 - ranks.leading_zeros();
        key = key << 4 | top;
        ranks &= !(1 << top);
    }
    key << 2 | suit
}
