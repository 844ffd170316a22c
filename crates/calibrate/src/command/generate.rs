use super::check::stale;
use super::watch::{Shown, coded};
use crate::{Input, Settings, stored_table};
use anyhow::bail;
use evenhand_artifact::{TableDoc, WeightsDoc, open};
use evenhand_cli::args::{self, ForceArg, GameArgs, StoreArg, WorkersArg};
use evenhand_cli::load::{self, Admit, PREVIOUS, TABLE_FILE, TABLES, WEIGHTS_FILE};
use evenhand_cli::{Exit, Verb, dispatch};
use evenhand_contract::{Border, Estimates, Fit, Setup};
use evenhand_store::{Published, Store, publish_replace, read};
use std::path::{Path, PathBuf};

/// Makes the calibration table of a game and table size
///
/// Situations are taken from the play of the generation before (`--input previous`: what lies under
/// tables/<game>/<n>p/previous/, or generation 0 where nothing does; for another ruleset than the
/// default the folder is tables/<game>/<n>p-<ruleset>/). Without --out the table
/// takes its place, tables/<game>/<n>p/safety.json, and is then what `check --deep` makes again: one
/// that is there is replaced when it is stale or damaged or no weights stand on it; one that is
/// current and that weights stand on needs --force, and so does any file that --out names. A table of
/// the next generation (`--input frozen`) needs --out: it takes its place under tables/ only
/// together with weights, by `freeze`, which moves the present ones to previous/.
#[derive(clap::Args, Debug)]
#[command(
    verbatim_doc_comment,
    after_help = "Example:\n  calibrate generate --game lexio --players 5 --out /tmp/safety.json"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Seed of situations and re-deals
    #[arg(long, default_value = "20260806", value_parser = args::seed)]
    seed: u64,
    /// Situations in all, shared out evenly over the kinds that are not exact
    #[arg(long, value_name = "N", default_value = "40000", value_parser = args::situations)]
    situations: u32,
    /// Random re-deals of each situation
    #[arg(long, value_name = "N", default_value = "800", value_parser = args::samples)]
    samples: u32,
    /// Whose play situations are taken from: previous, frozen or defaults
    #[arg(long, value_name = "GENERATION", default_value = "previous")]
    input: String,
    /// The policy that plays; the first that reads a table where it is left out
    #[arg(long)]
    policy: Option<String>,
    /// Where the table goes [default: its place under tables/]; elsewhere under tables/ is refused
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    #[command(flatten)]
    workers: WorkersArg,
    #[command(flatten)]
    store: StoreArg,
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
        if let Some(out) = &self.out {
            self.force.check(out)?;
        }
        let from = |folder: &Path| load::generation(&setup, name, folder, Admit::Older);
        let loaded = match (self.input.as_str(), &self.out) {
            ("previous", _) => from(&frozen.join(PREVIOUS))?,
            ("frozen", Some(_)) => from(&frozen)?,
            ("defaults", None) if frozen.join(PREVIOUS).exists() => bail!(
                "the table of generation 0 does not belong beside {}: give --out FILE",
                frozen.join(PREVIOUS).display()
            ),
            ("defaults", _) => load::defaults::<G>(name)?,
            ("frozen", None) => bail!(
                "a table from the frozen generation's play belongs to the next generation: \
                 give --out FILE, and let `freeze` put it in place"
            ),
            (other, _) => bail!("--input {other:?}: expected previous, frozen or defaults"),
        };
        let input = Input::new(&setup, &loaded).map_err(coded)?;
        let settings = Settings {
            seed: self.seed,
            situations: self.situations,
            samples: self.samples,
        };
        if self.out.is_none() && !self.force.force {
            may_replace(&setup, &frozen, &input, &settings)?;
        }
        let store = Store::open(self.store.dir())?;
        let workers = self.workers.count();
        let mut watch = Shown::default();
        let table =
            stored_table(&setup, &input, &settings, &store, workers, &mut watch).map_err(coded)?;
        drop(watch);
        let out = self.out.unwrap_or_else(|| frozen.join(TABLE_FILE));
        let published = publish_replace(&out, table.text().as_bytes())?;
        let how = match published {
            Published::Same => "unchanged",
            Published::New => "written",
            Published::Replaced => "replaced",
        };
        let mut text = format!(
            "{} {how}: {} situations, {} re-deals each, from the play of {} generation {}\n",
            out.display(),
            table.cells.iter().map(|c| c.situations).sum::<u64>(),
            table.samples,
            table.input.policy,
            table.input.generation,
        );
        for cell in &table.cells {
            let line = match cell.exact {
                true => "exact, no map".to_owned(),
                false => format!(
                    "{} situations, {} points",
                    cell.situations,
                    cell.points.len()
                ),
            };
            text.push_str(&format!("  {:16} {line}\n", cell.kind));
        }
        text.push_str(&format!("checksum {}\n", table.checksum()));
        evenhand_cli::print(&text)?;
        Ok(Exit::Holds)
    }
}

/// Refuses to replace a frozen table that is what it should be and that weights stand on by one of
/// other settings.
fn may_replace<G: Estimates>(
    setup: &Setup<G>,
    frozen: &Path,
    input: &Input<G>,
    settings: &Settings,
) -> anyhow::Result<()> {
    let file = frozen.join(TABLE_FILE);
    let opened = |file: &Path| read(file).ok().flatten();
    let shown = file.display().to_string();
    let Some(table) = opened(&file).and_then(|bytes| open::<TableDoc>(&shown, &bytes).ok()) else {
        return Ok(());
    };
    let weights = frozen.join(WEIGHTS_FILE);
    let stands = opened(&weights)
        .and_then(|bytes| open::<WeightsDoc>(&weights.display().to_string(), &bytes).ok())
        .is_some_and(|weights| weights.check_table(table.checksum()).is_ok());
    let same = (table.seed, table.situations) == (settings.seed, settings.situations)
        && (table.samples == settings.samples || G::FIT == Fit::SelfPlay);
    let rules = setup.rules.to_string();
    let current = table.check_rules(G::NAME, setup.players, &rules).is_ok()
        && stale(setup, &table, input).is_empty();
    if stands && current && !same {
        bail!(
            "{shown} is current, was made by --seed {} --situations {} --samples {}, and {} stands \
             on it: give --out FILE, or --force to replace it all the same",
            table.seed,
            table.situations,
            table.samples,
            weights.display()
        );
    }
    Ok(())
}

/// The game's first policy that plays for real, reads a table and has weights beside it.
pub(crate) fn table_reader<G: Estimates>() -> anyhow::Result<&'static str> {
    let rows = G::policies().iter();
    let mut reads = rows.filter(|row| row.reads_table && !row.knobs.is_empty());
    match reads.find(|row| row.purpose == evenhand_contract::Purpose::Play) {
        Some(row) => Ok(row.name),
        None => bail!("{} has no policy that reads a table", G::NAME),
    }
}
