//! Makes, checks and audits calibration tables.
use evenhand_calibrate::command::{Args, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    evenhand_cli::run_main::<Args>(run)
}
