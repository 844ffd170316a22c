//! Straights in one hand: counts of hands that have at most two (or at most one) of every rank and
//! no run from a given place in the order up.
//!
//! In the order of numbers 1, 2, .., M, 1 (and 2 once more under `top_run=wrap12`) every legal run
//! is a window of five. Presence of the numbers 1 and 2 is fixed first, which opens the circle; the
//! rest is a walk over the numbers 3 .. M with counting polynomials:
//! - backwards, with the present stretch at the low end (0 to 4) as state, for windows that start
//!   at 3 or later: `suffix(s)` forbids all windows that start at s or later;
//! - forwards, where all that counts is whether every number from 3 on is present so far, for the
//!   windows that start at 2 and at 1.
//!
//! The order of strength is windows 3, 4, .., M-3, then 2, then 1 (then M-2 under `wrap12`), so the
//! runs from any place in the order up are windows s .. with 1 and 2, or fewer. Either walk goes
//! only as far as it has been asked for.
//!
//! With 2 present, a stretch of L = 4 from 3 on completes window 2; with 1 and 2 present one of
//! L = 3 completes window 1. Where up to place p all is free, the ways are w P(p), w being the ways
//! to hold 1 and 2 so and P(p) the product of all ranks' choices; those with a stretch of min(p, L)
//! from 3 on are w D_L(p), of which the ones with p < L may still end in time, by `in_time`.

use super::house::{House, PAIRS};
use super::unseen::{MAX_HAND, Poly, UNIT, Unseen, coefficient};
use crate::rules::TopRun;
use crate::tile::{highest_number, rank_of_number};

/// Orders 0 to 12 and one above all.
const PLACES: usize = 14;
const ZERO: Poly = [0; MAX_HAND + 1];

/// By size of hand: hands with at most two of each rank and no run of some order or above; and
/// hands of n - 2 tiles with at most one of each rank and no such run.
pub(super) type Without = [[u64; 2]; 4];

/// Counts per order and hand size.
#[derive(Clone, Debug, Default)]
pub(super) struct Straight {
    /// Up to two of each rank; one.
    walks: [Walk; 2],
    without: [Option<Without>; PLACES + 2],
    after_another: [Option<u64>; PLACES + 2],
}

/// Numbers 3 .. M as places 0 .. M-3 of the walk; the place M-2 lies behind the last.
#[derive(Clone, Debug)]
struct Walk {
    places: usize,
    /// By place.
    present: [Present; PLACES],
    /// Ways to hold the number 1, the number 2, both.
    weights: [Poly; 3],
    /// By length of the stretch that the numbers after M continue: ways by the stretch at the
    /// lowest place reached, and totals from each place reached.
    stretches: [[Poly; 5]; 3],
    suffix: [[Poly; PLACES]; 3],
    low: usize,
    /// By place reached: P, D_3, D_4.
    prefix: [[Poly; 3]; PLACES],
    high: usize,
}

/// Ways in which a rank is present: by one tile, and by two.
type Present = (u64, u64);

/// Adds ways times presence onto `out`.
#[inline]
fn add_present(out: &mut Poly, ways: &Poly, (one, two): Present) {
    if one == 0 {
        return;
    }
    if two == 0 {
        for n in 1..=MAX_HAND {
            out[n] += one * ways[n - 1];
        }
        return;
    }
    out[1] += one * ways[0];
    for n in 2..=MAX_HAND {
        out[n] += one * ways[n - 1] + two * ways[n - 2];
    }
}

/// Adds (or takes off) the product with a polynomial of degree 4 at most.
#[inline]
fn add_product(out: &mut Poly, weight: &Poly, ways: &Poly, take: bool) {
    for (c, &w) in weight.iter().enumerate().take(5) {
        let w = if take { w.wrapping_neg() } else { w };
        if w != 0 {
            for n in c..=MAX_HAND {
                out[n] = out[n].wrapping_add(w.wrapping_mul(ways[n - c]));
            }
        }
    }
}

impl Default for Walk {
    fn default() -> Self {
        Self {
            places: 0,
            present: [(0, 0); PLACES],
            weights: [ZERO; 3],
            stretches: [[ZERO; 5]; 3],
            suffix: [[ZERO; PLACES]; 3],
            low: 0,
            prefix: [[ZERO; 3]; PLACES],
            high: 0,
        }
    }
}

impl Walk {
    fn turn_to(&mut self, unseen: &Unseen, singles: bool) {
        let of_number = |number: u8| {
            let u = unseen.by_rank[usize::from(rank_of_number(number))];
            let two = if singles { 0 } else { PAIRS[usize::from(u)] };
            (u64::from(u), two)
        };
        self.places = usize::from(highest_number(unseen.players)) - 2;
        for (number, present) in (3..).zip(&mut self.present[..self.places]) {
            *present = of_number(number);
        }
        let mut weights = [ZERO; 3];
        add_present(&mut weights[0], &UNIT, of_number(1));
        add_present(&mut weights[1], &UNIT, of_number(2));
        let [one, two, both] = &mut weights;
        add_product(both, one, two, false);
        self.weights = weights;
        for (after, stretches) in self.stretches.iter_mut().enumerate() {
            *stretches = [ZERO; 5];
            stretches[after] = UNIT;
            self.suffix[after][self.places] = UNIT;
        }
        self.low = self.places;
        self.prefix[0] = [UNIT; 3];
        self.high = 0;
    }

    /// Walks backwards down to a place.
    fn down_to(&mut self, low: usize, longest: usize) {
        while self.low > low {
            self.low -= 1;
            let place = self.low;
            let present = self.present[place];
            for after in 0..=longest {
                let old = &self.stretches[after];
                // Absent: the stretch ends. Present after a stretch of four: a forbidden run.
                let mut new = [self.suffix[after][place + 1], ZERO, ZERO, ZERO, ZERO];
                let mut total = new[0];
                for (new, old) in new[1..].iter_mut().zip(old) {
                    add_present(new, old, present);
                    for (sum, ways) in total.iter_mut().zip(new) {
                        *sum += *ways;
                    }
                }
                self.stretches[after] = new;
                self.suffix[after][place] = total;
            }
        }
    }

    /// Walks forwards up to a place.
    fn up_to(&mut self, high: usize) {
        while self.high < high {
            let present = self.present[self.high];
            let old = &self.prefix[self.high];
            let mut new = [ZERO; 3];
            for ((limit, new), old) in [0, 3, 4].into_iter().zip(&mut new).zip(old) {
                if self.high >= limit {
                    *new = *old;
                }
                add_present(new, old, present);
            }
            self.high += 1;
            self.prefix[self.high] = new;
        }
    }

    /// Hands without windows that start at `place` or later, nor at 2 and at 1 as far as forbidden;
    /// for hands of so many tiles.
    fn without<const N: usize>(
        &mut self,
        place: usize,
        [forbid_2, forbid_1]: [bool; 2],
        wraps_on: bool,
        tiles: [Option<usize>; N],
    ) -> [u64; N] {
        let both_after = 1 + usize::from(wraps_on);
        self.down_to(place, both_after);
        self.up_to(place);
        let [one, two, both] = &self.weights;
        let [all, lasting_3, lasting_4] = &self.prefix[place];
        let limit_of_two = if forbid_2 { 4 } else { 0 };
        let limit_of_both = if forbid_1 { 3 } else { limit_of_two };
        let lasting = [&ZERO, &ZERO, &ZERO, lasting_3, lasting_4];
        let mut found = [0; N];
        // Free so far, or the stretch from 3 on has ended.
        let mut ended = [ZERO; 3];
        add_product(&mut ended[0], &UNIT, all, false);
        add_product(&mut ended[0], two, all, false);
        add_product(&mut ended[1], one, all, false);
        add_product(&mut ended[both_after], both, all, false);
        for (after, limit, weight) in [(0, limit_of_two, two), (both_after, limit_of_both, both)] {
            if limit == 0 {
                continue;
            }
            add_product(&mut ended[after], weight, lasting[limit], true);
            if place < limit {
                // Ways in which a stretch that has lasted up to here ends in time.
                let suffix = &self.suffix[after];
                let mut in_time = ZERO;
                for step in (place..limit).rev() {
                    let mut ways = suffix[step + 1];
                    add_present(&mut ways, &in_time, self.present[step]);
                    in_time = ways;
                }
                let mut going = ZERO;
                add_product(&mut going, weight, lasting[limit], false);
                for (found, n) in found.iter_mut().zip(tiles) {
                    *found += n.map_or(0, |n| coefficient(&going, &in_time, n));
                }
            }
        }
        for (ended, suffix) in ended.iter().zip(&self.suffix).take(both_after + 1) {
            for (found, n) in found.iter_mut().zip(tiles) {
                *found += n.map_or(0, |n| coefficient(ended, &suffix[place], n));
            }
        }
        found
    }
}

impl Straight {
    pub(super) fn turn_to(&mut self, unseen: &Unseen) {
        for (walk, singles) in self.walks.iter_mut().zip([false, true]) {
            walk.turn_to(unseen, singles);
        }
        self.without = [None; PLACES + 2];
        self.after_another = [None; PLACES + 2];
    }

    /// Counts for the runs of an order and above.
    pub(super) fn without(&mut self, unseen: &Unseen, house: &House, order: usize) -> Without {
        if let Some(known) = self.without[order] {
            return known;
        }
        let mut cell = [[0; 2]; 4];
        let mut tiles = [None; 4];
        let mut triples = false;
        for (tiles, size) in tiles.iter_mut().zip(unseen.sizes()) {
            let n = usize::from(size.tiles);
            if n >= 5 {
                *tiles = Some(n);
                triples |= house.one_triple(0, n) > 0;
            }
        }
        // Windows s .. M-3, 2 and 1 are orders s-3 and up, the last with 2 and 1 alone; then come 1
        // alone, under wrap12 the window at M-2 alone, and nothing.
        let last = usize::from(highest_number(unseen.players)) - 5;
        let wraps_on = unseen.top_run == TopRun::Wrap12;
        if order >= last + 2 + usize::from(wraps_on) {
            // No run beats the strongest.
            for (cell, n) in cell.iter_mut().zip(tiles) {
                if let Some(n) = n {
                    *cell = [house.at_most_two(n), house.singles(n - 2)];
                }
            }
        } else {
            let forbid = [order <= last, order <= last + 1];
            for (kind, walk) in self.walks.iter_mut().enumerate() {
                // Without triples nobody asks for single tiles beside one.
                if kind == 1 && !triples {
                    break;
                }
                let tiles = tiles.map(|n| n.map(|n: usize| n - 2 * kind));
                let found = walk.without(order.min(last), forbid, wraps_on, tiles);
                for (cell, found) in cell.iter_mut().zip(found) {
                    cell[kind] = found;
                }
            }
        }
        self.without[order] = Some(cell);
        cell
    }

    /// By how much the expected number of runs of this order or above rises in one hand when
    /// another one is known to hold such a run, in 1/1024.
    pub(super) fn after_another(&mut self, unseen: &Unseen, order: usize) -> u64 {
        *self.after_another[order].get_or_insert_with(|| after_another(unseen, order))
    }
}

/// For an order k: the mean, over the runs of order k or above that one hand may hold (weighted by
/// the ways to hold them), of the number of such runs that are left in the other tiles, over their
/// number before; each one's chance rises from (n)_5 / (N)_5 to (n)_5 / (N - 5)_5.
fn after_another(unseen: &Unseen, order: usize) -> u64 {
    let total = u64::from(unseen.total);
    let runs = unseen.orders().masks();
    if total < 10 || order >= runs.len() {
        return 0;
    }
    let falling = |n: u64| n * (n - 1) * (n - 2) * (n - 3) * (n - 4);
    let density = (falling(total) << 10) / falling(total - 5);
    let ways = |run: u16, gone: u16| {
        let mut product = 1;
        let mut rest = run;
        while rest != 0 {
            let rank = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            product *= u64::from(unseen.by_rank[rank]).saturating_sub(u64::from(gone >> rank & 1));
        }
        product
    };
    let mut here = [0; PLACES];
    let (mut all, mut left) = (0, 0);
    for (at, &run) in runs.iter().enumerate().skip(order).rev() {
        here[at] = ways(run, 0);
        all += here[at];
        if here[at] > 0 {
            left += here[at] * ways(run, run);
            for (&other, &ways_of_other) in runs[at + 1..].iter().zip(&here[at + 1..]) {
                // The number of ways to hold both, one in each hand, is the same either way round.
                if ways_of_other > 0 {
                    let after = if run & other == 0 {
                        ways_of_other
                    } else {
                        ways(other, run)
                    };
                    left += 2 * here[at] * after;
                }
            }
        }
    }
    // At most 12 runs of 4^5 ways each: left is below 2^28.
    if all == 0 {
        return 0;
    }
    ((left << 20) / (all * all) * density) >> 20
}
