use crate::{ActionKey, Digest, Journal, Lock, Store, StoreError, create_dir, publish_new, read};
use std::path::{Path, PathBuf};

/// Names of the files in a run's folder.
pub(crate) const LOCK: &str = "lock";
pub(crate) const KEY: &str = "key.json";
pub(crate) const JOURNAL: &str = "journal";
pub(crate) const FINISHED: &str = "finished";

/// A run in the making: its folder is locked for this process, and its journal resumes where the
/// last process stopped, whatever ended that.
#[derive(Debug)]
pub struct Run {
    /// The run's journal.
    pub journal: Journal,
    key: ActionKey,
    folder: PathBuf,
    // Dropped last: the journal is closed before another process may open it.
    _lock: Lock,
}

impl Run {
    /// Opens the run of an action: a new one or the rest of one that was stopped.
    ///
    /// # Errors
    /// [`StoreError::Held`] when another process is at it, naming that; [`StoreError::Damaged`]
    /// when its journal is; otherwise when its folder cannot be written.
    pub fn open(store: &Store, key: &ActionKey) -> Result<Self, StoreError> {
        let digest = key.digest().hex();
        let folder = store.runs().join(&digest);
        create_dir(&folder)?;
        let lock = Lock::take(&folder.join(LOCK))?;
        publish_new(&folder.join(KEY), format!("{}\n", key.text()).as_bytes())?;
        let journal = Journal::open(&folder.join(JOURNAL), &digest)?;
        Ok(Self {
            journal,
            key: key.clone(),
            folder,
            _lock: lock,
        })
    }

    /// The run's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The action that the run does.
    #[must_use]
    pub const fn key(&self) -> &ActionKey {
        &self.key
    }

    /// Stores the run's result as the result of its action and marks the run as finished.
    ///
    /// # Errors
    /// When it cannot be written, or the action is on record with another result.
    pub fn finish(self, store: &Store, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = store.keep(&self.key, bytes)?;
        publish_new(
            &self.folder.join(FINISHED),
            format!("{digest}\n").as_bytes(),
        )?;
        Ok(digest)
    }
}

/// The digest that a finished run's folder names; `None` while it is not finished.
pub(crate) fn finished(folder: &Path) -> Result<Option<Digest>, StoreError> {
    let path = folder.join(FINISHED);
    let Some(bytes) = read(&path)? else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&bytes);
    match text.trim_end().parse() {
        Ok(digest) => Ok(Some(digest)),
        Err(_) => Err(StoreError::damaged(&path, "it names no digest")),
    }
}
