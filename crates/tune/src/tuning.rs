//! Tunes an experiment: from its spec and table to the candidate in the store.

use crate::exact::{LineEntry, LineRules, LineStep, exact_doc, next_line};
use crate::experiment::{INCUMBENT, Table, checksum_key, or_none};
use crate::{
    Axis, Entry, Experiment, Field, Heading, Opponent, Problem, Rules, TuneError, candidate_doc,
    drive,
};
use anyhow::Context;
use evenhand_artifact::{
    CandidateDoc, Digest, LineSearch, Parents, RunKind, Sealed, TuneSpec, open, seal,
};
use evenhand_cli::load;
use evenhand_contract::{Border, Estimates, Game, Maps, Policy, fallback_rate_is_valid};
use evenhand_sim::{Rehearsal, Seeds, SplitKind, Tuning, denominator};
use evenhand_store::{ActionKey, Run, Store};

/// A share of the seeds on which probes are screened: one in this many.
const SCREEN: usize = 4;

/// How the work is carried out; nothing of it changes a result.
pub struct How<'a> {
    /// Threads.
    pub workers: usize,
    /// Whether to stop after the block in play.
    pub interrupted: &'a dyn Fn() -> bool,
    /// Is told how many evaluations are finished.
    pub progress: &'a dyn Fn(u64),
}

/// What tuning found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The candidate's document.
    pub doc: Sealed<CandidateDoc>,
    /// Digest of its bytes in the store.
    pub object: Digest,
    /// Whether the store had it, so that nothing was played.
    pub cached: bool,
}

impl Tuned {
    /// Whether few enough decisions fell back.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        fallback_rate_is_valid(self.doc.fallbacks.total(), self.doc.fallbacks.decisions)
    }
}

/// Tunes, or takes from the store what an equal run left there.
///
/// # Errors
/// When a match fails, the run is interrupted (it resumes from its journal), another process is at
/// it, or something cannot be written.
pub fn tune<G: Estimates + Border>(
    store: &Store,
    experiment: &Experiment<G>,
    table: Option<&Table>,
    how: &How<'_>,
) -> anyhow::Result<Tuned> {
    let tuned = match experiment.spec.kind {
        RunKind::Full => tune_on::<G, Tuning>(store, experiment, table, Some(how)),
        RunKind::Quick => tune_on::<G, Rehearsal>(store, experiment, table, Some(how)),
    }?;
    tuned.context("a search that may play comes to an end")
}

/// What an equal run left in the store; `None` when there is nothing. Plays nothing.
///
/// # Errors
/// When the store cannot be read.
pub fn find<G: Estimates + Border>(
    store: &Store,
    experiment: &Experiment<G>,
    table: Option<&Table>,
) -> anyhow::Result<Option<Tuned>> {
    match experiment.spec.kind {
        RunKind::Full => tune_on::<G, Tuning>(store, experiment, table, None),
        RunKind::Quick => tune_on::<G, Rehearsal>(store, experiment, table, None),
    }
}

/// The pool of an experiment. Before the first freeze the incumbent's share is played by
/// generation 0: default weights on the raw estimator. A style that reads a table plays by `maps`.
///
/// # Errors
/// When the pool names no policy of the game.
pub fn pool<G: Estimates + Border>(
    experiment: &Experiment<G>,
    maps: &Maps,
) -> anyhow::Result<Vec<Opponent<G>>> {
    let mut pool = Vec::new();
    for row in &experiment.spec.tune.pool {
        let policy = match (&experiment.incumbent, row.policy == INCUMBENT) {
            (Some(loaded), true) => loaded.policy.clone(),
            (None, true) => Policy::defaults(experiment.row),
            (_, false) => load::style(load::row::<G>(&row.policy)?, maps),
        };
        pool.push(Opponent {
            name: row.policy.clone(),
            share: row.share,
            policy,
        });
    }
    Ok(pool)
}

fn tune_on<G: Estimates + Border, S: SplitKind>(
    store: &Store,
    experiment: &Experiment<G>,
    table: Option<&Table>,
    how: Option<&How<'_>>,
) -> anyhow::Result<Option<Tuned>> {
    let spec = &experiment.spec.tune;
    let maps = table.map_or_else(|| Maps::identity(0), |t| t.maps.clone());
    let field = Field::<G, S> {
        setup: experiment.setup,
        row: experiment.row,
        pool: pool(experiment, &maps)?,
        maps,
        rounds: spec.rounds,
        seeds: Seeds::range(spec.first_seed, u64::from(spec.seeds)).context("tune")?,
    };
    let problem = problem(experiment, &field);
    let parents = Parents {
        tables: table.iter().map(|t| t.doc.checksum().hex()).collect(),
        incumbent: experiment.incumbent_checksum(),
    };
    let key = ActionKey::new("tune")
        .part("experiment", &experiment.name)
        .part("spec", experiment.digest)
        .part("field", field.digest(&problem.start)?)
        .part("search", format!("{problem:?}"))
        .part(
            "line_search",
            format!("{:?} {}", spec.line_search, spec.plateau),
        )
        .part("tables", parents.tables.join(" "))
        .part("incumbent", or_none(parents.incumbent.clone()));
    if let Some((object, bytes)) = store.result(&key)? {
        let doc = open(&format!("object {object}"), &bytes)?;
        return Ok(Some(Tuned {
            doc,
            object,
            cached: true,
        }));
    }
    let Some(how) = how else {
        return Ok(None);
    };
    let mut run = Run::open(store, &key)?;
    let heading = Heading {
        game: G::NAME,
        players: experiment.setup.players,
        ruleset: experiment.setup.rules.to_string(),
        policy: experiment.row.name,
        knobs: experiment.row.knobs,
        experiment: experiment.name.clone(),
        run: experiment.spec.kind,
        spec: experiment.digest.hex(),
        parents,
        first_seed: spec.first_seed,
        seeds: u64::from(spec.seeds),
        rounds: spec.rounds,
        sweeps: spec.sweeps,
        accept_t_milli: spec.accept_t_milli,
        pool: field
            .pool
            .iter()
            .map(|o| (o.name.clone(), o.share))
            .collect(),
        denominator: denominator(experiment.setup.players, spec.rounds),
    };
    let doc = match spec.line_search {
        LineSearch::Exact => by_lines(&field, &problem, spec, &mut run, how, heading)?,
        LineSearch::Grid => by_grid(&field, &problem, &mut run, how, heading)?,
    };
    let doc = seal(doc)?;
    let object = run.finish(store, doc.text().as_bytes())?;
    store.keep(
        &checksum_key("candidate", &doc.checksum().hex()),
        doc.text().as_bytes(),
    )?;
    Ok(Some(Tuned {
        doc,
        object,
        cached: false,
    }))
}

/// What a killed run left in its journal.
fn journaled<T: serde::de::DeserializeOwned>(run: &Run) -> anyhow::Result<Vec<T>> {
    let lines = run.journal.lines().iter();
    lines
        .map(|line| serde_json::from_str(line))
        .collect::<Result<Vec<T>, _>>()
        .with_context(|| run.journal.path().display().to_string())
}

/// Keeps one entry before anything is concluded from it.
fn keep<T: serde::Serialize>(run: &mut Run, entry: &T) -> Result<(), TuneError> {
    let failed = |error| TuneError::Keep(error);
    let line = serde_json::to_string(entry).map_err(|e| failed(e.into()))?;
    run.journal.append(&line).map_err(|e| failed(e.into()))
}

fn by_grid<G: Estimates + Border, S: SplitKind>(
    field: &Field<G, S>,
    problem: &Problem,
    run: &mut Run,
    how: &How<'_>,
    heading: Heading<'_>,
) -> anyhow::Result<CandidateDoc> {
    let mut entries: Vec<Entry> = journaled(run)?;
    let mut done = entries.len() as u64;
    (how.progress)(done);
    let walked = drive::<TuneError>(
        problem,
        &mut entries,
        |proposal| field.play(proposal, how.workers, how.interrupted),
        |entry| {
            keep(run, entry)?;
            done += 1;
            (how.progress)(done);
            Ok(())
        },
    )
    .map_err(TuneError::into_anyhow)?;
    Ok(candidate_doc(heading, &walked, &entries))
}

fn by_lines<G: Estimates + Border, S: SplitKind>(
    field: &Field<G, S>,
    problem: &Problem,
    spec: &TuneSpec,
    run: &mut Run,
    how: &How<'_>,
    heading: Heading<'_>,
) -> anyhow::Result<CandidateDoc> {
    let rules = LineRules {
        sweeps: spec.sweeps,
        accept_t_milli: spec.accept_t_milli,
        plateau: i64::from(spec.plateau),
        max_lines: spec.max_evaluations.map(|n| n as usize),
    };
    let mut entries: Vec<LineEntry> = journaled(run)?;
    (how.progress)(entries.len() as u64);
    loop {
        let (axes, shares) = (&problem.axes, &problem.shares);
        match next_line(axes, &rules, &problem.start, shares, &entries)? {
            LineStep::Done(walk) => return Ok(exact_doc(heading, axes, &walk, &entries)),
            LineStep::Follow { point, place } => {
                let entry = field
                    .follow(&point, place, rules.plateau, how.workers, how.interrupted)
                    .and_then(|entry| keep(run, &entry).map(|()| entry))
                    .map_err(TuneError::into_anyhow)?;
                entries.push(entry);
                (how.progress)(entries.len() as u64);
            }
        }
    }
}

fn problem<G: Estimates + Border, S: SplitKind>(
    experiment: &Experiment<G>,
    field: &Field<G, S>,
) -> Problem {
    let spec = &experiment.spec.tune;
    let seeds = field.seeds.len();
    Problem {
        axes: experiment.row.knobs.iter().map(Axis::of).collect(),
        rules: Rules {
            sweeps: spec.sweeps,
            accept_t_milli: spec.accept_t_milli,
            seeds,
            screen: seeds.div_ceil(SCREEN).clamp(2, seeds.max(2)),
            max_evaluations: spec.max_evaluations.map(|n| n as usize),
        },
        start: experiment.start().values().to_vec(),
        shares: field.pool.iter().map(|o| i64::from(o.share)).collect(),
    }
}

/// About how many journal lines a search takes, for progress.
#[must_use]
pub fn expected<G: Game + Estimates>(experiment: &Experiment<G>) -> u64 {
    let knobs = experiment.row.knobs.len() as u64;
    let tune = &experiment.spec.tune;
    if tune.line_search == LineSearch::Exact {
        return knobs * u64::from(tune.sweeps);
    }
    1 + knobs * (u64::from(experiment.spec.tune.sweeps) * 5 + 6)
}
