//! The steps, one after the other.

use anyhow::Context;
use evenhand_artifact::Verdict;
use evenhand_calibrate::{CalibrateError, Input, Phase, Settings, Watch, stored_table};
use evenhand_cli::load::{self, Loaded};
use evenhand_cli::{Interrupted, Progress};
use evenhand_contract::{Border, Estimates, Policy};
use evenhand_freeze::command::{Judged, judge};
use evenhand_store::{Store, publish_replace};
use evenhand_tune::{Experiment, How, Table, Tuned};
use evenhand_validate::command::publish_report;
use evenhand_validate::{Validated, validate};
use std::path::PathBuf;

/// How the chain is carried out.
pub struct Steps<'a> {
    /// Threads.
    pub workers: usize,
    /// Whether to stop after the block in play.
    pub interrupted: &'a dyn Fn() -> bool,
    /// Whether to freeze when every gate holds.
    pub freeze: bool,
    /// The salt of the held-out seeds.
    pub salt: &'a str,
    /// Whether to show progress.
    pub progress: bool,
}

/// What the chain came to.
pub struct Chain {
    /// Whether the table was in the store; `None` for a policy without one.
    pub table_cached: Option<bool>,
    /// The tuning.
    pub tuned: Tuned,
    /// The validation.
    pub validated: Validated,
    /// The judgement of the freeze.
    pub judged: Judged,
    /// The folder of the report.
    pub report: PathBuf,
}

impl Chain {
    /// Whether nothing was simulated.
    #[must_use]
    pub fn nothing_new(&self) -> bool {
        self.table_cached != Some(false) && self.tuned.cached && self.validated.cached
    }

    /// The worst of what validation and the freeze's gates say.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.judged.verdict.max(self.validated.doc.verdict)
    }
}

/// Shows calibration and hears interruptions.
struct Watcher<'a> {
    steps: &'a Steps<'a>,
    bar: Option<(Phase, Progress)>,
}

impl Watch for Watcher<'_> {
    fn phase(&mut self, phase: Phase, done: u64, total: u64) {
        if !self.steps.progress {
            return;
        }
        if self.bar.as_ref().is_none_or(|(known, _)| *known != phase) {
            let (label, unit) = match phase {
                Phase::Play => ("calibrate: play", "rounds"),
                Phase::Redeal => ("calibrate: re-deal", "situations"),
                Phase::Fit => ("calibrate: fit", "values"),
            };
            self.bar = Some((phase, Progress::start(label, unit, total)));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set(done);
        }
    }

    fn interrupted(&mut self) -> bool {
        (self.steps.interrupted)()
    }
}

/// The table of the experiment: from the store when an equal run made it, else made now from the
/// play of the frozen generation.
fn table<G: Estimates + Border>(
    store: &Store,
    experiment: &Experiment<G>,
    steps: &Steps<'_>,
) -> anyhow::Result<Option<(Table, bool)>> {
    if !experiment.row.reads_table {
        return Ok(None);
    }
    let key = experiment.table_key();
    if let Some((digest, bytes)) = store.result(&key)? {
        let table = experiment.table_of(&format!("object {digest}"), &bytes)?;
        // A run that was killed right after making it may not have kept it by its checksum.
        experiment.keep_table(store, &table)?;
        return Ok(Some((table, true)));
    }
    let generation_0 = || Loaded {
        policy: Policy::defaults(experiment.row),
        table: None,
        weights: None,
        set: Vec::new(),
    };
    let loaded = experiment.incumbent.clone().unwrap_or_else(generation_0);
    let input = Input::new(&experiment.setup, &loaded)?;
    let calibrate = &experiment.spec.calibrate;
    let settings = Settings {
        seed: calibrate.seed,
        situations: calibrate.situations,
        samples: calibrate.samples,
    };
    let mut watcher = Watcher { steps, bar: None };
    let doc = stored_table(
        &experiment.setup,
        &input,
        &settings,
        store,
        steps.workers,
        &mut watcher,
    )
    .map_err(|error| match error {
        CalibrateError::Interrupted => Interrupted.into(),
        CalibrateError::Play(failure) => anyhow::Error::from(failure),
        other => anyhow::Error::from(other),
    })?;
    store.keep(&key, doc.text().as_bytes())?;
    let maps = load::maps_of(&doc).context("the table")?;
    let table = Table { doc, maps };
    experiment.keep_table(store, &table)?;
    Ok(Some((table, false)))
}

/// The chain up to the candidate: nothing of it looks at a held-out seed.
pub struct Found {
    /// The table that was tuned with; `None` for a policy without one.
    pub table: Option<Table>,
    /// Whether it was in the store.
    pub table_cached: Option<bool>,
    /// The tuning.
    pub tuned: Tuned,
}

/// Makes the table where there is none of now, and tunes with it.
///
/// # Errors
/// When a step fails or is interrupted; the same command resumes it.
pub fn find<G: Estimates + Border>(
    store: &Store,
    experiment: &Experiment<G>,
    steps: &Steps<'_>,
) -> anyhow::Result<Found> {
    let made = table(store, experiment, steps)?;
    let (table, table_cached) = match made {
        Some((table, cached)) => (Some(table), Some(cached)),
        None => (None, None),
    };
    let bar = Bar::new(steps, "tune", "evaluations (estimated)", || {
        evenhand_tune::expected(experiment)
    });
    let how = How {
        workers: steps.workers,
        interrupted: steps.interrupted,
        progress: &|done| bar.set(done),
    };
    let tuned = evenhand_tune::tune(store, experiment, table.as_ref(), &how)?;
    Ok(Found {
        table,
        table_cached,
        tuned,
    })
}

/// Runs the chain.
///
/// # Errors
/// When a step fails or is interrupted; the same command resumes it.
pub fn retune<G: Estimates + Border>(
    store: &Store,
    experiment: &Experiment<G>,
    steps: &Steps<'_>,
) -> anyhow::Result<Chain> {
    let Found {
        table,
        table_cached,
        tuned,
    } = find(store, experiment, steps)?;
    let bar = Bar::new(steps, "validate", "seeds", || {
        evenhand_validate::expected(experiment)
    });
    let how = How {
        workers: steps.workers,
        interrupted: steps.interrupted,
        progress: &|done| bar.set(done),
    };
    let validated = validate(store, experiment, &tuned.doc, steps.salt, &how)?;
    drop(bar);
    let tables = table
        .as_ref()
        .map_or(&[][..], |t| std::slice::from_ref(t.doc.doc()));
    let kept = experiment.root.join("experiments").join(&experiment.name);
    let report = publish_report::<G>(store, &tuned.doc, &validated, tables, &kept)?;
    let judged = judge::<G>(
        store,
        &experiment.name,
        experiment.spec.clone(),
        &experiment.root,
        steps.freeze,
    )?;
    if !judged.files.is_empty() {
        // The page of the run stays with its kept record.
        for file in ["report.md", "report.html"] {
            let page = evenhand_store::read(&report.join(file))?.context("the report is gone")?;
            publish_replace(&kept.join(file), &page)?;
        }
    }
    Ok(Chain {
        table_cached,
        tuned,
        validated,
        judged,
        report,
    })
}

/// A progress bar that may be absent; it starts with the first word from the work.
struct Bar(Option<Progress>);

impl Bar {
    fn new(steps: &Steps<'_>, label: &str, unit: &'static str, total: impl Fn() -> u64) -> Self {
        Self(
            steps
                .progress
                .then(|| Progress::start(label, unit, total())),
        )
    }

    fn set(&self, done: u64) {
        if let Some(bar) = &self.0 {
            bar.set(done);
        }
    }
}
