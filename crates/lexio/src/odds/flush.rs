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
    CHOOSE, MAX_HAND, ONE, Poly, UNIT, Unseen, choose, coefficient, fraction, product, times,
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
    /// By sizes of two hands: chance that the first has five of suit s and the second five of t.
    both: [[[[u64; 4]; 4]; 5]; 5],
    /// By size: chance to have five of suit s.
    five: [[u64; 4]; 5],
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

    /// By tiles c >= 5 of `suit` in a hand: share of those choices whose best five do not beat this,
    /// 30 bits, when a choice of ranks is as likely as the product of their weights (of 6 bits).
    pub(super) fn shares(&self, unseen: u16, suit: u8, weights: &[u64; 16]) -> [u64; MAX_HAND + 1] {
        // Sums over all choices of c of the lowest ranks.
        let mut sums = [[0u128; MAX_HAND + 1]; 16];
        sums[0][0] = 1;
        let mut below = 0;
        for rank in (0..15).filter(|rank| unseen >> rank & 1 == 1) {
            let old = sums[below];
            let mut new = old;
            for c in 1..=(below + 1).min(MAX_HAND) {
                new[c] += u128::from(weights[rank]) * old[c - 1];
            }
            below += 1;
            sums[below] = new;
        }
        let mut shares = [ONE; MAX_HAND + 1];
        let rooms = self.rooms(unseen, suit);
        for (c, share) in shares.iter_mut().enumerate().take(below + 1).skip(5) {
            let mut within = 0u128;
            let mut before = 1u128;
            for (place, room) in rooms.into_iter().enumerate() {
                let Some(room) = room else { break };
                within += before * sums[usize::from(room)][c - place];
                if let Some(&rank) = self.ranks.get(place) {
                    before *= u128::from(weights[usize::from(rank)]);
                }
            }
            // At most 13 weights and a binomial: below 2^91.
            *share = ((within << 30) / sums[below][c].max(1)) as u64;
        }
        shares
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

/// By suit, ways to take c >= 5 tiles of it whose best five do not beat the target, and whose best
/// five do (all of them without a target).
pub(super) fn tiles(unseen: &Unseen, target: Option<&Target>) -> [[Poly; 4]; 2] {
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
    [within, above]
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
        self.five = [[0; 4]; 5];
        self.both = [[[[0; 4]; 4]; 5]; 5];
        if unseen.two_hands().is_none() {
            self.fill_both(unseen);
        }
    }

    /// Fills in what two hands have together.
    ///
    /// When hand i has c tiles of suit s and c' of suit t, which it does in
    /// C(u_s, c) C(u_t, c') C(N - u_s - u_t, n - c - c') ways, u_t - c' of suit t are left among
    /// N - n tiles for hand j.
    fn fill_both(&mut self, unseen: &Unseen) {
        let total = usize::from(unseen.total);
        let sizes = unseen.sizes();
        for (i, first) in sizes.iter().enumerate() {
            let n = usize::from(first.tiles);
            if n < 5 {
                continue;
            }
            let hands = unseen.hands(n);
            for suit in 0..4 {
                let u = unseen.in_suit(suit);
                let ways = (5..=n.min(u)).map(|c| CHOOSE[u][c] * choose((total - u) as u8, n - c));
                self.five[i][suit] = fraction(ways.sum(), hands);
            }
            for (j, second) in sizes.iter().enumerate().skip(i) {
                let m = usize::from(second.tiles);
                if m < 5 || n + m > total || (i == j && first.seats == 1) {
                    continue;
                }
                let left = total - n;
                // Chance that the second hand has five of a suit of which so many are left.
                let mut then = [0; 16];
                for (v, then) in then.iter_mut().enumerate().skip(5) {
                    if v <= left {
                        let ways = (5..=m.min(v)).map(|c| CHOOSE[v][c] * CHOOSE[left - v][m - c]);
                        *then = fraction(ways.sum(), CHOOSE[left][m]) >> 4;
                    }
                }
                for s in 0..4 {
                    let u = unseen.in_suit(s);
                    for t in 0..4 {
                        let v = unseen.in_suit(t);
                        let mut sum = 0;
                        if u < 5 || v < 5 {
                            continue;
                        }
                        if s == t {
                            for (c, ways) in CHOOSE[u].iter().enumerate().take(n.min(u) + 1).skip(5)
                            {
                                let ways = ways * CHOOSE[total - u][n - c];
                                sum += fraction(ways, hands) * then[u - c];
                            }
                        } else {
                            let others = (total - u - v) as u8;
                            for (c, &first) in
                                CHOOSE[u].iter().enumerate().take(n.min(u) + 1).skip(5)
                            {
                                for d in 0..=(n - c).min(v - 5) {
                                    let all = CHOOSE[v][d] * choose(others, n - c - d);
                                    sum += fraction(first * all, hands) * then[v - d];
                                }
                            }
                        }
                        self.both[i][j][s][t] = sum >> 26;
                    }
                }
            }
        }
    }

    /// Chances that a flush above the target (any five of one suit without one) is in no hand, per
    /// hand size in `sizes`, and how two hands depend on each other, by their sizes.
    ///
    /// That hand i has it in suit s and hand j in suit t is taken as often true of five of these
    /// suits in these hands as of each hand by itself.
    pub(super) fn none(&self, unseen: &Unseen, target: Option<&Target>) -> ([u64; 5], Ties) {
        let [within, above] = tiles(unseen, target);
        let total = usize::from(unseen.total);
        let mut per_size = [ONE; 5];
        let mut alone = [[0; 4]; 5];
        let mut share = [[0; 4]; 5];
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
                let here = fraction(coefficient(above, &CHOOSE[others], n), hands);
                alone[i][suit] = here;
                share[i][suit] = (here << 30) / self.five[i][suit].max(here).max(1);
            }
        }
        let mut ties = NO_TIES;
        if let Some((n, _)) = unseen.two_hands() {
            let neither = fraction(neither(unseen, &above, n), unseen.hands(n));
            let other = unseen.sizes().len() - 1;
            ties[0][other] = tie_of(per_size[0], per_size[other], neither);
            return (per_size, ties);
        }
        let sizes = unseen.sizes();
        for (i, first) in sizes.iter().enumerate() {
            for (j, second) in sizes.iter().enumerate().skip(i) {
                if second.tiles < 5 || (i == j && first.seats == 1) {
                    continue;
                }
                let mut excess = 0;
                for s in 0..4 {
                    for t in 0..4 {
                        // Of one suit both need the same high ranks.
                        let shares = if s == t {
                            (share[i][s] + share[j][t]).saturating_sub(ONE)
                        } else {
                            times(share[i][s], share[j][t])
                        };
                        let both = times(self.both[i][j][s][t], shares);
                        excess += both as i64 - times(alone[i][s], alone[j][t]) as i64;
                    }
                }
                ties[i][j] = tie(per_size[i], per_size[j], excess);
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
