use super::generate::table_reader;
use super::watch::{Shown, coded};
use crate::{Audit, AuditSettings, ErrorTable, audit};
use evenhand_cli::args::{self, GameArgs, JsonArg, WorkersArg};
use evenhand_cli::load::{self, TABLES, TableFrom, WEIGHTS_FILE, WeightsFrom};
use evenhand_cli::{Exit, Verb, dispatch};
use evenhand_contract::{Border, Estimates};
use serde_json::json;
use std::path::Path;

/// Judges beliefs on fresh situations: against re-deals, and against the hands really held
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  calibrate audit --game lexio --players 5 --situations 2000 --samples 20000 --seed 7"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Situations of each kind of question, where play offers as many
    #[arg(long, value_name = "N", default_value = "2000", value_parser = args::count)]
    situations: u32,
    /// Random re-deals of each situation
    #[arg(long, value_name = "N", default_value = "20000", value_parser = args::count)]
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
        let frozen = load::folder(Path::new(TABLES), G::NAME, setup.players);
        let weights = match self.weights {
            Some(weights) => weights,
            None if !frozen.join(WEIGHTS_FILE).exists() => WeightsFrom::Defaults,
            None => WeightsFrom::Frozen,
        };
        let table = self.table.unwrap_or_default();
        let loaded = load::policy(&setup, name, &weights, &table)?;
        let settings = AuditSettings {
            seed: self.seed,
            situations: self.situations,
            samples: self.samples,
        };
        let mut watch = Shown::default();
        let workers = self.workers.count();
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
                "seed": self.seed,
                "situations": self.situations,
                "samples": self.samples,
            });
            value["rounds"] = json!(found.rounds);
            value["kinds"] = serde_json::to_value(&found.kinds)?;
            evenhand_cli::print_json(&value)?;
        } else {
            evenhand_cli::print(&text(&found, self.samples))?;
        }
        Ok(Exit::Holds)
    }
}

/// ppm as a decimal fraction.
fn decimal(ppm: u64) -> String {
    format!("{}.{:06}", ppm / 1_000_000, ppm % 1_000_000)
}

fn text(audit: &Audit, samples: u32) -> String {
    let mut out = format!(
        "Model error: believed against {samples} re-deals of each situation ({} rounds played).\n\
         `noise` is the mean error that a perfect belief would show; `sd` that of the worst situation.\n\n",
        audit.rounds
    );
    for (title, table) in [
        (
            "all situations",
            (|k| &k.all) as fn(&crate::KindAudit) -> &ErrorTable,
        ),
        ("open ones, 0.02 < p < 0.98", |k| &k.open),
    ] {
        out.push_str(&format!(
            "{title:28} {:>6}  {:>8} {:>8}  {:>8} {:>8} {:>8}  {:>8}\n",
            "count", "raw mean", "raw max", "cal mean", "cal max", "sd", "noise"
        ));
        for kind in &audit.kinds {
            let table = table(kind);
            let exact = if kind.exact { " (exact)" } else { "" };
            out.push_str(&format!(
                "{:28} {:>6}  {:>8} {:>8}  {:>8} {:>8} {:>8}  {:>8}\n",
                format!("  {}{exact}", kind.kind),
                table.situations,
                decimal(table.raw.mean_ppm),
                decimal(table.raw.max_ppm),
                decimal(table.calibrated.mean_ppm),
                decimal(table.calibrated.max_ppm),
                decimal(table.calibrated.max_noise_sd_ppm),
                decimal(table.noise_ppm),
            ));
        }
        out.push('\n');
    }
    out.push_str(
        "Behaviour: what was believed in play against what the hidden hands held.\n\
         Brier scores: of the raw output, of the beliefs, and after an ideal recalibration.\n\n",
    );
    out.push_str(&format!(
        "{:28} {:>9}  {:>8} {:>8}  {:>8} {:>8} {:>8}\n",
        "kind", "count", "believed", "happened", "raw", "beliefs", "ideal"
    ));
    for kind in &audit.kinds {
        let b = &kind.behaviour;
        let score = |ppm: Option<u32>| ppm.map_or("-".to_owned(), |p| decimal(p.into()));
        out.push_str(&format!(
            "{:28} {:>9}  {:>8} {:>8}  {:>8} {:>8} {:>8}\n",
            format!("  {}", kind.kind),
            b.predictions,
            decimal(b.believed_ppm),
            decimal(b.happened_ppm),
            score(b.raw_brier_ppm),
            score(b.reliability.brier_ppm),
            score(b.reliability.recalibrated_ppm),
        ));
    }
    out
}
