//! `tune`: searches weights.

fn main() -> std::process::ExitCode {
    evenhand_cli::run_main(evenhand_tune::command::run)
}
