//! Hoola: rules, estimator, planner and policies, in whole numbers.
#![deny(clippy::float_arithmetic)]

pub mod card;
pub mod meld;
pub mod moves;
pub mod question;
pub mod table;
