//! The command `retune`.

use crate::{Chain, Found, Steps, find, retune};
use anyhow::Context;
use clap::Parser;
use evenhand_artifact::{SpecDoc, Verdict};
use evenhand_cli::args::{JsonArg, StoreArg, WorkersArg};
use evenhand_cli::{Exit, Verb, dispatch, interrupt, print, print_json, spec};
use evenhand_contract::{Border, Estimates};
use evenhand_store::Store;
use evenhand_tune::command::{experiment_name, points};
use evenhand_tune::{Experiment, Tuned};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The whole chain: calibrates, tunes, validates, judges the freeze and writes a report.
///
/// A step whose inputs did not change is skipped. Without --freeze it exits with 0 when the chain
/// completed, whatever the verdict, which it prints; with --freeze by the verdict.
#[derive(Parser, Clone, Debug)]
#[command(
    name = "retune",
    version,
    after_help = "Example:\n  retune experiments/lexio-quick.toml"
)]
pub struct Args {
    /// The experiment's spec
    pub spec: PathBuf,
    /// Freeze when every gate holds
    #[arg(long)]
    pub freeze: bool,
    /// Stop with the candidate: no held-out seed is looked at, nothing goes on record
    #[arg(long, conflicts_with_all = ["freeze", "salt"])]
    pub candidate_only: bool,
    /// Mints other held-out seeds; each salt is an attempt of its own, on record
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub salt: String,
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
        let store = Store::open(args.store.dir())?;
        let steps = Steps {
            workers: args.workers.count(),
            interrupted: &interrupt::requested,
            freeze: args.freeze,
            salt: &args.salt,
            progress: true,
        };
        if args.candidate_only {
            let found = find(&store, &experiment, &steps)?;
            if args.json.json {
                print_json(&serde_json::json!({
                    "candidate": found.tuned.doc.candidate,
                    "table_cached": found.table_cached,
                    "tune_cached": found.tuned.cached,
                    "tuning": found.tuned.doc.tuning,
                    "flags": found.tuned.doc.flags,
                }))?;
            } else {
                print(found_text(&found).trim_end())?;
            }
            return Ok(Exit::Holds);
        }
        let chain = retune(&store, &experiment, &steps)?;
        if args.json.json {
            print_json(&json(&chain))?;
        } else {
            print(text(&chain, args.freeze, G::WORK_LIMIT).trim_end())?;
        }
        Ok(match chain.verdict() {
            _ if !args.freeze => Exit::Holds,
            Verdict::Holds => Exit::Holds,
            Verdict::Fails => Exit::Fails,
            Verdict::Inconclusive => Exit::Inconclusive,
            Verdict::Invalid => Exit::Invalid,
        })
    }
}

fn json(chain: &Chain) -> serde_json::Value {
    let doc = chain.validated.doc.doc();
    serde_json::json!({
        "candidate": doc.candidate,
        "table_cached": chain.table_cached,
        "tune_cached": chain.tuned.cached,
        "validate_cached": chain.validated.cached,
        "nothing_new": chain.nothing_new(),
        "tuning": chain.tuned.doc.tuning,
        "flags": chain.tuned.doc.flags,
        "cells": doc.cells,
        "validation_verdict": doc.verdict,
        "freeze_gates": chain.judged.gates,
        "freeze_verdict": chain.judged.verdict,
        "verdict": doc.verdict,
        "valid": chain.verdict() != Verdict::Invalid,
        "files": chain.judged.files,
        "report": chain.report,
    })
}

const fn made(cached: bool) -> &'static str {
    if cached { "from the store" } else { "made now" }
}

fn found_text(found: &Found) -> String {
    let text = candidate_text(found.table_cached, &found.tuned);
    format!("{text}candidate {}\n", found.tuned.doc.candidate)
}

fn candidate_text(table_cached: Option<bool>, tuned: &Tuned) -> String {
    let mut text = String::new();
    if let Some(cached) = table_cached {
        let table = tuned.doc.parents.tables.join(", ");
        let _ = writeln!(text, "calibrate: {} ({table})", made(cached));
    }
    let t = &tuned.doc.tuning;
    let _ = writeln!(
        text,
        "tune: {}; {} evaluations, {} moves, {} -> {} points a round on its own seeds, overstated by selection",
        made(tuned.cached),
        t.evaluations,
        t.accepted,
        points(t.start_micro),
        points(t.end_micro)
    );
    for flag in &tuned.doc.flags {
        let words = evenhand_tune::command::flag_words(flag);
        let _ = writeln!(
            text,
            "  {:<16} {:>6} -> {:>6}{words}",
            flag.name, flag.start, flag.value
        );
    }
    text
}

fn text(chain: &Chain, freeze: bool, work_limit: u64) -> String {
    let mut text = String::new();
    if chain.nothing_new() {
        text.push_str("nothing changed: every step is from the store, nothing was simulated\n");
    }
    text.push_str(&candidate_text(chain.table_cached, &chain.tuned));
    let made = made(chain.validated.cached);
    let _ = writeln!(text, "validate: {made}");
    text.push_str(&evenhand_validate::command::text(
        &chain.validated,
        &chain.report,
        work_limit,
    ));
    text.push_str("freeze:\n");
    text.push_str(&evenhand_freeze::command::text(&chain.judged, !freeze));
    let _ = writeln!(
        text,
        "verdict: validation {}, freeze {}",
        chain.validated.doc.verdict, chain.judged.verdict
    );
    text
}
