//! Proves the instrument before it is read.

use std::process::ExitCode;

fn main() -> ExitCode {
    evenhand_cli::run_main(evenhand_lab::doctor::run)
}
