//! Lexio: rules, estimator, planner and policies, in whole numbers only.
#![deny(clippy::float_arithmetic)]

pub mod hand;
pub mod meld;
pub mod plan;
pub mod rules;
pub mod tile;
mod view;

pub use view::View;
