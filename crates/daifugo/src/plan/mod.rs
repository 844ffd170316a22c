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

/// The cheapest plan for every subset of a hand.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// `open` for even and odd parity, then `done` in the normal order and in a revolution.
    lanes: [Vec<i16>; 4],
    sorted: Vec<Part>,
    /// The one order whose `done` is filled, where no play of the hand turns it.
    only: Option<bool>,
}

impl Table {
    /// Fills the table for a hand of `cards` cards; `last` is what the last play costs. Where no
    /// part turns the order, only plans of the order `revolution` are made.
    ///
    /// The steps that it takes are bounded by [`steps`].
    ///
    /// With `twin` the two highest cards of the hand may stand for each other in every play (its two
    /// jokers). Subsets that hold the higher of them without the lower are then left out: ask for
    /// their image instead.
    pub fn fill(&mut self, cards: usize, last: i16, twin: bool, revolution: bool, parts: &[Part]) {
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
        self.only = (!parts.iter().any(|part| part.turns)).then_some(revolution);
        let used = match self.only {
            None => [true; 4],
            Some(revolution) => [true, false, !revolution, revolution],
        };
        for (lane, used) in self.lanes.iter_mut().zip(used) {
            lane.clear();
            if used {
                lane.resize(1 << cards, NO_FINISH);
            }
        }
        self.lanes[0][0] = 0;
        let [even, odd, up, down] = &mut self.lanes;
        for b in 0..cards {
            let half = 1usize << b;
            let needed = if twin && b + 1 == cards { half >> 1 } else { 0 };
            for part in &self.sorted[starts[b]..starts[b + 1]] {
                let at = At {
                    half,
                    others: usize::from(part.mask) ^ half,
                    needed,
                };
                let [normal, turned] = part.ends;
                match self.only {
                    Some(revolution) => {
                        let done = if revolution { &mut *down } else { &mut *up };
                        at.lower(done, part.price);
                        if part.ends[usize::from(revolution)] {
                            at.lower_from(even, done, last);
                        }
                        at.lower(even, part.price);
                    }
                    None => {
                        // From even parity the order at the start is the one at the end.
                        if normal {
                            at.lower_from(even, up, last);
                            at.lower_from(odd, down, last);
                        }
                        if turned {
                            at.lower_from(even, down, last);
                            at.lower_from(odd, up, last);
                        }
                        if part.turns {
                            at.swap_lower(even, odd, part.price);
                            at.swap_lower(up, down, part.price);
                        } else {
                            at.lower(even, part.price);
                            at.lower(odd, part.price);
                            at.lower(up, part.price);
                            at.lower(down, part.price);
                        }
                    }
                }
            }
        }
    }

    /// The least price of emptying the subset of this mask with a normal finish, where the order of
    /// strength is the given one before the first play; [`NO_FINISH`] when there is no way, or when
    /// the table was not filled for that order.
    ///
    /// For the empty subset it is [`NO_FINISH`]: whether the play that emptied the hand was a
    /// normal finish is for the caller to know.
    ///
    /// # Panics
    /// When the mask has bits beyond the hand.
    #[inline]
    #[must_use]
    pub fn finish(&self, mask: u16, revolution: bool) -> i16 {
        if self.only.is_some_and(|only| only != revolution) {
            return NO_FINISH;
        }
        self.lanes[2 + usize::from(revolution)][usize::from(mask)].min(NO_FINISH)
    }

    /// The least price of emptying the subset in any way, every play paid for.
    ///
    /// # Panics
    /// When the mask has bits beyond the hand.
    #[inline]
    #[must_use]
    pub fn plain(&self, mask: u16) -> i16 {
        let even = self.lanes[0][usize::from(mask)];
        match self.only {
            Some(_) => even,
            None => even.min(self.lanes[1][usize::from(mask)]),
        }
    }
}

/// The cells whose subset holds a part with its highest card, and what else they must hold.
#[derive(Clone, Copy)]
struct At {
    half: usize,
    others: usize,
    needed: usize,
}

impl At {
    /// Calls with the start, the distance down to the cells without the part, and the length of
    /// each run of such cells.
    #[inline(always)]
    fn runs(self, mut run: impl FnMut(usize, usize)) {
        let fixed = self.others | self.needed;
        let length = match fixed {
            0 => self.half,
            _ => 1 << fixed.trailing_zeros(),
        };
        let mut at = fixed;
        while at < self.half {
            run(at, length);
            at = (at + length) | fixed;
        }
    }

    /// `lane[S] = min(lane[S], lane[S - part] + price)`.
    #[inline]
    fn lower(self, lane: &mut [i16], price: i16) {
        let (below, block) = lane[..2 * self.half].split_at_mut(self.half);
        self.runs(|at, length| {
            let without = at ^ self.others;
            lower(
                &mut block[at..at + length],
                &below[without..without + length],
                price,
            );
        });
    }

    /// `to[S] = min(to[S], from[S - part] + price)`.
    #[inline]
    fn lower_from(self, from: &[i16], to: &mut [i16], price: i16) {
        let (below, block) = (&from[..self.half], &mut to[self.half..2 * self.half]);
        self.runs(|at, length| {
            let without = at ^ self.others;
            lower(
                &mut block[at..at + length],
                &below[without..without + length],
                price,
            );
        });
    }

    /// Lowers each of two lanes by the other one's cells without the part.
    #[inline]
    fn swap_lower(self, one: &mut [i16], other: &mut [i16], price: i16) {
        self.lower_from(one, other, price);
        self.lower_from(other, one, price);
    }
}

#[inline(always)]
fn lower(cells: &mut [i16], rest: &[i16], price: i16) {
    if let ([cell], [rest]) = (&mut *cells, rest) {
        *cell = (*cell).min(rest + price);
        return;
    }
    for (cell, rest) in cells.iter_mut().zip(rest) {
        *cell = (*cell).min(rest + price);
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
