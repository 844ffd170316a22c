//! Straight flushes: runs of one suit, few enough to be counted one by one.
//!
//! Runs of one suit that are neighbours in the order of numbers share four tiles and come in
//! clumps, so the chance that a hand holds any is the expected number of clumps: runs less
//! neighbouring pairs of runs.

use super::unseen::Unseen;
use crate::rules::TopRun;
use crate::tile::{highest_number, rank_of_number};

/// Runs of one suit in the unseen tiles, and neighbouring pairs of them (six tiles).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Runs {
    pub(super) single: u64,
    pub(super) double: u64,
}

/// The unseen runs of one suit that `wanted(suit, ranks, order)` admits.
pub(super) fn count(unseen: &Unseen, wanted: impl Fn(u8, u16, usize) -> bool) -> Runs {
    let top = highest_number(unseen.players);
    let mut out = Runs::default();
    for (suit, &held) in unseen.by_suit.iter().enumerate() {
        if held.count_ones() < 5 {
            continue;
        }
        let mut before = false;
        let last = top - 3 + u8::from(unseen.top_run == TopRun::Wrap12);
        for start in 1..=last {
            let ranks = window(start, top);
            let order = order_of(start, top);
            let here = held & ranks == ranks && wanted(suit as u8, ranks, order);
            out.single += u64::from(here);
            out.double += u64::from(here && before);
            before = here;
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
