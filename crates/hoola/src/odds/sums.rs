//! How likely it is that a hand of unseen cards has a small sum: weighted subset counts by size and
//! sum, exact for the weights given.
//!
//! A hand of `c` cards out of the unseen ones is taken to be H with a chance in proportion to the
//! product of its cards' weights. With all weights equal this is a uniform deal.
//!
//! People keep low cards and throw high ones, so an unseen low card is likelier to sit in a hand
//! than in the deck. With the parameter `tilt` t (thousandths), a card of value v weighs
//!
//! `w(v) = max(0.02, 1 + t / 1000 x g x (7 - v) / 6)`, `g = min(turns, 8) / 8`,
//!
//! where `turns` are the turns that the seat has begun: a hand is uniform at the deal, and each turn
//! shapes it further. Weights are whole 1/256.

use crate::card::{RANKS, rank, value};
use evenhand_contract::{Cards, Ppm};

/// Turns after which a hand is as tilted as it gets.
const FULL_TILT_TURNS: i64 = 8;
/// One, as a weight.
const ONE: i64 = 256;
/// The lowest weight: 0.02.
const LEAST: i64 = 5;
/// The largest hand whose sum can be at or below [`MOST_SUM`]: 1, 1, 1, 1, 2, 2, 2, 2, 3 is 15.
const MOST_CARDS: usize = 9;
/// The highest sum that is asked about: the highest line of a plain stop.
pub(crate) const MOST_SUM: u32 = 15;
/// Sums that are told apart: 0 to [`MOST_SUM`].
pub(crate) const SUMS: usize = MOST_SUM as usize + 1;

/// The weight of each rank, in 1/256.
pub(crate) type Weights = [u64; RANKS as usize];

/// The weights of a seat's cards by the formula above.
#[inline]
#[must_use]
pub(crate) fn weights(tilt: i64, turns: u8) -> Weights {
    let grown = i64::from(turns).min(FULL_TILT_TURNS);
    std::array::from_fn(|rank| {
        let away = 7 - i64::from(value(4 * rank as u8));
        // Rounded towards zero; tilt x growth x distance is below 2^63 for any tilt of the game.
        let tilted = ONE * tilt * grown * away / (1_000 * FULL_TILT_TURNS * 6);
        (ONE + tilted).max(LEAST) as u64
    })
}

/// How many cards of each rank are in a set.
#[inline]
#[must_use]
pub(crate) fn by_rank(cards: Cards) -> [u8; RANKS as usize] {
    let mut counts = [0; RANKS as usize];
    for id in cards {
        counts[usize::from(rank(id))] += 1;
    }
    counts
}

/// C(n, k) for up to four cards of a rank.
const CHOOSE: [[u128; 5]; 5] = [
    [1, 0, 0, 0, 0],
    [1, 1, 0, 0, 0],
    [1, 2, 1, 0, 0],
    [1, 3, 3, 1, 0],
    [1, 4, 6, 4, 1],
];

/// The weight of all hands of `size` cards by their sum, 0 to [`MOST_SUM`], and the weight of all
/// hands of `size` cards.
///
/// The generating function of rank r with n unseen cards of weight w and value v is
/// `sum over k of C(n, k) w^k x^k y^(k v)`; their product, cut off behind x^size and y^15, is built
/// up rank by rank. A weight is at most 5 x 256 < 2^10.4 (for the highest tilt) and a hand of 9 out
/// of 52 cards has fewer than 2^32 choices, so nothing exceeds 2^126; larger hands are above every
/// line anyway.
#[must_use]
pub(crate) fn by_sum(
    unseen: &[u8; RANKS as usize],
    size: usize,
    weights: &Weights,
) -> ([u128; SUMS], u128) {
    if size > MOST_CARDS {
        return ([0; SUMS], 1);
    }
    let mut part = [[0u128; SUMS]; MOST_CARDS + 1];
    let mut whole = [0u128; MOST_CARDS + 1];
    part[0][0] = 1;
    whole[0] = 1;
    for (rank, (&count, &weight)) in unseen.iter().zip(weights).enumerate() {
        let count = usize::from(count.min(4));
        if count == 0 {
            continue;
        }
        let value = rank + 1;
        let mut terms = [1u128; 5];
        for k in 1..=count {
            terms[k] = terms[k - 1] * u128::from(weight);
        }
        for (k, term) in terms.iter_mut().enumerate().take(count + 1) {
            *term *= CHOOSE[count][k];
        }
        // From the largest size down, so that a row is read before this rank is in it.
        for cards in (1..=size).rev() {
            for k in 1..=count.min(cards) {
                whole[cards] += terms[k] * whole[cards - k];
                for sum in k * value..SUMS {
                    part[cards][sum] += terms[k] * part[cards - k][sum - k * value];
                }
            }
        }
    }
    (part[size], whole[size])
}

/// The chances that a hand of `size` unseen cards has a sum above each of 0 to [`MOST_SUM`]. Certain
/// where there are not so many unseen cards at all.
#[must_use]
pub(crate) fn above_each(
    unseen: &[u8; RANKS as usize],
    size: usize,
    weights: &Weights,
) -> [Ppm; SUMS] {
    let (part, whole) = by_sum(unseen, size, weights);
    if whole == 0 {
        return [Ppm::ONE; SUMS];
    }
    // Both by a power of two, until the product with two million fits.
    let excess = 100_u32.saturating_sub(whole.leading_zeros());
    let mut below = 0;
    part.map(|weight| {
        below += weight;
        let (below, whole) = (below >> excess, whole >> excess);
        Ppm::clamped(((below * 2_000_000 + whole) / (2 * whole)) as i64).not()
    })
}

/// The chance that a hand of `size` unseen cards has a sum above `sum`, which is at most
/// [`MOST_SUM`].
#[must_use]
pub(crate) fn above(
    unseen: &[u8; RANKS as usize],
    size: usize,
    sum: u32,
    weights: &Weights,
) -> Ppm {
    above_each(unseen, size, weights)[(sum as usize).min(SUMS - 1)]
}
