//! Daifugo: rules, estimator, planner and policies, in whole numbers.
#![deny(clippy::float_arithmetic)]

pub mod card;
pub mod play;
mod question;
pub mod rules;

pub use play::{Decision, Kind, Play};
pub use question::Question;
