//! `freeze`: freezes a validated candidate.

fn main() -> std::process::ExitCode {
    evenhand_cli::run_main(evenhand_freeze::command::run)
}
