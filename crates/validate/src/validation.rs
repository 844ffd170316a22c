//! Judges a candidate: seeds, ledger, cells, gates, record.

use crate::cells::{Cell, cells, claim};
use crate::differ::{Differences, differences, value};
use crate::judge::{Played, disagreement_milli, gates, result};
use crate::minted;
use anyhow::{Context, bail};
use evenhand_artifact::{
    CandidateDoc, Digest, Entry, Event, KnobValue, Outcome, Position, RunKind, Sealed,
    ValidationDoc, Verdict, open, seal,
};
use evenhand_contract::{Border, Estimates, Maps, Policy, SeedId, Weights};
use evenhand_sim::{
    Block, Control, Execution, HeldOut, MatchPlan, Rehearsal, RunError, SeedTally, Seeds,
    SplitKind, Tuning, behaviour_fingerprint, deal_hashes, resume, shared_deals, suite_decisions,
};
use evenhand_stats::{Alpha, alpha_for_attempt};
use evenhand_store::ledger::Ledger;
use evenhand_store::{ActionKey, Run, Store, ledger};
use evenhand_tune::{Experiment, How, INCUMBENT, Table, checksum_key};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::path::PathBuf;

/// Seeds of the first head-to-head cell on which differing positions are looked for.
const POSITION_SEEDS: usize = 64;

/// Rounds of each of these.
const POSITION_ROUNDS: u32 = 3;

/// Examples kept of decisions on the suite that the incumbent takes differently.
const SUITE_EXAMPLES: usize = 20;

/// What validation found.
#[derive(Clone, Debug)]
pub struct Validated {
    /// The record.
    pub doc: Sealed<ValidationDoc>,
    /// Digest of its bytes in the store.
    pub object: Digest,
    /// The tallies of each cell, in the order of the record.
    pub tallies: Vec<Vec<SeedTally>>,
    /// Content digest of the ledger's line of outcome; `None` in a quick run.
    pub outcome: Option<Digest>,
    /// Whether the store had it, so that nothing was played.
    pub cached: bool,
}

/// The ledger of the experiments below a root folder.
#[must_use]
pub fn ledger_path<G: Estimates>(experiment: &Experiment<G>) -> PathBuf {
    experiment.root.join("experiments").join("ledger.jsonl")
}

/// The policy of a candidate.
///
/// # Errors
/// When its knobs do not fit the policy's table.
pub fn policy_of<G: Estimates>(
    experiment: &Experiment<G>,
    knobs: &[KnobValue],
    table: Option<&Table>,
) -> anyhow::Result<Policy<G>> {
    let named = knobs.iter().map(|k| (k.name.as_str(), k.value));
    Ok(Policy {
        row: experiment.row,
        weights: Weights::from_named(experiment.row.knobs, named)?,
        maps: table.map_or_else(|| Maps::identity(0), |t| t.maps.clone()),
        stages_off: 0,
    })
}

/// Validates, or takes from the store what an equal run left there. In a full run the ledger has
/// its line of intent before the first match, and its line of outcome before this returns.
///
/// # Errors
/// When the candidate is not the experiment's, a match fails, the run is interrupted, or something
/// cannot be written.
pub fn validate<G: Estimates + Border>(
    store: &Store,
    experiment: &Experiment<G>,
    candidate: &Sealed<CandidateDoc>,
    salt: &str,
    how: &How<'_>,
) -> anyhow::Result<Validated> {
    fits(experiment, candidate)?;
    let table = match &candidate.parents.tables[..] {
        [] => None,
        [one] => Some(experiment.table_by(store, one)?),
        _ => bail!("the candidate stands on several tables"),
    };
    // Later steps find the record by its checksum, also when it came from a file.
    store.keep(
        &checksum_key("candidate", &candidate.checksum().hex()),
        candidate.text().as_bytes(),
    )?;
    let mut job = Job {
        store,
        experiment,
        candidate,
        policy: policy_of(experiment, &candidate.knobs, table.as_ref())?,
        salt,
        how,
        attempt: 0,
        intent: None,
    };
    if experiment.is_quick() {
        return job.go::<Rehearsal>();
    }
    let path = ledger_path(experiment);
    let intent = job.entry(Event::Intent {
        spec: experiment.digest.hex(),
    });
    if let Some(torn) = Ledger::read(&path)?.warning() {
        evenhand_cli::note(&torn);
    }
    let recorded = ledger::record(&path, intent)?;
    job.attempt = recorded.line.attempt;
    job.intent = Some(recorded.content.hex());
    let outcome = |result, validation| Event::Outcome {
        result,
        intent: recorded.content.hex(),
        validation,
    };
    match job.go::<HeldOut>() {
        Ok(mut validated) => {
            let result = match validated.doc.verdict {
                Verdict::Holds => Outcome::Passed,
                _ => Outcome::Failed,
            };
            let checksum = validated.doc.checksum().hex();
            let line = ledger::record(&path, job.entry(outcome(result, Some(checksum))))?;
            validated.outcome = Some(line.content);
            Ok(validated)
        }
        Err(error) => {
            // A failed match ends the attempt; an interrupted one goes on where it stopped.
            if matches!(error.downcast_ref(), Some(RunError::Play(_))) {
                ledger::record(&path, job.entry(outcome(Outcome::Abandoned, None)))?;
            }
            Err(error)
        }
    }
}

fn fits<G: Estimates + Border>(
    experiment: &Experiment<G>,
    candidate: &CandidateDoc,
) -> anyhow::Result<()> {
    let rules = experiment.setup.rules.to_string();
    let same = candidate.game == G::NAME
        && candidate.players == experiment.setup.players
        && candidate.ruleset == rules
        && candidate.policy == experiment.row.name;
    if !same {
        bail!(
            "the candidate is for {} with {} players, ruleset {}, policy {}; the spec is not",
            candidate.game,
            candidate.players,
            candidate.ruleset,
            candidate.policy
        );
    }
    if candidate.run == RunKind::Quick && !experiment.is_quick() {
        bail!("the candidate comes from a quick run, which can never be validated in full");
    }
    Ok(())
}

struct Job<'a, G: Estimates> {
    store: &'a Store,
    experiment: &'a Experiment<G>,
    candidate: &'a Sealed<CandidateDoc>,
    policy: Policy<G>,
    salt: &'a str,
    how: &'a How<'a>,
    attempt: u32,
    intent: Option<String>,
}

/// A line of the journal: a finished block of a cell.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    cell: usize,
    block: Block,
}

impl<G: Estimates + Border> Job<'_, G> {
    fn entry(&self, event: Event) -> Entry {
        Entry {
            game: G::NAME.to_owned(),
            players: self.experiment.setup.players,
            ruleset: self.experiment.setup.rules.to_string(),
            policy: self.experiment.row.name.to_owned(),
            experiment: self.experiment.name.clone(),
            candidate: self.candidate.candidate.clone(),
            salt: self.salt.to_owned(),
            event,
        }
    }

    fn alpha(&self) -> Alpha {
        alpha_for_attempt(self.attempt)
    }

    /// The seeds of a cell: minted ones, or in a rehearsal those of the spec.
    fn seeds<S: SplitKind>(&self, cell: &Cell<G>) -> anyhow::Result<Seeds<S>> {
        let ids = if self.experiment.is_quick() {
            let tune = &self.experiment.spec.tune;
            let after = tune.first_seed + u64::from(tune.seeds);
            let first = self.experiment.spec.validate.first_seed.unwrap_or(after);
            (first..first + u64::from(cell.seeds))
                .map(SeedId::number)
                .collect::<Result<_, _>>()?
        } else {
            minted(
                &self.candidate.candidate,
                &cell.label,
                self.salt,
                cell.seeds,
            )?
        };
        Ok(Seeds::list(ids)?)
    }

    fn key(&self, plans: &[String]) -> ActionKey {
        let incumbent = self.experiment.incumbent_checksum();
        ActionKey::new("validate")
            .part("experiment", &self.experiment.name)
            .part("spec", self.experiment.digest)
            .part("candidate", self.candidate.checksum())
            .part("incumbent", incumbent.unwrap_or_else(|| "none".to_owned()))
            .part("salt", self.salt)
            .part("attempt", self.attempt)
            .part("intent", self.intent.as_deref().unwrap_or("none"))
            .part("plans", plans.join(" "))
    }

    fn go<S: SplitKind>(&self) -> anyhow::Result<Validated> {
        let cells = cells(self.experiment, &self.policy.maps);
        let mut planned = Vec::with_capacity(cells.len());
        for cell in cells {
            let plan = MatchPlan::new(
                self.experiment.setup,
                cell.rounds,
                self.policy.clone(),
                cell.policy.clone(),
            )?;
            let seeds = self.seeds::<S>(&cell)?;
            let digest = plan.digest(&seeds);
            planned.push((cell, plan, seeds, digest));
        }
        let digests: Vec<String> = planned.iter().map(|p| p.3.clone()).collect();
        let key = self.key(&digests);
        let mut run = None;
        let found = self.store.result(&key)?;
        if found.is_none() {
            run = Some(Run::open(self.store, &key)?);
        }
        // The tallies of a finished run are in its journal's stead in the store.
        let tallies_key = ActionKey::new("validate-tallies").part("run", key.digest());
        if let Some((object, bytes)) = found {
            let doc: Sealed<ValidationDoc> = open(&format!("object {object}"), &bytes)?;
            // A run that was killed right after finishing may not have kept it by its checksum.
            self.store.keep(
                &checksum_key("validation", &doc.checksum().hex()),
                doc.text().as_bytes(),
            )?;
            let (_, rows) = (self.store.result(&tallies_key)?).context("its tallies are gone")?;
            return Ok(Validated {
                doc,
                object,
                tallies: serde_json::from_slice(&rows)?,
                outcome: None,
                cached: true,
            });
        }
        let mut run = run.context("a run that is not finished was opened")?;
        let mut lines = Vec::new();
        for line in run.journal.lines() {
            let line: Line = serde_json::from_str(line)
                .with_context(|| run.journal.path().display().to_string())?;
            lines.push(line);
        }
        let mut done: u64 = lines.iter().map(|l| l.block.tallies.len() as u64).sum();
        (self.how.progress)(done);
        let mut played = Vec::with_capacity(planned.len());
        for (index, (cell, plan, seeds, digest)) in planned.iter().enumerate() {
            let blocks = lines
                .iter()
                .filter(|l| l.cell == index)
                .map(|l| l.block.clone())
                .collect();
            let mut keeper = Keeper {
                cell: index,
                run: &mut run,
                how: self.how,
                done: &mut done,
            };
            let execution = Execution {
                block: (seeds.len() / (self.how.workers.max(1) * 8)).clamp(1, 8),
                ..Execution::with_workers(self.how.workers)
            };
            let tallies = resume(plan, seeds, blocks, &execution, &mut keeper)?;
            played.push(Played {
                cell: cell.clone(),
                plan: digest.clone(),
                tallies,
            });
        }
        let seeds: Vec<_> = planned.into_iter().map(|p| (p.0, p.2)).collect();
        let doc = seal(self.document::<S>(&seeds, &played)?)?;
        let tallies: Vec<Vec<SeedTally>> = played.into_iter().map(|p| p.tallies).collect();
        self.store
            .keep(&tallies_key, &serde_json::to_vec(&tallies)?)?;
        let object = run.finish(self.store, doc.text().as_bytes())?;
        self.store.keep(
            &checksum_key("validation", &doc.checksum().hex()),
            doc.text().as_bytes(),
        )?;
        Ok(Validated {
            doc,
            object,
            tallies,
            outcome: None,
            cached: false,
        })
    }

    fn document<S: SplitKind>(
        &self,
        seeds: &[(Cell<G>, Seeds<S>)],
        played: &[Played<G>],
    ) -> anyhow::Result<ValidationDoc> {
        let setup = &self.experiment.setup;
        let alpha = self.alpha();
        let (compared, shared) = self.deals(seeds)?;
        let results: Vec<_> = played
            .iter()
            .map(|p| result(setup.players, p, alpha))
            .collect();
        let gates = gates(setup.players, played, &results, INCUMBENT, alpha, shared);
        let decisions = suite_decisions(&self.policy, setup)?;
        let mut suite_changes = Vec::new();
        let mut found = Differences::default();
        if let Some(incumbent) = &self.experiment.incumbent {
            let others = suite_decisions(&incumbent.policy, setup)?;
            for (i, (mine, other)) in decisions.iter().zip(&others).enumerate() {
                if mine.decision != other.decision && suite_changes.len() < SUITE_EXAMPLES {
                    suite_changes.push(Position {
                        place: format!("suite {i}"),
                        view: value(&mine.view)?,
                        candidate: mine.decision.clone(),
                        incumbent: other.decision.clone(),
                        gain: None,
                    });
                }
            }
            if let Some((_, seeds)) = seeds.iter().find(|(c, _)| c.against == INCUMBENT) {
                found = differences(
                    setup,
                    &self.policy,
                    &incumbent.policy,
                    S::SPLIT,
                    seeds.first(POSITION_SEEDS)?.ids(),
                    POSITION_ROUNDS,
                )?;
            }
        }
        let candidate = self.candidate.doc();
        Ok(ValidationDoc {
            game: candidate.game.clone(),
            players: candidate.players,
            ruleset: candidate.ruleset.clone(),
            policy: candidate.policy.clone(),
            experiment: self.experiment.name.clone(),
            run: self.experiment.spec.kind,
            spec: self.experiment.digest.hex(),
            knobs: candidate.knobs.clone(),
            candidate: candidate.candidate.clone(),
            candidate_record: self.candidate.checksum().hex(),
            parents: evenhand_artifact::Parents {
                tables: candidate.parents.tables.clone(),
                incumbent: self.experiment.incumbent_checksum(),
            },
            salt: self.salt.to_owned(),
            attempt: self.attempt,
            alpha_ppb: i64::from(alpha.ppb()),
            intent: self.intent.clone(),
            claim: claim(self.experiment),
            verdict: Verdict::all(gates.iter().map(|g| g.verdict)),
            cell_disagreement_milli: disagreement_milli(&results),
            cells: results,
            gates,
            deals_compared: compared,
            deals_shared: shared,
            behaviour: behaviour_fingerprint(&self.policy, setup)?,
            decisions: decisions.into_iter().map(|d| d.decision).collect(),
            suite_changes,
            positions: found.kept,
            positions_found: found.found,
        })
    }

    /// How many deals of the cells were compared with the tuning's, and how many were met there.
    fn deals<S: SplitKind>(&self, seeds: &[(Cell<G>, Seeds<S>)]) -> anyhow::Result<(u64, u64)> {
        let tune = &self.experiment.spec.tune;
        let setup = &self.experiment.setup;
        let (first, count) = (tune.first_seed, u64::from(tune.seeds));
        let tuning = if self.experiment.is_quick() {
            deal_hashes(
                setup,
                &Seeds::<Rehearsal>::range(first, count)?,
                tune.rounds,
            )
        } else {
            deal_hashes(setup, &Seeds::<Tuning>::range(first, count)?, tune.rounds)
        };
        let (mut compared, mut shared) = (0, 0);
        let mut labels: Vec<&str> = Vec::new();
        for (cell, seeds) in seeds {
            // Opponents of one label share their deals.
            if labels.contains(&cell.label.as_str()) {
                continue;
            }
            labels.push(&cell.label);
            let deals = deal_hashes(setup, seeds, cell.rounds);
            compared += deals.len() as u64;
            shared += shared_deals(&tuning, &deals).len() as u64;
        }
        Ok((compared, shared))
    }
}

/// Journals finished blocks.
struct Keeper<'a> {
    cell: usize,
    run: &'a mut Run,
    how: &'a How<'a>,
    done: &'a mut u64,
}

impl Control for Keeper<'_> {
    fn block(
        &mut self,
        block: &Block,
        _finished: usize,
        _total: usize,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let line = Line {
            cell: self.cell,
            block: block.clone(),
        };
        self.run.journal.append(&serde_json::to_string(&line)?)?;
        *self.done += block.tallies.len() as u64;
        (self.how.progress)(*self.done);
        Ok(())
    }

    fn interrupted(&mut self) -> bool {
        (self.how.interrupted)()
    }
}

/// How many seeds all cells together play, for progress.
#[must_use]
pub fn expected<G: Estimates + Border>(experiment: &Experiment<G>) -> u64 {
    let cells = cells(experiment, &Maps::identity(0));
    cells.iter().map(|c| u64::from(c.seeds)).sum()
}
