use crate::objects::entries;
use crate::{Digest, SOURCE_HASH, StoreError, TOOL_VERSION, publish_new, read};
use evenhand_artifact::{Document, Format, Value, canonical, format, open, seal};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;

/// What would be computed: a step and its named inputs. Two keys are one when all of it is equal,
/// in whatever order the parts were named. Every key holds the hash of the play-affecting sources
/// and the version of the tools; file times, comments and folder names have no place in it, and
/// neither has the worker count.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ActionKey {
    step: String,
    parts: BTreeMap<String, String>,
}

impl ActionKey {
    /// The key of a step, with the sources and the version of the tools at hand.
    #[must_use]
    pub fn new(step: &str) -> Self {
        Self::with_source(step, SOURCE_HASH, TOOL_VERSION)
    }

    /// The key of a step under other sources: for tests.
    #[must_use]
    pub fn with_source(step: &str, source: &str, version: &str) -> Self {
        let mut parts = BTreeMap::new();
        parts.insert("source".to_owned(), source.to_owned());
        parts.insert("version".to_owned(), version.to_owned());
        Self {
            step: step.to_owned(),
            parts,
        }
    }

    /// Adds a named input.
    ///
    /// # Panics
    /// When the name was given already: a mistake of the caller, never of input.
    #[must_use]
    pub fn part(mut self, name: &str, value: impl Display) -> Self {
        let before = self.parts.insert(name.to_owned(), value.to_string());
        assert!(before.is_none(), "the part {name} was named twice");
        self
    }

    /// The step.
    #[must_use]
    pub fn step(&self) -> &str {
        &self.step
    }

    /// The named inputs.
    #[must_use]
    pub const fn parts(&self) -> &BTreeMap<String, String> {
        &self.parts
    }

    /// The key as one canonical line.
    #[must_use]
    pub fn text(&self) -> String {
        let parts: Value = self
            .parts
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        let whole: Value = [("step", Value::from(self.step.as_str())), ("parts", parts)]
            .into_iter()
            .collect();
        canonical::to_line(&whole)
    }

    /// The digest of the key.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.text().as_bytes())
    }
}

/// A stored action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionDoc {
    /// The step.
    pub step: String,
    /// Its named inputs.
    pub parts: BTreeMap<String, String>,
    /// Digest of the result.
    pub result: Digest,
}

impl Document for ActionDoc {
    const FORMAT: Format = format::ACTION;
}

impl ActionDoc {
    /// The key that the action was stored under.
    #[must_use]
    pub fn key(&self) -> ActionKey {
        ActionKey {
            step: self.step.clone(),
            parts: self.parts.clone(),
        }
    }
}

/// Results by action key.
#[derive(Clone, Debug)]
pub struct Actions {
    root: PathBuf,
}

impl Actions {
    /// Actions in this folder.
    #[must_use]
    pub const fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Where the action of a key lies.
    #[must_use]
    pub fn path(&self, key: &Digest) -> PathBuf {
        let hex = key.hex();
        self.root.join(&hex[..2]).join(&hex[2..])
    }

    /// The digest of an action's result; `None` when it was never done.
    ///
    /// # Errors
    /// When the record cannot be read or is damaged.
    pub fn get(&self, key: &ActionKey) -> Result<Option<Digest>, StoreError> {
        let digest = key.digest();
        let path = self.path(&digest);
        let Some(bytes) = read(&path)? else {
            return Ok(None);
        };
        let doc = open::<ActionDoc>(&path.display().to_string(), &bytes)?.into_doc();
        if doc.key() != *key {
            return Err(StoreError::damaged(&path, "it records another action"));
        }
        Ok(Some(doc.result))
    }

    /// Records the result of an action.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when another result is on record; otherwise when it cannot be
    /// written.
    pub fn put(&self, key: &ActionKey, result: &Digest) -> Result<(), StoreError> {
        let doc = ActionDoc {
            step: key.step.clone(),
            parts: key.parts.clone(),
            result: *result,
        };
        let path = self.path(&key.digest());
        match publish_new(&path, seal(doc)?.text().as_bytes()) {
            Err(StoreError::Differs { path }) => match self.get(key)? {
                Some(stored) => Err(StoreError::Conflict {
                    key: key.digest().hex(),
                    step: key.step.clone(),
                    stored: stored.hex(),
                    found: result.hex(),
                }),
                None => Err(StoreError::Differs { path }),
            },
            done => done.map(|_| ()),
        }
    }

    /// Every action on record with its file, by key.
    ///
    /// # Errors
    /// When the folder cannot be listed or a file cannot be read; a damaged record is in the list
    /// as its error.
    #[allow(clippy::type_complexity, reason = "a list of files, each sound or not")]
    pub fn list(&self) -> Result<Vec<(PathBuf, Result<ActionDoc, StoreError>)>, StoreError> {
        let mut found = Vec::new();
        for folder in entries(&self.root)? {
            if !folder.is_dir() {
                continue;
            }
            for path in entries(&folder)? {
                let Some(bytes) = read(&path)? else { continue };
                let doc = open::<ActionDoc>(&path.display().to_string(), &bytes)
                    .map_err(StoreError::from)
                    .and_then(|doc| {
                        let doc = doc.into_doc();
                        if self.path(&doc.key().digest()) == path {
                            Ok(doc)
                        } else {
                            Err(StoreError::damaged(&path, "its name does not fit its key"))
                        }
                    });
                found.push((path, doc));
            }
        }
        Ok(found)
    }
}
