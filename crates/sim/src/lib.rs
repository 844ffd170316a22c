//! Plays matches and counts what happened: duplicate deals, exact tallies, the same bytes whatever
//! the worker count, block size or block order.
//!
//! The unit is the seed. For N players one seed is 2N matches on the same deals: the focal seat
//! rotates through all seats, once as the lone A among Bs and once as the lone B among As. The
//! headline is the mean settlement a round over all of A's seat-rounds, both directions pooled:
//! N matches with one A seat and N with N-1, so N x N x R seat-rounds a seed for R rounds a match.
//! Everything here is integer sums; means and intervals belong to `evenhand-stats`.
//!
//! A failed match ends the run and says how to replay it; it is never scored.

mod block;
mod deals;
mod failure;
mod line;
mod observe;
mod par;
mod plan;
mod quiet;
mod round;
mod run;
mod seed;
pub mod seeds;
mod suite;
mod tally;
mod transcript;

pub use block::{Block, MergeError, merge};
pub use deals::{deal_hashes, shared_deals};
pub use failure::{PlayFailure, RunError};
pub use line::{LineSeed, Piece, line_seed, lines};
pub use observe::{Decided, NoObserver, Observer, Place, Resolved, Side};
pub use par::par_map;
pub use plan::{MatchPlan, PlanError};
pub use round::{Round, Seated, Workspace, play_round};
pub use run::{BlockOrder, Control, Execution, Uncontrolled, resume, run, run_observed};
pub use seed::{arrangements, play_seed, sides_of};
pub use seeds::{
    Calibration, Exploration, HeldOut, Rehearsal, Seeds, SeedsError, SplitKind, Tuning,
};
pub use suite::{SUITE_POSITIONS, SuiteDecision, behaviour_fingerprint, suite, suite_decisions};
pub use tally::{SeedTally, SideTally, Totals, a_sums, denominator, digest};
pub use transcript::{TranscriptLines, transcript_line};

/// Lower-case hex digits of some bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
