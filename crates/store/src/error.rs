use std::io;
use std::path::{Path, PathBuf};

/// Why the store could not do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No space left.
    #[error("no space left on the device: cannot write {path}; earlier files are unchanged")]
    Full {
        /// What was to be written.
        path: PathBuf,
    },
    /// Any other refusal of the operating system.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// Another process holds the lock.
    #[error("{path} is held by {holder}; wait for it to end, or stop it")]
    Held {
        /// The lock.
        path: PathBuf,
        /// Process and command of the holder.
        holder: String,
    },
    /// Stored bytes that are not what they were.
    #[error(
        "{path} is damaged: {reason}; remove it, and the command that needs it makes it again \
         (`store verify` lists all damage)"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Something else is already published there.
    #[error("{path} already holds something else and is never overwritten")]
    Differs {
        /// The file.
        path: PathBuf,
    },
    /// A folder that holds other things.
    #[error("{path} is no store: it holds other things; name a new or an empty folder")]
    NoStore {
        /// The folder.
        path: PathBuf,
    },
    /// Two results for one action.
    #[error(
        "the action {key} ({step}) is on record with the result {stored}, but gave {found} now: it is not a function of its inputs"
    )]
    Conflict {
        /// The action's key.
        key: String,
        /// Its step.
        step: String,
        /// Digest on record.
        stored: String,
        /// Digest now.
        found: String,
    },
    /// A text that a line-based file cannot hold.
    #[error("{path}: a line must be text without line breaks")]
    Line {
        /// The file.
        path: PathBuf,
    },
    /// A ledger that breaks its rules.
    #[error("{path}: {reason}")]
    Ledger {
        /// The ledger.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A document that is not accepted.
    #[error(transparent)]
    Artifact(#[from] evenhand_artifact::ArtifactError),
    /// A document that cannot be written.
    #[error(transparent)]
    Unwritable(#[from] evenhand_artifact::SerError),
}

impl StoreError {
    /// The error of an operation on a path.
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            _ => Self::Io {
                action,
                path,
                source,
            },
        }
    }

    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}
