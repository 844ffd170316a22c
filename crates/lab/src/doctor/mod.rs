//! `doctor`: proves the instrument before it is read.

mod artifacts;
mod checks;
mod record;

pub use artifacts::{behaviour, frozen};
pub use checks::{Check, Instrument, Simulator, Subject, executions};
pub use record::{Difference, Kind, Record};

use crate::field::explained;
use anyhow::Context;
use clap::Parser;
use evenhand_cli::args::{GameArgs, JsonArg, rounds, seed, seeds};
use evenhand_cli::load::{self, TABLES};
use evenhand_cli::{Exit, Progress, Verb, dispatch, print, print_json};
use evenhand_contract::{Border, Estimates, Policy, PolicyRow, Purpose};
use evenhand_sim::Seeds;
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Example:
  doctor --game lexio --players 5

For every policy of the game: decisions asked twice come out alike, deals do not depend on who
plays, A against A is exactly zero on every seed, the same run with workers 1, 2, 3, 5, 7, 8, other
block sizes and orders gives the same digest, fallbacks stay within 1 % of decisions, frozen tables
and weights load and their fingerprints match; its behaviour fingerprint is printed. Where something
differs, the first differing decision is named (seed, arrangement, round, seat, view), and the term.

Exit codes: 0 all hold, 1 something does not, 2 interrupted, 3 usage or input error.";

/// Prove the instrument before it is read.
#[derive(Parser, Clone, Debug)]
#[command(name = "doctor", version, after_help = EXAMPLE)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Examine this policy only (an instrument too) [default: every policy that plays for real]
    #[arg(long)]
    policy: Option<String>,
    /// Rounds a match
    #[arg(long, default_value = "3", value_name = "R", value_parser = rounds)]
    rounds: u32,
    /// How many seeds of the exploration split
    #[arg(long, default_value = "16", value_parser = seeds)]
    seeds: u32,
    /// The first of them
    #[arg(long, default_value = "0", value_name = "S", value_parser = seed)]
    first_seed: u64,
    /// Folder of the frozen artifacts
    #[arg(long, value_name = "DIR", default_value = TABLES)]
    tables: PathBuf,
    #[command(flatten)]
    json: JsonArg,
}

/// Examines and prints.
///
/// # Errors
/// Wrong input or an interruption.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let game = args.game.game.clone();
    dispatch(&game, args)?
}

impl Verb for Args {
    type Out = anyhow::Result<Exit>;

    fn run<G: Estimates + Border>(self) -> anyhow::Result<Exit> {
        let setup = self.game.setup::<G>()?;
        let seeds = Seeds::range(self.first_seed, self.seeds.into())?;
        let rows: Vec<&'static PolicyRow<G>> = match &self.policy {
            Some(name) => vec![load::row::<G>(name)?],
            None => {
                let plays = |row: &&PolicyRow<G>| row.purpose == Purpose::Play;
                G::policies().iter().filter(plays).collect()
            }
        };
        let opponent = Policy::defaults(G::policies().first().context("no policies")?);
        let progress = Progress::start("doctor", "policies", rows.len() as u64);
        let mut checks = Vec::new();
        for (done, row) in rows.iter().enumerate() {
            progress.set(done as u64);
            let (policy, loaded, artifacts) = frozen(&setup, row, &self.tables);
            checks.push(artifacts);
            let subject = Subject {
                setup,
                rounds: self.rounds,
                seeds: &seeds,
                policy: &policy,
                opponent: &opponent,
            };
            checks.extend(subject.examine(&Simulator).map_err(explained)?);
            checks.push(behaviour(&setup, &policy, loaded.as_ref()));
        }
        drop(progress);
        let holds = checks.iter().all(|check| check.holds);
        if self.json.json {
            print_json(&json!({
                "game": G::NAME,
                "players": setup.players,
                "ruleset": setup.rules.to_string(),
                "first_seed": self.first_seed,
                "seeds": self.seeds,
                "rounds": self.rounds,
                "holds": holds,
                "checks": checks,
            }))?;
        } else {
            let head = format!(
                "{}, {} players, ruleset {}: {} exploration seeds from {}, {} rounds a match\n",
                G::NAME,
                setup.players,
                setup.rules,
                self.seeds,
                self.first_seed,
                self.rounds
            );
            print(&text(&head, &checks))?;
        }
        Ok(Exit::of(holds))
    }
}

/// The checks for people.
fn text(head: &str, checks: &[Check]) -> String {
    let mut out = head.to_owned();
    let mut policy = "";
    for check in checks {
        if check.policy != policy {
            policy = &check.policy;
            let _ = writeln!(out, "\n{policy}");
        }
        let mark = if check.holds { "ok   " } else { "FAILS" };
        let _ = writeln!(out, "  {mark} {:<36} {}", check.check, check.note);
        if let Some(difference) = &check.difference {
            let _ = writeln!(out, "        {}", difference.text());
        }
    }
    let wrong = checks.iter().filter(|check| !check.holds).count();
    let _ = match wrong {
        0 => writeln!(out, "\nall hold"),
        n => writeln!(out, "\n{n} of {} do not hold", checks.len()),
    };
    out
}
