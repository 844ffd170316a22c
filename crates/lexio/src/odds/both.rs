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
use crate::tile::{RANKS, highest_number, number_of_rank, rank_of_number};

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

/// The limits that occur.
const LIMITS: [usize; 3] = [3, 4, usize::MAX];
/// A way for the first hand to hold low and high tiles of the numbers 1 and 2.
#[derive(Clone, Copy)]
struct Head {
    hands: [Hand; 2],
    come: [usize; 2],
    tiles: usize,
    ways: u64,
}

struct Both<'a> {
    unseen: &'a Unseen,
    /// The run that must not be held with a tile at its top rank other than `low` of them; all
    /// above it must not be held at all.
    order: usize,
    low: usize,
    /// The number at that run's top rank.
    top_number: u8,
    top: u8,
    /// Tiles of the first hand, and of the other.
    n: usize,
    other: usize,
    /// Tiles before each place of the walk.
    seen: [usize; 14],
}

/// Deals in which neither hand holds a full house, four, a run above the one of `order`, or that
/// run with a tile at its top rank that is none of the `low` lowest unseen; n tiles in the first
/// hand, the rest in the other.
pub(super) fn neither(unseen: &Unseen, order: usize, low: usize, n: usize) -> u64 {
    let ranks = unseen.orders().masks().get(order).copied().unwrap_or(1);
    let mut both = Both {
        unseen,
        order,
        low,
        top_number: number_of_rank(15 - ranks.leading_zeros() as u8),
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
    /// Whether the run that starts at a number is forbidden, with a tile at its top rank that is
    /// high or not.
    fn forbidden(&self, start: u8, high: bool) -> bool {
        let order = usize::from(match start {
            1 => self.top - 4,
            2 => self.top - 5,
            s if s == self.top - 2 => self.top - 3,
            s => s - 3,
        });
        order > self.order || (order == self.order && high)
    }

    /// Of so many tiles of a number, those that are low, and those that are high.
    fn split(&self, number: u8, tiles: usize) -> [usize; 2] {
        if number == self.top_number {
            [self.low, tiles - self.low]
        } else {
            [0, tiles]
        }
    }

    fn tiles(&self, number: u8) -> usize {
        if number > self.top {
            return 0;
        }
        usize::from(self.unseen.by_rank[usize::from(rank_of_number(number))])
    }

    /// What a hand must avoid that holds low and high tiles of the numbers 1 and 2 or not.
    fn hand(&self, triple: bool, ones: [bool; 2], twos: [bool; 2]) -> Hand {
        let (one, two) = (ones[0] || ones[1], twos[0] || twos[1]);
        let limit = if one && two && self.forbidden(1, twos[1]) {
            3
        } else if two && self.forbidden(2, twos[1]) {
            4
        } else {
            usize::MAX
        };
        let wraps_on = self.unseen.top_run == TopRun::Wrap12;
        let end = if one && two && wraps_on && self.forbidden(self.top - 2, twos[1]) {
            3
        } else if one && self.forbidden(self.top - 3, ones[1]) {
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
        // What the hands must avoid, by who holds the numbers 1 and 2.
        let heads = self.heads(triples);
        for ends in 0..9 {
            let ends = [3 + ends / 3, 3 + ends % 3];
            pool.clear();
            let mut found = None;
            for limits in 0..9 {
                let limits = [LIMITS[limits / 3], LIMITS[limits % 3]];
                let hands = [0, 1].map(|i| Hand {
                    triple: triples[i],
                    limit: limits[i],
                    end: ends[i],
                });
                layer.clear();
                for head in heads.iter().filter(|head| head.hands == hands) {
                    layer.at(state(head.come, [0, 0]))[head.tiles] += head.ways;
                }
                if layer.live == 0 {
                    continue;
                }
                found = Some(hands);
                for place in 0..HEAD {
                    self.step(&layer, &mut next, &hands, place, self.seen[place]);
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
            let Some(found) = found else {
                continue;
            };
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

    /// The ways to hold the numbers 1 and 2.
    fn heads(&self, triples: [bool; 2]) -> Vec<Head> {
        let (ones, twos) = (self.tiles(1), self.tiles(2));
        let (ones, twos) = (self.split(1, ones), self.split(2, twos));
        let all: usize = ones.iter().chain(&twos).sum();
        let unseen = [ones[0], ones[1], twos[0], twos[1]];
        let choices: usize = unseen.iter().map(|u| u + 1).product();
        let mut heads = Vec::with_capacity(choices);
        for mut choice in 0..choices {
            let held = unseen.map(|u| {
                let held = choice % (u + 1);
                choice /= u + 1;
                held
            });
            let tiles: usize = held.iter().sum();
            if tiles > self.n || all > tiles + self.other {
                continue;
            }
            let left = [0, 1, 2, 3].map(|i| unseen[i] - held[i]);
            let hand = |triple: bool, h: [usize; 4]| {
                let here = h.map(|tiles| tiles > 0);
                let hand = self.hand(triple, [here[0], here[1]], [here[2], here[3]]);
                let come = hand.take(0, h[0] + h[1])?;
                Some((hand, hand.take(come, h[2] + h[3])?))
            };
            if let (Some((first, a)), Some((other, b))) =
                (hand(triples[0], held), hand(triples[1], left))
            {
                heads.push(Head {
                    hands: [first, other],
                    come: [a, b],
                    tiles,
                    ways: (0..4).map(|i| CHOOSE[unseen[i]][held[i]]).product(),
                });
            }
        }
        heads
    }

    /// One number on, `seen` tiles lying before it.
    fn step(&self, layer: &Layer, next: &mut Layer, hands: &[Hand; 2], place: usize, seen: usize) {
        next.clear();
        let number = place as u8 + 3;
        let u = self.tiles(number);
        let [low, high] = self.split(number, u);
        // By whether the hand takes a high tile here.
        let forbidden = [false, true].map(|h| place >= 4 && self.forbidden(place as u8 - 1, h));
        let stretches = hands.map(|hand| {
            forbidden.map(|f| [0, 1, 2, 3, 4].map(|before| hand.stretch(before, 1, place, f)))
        });
        for from in layer.states() {
            let ways = &layer.ways[from];
            let (come, stretch) = (from / 25, from % 25);
            for j in 0..=low {
                for k in 0..=high {
                    let tiles = [j + k, u - j - k];
                    if tiles[0] > self.n {
                        continue;
                    }
                    let highs = [k > 0, k < high].map(usize::from);
                    let before = [stretch / 5, stretch % 5];
                    let [r, s] = [0, 1].map(|i| match tiles[i] {
                        0 => Some(0),
                        _ => stretches[i][highs[i]][before[i]],
                    });
                    let (Some(r), Some(s)) = (r, s) else {
                        continue;
                    };
                    let (Some(c), Some(d)) = (
                        hands[0].take(come / 2, tiles[0]),
                        hands[1].take(come % 2, tiles[1]),
                    ) else {
                        continue;
                    };
                    // What neither hand has too many tiles for.
                    let j = tiles[0];
                    let least = (seen + u).saturating_sub(self.other + j);
                    let most = (self.n - j).min(seen);
                    if least > most {
                        continue;
                    }
                    let times = CHOOSE[low][j - k] * CHOOSE[high][k];
                    let to = next.at(state([c, d], [r, s]));
                    for (sum, ways) in to[least + j..=most + j].iter_mut().zip(&ways[least..=most])
                    {
                        *sum += times * ways;
                    }
                }
            }
        }
    }
}
