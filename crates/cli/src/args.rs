//! Arguments that several commands share, and the readers of their values.

use crate::load::TABLES;
use anyhow::bail;
use clap::builder::TypedValueParser;
use clap::{Args, Command};
use evenhand_artifact::{MOST_ROUNDS, MOST_SAMPLES, MOST_SEEDS, MOST_SITUATIONS};
use evenhand_contract::{Game, MAX_WRITTEN_SEED, RulesError, Setup};
use std::path::{Path, PathBuf};

/// Which game, table size and ruleset.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
    /// The game
    #[arg(long)]
    pub game: String,
    /// How many sit at the table
    #[arg(long, value_name = "N", value_parser = count)]
    pub players: u32,
    /// `default`, or switches that differ from it: name=value,...
    #[arg(long, default_value = "default")]
    pub ruleset: String,
}

/// What a game does not offer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The game is not played by so many.
    #[error("{game} is not for {players} players; it is for {}", list(allowed))]
    Players {
        /// The game.
        game: &'static str,
        /// Players asked for.
        players: u32,
        /// Players it is for.
        allowed: &'static [u8],
    },
    /// No such ruleset.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

fn list(numbers: &[u8]) -> String {
    let words: Vec<String> = numbers.iter().map(u8::to_string).collect();
    words.join(", ")
}

/// The table of a game, from a player count and a ruleset's text.
///
/// # Errors
/// When the game offers no such table.
pub fn setup<G: Game>(players: u32, ruleset: &str) -> Result<Setup<G>, SetupError> {
    let fits = |n: &&u8| u32::from(**n) == players;
    match G::PLAYERS.iter().find(fits) {
        Some(&players) => {
            let rules = ruleset.parse()?;
            let setup = Setup { players, rules };
            G::check_setup(&setup)?;
            Ok(setup)
        }
        None => Err(SetupError::Players {
            game: G::NAME,
            players,
            allowed: G::PLAYERS,
        }),
    }
}

impl GameArgs {
    /// The table of game `G` that the arguments ask for.
    ///
    /// # Errors
    /// When the game offers no such table.
    pub fn setup<G: Game>(&self) -> Result<Setup<G>, SetupError> {
        setup(self.players, &self.ruleset)
    }
}

/// How many threads work.
#[derive(Args, Clone, Copy, Debug)]
pub struct WorkersArg {
    /// Threads; 0 takes all there are. No result depends on it
    #[arg(long, value_name = "W", default_value = "0", value_parser = whole)]
    pub workers: u32,
}

impl WorkersArg {
    /// The number of threads, at least 1.
    #[must_use]
    pub fn count(self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, Into::into),
            n => n as usize,
        }
    }
}

/// Where runs are kept.
#[derive(Args, Clone, Debug)]
pub struct StoreArg {
    /// Folder of the store of objects and runs [default: $EVENHAND_STORE, else .evenhand]
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
}

impl StoreArg {
    /// The folder: as given, else what `EVENHAND_STORE` says, else `.evenhand`.
    #[must_use]
    pub fn dir(&self) -> PathBuf {
        let given = self.store.clone();
        let named = || std::env::var_os("EVENHAND_STORE").filter(|dir| !dir.is_empty());
        given
            .or_else(|| named().map(PathBuf::from))
            .unwrap_or_else(|| PathBuf::from(".evenhand"))
    }
}

/// Whether output is for machines.
#[derive(Args, Clone, Copy, Debug)]
pub struct JsonArg {
    /// Print JSON instead of text for people
    #[arg(long)]
    pub json: bool,
}

/// Whether files that are there may go.
#[derive(Args, Clone, Copy, Debug)]
pub struct ForceArg {
    /// Replace files that are there under an output option's name
    #[arg(long)]
    pub force: bool,
}

impl ForceArg {
    /// Refuses a path that an output option must not write to. Meant to be asked before the work
    /// begins.
    ///
    /// # Errors
    /// When a file is there and need not go; when it is a folder, pipe or device; when it is a
    /// ledger, which only grows; and anywhere below `tables/`, where each file has its lineage.
    pub fn check(self, path: &Path) -> anyhow::Result<()> {
        let shown = path.display();
        if lies_in(path, Path::new(TABLES)) {
            bail!(
                "{shown} lies in {TABLES}/, which only `calibrate generate` without --out and \
                 `freeze` write to: name another place"
            );
        }
        let Ok(found) = path.metadata() else {
            return Ok(());
        };
        if found.is_dir() {
            bail!("{shown} is a folder; name a file");
        }
        if !found.is_file() {
            bail!("{shown} is no regular file, so it cannot be replaced");
        }
        if path.ends_with("ledger.jsonl") {
            bail!("{shown} is a ledger, which only grows: name another place");
        }
        if !self.force {
            bail!("{shown} is there already; --force replaces it");
        }
        Ok(())
    }
}

/// Whether a path, be it there or not, lies below a folder.
fn lies_in(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else {
        return false;
    };
    let whole = Path::new(".").join(path);
    let there = whole.ancestors().find_map(|p| p.canonicalize().ok());
    there.is_some_and(|there| there.starts_with(&folder))
}

/// Reads a seed: a whole number from 0 to 2^53 - 1.
///
/// # Errors
/// A message that states the range.
pub fn seed(text: &str) -> Result<u64, String> {
    number(text, 0, MAX_WRITTEN_SEED)
}

/// Reads a count: a whole number from 1 to 2^32 - 1.
///
/// # Errors
/// A message that states the range.
pub fn count(text: &str) -> Result<u32, String> {
    number(text, 1, u32::MAX.into()).map(|n| n as u32)
}

/// Reads a count of seeds: a whole number from 1 to [`MOST_SEEDS`].
///
/// # Errors
/// A message that states the range.
pub fn seeds(text: &str) -> Result<u32, String> {
    number(text, 1, MOST_SEEDS.into()).map(|n| n as u32)
}

/// Reads the rounds of a match: a whole number from 1 to [`MOST_ROUNDS`].
///
/// # Errors
/// A message that states the range.
pub fn rounds(text: &str) -> Result<u32, String> {
    number(text, 1, MOST_ROUNDS.into()).map(|n| n as u32)
}

/// Reads a count of situations: a whole number from 1 to [`MOST_SITUATIONS`].
///
/// # Errors
/// A message that states the range.
pub fn situations(text: &str) -> Result<u32, String> {
    number(text, 1, MOST_SITUATIONS.into()).map(|n| n as u32)
}

/// Reads a count of re-deals: a whole number from 1 to [`MOST_SAMPLES`].
///
/// # Errors
/// A message that states the range.
pub fn samples(text: &str) -> Result<u32, String> {
    number(text, 1, MOST_SAMPLES.into()).map(|n| n as u32)
}

/// Reads a whole number from 0 to 2^32 - 1.
///
/// # Errors
/// A message that states the range.
pub fn whole(text: &str) -> Result<u32, String> {
    number(text, 0, u32::MAX.into()).map(|n| n as u32)
}

fn number(text: &str, low: u64, high: u64) -> Result<u64, String> {
    let wrong = || format!("expected a whole number from {low} to {high}");
    if text.is_empty() || !text.bytes().all(|c| c.is_ascii_digit()) {
        return Err(wrong());
    }
    match text.parse() {
        Ok(n) if (low..=high).contains(&n) => Ok(n),
        _ => Err(wrong()),
    }
}

/// What every command's help ends with that does not tell its exit codes more closely.
const EXIT_CODES: &str = "\
Exit codes: 0 it holds or was done, 1 it does not hold, 2 inconclusive or interrupted (the same command
goes on), 3 usage or input error, 4 invalid (too many fallbacks), 70 an internal fault or a policy's.";

/// Adds the exit codes to the help of a command and its subcommands.
pub(crate) fn with_exit_codes(command: Command) -> Command {
    let after = command.get_after_help().map(ToString::to_string);
    let after = match after.unwrap_or_default() {
        told if told.contains("Exit codes") => told,
        none if none.is_empty() => EXIT_CODES.to_owned(),
        other => format!("{other}\n\n{EXIT_CODES}"),
    };
    command.after_help(after).mut_subcommands(with_exit_codes)
}

/// Makes `--seed -3` mean what `--seed=-3` means, for every option of a command: a value that
/// the option's reader judges. Paths may begin with one dash for the same reason; one that begins
/// with two is taken for a forgotten value.
pub(crate) fn prepared(command: Command) -> Command {
    let path = clap::builder::ValueParser::path_buf().type_id();
    command
        .mut_args(|arg| {
            if !arg.get_action().takes_values() || arg.get_long().is_none() {
                arg
            } else if arg.get_value_parser().type_id() == path {
                arg.allow_hyphen_values(true).value_parser(
                    clap::builder::PathBufValueParser::new().try_map(|path: PathBuf| {
                        if path.as_os_str().as_encoded_bytes().starts_with(b"--") {
                            Err(format!("for such a path write ./{}", path.display()))
                        } else {
                            Ok(path)
                        }
                    }),
                )
            } else {
                arg.allow_negative_numbers(true)
            }
        })
        .mut_subcommands(prepared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, FromArgMatches, Parser};

    #[derive(Parser)]
    struct Sample {
        #[arg(long, value_parser = seed)]
        seed: u64,
        #[arg(long)]
        out: Option<PathBuf>,
        #[command(flatten)]
        json: JsonArg,
        #[command(flatten)]
        store: StoreArg,
    }

    fn parse(words: &[&str]) -> Result<Sample, String> {
        let words = std::iter::once("sample").chain(words.iter().copied());
        prepared(Sample::command())
            .try_get_matches_from(words)
            .and_then(|m| Sample::from_arg_matches(&m))
            .map_err(|e| e.to_string())
    }

    #[test]
    fn both_forms_of_a_negative_seed_are_answered_alike() {
        let apart = parse(&["--seed", "-3"]).err().unwrap();
        let joined = parse(&["--seed=-3"]).err().unwrap();
        assert_eq!(apart, joined);
        assert!(
            apart.contains("'-3'") && apart.contains("9007199254740991"),
            "{apart}"
        );
        assert_eq!(
            parse(&["--seed", "9007199254740991"]).unwrap().seed,
            MAX_WRITTEN_SEED
        );
        for wrong in [
            "9007199254740992",
            "1e3",
            "+1",
            "",
            "18446744073709551616",
            "0x10",
        ] {
            assert!(parse(&["--seed", wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_path_may_begin_with_a_dash() {
        for words in [
            ["--seed", "1", "--out", "-a b/c"],
            ["--out", "-a b/c", "--seed", "1"],
        ] {
            let sample = parse(&words).unwrap();
            assert_eq!(sample.out.unwrap(), PathBuf::from("-a b/c"));
        }
        assert!(
            parse(&["--seed", "1", "--out", "--json"])
                .err()
                .unwrap()
                .contains("./--json")
        );
        let sample = parse(&["--seed", "1", "--json"]).unwrap();
        assert!(sample.json.json && sample.store.store.is_none());
    }
}
