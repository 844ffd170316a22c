//! `ablate`: what each knob and each rule stage is worth, and how one knob responds.

mod also;
mod sweep;
mod text;
mod without;

pub use also::{Also, AlsoError, AlsoText};
pub use sweep::{Flag, Point, Sweep, grid, sweep};
pub use without::{Ablation, Effect, Finding, Line, Unchanged, What, ablation};

use crate::field::{Field, PlayArgs, explained, played_by, policy_by};
use anyhow::{Context, bail};
use clap::Parser;
use evenhand_artifact::{SpecDoc, Value, canonical, to_value};
use evenhand_cli::args::ForceArg;
use evenhand_cli::knobs::SetArgs;
use evenhand_cli::load::{Loaded, TableFrom};
use evenhand_cli::{Exit, Progress, Verb, dispatch, print, print_json, spec};
use evenhand_contract::{Border, Estimates};
use evenhand_sim::{Execution, Exploration, Seeds};
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Chance of an interval to miss, in ppm.
const ALPHA_PPM: u32 = 50_000;

const EXAMPLE: &str = "\
Example:
  ablate experiments/lexio-5p.toml --seeds 256
  ablate experiments/lexio-5p.toml --also Hold=0.5 --also out,sure
  ablate experiments/lexio-5p.toml --sweep LeadRetention --seeds 64

Each knob is set to zero and each rule stage switched off, alone; the full policy and every variant
play the spec's pool on the same exploration seeds. `difference` is variant minus full in points a
round (mixture of the pool by its shares), paired by seed, with a 95 % interval; p values are
Holm-corrected over the list, which is sorted by harm. `no decision changed` means that along the
full policy's play the variant decides alike everywhere: the difference is exactly 0, and no seed
is spent on it. --also adds variants of your own to the list, and to the correction.

--sweep plays one knob over a grid that is dense around zero, each value paired to the present one.

Exit codes: 0 every line came to a finding, 2 some are inconclusive or the run was interrupted,
3 usage or input error, 4 invalid (too many fallbacks), 70 a policy failed.";

/// Take knobs and rule stages away one at a time, or sweep one knob.
#[derive(Parser, Clone, Debug)]
#[command(name = "ablate", version, after_help = EXAMPLE)]
pub struct Args {
    #[command(flatten)]
    play: PlayArgs,
    /// Sweep this knob instead
    #[arg(long, value_name = "KNOB")]
    sweep: Option<String>,
    /// Also play this variant: knobs set (Margin=0.1) and stages switched off (score), taken
    /// together with a comma between; can be repeated
    #[arg(long, value_name = "VARIANT", conflicts_with = "sweep")]
    also: Vec<AlsoText>,
    /// Weights: a file, `defaults`, or a policy's name [default: the frozen ones, else defaults]
    #[arg(long, value_name = "FILE")]
    weights: Option<String>,
    /// Calibration table: a file, or `raw` [default: the frozen one, else raw]
    #[arg(long, value_name = "FILE|raw")]
    table: Option<TableFrom>,
    #[command(flatten)]
    set: SetArgs,
    /// Also write the record (canonical JSON, without the times) to this file; one that is there
    /// needs --force
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
}

/// Ablates and prints.
///
/// # Errors
/// Wrong input, a failed match, an interruption.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let spec = spec::load(&args.play.spec)?;
    let game = spec.game.clone();
    dispatch(&game, Job { args, spec })?
}

struct Job {
    args: Args,
    spec: SpecDoc,
}

impl Verb for Job {
    type Out = anyhow::Result<Exit>;

    fn run<G: Estimates + Border>(self) -> anyhow::Result<Exit> {
        let field = Field::<G>::of_spec(&self.spec)?;
        let args = &self.args;
        if let Some(out) = &args.out {
            args.force.check(out)?;
        }
        let mut loaded = policy_by(
            &field.setup,
            &self.spec.policy,
            args.weights.as_deref(),
            args.table.as_ref(),
        )?;
        args.set.apply(&mut loaded)?;
        let seeds = args.play.exploration()?;
        let execution = args.play.execution();
        match &args.sweep {
            Some(knob) => self.sweep(&field, &loaded, knob, &seeds, &execution),
            None => self.ablate(&field, &loaded, &seeds, &execution),
        }
    }
}

impl Job {
    fn ablate<G: Estimates + Border>(
        &self,
        field: &Field<G>,
        loaded: &Loaded<G>,
        seeds: &Seeds<Exploration>,
        execution: &Execution,
    ) -> anyhow::Result<Exit> {
        let asked = self.args.also.iter().map(|text| text.of(&loaded.policy));
        let also = asked.collect::<Result<Vec<_>, _>>()?;
        let mut progress = Progress::start("ablate", "seeds of a run", seeds.len() as u64);
        let found = ablation(
            field,
            &loaded.policy,
            &also,
            seeds,
            execution,
            &mut progress,
        );
        drop(progress);
        let found = found.map_err(explained)?;
        self.hand_out(field, loaded, "ablation", &found, |head| {
            text::ablation(field, head, &found)
        })?;
        Ok(if !found.valid {
            Exit::Invalid
        } else if found
            .lines
            .iter()
            .any(|l| l.finding == Finding::Inconclusive)
        {
            Exit::Inconclusive
        } else {
            Exit::Holds
        })
    }

    fn sweep<G: Estimates + Border>(
        &self,
        field: &Field<G>,
        loaded: &Loaded<G>,
        knob: &str,
        seeds: &Seeds<Exploration>,
        execution: &Execution,
    ) -> anyhow::Result<Exit> {
        let knobs = loaded.policy.row.knobs;
        let Some(place) = knobs.iter().position(|k| k.name == knob) else {
            let names: Vec<&str> = knobs.iter().map(|k| k.name).collect();
            bail!(
                "{} has no knob {knob:?}; there are: {}",
                loaded.policy.row.name,
                names.join(", ")
            );
        };
        let mut progress = Progress::start("sweep", "seeds of a run", seeds.len() as u64);
        let found = sweep(
            field,
            &loaded.policy,
            place,
            seeds,
            execution,
            &mut progress,
        );
        drop(progress);
        let found = found.map_err(explained)?;
        self.hand_out(field, loaded, "sweep", &found, |head| {
            text::sweep(head, &found)
        })?;
        Ok(if found.valid {
            Exit::Holds
        } else {
            Exit::Invalid
        })
    }

    /// Prints what was found, and writes the record.
    fn hand_out<G: Estimates + Border, T: Serialize>(
        &self,
        field: &Field<G>,
        loaded: &Loaded<G>,
        what: &str,
        found: &T,
        text: impl FnOnce(&str) -> String,
    ) -> anyhow::Result<()> {
        let args = &self.args;
        let mut record = json!({
            "format": format!("evenhand-{what}/1"),
            "game": G::NAME,
            "players": field.setup.players,
            "ruleset": field.setup.rules.to_string(),
            "policy": loaded.policy.row.name,
            "knobs": knobs_json(loaded),
            "pool": field.pool.iter().map(|o| json!({"policy": o.name, "share": o.share})).collect::<Vec<_>>(),
            "split": "exploration",
            "first_seed": args.play.first_seed,
            "seeds": args.play.seeds,
            "rounds": field.rounds,
        });
        // Knobs set by hand are no longer those of the artifact.
        let weights = loaded.weights.as_ref().filter(|_| loaded.set.is_empty());
        for (name, checksum) in [
            ("weights", weights.map(|w| w.checksum())),
            ("table", loaded.table.as_ref().map(|t| t.checksum())),
        ] {
            if let Some(checksum) = checksum {
                record[name] = checksum.hex().into();
            }
        }
        record[what] = serde_json::to_value(found)?;
        if let Some(out) = &args.out {
            write_record(out, &record)?;
        }
        if args.play.json.json {
            return print_json(&record);
        }
        let pool: Vec<String> = field
            .pool
            .iter()
            .map(|o| format!("{} {} %", o.name, o.share))
            .collect();
        let head = format!(
            "{}, {} players, ruleset {}, {} rounds a match, against {}\n{}, on {} exploration seeds from {}\n",
            G::NAME,
            field.setup.players,
            field.setup.rules,
            field.rounds,
            pool.join(" + "),
            played_by(loaded),
            args.play.seeds,
            args.play.first_seed,
        );
        print(&text(&head))
    }
}

fn knobs_json<G: Estimates>(loaded: &Loaded<G>) -> serde_json::Value {
    let policy = &loaded.policy;
    let knobs = policy.row.knobs.iter().zip(policy.weights.values());
    knobs
        .map(|(knob, &value)| json!({"name": knob.name, "value": value}))
        .collect()
}

/// Writes a record as canonical JSON. What is undefined, and what depends on the machine's speed,
/// is left out.
pub(crate) fn write_record(path: &Path, record: &serde_json::Value) -> anyhow::Result<()> {
    let value: Value = to_value(&evenhand_cli::without_null(&without_times(record)))?;
    let text = canonical::to_text(&value);
    evenhand_store::publish(path, text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}

/// The value less times, which no kept record holds.
fn without_times(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| *name != "more_seconds")
            .map(|(name, value)| (name.clone(), without_times(value)))
            .collect(),
        serde_json::Value::Array(items) => items.iter().map(without_times).collect(),
        other => other.clone(),
    }
}
