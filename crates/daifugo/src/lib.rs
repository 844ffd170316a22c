//! Daifugo: rules, estimator, planner and policies, in whole numbers.
#![deny(clippy::float_arithmetic)]

pub mod beater;
pub mod card;
pub mod deal;
pub mod legal;
pub mod odds;
mod order;
pub mod plan;
pub mod play;
mod question;
pub mod rules;
pub mod tribute;
mod view;

pub use order::SeatList;
pub use play::{Decision, Kind, Play};
pub use question::Question;
pub use view::View;
