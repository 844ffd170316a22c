//! Just two hands: deals in which neither holds a full house or four of a number, by how the suits
//! are split between them.
//!
//! A walk over the ranks; at each, any set of its unseen suits goes to the first hand and the rest
//! to the other. The state is how many tiles of each suit the first hand has. Each hand is free of
//! full houses in one of two ways: at most two of every rank, or one triple and else single tiles;
//! whether its triple has come is part of the state in the latter.
//!
//! Given how a suit is split, which of its ranks lie where is taken as open: then the deals without
//! a flush above a target are a share of each split, suit by suit. For any five of one suit that
//! share is 0 or 1, and the count exact.

use super::flush::Target;
use super::unseen::{MAX_HAND, ONE, Unseen, times};
use crate::tile::RANKS;

/// Most tiles that two hands have when three play; also in one suit.
const MOST: usize = 24;
const MOST_IN_SUIT: usize = 9;
/// Most ways to split the suits between one hand and the rest.
const MOST_STATES: usize = 5_000;

/// The splits of the suits, and how many deals without full houses have each.
#[derive(Clone, Debug, Default)]
pub(super) struct Splits {
    /// By size of hand: tiles of each suit in it, and the deals.
    splits: [Vec<([u8; 4], u64)>; 5],
    /// Room for the walk.
    room: [Layers; 2],
}

/// Ways by state, for each set of triples that have come: bit 0 the first hand's, bit 1 the
/// other's. With at most 24 tiles in four suits there are at most 7^4 states; with at most 32 tiles
/// in two hands, or in one and beside it, fewer than 2^32 ways.
type Layers = [Vec<u64>; 4];

/// By suit and tiles of it in the first hand: share of the splits without a flush, 30 bits.
pub(super) type Shares = [[u64; MAX_HAND + 1]; 4];

/// Whether the splits of two hands can be counted.
pub(super) fn fits(unseen: &Unseen) -> bool {
    usize::from(unseen.total) <= MOST && (0..4).all(|s| unseen.in_suit(s) <= MOST_IN_SUIT)
}

/// Whether the splits of one hand can be counted when there are more than two.
pub(super) fn fits_alone(unseen: &Unseen) -> bool {
    unseen.total <= 32 && (0..4).map(|s| unseen.in_suit(s) + 1).product::<usize>() <= MOST_STATES
}

/// The shares of splits in which one hand of n tiles has no flush above a target.
///
/// Of a rank with m more tiles unseen, a hand has a given one with odds
/// x (1 + m x + k C(m, 2) x^2) : 1 + m x + C(m, 2) x^2 + k C(m, 3) x^3, about, where x = n / (N - n)
/// and k is the share of hands with a triple that have no full house for it (1 - `crowded`).
pub(super) fn alone(unseen: &Unseen, n: usize, crowded: u64, target: &Target) -> Shares {
    let left = u64::from(unseen.total).saturating_sub(n as u64).max(1);
    // In 1/1024.
    let x = (((n as u64) << 10) / left).min(16 << 10);
    let keep = ONE.saturating_sub(crowded) >> 20;
    let odds = [0, 0, 1, 2, 3].map(|m: u64| {
        let pairs = (m * m.saturating_sub(1) / 2 * x * x) >> 10;
        let triples = if m == 3 {
            (((x * x) >> 10) * x) >> 10
        } else {
            0
        };
        let with = 1024 + m * x + ((pairs * keep) >> 10);
        let without = 1024 + m * x + pairs + ((triples * keep) >> 10);
        x * with / without
    });
    let most = odds.into_iter().max().unwrap_or(1).max(1);
    let weights = unseen
        .by_rank
        .map(|u| ((odds[usize::from(u)] << 6) / most).max(1));
    let mut shares = [[ONE; MAX_HAND + 1]; 4];
    for (suit, shares) in shares.iter_mut().enumerate() {
        if unseen.in_suit(suit) >= 5 {
            *shares = target.shares(unseen.by_suit[suit], suit as u8, &weights);
        }
    }
    shares
}

/// The shares of splits in which neither hand has five of a suit, of just two.
pub(super) fn any(unseen: &Unseen) -> Shares {
    let mut shares = [[ONE; MAX_HAND + 1]; 4];
    for (suit, shares) in shares.iter_mut().enumerate() {
        let all = unseen.in_suit(suit);
        for (c, share) in shares.iter_mut().enumerate().take(all + 1) {
            if c.max(all - c) >= 5 {
                *share = 0;
            }
        }
    }
    shares
}

/// The shares of splits in which neither hand has a flush above a target. Of at most nine tiles of
/// a suit only one hand has five.
///
/// A larger hand has more of the tiles of a suit, but not evenly: where three or four of a rank are
/// unseen each hand has one or two of them. With t the chance that the first hand has one tile of
/// a rank that has no other, it has a given one of three with chance (1 + t) / 3, one of four with
/// 1/2; and t so that it has n tiles in all, k_u ranks having u unseen:
/// t (k_1 + 2 k_2) + (1 + t) k_3 + 2 k_4 = n. A choice of ranks is as likely as the product of odds.
pub(super) fn above(unseen: &Unseen, n: usize, target: &Target) -> Shares {
    let many = |u: usize| {
        unseen
            .by_rank
            .iter()
            .filter(|&&v| usize::from(v) == u)
            .count()
    };
    let open = (many(1) + 2 * many(2) + many(3)).max(1) as u64;
    let open_tiles = n.saturating_sub(many(3) + 2 * many(4)) as u64;
    // In 1/1024.
    let t = ((open_tiles << 10) / open).clamp(32, 992);
    let chances = [t, t, t, (1024 + t) / 3, 512];
    let mut shares = [[ONE; MAX_HAND + 1]; 4];
    let weights = [0, 1].map(|hand| {
        let odds = chances.map(|p| {
            let p = if hand == 0 { p } else { 1024 - p };
            (p << 10) / (1024 - p)
        });
        let most = odds.into_iter().max().unwrap_or(1);
        let mut weights = [0; 16];
        for (weight, &u) in weights.iter_mut().zip(&unseen.by_rank) {
            *weight = ((odds[usize::from(u)] << 6) / most).max(1);
        }
        weights
    });
    for (suit, shares) in shares.iter_mut().enumerate() {
        let all = unseen.in_suit(suit);
        if all < 5 {
            continue;
        }
        let ranks = unseen.by_suit[suit];
        let [first, other] = weights.map(|weights| target.shares(ranks, suit as u8, &weights));
        for (c, share) in shares.iter_mut().enumerate().take(all + 1) {
            *share = if c >= 5 { first[c] } else { other[all - c] };
        }
    }
    shares
}

impl Splits {
    /// Counts for two hands, n tiles being in the first.
    pub(super) fn fill(&mut self, unseen: &Unseen, n: usize) {
        let many = |least: u8| unseen.by_rank.iter().filter(|&&u| u >= least).count();
        self.clear();
        let evenly = &[1024; 5];
        let (free, triple) = (Free::Pairs, Free::Triple);
        self.walk(unseen, 0, n, [free, free], evenly);
        // Of four tiles one hand without a triple can take only two.
        if many(3) >= 1 && many(4) <= 1 {
            self.walk(unseen, 0, n, [triple, free], evenly);
            self.walk(unseen, 0, n, [free, triple], evenly);
        }
        if many(3) == 2 {
            self.walk(unseen, 0, n, [triple, triple], evenly);
        }
    }

    /// Counts for one hand of each size, the others being free of full houses as well: by place of
    /// its size, and in units of 2^-16.
    ///
    /// A tile that it has not got is in another hand of m tiles with chance m / (N - n). Three or
    /// four of a rank in a hand count as far as such hands have a full house, which is the share
    /// `crowded` (30 bits) by size.
    pub(super) fn fill_alone(&mut self, unseen: &Unseen, crowded: &[u64; 5]) {
        self.clear();
        for (place, size) in unseen.sizes().iter().enumerate() {
            if size.tiles < 5 {
                continue;
            }
            let left = u64::from(unseen.total - size.tiles).max(1);
            let mut lost = [0; 2];
            for (other, share) in unseen.sizes().iter().zip(crowded) {
                let seats = other.seats - u8::from(other.tiles == size.tiles);
                if other.tiles < 5 || seats == 0 {
                    continue;
                }
                let y = (u64::from(other.tiles) << 30) / left;
                let cube = times(y, times(y, y));
                let seats = u64::from(seats);
                lost[0] += seats * times(*share, cube);
                lost[1] += seats
                    * times(
                        *share,
                        4 * times(cube, ONE.saturating_sub(y)) + times(cube, y),
                    );
            }
            // Of three and four tiles that it has not got.
            let rest = lost.map(|lost| ONE.saturating_sub(lost) >> 20);
            let weights = [1024, 1024, 1024, rest[0], rest[1]];
            let n = usize::from(size.tiles);
            self.walk(unseen, place, n, [Free::Pairs, Free::Any], &weights);
            self.walk(unseen, place, n, [Free::Triple, Free::Any], &weights);
        }
    }

    fn clear(&mut self) {
        for splits in &mut self.splits {
            splits.clear();
        }
    }

    /// Deals without a full house and without what the shares say, by place of the hand's size.
    pub(super) fn neither(&self, place: usize, shares: &Shares) -> u64 {
        let mut sum = 0;
        for (split, ways) in &self.splits[place] {
            let [a, b, c, d] = [0, 1, 2, 3].map(|suit| shares[suit][usize::from(split[suit])]);
            sum += u128::from(*ways) * u128::from(times(times(a, b), times(c, d)));
        }
        (sum >> 30) as u64
    }

    /// Deals in which each hand is free of full houses in its given way, with a triple or without.
    fn walk(
        &mut self,
        unseen: &Unseen,
        place_of: usize,
        n: usize,
        frees: [Free; 2],
        weights: &[u64; 5],
    ) {
        let in_suit = [0, 1, 2, 3].map(|suit| unseen.in_suit(suit));
        let mut place = [1; 4];
        for suit in 1..4 {
            place[suit] = place[suit - 1] * (in_suit[suit - 1] + 1);
        }
        let states = place[3] * (in_suit[3] + 1);
        let [one, other] = frees.map(|free| usize::from(free == Free::Triple));
        let flags = one + 2 * other;
        let possible = |f: &usize| f & flags == *f;
        let [before, after] = &mut self.room;
        for f in (0..4).filter(possible) {
            before[f].clear();
            before[f].resize(states, 0);
        }
        before[0][0] = 1 << 16;
        // States that can be reached lie below this.
        let mut reach = 1;
        for rank in 0..u32::from(RANKS) {
            let suits = (unseen.tiles.0 >> (4 * rank) & 0xf) as usize;
            if suits == 0 {
                continue;
            }
            let shift = |set: usize| -> usize {
                (0..4).filter(|s| set >> s & 1 == 1).map(|s| place[s]).sum()
            };
            for f in (0..4).filter(possible) {
                after[f].clear();
                after[f].resize(states, 0);
            }
            for mine in (0..16_usize).filter(|mine| mine & !suits == 0) {
                let (first, other) = (mine.count_ones(), (suits & !mine).count_ones());
                let shift = shift(mine);
                for from in (0..4).filter(possible) {
                    let (Some(a), Some(b)) = (
                        take(frees[0], from & 1 == 1, first),
                        take(frees[1], from & 2 == 2, other),
                    ) else {
                        continue;
                    };
                    let to = &mut after[usize::from(a) + 2 * usize::from(b)];
                    let source = &before[from][..reach];
                    let weight = weights[other as usize];
                    let to = &mut to[shift..shift + reach];
                    if weight == 1024 {
                        for (sum, ways) in to.iter_mut().zip(source) {
                            *sum += *ways;
                        }
                    } else {
                        for (sum, ways) in to.iter_mut().zip(source) {
                            *sum += (*ways * weight) >> 10;
                        }
                    }
                }
            }
            reach += shift(suits);
            std::mem::swap(before, after);
        }
        for (state, &ways) in before[flags].iter().enumerate() {
            if ways == 0 {
                continue;
            }
            let split = [0, 1, 2, 3].map(|s| (state / place[s] % (in_suit[s] + 1)) as u8);
            if usize::from(split.iter().sum::<u8>()) == n {
                self.splits[place_of].push((split, ways));
            }
        }
    }
}

/// How a hand is free of full houses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Free {
    /// At most two of every rank.
    Pairs,
    /// One triple, else single tiles.
    Triple,
    /// It need not be.
    Any,
}

/// Whether a hand's triple has come after taking `tiles` of a rank; `None` when they are too many.
const fn take(free: Free, come: bool, tiles: u32) -> Option<bool> {
    match (free, tiles) {
        (Free::Any, _) | (Free::Pairs, 0..=2) | (Free::Triple, 0 | 1) => Some(come),
        (Free::Triple, 3) if !come => Some(true),
        _ => None,
    }
}
