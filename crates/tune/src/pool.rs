//! Plays what the search asks for: a point against every opponent of the pool on common seeds.

use crate::{Against, Entry, Proposal};
use evenhand_artifact::Digest;
use evenhand_contract::{Border, Maps, Policy, PolicyRow, Setup, Weights, WeightsError};
use evenhand_sim::{
    Control, Execution, MatchPlan, PlanError, RunError, Seeds, SeedsError, SplitKind, Totals,
    a_sums, digest, run,
};
use std::error::Error;

/// An opponent of the pool.
#[derive(Clone, Debug)]
pub struct Opponent<G: Border> {
    /// Its name in the pool.
    pub name: String,
    /// Its share of the objective in percent.
    pub share: u32,
    /// The policy that plays for it.
    pub policy: Policy<G>,
}

/// The policy under tuning, its pool and the common seeds.
#[derive(Clone, Debug)]
pub struct Field<G: Border, S: SplitKind> {
    /// Table and ruleset.
    pub setup: Setup<G>,
    /// The row whose knobs are searched.
    pub row: &'static PolicyRow<G>,
    /// The calibration maps that every point plays by.
    pub maps: Maps,
    /// The pool, in the order of the spec.
    pub pool: Vec<Opponent<G>>,
    /// Rounds a match.
    pub rounds: u32,
    /// The common seeds.
    pub seeds: Seeds<S>,
}

/// Why nothing was found.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// A match failed, or play was interrupted.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The journal does not add up.
    #[error(transparent)]
    Journal(#[from] crate::JournalError),
    /// A point outside the knobs' bounds.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// Seeds that no run can be made of.
    #[error(transparent)]
    Seeds(#[from] SeedsError),
    /// A line could not be kept, or the result not written.
    #[error("{0}")]
    Keep(#[source] Box<dyn Error + Send + Sync>),
}

impl TuneError {
    /// The error for a command: a failed run stays recognizable as one, for its exit code.
    #[must_use]
    pub fn into_anyhow(self) -> anyhow::Error {
        match self {
            Self::Run(error) => error.into(),
            other => other.into(),
        }
    }
}

impl From<PlanError> for TuneError {
    fn from(error: PlanError) -> Self {
        Self::Run(error.into())
    }
}

impl<G: Border, S: SplitKind> Field<G, S> {
    /// The policy at a point.
    ///
    /// # Errors
    /// When the point does not fit the knob table.
    pub fn at(&self, point: &[i64]) -> Result<Policy<G>, WeightsError> {
        Ok(Policy {
            row: self.row,
            weights: Weights::new(self.row.knobs, point)?,
            maps: self.maps.clone(),
            stages_off: 0,
        })
    }

    /// The plan of a point against one opponent.
    ///
    /// # Errors
    /// When the point or the plan does not fit.
    pub fn plan(&self, point: &[i64], against: &Opponent<G>) -> Result<MatchPlan<G>, TuneError> {
        Ok(MatchPlan::new(
            self.setup,
            self.rounds,
            self.at(point)?,
            against.policy.clone(),
        )?)
    }

    /// Digest of all that decides what a point's evaluations give: the plans against each
    /// opponent, and the shares.
    ///
    /// # Errors
    /// As [`Field::plan`].
    pub fn digest(&self, point: &[i64]) -> Result<Digest, TuneError> {
        let mut text = String::from("evenhand/tuning-field/1\n");
        for against in &self.pool {
            let plan = self.plan(point, against)?.digest(&self.seeds);
            text.push_str(&format!("{} {} {plan}\n", against.name, against.share));
        }
        Ok(Digest::of(text.as_bytes()))
    }

    /// Plays one proposal.
    ///
    /// # Errors
    /// When a match fails or `interrupted` stops the run; nothing of the evaluation is then kept.
    pub fn play(
        &self,
        proposal: &Proposal,
        workers: usize,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Entry, TuneError> {
        let ids = self.seeds.ids()[proposal.from..proposal.to].to_vec();
        let seeds = Seeds::<S>::list(ids)?;
        let execution = Execution {
            block: (seeds.len() / (workers.max(1) * 8)).clamp(1, 4),
            ..Execution::with_workers(workers)
        };
        let mut against = Vec::with_capacity(self.pool.len());
        for opponent in &self.pool {
            let plan = self.plan(&proposal.point, opponent)?;
            let tallies = run(&plan, &seeds, &execution, &mut Stopper(interrupted))?;
            let totals = Totals::of(&tallies);
            against.push(Against {
                sums: a_sums(&tallies),
                digest: digest(&tallies),
                decisions: totals.a.decisions,
                fallbacks: totals.a.fallbacks,
                work: totals.a.work_sum.saturating_add(totals.b.work_sum),
                matches: totals.matches,
                rounds: totals.rounds,
            });
        }
        Ok(Entry {
            point: proposal.point.clone(),
            from: proposal.from,
            to: proposal.to,
            against,
        })
    }
}

/// Stops between blocks when asked to.
struct Stopper<'a>(&'a dyn Fn() -> bool);

impl Control for Stopper<'_> {
    fn interrupted(&mut self) -> bool {
        (self.0)()
    }
}
