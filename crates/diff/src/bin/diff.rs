//! `diff`: what changed between two states of the records, for people and for CI.

fn main() -> std::process::ExitCode {
    evenhand_cli::run_main(evenhand_diff::command::run)
}
