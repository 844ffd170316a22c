//! Hoola: rules, estimator, planner and policies, in whole numbers.
//!
//! # What the rules page leaves open, and what is played
//!
//! - A window asks only seats that can claim, one after the other; a seat that is not asked cannot
//!   tell an open window from the turn that follows.
//! - Once a claimed card has left the pile, the card below it is not offered again.
//! - In a thank-you turn the seat counts as registered when the turn began only if it was before the
//!   claim. (Nothing hangs on it: a thank-you turn is never a hoola.)
//! - A seat may discard any card it holds, the drawn one too; emptying the hand by the discard is
//!   going out like emptying it by a register, and the last discard is not offered to anybody.
//! - Several stops may be legal on one hand (four 7s and low, say); each is a choice of its own. All
//!   the certain ones pay alike.
//! - A draw from an empty deck is a decision like any draw; where no stop is legal it is forced.
//! - With a failed plain stop the declarer's hand takes no rung: registered losers take the rungs
//!   from 1 on without it.
//! - With the thank-you penalty on, the discarder pays its own share as well as the others'.
#![deny(clippy::float_arithmetic)]

mod border;
pub mod card;
pub mod deal;
mod game;
pub mod legal;
pub mod meld;
pub mod moves;
mod odds;
mod plan;
mod policy;
pub mod question;
pub mod rules;
pub mod settle;
pub mod state;
pub mod table;
mod view;

pub use game::Hoola;
pub use moves::Decision;
pub use view::{Phase, Pile, View};

/// Caches of one seat and one policy, each keyed by content: they speed an answer up and never
/// change it.
#[derive(Default)]
pub struct Memo {
    pub(crate) hard: policy::hard::HardMemo,
}
