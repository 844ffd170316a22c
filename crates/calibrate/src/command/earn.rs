use super::generate::table_reader;
use crate::{EarnError, EarnSettings, Earned, earn};
use evenhand_cli::args::{self, GameArgs, JsonArg, WorkersArg};
use evenhand_cli::knobs::{SetArgs, set_text};
use evenhand_cli::load::{self, TABLES, TableFrom, WEIGHTS_FILE, WeightsFrom};
use evenhand_cli::{Exit, Progress, Verb, dispatch};
use evenhand_contract::{Border, Estimates};
use evenhand_sim::Execution;
use evenhand_stats::{fixed, supported_decimals};
use serde_json::json;
use std::path::Path;

/// Plays a policy with its table against itself without, on the same deals
///
/// Exit code 0 when the table is worth something head to head, 1 when it costs or changes no
/// decision, 2 when the interval holds zero, 4 when too many decisions fell back.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  calibrate earn --game lexio --players 5 --seeds 256")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Seeds of the exploration split, each 2N matches
    #[arg(long, value_name = "N", default_value = "256", value_parser = args::seeds)]
    seeds: u32,
    /// The first of them
    #[arg(long, value_name = "S", default_value = "0", value_parser = args::seed)]
    first_seed: u64,
    /// Rounds a match
    #[arg(long, value_name = "N", default_value = "5", value_parser = args::rounds)]
    rounds: u32,
    /// The policy; the first that reads a table where it is left out
    #[arg(long)]
    policy: Option<String>,
    /// Its weights: a file, or `defaults` [default: the frozen ones, if there are any]
    #[arg(long, value_name = "FILE")]
    weights: Option<WeightsFrom>,
    /// Its table [default: the frozen one]
    #[arg(long, value_name = "FILE")]
    table: Option<TableFrom>,
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
        let frozen = load::folder(Path::new(TABLES), &setup);
        let weights = match self.weights {
            Some(weights) => weights,
            None if !frozen.join(WEIGHTS_FILE).exists() => WeightsFrom::Defaults,
            None => WeightsFrom::Frozen,
        };
        let table = self.table.unwrap_or_default();
        let mut loaded = load::policy(&setup, name, &weights, &table)?;
        self.set.apply(&mut loaded)?;
        let settings = EarnSettings {
            first_seed: self.first_seed,
            seeds: self.seeds,
            rounds: self.rounds,
        };
        let styles: Vec<_> = load::simple_styles(&loaded.policy.maps).collect();
        let execution = Execution::with_workers(self.workers.count());
        let mut progress = Progress::start("earn", "seeds of a run", self.seeds.into());
        let earned = earn(
            &setup,
            &loaded.policy,
            &styles,
            &settings,
            &execution,
            &mut progress,
        )
        .map_err(|error| match error {
            EarnError::Run(error) => anyhow::Error::from(error),
            other => other.into(),
        })?;
        let seconds = progress.seconds();
        drop(progress);
        if self.json.json {
            let mut value = json!({
                "game": G::NAME,
                "players": setup.players,
                "ruleset": setup.rules.to_string(),
                "policy": name,
                "table": loaded.table.as_ref().map(|t| t.checksum().hex()),
                "rounds": self.rounds,
                "seeds": self.seeds,
                "first_seed": self.first_seed,
            });
            let set = loaded.set.iter();
            value["set"] = set
                .map(|(knob, value)| json!({"name": knob, "value": value}))
                .collect();
            value["earned"] = serde_json::to_value(&earned)?;
            evenhand_cli::print_json(&value)?;
        } else {
            evenhand_cli::print(&text(
                &format!("{name}{}", set_text(&loaded)),
                &earned,
                seconds,
            ))?;
        }
        Ok(verdict(&earned))
    }
}

fn verdict(earned: &Earned) -> Exit {
    match earned.head_to_head.interval_micro {
        _ if !earned.valid => Exit::Invalid,
        _ if earned.unchanged => Exit::Fails,
        Some((low, _)) if low > 0 => Exit::Holds,
        Some((_, high)) if high < 0 => Exit::Fails,
        _ => Exit::Inconclusive,
    }
}

fn text(name: &str, earned: &Earned, seconds: u64) -> String {
    let shown = |mean: Option<i64>, interval: Option<(i64, i64)>| {
        let places = supported_decimals(interval);
        let figure = |micro| fixed(micro, places);
        let mean = mean.map_or("undefined".to_owned(), figure);
        match interval {
            Some((low, high)) => format!("{mean} [{}, {}]", figure(low), figure(high)),
            None => format!("{mean} [undefined]"),
        }
    };
    let head = &earned.head_to_head;
    let settles = |more: u64| {
        let minutes = (seconds.saturating_mul(more) / head.n.max(1))
            .div_ceil(60)
            .max(1);
        format!("about {more} more seeds ({minutes} min) would settle it")
    };
    let mut out = format!(
        "Points a round that {name} gains by its table, on {} seeds (95 % intervals):\n  \
         head to head, table against raw     {}\n",
        head.n,
        shown(head.mean(), head.interval_micro)
    );
    for against in &earned.styles {
        let difference = &against.difference;
        out.push_str(&format!(
            "  against {:10} paired difference {}   (table {}, raw {}){}\n",
            against.opponent,
            shown(difference.mean_micro, difference.interval_micro),
            shown(against.with_table.mean(), against.with_table.interval_micro),
            shown(against.raw.mean(), against.raw.interval_micro),
            against
                .more_seeds
                .map_or_else(String::new, |more| format!("; open: {}", settles(more))),
        ));
    }
    if !earned.valid {
        out.push_str("INVALID: too many decisions fell back\n");
    }
    out.push_str(&match (verdict(earned), earned.more_seeds) {
        (Exit::Fails, _) if earned.unchanged => {
            format!(
                "No decision changed on {} seeds: the table is worth exactly 0.\n",
                head.n
            )
        }
        (Exit::Holds, _) => "The table earns its place.\n".to_owned(),
        (Exit::Fails, _) => "The table costs points.\n".to_owned(),
        (Exit::Inconclusive, Some(more)) => {
            format!("No difference shown; {}.\n", settles(more))
        }
        (Exit::Inconclusive, None) => "No difference shown.\n".to_owned(),
        _ => String::new(),
    });
    out
}
