//! Exit codes, the same in every binary.

use evenhand_sim::{PlayFailure, RunError};
use std::fmt;
use std::process::ExitCode;

/// How a command ends. The numbers are a promise to scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// What was asked holds, or was done.
    Holds = 0,
    /// It does not hold.
    Fails = 1,
    /// Not enough seeds to say, or interrupted; either can be continued.
    Inconclusive = 2,
    /// Wrong usage or wrong input: arguments, specs, tables, weights, folders.
    Usage = 3,
    /// Too many fallbacks: the run's numbers are void.
    Invalid = 4,
    /// A fault of ours or of a policy: a panic, an illegal decision.
    Internal = 70,
}

impl Exit {
    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// [`Exit::Holds`] when `holds`, else [`Exit::Fails`].
    #[must_use]
    pub const fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// The work stopped at a block's end because Ctrl-C asked for it; [`crate::run_main`] prints the
/// command that resumes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("interrupted; finished blocks are kept")]
pub struct Interrupted;

/// An error with an exit code of its own.
#[derive(Debug)]
pub(crate) struct Coded {
    pub(crate) exit: Exit,
    source: anyhow::Error,
}

impl fmt::Display for Coded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::main_loop::said_once(&self.source))
    }
}

impl std::error::Error for Coded {}

/// Gives an error an exit code other than [`Exit::Usage`].
pub fn fail(exit: Exit, error: impl Into<anyhow::Error>) -> anyhow::Error {
    anyhow::Error::new(Coded {
        exit,
        source: error.into(),
    })
}

/// Whether an error is an interruption, after which the same command goes on.
pub(crate) fn is_interruption(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let run = cause.downcast_ref::<RunError>();
        cause.is::<Interrupted>() || matches!(run, Some(RunError::Interrupted { .. }))
    })
}

/// The exit code of an error.
pub(crate) fn exit_of(error: &anyhow::Error) -> Exit {
    for cause in error.chain() {
        if let Some(coded) = cause.downcast_ref::<Coded>() {
            return coded.exit;
        }
        if cause.is::<Interrupted>() {
            return Exit::Inconclusive;
        }
        if cause.is::<PlayFailure>() || cause.is::<Box<PlayFailure>>() {
            return Exit::Internal;
        }
        match cause.downcast_ref::<RunError>() {
            Some(RunError::Interrupted { .. }) => return Exit::Inconclusive,
            Some(RunError::Play(_)) => return Exit::Internal,
            _ => {}
        }
    }
    Exit::Usage
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn numbers_are_the_promised_ones() {
        let codes = [
            Exit::Holds,
            Exit::Fails,
            Exit::Inconclusive,
            Exit::Usage,
            Exit::Invalid,
            Exit::Internal,
        ]
        .map(Exit::code);
        assert_eq!(codes, [0, 1, 2, 3, 4, 70]);
    }

    #[test]
    fn an_error_keeps_its_code_under_context() {
        let error: anyhow::Result<()> = Err(fail(Exit::Internal, anyhow::anyhow!("broken")));
        assert_eq!(
            exit_of(&error.context("outer").unwrap_err()),
            Exit::Internal
        );
        let error: anyhow::Result<()> = Err(Interrupted.into());
        assert_eq!(
            exit_of(&error.context("outer").unwrap_err()),
            Exit::Inconclusive
        );
        assert_eq!(exit_of(&anyhow::anyhow!("plain")), Exit::Usage);
        let stopped = RunError::Interrupted {
            finished: 1,
            total: 2,
        };
        let error = anyhow::Error::new(stopped).context("outer");
        assert_eq!(exit_of(&error), Exit::Inconclusive);
        assert!(is_interruption(&error) && !is_interruption(&anyhow::anyhow!("plain")));
    }
}
