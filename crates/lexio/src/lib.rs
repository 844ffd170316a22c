//! Lexio: rules, estimator, planner and policies, in whole numbers only.
#![deny(clippy::float_arithmetic)]

pub mod beater;
mod border;
mod game;
pub mod hand;
pub mod legal;
pub mod meld;
pub mod odds;
pub mod plan;
mod policy;
pub mod rules;
pub mod state;
pub mod tile;
mod view;

pub use game::Lexio;
pub use legal::Play;
pub use view::View;

/// Caches of one seat and one policy, each keyed by content: they speed an answer up and never
/// change it.
#[derive(Default)]
pub struct Memo {
    /// Melds of the hand as dealt.
    pub(crate) hand: hand::HandMemo,
    /// Counts behind the estimator.
    pub(crate) odds: odds::OddsMemo,
    /// Tables and buffers of hard.
    pub(crate) hard: policy::hard::HardMemo,
}
