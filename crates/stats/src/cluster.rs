//! Units that occur more than once.

use crate::{Alpha, Estimate, StatsError, Sums};
use std::collections::BTreeMap;

/// The estimate over clusters: values that bear the same key (the same seed) are one unit, their mean. Repeating a
/// deal therefore neither shrinks the interval nor moves the mean when all are repeated alike.
///
/// Every cluster weighs the same. Cluster means stay exact: all are written over the least common multiple of the
/// clusters' sizes.
///
/// # Errors
/// When that multiple does not fit (only with clusters of many different sizes).
///
/// # Panics
/// When `denominator` is not positive.
pub fn clustered_estimate<K: Ord>(
    values: impl IntoIterator<Item = (K, i64)>,
    denominator: i64,
    alpha: Alpha,
) -> Result<Estimate, StatsError> {
    let mut clusters = BTreeMap::<K, (i128, i64)>::new();
    for (key, value) in values {
        let (sum, size) = clusters.entry(key).or_default();
        *sum += i128::from(value);
        *size += 1;
    }
    let mut common = 1i64;
    for &(_, size) in clusters.values() {
        common = (common / gcd(common, size))
            .checked_mul(size)
            .ok_or(StatsError::UnevenClusters)?;
    }
    let below = denominator
        .checked_mul(common)
        .ok_or(StatsError::UnevenClusters)?;
    let mut sums = Sums::default();
    for &(sum, size) in clusters.values() {
        let value = i128::from(common / size)
            .checked_mul(sum)
            .and_then(|v| i64::try_from(v).ok());
        sums.add(value.ok_or(StatsError::UnevenClusters)?);
    }
    Ok(Estimate::of(sums, below, alpha))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
