//! Plays two policies on the same deals and says which is stronger.

use std::process::ExitCode;

fn main() -> ExitCode {
    evenhand_cli::run_main(evenhand_lab::measure::run)
}
