//! Judges a candidate on held-out seeds that are minted from it.
//!
//! Cells are match lengths; every cell is reported and the worst decides. Each simple style has to
//! be beaten in every cell, the incumbent in all its cells together. Every look at held-out
//! results is on record in the ledger before the first match of it; attempt k since the game's
//! last freeze is judged at the level 0.05 / (k (k + 1)).

mod cells;
pub mod command;
mod differ;
mod judge;
mod mint;
mod replay;
mod report;
mod validation;

pub use cells::{Cell, NO_LOSS_MARGIN_MICRO, cells, claim};
pub use differ::{Differences, differences};
pub use judge::{Played, disagreement_milli, gates, result};
pub use mint::minted;
pub use replay::{Replayed, Which, replay};
pub use report::{input, rows};
pub use validation::{Validated, expected, ledger_path, policy_of, validate};
