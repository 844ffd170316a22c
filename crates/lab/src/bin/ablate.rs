//! Says what each knob and rule stage of a policy is worth.

use std::process::ExitCode;

fn main() -> ExitCode {
    evenhand_cli::run_main(evenhand_lab::ablate::run)
}
