//! Pairs and triples over all hands at once. Which ranks beat does not matter, only how many of
//! them have 2, 3 or 4 tiles unseen.
//!
//! **Pairs, exactly.** Nobody holds two of a number: the u tiles of each such rank fall on u
//! different hands. Deal hand by hand. With h hands to come, a rank with h tiles left must give
//! one to the next hand; a rank with fewer gives one or none; a rank with one tile left is free.
//! - Two hands to come, H ranks with two tiles: 2^H C(N - 2H, n - H) / C(N, n).
//! - Three hands, F ranks with three tiles and g with two: the next hand takes one of each of the F
//!   (3^F ways) and of i of the g (C(g, i) 2^i ways), the rest from the free tiles; F + g - i ranks
//!   with two tiles and two hands remain.
//! - Four hands, likewise, with ranks of four, three and two tiles.
//!
//! A rank with more tiles than hands makes it certain that somebody holds two.
//!
//! **Triples, nearly.** With q_r the chance that nobody holds three of rank r and q_rs that of two
//! ranks at once, both exact, the chance for all is taken as prod q_r prod_{r<s} q_rs / (q_r q_s):
//! exact for one and for two ranks.

use super::unseen::{CHOOSE, ONE, Unseen, choose, fraction, times};
use crate::tile::RANKS;

const CELLS: usize = RANKS as usize + 1;
/// Chances within the sums for pairs have 24 bits: times a count of hands (below 2^38) they fit.
const BITS: u32 = 24;
/// More ranks than this with two or more unseen make a pair as good as certain.
const MOST: usize = 13;

/// How many ranks have 2, 3 and 4 tiles unseen.
type Counts = [usize; 3];

/// Chances for pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// Each hand, largest last, and the tiles before it is dealt.
    hands: [usize; 4],
    before: [usize; 4],
    seats: usize,
    /// `from[k]`: counts for ranks k and above.
    from: [Counts; CELLS],
    /// Answers by rank, without and with one given pair more.
    known: [[Option<u64>; 2]; CELLS],
}

fn counts_from(unseen: &Unseen) -> [Counts; CELLS] {
    let mut out = [[0; 3]; CELLS];
    for rank in (0..usize::from(RANKS)).rev() {
        out[rank] = out[rank + 1];
        let u = usize::from(unseen.by_rank[rank]);
        if u >= 2 {
            out[rank][u - 2] += 1;
        }
    }
    out
}

impl Pairs {
    pub(super) fn fill(&mut self, unseen: &Unseen) {
        self.known = [[None; 2]; CELLS];
        self.from = counts_from(unseen);
        self.hands = [0; 4];
        self.seats = 0;
        // Small hands first: they have the fewest ways.
        for size in unseen.sizes().iter().rev() {
            for _ in 0..size.seats {
                if size.tiles > 0 && self.seats < 4 {
                    self.hands[self.seats] = usize::from(size.tiles);
                    self.seats += 1;
                }
            }
        }
        let mut left = usize::from(unseen.total);
        for (before, n) in self.before.iter_mut().zip(self.hands) {
            *before = left;
            left = left.saturating_sub(n);
        }
    }

    /// Chance that nobody holds a pair of rank `rank` or above, nor, when `given`, one certain
    /// pair of tiles of a rank below.
    pub(super) fn none(&mut self, rank: usize, given: bool) -> u64 {
        let cell = &mut self.known[rank][usize::from(given)];
        if let Some(known) = *cell {
            return known;
        }
        let mut counts = self.from[rank];
        counts[0] += usize::from(given);
        let none = self.chance(counts);
        self.known[rank][usize::from(given)] = Some(none);
        none
    }

    fn chance(&self, [two, three, four]: Counts) -> u64 {
        if two + three + four > MOST {
            return 0;
        }
        let none = match self.seats {
            0 => 1 << BITS,
            1 => u64::from(two + three + four == 0) << BITS,
            2 if three + four > 0 => 0,
            2 => self.two_hands(0, two),
            3 if four > 0 => 0,
            3 => self.three_hands(0, three, two),
            _ => self.four_hands(four, three, two),
        };
        none << (30 - BITS)
    }

    /// Ways to fill hand `hand` up from the free tiles, having taken `taken` of the bound ones.
    #[inline]
    fn fill_up(&self, hand: usize, bound: usize, taken: usize) -> u64 {
        let free = self.before[hand].saturating_sub(bound);
        match self.hands[hand].checked_sub(taken) {
            Some(more) if bound <= self.before[hand] => choose(free as u8, more),
            _ => 0,
        }
    }

    fn all(&self, hand: usize) -> u64 {
        CHOOSE[self.before[hand]][self.hands[hand]].max(1)
    }

    /// Hands `hand` and the one after it.
    fn two_hands(&self, hand: usize, two: usize) -> u64 {
        (((1 << two) * self.fill_up(hand, 2 * two, two)) << BITS) / self.all(hand)
    }

    fn three_hands(&self, hand: usize, three: usize, two: usize) -> u64 {
        let mut sum = 0;
        for i in 0..=two {
            let ways = self.fill_up(hand, 3 * three + 2 * two, three + i);
            if ways > 0 {
                let ways = ways * 3u64.pow(three as u32) * (choose(two as u8, i) << i);
                sum += ways * self.two_hands(hand + 1, three + two - i);
            }
        }
        sum / self.all(hand)
    }

    fn four_hands(&self, four: usize, three: usize, two: usize) -> u64 {
        let mut sum = 0;
        let bound = 4 * four + 3 * three + 2 * two;
        for j in 0..=three {
            for i in 0..=two {
                let ways = self.fill_up(0, bound, four + j + i);
                if ways > 0 {
                    let ways = (ways << (2 * four))
                        * (choose(three as u8, j) * 3u64.pow(j as u32))
                        * (choose(two as u8, i) << i);
                    sum += ways * self.three_hands(1, four + three - j, j + two - i);
                }
            }
        }
        sum / self.all(0)
    }
}

/// Chances for triples.
#[derive(Clone, Debug, Default)]
pub(super) struct Triples {
    /// `none[k]`: nobody holds three of a rank k or above.
    none: [u64; CELLS],
}

/// n (n - 1) .. over k factors.
fn falling(n: u64, k: u64) -> u64 {
    (0..k).map(|i| n.saturating_sub(i)).product()
}

impl Triples {
    pub(super) fn fill(&mut self, unseen: &Unseen) {
        let total = u64::from(unseen.total);
        let mut hands = [0u64; 5];
        let mut seats = 0;
        for size in unseen.sizes() {
            for _ in 0..size.seats {
                hands[seats] = u64::from(size.tiles);
                seats += 1;
            }
        }
        let hands = &hands[..seats];
        if let &[n, m] = hands
            && n + m == total
        {
            return self.fill_two(unseen, n as usize);
        }
        let chance = |ways: u64, tiles: u64| {
            let all = u128::from(falling(total, tiles)).max(1);
            (((u128::from(ways)) << 30) / all) as u64
        };
        // Somebody holds three of one rank with 3 unseen, with 4 unseen.
        let three: u64 = hands.iter().map(|&n| falling(n, 3)).sum();
        let four: u64 = hands
            .iter()
            .map(|&n| 4 * falling(n, 3) * (total - n) + falling(n, 4))
            .sum();
        let bad = [chance(three, 3), chance(four, 4)];
        // Two ranks at once.
        let (mut both_33, mut both_34, mut both_44) = (0, 0, 0);
        for (i, &n) in hands.iter().enumerate() {
            let out = total - n;
            both_33 += falling(n, 6);
            both_34 += 4 * falling(n, 6) * out + falling(n, 7);
            both_44 +=
                16 * falling(n, 6) * falling(out, 2) + 8 * falling(n, 7) * out + falling(n, 8);
            for (j, &m) in hands.iter().enumerate() {
                if i == j || n < 3 || m < 3 {
                    continue;
                }
                // Three in this hand, three in that one; further tiles fall where they do not
                // join their own three, or do.
                let both = falling(n, 3) * falling(m, 3);
                both_33 += both;
                both_34 += 4 * both * (total - m - 3) + falling(n, 3) * falling(m, 4);
                let others = total - n - m;
                let apart =
                    (m - 3) * (n - 3 + others) + others * (n - 3 + others.saturating_sub(1));
                both_44 += 16 * both * apart
                    + 4 * falling(n, 4) * falling(m, 3) * (total - m).saturating_sub(4)
                    + 4 * falling(n, 3) * falling(m, 4) * (total - n).saturating_sub(4)
                    + falling(n, 4) * falling(m, 4);
            }
        }
        let both = [chance(both_33, 6), chance(both_34, 7), chance(both_44, 8)];
        let alone = bad.map(|p| ONE - p.min(ONE));
        let tie = |a: usize, b: usize| {
            let joint = (ONE + both[a + b]).saturating_sub(bad[a] + bad[b]);
            let apart = times(alone[a], alone[b]).max(1);
            (joint << 30) / apart
        };
        let ties = [tie(0, 0), tie(0, 1), tie(1, 1)];
        let counts = counts_from(unseen);
        self.none[CELLS - 1] = ONE;
        for rank in (0..usize::from(RANKS)).rev() {
            let u = usize::from(unseen.by_rank[rank]);
            let mut none = self.none[rank + 1];
            if u >= 3 {
                let kind = u - 3;
                none = times(none, alone[kind]);
                for (other, &ranks) in counts[rank + 1][1..].iter().enumerate() {
                    for _ in 0..ranks {
                        none = times(none, ties[kind + other]);
                    }
                }
            }
            self.none[rank] = none.min(ONE);
        }
    }

    /// With just two hands nobody holds three of a rank when three tiles fall two and one, and four
    /// two and two: with k and l such ranks
    /// in 3^k 6^l C(N - 2k - 4l, n - k - 2l) ways (each of the k gives one tile to either hand and
    /// its third to any).
    fn fill_two(&mut self, unseen: &Unseen, n: usize) {
        let total = usize::from(unseen.total);
        let (mut threes, mut fours) = (0, 0);
        self.none[CELLS - 1] = ONE;
        for rank in (0..usize::from(RANKS)).rev() {
            match unseen.by_rank[rank] {
                3 => threes += 1,
                4 => fours += 1,
                _ => {}
            }
            let bound = 2 * threes + 4 * fours;
            let ways = match n.checked_sub(threes + 2 * fours) {
                Some(more) if bound <= total => choose((total - bound) as u8, more),
                _ => 0,
            };
            // At most nine ranks: the ways are among C(N, n).
            let ways = ways * 3u64.pow(threes as u32) * 6u64.pow(fours as u32);
            self.none[rank] = fraction(ways, CHOOSE[total][n]);
        }
    }

    /// Chance that nobody holds three of rank `rank` or above.
    pub(super) fn none_from(&self, rank: usize) -> u64 {
        self.none[rank]
    }
}
