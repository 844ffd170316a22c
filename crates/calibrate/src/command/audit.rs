use super::generate::table_reader;
use super::told::{self, decimal};
use super::watch::{Shown, coded};
use crate::{AuditSettings, SweepError, SweepRow, SweepSettings, audit, parameter_place, sweep};
use anyhow::bail;
use evenhand_cli::args::{self, GameArgs, JsonArg, WorkersArg};
use evenhand_cli::knobs::{SetArgs, set_text};
use evenhand_cli::load::{self, TABLES, TableFrom, WEIGHTS_FILE, WeightsFrom};
use evenhand_cli::{Exit, Verb, dispatch};
use evenhand_contract::{Border, Estimates};
use serde_json::json;
use std::path::Path;

/// Judges beliefs on fresh situations: against re-deals, and against what came true in play
///
/// With --sweep the policy plays at each value of a parameter of its estimator instead, with the raw
/// output believed: how many chances to declare, declared and lost, what was believed and what came
/// true, and the points against the policy as it is.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  calibrate audit --game lexio --players 5 --situations 2000 --samples 20000 --seed 7"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Situations of each kind of question, where play offers as many
    #[arg(long, value_name = "N", default_value = "2000", value_parser = args::situations)]
    situations: u32,
    /// Random re-deals of each situation
    #[arg(long, value_name = "N", default_value = "20000", value_parser = args::samples)]
    samples: u32,
    /// Seed of the exploration split
    #[arg(long, default_value = "7", value_parser = args::seed)]
    seed: u64,
    /// The policy that is audited; the first that reads a table where it is left out
    #[arg(long)]
    policy: Option<String>,
    /// Its weights: a file, or `defaults` [default: the frozen ones, if there are any]
    #[arg(long, value_name = "FILE")]
    weights: Option<WeightsFrom>,
    /// Its table: a file, or `raw` [default: the frozen one]
    #[arg(long, value_name = "FILE")]
    table: Option<TableFrom>,
    /// Plays at each value of this parameter of the estimator
    #[arg(long, value_name = "PARAMETER")]
    sweep: Option<String>,
    /// With --sweep: rounds that are played for beliefs at each value
    #[arg(long, value_name = "N", default_value = "4000", value_parser = args::situations)]
    sweep_rounds: u32,
    /// With --sweep: seeds on which points are compared at each value
    #[arg(long, value_name = "N", default_value = "128", value_parser = args::seeds)]
    sweep_seeds: u32,
    #[command(flatten)]
    set: SetArgs,
    #[command(flatten)]
    workers: WorkersArg,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    let game = args.game.game.clone();
    dispatch(&game, args)?
}

impl Verb for Args {
    type Out = anyhow::Result<Exit>;

    fn run<G: Estimates + Border>(self) -> Self::Out {
        let setup = self.game.setup::<G>()?;
        let name = match &self.policy {
            Some(name) => load::row::<G>(name)?.name,
            None => table_reader::<G>()?,
        };
        // Before the first freeze there are no weights, but there may be a table to audit.
        let frozen = load::folder(Path::new(TABLES), &setup);
        let weights = match self.weights {
            Some(weights) => weights,
            None if !frozen.join(WEIGHTS_FILE).exists() => WeightsFrom::Defaults,
            None => WeightsFrom::Frozen,
        };
        let table = self.table.unwrap_or_default();
        let mut loaded = load::policy(&setup, name, &weights, &table)?;
        self.set.apply(&mut loaded)?;
        let settings = AuditSettings {
            seed: self.seed,
            situations: self.situations,
            samples: self.samples,
        };
        let mut watch = Shown::default();
        let workers = self.workers.count();
        if let Some(parameter) = &self.sweep {
            let names = || G::PARAMETERS.iter().map(|row| row.name);
            let Some(place) = parameter_place::<G>(parameter) else {
                let known = names().collect::<Vec<_>>().join(", ");
                bail!(
                    "--sweep {parameter:?}: {} has {}",
                    G::NAME,
                    if known.is_empty() {
                        "no parameters"
                    } else {
                        &known
                    }
                );
            };
            let settings = SweepSettings {
                seed: self.seed,
                rounds: self.sweep_rounds,
                seeds: self.sweep_seeds,
                match_rounds: 5,
            };
            let rows = sweep(
                &setup,
                &loaded.policy,
                place,
                &settings,
                workers,
                &mut watch,
            );
            let rows = rows.map_err(|error| match error {
                SweepError::Play(error) => coded(error),
                other => other.into(),
            })?;
            drop(watch);
            if self.json.json {
                evenhand_cli::print_json(&json!({
                    "game": G::NAME,
                    "players": setup.players,
                    "ruleset": setup.rules.to_string(),
                    "policy": name,
                    "parameter": parameter,
                    "seed": self.seed,
                    "rounds": self.sweep_rounds,
                    "seeds": self.sweep_seeds,
                    "rows": serde_json::to_value(&rows)?,
                }))?;
            } else {
                evenhand_cli::print(&sweep_text(parameter, &rows))?;
            }
            return Ok(Exit::Holds);
        }
        let found = audit(&setup, &loaded.policy, &settings, workers, &mut watch).map_err(coded)?;
        drop(watch);
        if self.json.json {
            let mut value = json!({
                "game": G::NAME,
                "players": setup.players,
                "ruleset": setup.rules.to_string(),
                "policy": name,
                "table": loaded.table.as_ref().map(|t| t.checksum().hex()),
                "weights": loaded.weights.as_ref().map(|w| w.checksum().hex()),
                "set": loaded.set.iter().map(|(knob, value)| json!({"name": knob, "value": value})).collect::<Vec<_>>(),
                "seed": self.seed,
                "situations": self.situations,
                "samples": self.samples,
            });
            value["rounds"] = json!(found.rounds);
            value["kinds"] = serde_json::to_value(&found.kinds)?;
            evenhand_cli::print_json(&value)?;
        } else {
            let by = |what: &str, checksum: Option<String>| {
                checksum.map_or_else(String::new, |hex| format!(", {what} {hex:.12}"))
            };
            let head = format!(
                "{}, {} players, ruleset {}: {name}{}{}{}\n\n",
                G::NAME,
                setup.players,
                setup.rules,
                by(
                    "weights",
                    loaded.weights.as_ref().map(|w| w.checksum().hex())
                ),
                by("table", loaded.table.as_ref().map(|t| t.checksum().hex())),
                set_text(&loaded),
            );
            let text = told::audit(&head, &found, self.samples, G::FIT);
            evenhand_cli::print(&text)?;
        }
        Ok(Exit::Holds)
    }
}

fn sweep_text(parameter: &str, rows: &[SweepRow]) -> String {
    let mut out = format!(
        "Play at each value of {parameter}, raw output believed; the last line is the policy as given.\n\
         Points a round are against the policy as given.\n\n\
         {parameter:>8} {:>8} {:>8} {:>8}  {:>8} {:>9} {:>8} {:>8}  {:>9} {:>19}\n",
        "chances",
        "believed",
        "actual",
        "declared",
        "penalties",
        "believed",
        "actual",
        "points",
        "95 %"
    );
    let points = |micro: i64| {
        let sign = if micro < 0 { '-' } else { '+' };
        let milli = (micro.unsigned_abs() + 500) / 1_000;
        format!("{sign}{}.{:03}", milli / 1_000, milli % 1_000)
    };
    for row in rows {
        let value = row.value.map_or("table".to_owned(), |v| v.to_string());
        let interval = (row.points.interval_micro).map_or_else(String::new, |(low, high)| {
            format!("{} to {}", points(low), points(high))
        });
        out.push_str(&format!(
            "{value:>8} {:>8} {:>8} {:>8}  {:>8} {:>9} {:>8} {:>8}  {:>9} {interval:>19}\n",
            row.chances,
            decimal(row.chance_believed_ppm),
            decimal(row.chance_actual_ppm),
            row.declared,
            row.penalties,
            decimal(row.believed_ppm),
            decimal(row.actual_ppm),
            points(row.points.mean_micro),
        ));
    }
    out
}
