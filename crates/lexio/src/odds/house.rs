//! Full houses and fours in one hand, by rank-count polynomials.
//!
//! A hand of n >= 5 tiles holds neither a full house with a triple above rank r nor four of a
//! number exactly when no rank has four and either
//! - no rank above r has three (ranks up to r have 0 to 3, ranks above it 0 to 2), or
//! - exactly one rank above r has three and every other rank has at most one.
//!
//! With u_k tiles of rank k unseen, the first kind is the coefficient of t^n in
//! prod_{k <= r} (1 + u t + C(u,2) t^2 + C(u,3) t^3) prod_{k > r} (1 + u t + C(u,2) t^2), the second
//! sum_{k > r} C(u_k,3) [t^(n-3)] prod_{j != k} (1 + u_j t).

use super::unseen::{MAX_HAND, Poly, UNIT, Unseen, coefficient};
use crate::tile::RANKS;

const CELLS: usize = RANKS as usize + 1;

/// Counts of hands without a beating full house or four.
#[derive(Clone, Debug)]
pub(super) struct House {
    /// `upto[k]`: ranks below k, 0 to 3 of each.
    upto: [Poly; CELLS],
    /// `from[k]`: ranks k and above, 0 to 2 of each.
    from: [Poly; CELLS],
    /// prod (1 + u t) without one rank that has three unseen, and without one that has four.
    singles_without: [Poly; 2],
    /// Ranks k and above with three unseen, and with four.
    triples: [[u64; 2]; CELLS],
}

impl Default for House {
    fn default() -> Self {
        Self {
            upto: [[0; MAX_HAND + 1]; CELLS],
            from: [[0; MAX_HAND + 1]; CELLS],
            singles_without: [[0; MAX_HAND + 1]; 2],
            triples: [[0; 2]; CELLS],
        }
    }
}

/// C(u, 2) and C(u, 3) for u up to 4.
pub(super) const PAIRS: [u64; 5] = [0, 0, 1, 3, 6];
pub(super) const TRIPLES: [u64; 5] = [0, 0, 0, 1, 4];

impl House {
    pub(super) fn fill(&mut self, unseen: &Unseen) {
        let top = unseen.largest();
        let ranks = usize::from(RANKS);
        self.upto[0] = UNIT;
        for rank in 0..ranks {
            let u = usize::from(unseen.by_rank[rank]);
            let (one, two, three) = (u as u64, PAIRS[u], TRIPLES[u]);
            let old = &self.upto[rank];
            let mut new = *old;
            for n in 1..=top {
                new[n] += one * old[n - 1];
                if n > 1 {
                    new[n] += two * old[n - 2];
                }
                if n > 2 {
                    new[n] += three * old[n - 3];
                }
            }
            self.upto[rank + 1] = new;
        }
        let mut singles = UNIT;
        self.from[ranks] = UNIT;
        self.triples[ranks] = [0, 0];
        for rank in (0..ranks).rev() {
            let u = usize::from(unseen.by_rank[rank]);
            let (one, two) = (u as u64, PAIRS[u]);
            let old = &self.from[rank + 1];
            let mut new = *old;
            for n in 1..=top {
                new[n] += one * old[n - 1];
                if n > 1 {
                    new[n] += two * old[n - 2];
                }
            }
            self.from[rank] = new;
            for n in (1..=top).rev() {
                singles[n] += one * singles[n - 1];
            }
            let mut triples = self.triples[rank + 1];
            if u >= 3 {
                triples[u - 3] += 1;
            }
            self.triples[rank] = triples;
        }
        // Division by (1 + u t): q_n = e_n - u q_(n-1).
        for (u, quotient) in [3, 4].into_iter().zip(&mut self.singles_without) {
            if self.triples[0][u as usize - 3] == 0 {
                *quotient = [0; MAX_HAND + 1];
                continue;
            }
            let mut before = 0;
            for (q, e) in quotient.iter_mut().zip(singles).take(top + 1) {
                *q = e - u * before;
                before = *q;
            }
        }
    }

    /// Hands of n >= 5 tiles without four of a number and without a full house whose triple is of
    /// rank `first` or above.
    #[inline]
    pub(super) fn without(&self, first: usize, n: usize) -> u64 {
        coefficient(&self.upto[first], &self.from[first], n) + self.one_triple(first, n)
    }

    /// Hands with exactly one triple, of rank `first` or above, and else only single tiles.
    #[inline]
    pub(super) fn one_triple(&self, first: usize, n: usize) -> u64 {
        let [threes, fours] = self.triples[first];
        threes * self.singles_without[0][n - 3] + 4 * fours * self.singles_without[1][n - 3]
    }

    /// Hands with at most two of every rank.
    #[inline]
    pub(super) fn at_most_two(&self, n: usize) -> u64 {
        self.from[0][n]
    }
}
