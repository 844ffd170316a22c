//! Flushes in one hand, by suit-count polynomials.
//!
//! A hand holds no flush above the target (ranks r1 > .. > r5, suit s) when in each suit the best
//! five of its tiles are not above it. Of c >= 5 tiles of a suit, the number of choices whose best
//! five are at most the target is
//! sum_j C(b_j, c - j) + C(b_5', c - 5),
//! where j = 0 .. 4 is the first place that falls short: the target's first j ranks are all there,
//! the next tile and all further ones are among the b_j tiles of the suit below the target's rank
//! at that place; the last summand (all five equal, the rest below) counts unless the suit is the
//! stronger one. Four or fewer tiles of a suit are always free.
//!
//! The free part (up to 4 a suit) does not depend on the target, so its products are shared:
//! a hand of 13 has five or more tiles in at most two suits.

use super::unseen::{MAX_HAND, Poly, UNIT, Unseen, choose, coefficient, product};

/// Counts of hands without a beating flush.
#[derive(Clone, Debug, Default)]
pub(super) struct Flush {
    /// All four suits free.
    none: Poly,
    /// The three suits other than s, free.
    three: [Poly; 4],
    /// The two suits other than a and b, free; in the order of [`TWO_SUITS`].
    two: [Poly; 6],
}

/// The pairs of suits.
const TWO_SUITS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// A flush to beat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// Ranks from the highest down.
    pub(super) ranks: [u8; 5],
    /// Suit.
    pub(super) suit: u8,
}

impl Target {
    /// From a flush's key.
    pub(super) fn of_key(key: u32) -> Self {
        let place = |i: u32| (key >> (2 + 4 * (4 - i)) & 0xf) as u8;
        Self {
            ranks: [place(0), place(1), place(2), place(3), place(4)],
            suit: (key & 3) as u8,
        }
    }

    /// For `suit`: how many of the `unseen` ranks may lie below at each place that falls short
    /// (`None` when the target's ranks before it are not all there), then the same for all five
    /// being equal.
    fn rooms(&self, unseen: u16, suit: u8) -> [Option<u8>; 6] {
        let mut rooms = [None; 6];
        for (room, &rank) in rooms.iter_mut().zip(&self.ranks) {
            let below = unseen & ((1 << rank) - 1);
            *room = Some(below.count_ones() as u8);
            if unseen >> rank & 1 == 0 {
                return rooms;
            }
        }
        if suit <= self.suit {
            let below = unseen & ((1 << self.ranks[4]) - 1);
            rooms[5] = Some(below.count_ones() as u8);
        }
        rooms
    }

    /// Ways to take c = 5 .. `top` tiles of `suit` whose best five do not beat this.
    fn within(&self, unseen: u16, suit: u8, top: usize) -> Poly {
        let rooms = self.rooms(unseen, suit);
        let mut out = [0; MAX_HAND + 1];
        for (place, room) in rooms.into_iter().enumerate() {
            let Some(room) = room else { continue };
            for (c, ways) in out.iter_mut().enumerate().take(top + 1).skip(5) {
                *ways += choose(room, c - place);
            }
        }
        out
    }

    /// Five-tile choices of `suit` that are above this, runs of one suit among them.
    pub(super) fn above(&self, unseen: u16, suit: u8) -> u64 {
        let within: u64 = self
            .rooms(unseen, suit)
            .into_iter()
            .enumerate()
            .filter_map(|(place, room)| room.map(|room| choose(room, 5 - place)))
            .sum();
        choose(unseen.count_ones() as u8, 5) - within
    }
}

impl Flush {
    pub(super) fn fill(&mut self, unseen: &Unseen) {
        let top = unseen.largest();
        let free = unseen.by_suit.map(|ranks| {
            let mut poly = UNIT;
            for (c, ways) in poly.iter_mut().enumerate().take(5) {
                *ways = choose(ranks.count_ones() as u8, c);
            }
            poly
        });
        for (poly, &(a, b)) in self.two.iter_mut().zip(TWO_SUITS.iter().rev()) {
            // In reverse order a pair of suits stands at its complement's place.
            *poly = product(&free[a], &free[b], top);
        }
        // two[0] leaves suits 2 and 3, two[5] leaves 0 and 1.
        self.three = [
            product(&free[1], &self.two[0], top),
            product(&free[0], &self.two[0], top),
            product(&free[3], &self.two[5], top),
            product(&free[2], &self.two[5], top),
        ];
        self.none = product(&self.two[0], &self.two[5], top);
    }

    /// Hands of n tiles without any five of one suit.
    #[inline]
    pub(super) fn without_any(&self, n: usize) -> u64 {
        self.none[n]
    }

    /// Per hand size in `sizes`, hands without a flush (or run of one suit) above the target.
    pub(super) fn without(&self, unseen: &Unseen, target: &Target) -> [u64; 5] {
        let top = unseen.largest();
        let mut within = [[0; MAX_HAND + 1]; 4];
        for (suit, poly) in within.iter_mut().enumerate() {
            *poly = target.within(unseen.by_suit[suit], suit as u8, top);
        }
        let mut out = [0; 5];
        for (count, size) in out.iter_mut().zip(unseen.sizes()) {
            let n = usize::from(size.tiles);
            if n < 5 {
                continue;
            }
            let mut sum = self.none[n];
            for (poly, others) in within.iter().zip(&self.three) {
                sum += coefficient(poly, others, n);
            }
            if n >= 10 {
                for (&(a, b), others) in TWO_SUITS.iter().zip(&self.two) {
                    for c in 5..=n - 5 {
                        for d in 5..=n - c {
                            sum += within[a][c] * within[b][d] * others[n - c - d];
                        }
                    }
                }
            }
            *count = sum;
        }
        out
    }
}
