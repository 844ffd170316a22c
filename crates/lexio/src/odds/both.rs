//! Just two hands: deals in which neither holds a run from a place in the order up, a full house
//! or four of a number, counted exactly.
//!
//! Each hand is free of full houses in one of two ways: at most two of every rank, or one triple
//! and else single tiles. For each of the four choices a walk over the numbers 3 .. M keeps, as
//! polynomials in the first hand's tiles, the present stretch of either hand (4 standing for 4 and
//! more) and whether its triple has come. Who holds the numbers 1 and 2 is fixed first: that says
//! at what length a stretch that starts at 3 completes the run that starts at 1 or at 2.

use super::unseen::{CHOOSE, MAX_HAND, Poly, Unseen};
use crate::rules::TopRun;
use crate::tile::{RANKS, highest_number, rank_of_number};

/// Both triples came or not, times both stretches.
const STATES: usize = 100;
/// Places of the walk up to which a stretch from 3 can complete a run that starts at 1 or 2.
const HEAD: usize = 4;

/// Ways by state; only the live ones are valid.
struct Layer {
    live: u128,
    ways: [Poly; STATES],
}

impl Layer {
    const EMPTY: Self = Self {
        live: 0,
        ways: [[0; MAX_HAND + 1]; STATES],
    };

    fn clear(&mut self) {
        self.live = 0;
    }

    /// The polynomial of a state, 0 when it was not live.
    #[inline]
    fn at(&mut self, state: usize) -> &mut Poly {
        if self.live >> state & 1 == 0 {
            self.live |= 1 << state;
            self.ways[state] = [0; MAX_HAND + 1];
        }
        &mut self.ways[state]
    }

    fn states(&self) -> impl Iterator<Item = usize> + use<> {
        let mut rest = self.live;
        std::iter::from_fn(move || {
            let state = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (state < STATES).then_some(state)
        })
    }
}

/// What one hand must avoid, given who holds the numbers 1 and 2.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hand {
    /// Free of full houses by one triple and single tiles.
    triple: bool,
    /// Length at which a stretch from 3 completes a forbidden run; above [`HEAD`] for never.
    limit: usize,
    /// Length of the stretch before M's end that the numbers behind it complete to a forbidden
    /// run; 5 for never.
    end: usize,
}

impl Hand {
    /// Whether its triple has come after taking `tiles` of a rank; `None` when that is too many.
    #[inline]
    fn take(self, come: usize, tiles: usize) -> Option<usize> {
        match (self.triple, tiles) {
            (false, 0..=2) | (true, 0 | 1) => Some(come),
            (true, 3) if come == 0 => Some(1),
            _ => None,
        }
    }

    /// The stretch after `tiles` of the rank at a place; `None` when that completes a run.
    #[inline]
    fn stretch(self, before: usize, tiles: usize, place: usize, forbidden: bool) -> Option<usize> {
        if tiles == 0 {
            return Some(0);
        }
        let from_3 = place < self.limit && place + 1 == self.limit && before == place;
        let five = before == 4 && forbidden;
        (!from_3 && !five).then_some((before + 1).min(4))
    }
}

const fn state(come: [usize; 2], stretch: [usize; 2]) -> usize {
    ((come[0] * 2 + come[1]) * 5 + stretch[0]) * 5 + stretch[1]
}

struct Both<'a> {
    unseen: &'a Unseen,
    order: usize,
    top: u8,
    /// Tiles of the first hand, and of the other.
    n: usize,
    other: usize,
    /// Tiles before each place of the walk.
    seen: [usize; 14],
}

/// Deals in which neither hand holds a full house, four, or a run of `order` or above; n tiles in
/// the first hand, the rest in the other.
pub(super) fn neither(unseen: &Unseen, order: usize, n: usize) -> u64 {
    let mut both = Both {
        unseen,
        order,
        top: highest_number(unseen.players),
        n,
        other: usize::from(unseen.total) - n,
        seen: [0; 14],
    };
    both.seen[0] = both.tiles(1) + both.tiles(2);
    for place in 1..both.seen.len() {
        both.seen[place] = both.seen[place - 1] + both.tiles(place as u8 + 2);
    }
    let many = unseen.by_rank[..usize::from(RANKS)]
        .iter()
        .filter(|&&u| u >= 3)
        .count();
    let mut sum = both.count([false, false]);
    // Of four tiles one hand without a triple can take only two.
    let fours = unseen.by_rank.iter().filter(|&&u| u == 4).count();
    if many >= 1 && fours <= 1 {
        sum += both.count([true, false]) + both.count([false, true]);
    }
    if many == 2 {
        sum += both.count([true, true]);
    }
    sum
}

impl Both<'_> {
    /// Whether the run that starts at a number is forbidden.
    fn forbidden(&self, start: u8) -> bool {
        let order = match start {
            1 => self.top - 4,
            2 => self.top - 5,
            s if s == self.top - 2 => self.top - 3,
            s => s - 3,
        };
        usize::from(order) >= self.order
    }

    fn tiles(&self, number: u8) -> usize {
        if number > self.top {
            return 0;
        }
        usize::from(self.unseen.by_rank[usize::from(rank_of_number(number))])
    }

    /// What a hand must avoid that holds the numbers 1 and 2 or not.
    fn hand(&self, triple: bool, one: bool, two: bool) -> Hand {
        let limit = if one && two && self.forbidden(1) {
            3
        } else if two && self.forbidden(2) {
            4
        } else {
            usize::MAX
        };
        let wraps_on = self.unseen.top_run == TopRun::Wrap12;
        let end = if one && two && wraps_on && self.forbidden(self.top - 2) {
            3
        } else if one && self.forbidden(self.top - 3) {
            4
        } else {
            5
        };
        Hand { triple, limit, end }
    }

    fn count(&self, triples: [bool; 2]) -> u64 {
        let places = usize::from(self.top) - 2;
        let (mut layer, mut next) = (Layer::EMPTY, Layer::EMPTY);
        let mut pool = Layer::EMPTY;
        let mut sum = 0;
        let patterns: [[bool; 4]; 16] =
            std::array::from_fn(|bits| std::array::from_fn(|i| bits >> i & 1 == 1));
        let hands = patterns.map(|[one, two, other_one, other_two]| {
            [
                self.hand(triples[0], one, two),
                self.hand(triples[1], other_one, other_two),
            ]
        });
        for ends in 0..9 {
            let ends = [3 + ends / 3, 3 + ends % 3];
            pool.clear();
            let mut found = [hands[0][0]; 2];
            for (pattern, hands) in patterns.iter().zip(&hands) {
                if hands[0].end != ends[0] || hands[1].end != ends[1] {
                    continue;
                }
                layer.clear();
                self.start(&mut layer, hands, *pattern);
                if layer.live == 0 {
                    continue;
                }
                found = *hands;
                for place in 0..HEAD {
                    self.step(&layer, &mut next, hands, place, self.seen[place]);
                    std::mem::swap(&mut layer, &mut next);
                }
                for state in layer.states() {
                    let ways = layer.ways[state];
                    let all = pool.at(state);
                    for (all, ways) in all.iter_mut().zip(ways) {
                        *all += ways;
                    }
                }
            }
            if pool.live == 0 {
                continue;
            }
            for place in HEAD..places {
                self.step(&pool, &mut next, &found, place, self.seen[place]);
                std::mem::swap(&mut pool, &mut next);
            }
            for first in 0..ends[0].min(5) {
                for second in 0..ends[1].min(5) {
                    let come = triples.map(usize::from);
                    let state = state(come, [first, second]);
                    if pool.live >> state & 1 == 1 {
                        sum += pool.ways[state][self.n];
                    }
                }
            }
        }
        sum
    }

    /// The numbers 1 and 2, held as the pattern says: 1 and 2 by the first hand, then by the other.
    fn start(&self, layer: &mut Layer, hands: &[Hand; 2], pattern: [bool; 4]) {
        let (ones, twos) = (self.tiles(1), self.tiles(2));
        for (i, ways_1) in CHOOSE[ones][..=ones].iter().enumerate() {
            for (j, ways_2) in CHOOSE[twos][..=twos].iter().enumerate() {
                let held = [i > 0, j > 0, ones > i, twos > j];
                if held != pattern || i + j > self.n || ones + twos > i + j + self.other {
                    continue;
                }
                let come = |hand: Hand, one, two| hand.take(0, one).and_then(|c| hand.take(c, two));
                let (Some(first), Some(second)) =
                    (come(hands[0], i, j), come(hands[1], ones - i, twos - j))
                else {
                    continue;
                };
                layer.at(state([first, second], [0, 0]))[i + j] += ways_1 * ways_2;
            }
        }
    }

    /// One number on, `seen` tiles lying before it.
    fn step(&self, layer: &Layer, next: &mut Layer, hands: &[Hand; 2], place: usize, seen: usize) {
        next.clear();
        let u = self.tiles(place as u8 + 3);
        let forbidden = place >= 4 && self.forbidden(place as u8 - 1);
        let stretches = hands
            .map(|hand| [0, 1, 2, 3, 4].map(|before| hand.stretch(before, 1, place, forbidden)));
        for from in layer.states() {
            let ways = &layer.ways[from];
            let (come, stretch) = (from / 25, from % 25);
            let longer = [stretches[0][stretch / 5], stretches[1][stretch % 5]];
            for j in 0..=u.min(self.n) {
                let tiles = [j, u - j];
                let (Some(r), Some(s)) = (
                    if j == 0 { Some(0) } else { longer[0] },
                    if j == u { Some(0) } else { longer[1] },
                ) else {
                    continue;
                };
                let (Some(c), Some(d)) = (
                    hands[0].take(come / 2, tiles[0]),
                    hands[1].take(come % 2, tiles[1]),
                ) else {
                    continue;
                };
                // What neither hand has too many tiles for.
                let low = (seen + u).saturating_sub(self.other + j);
                let high = (self.n - j).min(seen);
                if low > high {
                    continue;
                }
                let times = CHOOSE[u][j];
                let to = next.at(state([c, d], [r, s]));
                for (sum, ways) in to[low + j..=high + j].iter_mut().zip(&ways[low..=high]) {
                    *sum += times * ways;
                }
            }
        }
    }
}
