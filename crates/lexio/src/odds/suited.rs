//! Five of one suit in a hand that holds a run.
//!
//! Where the ranks of a run have few tiles unseen, a hand that holds it has tiles of a few suits,
//! and five of one of these come easily. Of a run's five tiles each is, of u unseen ones of its
//! rank, a given one with chance 1 / u; with j of them of suit s, the hand has five of the suit when
//! its other n - 5 tiles, of N - 5, hold 5 - j of the other u_s - j or more.

use super::unseen::{CHOOSE, ONE, Unseen, choose, fraction, times};

/// By what factor the chance that a hand of n tiles has no five of one suit changes when it holds a
/// run from `order` on, 30 bits: a mean over the runs, by the ways to hold each. The largest over
/// all stronger orders, so that fewer runs are never held more often.
pub(super) fn after_run(unseen: &Unseen, order: usize, n: usize) -> u64 {
    let total = usize::from(unseen.total);
    let runs = unseen.orders().masks();
    if n < 5 || total < n || order >= runs.len() {
        return ONE;
    }
    // By suit, chance to have none before, and by j to have none then.
    let mut before = ONE;
    let mut then = [[ONE; 6]; 4];
    for (suit, then) in then.iter_mut().enumerate() {
        let all = unseen.in_suit(suit);
        before = times(before, fewer(all, total, n, 5));
        for (j, none) in then.iter_mut().enumerate().take(all.min(5) + 1) {
            *none = fewer(all - j, total - 5, n - 5, 5 - j);
        }
    }
    let (mut weight, mut sum, mut most) = (0, 0, 0);
    for &run in runs[order..].iter().rev() {
        let ranks = || (0..15_usize).filter(|rank| run >> rank & 1 == 1);
        let ways: u64 = ranks().map(|r| u64::from(unseen.by_rank[r])).product();
        if ways == 0 {
            continue;
        }
        let mut none = ONE;
        for (suit, then) in then.iter().enumerate() {
            // Chances of j of the run's tiles being of the suit.
            let mut chances = [0; 6];
            chances[0] = ONE;
            for rank in ranks().filter(|r| unseen.by_suit[suit] >> r & 1 == 1) {
                let of_suit = ONE / u64::from(unseen.by_rank[rank]);
                for j in (0..6).rev() {
                    let one_less = if j == 0 {
                        0
                    } else {
                        times(chances[j - 1], of_suit)
                    };
                    chances[j] = times(chances[j], ONE - of_suit) + one_less;
                }
            }
            let here: u64 = chances.iter().zip(then).map(|(c, t)| times(*c, *t)).sum();
            none = times(none, here.min(ONE));
        }
        weight += ways;
        sum += ways * none;
        most = most.max(sum / weight);
    }
    if weight == 0 || before == 0 {
        return ONE;
    }
    (most << 30) / before
}

/// Chance that n tiles of `total` hold fewer than `most` of `suit` ones.
fn fewer(suit: usize, total: usize, n: usize, most: usize) -> u64 {
    let others = (total - suit.min(total)) as u8;
    let ways: u64 = (0..most.min(n + 1))
        .map(|c| choose(suit as u8, c) * choose(others, n - c))
        .sum();
    fraction(ways, CHOOSE[total][n])
}
