//! The command `validate`.

use crate::{Validated, expected, validate};
use anyhow::Context;
use clap::Parser;
use evenhand_artifact::{CandidateDoc, CellResult, Sealed, SpecDoc, ValidationDoc, Verdict, open};
use evenhand_cli::args::{JsonArg, StoreArg, WorkersArg};
use evenhand_cli::load::{self, simple_styles};
use evenhand_cli::{Exit, Progress, Verb, dispatch, interrupt, print, print_json, spec};
use evenhand_contract::{Border, Estimates};
use evenhand_store::{Store, publish_replace, read};
use evenhand_tune::command::{experiment_name, points};
use evenhand_tune::{Experiment, How, find};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Judges a candidate on held-out seeds that are minted from it.
///
/// Every look is on record in experiments/ledger.jsonl before the first match is played. Exits
/// with 0 when every gate holds, 1 when one fails, 2 when one is inconclusive, 4 when too many
/// decisions fell back.
#[derive(Parser, Clone, Debug)]
#[command(
    name = "validate",
    version,
    after_help = "Example:\n  validate experiments/lexio-quick.toml --candidate candidate.json\n  \
                  validate experiments/lexio-5p.toml --replay --one-cell"
)]
pub struct Args {
    /// The experiment's spec
    pub spec: PathBuf,
    /// The candidate [default: what `tune` left in the store for this spec]
    #[arg(long, value_name = "FILE")]
    pub candidate: Option<PathBuf>,
    /// Mints other held-out seeds; each salt is an attempt of its own, on record
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub salt: String,
    /// Plays the recorded cells of the frozen weights again instead, and compares
    #[arg(long, conflicts_with_all = ["candidate", "salt"])]
    pub replay: bool,
    /// Replays one cell only, drawn by the candidate's digest
    #[arg(long, requires = "replay")]
    pub one_cell: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub workers: WorkersArg,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub store: StoreArg,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub json: JsonArg,
}

/// Runs the command.
///
/// # Errors
/// Wrong input, a failed match, an interruption, or a file that cannot be written.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let spec = spec::load(&args.spec)?;
    let game = spec.game.clone();
    dispatch(&game, Command { args, spec })?
}

struct Command {
    args: Args,
    spec: SpecDoc,
}

impl Verb for Command {
    type Out = anyhow::Result<Exit>;

    fn run<G: Estimates + Border>(self) -> anyhow::Result<Exit> {
        let Self { args, spec } = self;
        let name = experiment_name(&args.spec)?;
        let experiment = Experiment::<G>::new(&name, spec, Path::new("."))
            .with_context(|| args.spec.display().to_string())?;
        if args.replay {
            return replayed(&args, &experiment);
        }
        let store = Store::open(args.store.dir())?;
        let candidate: Sealed<CandidateDoc> = match &args.candidate {
            Some(file) => {
                let shown = file.display().to_string();
                let bytes = read(file)?.with_context(|| format!("{shown} is missing"))?;
                let hint = "--candidate takes what `tune --out` writes";
                open(&shown, &bytes).context(hint)?
            }
            None => {
                let table = experiment.table(&store, None)?;
                let tuned = find(&store, &experiment, table.as_ref())?;
                let hint = "the store holds no candidate of this spec: run `tune` first, or name a file with --candidate";
                tuned.context(hint)?.doc
            }
        };
        let bar = Progress::start("validate", "seeds", expected(&experiment));
        let how = How {
            workers: args.workers.count(),
            interrupted: &interrupt::requested,
            progress: &|done| bar.set(done),
        };
        let validated = validate(&store, &experiment, &candidate, &args.salt, &how)?;
        bar.finish();
        let table = match candidate.parents.tables.first() {
            Some(checksum) => Some(experiment.table_by(&store, checksum)?),
            None => None,
        };
        let folder = publish_report::<G>(
            &store,
            &candidate,
            &validated,
            table
                .as_ref()
                .map_or(&[][..], |t| std::slice::from_ref(t.doc.doc())),
            &experiment.root.join("experiments").join(&experiment.name),
        )?;
        if args.json.json {
            print_json(&json(&validated, &folder))?;
        } else {
            print(text(&validated, &folder, G::WORK_LIMIT).trim_end())?;
        }
        Ok(exit(validated.doc.verdict))
    }
}

/// Plays the recorded cells again and says of each whether it came out as recorded.
fn replayed<G: Estimates + Border>(
    args: &Args,
    experiment: &Experiment<G>,
) -> anyhow::Result<Exit> {
    let frozen = load::policy::<G>(
        &experiment.setup,
        experiment.row.name,
        &load::WeightsFrom::Frozen,
        &load::TableFrom::Frozen,
    )?;
    let file = Path::new("experiments")
        .join(&experiment.name)
        .join("validation.json");
    let shown = file.display().to_string();
    let bytes = read(&file)?.with_context(|| format!("{shown} is missing"))?;
    let record: Sealed<ValidationDoc> = open(&shown, &bytes)?;
    let which = match args.one_cell {
        true => crate::Which::One,
        false => crate::Which::All,
    };
    let styles = simple_styles::<G>(&frozen.policy.maps).count();
    let cells = match which {
        crate::Which::One => 1,
        crate::Which::All => styles * experiment.spec.validate.rounds.len(),
    };
    let seeds = u64::from(experiment.spec.validate.seeds) * cells as u64;
    let bar = Progress::start("replay", "seeds", seeds);
    let how = How {
        workers: args.workers.count(),
        interrupted: &interrupt::requested,
        progress: &|done| bar.set(done),
    };
    let cells = crate::replay(experiment, &frozen, &record, which, &how).context(shown)?;
    bar.finish();
    if args.json.json {
        let cells: Vec<_> = cells
            .iter()
            .map(|c| {
                serde_json::json!({
                    "against": c.against, "rounds": c.rounds, "recorded": c.recorded,
                    "found": c.found, "holds": c.holds(),
                })
            })
            .collect();
        print_json(&serde_json::json!({ "cells": cells }))?;
    } else {
        for cell in &cells {
            let verdict = if cell.holds() {
                "as recorded"
            } else {
                "NOT as recorded"
            };
            print(&format!(
                "{} against {}, {} rounds: {} {verdict}",
                experiment.name, cell.against, cell.rounds, cell.found
            ))?;
        }
    }
    Ok(if cells.iter().all(crate::Replayed::holds) {
        Exit::Holds
    } else {
        Exit::Fails
    })
}

/// Writes `report.md`, `report.html` and `results.parquet` of a validated candidate into the
/// store's folder of reports, and returns that.
///
/// # Errors
/// When they cannot be rendered or written.
pub fn publish_report<G: Estimates + Border>(
    store: &Store,
    candidate: &CandidateDoc,
    validated: &Validated,
    tables: &[evenhand_artifact::TableDoc],
    kept: &Path,
) -> anyhow::Result<PathBuf> {
    let doc = validated.doc.doc();
    let folder = store.root().join("reports").join(&doc.experiment);
    let mut input = crate::input::<G>(candidate, doc, tables, &validated.tallies);
    // What was taken away, where somebody asked and the answer is of these weights.
    let file = kept.join("ablation.json");
    if let Some(bytes) = read(&file)? {
        let shown = file.display().to_string();
        let found = evenhand_report::ablations(&shown, &bytes, &doc.knobs, &doc.parents.tables)?;
        input.ablations = found.unwrap_or_default();
    }
    let rendered = evenhand_report::render(&input)?;
    publish_replace(&folder.join("report.md"), rendered.markdown.as_bytes())?;
    publish_replace(&folder.join("report.html"), rendered.html.as_bytes())?;
    publish_replace(&folder.join("results.parquet"), &rendered.parquet)?;
    Ok(folder)
}

/// The exit code of a verdict.
#[must_use]
pub const fn exit(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Holds => Exit::Holds,
        Verdict::Fails => Exit::Fails,
        Verdict::Inconclusive => Exit::Inconclusive,
        Verdict::Invalid => Exit::Invalid,
    }
}

fn json(validated: &Validated, folder: &Path) -> serde_json::Value {
    let doc = validated.doc.doc();
    serde_json::json!({
        "candidate": doc.candidate,
        "record": validated.doc.checksum(),
        "object": validated.object,
        "cached": validated.cached,
        "verdict": doc.verdict,
        "valid": doc.verdict != Verdict::Invalid,
        "attempt": doc.attempt,
        "alpha_ppb": doc.alpha_ppb,
        "claim": doc.claim,
        "cells": doc.cells,
        "gates": doc.gates,
        "cell_disagreement_milli": doc.cell_disagreement_milli,
        "work_max": doc.cells.iter().map(|c| c.work_max).max(),
        "deals_compared": doc.deals_compared,
        "deals_shared": doc.deals_shared,
        "ledger": validated.outcome,
        "report": folder,
    })
}

/// What would settle an inconclusive cell: seeds, and how much longer than this cell they take,
/// since a record knows no clock.
fn to_settle(cell: &CellResult) -> String {
    let seeds = cell.estimate.seeds.max(1);
    match cell.seeds_to_settle {
        Some(more) => format!(
            "; about {more} more seeds would settle it, {} times this cell's time",
            more.div_ceil(seeds)
        ),
        None => String::new(),
    }
}

/// What people read.
#[must_use]
pub fn text(validated: &Validated, folder: &Path, work_limit: u64) -> String {
    let doc = validated.doc.doc();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{}: {}{}",
        doc.experiment,
        match doc.attempt {
            0 => "a rehearsal, on no record".to_owned(),
            k => format!("attempt {k}, judged at {} billionths", doc.alpha_ppb),
        },
        if validated.cached {
            " (from the store; nothing was played)"
        } else {
            ""
        }
    );
    for cell in &doc.cells {
        let interval = cell.estimate.interval_micro.map_or_else(
            || "undefined".to_owned(),
            |(low, high)| format!("{} to {}", points(low), points(high)),
        );
        let _ = writeln!(
            text,
            "  {:<10} {:>2} rounds  {} ({interval})  {}{}",
            cell.against,
            cell.rounds,
            points(cell.estimate.mean_micro),
            cell.verdict,
            to_settle(cell)
        );
    }
    for gate in &doc.gates {
        let _ = writeln!(
            text,
            "  {:<12} {}: {}",
            gate.verdict.name(),
            gate.name,
            gate.reason
        );
    }
    if let Some(milli) = doc.cell_disagreement_milli {
        let _ = writeln!(
            text,
            "  largest disagreement of two cells of one opponent: {}.{:03} standard errors",
            milli / 1_000,
            milli % 1_000
        );
    }
    let most = doc.cells.iter().map(|c| c.work_max).max().unwrap_or(0);
    let _ = writeln!(
        text,
        "  largest share of the work budget that one decision used: {} % of {work_limit} units",
        most.saturating_mul(100).div_ceil(work_limit.max(1))
    );
    let _ = writeln!(text, "verdict: {}", doc.verdict);
    let _ = writeln!(text, "report: {}", folder.display());
    text
}
