//! Sets: how many hands hold none that is stronger, counted exactly.
//!
//! A hand is `known` cards and more that are drawn from a pool. With j jokers in it, a stronger set
//! of `size` cards needs t = max(1, size - j) naturals of one of the stronger ranks; jokers alone are
//! stronger as well, where they are just as many. Draws of m naturals without any are
//!
//! ```text
//! [x^m] prod over stronger ranks r of sum_{c + k_r < t} C(u_r, c) x^c  x  (1 + x)^w
//! ```
//!
//! with u_r and k_r the pool's and the known naturals of rank r, and w the pool's other naturals.
//!
//! Where some hand is known to hold `taken` of the pool's `low` cards and nothing else of it, a low
//! card is less likely to be there than another, by the factor 1 - taken / low. Each draw then
//! counts with this factor to the power of its low cards: the mean number of them comes out right.

use super::Holder;
use super::count::{CHOOSE, DRAWN, ONE, share};
use crate::beater::{RankCounts, stronger};
use crate::card::{NATURALS, RANKS, rank_cards, strength};
use evenhand_contract::Cards;

type Poly = [u64; DRAWN + 1];

/// One draw, where draws are weighed.
const DRAW: u32 = 14;
/// The bits of a factor.
const FACTOR: u32 = 20;

/// Draws that keep every one of the strongest ranks below a number of naturals, for one holder and
/// order of strength.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    pool: Cards,
    known: Cards,
    /// Cards that are less likely to be there; none where all are alike.
    low: Cards,
    /// Powers of their factor.
    factors: [u64; DRAWN + 1],
    revolution: bool,
    /// `below[t - 1][s]`: draws from the ranks of strength s and above that give each of them fewer
    /// than t naturals, by number of cards. Counted when first asked for.
    below: [[Poly; RANKS as usize + 1]; 4],
    counted: [bool; 4],
}

impl Sets {
    /// Makes it speak of this holder and order.
    pub(super) fn turn_to(&mut self, holder: &Holder, revolution: bool) {
        self.pool = holder.pool & NATURALS;
        self.known = holder.known;
        self.revolution = revolution;
        self.counted = [false; 4];
        self.low = holder.less_likely();
        if !self.low.is_empty() {
            let factor = holder.factor() >> (30 - FACTOR);
            self.factors[0] = 1 << FACTOR;
            for power in 1..=DRAWN {
                self.factors[power] = (self.factors[power - 1] * factor) >> FACTOR;
            }
        }
    }

    /// Draws of `drawn` of these naturals; weighed, and in units of 2^-DRAW, where some are less
    /// likely.
    #[inline]
    fn draws(&self, of: Cards, drawn: usize) -> u64 {
        if self.low.is_empty() {
            return CHOOSE[of.len() as usize][drawn];
        }
        let low = (of & self.low).len() as usize;
        let high = of.len() as usize - low;
        let of_low = drawn.saturating_sub(high)..=drawn.min(low);
        of_low
            .map(|k| {
                let ways = CHOOSE[high][drawn - k] * CHOOSE[low][k];
                (ways * self.factors[k]) >> (FACTOR - DRAW)
            })
            .sum()
    }

    /// The product of two numbers of draws.
    #[inline]
    fn both(&self, a: u64, b: u64) -> u64 {
        match self.low.is_empty() {
            true => a * b,
            false => (a * b) >> DRAW,
        }
    }

    /// The chance, of [`ONE`], that a hand with `drawn` of the pool's naturals and so many jokers has
    /// no set of `size` cards that is stronger than strength `above`; [`RANKS`] is that of jokers
    /// alone.
    pub(super) fn none(&mut self, size: u8, above: u8, drawn: usize, jokers: usize) -> u64 {
        let size = usize::from(size);
        if size <= 2 && jokers >= size && above < RANKS {
            return 0;
        }
        let target = size.saturating_sub(jokers).max(1);
        let enough = RankCounts::of(self.pool | self.known).at_least(target as u32);
        // Strengths as ranks: the same both ways round.
        let stronger = stronger(
            strength(above.min(RANKS - 1), self.revolution),
            self.revolution,
        );
        if above >= RANKS || enough & stronger == 0 {
            return ONE;
        }
        share(
            self.without(target, above, drawn),
            self.draws(self.pool, drawn),
        )
    }

    /// Draws of `drawn` naturals that keep every rank above below `target` naturals.
    fn without(&mut self, target: usize, above: u8, drawn: usize) -> u64 {
        if target > 4 || above + 1 >= RANKS {
            return self.draws(self.pool, drawn);
        }
        let from = above + 1;
        let strong = strong_cards(from, self.revolution);
        let others = self.pool - strong;
        if target == 1 {
            // No card of those ranks at all.
            return match self.known.meets(strong) {
                true => 0,
                false => self.draws(others, drawn),
            };
        }
        if !self.counted[target - 1] {
            self.count(target);
        }
        let counts = &self.below[target - 1][usize::from(from)];
        (0..=drawn)
            .filter(|&k| counts[k] > 0)
            .map(|k| self.both(counts[k], self.draws(others, drawn - k)))
            .sum()
    }

    fn count(&mut self, target: usize) {
        let mut below = [[0; DRAWN + 1]; RANKS as usize + 1];
        below[usize::from(RANKS)][0] = self.draws(Cards::EMPTY, 0);
        for s in (0..RANKS).rev() {
            let rank = rank_cards(strength(s, self.revolution));
            let unseen = self.pool & rank;
            let has = (self.known & rank).len() as usize;
            let after = below[usize::from(s) + 1];
            let cell = &mut below[usize::from(s)];
            for drawn in 0..target.saturating_sub(has).min(unseen.len() as usize + 1) {
                let ways = self.draws(unseen, drawn);
                for k in drawn..=DRAWN {
                    cell[k] += self.both(ways, after[k - drawn]);
                }
            }
        }
        self.below[target - 1] = below;
        self.counted[target - 1] = true;
    }
}

/// The naturals of a strength and above.
#[inline]
fn strong_cards(from: u8, revolution: bool) -> Cards {
    if revolution {
        // Strength s is rank 12 - s.
        Cards((1 << (4 * (RANKS - from))) - 1)
    } else {
        NATURALS - Cards((1 << (4 * from)) - 1)
    }
}
