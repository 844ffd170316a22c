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

use super::count::{CHOOSE, DRAWN, share};
use crate::card::{NATURALS, RANKS, rank_cards, strength};
use evenhand_contract::Cards;

type Poly = [u64; DRAWN + 1];

/// Draws that keep every one of the strongest ranks below a number of naturals, for one pool, known
/// cards and order of strength.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    pool: Cards,
    known: Cards,
    revolution: bool,
    /// `below[t - 1][s]`: draws from the ranks of strength s and above that give each of them fewer
    /// than t naturals, by number of cards. Counted when first asked for.
    below: [[Poly; RANKS as usize + 1]; 4],
    counted: [bool; 4],
}

impl Sets {
    /// Makes it speak of this pool, known cards and order.
    pub fn turn_to(&mut self, pool: Cards, known: Cards, revolution: bool) {
        if (self.pool, self.known, self.revolution) != (pool, known, revolution) {
            (self.pool, self.known, self.revolution) = (pool, known, revolution);
            self.counted = [false; 4];
        }
    }

    /// The chance, of [`ONE`], that a hand with `drawn` of the pool's naturals and so many jokers has
    /// no set of `size` cards that is stronger than strength `above`; [`RANKS`] is that of jokers
    /// alone.
    pub fn none(
        &mut self,
        size: u8,
        above: u8,
        naturals: usize,
        drawn: usize,
        jokers: usize,
    ) -> u64 {
        let size = usize::from(size);
        if size <= 2 && jokers >= size && above < RANKS {
            return 0;
        }
        let target = size.saturating_sub(jokers).max(1);
        share(
            self.without(target, above, naturals, drawn),
            CHOOSE[naturals][drawn],
        )
    }

    /// Draws of `drawn` naturals that keep every rank above below `target` naturals.
    fn without(&mut self, target: usize, above: u8, naturals: usize, drawn: usize) -> u64 {
        if target > 4 || above + 1 >= RANKS {
            return CHOOSE[naturals][drawn];
        }
        let from = above + 1;
        if target == 1 {
            // No card of those ranks at all.
            let strong = strong_cards(from, self.revolution);
            if self.known.meets(strong) {
                return 0;
            }
            return CHOOSE[naturals - (self.pool & strong).len() as usize][drawn];
        }
        if !self.counted[target - 1] {
            self.count(target);
        }
        let others = naturals - (self.pool & strong_cards(from, self.revolution)).len() as usize;
        let counts = &self.below[target - 1][usize::from(from)];
        (0..=drawn)
            .map(|k| counts[k] * CHOOSE[others][drawn - k])
            .sum()
    }

    fn count(&mut self, target: usize) {
        let below = &mut self.below[target - 1];
        *below = [[0; DRAWN + 1]; RANKS as usize + 1];
        below[usize::from(RANKS)][0] = 1;
        for s in (0..RANKS).rev() {
            let rank = rank_cards(strength(s, self.revolution));
            let unseen = (self.pool & rank).len() as usize;
            let has = (self.known & rank).len() as usize;
            let after = below[usize::from(s) + 1];
            let cell = &mut below[usize::from(s)];
            for drawn in 0..target.saturating_sub(has).min(unseen + 1) {
                let ways = CHOOSE[unseen][drawn];
                for k in drawn..=DRAWN {
                    cell[k] += ways * after[k - drawn];
                }
            }
        }
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
