//! The contract between games, policies and everything that measures them.
//!
//! A [`Game`] owns the rules. A [`View`](Game::View) is what one seat has seen and holds no path to
//! hidden state. A policy is one function: a view and a counted [`Work`] budget in, one decision out.
//! Everything a bot decides by is a whole number: weights are thousandths ([`Milli`]), probabilities
//! are millionths ([`Ppm`]). Nothing here reads a clock, spawns a thread, does I/O or uses floats.
#![deny(clippy::float_arithmetic)]

mod cards;
mod decide;
mod fixed;
mod game;
mod knob;
mod line;
mod maps;
mod policy;
mod seat;
mod stream;
mod trace;
mod work;

pub use cards::Cards;
pub use decide::{Ask, Cause, Fallbacks, Outcome, decide};
pub use fixed::{Milli, PPM_ONE, Ppm};
pub use game::{
    Border, Choices, Estimates, Fit, Game, Illegal, MetricRow, RulesError, Setup, ViewError,
};
pub use knob::{Knob, Weights, WeightsError};
pub use line::Line;
pub use maps::{Map, Maps, MapsError, Parameter};
pub use policy::{Policy, PolicyError, PolicyFn, PolicyRow, Purpose, find_policy};
pub use seat::{BySeat, MAX_SEATS, Seat};
pub use serde_json::Value as Json;
pub use stream::{DEAL_STREAM_VERSION, MAX_WRITTEN_SEED, SeedError, SeedId, Split, Stream};
pub use trace::{Candidate, Prediction, Trace, TraceLevel};
pub use work::{OutOfWork, Work};

/// Share of decisions, in percent, above which fallbacks make a run invalid.
///
/// One constant for every reader: a run whose fallbacks exceed this share of its decisions is
/// printed as invalid and nothing can be frozen from it.
pub const MAX_FALLBACK_PERCENT: u64 = 1;

/// Whether a run with these counts is valid: fallbacks are at most
/// [`MAX_FALLBACK_PERCENT`] percent of decisions. A run without decisions and fallbacks is valid.
#[must_use]
pub fn fallback_rate_is_valid(fallbacks: u64, decisions: u64) -> bool {
    u128::from(fallbacks) * 100 <= u128::from(decisions) * u128::from(MAX_FALLBACK_PERCENT)
}
