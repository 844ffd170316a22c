//! Full houses and fours in one hand, by rank-count polynomials.
//!
//! A hand of n >= 5 tiles holds neither a full house with a triple above rank r nor four of a
//! number exactly when no rank has four and either
//! - no rank above r has three (ranks up to r have 0 to 3, ranks above it 0 to 2), or
//! - exactly one rank above r has three and every other rank has at most one.
//!
//! With u_k tiles of rank k unseen, the first kind is the coefficient of t^n in
//! prod_{k <= r} (1 + u t + C(u,2) t^2 + C(u,3) t^3) prod_{k > r} (1 + u t + C(u,2) t^2), the second
//! sum_{k > r} C(u_k,3) [t^(n-3)] prod_{j != k} (1 + u_j t).

use super::hands::{NO_TIES, Ties, tie_of, ties_by_odds};
use super::unseen::{CHOOSE, MAX_HAND, ONE, Poly, UNIT, Unseen, coefficient, fraction};
use crate::tile::RANKS;

/// From so many tiles on nearly every hand with a triple has a pair beside it.
const CROWD: u8 = 10;
/// From so many unseen tiles on a few tiles less will do for the smaller hand.
const WIDE: u8 = 30;
const CELLS: usize = RANKS as usize + 1;

/// Counts of hands without a beating full house or four.
#[derive(Clone, Debug)]
pub(super) struct House {
    /// `upto[k]`: ranks below k, 0 to 3 of each.
    upto: [Poly; CELLS],
    /// `from[k]`: ranks k and above, 0 to 2 of each.
    from: [Poly; CELLS],
    /// prod (1 + u t).
    singles: Poly,
    /// The same without one rank that has three unseen, and without one that has four.
    singles_without: [Poly; 2],
    /// Ranks k and above with three unseen, and with four.
    triples: [[u64; 2]; CELLS],
}

impl Default for House {
    fn default() -> Self {
        Self {
            upto: [[0; MAX_HAND + 1]; CELLS],
            from: [[0; MAX_HAND + 1]; CELLS],
            singles: UNIT,
            singles_without: [[0; MAX_HAND + 1]; 2],
            triples: [[0; 2]; CELLS],
        }
    }
}

/// C(u, 2) and C(u, 3) for u up to 4.
pub(super) const PAIRS: [u64; 5] = [0, 0, 1, 3, 6];
pub(super) const TRIPLES: [u64; 5] = [0, 0, 0, 1, 4];

impl House {
    pub(super) fn fill(&mut self, unseen: &Unseen) {
        let top = unseen.largest();
        let ranks = usize::from(RANKS);
        self.upto[0] = UNIT;
        for rank in 0..ranks {
            let u = usize::from(unseen.by_rank[rank]);
            let (one, two, three) = (u as u64, PAIRS[u], TRIPLES[u]);
            let old = &self.upto[rank];
            let mut new = *old;
            for n in 1..=top {
                new[n] += one * old[n - 1];
                if n > 1 {
                    new[n] += two * old[n - 2];
                }
                if n > 2 {
                    new[n] += three * old[n - 3];
                }
            }
            self.upto[rank + 1] = new;
        }
        let mut singles = UNIT;
        self.from[ranks] = UNIT;
        self.triples[ranks] = [0, 0];
        for rank in (0..ranks).rev() {
            let u = usize::from(unseen.by_rank[rank]);
            let (one, two) = (u as u64, PAIRS[u]);
            let old = &self.from[rank + 1];
            let mut new = *old;
            for n in 1..=top {
                new[n] += one * old[n - 1];
                if n > 1 {
                    new[n] += two * old[n - 2];
                }
            }
            self.from[rank] = new;
            for n in (1..=top).rev() {
                singles[n] += one * singles[n - 1];
            }
            let mut triples = self.triples[rank + 1];
            if u >= 3 {
                triples[u - 3] += 1;
            }
            self.triples[rank] = triples;
        }
        self.singles = singles;
        // Division by (1 + u t): q_n = e_n - u q_(n-1).
        for (u, quotient) in [3, 4].into_iter().zip(&mut self.singles_without) {
            if self.triples[0][u as usize - 3] == 0 {
                *quotient = [0; MAX_HAND + 1];
                continue;
            }
            let mut before = 0;
            for (q, e) in quotient.iter_mut().zip(singles).take(top + 1) {
                *q = e - u * before;
                before = *q;
            }
        }
    }

    /// Hands of n >= 5 tiles without four of a number and without a full house whose triple is of
    /// rank `first` or above.
    #[inline]
    pub(super) fn without(&self, first: usize, n: usize) -> u64 {
        coefficient(&self.upto[first], &self.from[first], n) + self.one_triple(first, n)
    }

    /// Hands with exactly one triple, of rank `first` or above, and else only single tiles.
    #[inline]
    pub(super) fn one_triple(&self, first: usize, n: usize) -> u64 {
        let [threes, fours] = self.triples[first];
        threes * self.singles_without[0][n - 3] + 4 * fours * self.singles_without[1][n - 3]
    }

    /// Hands with at most one of every rank.
    #[inline]
    pub(super) fn singles(&self, n: usize) -> u64 {
        self.singles[n]
    }

    /// Hands with at most two of every rank.
    #[inline]
    pub(super) fn at_most_two(&self, n: usize) -> u64 {
        self.from[0][n]
    }
}

/// How hands depend on each other in full houses (and fours) with a triple of rank `first` or
/// above; `chances` by size. Exact for just two hands.
pub(super) fn ties(unseen: &Unseen, first: usize, chances: &[u64; 5]) -> Ties {
    let Some((n, n2)) = unseen.two_hands() else {
        let mut ties = ties_by_odds(chances, after_another(unseen, first));
        let sizes = unseen.sizes();
        let crowded = |i: usize, j: usize| {
            let [Some(one), Some(other)] = [sizes.get(i), sizes.get(j)] else {
                return false;
            };
            let least = if unseen.total >= WIDE {
                CROWD - 3
            } else {
                CROWD
            };
            one.tiles >= CROWD && other.tiles >= least
        };
        let pairs = || (0..5).flat_map(|i| (i..5).map(move |j| (i, j)));
        if pairs().any(|(i, j)| crowded(i, j)) {
            let crowds = crowds(unseen, CROWD - 3, |rank, u| match (u, rank >= first) {
                (3, true) => (-1, 0),
                (4, true) => (-4, 3),
                (4, false) => (0, -1),
                _ => (0, 0),
            });
            for (i, j) in pairs().filter(|&(i, j)| crowded(i, j)) {
                ties[i][j] = crowds[i][j];
            }
        }
        return ties;
    };
    let neither = fraction(neither(unseen, first, n, n2), unseen.hands(n));
    let other = unseen.sizes().len() - 1;
    let mut ties = NO_TIES;
    ties[0][other] = tie_of(ONE - chances[0], ONE - chances[other], neither);
    ties
}

/// By how much the expected number of full houses with a triple of rank `first` or above rises in
/// one hand when another one is known to hold such a full house, in 1/1024.
///
/// With T_k and P_k the triples and pairs of rank k unseen, the full houses are
/// H = sum_k T_k (S - P_k), S = sum P. Gone are three tiles of k and two of l: no triple is left of
/// either, and P'_l = 1 pair of l where four were unseen. The rest is averaged with weights
/// T_k P_l, and each combination's chance rises from (n)_5 / (N)_5 to (n)_5 / (N - 5)_5.
fn after_another(unseen: &Unseen, first: usize) -> u64 {
    // Ranks by class: tiles unseen 2 to 4, below `first` and from it on.
    let mut classes = [[0u64; 2]; 5];
    for (rank, &u) in unseen.by_rank.iter().enumerate() {
        classes[usize::from(u)][usize::from(rank >= first)] += 1;
    }
    let (mut triples, mut shared, mut pairs) = (0, 0, 0);
    for u in 2..5 {
        triples += TRIPLES[u] * classes[u][1];
        shared += TRIPLES[u] * PAIRS[u] * classes[u][1];
        pairs += PAIRS[u] * (classes[u][0] + classes[u][1]);
    }
    let all = triples * pairs - shared;
    let total = u64::from(unseen.total);
    if all == 0 || total < 10 {
        return 0;
    }
    let (mut weight, mut sum) = (0, 0);
    for k in 3..5 {
        for l in 2..5 {
            for high in 0..2 {
                let others =
                    classes[l][high] - u64::from(high == 1 && k == l).min(classes[l][high]);
                let w = TRIPLES[k] * classes[k][1] * PAIRS[l] * others;
                if w == 0 {
                    continue;
                }
                let of_l = TRIPLES[l] * high as u64;
                let left_pairs = pairs - PAIRS[k] - PAIRS[l] + u64::from(l == 4);
                let left = (triples - TRIPLES[k] - of_l) * left_pairs
                    - (shared - TRIPLES[k] * PAIRS[k] - of_l * PAIRS[l]);
                weight += w;
                sum += w * left;
            }
        }
    }
    // The sum is below 2^30 and all x weight below 2^26: ratio first, then density.
    let ratio = (sum << 20) / (weight * all).max(1);
    let falling = |n: u64| n * (n - 1) * (n - 2) * (n - 3) * (n - 4);
    ((ratio * falling(total) / falling(total - 5)) >> 10).min(1 << 20)
}

/// How two hands depend on each other in fours of rank `first` or above.
pub(super) fn fours(unseen: &Unseen, first: usize) -> Ties {
    crowds(unseen, 5, |rank, u| {
        (0, -i64::from(u == 4 && rank >= first))
    })
}

/// How two of more hands depend on each other in crowded ranks: four of any rank, three of rank
/// `first` or above. `factor` gives a rank's coefficients of x^3 and x^4 in what follows. Hands with one triple and else single tiles are rare beside those without.
///
/// Inclusion and exclusion over the ranks: i tiles of a rank in a hand make i >= 3 as often as
/// C(i, 3) - 3 C(i, 4), and i = 4 as often as C(i, 4). Over both hands a rank of four unseen tiles
/// gives the factor 1 - (4 x^3 - 3 x^4) - (4 y^3 - 3 y^4) from `first` up and 1 - x^4 - y^4 below
/// it, one of three 1 - x^3 - y^3; and x^a y^b stands for the chance
/// that a given tiles lie in the one hand and b given ones in the other,
/// C(N - a - b, n - a) C(N - n - b, m - b) / (C(N, n) C(N - n, m)).
fn crowds(unseen: &Unseen, least: u8, factor: impl Fn(usize, u8) -> (i64, i64)) -> Ties {
    let top = unseen.largest();
    let mut ways = [[0i64; MAX_HAND + 1]; MAX_HAND + 1];
    ways[0][0] = 1;
    let mut reach = 0;
    for (rank, &u) in unseen.by_rank.iter().enumerate() {
        let (three, four) = factor(rank, u);
        if (three, four) == (0, 0) {
            continue;
        }
        reach = (reach + 4).min(top);
        for a in (0..=reach).rev() {
            for b in (0..=reach).rev() {
                let mut sum = ways[a][b];
                if a >= 3 {
                    sum += three * ways[a - 3][b];
                }
                if b >= 3 {
                    sum += three * ways[a][b - 3];
                }
                if a >= 4 {
                    sum += four * ways[a - 4][b];
                }
                if b >= 4 {
                    sum += four * ways[a][b - 4];
                }
                ways[a][b] = sum;
            }
        }
    }
    let total = usize::from(unseen.total);
    let mut ties = NO_TIES;
    let sizes = unseen.sizes();
    let mut alone = [ONE; 5];
    for (alone, size) in alone.iter_mut().zip(sizes) {
        let n = usize::from(size.tiles);
        let sum: i128 = (0..=n.min(reach))
            .map(|a| i128::from(ways[a][0]) * i128::from(CHOOSE[total - a][n - a]))
            .sum();
        *alone = (sum.max(0) as u128 * u128::from(ONE) / u128::from(CHOOSE[total][n])) as u64;
    }
    for (i, one) in sizes.iter().enumerate() {
        for (j, other) in sizes.iter().enumerate().skip(i) {
            let (n, m) = (usize::from(one.tiles), usize::from(other.tiles));
            if other.tiles < least || n + m > total || (i == j && one.seats == 1) {
                continue;
            }
            let mut sum = 0;
            for (a, ways) in ways.iter().enumerate().take(n.min(reach) + 1) {
                for (b, &ways) in ways.iter().enumerate().take(m.min(reach) + 1) {
                    if ways != 0 {
                        let deals = u128::from(CHOOSE[total - a - b][n - a])
                            * u128::from(CHOOSE[total - n - b][m - b]);
                        sum += i128::from(ways) * deals as i128;
                    }
                }
            }
            let deals = u128::from(CHOOSE[total][n]) * u128::from(CHOOSE[total - n][m]);
            let neither = (sum.max(0) as u128 * u128::from(ONE) / deals) as u64;
            ties[i][j] = tie_of(alone[i], alone[j], neither);
        }
    }
    ties
}

/// With just two hands: deals in which neither holds four of a number nor a full house with a
/// triple of rank `first` or above; n tiles in the first hand, the rest, n2, in the other.
///
/// Each hand is free in one of the two ways of the module's head. By rank, with j of u tiles in the
/// first hand:
/// - both without a triple from `first` up: j <= 2 and u - j <= 2 there, j <= 3 and u - j <= 3 below;
/// - one hand with one triple and else single tiles, the other without: one rank gives three to the
///   former, all others at most one, and what is left of each is free for the latter;
/// - each hand with one triple: only when no third rank has three tiles unseen.
fn neither(unseen: &Unseen, first: usize, n: usize, n2: usize) -> u64 {
    let ranks = || {
        unseen.by_rank[..usize::from(RANKS)]
            .iter()
            .map(|&u| usize::from(u))
    };
    let mut both = UNIT;
    // Products over ranks without and with the one triple, for the triple in either hand.
    let mut single = [UNIT; 2];
    let mut triple = [[0; MAX_HAND + 1]; 2];
    for (rank, u) in ranks().enumerate() {
        let most = if rank >= first { 2 } else { 3 };
        let mut free = [0; 5];
        for (j, ways) in free.iter_mut().enumerate().take(u + 1) {
            if j <= most && u - j <= most {
                *ways = CHOOSE[u][j];
            }
        }
        both = times_rank(&both, &free, n);
        for (hand, (single, triple)) in single.iter_mut().zip(&mut triple).enumerate() {
            // j tiles in the hand that has the triple, counted by those of the first hand.
            let mut one = [0; 5];
            let mut three = [0; 5];
            for (j, &ways) in CHOOSE[u].iter().enumerate().take(u + 1) {
                let place = if hand == 0 { j } else { u - j };
                if j <= 1 && u - j <= most {
                    one[place] = ways;
                }
                if j == 3 && rank >= first {
                    three[place] = ways;
                }
            }
            let with = times_rank(single, &three, n);
            *triple = times_rank(triple, &one, n);
            for (sum, ways) in triple.iter_mut().zip(with) {
                *sum += ways;
            }
            *single = times_rank(single, &one, n);
        }
    }
    let mut sum = both[n] + triple[0][n] + triple[1][n];
    let many: Vec2 = ranks().enumerate().filter(|r| r.1 >= 3).collect();
    if let [Some((low, u)), Some((_, v))] = many.0
        && many.1 == 2
        && low >= first
    {
        let (twos, ones) = ranks().fold((0, 0), |(twos, ones), u| {
            (twos + usize::from(u == 2), ones + usize::from(u == 1))
        });
        for (own, other) in [(u, v), (v, u)] {
            // The first hand has three of one, the other hand three of the other.
            if let Some(more) = n.checked_sub(3 + (other - 3) + twos)
                && n2 >= 3 + (own - 3) + twos
            {
                sum += TRIPLES[u] * TRIPLES[v] * (1 << twos) * CHOOSE[ones][more];
            }
        }
    }
    sum
}

/// The first two items, and how many there were.
struct Vec2([Option<(usize, usize)>; 2], usize);

impl FromIterator<(usize, usize)> for Vec2 {
    fn from_iter<I: IntoIterator<Item = (usize, usize)>>(items: I) -> Self {
        let mut out = Self([None; 2], 0);
        for item in items {
            if let Some(place) = out.0.get_mut(out.1) {
                *place = Some(item);
            }
            out.1 += 1;
        }
        out
    }
}

/// A polynomial times that of one rank, up to degree n.
fn times_rank(poly: &Poly, rank: &[u64; 5], n: usize) -> Poly {
    let mut out = [0; MAX_HAND + 1];
    for (j, &ways) in rank.iter().enumerate() {
        if ways > 0 {
            for c in j..=n {
                out[c] += ways * poly[c - j];
            }
        }
    }
    out
}
