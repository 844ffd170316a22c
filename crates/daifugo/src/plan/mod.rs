//! The cheapest way to empty a hand and to end in a normal finish: exact set partitioning over
//! every subset of the hand, for both orders of strength at once.
//!
//! A plan is a partition of a subset S into plays. One of them is the last; it must be a normal
//! finish under the order in force when it is played, which is the order at the start, turned by
//! each other play of the plan that makes a revolution. The order of those others does not matter,
//! so a cell needs no more than the parity of their revolutions:
//!
//! ```text
//! open[S][p] = least sum over partitions of S into plays, none of them the last, of parity p
//! done[S][r] = least sum over partitions of S with a last play, where order r is in force before
//! ```
//!
//! With b the highest card of S, some play P holds b:
//!
//! ```text
//! open[S][p] = min over P of price(P) + open[S - P][p ^ turns(P)]
//! done[S][r] = min over P of price(P) + done[S - P][r ^ turns(P)]    P is not the last
//!                            last     + open[S - P][r ^ f]           P is, a normal finish under f
//! ```
//!
//! Every right-hand side lies below 2^b, so the table grows by doubling. The T = S - b that hold
//! the other cards O of a play come in runs as long as 2^(lowest bit of O).

mod pieces;

pub use pieces::{Piece, pieces};

use evenhand_contract::Cards;

/// Most cards a hand can have.
pub const MAX_CARDS: usize = 13;

/// A price from which on there is no plan. Thirteen pieces of at most [`MAX_PRICE`] stay below it,
/// and as much on top of it stays within an `i16`.
pub const NO_FINISH: i16 = 16_000;

/// Highest price of a piece.
pub const MAX_PRICE: i16 = 1_200;

/// A hand's cards as bits of a mask, the lowest id being bit 0.
#[derive(Clone, Debug)]
pub struct Index {
    hand: Cards,
    bits: [u16; 64],
}

impl Default for Index {
    fn default() -> Self {
        Self {
            hand: Cards::EMPTY,
            bits: [0; 64],
        }
    }
}

impl Index {
    /// The index of a hand of at most [`MAX_CARDS`] cards; further cards are left out.
    #[must_use]
    pub fn new(hand: Cards) -> Self {
        let mut index = Self::default();
        for (place, id) in hand.iter().take(MAX_CARDS).enumerate() {
            index.bits[usize::from(id & 63)] = 1 << place;
            index.hand |= Cards::one(id);
        }
        index
    }

    /// The cards that it indexes.
    #[must_use]
    pub const fn hand(&self) -> Cards {
        self.hand
    }

    /// The mask of a set; cards that are not of the hand are left out.
    #[inline]
    #[must_use]
    pub fn mask(&self, cards: Cards) -> u16 {
        cards
            .iter()
            .fold(0, |mask, id| mask | self.bits[usize::from(id & 63)])
    }

    /// The mask of the whole hand.
    #[inline]
    #[must_use]
    pub const fn full(&self) -> u16 {
        ((1u32 << self.hand.len()) - 1) as u16
    }
}

/// What a plan is made of: a play within the hand as far as a plan needs to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Part {
    /// Its cards as bits of the hand's [`Index`]; not 0.
    pub mask: u16,
    /// What it costs unless it is the last, 0 to [`MAX_PRICE`].
    pub price: i16,
    /// Whether it turns the order of strength.
    pub turns: bool,
    /// Whether it is a normal finish as the last play, in the normal order and in a revolution.
    pub ends: [bool; 2],
}

/// `open` for even and odd parity, then `done` in the normal order and in a revolution.
type Cell = [i16; 4];

const NOTHING: Cell = [NO_FINISH; 4];

/// The cheapest plan for every subset of a hand.
#[derive(Clone, Debug, Default)]
pub struct Table {
    cells: Vec<Cell>,
    sorted: Vec<Part>,
}

impl Table {
    /// Fills the table for a hand of `cards` cards; `last` is what the last play costs.
    ///
    /// The steps that it takes are bounded by [`steps`].
    ///
    /// With `twin` the two highest cards of the hand may stand for each other in every play (its two
    /// jokers). Subsets that hold the higher of them without the lower are then left out: ask for
    /// their image instead.
    pub fn fill(&mut self, cards: usize, last: i16, twin: bool, parts: &[Part]) {
        // Parts in the order of their highest card, by counting.
        let mut starts = [0usize; MAX_CARDS + 1];
        for part in parts {
            starts[highest(part.mask) + 1] += 1;
        }
        for b in 0..MAX_CARDS {
            starts[b + 1] += starts[b];
        }
        let mut next = starts;
        self.sorted.clear();
        self.sorted.resize(parts.len(), Part::default());
        for part in parts {
            let slot = &mut next[highest(part.mask)];
            self.sorted[*slot] = *part;
            *slot += 1;
        }
        let turning = parts.iter().any(|part| part.turns);
        self.cells.clear();
        self.cells.resize(1 << cards, NOTHING);
        self.cells[0] = [0, NO_FINISH, NO_FINISH, NO_FINISH];
        for b in 0..cards {
            let half = 1usize << b;
            let needed = if twin && b + 1 == cards { half >> 1 } else { 0 };
            let (below, block) = self.cells[..2 * half].split_at_mut(half);
            for part in &self.sorted[starts[b]..starts[b + 1]] {
                let others = usize::from(part.mask) ^ half;
                let [normal, turned] = part.ends.map(|end| if end { last } else { NO_FINISH });
                let price = part.price;
                if part.turns {
                    lower(below, block, [others, needed], |[even, odd, up, down]| {
                        [
                            odd + price,
                            even + price,
                            (down + price).min((even + normal).min(odd + turned)),
                            (up + price).min((odd + normal).min(even + turned)),
                        ]
                    });
                } else if turning {
                    lower(below, block, [others, needed], |[even, odd, up, down]| {
                        [
                            even + price,
                            odd + price,
                            (up + price).min((even + normal).min(odd + turned)),
                            (down + price).min((odd + normal).min(even + turned)),
                        ]
                    });
                } else {
                    lower(below, block, [others, needed], |[even, odd, up, down]| {
                        [
                            even + price,
                            odd,
                            (up + price).min(even + normal),
                            (down + price).min(even + turned),
                        ]
                    });
                }
            }
        }
    }

    /// The least price of emptying the subset of this mask with a normal finish, where the order of
    /// strength is the given one before the first play; [`NO_FINISH`] when there is no way.
    ///
    /// For the empty subset it is [`NO_FINISH`]: whether the play that emptied the hand was a
    /// normal finish is for the caller to know.
    ///
    /// # Panics
    /// When the mask has bits beyond the hand.
    #[inline]
    #[must_use]
    pub fn finish(&self, mask: u16, revolution: bool) -> i16 {
        self.cells[usize::from(mask)][2 + usize::from(revolution)].min(NO_FINISH)
    }

    /// The least price of emptying the subset in any way, every play paid for.
    ///
    /// # Panics
    /// When the mask has bits beyond the hand.
    #[inline]
    #[must_use]
    pub fn plain(&self, mask: u16) -> i16 {
        let [even, odd, ..] = self.cells[usize::from(mask)];
        even.min(odd)
    }
}

/// Lowers each cell whose subset holds the part and what is needed to what `with` makes of the
/// cell without the part.
#[inline(always)]
fn lower(
    below: &[Cell],
    block: &mut [Cell],
    [others, needed]: [usize; 2],
    with: impl Fn(Cell) -> Cell,
) {
    let fixed = others | needed;
    let mut at = fixed;
    if fixed & 1 == 1 {
        while at < block.len() {
            keep_lower(&mut block[at], with(below[at ^ others]));
            at = (at + 1) | fixed;
        }
        return;
    }
    let run = match fixed {
        0 => block.len(),
        _ => 1 << fixed.trailing_zeros(),
    };
    while at < block.len() {
        let without = at ^ others;
        let cells = &mut block[at..at + run];
        for (cell, &rest) in cells.iter_mut().zip(&below[without..without + run]) {
            keep_lower(cell, with(rest));
        }
        at = (at + run) | fixed;
    }
}

#[inline(always)]
fn keep_lower(cell: &mut Cell, other: Cell) {
    for (lane, new) in cell.iter_mut().zip(other) {
        *lane = (*lane).min(new);
    }
}

#[inline]
fn highest(mask: u16) -> usize {
    (15 - (mask | 1).leading_zeros()) as usize
}

/// How many cells [`Table::fill`] looks at for these parts: what it is charged for.
#[must_use]
pub fn steps(cards: usize, parts: &[Part]) -> u64 {
    let looks = |part: &Part| 1u64 << (highest(part.mask) + 1 - part.mask.count_ones() as usize);
    (1u64 << cards) / 4 + parts.iter().map(looks).sum::<u64>()
}

#[cfg(test)]
mod tests;
