use super::watch::{Shown, coded};
use crate::{GENERATOR, Input, NoJournal, Settings, generate};
use anyhow::{Context, anyhow, bail};
use evenhand_artifact::{Sealed, TableDoc, WeightsDoc, open, seal};
use evenhand_cli::args::WorkersArg;
use evenhand_cli::load::{self, Admit, PREVIOUS, TABLE_FILE, TABLES, WEIGHTS_FILE};
use evenhand_cli::{Exit, GAMES, Verb, dispatch};
use evenhand_contract::{Border, DEAL_STREAM_VERSION, Estimates, Parameter, Setup};
use evenhand_sim::behaviour_fingerprint;
use std::path::{Path, PathBuf};

/// Checks every table and all weights under tables/: schema, checksum, domain and fingerprints
///
/// Kept predecessors (previous/) get schema and checksum checks. A stale table is named with the
/// command that makes it again. Exit code 1 when anything is stale, 3 when a file is unsound.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  calibrate check --deep")]
pub(crate) struct Args {
    /// Also make each table again and compare the bytes
    #[arg(long)]
    deep: bool,
    /// The folder of frozen artifacts
    #[arg(long, value_name = "DIR", default_value = TABLES)]
    tables: PathBuf,
    #[command(flatten)]
    workers: WorkersArg,
}

/// What was found, in order.
#[derive(Default)]
struct Found {
    lines: Vec<String>,
    stale: usize,
    unsound: Vec<String>,
}

impl Found {
    fn good(&mut self, file: &Path, what: &str) {
        self.lines
            .push(format!("ok     {}: {what}", file.display()));
    }
    fn stale(&mut self, file: &Path, why: &str, command: &str) {
        self.stale += 1;
        self.lines.push(format!(
            "stale  {}: {why}\n       make it again: {command}",
            file.display()
        ));
    }
    fn unsound(&mut self, why: String) {
        self.lines.push(format!("bad    {why}"));
        self.unsound.push(why);
    }
}

pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    if !args.tables.is_dir() {
        bail!(
            "{} is no folder; `calibrate generate` makes the first table",
            args.tables.display()
        );
    }
    let mut found = Found::default();
    let games = folders(&args.tables)?;
    let mut checked = 0;
    for (game, folder) in &games {
        if !GAMES.contains(&game.as_str()) {
            let why = format!("{}: no game is called {game:?}", folder.display());
            found.unsound(why);
        }
    }
    for game in GAMES {
        let Some((_, of_game)) = games.iter().find(|(name, _)| name == game) else {
            continue;
        };
        for (label, folder) in folders(of_game)? {
            checked += 1;
            let check = Check {
                label,
                folder,
                args: &args,
                found: &mut found,
            };
            dispatch(game, check)??;
        }
    }
    if checked == 0 {
        found.lines.push(format!(
            "{} holds no tables; `calibrate generate` makes them",
            args.tables.display()
        ));
    }
    evenhand_cli::print(&found.lines.join("\n"))?;
    match &found.unsound[..] {
        [] => Ok(Exit::of(found.stale == 0)),
        [one] => bail!("{one}"),
        [first, rest @ ..] => bail!("{first} (and {} more)", rest.len()),
    }
}

/// The folders in a folder with their names, in order; hidden ones are left out.
fn folders(root: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let failed = |e: std::io::Error| anyhow!("{}: {e}", root.display());
    let mut all = Vec::new();
    for entry in std::fs::read_dir(root).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && !name.starts_with('.') {
            all.push((name, entry.path()));
        }
    }
    all.sort_unstable();
    Ok(all)
}

/// The check of one game's folder for one table size and ruleset.
struct Check<'a> {
    label: String,
    folder: PathBuf,
    args: &'a Args,
    found: &'a mut Found,
}

impl Verb for Check<'_> {
    type Out = anyhow::Result<()>;

    fn run<G: Estimates + Border>(mut self) -> Self::Out {
        let folder = self.folder.clone();
        let Some(setup) = Setup::<G>::from_label(&self.label) else {
            let example = G::PLAYERS.first().copied().unwrap_or_default();
            self.found.unsound(format!(
                "{}: no table of {} is called so; folders are named as `{example}p`, or \
                 `{example}p-<ruleset>` for another ruleset than the default",
                folder.display(),
                G::NAME
            ));
            return Ok(());
        };
        let table = self.table::<G>(&setup, &folder.join(TABLE_FILE))?;
        self.weights::<G>(&setup, &folder.join(WEIGHTS_FILE), table.as_ref())?;
        let previous = folder.join(PREVIOUS);
        self.kept::<TableDoc>(&previous.join(TABLE_FILE));
        self.kept::<WeightsDoc>(&previous.join(WEIGHTS_FILE));
        Ok(())
    }
}

impl Check<'_> {
    /// Opens a file if it is there; what is wrong with it is recorded.
    fn opened<D: evenhand_artifact::Document>(&mut self, file: &Path) -> Option<Sealed<D>> {
        let shown = file.display().to_string();
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return None,
            Err(e) => {
                self.found.unsound(format!("{shown}: {e}"));
                return None;
            }
        };
        match open(&shown, &bytes) {
            Ok(doc) => Some(doc),
            Err(e) => {
                self.found.unsound(e.to_string());
                None
            }
        }
    }

    fn kept<D: evenhand_artifact::Document>(&mut self, file: &Path) {
        if self.opened::<D>(file).is_some() {
            self.found.good(file, "kept predecessor, sound");
        }
    }

    /// The table, when it is sound and for this folder.
    fn table<G: Estimates + Border>(
        &mut self,
        setup: &Setup<G>,
        file: &Path,
    ) -> anyhow::Result<Option<Sealed<TableDoc>>> {
        let Some(table) = self.opened::<TableDoc>(file) else {
            if !file.exists() && file.with_file_name(WEIGHTS_FILE).exists() {
                self.found.unsound(format!("{} is missing", file.display()));
            }
            return Ok(None);
        };
        let domain = table
            .check_rules(G::NAME, setup.players, &setup.rules.to_string())
            .and_then(|()| table.check_kinds(G::KINDS))
            .and_then(|()| table.check_parameters(&Parameter::bounds(G::PARAMETERS)))
            .map_err(|e| e.to_string())
            .and_then(|()| load::maps_of(&table).map_err(|e| e.to_string()));
        if let Err(why) = domain {
            self.found.unsound(format!("{}: {why}", file.display()));
            return Ok(None);
        }
        let command = regenerate::<G>(setup, &table);
        let input = load::generation::<G>(
            setup,
            &table.input.policy,
            &self.folder.join(PREVIOUS),
            Admit::Older,
        );
        let input = match input {
            Ok(loaded) => Input::new(setup, &loaded).map_err(coded)?,
            Err(why) => {
                self.found
                    .unsound(format!("{}: its input policy: {why}", file.display()));
                return Ok(None);
            }
        };
        let reasons = stale(setup, &table, &input);
        if !reasons.is_empty() {
            self.found.stale(file, &reasons.join("; "), &command);
            return Ok(Some(table));
        }
        if self.args.deep {
            let settings = Settings {
                seed: table.seed,
                situations: table.situations,
                samples: table.samples,
            };
            let mut watch = Shown::default();
            let workers = self.args.workers.count();
            let again = generate(
                setup,
                &input,
                &settings,
                workers,
                &mut watch,
                &mut NoJournal,
            )
            .map_err(coded)?;
            drop(watch);
            let again = seal(again).context("the table made again")?;
            if again.text() != table.text() {
                let why = format!(
                    "made again it has checksum {}, not {}",
                    again.checksum(),
                    table.checksum()
                );
                self.found.stale(file, &why, &command);
                return Ok(Some(table));
            }
            self.found
                .good(file, "sound, current, the same bytes when made again");
        } else {
            self.found.good(file, "sound and current");
        }
        Ok(Some(table))
    }

    fn weights<G: Estimates + Border>(
        &mut self,
        setup: &Setup<G>,
        file: &Path,
        table: Option<&Sealed<TableDoc>>,
    ) -> anyhow::Result<()> {
        let Some(weights) = self.opened::<WeightsDoc>(file) else {
            return Ok(());
        };
        let loaded = load::row::<G>(&weights.policy)
            .and_then(|row| Ok((row, load::weights_file(setup, row, file)?.1)));
        let (row, values) = match loaded {
            Ok(loaded) => loaded,
            Err(why) => {
                let why = why.to_string();
                let named = why.contains(&file.display().to_string());
                let file = file.display();
                self.found
                    .unsound(if named { why } else { format!("{file}: {why}") });
                return Ok(());
            }
        };
        let retune = format!(
            "retune SPEC --freeze, with the spec of {}",
            weights.experiment
        );
        let Some(table) = table.filter(|_| row.reads_table) else {
            if row.reads_table {
                self.found
                    .stale(file, "there is no sound table beside it", &retune);
            } else {
                self.found.good(file, "sound");
            }
            return Ok(());
        };
        if let Err(why) = weights.check_table(table.checksum()) {
            self.found.stale(file, &why.to_string(), &retune);
            return Ok(());
        }
        let mut policy = evenhand_contract::Policy::defaults(row);
        policy.weights = values;
        policy.maps = load::maps_of(table)?;
        let behaviour = behaviour_fingerprint(&policy, setup)?;
        if behaviour == weights.behaviour {
            self.found.good(
                file,
                "sound, tuned on the table beside it, plays as recorded",
            );
        } else {
            let why = format!(
                "the policy plays otherwise now (fingerprint {} then, {behaviour} now)",
                weights.behaviour
            );
            self.found.stale(file, &why, &retune);
        }
        Ok(())
    }
}

/// Why a table is not what this build would make from `input`, the policy under previous/.
pub(crate) fn stale<G: Estimates>(
    setup: &Setup<G>,
    table: &TableDoc,
    input: &Input<G>,
) -> Vec<String> {
    let estimator = G::estimator_fingerprint(setup);
    let mut reasons = Vec::new();
    if table.estimator != estimator {
        reasons.push(format!(
            "the estimator has changed (fingerprint {} then, {estimator} now)",
            table.estimator
        ));
    }
    if table.generator != GENERATOR {
        reasons.push(format!(
            "it was made by generator {}, this is {GENERATOR}",
            table.generator
        ));
    }
    if table.deal_stream != DEAL_STREAM_VERSION {
        reasons.push(format!(
            "it was dealt by stream {}, this is {DEAL_STREAM_VERSION}",
            table.deal_stream
        ));
    }
    let (then, now) = (&table.input, &input.record);
    if (&then.weights, &then.table) != (&now.weights, &now.table) {
        reasons.push("its input policy is not what lies under previous/".to_owned());
    } else if then.behaviour != now.behaviour {
        reasons.push(format!(
            "its input policy plays otherwise now (fingerprint {} then, {} now)",
            then.behaviour, now.behaviour
        ));
    }
    reasons
}

/// The command that makes a table again with its own settings.
fn regenerate<G: Estimates>(setup: &Setup<G>, table: &TableDoc) -> String {
    format!(
        "{} --seed {} --situations {} --samples {}",
        load::generate_command(setup),
        table.seed,
        table.situations,
        table.samples
    )
}
