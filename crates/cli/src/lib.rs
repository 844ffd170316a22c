//! What every command of evenhand shares: arguments, game dispatch, reading of specs, tables and
//! weights, progress, interrupts, output and exit codes.
//!
//! A binary is a line: `fn main() -> ExitCode { evenhand_cli::run_main::<Args>(measure::run) }`,
//! where `run` takes the parsed arguments and gives an [`Exit`] or an error. Any error exits with
//! [`Exit::Usage`] unless it was raised with [`fail`] or is one that [`run_main`] knows better.

pub mod args;
mod exit;
mod games;
pub mod interrupt;
pub mod knobs;
pub mod load;
mod main_loop;
mod out;
mod progress;
pub mod spec;

pub use exit::{Exit, Interrupted, fail};
pub use games::{GAMES, UnknownGame, Verb, dispatch};
pub use main_loop::{command_line, run_main};
pub use out::{note, print, print_json, without_null};
pub use progress::Progress;
