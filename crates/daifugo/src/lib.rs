//! Daifugo: rules, estimator, planner and policies, in whole numbers.
#![deny(clippy::float_arithmetic)]

pub mod card;
