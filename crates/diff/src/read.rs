//! What a checkout, a folder or a single file has on record.

use evenhand_artifact::{
    ArtifactError, CandidateDoc, Document, Sealed, SummaryDoc, TableDoc, ValidationDoc, Value,
    WeightsDoc, canonical, format, open,
};
use evenhand_store::StoreError;
use evenhand_store::ledger::Ledger;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Why two states cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// Nothing there.
    #[error("{}: no such file or folder", .0.display())]
    Missing(PathBuf),
    /// Unreadable.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A damaged artifact.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// A damaged ledger.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A JSON file that is no artifact.
    #[error("{}: `format` is {found:?}; that is no artifact of evenhand", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it says.
        found: String,
    },
    /// Two files that claim one place.
    #[error("both {} and {} hold {what}: compare narrower folders", first.display(), second.display())]
    Twice {
        /// What both hold.
        what: String,
        /// One file.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Decisions that are not those of the record beside them.
    #[error("{}: not the decisions of the validation record beside it", .0.display())]
    Decisions(PathBuf),
    /// Two files of different kinds.
    #[error("a file of {base} cannot be compared with one of {head}")]
    Kinds {
        /// What the base holds.
        base: &'static str,
        /// What the head holds.
        head: &'static str,
    },
    /// Nothing to compare.
    #[error("neither {base} nor {head} holds an artifact or a record")]
    Empty {
        /// The base.
        base: String,
        /// The head.
        head: String,
    },
}

/// A document and the file it was read from.
#[derive(Clone, Debug)]
pub struct Kept<D> {
    /// The file, below the folder that was given.
    pub file: String,
    /// The document.
    pub doc: Sealed<D>,
}

/// The records of one experiment.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The kept summary.
    pub summary: Option<Kept<SummaryDoc>>,
    /// The full record of the validation.
    pub validation: Option<Kept<ValidationDoc>>,
    /// The record of the tuning.
    pub candidate: Option<Kept<CandidateDoc>>,
    /// Decisions on the fixed suite, in its order.
    pub decisions: Option<Vec<String>>,
}

/// Everything on record below a path.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The path as it was given.
    pub name: String,
    /// Whether the path is one file.
    pub single: bool,
    /// Whether records belong to it: a checkout, or a folder that has some.
    pub with_records: bool,
    /// Weights by game, players, ruleset and policy.
    pub weights: BTreeMap<String, Kept<WeightsDoc>>,
    /// Tables by game, players, ruleset and kind.
    pub tables: BTreeMap<String, Kept<TableDoc>>,
    /// Records by experiment.
    pub runs: BTreeMap<String, Run>,
    /// The ledger.
    pub ledger: Option<Ledger>,
}

/// Folders of a checkout that hold records.
const RECORD_FOLDERS: [&str; 2] = ["tables", "experiments"];
/// The generation before, beside the frozen one: the base has it at its own place.
const PREVIOUS: &str = "previous";

impl Snapshot {
    /// Reads a checkout (its `tables` and `experiments` alone), a folder, or one file.
    ///
    /// # Errors
    /// When there is nothing, or a file is not what it should be; the file is named.
    pub fn read(path: &Path) -> Result<Self, DiffError> {
        let meta = std::fs::metadata(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => DiffError::Missing(path.to_owned()),
            _ => unreadable(path, &e),
        })?;
        let mut all = Self {
            name: path.display().to_string(),
            single: !meta.is_dir(),
            ..Self::default()
        };
        if all.single {
            // A name for a pipe would be waited on for ever; `<(...)` is a link to one, and is read.
            let own = path.symlink_metadata().map_err(|e| unreadable(path, &e))?;
            if !own.is_file() && !own.is_symlink() {
                let other = std::io::Error::other("neither a file nor a folder");
                return Err(unreadable(path, &other));
            }
            let root = path.parent().unwrap_or(Path::new(""));
            all.take(root, path, true)?;
            all.with_records = all.ledger.is_some();
            return Ok(all);
        }
        let parts = RECORD_FOLDERS.map(|part| path.join(part));
        let checkout = parts.iter().any(|part| part.is_dir());
        let mut texts = Vec::new();
        if checkout {
            for part in parts.iter().filter(|part| part.is_dir()) {
                all.walk(path, part, &mut texts)?;
            }
        } else {
            all.walk(path, path, &mut texts)?;
        }
        for (file, decisions) in texts {
            all.take_decisions(path, &file, decisions)?;
        }
        all.with_records = checkout || !all.runs.is_empty() || all.ledger.is_some();
        Ok(all)
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.artifacts() == 0 && self.runs.is_empty() && self.ledger.is_none()
    }

    /// How many tables and weights there are.
    #[must_use]
    pub fn artifacts(&self) -> usize {
        self.weights.len() + self.tables.len()
    }

    fn walk(
        &mut self,
        root: &Path,
        folder: &Path,
        texts: &mut Vec<(PathBuf, Vec<String>)>,
    ) -> Result<(), DiffError> {
        let fail = |e| unreadable(folder, &e);
        let mut entries: Vec<_> = std::fs::read_dir(folder)
            .map_err(fail)?
            .collect::<Result<_, _>>()
            .map_err(fail)?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if name.starts_with('.') {
                continue;
            }
            // Links to folders are not followed: they may lead round in a circle.
            if entry.file_type().map_err(fail)?.is_dir() {
                if name != PREVIOUS && name != "target" {
                    self.walk(root, &path, texts)?;
                }
            } else if !path.is_file() {
                // A pipe or a device: reading it could wait for ever.
            } else if name.ends_with(".json") || name == "ledger.jsonl" {
                self.take(root, &path, false)?;
            } else if name == "decisions.txt" {
                texts.push((path.clone(), lines(&path)?));
            }
        }
        Ok(())
    }

    /// Takes one file in; `alone` when it is all that was given, so that it must be one to compare.
    fn take(&mut self, root: &Path, path: &Path, alone: bool) -> Result<(), DiffError> {
        let bytes = bytes(path)?;
        if path.extension().is_some_and(|e| e == "jsonl") {
            self.ledger = Some(Ledger::parse(path, &bytes)?);
            return Ok(());
        }
        let shown = path.display().to_string();
        let value = canonical::parse(&shown, &bytes)?;
        let found = value.get("format").and_then(Value::as_text).unwrap_or("");
        let is =
            |format: format::Format| found.rsplit_once('/').map(|f| f.0) == Some(format.family);
        let file = path
            .strip_prefix(root)
            .unwrap_or(path)
            .display()
            .to_string();
        if is(format::WEIGHTS) {
            let doc: Kept<WeightsDoc> = kept(file, &shown, &bytes)?;
            let what = format!(
                "{}, {}",
                table_of(&doc.doc.game, doc.doc.players, &doc.doc.ruleset),
                doc.doc.policy
            );
            put(&mut self.weights, what, doc, root)
        } else if is(format::TABLE) {
            let doc: Kept<TableDoc> = kept(file, &shown, &bytes)?;
            let what = format!(
                "{}, {}",
                table_of(&doc.doc.game, doc.doc.players, &doc.doc.ruleset),
                doc.doc.kind
            );
            put(&mut self.tables, what, doc, root)
        } else if is(format::SUMMARY) {
            let doc: Kept<SummaryDoc> = kept(file, &shown, &bytes)?;
            let run = self.runs.entry(doc.doc.experiment.clone()).or_default();
            once(&mut run.summary, doc, root)
        } else if is(format::VALIDATION) {
            let doc: Kept<ValidationDoc> = kept(file, &shown, &bytes)?;
            let run = self.runs.entry(doc.doc.experiment.clone()).or_default();
            run.decisions = Some(doc.doc.decisions.clone());
            once(&mut run.validation, doc, root)
        } else if is(format::CANDIDATE) {
            let doc: Kept<CandidateDoc> = kept(file, &shown, &bytes)?;
            let run = self.runs.entry(doc.doc.experiment.clone()).or_default();
            once(&mut run.candidate, doc, root)
        } else if !alone && found.starts_with("evenhand-") {
            // Blocks, actions, and what the instruments for people leave beside the records.
            Ok(())
        } else {
            Err(DiffError::Foreign {
                path: path.to_owned(),
                found: found.to_owned(),
            })
        }
    }

    /// The decisions in a file of their own: of the experiment whose records lie beside it, or of that the folder is
    /// named for.
    fn take_decisions(
        &mut self,
        root: &Path,
        file: &Path,
        decisions: Vec<String>,
    ) -> Result<(), DiffError> {
        let folder = file.parent().unwrap_or(root);
        let beside = |f: &str| root.join(f).parent() == Some(folder);
        let own = self.runs.iter().find(|(_, run)| {
            let validation = run.validation.as_ref().map(|k| k.file.as_str());
            let summary = run.summary.as_ref().map(|k| k.file.as_str());
            let candidate = run.candidate.as_ref().map(|k| k.file.as_str());
            [validation, summary, candidate]
                .into_iter()
                .flatten()
                .any(beside)
        });
        let name = own.map(|(name, _)| name.clone()).unwrap_or_else(|| {
            let name = folder.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        });
        let run = self.runs.entry(name).or_default();
        match &run.decisions {
            Some(recorded) if *recorded != decisions => Err(DiffError::Decisions(file.to_owned())),
            _ => {
                run.decisions = Some(decisions);
                Ok(())
            }
        }
    }
}

/// A table in words; the default ruleset goes without saying.
fn table_of(game: &str, players: u8, ruleset: &str) -> String {
    match ruleset {
        "default" => format!("{game}, {players} players"),
        other => format!("{game}, {players} players, {other}"),
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> DiffError {
    DiffError::Unreadable {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, DiffError> {
    evenhand_store::read(path)?.ok_or_else(|| DiffError::Missing(path.to_owned()))
}

fn lines(path: &Path) -> Result<Vec<String>, DiffError> {
    let wrong = |reason: &str| DiffError::Unreadable {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    let text = String::from_utf8(bytes(path)?).map_err(|_| wrong("not UTF-8 text"))?;
    if text.contains('\r') {
        return Err(wrong(
            "wrong line endings (CRLF or CR): records end their lines with LF alone",
        ));
    }
    Ok(text.lines().map(str::to_owned).collect())
}

fn kept<D: Document>(file: String, shown: &str, bytes: &[u8]) -> Result<Kept<D>, DiffError> {
    Ok(Kept {
        file,
        doc: open(shown, bytes)?,
    })
}

fn put<D>(
    all: &mut BTreeMap<String, Kept<D>>,
    what: String,
    doc: Kept<D>,
    root: &Path,
) -> Result<(), DiffError> {
    if let Some(first) = all.get(&what) {
        return Err(DiffError::Twice {
            what,
            first: root.join(&first.file),
            second: root.join(&doc.file),
        });
    }
    all.insert(what, doc);
    Ok(())
}

fn once<D>(place: &mut Option<Kept<D>>, doc: Kept<D>, root: &Path) -> Result<(), DiffError> {
    if let Some(first) = place {
        return Err(DiffError::Twice {
            what: "the same record of one experiment".to_owned(),
            first: root.join(&first.file),
            second: root.join(&doc.file),
        });
    }
    *place = Some(doc);
    Ok(())
}
