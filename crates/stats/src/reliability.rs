//! Believed against happened.

use crate::sums::div_round;
use crate::{Alpha, Step, dist, isotonic};
use serde::{Deserialize, Serialize};

/// Predictions of one believed probability, and how often they came true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReliabilityPoint {
    /// Believed, in parts per million (0 to 1,000,000).
    pub believed_ppm: u32,
    /// Predictions.
    pub count: u64,
    /// Of these, how many came true.
    pub hits: u64,
}

/// One level of the reliability curve with its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// The level of the isotonic fit; x is the believed probability in parts per million.
    pub step: Step,
    /// Mean belief of the level's predictions in parts per million, rounded half up.
    pub believed_ppm: u32,
    /// Fitted rate in parts per million.
    pub rate_ppm: u32,
    /// Lower end of the band in parts per million.
    pub low_ppm: u32,
    /// Upper end of the band in parts per million.
    pub high_ppm: u32,
}

/// How reliable a set of predictions is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reliability {
    /// Predictions.
    pub count: u64,
    /// Brier score in parts per million: the mean of (believed - happened)^2. `None` without predictions.
    pub brier_ppm: Option<u32>,
    /// The Brier score that the same predictions would have after recalibration by the isotonic fit.
    pub recalibrated_ppm: Option<u32>,
    /// The curve: no bins to choose, the isotonic fit has as many levels as the data support.
    pub bands: Vec<Band>,
}

/// The Brier score of the points in parts per million, exactly rounded; `None` without predictions.
///
/// The sum of (believed - happened)^2 is, in millionths squared, hits * (10^6 - p)^2 + (count - hits) * p^2.
pub fn brier_ppm(points: &[ReliabilityPoint]) -> Option<u32> {
    let count: i128 = points.iter().map(|p| i128::from(p.count)).sum();
    let square = |x: i128| x * x;
    let term = |p: &ReliabilityPoint| {
        let believed = i128::from(p.believed_ppm);
        i128::from(p.hits) * square(1_000_000 - believed)
            + (i128::from(p.count) - i128::from(p.hits)) * square(believed)
    };
    let sum: i128 = points.iter().map(term).sum();
    (count > 0).then(|| div_round(sum, count * 1_000_000) as u32)
}

/// The reliability curve with bands of the given level, and the Brier score.
///
/// Bands are Wilson's: with z = z(1 - alpha/2), q = hits/weight, w = weight, centre (q + z^2/2w) / (1 + z^2/w) and
/// half-width z sqrt(q(1-q)/w + z^2/4w^2) / (1 + z^2/w). They take predictions as independent; predictions of one deal
/// are not quite, so read them as the narrowest honest bands.
pub fn reliability(points: &[ReliabilityPoint], alpha: Alpha) -> Reliability {
    let triples: Vec<_> = points
        .iter()
        .map(|p| (i64::from(p.believed_ppm), p.count, p.hits))
        .collect();
    let z = dist::normal_upper_quantile(alpha.probability() / 2.0);
    let band = |step: Step| {
        let (low_ppm, high_ppm) = wilson(step, z);
        Band {
            step,
            believed_ppm: mean_belief(points, step),
            rate_ppm: step.rate_ppm(),
            low_ppm,
            high_ppm,
        }
    };
    let bands: Vec<Band> = isotonic(&triples).into_iter().map(band).collect();
    let fitted = |b: &Band| ReliabilityPoint {
        believed_ppm: b.rate_ppm,
        count: b.step.weight,
        hits: b.step.hits,
    };
    Reliability {
        count: points.iter().map(|p| p.count).sum(),
        brier_ppm: brier_ppm(points),
        recalibrated_ppm: brier_ppm(&bands.iter().map(fitted).collect::<Vec<_>>()),
        bands,
    }
}

/// The mean belief of the points of a level.
fn mean_belief(points: &[ReliabilityPoint], step: Step) -> u32 {
    let within =
        |p: &&ReliabilityPoint| (step.x_low..=step.x_high).contains(&i64::from(p.believed_ppm));
    let sum: i128 = points
        .iter()
        .filter(within)
        .map(|p| i128::from(p.believed_ppm) * i128::from(p.count))
        .sum();
    div_round(sum, i128::from(step.weight)) as u32
}

fn wilson(step: Step, z: f64) -> (u32, u32) {
    if z.is_infinite() {
        return (0, 1_000_000);
    }
    let (w, q) = (step.weight as f64, step.hits as f64 / step.weight as f64);
    let (scale, middle) = (1.0 + z * z / w, q + z * z / (2.0 * w));
    let half = z * libm::sqrt(q * (1.0 - q) / w + z * z / (4.0 * w * w));
    let ppm = |x: f64| libm::round(x / scale * 1e6).clamp(0.0, 1e6) as u32;
    (ppm(middle - half), ppm(middle + half))
}
