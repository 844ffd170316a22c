//! Statistics of verdicts: pure functions from exact integer sums to estimates, intervals and judgements.
//!
//! Everything that is summed is an integer ([`Sums`] merges associatively), so neither the order of the values nor
//! the number of workers can change a result. Floats appear only after the sums are complete, through the crate
//! `libm` (the same bits on every platform), and are rounded to millionths before anything is compared.
//!
//! Units: a *value* is the integer sum of one unit (one seed); `denominator` is what a value has to be divided by to
//! become a mean (for a settlement a round: players x players x rounds). `_micro` is millionths, `_ppm` parts per
//! million, `_ppb` parts per billion. Rounding is to the nearest, halves away from zero, unless said otherwise.
//!
//! What is undefined stays undefined ([`None`]): an interval of fewer than two units is neither zero nor NaN.

mod alpha;
mod cluster;
mod compare;
pub mod dist;
mod error;
mod estimate;
mod holm;
mod isotonic;
mod rank;
mod reliability;
mod settle;
mod show;
mod signflip;
mod sums;
mod verdict;
mod wide;

pub use alpha::{Alpha, alpha_for_attempt, alpha_for_attempt_ppb};
pub use cluster::clustered_estimate;
pub use compare::{Comparison, Pairing, differences, paired, unpaired};
pub use error::StatsError;
pub use estimate::{Estimate, mean_estimate};
pub use holm::holm;
pub use isotonic::{Step, isotonic};
pub use rank::{compare, rank};
pub use reliability::{Band, Reliability, ReliabilityPoint, brier_ppm, reliability};
pub use settle::seeds_to_settle;
pub use show::{fixed, shown, supported, supported_decimals};
pub use signflip::{EXACT_LIMIT, SAMPLED_DRAWS, SignFlip, Tail, sign_flip, sign_flip_p_ppm};
pub use sums::Sums;
pub use verdict::{Verdict, judge, non_inferior, one_sided_bounds, superior, t_test_p_ppm};
