//! The command `diff`: what changed between two checkouts, folders or artifacts, and how sure the records are of it.
//!
//! It compares what is recorded and plays nothing: two checkouts hold two programs, of which this is neither. What it
//! cannot find on record it says so of, and does not make up.

pub mod command;
mod compare;
mod judge;
mod page;
mod play;
mod read;
mod tables;

pub use compare::{Change, Difference, RunChange, compare};
pub use judge::Finding;
pub use page::render;
pub use play::{CellChange, CellFacts, DecisionChange, Decisions, KnobChange, Pair, PlayChange};
pub use read::{DiffError, Kept, Run, Snapshot};
pub use tables::{KindChange, TableChange};
