//! `retune`: the whole chain.

fn main() -> std::process::ExitCode {
    evenhand_cli::run_main(evenhand_retune::command::run)
}
