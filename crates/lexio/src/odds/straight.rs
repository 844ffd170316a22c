//! Straights in one hand: counts of hands that have at most two (or at most one) of every rank and
//! no run from a given place in the order up.
//!
//! In the order of numbers 1, 2, .., M, 1 (and 2 once more under `top_run=wrap12`) every legal run
//! is a window of five. Presence of the numbers 1 and 2 is fixed first, which opens the circle; the
//! rest is a walk over the numbers 3 .. M with counting polynomials:
//! - backwards, with the present stretch at the low end (0 to 4) as state, for windows that start
//!   at 3 or later: `suffix(s)` forbids all windows that start at s or later;
//! - forwards, with "every number from 3 on is present so far" as state, for the windows that
//!   start at 2 and at 1.
//!
//! The order of strength is windows 3, 4, .., M-3, then 2, then 1 (then M-2 under `wrap12`), so the
//! runs from any place in the order up are windows s .. with 1 and 2, or fewer.

use super::house::{House, PAIRS};
use super::unseen::{MAX_HAND, Poly, UNIT, Unseen, coefficient, product};
use crate::rules::TopRun;
use crate::tile::{highest_number, rank_of_number};

/// Orders 0 to 12 and one above all.
const PLACES: usize = 14;
/// A stretch from 3 upward that is never too long.
const NEVER: usize = usize::MAX;

/// Counts per order and hand size.
#[derive(Clone, Debug, Default)]
pub(super) struct Straight {
    /// `without[k][i]`: hands of the i-th size n with at most two of each rank and no run of order
    /// k or above; and hands of n - 2 tiles with at most one of each rank and no such run.
    pub(super) without: [[[u64; 2]; 4]; PLACES],
    /// `after_another[k]`: by how much the expected number of runs of order k or above rises in one
    /// hand when another one is known to hold such a run, in 1/1024.
    pub(super) after_another: [u64; PLACES],
}

/// Numbers 3 .. M as places 0 .. M-3 of the walk; the place M-2 lies behind the last.
struct Walk<'a> {
    unseen: &'a Unseen,
    /// At most one of each rank, not two.
    singles: bool,
    top: usize,
    places: usize,
    /// By length of the stretch that the numbers after M continue.
    suffix: [[Poly; 14]; 3],
}

/// One choice of presence for the numbers 1 and 2.
struct Branch {
    /// Stretch after M: the number 1, and 2 behind it under `wrap12`.
    after: usize,
    /// Length from which a stretch at 3 completes a forbidden run.
    limit: usize,
    /// Ways to hold the numbers 1 and 2 so.
    weight: Poly,
}

/// Ways in which a rank is present: by one tile, and by two.
type Present = (u64, u64);

/// Adds ways times presence onto `out`.
fn add_present(out: &mut Poly, ways: &Poly, (one, two): Present, top: usize) {
    if one == 0 {
        return;
    }
    out[1] += one * ways[0];
    for n in 2..=top {
        out[n] += one * ways[n - 1] + two * ways[n - 2];
    }
}

impl<'a> Walk<'a> {
    fn new(unseen: &'a Unseen, singles: bool) -> Self {
        let mut walk = Self {
            unseen,
            singles,
            top: unseen.largest().max(2),
            places: usize::from(highest_number(unseen.players)) - 2,
            suffix: [[[0; MAX_HAND + 1]; 14]; 3],
        };
        let longest = if unseen.top_run == TopRun::Wrap12 {
            2
        } else {
            1
        };
        for after in 0..=longest {
            walk.suffix[after] = walk.backwards(after);
        }
        walk
    }

    fn present(&self, rank: usize) -> Present {
        let u = self.unseen.by_rank[rank];
        let two = if self.singles {
            0
        } else {
            PAIRS[usize::from(u)]
        };
        (u64::from(u), two)
    }

    /// Tiles to count for a hand of n: all, or n - 2 single ones beside a triple.
    fn tiles(&self, n: u8) -> usize {
        usize::from(if self.singles { n - 2 } else { n })
    }

    fn backwards(&self, after: usize) -> [Poly; 14] {
        let mut totals = [[0; MAX_HAND + 1]; 14];
        let mut by_stretch = [[0; MAX_HAND + 1]; 5];
        by_stretch[after] = UNIT;
        totals[self.places] = UNIT;
        for place in (0..self.places).rev() {
            let mut new = [[0; MAX_HAND + 1]; 5];
            // Absent: the stretch ends. Present after a stretch of four: a forbidden run.
            new[0] = totals[place + 1];
            for stretch in 0..4 {
                add_present(
                    &mut new[stretch + 1],
                    &by_stretch[stretch],
                    self.present(place),
                    self.top,
                );
            }
            for poly in &new {
                for (sum, ways) in totals[place].iter_mut().zip(poly) {
                    *sum += ways;
                }
            }
            by_stretch = new;
        }
        totals
    }

    /// The branches when the windows at 2 and at 1 are forbidden or not.
    fn branches(&self, forbid_2: bool, forbid_1: bool) -> [Branch; 4] {
        let of_number = |number| self.present(usize::from(rank_of_number(number)));
        let mut one = [0; MAX_HAND + 1];
        add_present(&mut one, &UNIT, of_number(1), self.top);
        let mut two = [0; MAX_HAND + 1];
        add_present(&mut two, &UNIT, of_number(2), self.top);
        let wraps_on = usize::from(self.unseen.top_run == TopRun::Wrap12);
        [
            Branch {
                after: 0,
                limit: NEVER,
                weight: UNIT,
            },
            Branch {
                after: 0,
                limit: if forbid_2 { 4 } else { NEVER },
                weight: two,
            },
            Branch {
                after: 1,
                limit: NEVER,
                weight: one,
            },
            Branch {
                after: 1 + wraps_on,
                limit: if forbid_1 {
                    3
                } else if forbid_2 {
                    4
                } else {
                    NEVER
                },
                weight: product(&one, &two, self.top),
            },
        ]
    }

    /// Calls `found(place, i, ways)` with the hands of the i-th size for windows from each wanted
    /// place on.
    fn forwards(
        &self,
        branches: &[Branch; 4],
        wanted: std::ops::RangeInclusive<usize>,
        found: &mut dyn FnMut(usize, usize, u64),
    ) {
        for branch in branches {
            let suffix = &self.suffix[branch.after];
            // Ways in which a stretch that has lasted up to a place ends in time.
            let mut in_time = [[0; MAX_HAND + 1]; 5];
            if branch.limit != NEVER {
                for place in (0..branch.limit).rev() {
                    let mut ways = suffix[place + 1];
                    add_present(
                        &mut ways,
                        &in_time[place + 1].clone(),
                        self.present(place),
                        self.top,
                    );
                    in_time[place] = ways;
                }
            }
            let (mut ended, mut lasting) = if branch.limit == NEVER {
                (branch.weight, [0; MAX_HAND + 1])
            } else {
                ([0; MAX_HAND + 1], branch.weight)
            };
            for place in 0..=*wanted.end() {
                if wanted.contains(&place) {
                    for (i, size) in self.unseen.sizes().iter().enumerate() {
                        if size.tiles < 5 {
                            continue;
                        }
                        let n = self.tiles(size.tiles);
                        let mut ways = coefficient(&ended, &suffix[place], n);
                        if place < branch.limit && branch.limit != NEVER {
                            ways += coefficient(&lasting, &in_time[place], n);
                        }
                        found(place, i, ways);
                    }
                }
                if place == *wanted.end() {
                    break;
                }
                let old = ended;
                add_present(&mut ended, &old, self.present(place), self.top);
                if place < branch.limit && branch.limit != NEVER {
                    for (sum, ways) in ended.iter_mut().zip(&lasting) {
                        *sum += ways;
                    }
                    let mut longer = [0; MAX_HAND + 1];
                    add_present(&mut longer, &lasting, self.present(place), self.top);
                    lasting = longer;
                }
            }
        }
    }
}

impl Straight {
    pub(super) fn fill(&mut self, unseen: &Unseen, house: &House) {
        *self = Self::default();
        // Windows s .. M-3, 2 and 1 are orders s-3 and up, the last with 2 and 1 alone; then come 1
        // alone, under wrap12 the window at M-2 alone, and nothing.
        let last = usize::from(highest_number(unseen.players)) - 5;
        let wraps_on = unseen.top_run == TopRun::Wrap12;
        for singles in [false, true] {
            let walk = Walk::new(unseen, singles);
            let without = &mut self.without;
            let mut note = |order: usize, i: usize, ways: u64| {
                without[order][i][usize::from(singles)] += ways;
            };
            walk.forwards(&walk.branches(true, true), 0..=last, &mut note);
            walk.forwards(
                &walk.branches(false, true),
                last..=last,
                &mut |_, i, ways| {
                    note(last + 1, i, ways);
                },
            );
            if wraps_on {
                walk.forwards(
                    &walk.branches(false, false),
                    last..=last,
                    &mut |_, i, ways| {
                        note(last + 2, i, ways);
                    },
                );
            }
        }
        let runs = last + 2 + usize::from(wraps_on);
        self.after_another = after_another(unseen);
        // No run beats the strongest.
        for (cell, size) in self.without[runs].iter_mut().zip(unseen.sizes()) {
            let n = usize::from(size.tiles);
            if n >= 5 {
                *cell = [house.at_most_two(n), house.singles(n - 2)];
            }
        }
    }
}

/// For every order k: the mean, over the runs of order k or above that one hand may hold (weighted
/// by the ways to hold them), of the number of such runs that are left in the other tiles, over
/// their number before; each one's chance rises from (n)_5 / (N)_5 to (n)_5 / (N - 5)_5.
fn after_another(unseen: &Unseen) -> [u64; PLACES] {
    let mut out = [0; PLACES];
    let total = u64::from(unseen.total);
    if total < 10 {
        return out;
    }
    let falling = |n: u64| n * (n - 1) * (n - 2) * (n - 3) * (n - 4);
    let density = (falling(total) << 10) / falling(total - 5);
    let runs = unseen.orders().masks();
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
    let (mut all, mut left) = (0, 0);
    for (order, &run) in runs.iter().enumerate().rev() {
        let here = ways(run, 0);
        all += here;
        if here > 0 {
            left += here * ways(run, run);
            for &other in &runs[order + 1..] {
                // The number of ways to hold both, one in each hand, is the same either way round.
                left += 2 * here * ways(other, run);
            }
        }
        // At most 12 runs of 4^5 ways each: left is below 2^28.
        if all > 0 {
            out[order] = ((left << 20) / (all * all) * density) >> 20;
        }
    }
    out
}
