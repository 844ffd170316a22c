//! Lists, explains, verifies and collects what the store holds.

use std::process::ExitCode;

fn main() -> ExitCode {
    evenhand_cli::run_main(evenhand_lab::upkeep::run)
}
