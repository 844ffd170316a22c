//! Kinds of question: by kind and size of the play, and by how many cards the seat has.

use crate::play::{Kind, Play};

/// Kinds of question, in their order.
pub const KINDS: [&str; 15] = [
    "single-1",
    "single-2",
    "single-3-4",
    "single-5-7",
    "single-8-13",
    "pair-2-3",
    "pair-4-6",
    "pair-7-13",
    "triple-3-5",
    "triple-6-13",
    "four-4-13",
    "stair-3-5",
    "stair-3-6-8",
    "stair-3-9-13",
    "stair-4-13",
];

/// The kind of the question whether a seat with `count` cards can beat this play, an index into
/// [`KINDS`]. A seat with fewer cards than the play counts as one that has just as many.
#[inline]
#[must_use]
pub const fn kind(play: &Play, count: u8) -> usize {
    match (play.kind, play.size()) {
        (Kind::Set, 1) => match count {
            0..=1 => 0,
            2 => 1,
            3..=4 => 2,
            5..=7 => 3,
            _ => 4,
        },
        (Kind::Set, 2) => match count {
            0..=3 => 5,
            4..=6 => 6,
            _ => 7,
        },
        (Kind::Set, 3) => match count {
            0..=5 => 8,
            _ => 9,
        },
        (Kind::Set, _) => 10,
        (Kind::Stair, 3) => match count {
            0..=5 => 11,
            6..=8 => 12,
            _ => 13,
        },
        (Kind::Stair, _) => 14,
    }
}
