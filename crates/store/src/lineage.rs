use crate::objects::entries;
use crate::upkeep::{checksum_of, document, format_of};
use crate::{Digest, Store, StoreError, read};
use evenhand_artifact::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One thing in an ancestry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ancestor {
    /// Steps from the digest that was asked for.
    pub depth: usize,
    /// How the descendant names it: a field's path, or an action's part.
    pub role: String,
    /// Its digest or checksum, as it is named.
    pub digest: Digest,
    /// What it is: format and place, or the step that made it; `None` when it is not at hand.
    pub what: Option<String>,
    /// Whether its own ancestors were listed before.
    pub seen: bool,
}

struct Known {
    what: String,
    names: Vec<(String, Digest)>,
}

/// The ancestry of a digest or checksum: what the document names, what the action that made it
/// was given, and so on, depth first. Documents are looked for in the store and in `folders`.
/// Only names that lead to something at hand are followed; a table, weights or object that is
/// named but not at hand is listed once as such.
///
/// # Errors
/// When a file cannot be read or is damaged.
pub fn lineage(
    store: &Store,
    folders: &[PathBuf],
    digest: &Digest,
) -> Result<Vec<Ancestor>, StoreError> {
    let known = index(store, folders)?;
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    walk(&known, *digest, "asked for", 0, &mut seen, &mut out);
    Ok(out)
}

fn walk(
    known: &BTreeMap<Digest, Known>,
    digest: Digest,
    role: &str,
    depth: usize,
    seen: &mut BTreeSet<Digest>,
    out: &mut Vec<Ancestor>,
) {
    let entry = known.get(&digest);
    let first = seen.insert(digest);
    out.push(Ancestor {
        depth,
        role: role.to_owned(),
        digest,
        what: entry.map(|e| e.what.clone()),
        seen: !first,
    });
    if let (Some(entry), true) = (entry, first) {
        for (role, name) in &entry.names {
            walk(known, *name, role, depth + 1, seen, out);
        }
    }
}

fn index(store: &Store, folders: &[PathBuf]) -> Result<BTreeMap<Digest, Known>, StoreError> {
    let mut known = BTreeMap::new();
    let mut same: BTreeMap<Digest, Digest> = BTreeMap::new();
    let mut add = |bytes: &[u8], place: String| {
        let Some(value) = document(bytes) else { return };
        let Some(format) = format_of(&value) else {
            return;
        };
        let own = Digest::of(bytes);
        let sum = checksum_of(&value).unwrap_or(own);
        let mut names = Vec::new();
        digest_fields(&value, "", &mut names);
        names.retain(|(role, name)| role != "checksum" && *name != sum && *name != own);
        same.insert(own, sum);
        for digest in [own, sum] {
            known.entry(digest).or_insert_with(|| Known {
                what: format!("{format} {place}"),
                names: names.clone(),
            });
        }
    };
    for digest in store.objects().list()? {
        if let Some(bytes) = store.objects().get(&digest)? {
            add(&bytes, format!("object {digest}"));
        }
    }
    for folder in folders {
        add_files(folder, &mut add)?;
    }
    for (_, action) in store.actions().list()? {
        let action = action?;
        let inputs: Vec<(String, Digest)> = action
            .parts
            .iter()
            .filter_map(|(name, value)| {
                Some((format!("{} <- {name}", action.step), value.parse().ok()?))
            })
            .collect();
        let sum = same.get(&action.result).copied();
        for digest in [Some(action.result), sum].into_iter().flatten() {
            let entry = known.entry(digest).or_insert_with(|| Known {
                what: format!("object {digest}"),
                names: Vec::new(),
            });
            entry.what.push_str(&format!(", made by {}", action.step));
            entry.names.extend(inputs.clone());
            if sum == Some(action.result) {
                break;
            }
        }
    }
    Ok(known)
}

fn add_files(folder: &Path, add: &mut impl FnMut(&[u8], String)) -> Result<(), StoreError> {
    for path in entries(folder)? {
        if path.is_dir() {
            add_files(&path, add)?;
        } else if path.extension().is_some_and(|e| e == "json")
            && let Some(bytes) = read(&path)?
        {
            add(&bytes, path.display().to_string());
        }
    }
    Ok(())
}

/// Fields that hold a digest, with their paths.
fn digest_fields(value: &Value, path: &str, out: &mut Vec<(String, Digest)>) {
    match value {
        Value::Text(text) => {
            if let Ok(digest) = text.parse() {
                out.push((path.to_owned(), digest));
            }
        }
        Value::List(items) => {
            for (i, item) in items.iter().enumerate() {
                digest_fields(item, &format!("{path}[{i}]"), out);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                digest_fields(field, &format!("{path}{dot}{name}"), out);
            }
        }
        Value::Bool(_) | Value::Int(_) => {}
    }
}
