//! The isotonic fit: the non-decreasing step function nearest to what was observed.

use serde::{Deserialize, Serialize};

/// One level of an isotonic fit: between `x_low` and `x_high` (both observed) the fitted rate is `hits / weight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Smallest observed x of the level.
    pub x_low: i64,
    /// Largest observed x of the level.
    pub x_high: i64,
    /// Trials; never 0.
    pub weight: u64,
    /// Successes among them.
    pub hits: u64,
}

impl Step {
    /// The fitted rate in parts per million, rounded half up.
    pub fn rate_ppm(&self) -> u32 {
        let (hits, weight) = (u128::from(self.hits), u128::from(self.weight));
        u32::try_from((hits * 2_000_000 + weight) / (2 * weight)).unwrap_or(u32::MAX)
    }

    /// Whether this level's rate is at least the next one's; by cross multiplication, so exactly.
    fn not_below(&self, next: &Self) -> bool {
        u128::from(self.hits) * u128::from(next.weight)
            >= u128::from(next.hits) * u128::from(self.weight)
    }

    fn joined(self, next: Self) -> Self {
        let total = |a: u64, b: u64| {
            a.checked_add(b)
                .expect("the weights of an isotonic fit add up to less than 2^64")
        };
        Self {
            x_low: self.x_low,
            x_high: next.x_high,
            weight: total(self.weight, next.weight),
            hits: total(self.hits, next.hits),
        }
    }
}

/// The weighted least-squares isotonic fit of points (x, weight, hits) by pooling adjacent violators, in integers.
///
/// Points with equal x are pooled first (the order of the input cannot matter), points without weight are left out.
/// The levels come back in ascending order of x with strictly rising rates: neighbours of equal rate are one level.
///
/// # Panics
/// When the weights (or the hits) add up to 2^64 or more.
pub fn isotonic(points: &[(i64, u64, u64)]) -> Vec<Step> {
    let mut points: Vec<_> = points.iter().filter(|p| p.1 > 0).copied().collect();
    points.sort_unstable();
    let mut steps: Vec<Step> = Vec::new();
    for group in points.chunk_by(|a, b| a.0 == b.0) {
        let one = |&(x, weight, hits): &(i64, u64, u64)| Step {
            x_low: x,
            x_high: x,
            weight,
            hits,
        };
        let Some(mut step) = group.iter().map(one).reduce(Step::joined) else {
            continue;
        };
        while let Some(before) = steps.pop_if(|before| before.not_below(&step)) {
            step = before.joined(step);
        }
        steps.push(step);
    }
    steps
}
