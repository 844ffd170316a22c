//! Straight flushes: runs of one suit, few enough to be counted one by one.
//!
//! Runs of one suit share tiles and come in clumps, so the chance that a hand holds any of a suit is
//! the expected number of clumps: runs less pairs of runs that follow each other, at most four
//! numbers apart (a hand that holds both holds those between them as well).
//!
//! Runs of two suits have no tile in common. In one hand, and in two, both are held with the chance
//! of ten given tiles, five here and five there.

use super::hands::{NO_TIES, Ties, tie};
use super::unseen::{CHOOSE, ONE, Unseen, fraction};
use crate::rules::TopRun;
use crate::tile::{highest_number, rank_of_number};

/// Runs of one suit in the unseen tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Runs {
    pub(super) single: u64,
    /// By suit: runs, and pairs of runs that follow each other 1 to 4 numbers apart (6 to 9 tiles).
    suits: [[u64; 5]; 4],
}

impl Runs {
    /// By suit, about the chance that a hand of n tiles holds a run when `given` other tiles are
    /// known not to lie in it, or to lie in it, in which case n counts the rest of it.
    fn of_suits(&self, unseen: &Unseen, n: usize, given: usize) -> [u64; 4] {
        let total = usize::from(unseen.total).saturating_sub(given);
        let holds = [5, 6, 7, 8, 9].map(|tiles| {
            if n < tiles || total < n {
                0
            } else {
                fraction(CHOOSE[total - tiles][n - tiles], CHOOSE[total][n])
            }
        });
        self.suits.map(|runs| {
            let pairs: u64 = (1..5).map(|gap| runs[gap] * holds[gap]).sum();
            (runs[0] * holds[0]).saturating_sub(pairs).min(ONE)
        })
    }

    /// Chance that a hand of n tiles holds none.
    pub(super) fn none(&self, unseen: &Unseen, n: usize) -> u64 {
        if n < 5 || self.single == 0 {
            return ONE;
        }
        let alone = self.of_suits(unseen, n, 0);
        // Five more in a hand of which five are known.
        let after = self.of_suits(unseen, n - 5, 5);
        let any: u64 = alone.iter().sum();
        let both: u64 = others(&alone, &after) / 2;
        ONE - any.saturating_sub(both >> 30).min(ONE)
    }

    /// How two hands depend on each other: a run that one holds the other does not, but those of
    /// other suits are denser.
    pub(super) fn ties(&self, unseen: &Unseen) -> Ties {
        let mut ties = NO_TIES;
        if self.single == 0 {
            return ties;
        }
        let sizes = unseen.sizes();
        for (i, first) in sizes.iter().enumerate() {
            for (j, second) in sizes.iter().enumerate().skip(i) {
                let (n, m) = (usize::from(first.tiles), usize::from(second.tiles));
                if m < 5 || n + m > usize::from(unseen.total) {
                    continue;
                }
                let here = self.of_suits(unseen, n, 0);
                let there = self.of_suits(unseen, m, 5);
                let (q, r) = (self.none(unseen, n), self.none(unseen, m));
                let both = others(&here, &there) as i64 >> 30;
                let apart = ((ONE - q) * (ONE - r)) as i64 >> 30;
                ties[i][j] = tie(q, r, both - apart);
            }
        }
        ties
    }
}

/// Sum of products over pairs of different suits.
fn others(here: &[u64; 4], there: &[u64; 4]) -> u64 {
    let all: u64 = there.iter().sum();
    here.iter().zip(there).map(|(h, t)| h * (all - t)).sum()
}

/// The unseen runs of one suit that `wanted(suit, ranks, order)` admits.
pub(super) fn count(unseen: &Unseen, wanted: impl Fn(u8, u16, usize) -> bool) -> Runs {
    let top = highest_number(unseen.players);
    let mut out = Runs::default();
    for (suit, &held) in unseen.by_suit.iter().enumerate() {
        if held.count_ones() < 5 {
            continue;
        }
        let mut before: Option<u8> = None;
        let last = top - 3 + u8::from(unseen.top_run == TopRun::Wrap12);
        for start in 1..=last {
            let ranks = window(start, top);
            let order = order_of(start, top);
            let here = held & ranks == ranks && wanted(suit as u8, ranks, order);
            if !here {
                continue;
            }
            out.single += 1;
            out.suits[suit][0] += 1;
            if let Some(gap) = before
                .map(|b| usize::from(start - b))
                .filter(|&gap| gap < 5)
            {
                out.suits[suit][gap] += 1;
            }
            before = Some(start);
        }
    }
    out
}

/// Ranks of the run that starts at a number.
fn window(start: u8, top: u8) -> u16 {
    (start..start + 5).fold(0, |ranks, n| {
        ranks | 1 << rank_of_number(if n > top { n - top } else { n })
    })
}

/// Place in the order of strength of the run that starts at a number.
fn order_of(start: u8, top: u8) -> usize {
    usize::from(match start {
        1 => top - 4,
        2 => top - 5,
        s if s == top - 2 => top - 3,
        s => s - 3,
    })
}
