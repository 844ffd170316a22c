//! Calibration tables: what an estimator says against what is true.
//!
//! A table maps the raw output of a game's estimator to a probability, one monotone map for each
//! kind of question. [`generate`] makes one: situations are what the *previous generation's*
//! policy asked about in play (a table is tied to the distribution of its inputs), the truth of
//! each is a number of random re-deals of its unseen cards or what came true in that play, as the
//! game says, and [`fit`] draws the map. [`audit`]
//! judges beliefs on fresh situations. All sums are whole numbers; nothing depends on how many
//! threads work.

mod audit;
mod collect;
pub mod command;
mod earn;
mod fit;
mod generate;
mod redeal;
mod stored;
mod sweep;

pub use audit::{
    Audit, AuditSettings, Behaviour, ErrorTable, Errors, KindAudit, OPEN, Worst, audit,
};
pub use collect::{Collected, Situation, Source, Want, collect};
pub use earn::{Against, EarnError, EarnSettings, Earned, earn};
pub use fit::{Knot, Observed, fit};
pub use generate::{GENERATOR, Input, KIND, Settings, fit_parameters, generate};
pub use redeal::{BLOCK, Journal, NoJournal, Redeals, count_true};
pub use stored::stored_table;
pub use sweep::{SweepError, SweepRow, SweepSettings, parameter_place, sweep};

use evenhand_artifact::{ArtifactError, SerError};
use evenhand_contract::{OutOfWork, SeedError};
use evenhand_sim::PlayFailure;
use evenhand_store::StoreError;

/// Why there is no table or audit.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// Play broke off.
    #[error(transparent)]
    Play(#[from] Box<PlayFailure>),
    /// The seed is none.
    #[error(transparent)]
    Seed(#[from] SeedError),
    /// [`Watch`] asked to stop; finished blocks are in the journal.
    #[error("interrupted; finished blocks are kept")]
    Interrupted,
    /// The journal cannot be used.
    #[error("the run's journal: {0}")]
    Journal(String),
    /// The estimator refused an unlimited budget.
    #[error("the estimator gave no answer: {0}")]
    Estimator(#[from] OutOfWork),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What the store holds is no table.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The table is none that can be written.
    #[error("the table: {0}")]
    Unsound(#[from] SerError),
}

/// What the work is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Playing for situations; counted in rounds, and the total is a guess where kinds are rare.
    Play,
    /// Dealing situations afresh; counted in situations.
    Redeal,
    /// Trying values of a parameter; counted in values.
    Fit,
}

/// Is told how far the work is, and may stop it between blocks.
pub trait Watch {
    /// So much is done.
    fn phase(&mut self, _phase: Phase, _done: u64, _total: u64) {}
    /// Whether to stop.
    fn interrupted(&mut self) -> bool {
        false
    }
}

/// Hears nothing and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
