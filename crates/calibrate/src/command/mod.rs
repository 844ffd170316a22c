//! The command `calibrate`.

mod audit;
mod check;
mod earn;
mod generate;
mod told;
mod watch;

use clap::{Parser, Subcommand};
use evenhand_cli::Exit;

/// Makes, checks and audits calibration tables
#[derive(Parser, Debug)]
#[command(
    name = "calibrate",
    version,
    after_help = "Example:\n  calibrate generate --game lexio --players 5 --seed 20260806 --situations 40000 --samples 800"
)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Generate(generate::Args),
    Check(check::Args),
    Audit(audit::Args),
    Earn(earn::Args),
}

/// Carries the command out.
///
/// # Errors
/// Whatever is wrong with input, play or the store.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Generate(args) => generate::run(args),
        Verb::Check(args) => check::run(args),
        Verb::Audit(args) => audit::run(args),
        Verb::Earn(args) => earn::run(args),
    }
}
