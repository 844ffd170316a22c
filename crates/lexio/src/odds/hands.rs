//! From one hand to all hands.
//!
//! Hands are not independent: a full house in one hand leaves fewer triples, but denser, for the
//! next. Next to the product over hands stands, for each two hands and each cause of being beaten,
//! the ratio by which the chance that neither has the cause differs from the product of theirs.

use super::unseen::{ONE, Unseen, times};

/// By the sizes of two hands, the ratio of "neither" to the product, 30 bits. Only cells on and
/// above the diagonal are filled.
pub(super) type Ties = [[u64; 5]; 5];
/// Hands that have nothing to do with each other.
pub(super) const NO_TIES: Ties = [[ONE; 5]; 5];

/// The ratio for two hands that miss something with chances q and r and both have it with chance
/// (1 - q) (1 - r) + excess: 1 + excess / (q r). Neither can be likelier than either alone.
pub(super) fn tie(q: u64, r: u64, excess: i64) -> u64 {
    let apart = times(q, r) as i64;
    let neither = (apart + excess).clamp(0, q.min(r) as i64);
    tie_of(q, r, neither as u64)
}

/// The ratio for two hands that miss something with chances q and r, and both with chance
/// `neither`. Where both hardly ever miss it, it does not matter, and rounding would blow it up.
pub(super) fn tie_of(q: u64, r: u64, neither: u64) -> u64 {
    let apart = times(q, r);
    if apart < ONE >> 18 {
        return ONE;
    }
    (neither << 30) / apart
}

/// Ties of hands by the chances that they have something, when that of the second is p' once the
/// first is known to have it, the odds of p' being those of p times `ratio` / 1024.
pub(super) fn ties_by_odds(chances: &[u64; 5], ratio: u64) -> Ties {
    let mut ties = NO_TIES;
    for i in 0..5 {
        for j in i..5 {
            let p = chances[j];
            if p == 0 || p >= ONE || chances[i] == 0 {
                continue;
            }
            let odds = p * ratio;
            let then = (u128::from(odds) << 30) / u128::from(((ONE - p) << 10) + odds);
            let excess = (chances[i] as i64 * (then as i64 - p as i64)) >> 30;
            ties[i][j] = tie(ONE - chances[i], ONE - p, excess);
        }
    }
    ties
}

/// Chance that no hand at all holds a beater: the product over hands, and over each two of them of
/// the ties of every cause.
pub(super) fn all_hands(unseen: &Unseen, per_size: &[u64; 5], causes: &[&Ties]) -> u64 {
    let sizes = unseen.sizes();
    let mut none = ONE;
    for (chance, size) in per_size.iter().zip(sizes) {
        for _ in 0..size.seats {
            none = times(none, *chance);
        }
    }
    for (i, first) in sizes.iter().enumerate() {
        for (j, second) in sizes.iter().enumerate().skip(i) {
            let pairs = if i == j {
                first.seats * (first.seats - 1) / 2
            } else {
                first.seats * second.seats
            };
            for ties in causes {
                for _ in 0..pairs {
                    let product = u128::from(none) * u128::from(ties[i][j]);
                    none = ((product >> 30) as u64).min(ONE);
                }
            }
        }
    }
    none
}

/// Chance that two hands miss something, given those that each does and their tie.
pub(super) fn both(q: u64, r: u64, tie: u64) -> u64 {
    let product = u128::from(times(q, r)) * u128::from(tie);
    ((product >> 30) as u64).min(ONE)
}
