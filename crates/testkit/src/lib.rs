//! A toy game and scripted policies that drive the tests of the generic crates.
//!
//! [`Toy`] is a tiny shedding game for two to four players with every part of a real one: a
//! ruleset with switches, a carry between rounds, an estimator with an exact and an inexact kind
//! of question, text at its border, tunable policies - and deliberately faulty policies, each of
//! which an instrument must catch.

mod border;
mod estimate;
mod game;
mod play;
pub mod policy;
mod rules;

pub use estimate::{KINDS, PAIR, SINGLE, raw};
pub use game::{Carry, Deal, Memo, State, Toy, View, deck};
pub use play::{Play, beats, plays_of};
pub use rules::{Lead, Pay, Rules};

use evenhand_contract::{Game, Policy, Setup, find_policy};

/// A table of `players` under the default rules.
#[must_use]
pub fn setup(players: u8) -> Setup<Toy> {
    Setup {
        players,
        rules: Rules::default(),
    }
}

/// The row of this name with its defaults.
///
/// # Panics
/// When the toy has no policy of that name.
#[must_use]
pub fn policy(name: &str) -> Policy<Toy> {
    match find_policy::<Toy>(name) {
        Some(row) => Policy::defaults(row),
        None => panic!(
            "the toy has no policy {name:?}, only {:?}",
            Toy::policies().iter().map(|r| r.name).collect::<Vec<_>>()
        ),
    }
}
