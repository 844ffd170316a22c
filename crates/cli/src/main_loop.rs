//! The frame around every command.

use crate::exit::{exit_of, is_interruption};
use crate::out::diagnostic;
use crate::{Exit, args};
use clap::Parser;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;

/// Message and place of the last panic. Panics may be caught further down (a policy's is), so the
/// hook only remembers; whoever ends the process prints.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Parses the arguments, runs the command and turns its result into an exit code.
///
/// Wrong usage exits with [`Exit::Usage`]; `--help` and `--version` with 0. A panic that reaches
/// the top is one message and [`Exit::Internal`]. An interruption prints the command that
/// resumes.
pub fn run_main<A: Parser>(run: impl FnOnce(A) -> anyhow::Result<Exit>) -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map(|l| format!(" at {l}"));
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(format!("{text}{}", place.unwrap_or_default()));
        }
    }));
    let parsed = args::prepared(A::command())
        .try_get_matches()
        .and_then(|mut matches| A::from_arg_matches_mut(&mut matches));
    let args = match parsed {
        Ok(args) => args,
        Err(error) => {
            // A closed pipe is nobody's fault.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Usage.into()
            } else {
                Exit::Holds.into()
            };
        }
    };
    match catch_unwind(AssertUnwindSafe(|| run(args))) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(error)) => {
            diagnostic(&format!("error: {error:#}"));
            if is_interruption(&error) {
                diagnostic(&format!("to resume: {}", command_line()));
            }
            exit_of(&error).into()
        }
        Err(_) => {
            let last = LAST_PANIC.lock().ok().and_then(|mut last| last.take());
            let what = last.unwrap_or_else(|| "a panic".to_owned());
            diagnostic(&format!("internal fault: {what}"));
            Exit::Internal.into()
        }
    }
}

/// The command as it was given, quoted for a shell.
#[must_use]
pub fn command_line() -> String {
    let words: Vec<String> = std::env::args_os()
        .map(|word| quoted(&word.to_string_lossy()))
        .collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("--seed=3"), "--seed=3");
        assert_eq!(quoted("한글/a.toml"), "한글/a.toml");
        assert_eq!(quoted("with space"), "'with space'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
