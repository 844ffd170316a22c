//! The document types, one file each.

mod candidate;
mod common;
mod ledger;
mod spec;
mod summary;
mod table;
mod validation;
mod weights;

pub use candidate::{
    CandidateDoc, Evaluation, KnobFlags, LineCurve, LineSample, OpponentChange, OpponentGain,
    TuningSummary,
};
pub use common::{
    Claim, Domain, Estimate, Fallbacks, KnobValue, Metric, RunKind, Verdict, is_digest, is_ruleset,
};
pub use ledger::{Entry, Event, LedgerError, LedgerLine, Outcome, alpha_ppb};
pub use spec::{
    CalibrateSpec, FreezeSpec, LineSearch, MOST_ROUNDS, MOST_SAMPLES, MOST_SEEDS, MOST_SITUATIONS,
    PoolSpec, SpecDoc, SpecProblem, TuneSpec, ValidateSpec,
};
pub use summary::{CostSummary, SummaryDoc};
pub use table::{InputPolicy, KindCell, ParameterValue, Point, TableDoc};
pub use validation::{CellResult, CellSummary, Gate, Position, ValidationDoc};
pub use weights::{Parents, WeightsDoc};
