//! Where results live and how they get there: content-addressed objects, actions, journals, locks,
//! the ledger, and every raw file write of the project.
//!
//! ```text
//! .evenhand/objects/ab/cdef...   bytes by SHA-256
//!           actions/ab/cdef...   from what would be computed to the digest of its result
//!           runs/abcdef.../      one folder a run: lock, key, journal, `finished` at its end
//! ```
//!
//! Publishing is atomic (temporary file in the same folder, fsync, rename, fsync of the folder) and
//! immutable: what is already stored is compared, never overwritten. A process that is killed at
//! any moment leaves either the old or the new file under a final name, and at most a temporary
//! file that the next publisher of that folder removes.
// This is the one crate that writes files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod action;
mod error;
mod journal;
pub mod ledger;
mod lineage;
mod lock;
mod objects;
mod publish;
mod run;
mod upkeep;

pub use action::{ActionDoc, ActionKey, Actions};
pub use error::StoreError;
pub use evenhand_artifact::{Digest, digest_of};
pub use journal::Journal;
pub use lineage::{Ancestor, lineage};
pub use lock::Lock;
pub use objects::{Blobs, Folder, Objects};
pub use publish::{
    Draft, Published, append, create_dir, publish, publish_new, publish_replace, read, remove,
};
pub use run::Run;
pub use upkeep::{Collected, Item, Verified, gc, list, roots_in, verify};

use std::path::{Path, PathBuf};

/// Hash of the sources that decide how cards are played and measured, fixed when this crate was
/// built: contract, games, simulator, statistics, calibration, tuning, validation, the documents,
/// and Cargo.lock, with line endings made equal.
pub const SOURCE_HASH: &str = env!("EVENHAND_SOURCE_HASH");

/// Version of the tools, as in the manifests.
pub const TOOL_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The environment variable that names the store's folder.
pub const STORE_VARIABLE: &str = "EVENHAND_STORE";

/// The store's folder where nothing else is said.
pub const DEFAULT_STORE: &str = ".evenhand";

/// The folders that make up a store.
const PARTS: [&str; 3] = ["objects", "actions", "runs"];

/// A store in a folder.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    objects: Objects<Folder>,
    actions: Actions,
}

impl Store {
    /// Whether a folder is a store: it has the parts of one.
    #[must_use]
    pub fn is_at(root: &Path) -> bool {
        PARTS.iter().all(|part| root.join(part).is_dir())
    }

    /// Opens the store in a folder, which is made when it is not there.
    ///
    /// # Errors
    /// When the folder cannot be made, or holds things but no part of a store.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, StoreError> {
        let root = root.as_ref();
        // A killed command may have made some of the parts only.
        if !PARTS.iter().any(|part| root.join(part).is_dir())
            && std::fs::read_dir(root).is_ok_and(|mut entries| entries.next().is_some())
        {
            return Err(StoreError::NoStore {
                path: root.to_owned(),
            });
        }
        for part in PARTS {
            create_dir(&root.join(part))?;
        }
        Ok(Self {
            objects: Objects::new(Folder::new(root.join("objects"))),
            actions: Actions::new(root.join("actions")),
            root: root.to_owned(),
        })
    }

    /// The folder that a command uses: what its option says, else the environment variable, else
    /// `.evenhand` in the working folder.
    #[must_use]
    pub fn folder(option: Option<&Path>) -> PathBuf {
        match (option, std::env::var_os(STORE_VARIABLE)) {
            (Some(folder), _) => folder.to_owned(),
            (None, Some(folder)) if !folder.is_empty() => folder.into(),
            _ => DEFAULT_STORE.into(),
        }
    }

    /// The store's folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Bytes by digest.
    #[must_use]
    pub const fn objects(&self) -> &Objects<Folder> {
        &self.objects
    }

    /// Results by action.
    #[must_use]
    pub const fn actions(&self) -> &Actions {
        &self.actions
    }

    /// The folder of all runs.
    #[must_use]
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// The stored result of an action: its digest and bytes. An action whose result was collected
    /// counts as not done.
    ///
    /// # Errors
    /// When a stored file cannot be read or is damaged.
    pub fn result(&self, key: &ActionKey) -> Result<Option<(Digest, Vec<u8>)>, StoreError> {
        let Some(digest) = self.actions.get(key)? else {
            return Ok(None);
        };
        Ok(self.objects.get(&digest)?.map(|bytes| (digest, bytes)))
    }

    /// Stores a result and the action that it came from.
    ///
    /// # Errors
    /// When it cannot be written, or the action is on record with another result.
    pub fn keep(&self, key: &ActionKey, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = self.objects.put(bytes)?;
        self.actions.put(key, &digest)?;
        Ok(digest)
    }
}
