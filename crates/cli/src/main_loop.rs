//! The frame around every command.

use crate::exit::{exit_of, is_interruption};
use crate::out::diagnostic;
use crate::{Exit, args, interrupt};
use clap::Parser;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;

/// Message and place of the last panic. Panics may be caught further down (a policy's is), so the
/// hook only remembers; whoever ends the process prints.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Parses the arguments, runs the command and turns its result into an exit code.
///
/// The interrupt handler is installed before anything else. Wrong usage exits with [`Exit::Usage`]; `--help` and `--version` with 0. A panic that reaches
/// the top is one message and [`Exit::Internal`]. An interruption prints the command that
/// resumes.
pub fn run_main<A: Parser>(run: impl FnOnce(A) -> anyhow::Result<Exit>) -> ExitCode {
    interrupt::install();
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map(|l| format!(" at {l}"));
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(format!("{text}{}", place.unwrap_or_default()));
        }
    }));
    let parsed = args::with_exit_codes(args::prepared(A::command()))
        .try_get_matches()
        .and_then(|mut matches| A::from_arg_matches_mut(&mut matches));
    let args = match parsed {
        Ok(args) => args,
        Err(error) => {
            return match error.print() {
                _ if error.use_stderr() => Exit::Usage.into(),
                // A closed pipe is nobody's fault.
                Err(e) if e.kind() != ErrorKind::BrokenPipe => {
                    diagnostic(&format!("error: standard output: {e}"));
                    Exit::Usage.into()
                }
                _ => Exit::Holds.into(),
            };
        }
    };
    match catch_unwind(AssertUnwindSafe(|| run(args))) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(error)) => {
            diagnostic(&format!("error: {}", said_once(&error)));
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

/// An error with its causes, each said once: a cause that the text before it ends with, and a
/// context that its cause begins with, are left out.
pub(crate) fn said_once(error: &anyhow::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    for cause in error.chain() {
        let text = cause.to_string();
        match parts.last() {
            Some(last) if last.ends_with(&text) => continue,
            Some(last) if text.starts_with(last.as_str()) => {
                parts.pop();
            }
            _ => {}
        }
        parts.push(text);
    }
    parts.join(": ")
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
    use super::{quoted, said_once};
    use anyhow::{Context, anyhow};

    #[test]
    fn nothing_is_said_twice() {
        let denied = || std::io::Error::other("denied");
        #[derive(Debug, thiserror::Error)]
        #[error("cannot write {path}: {source}")]
        struct Unwritable {
            path: &'static str,
            source: std::io::Error,
        }
        let unwritable = || Unwritable {
            path: "a/b",
            source: denied(),
        };
        let error = anyhow::Error::new(unwritable());
        assert_eq!(said_once(&error), "cannot write a/b: denied");
        let error = error.context("cannot write a/b").context("side A");
        assert_eq!(said_once(&error), "side A: cannot write a/b: denied");
        let error = Err::<(), _>(unwritable()).context("a").context("a: b");
        assert_eq!(
            said_once(&error.unwrap_err()),
            "a: b: a: cannot write a/b: denied"
        );
        assert_eq!(said_once(&anyhow!("plain")), "plain");
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("--seed=3"), "--seed=3");
        assert_eq!(quoted("한글/a.toml"), "한글/a.toml");
        assert_eq!(quoted("with space"), "'with space'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
