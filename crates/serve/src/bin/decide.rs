//! `decide`: the bots for servers in any language.

use std::process::ExitCode;

fn main() -> ExitCode {
    evenhand_cli::run_main::<evenhand_serve::Args>(evenhand_serve::run)
}
