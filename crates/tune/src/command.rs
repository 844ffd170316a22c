//! The command `tune`.

use crate::{Experiment, How, Tuned, expected, tune};
use anyhow::Context;
use clap::Parser;
use evenhand_artifact::SpecDoc;
use evenhand_cli::args::{ForceArg, JsonArg, StoreArg, WorkersArg};
use evenhand_cli::{Exit, Progress, Verb, dispatch, interrupt, print, print_json, spec};
use evenhand_contract::{Border, Estimates};
use evenhand_store::Store;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Searches the weights of a policy on tuning seeds, against a pool of opponents.
///
/// Coordinate descent over the policy's knobs with common seeds; a move needs a clear paired
/// difference, ties keep the current point. A killed run resumes to the same bytes.
#[derive(Parser, Clone, Debug)]
#[command(
    name = "tune",
    version,
    after_help = "Example:\n  tune experiments/lexio-quick.toml --workers 2 --out candidate.json"
)]
pub struct Args {
    /// The experiment's spec
    pub spec: PathBuf,
    /// Calibration table to tune with [default: what the store holds for the spec, else the
    /// frozen one]
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Also write the candidate to a file; one that is there needs --force
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub force: ForceArg,
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

/// The name of an experiment: its spec's file name without the end.
///
/// # Errors
/// When the path names no file.
pub fn experiment_name(spec: &Path) -> anyhow::Result<String> {
    let stem = spec.file_stem().context("the spec's path names no file")?;
    Ok(stem.to_string_lossy().into_owned())
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
        if let Some(out) = &args.out {
            args.force.check(out)?;
        }
        let experiment = Experiment::<G>::new(&name, spec, Path::new("."))
            .with_context(|| args.spec.display().to_string())?;
        let store = Store::open(args.store.dir())?;
        let table = experiment.table(&store, args.table.as_deref())?;
        let bar = Progress::start("tune", "evaluations (estimated)", expected(&experiment));
        let how = How {
            workers: args.workers.count(),
            interrupted: &interrupt::requested,
            progress: &|done| bar.set(done),
        };
        let tuned = tune(&store, &experiment, table.as_ref(), &how)?;
        bar.finish();
        if let Some(out) = &args.out {
            evenhand_store::publish_replace(out, tuned.doc.text().as_bytes())?;
        }
        if args.json.json {
            print_json(&json(&tuned))?;
        } else {
            print(text(&tuned).trim_end())?;
        }
        Ok(if tuned.is_valid() {
            Exit::Holds
        } else {
            Exit::Invalid
        })
    }
}

fn json(tuned: &Tuned) -> serde_json::Value {
    let doc = tuned.doc.doc();
    serde_json::json!({
        "candidate": doc.candidate,
        "object": tuned.object,
        "cached": tuned.cached,
        "valid": tuned.is_valid(),
        "knobs": doc.knobs,
        "flags": doc.flags,
        "tuning": doc.tuning,
        "fallbacks": doc.fallbacks,
        "cost": doc.cost,
        "parents": doc.parents,
    })
}

/// A figure in millionths, as points with three decimals.
#[must_use]
pub fn points(micro: i64) -> String {
    let milli = (micro.unsigned_abs() + 500) / 1_000;
    let sign = if micro < 0 && milli > 0 { '-' } else { '+' };
    format!("{sign}{}.{:03}", milli / 1_000, milli % 1_000)
}

/// What people read.
fn text(tuned: &Tuned) -> String {
    let doc = tuned.doc.doc();
    let mut text = String::new();
    let t = &doc.tuning;
    let _ = writeln!(
        text,
        "{}: {} evaluations, {} moves accepted, on {} tuning seeds x {} rounds{}",
        doc.experiment,
        t.evaluations,
        t.accepted,
        t.seeds,
        t.rounds,
        if tuned.cached {
            " (from the store; nothing was played)"
        } else {
            ""
        }
    );
    if t.out_of_budget {
        let _ = writeln!(text, "the budget of evaluations ended the search");
    }
    let _ = writeln!(
        text,
        "objective {} -> {}: gain {} points a round, overstated by selection",
        points(t.start_micro),
        points(t.end_micro),
        points(t.tuning_gain_micro)
    );
    for o in &t.opponents {
        let _ = writeln!(
            text,
            "  against {:<10} (share {:>3} %) {} -> {}",
            o.opponent,
            o.share,
            points(o.start_micro),
            points(o.end_micro)
        );
    }
    for flag in &doc.flags {
        let _ = writeln!(
            text,
            "  {:<16} {:>6} -> {:>6}{}",
            flag.name,
            flag.start,
            flag.value,
            flag_words(flag)
        );
    }
    if !tuned.is_valid() {
        let _ = writeln!(
            text,
            "INVALID: {} of {} decisions fell back",
            doc.fallbacks.total(),
            doc.fallbacks.decisions
        );
    }
    let _ = writeln!(text, "candidate {}", doc.candidate);
    text
}

/// The flags of a knob as words, each with a space in front.
#[must_use]
pub fn flag_words(flag: &evenhand_artifact::KnobFlags) -> String {
    [
        (flag.flat, "flat"),
        (flag.at_bound, "at bound"),
        (flag.tie_break_only, "tie-break only"),
    ]
    .into_iter()
    .filter(|(set, _)| *set)
    .fold(String::new(), |text, (_, word)| format!("{text}  [{word}]"))
}
