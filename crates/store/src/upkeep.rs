//! Looking after a store: list, verify, collect.

use crate::objects::entries;
use crate::publish::tidy;
use crate::run::{FINISHED, JOURNAL, KEY, LOCK, finished};
use crate::{ActionDoc, Blobs, Digest, Lock, Store, StoreError, read};
use evenhand_artifact::{Value, canonical};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// One thing in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// An object.
    Object {
        /// Its digest.
        digest: Digest,
        /// Its bytes.
        size: u64,
        /// Its format where it is a document, such as `evenhand-table/1`.
        format: Option<String>,
    },
    /// An action with its result.
    Action {
        /// Its key.
        key: Digest,
        /// Its step.
        step: String,
        /// Digest of the result.
        result: Digest,
    },
    /// A run.
    Run {
        /// Its folder's name.
        name: String,
        /// Whether a process is at it.
        held: bool,
        /// Digest of its result, when it is finished.
        result: Option<Digest>,
    },
}

/// Everything in a store: objects, actions, runs, each sorted.
///
/// # Errors
/// When a folder cannot be listed or a file cannot be read or is damaged.
pub fn list(store: &Store) -> Result<Vec<Item>, StoreError> {
    let mut items = Vec::new();
    for digest in store.objects().list()? {
        let Some(bytes) = store.objects().get(&digest)? else {
            continue;
        };
        items.push(Item::Object {
            digest,
            size: bytes.len() as u64,
            format: document(&bytes).as_ref().and_then(format_of),
        });
    }
    for (_, doc) in store.actions().list()? {
        let doc = doc?;
        items.push(Item::Action {
            key: doc.key().digest(),
            step: doc.step,
            result: doc.result,
        });
    }
    for folder in entries(&store.runs())? {
        items.push(Item::Run {
            name: name(&folder),
            held: Lock::is_held(&folder.join(LOCK)),
            result: finished(&folder)?,
        });
    }
    Ok(items)
}

/// What [`verify`] found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Objects hashed again.
    pub objects: u64,
    /// Actions read again.
    pub actions: u64,
    /// Journals read again.
    pub runs: u64,
    /// Everything that is wrong, one sentence each; empty = sound.
    pub problems: Vec<String>,
}

/// Hashes every object again, reads every document, action and journal again. Changes nothing.
///
/// # Errors
/// When a folder cannot be listed.
pub fn verify(store: &Store) -> Result<Verified, StoreError> {
    let mut found = Verified::default();
    let blobs = store.objects().blobs();
    for folder in entries(blobs.root())? {
        for path in entries(&folder)? {
            let digest = format!("{}{}", name(&folder), name(&path)).parse::<Digest>();
            if digest.is_err() {
                let what = format!("{}: a stranger among the objects", path.display());
                found.problems.push(what);
            }
        }
    }
    for digest in blobs.list()? {
        found.objects += 1;
        let path = blobs.path(&digest);
        match store.objects().get(&digest) {
            Ok(Some(bytes)) => {
                if let Some(problem) = wrong_document(&path, &bytes) {
                    found.problems.push(problem);
                }
            }
            Ok(None) => {}
            Err(StoreError::Damaged { reason, .. }) => {
                let what = format!("{} is damaged: {reason}", path.display());
                found.problems.push(what);
            }
            Err(e) => found.problems.push(e.to_string()),
        }
    }
    for (path, doc) in store.actions().list()? {
        found.actions += 1;
        match doc {
            Err(e) => found.problems.push(e.to_string()),
            Ok(doc) => {
                if !blobs.path(&doc.result).exists() {
                    found.problems.push(format!(
                        "{}: the result {} of {} is not there",
                        path.display(),
                        doc.result,
                        doc.step
                    ));
                }
            }
        }
    }
    for folder in entries(&store.runs())? {
        found.runs += 1;
        if let Err(e) = check_run(&folder) {
            found.problems.push(e.to_string());
        }
    }
    Ok(found)
}

fn check_run(folder: &Path) -> Result<(), StoreError> {
    let identity = name(folder);
    if let Some(key) = read(&folder.join(KEY))? {
        let text = key.strip_suffix(b"\n").unwrap_or(&key);
        if Digest::of(text).hex() != identity {
            return Err(StoreError::damaged(
                &folder.join(KEY),
                "it does not fit the folder's name",
            ));
        }
    }
    finished(folder)?;
    let path = folder.join(JOURNAL);
    let bytes = read(&path)?.unwrap_or_default();
    // A torn last line is no damage: the run may be in the making, or was killed.
    let whole = bytes
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |at| at + 1);
    crate::journal::check(&path, &bytes[..whole], &identity).map(|_| ())
}

/// A document whose checksum does not fit, or that is not canonical.
fn wrong_document(path: &Path, bytes: &[u8]) -> Option<String> {
    let value = document(bytes)?;
    format_of(&value)?;
    if let Err(e) = canonical::parse(&path.display().to_string(), bytes) {
        return Some(e.to_string());
    }
    let written = value.get("checksum")?.as_text()?.to_owned();
    let Value::Object(mut fields) = value else {
        return None;
    };
    fields.remove("checksum");
    let computed = Digest::of(canonical::to_text(&Value::Object(fields)).as_bytes()).hex();
    (written != computed).then(|| {
        format!(
            "{}: checksum: mismatch: written {written}, but the content gives {computed}",
            path.display()
        )
    })
}

/// What [`gc`] did, or would do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collected {
    /// Objects that are reached.
    pub kept: u64,
    /// What was removed, or would be.
    pub removed: Vec<PathBuf>,
    /// Bytes of it.
    pub freed: u64,
}

/// Removes what nothing reaches any more. Reached are the roots (see [`roots_in`]), the results
/// and inputs of runs that are not finished, and whatever a reached object or action names.
/// With `dry_run` nothing is removed.
///
/// # Errors
/// When a file cannot be read or removed, or an action is damaged (verify first).
pub fn gc(store: &Store, roots: &BTreeSet<Digest>, dry_run: bool) -> Result<Collected, StoreError> {
    let objects = store.objects().list()?;
    let mut actions = Vec::new();
    for (path, doc) in store.actions().list()? {
        actions.push((path, doc?));
    }
    // Documents are named by the digest of their bytes or by their checksum: both lead to them.
    let mut by_name: BTreeMap<Digest, BTreeSet<Digest>> = BTreeMap::new();
    let mut names_in: BTreeMap<Digest, BTreeSet<Digest>> = BTreeMap::new();
    let mut sizes = BTreeMap::new();
    for digest in &objects {
        let Some(bytes) = store.objects().get(digest)? else {
            continue;
        };
        sizes.insert(*digest, bytes.len() as u64);
        by_name.entry(*digest).or_default().insert(*digest);
        if let Some(sum) = document(&bytes).as_ref().and_then(checksum_of) {
            by_name.entry(sum).or_default().insert(*digest);
        }
        names_in.insert(*digest, digests_in(&bytes));
    }
    let mut open: Vec<Digest> = roots.iter().copied().collect();
    let mut runs = Vec::new();
    for folder in entries(&store.runs())? {
        let live = Lock::is_held(&folder.join(LOCK)) || finished(&folder)?.is_none();
        if live {
            for file in [KEY, JOURNAL] {
                open.extend(digests_in(&read(&folder.join(file))?.unwrap_or_default()));
            }
        } else {
            // Held until all is removed, so that nobody begins anew in between.
            match Lock::take(&folder.join(LOCK)) {
                Ok(lock) => runs.push((folder, lock)),
                Err(StoreError::Held { .. }) => {}
                Err(other) => return Err(other),
            }
        }
    }
    let mut seen = BTreeSet::new();
    let mut kept = BTreeSet::new();
    while let Some(digest) = open.pop() {
        if !seen.insert(digest) {
            continue;
        }
        for object in by_name.get(&digest).into_iter().flatten() {
            kept.insert(*object);
            open.extend(names_in.get(object).into_iter().flatten());
            open.push(*object);
        }
        for (_, action) in &actions {
            if action.result == digest || action.key().digest() == digest {
                open.push(action.result);
                open.extend(inputs(action));
            }
        }
    }
    let mut done = Collected {
        kept: kept.len() as u64,
        ..Collected::default()
    };
    let mut doomed = Vec::new();
    // Actions go before their results: killed in between, nothing points at what is gone.
    for (path, action) in &actions {
        if !kept.contains(&action.result) {
            done.freed += fs::metadata(path).map_or(0, |m| m.len());
            doomed.push(path.clone());
        }
    }
    for digest in objects.iter().filter(|d| !kept.contains(d)) {
        done.freed += sizes.get(digest).copied().unwrap_or(0);
        doomed.push(store.objects().blobs().path(digest));
    }
    for (folder, _) in &runs {
        for file in [JOURNAL, KEY, FINISHED, LOCK] {
            let path = folder.join(file);
            if let Ok(meta) = fs::metadata(&path) {
                // The lock holds our own name just now.
                done.freed += if file == LOCK { 0 } else { meta.len() };
                doomed.push(path);
            }
        }
    }
    if !dry_run {
        for path in &doomed {
            crate::remove(path)?;
        }
        for (folder, lock) in runs {
            drop(lock);
            // Another process may have begun anew there: then it is not empty and stays.
            let _ = fs::remove_dir(folder);
        }
        for part in [
            store.objects().blobs().root(),
            &store.root().join("actions"),
        ] {
            for folder in entries(part)? {
                tidy(&folder);
                let _ = fs::remove_dir(&folder);
            }
        }
    }
    done.removed = doomed;
    Ok(done)
}

/// The roots that a folder such as `tables` or `experiments` gives: every digest named in a file
/// below it, and the digest of every file. A folder that is not there gives none.
///
/// # Errors
/// When a file cannot be read.
pub fn roots_in(folder: &Path) -> Result<BTreeSet<Digest>, StoreError> {
    let mut roots = BTreeSet::new();
    for path in entries(folder)? {
        if path.is_dir() {
            roots.extend(roots_in(&path)?);
        } else if let Some(bytes) = read(&path)? {
            roots.insert(Digest::of(&bytes));
            roots.extend(digests_in(&bytes));
        }
    }
    Ok(roots)
}

/// The digests among an action's named inputs.
pub(crate) fn inputs(action: &ActionDoc) -> BTreeSet<Digest> {
    action
        .parts
        .values()
        .flat_map(|value| digests_in(value.as_bytes()))
        .collect()
}

/// Every run of exactly 64 lower-case hex digits.
pub(crate) fn digests_in(bytes: &[u8]) -> BTreeSet<Digest> {
    bytes
        .split(|b| !b.is_ascii_alphanumeric())
        .filter(|word| word.len() == 64)
        .filter_map(|word| str::from_utf8(word).ok()?.parse().ok())
        .collect()
}

/// The value of a document's bytes; `None` for anything else.
pub(crate) fn document(bytes: &[u8]) -> Option<Value> {
    canonical::parse_any("", bytes).ok()
}

pub(crate) fn format_of(value: &Value) -> Option<String> {
    Some(value.get("format")?.as_text()?.to_owned())
}

pub(crate) fn checksum_of(value: &Value) -> Option<Digest> {
    value.get("checksum")?.as_text()?.parse().ok()
}

fn name(path: &Path) -> String {
    path.file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}
