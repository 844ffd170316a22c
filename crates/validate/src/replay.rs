//! Plays recorded cells again from the frozen artifacts, so that no record can be written by hand.

use crate::{cells, minted};
use anyhow::{Context, bail};
use evenhand_artifact::ValidationDoc;
use evenhand_cli::load::{Loaded, simple_styles};
use evenhand_contract::{Border, Estimates};
use evenhand_sim::{Control, Execution, HeldOut, MatchPlan, Seeds, digest, run};
use evenhand_tune::{Experiment, How};

/// A recorded cell beside what came out when it was played again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// Who is played against.
    pub against: String,
    /// Rounds a match.
    pub rounds: u32,
    /// Digest of the per-seed tallies on record.
    pub recorded: String,
    /// Digest of those that came out now.
    pub found: String,
}

/// Which recorded cells are played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// All of them.
    All,
    /// One, drawn by the candidate's digest: nobody chooses it who does not also choose the weights.
    One,
}

/// The place of the drawn cell among so many (at least one).
fn drawn(candidate: &str, cells: usize) -> usize {
    let sum: usize = candidate.bytes().map(usize::from).sum();
    sum % cells
}

impl Replayed {
    /// Whether the record is what play gives.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.recorded == self.found
    }
}

/// Mints the held-out seeds of the record's cells against the simple styles again, plays the
/// frozen policy on them and compares the tallies. Nothing new is learnt, so the ledger gets no
/// line. Head-to-head cells are left out: their opponent is no longer the frozen one.
///
/// # Errors
/// When the record is not of the frozen policy, names a cell that the spec does not, is of a
/// rehearsal, or a match fails.
pub fn replay<G: Estimates + Border>(
    experiment: &Experiment<G>,
    frozen: &Loaded<G>,
    record: &ValidationDoc,
    which: Which,
    how: &How<'_>,
) -> anyhow::Result<Vec<Replayed>> {
    let weights = frozen
        .weights
        .as_ref()
        .context("there are no frozen weights")?;
    let candidate = weights.candidate_digest().hex();
    if record.candidate != candidate || record.candidate_digest().hex() != candidate {
        bail!(
            "the record is of candidate {}, the frozen weights are candidate {candidate}",
            record.candidate
        );
    }
    if experiment.is_quick() || record.attempt == 0 {
        bail!("a rehearsal has no held-out seeds to be minted again");
    }
    let known = cells(experiment, &frozen.policy.maps);
    let mut replayed = Vec::new();
    let mut done = 0;
    let styles: Vec<_> = simple_styles::<G>(&frozen.policy.maps).collect();
    let mut recorded = Vec::new();
    for style in &styles {
        let against = record.cells.iter().filter(|c| c.against == style.row.name);
        recorded.extend(against.map(|cell| (style, cell)));
    }
    if which == Which::One && !recorded.is_empty() {
        let place = drawn(&candidate, recorded.len());
        recorded = vec![recorded[place]];
    }
    for (style, cell) in recorded {
        let planned = known
            .iter()
            .find(|c| c.against == cell.against && c.rounds == cell.rounds)
            .with_context(|| {
                format!(
                    "the spec has no cell against {} of {} rounds",
                    cell.against, cell.rounds
                )
            })?;
        let ids = minted(
            &record.candidate,
            &planned.label,
            &record.salt,
            planned.seeds,
        )?;
        let seeds = Seeds::<HeldOut>::list(ids)?;
        let plan = MatchPlan::new(
            experiment.setup,
            cell.rounds,
            frozen.policy.clone(),
            style.clone(),
        )?;
        let execution = Execution::with_workers(how.workers);
        let tallies = run(&plan, &seeds, &execution, &mut Until { how, done })?;
        done += tallies.len() as u64;
        (how.progress)(done);
        replayed.push(Replayed {
            against: cell.against.clone(),
            rounds: cell.rounds,
            recorded: cell.tallies.clone(),
            found: digest(&tallies),
        });
    }
    if replayed.is_empty() {
        bail!("the record has no cell against a simple style");
    }
    Ok(replayed)
}

/// Stops when asked to.
struct Until<'a> {
    how: &'a How<'a>,
    done: u64,
}

impl Control for Until<'_> {
    fn block(
        &mut self,
        _block: &evenhand_sim::Block,
        finished: usize,
        _total: usize,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        (self.how.progress)(self.done + finished as u64);
        Ok(())
    }

    fn interrupted(&mut self) -> bool {
        (self.how.interrupted)()
    }
}
