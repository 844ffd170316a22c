//! `validate`: judges a candidate on held-out seeds.

fn main() -> std::process::ExitCode {
    evenhand_cli::run_main(evenhand_validate::command::run)
}
