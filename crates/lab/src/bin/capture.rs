//! Keeps the positions that two policies play differently, with both their reasons.

use std::process::ExitCode;

fn main() -> ExitCode {
    evenhand_cli::run_main(evenhand_lab::capture::run)
}
