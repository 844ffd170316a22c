//! Daifugo: rules, estimator, planner and policies, in whole numbers.
//!
//! Where the rules page leaves a choice, this is what is played:
//!
//! - Both ids of a joker make plays of their own: `5C *1` and `5C *2` are both listed and both
//!   accepted, as are plays in which a joker stands for a card that is at hand.
//! - Tribute: the better places choose in the order of their places, none of them seeing any card
//!   that comes to it or what another chose; all cards change hands after the last choice.
//! - A former first place falls only while it holds cards: one that fouled out before keeps its foul.
//! - When the field clears on a play by a seat that left the round, the next active seat after it
//!   leads, though it may have passed before.
//! - A play clears the field at once also when everybody else has passed before it is made.
//! - What a seat proves or re-deals rests on its own tribute only. That other pairs exchanged cards
//!   is known to it, yet bounds no card for certain, since anything may have been given back.
#![deny(clippy::float_arithmetic)]

pub mod beater;
mod border;
pub mod card;
pub mod deal;
mod game;
pub mod ledger;
pub mod legal;
pub mod odds;
mod order;
pub mod plan;
pub mod play;
mod policy;
mod question;
pub mod rules;
pub mod state;
pub mod tribute;
mod view;

pub use game::Daifugo;
pub use order::SeatList;
pub use play::{Decision, Kind, Play};
pub use question::Question;
pub use view::View;

/// Caches of one seat and one policy, each keyed by content: they speed an answer up and never
/// change it.
#[derive(Default)]
pub struct Memo {
    hard: policy::hard::HardMemo,
}

impl Memo {
    fn odds(&mut self) -> &mut odds::OddsMemo {
        self.hard.odds()
    }
}
