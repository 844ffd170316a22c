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

use super::hands::{NO_TIES, Ties, tie, tie_of};
use super::unseen::{
    CHOOSE, MAX_HAND, ONE, Poly, UNIT, Unseen, choose, coefficient, fraction, product,
};

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

/// With just two hands: deals in which neither has one, n being the first hand's tiles. Of the
/// ways to give it c tiles of a suit those drop out that put five above the target in either hand;
/// none puts them in both, as with three players a suit has nine tiles.
fn neither(unseen: &Unseen, above: &[Poly; 4], n: usize) -> u64 {
    let mut free = [[0; MAX_HAND + 1]; 4];
    for (suit, poly) in free.iter_mut().enumerate() {
        let all = unseen.in_suit(suit);
        for c in 0..=all.min(n) {
            let other = above[suit].get(all - c).copied().unwrap_or(0);
            poly[c] = choose(all as u8, c).saturating_sub(above[suit][c] + other);
        }
    }
    let [a, b, c, d] = &free;
    coefficient(&product(a, b, n), &product(c, d, n), n)
}

/// The pairs of suits.
const TWO_SUITS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// By unseen tiles of a suit: how often two hands both have five of it, in thousandths of what it
/// would be if they had nothing to do with each other.
const BOTH: [u64; 14] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 80, 130, 180];

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

    /// Chances that a flush above the target (any five of one suit without one) is in no hand, per
    /// hand size in `sizes`, and how two hands depend on each other, by their sizes.
    ///
    /// Two hands can hardly both have five of one suit, and not at all when fewer than ten are
    /// unseen; but when one hand has taken five tiles of another suit, a suit is denser in the
    /// rest. With p_is the chance that hand i has it in suit s, and p'_js that of hand j then, the
    /// chance that both have it differs from the product of theirs by
    /// sum_{s != t} p_is (p'_jt - p_jt) - (a share of) sum_s p_is p_js.
    ///
    /// Of N tiles in four suits alike, hand i takes five of suit s and n - 5 of the others: another
    /// suit is then as dense as if x = N - (3N/4) (N - n) / (3N/4 - n + 5) tiles of other suits had
    /// been taken. p' is laid between x = 0 and x = 5.
    pub(super) fn none(&self, unseen: &Unseen, target: Option<&Target>) -> ([u64; 5], Ties) {
        let top = unseen.largest();
        let mut above = [[0; MAX_HAND + 1]; 4];
        let mut within = [[0; MAX_HAND + 1]; 4];
        for suit in 0..4 {
            let ranks = unseen.by_suit[suit];
            if let Some(target) = target {
                within[suit] = target.within(ranks, suit as u8, top);
            }
            for c in 5..=top {
                above[suit][c] = choose(ranks.count_ones() as u8, c) - within[suit][c];
            }
        }
        let total = usize::from(unseen.total);
        let mut per_size = [ONE; 5];
        let mut alone = [[0; 4]; 5];
        let mut after = [[0; 4]; 5];
        for (i, size) in unseen.sizes().iter().enumerate() {
            let n = usize::from(size.tiles);
            if n < 5 {
                continue;
            }
            let hands = unseen.hands(n);
            let free = if target.is_some() {
                self.without(&within, n)
            } else {
                self.none[n]
            };
            per_size[i] = fraction(free, hands);
            for (suit, above) in above.iter().enumerate() {
                let others = total - unseen.in_suit(suit);
                alone[i][suit] = fraction(coefficient(above, &CHOOSE[others], n), hands);
                if others >= 5 && total >= n + 5 {
                    let ways = coefficient(above, &CHOOSE[others - 5], n);
                    after[i][suit] = fraction(ways, CHOOSE[total - 5][n]);
                }
            }
        }
        if let Some((n, _)) = unseen.two_hands() {
            let neither = fraction(neither(unseen, &above, n), unseen.hands(n));
            let other = unseen.sizes().len() - 1;
            let mut ties = NO_TIES;
            ties[0][other] = tie_of(per_size[0], per_size[other], neither);
            return (per_size, ties);
        }
        let both = [0, 1, 2, 3].map(|suit| BOTH[unseen.in_suit(suit).min(13)]);
        let mut ties = NO_TIES;
        let sizes = unseen.sizes();
        for (i, size) in sizes.iter().enumerate() {
            let (n, total) = (i64::from(size.tiles), i64::from(unseen.total));
            let others = 3 * total - 4 * (n - 5);
            if n < 5 || others <= 0 {
                continue;
            }
            // x / 5 in 1/1024.
            let dense = ((total << 10) - ((3 * total * (total - n)) << 10) / others) / 5;
            for j in i..sizes.len() {
                let mut rises = [0; 4];
                for (suit, rise) in rises.iter_mut().enumerate() {
                    let then = after[j][suit].max(alone[j][suit]);
                    *rise = ((then - alone[j][suit]) as i64 * dense) >> 10;
                }
                let all: i64 = rises.iter().sum();
                let mut excess = 0;
                for suit in 0..4 {
                    let apart = alone[j][suit] * (1000 - both[suit]) / 1000;
                    excess += alone[i][suit] as i64 * (all - rises[suit] - apart as i64);
                }
                ties[i][j] = tie(per_size[i], per_size[j], excess >> 30);
            }
        }
        (per_size, ties)
    }

    /// Hands of n tiles whose best five of each suit are among those `within` counts.
    fn without(&self, within: &[Poly; 4], n: usize) -> u64 {
        let mut sum = self.none[n];
        for (poly, others) in within.iter().zip(&self.three) {
            sum += coefficient(poly, others, n);
        }
        for (&(a, b), others) in TWO_SUITS.iter().zip(&self.two) {
            for c in 5..=n.saturating_sub(5) {
                for d in 5..=n - c {
                    sum += within[a][c] * within[b][d] * others[n - c - d];
                }
            }
        }
        sum
    }
}
