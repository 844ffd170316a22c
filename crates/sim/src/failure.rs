use std::error::Error;

/// Play that broke off, with all that is needed to replay it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "play failed: {reason}\n  game {game}, {players} players, ruleset {ruleset}, split {split}, \
     seed {seed}, arrangement {arrangement}, round {round}, seat {}, policy {}\n  view {}",
    .seat.map_or("-".to_owned(), |seat| seat.to_string()),
    .policy.as_deref().unwrap_or("-"),
    .view.as_deref().unwrap_or("-")
)]
pub struct PlayFailure {
    /// What happened.
    pub reason: String,
    /// The game.
    pub game: String,
    /// Player count.
    pub players: u8,
    /// Ruleset text.
    pub ruleset: String,
    /// Split name.
    pub split: String,
    /// Seed as text.
    pub seed: String,
    /// Arrangement, 0 .. 2N-1.
    pub arrangement: u32,
    /// Round, from 1.
    pub round: u32,
    /// The seat to act, if the round was in play.
    pub seat: Option<u8>,
    /// The policy in that seat.
    pub policy: Option<String>,
    /// The view of that seat as JSON text.
    pub view: Option<String>,
}

/// A run that has no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A match failed.
    #[error(transparent)]
    Play(Box<PlayFailure>),
    /// Stopped on request; finished blocks were handed over.
    #[error("interrupted after {finished} of {total} seeds")]
    Interrupted {
        /// Seeds whose blocks are finished, those resumed from included.
        finished: usize,
        /// Seeds planned.
        total: usize,
    },
    /// The plan cannot be played.
    #[error(transparent)]
    Plan(#[from] crate::PlanError),
    /// Blocks that were handed in do not fit.
    #[error(transparent)]
    Merge(#[from] crate::MergeError),
    /// The caller could not take a finished block (a full disk, say).
    #[error("could not keep a finished block: {0}")]
    Control(Box<dyn Error + Send + Sync>),
    /// Threads could not be started.
    #[error("could not start {workers} workers: {reason}")]
    Workers {
        /// How many were asked for.
        workers: usize,
        /// Why not.
        reason: String,
    },
}

impl From<Box<PlayFailure>> for RunError {
    fn from(failure: Box<PlayFailure>) -> Self {
        Self::Play(failure)
    }
}
