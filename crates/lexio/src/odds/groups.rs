//! Pairs and triples: chances that no hand holds two (three) of a number, rank by rank.
//!
//! Ranks are taken from the top down. The u unseen tiles of a rank fall on hands with capacities
//! c_i (sum T): all into different hands with chance u! e_u(c) / (T)_u, where e_u is the elementary
//! symmetric sum and (T)_u the falling factorial; no three of u = 3 together with chance
//! 1 - sum (c_i)_3 / (T)_3, of u = 4 with 1 - sum [4 (c_i)_3 (T - c_i) + (c_i)_4] / (T)_4.
//! The next rank sees each capacity reduced by the tiles that the hand is expected to hold of this
//! rank, given that it went well. That is exact where this number is certain (three players' pairs;
//! u equal to the number of hands) and for the first rank; else nearly.

use super::unseen::{ONE, Unseen, times};
use crate::tile::RANKS;

const CELLS: usize = RANKS as usize + 1;
/// Capacities are fixed-point numbers of 10 bits.
const BITS: u32 = 10;
/// Below this chance the rest is taken as certain: 2^-20, one millionth.
const NEGLIGIBLE: u64 = ONE >> 20;

/// The state after all ranks above a given one.
#[derive(Clone, Copy, Debug, Default)]
struct Stage {
    /// Chance that no hand holds a group of those ranks.
    none: u64,
    /// What is left of each hand.
    capacities: [u64; 4],
}

/// Chances for one group size.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// `above[k]`: after ranks k and above.
    above: [Stage; CELLS],
}

/// The opponents' hands in fixed point, and how many there are.
fn capacities(unseen: &Unseen) -> ([u64; 4], usize) {
    let mut out = [0; 4];
    let mut seats = 0;
    for size in unseen.sizes() {
        for _ in 0..size.seats.min(4) {
            if seats < 4 {
                out[seats] = u64::from(size.tiles) << BITS;
                seats += 1;
            }
        }
    }
    (out, seats)
}

/// part / whole in 30 bits.
fn ratio(part: u128, whole: u128) -> u64 {
    if whole == 0 {
        return 0;
    }
    (((part << 30) / whole) as u64).min(ONE)
}

/// c (c - 1) .. over k factors, in fixed point of k times [`BITS`]; 0 when c is below k - 1.
fn falling(c: u64, k: u64) -> u128 {
    let mut out = 1u128;
    for i in 0..k {
        out *= u128::from(c.saturating_sub(i << BITS));
    }
    out
}

impl Groups {
    /// Chances for groups of `size` 2 or 3.
    pub(super) fn fill(&mut self, unseen: &Unseen, size: u64) {
        let (capacities, seats) = capacities(unseen);
        let mut stage = Stage {
            none: ONE,
            capacities,
        };
        self.above[CELLS - 1] = stage;
        for rank in (0..usize::from(RANKS)).rev() {
            let u = u64::from(unseen.by_rank[rank]);
            if u > 0 && stage.none > 0 {
                stage = if size == 2 {
                    stage.after_pairs(u as usize, seats)
                } else {
                    stage.after_triples(u, seats)
                };
                if stage.none < NEGLIGIBLE {
                    stage.none = 0;
                }
            }
            self.above[rank] = stage;
        }
    }

    /// Chance that no hand holds a group of rank `rank` or above.
    pub(super) fn none_from(&self, rank: usize) -> u64 {
        self.above[rank].none
    }

    /// The same for ranks above `rank`, and that `pairs` (0 or 1) given pairs of this rank are in
    /// no hand either.
    pub(super) fn none_above_nor_pair(&self, rank: usize, pairs: u64) -> u64 {
        let stage = &self.above[rank + 1];
        if pairs == 0 || stage.none == 0 {
            return stage.none;
        }
        let total: u64 = stage.capacities.iter().sum();
        let together: u128 = stage.capacities.iter().map(|&c| falling(c, 2)).sum();
        times(stage.none, ONE - ratio(together, falling(total, 2)))
    }
}

impl Stage {
    fn after_pairs(self, u: usize, seats: usize) -> Self {
        let c = &self.capacities[..seats];
        if u == 1 {
            return self.spread(1, |i| (u128::from(c[i]), u128::from(c.iter().sum::<u64>())));
        }
        // e_k over all hands, and over all but one.
        let elementary = |skip: usize| {
            let mut e = [1u128, 0, 0, 0, 0];
            for (i, &c) in c.iter().enumerate() {
                if i != skip {
                    for k in (1..=4).rev() {
                        e[k] += e[k - 1] * u128::from(c);
                    }
                }
            }
            e
        };
        let all = elementary(usize::MAX)[u];
        if all == 0 {
            return Self { none: 0, ..self };
        }
        let total: u64 = c.iter().sum();
        let orders = [1, 1, 2, 6, 24][u];
        let chance = ratio(orders * all, falling(total, u as u64));
        let mut out = self.spread(u as u64, |i| (u128::from(c[i]) * elementary(i)[u - 1], all));
        out.none = times(self.none, chance);
        out
    }

    fn after_triples(self, u: u64, seats: usize) -> Self {
        let c = &self.capacities[..seats];
        let total: u64 = c.iter().sum();
        let mut out = self.spread(1, |i| (u128::from(u) * u128::from(c[i]), u128::from(total)));
        let bad: u128 = match u {
            3 => c.iter().map(|&c| falling(c, 3)).sum(),
            4 => c
                .iter()
                .map(|&c| 4 * falling(c, 3) * u128::from(total - c) + falling(c, 4))
                .sum(),
            _ => return out,
        };
        out.none = times(self.none, ONE - ratio(bad, falling(total, u)));
        out
    }

    /// Takes from each hand its expected number of tiles, part / whole.
    fn spread(self, _u: u64, expected: impl Fn(usize) -> (u128, u128)) -> Self {
        let mut out = self;
        for (i, c) in out.capacities.iter_mut().enumerate() {
            if self.capacities[i] == 0 {
                continue;
            }
            let (part, whole) = expected(i);
            let tiles = if whole == 0 {
                0
            } else {
                ((part << BITS) + whole / 2) / whole
            };
            *c = c.saturating_sub(tiles as u64);
        }
        out
    }
}
