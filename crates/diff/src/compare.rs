//! Puts two states side by side.

use crate::judge::{self, Finding};
use crate::play::{Pair, PlayChange};
use crate::read::{DiffError, Run, Snapshot};
use crate::tables::TableChange;
use evenhand_artifact::Verdict;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What happened to something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Both sides hold the same.
    Same,
    /// Both sides hold it, not alike.
    Changed,
    /// The head alone holds it.
    Added,
    /// The base alone holds it.
    Removed,
}

impl Change {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }

    /// What two checksums say.
    pub(crate) fn of<T: PartialEq>(sums: &Pair<T>) -> Self {
        match (&sums.base, &sums.head) {
            (Some(base), Some(head)) if base == head => Self::Same,
            (Some(_), Some(_)) => Self::Changed,
            (None, _) => Self::Added,
            (Some(_), None) => Self::Removed,
        }
    }
}

/// Everything that is not the same.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The base as it was named.
    pub base: String,
    /// The head as it was named.
    pub head: String,
    /// Whether anything changed.
    pub changed: bool,
    /// Over all findings; absent when nothing changed.
    pub verdict: Option<Verdict>,
    /// Tables and weights of base and head.
    pub artifacts: [usize; 2],
    /// Experiments on record in base and head.
    pub experiments: [usize; 2],
    /// Weights that changed.
    pub weights: Vec<PlayChange>,
    /// Tables that changed.
    pub tables: Vec<TableChange>,
    /// Records that were compared for themselves, where there are no weights and no tables.
    pub records: Vec<PlayChange>,
    /// Experiments whose records changed.
    pub runs: Vec<RunChange>,
    /// Lines of the ledger.
    pub ledger_lines: Pair<usize>,
    /// What is claimed of all that changed, and whether the record holds it.
    pub findings: Vec<Finding>,
}

/// The records of one experiment.
#[derive(Clone, Debug, Serialize)]
pub struct RunChange {
    /// Its name.
    pub experiment: String,
    /// What happened to its records.
    pub change: Change,
    /// What came out.
    pub verdict: Pair<Verdict>,
    /// Weights of the head that stand on it.
    pub frozen: bool,
}

impl Difference {
    /// The worst finding; without any, nothing speaks against the head.
    #[must_use]
    pub fn worst(&self) -> Verdict {
        Verdict::all(self.findings.iter().map(|f| f.verdict))
    }
}

/// Compares two states.
///
/// # Errors
/// When they hold nothing, or are two files of different kinds.
pub fn compare(base: &Snapshot, head: &Snapshot) -> Result<Difference, DiffError> {
    if base.is_empty() && head.is_empty() {
        return Err(DiffError::Empty {
            base: base.name.clone(),
            head: head.name.clone(),
        });
    }
    let both_single = base.single && head.single;
    if both_single && kind(base) != kind(head) {
        return Err(DiffError::Kinds {
            base: kind(base),
            head: kind(head),
        });
    }
    let mut out = Difference {
        base: base.name.clone(),
        head: head.name.clone(),
        changed: false,
        verdict: None,
        artifacts: [base.artifacts(), head.artifacts()],
        experiments: [base.runs.len(), head.runs.len()],
        weights: Vec::new(),
        tables: Vec::new(),
        records: Vec::new(),
        runs: Vec::new(),
        ledger_lines: Pair {
            base: base.ledger.as_ref().map(|l| l.lines().len()),
            head: head.ledger.as_ref().map(|l| l.lines().len()),
        },
        findings: Vec::new(),
    };
    for (what, old, new) in pairs(&base.weights, &head.weights, both_single) {
        let change = PlayChange::of_weights(what, (base, old), (head, new));
        let said = judge::weights(what, head, new);
        if change.change != Change::Same {
            out.weights.push(change);
            out.findings.extend(said);
        } else if judge::got_worse(change.change, &judge::weights(what, base, old), &said) {
            out.findings.extend(said);
        }
    }
    for (what, old, new) in pairs(&base.tables, &head.tables, both_single) {
        let change = TableChange::of(what, old, new);
        if change.change != Change::Same {
            out.tables.push(change);
            out.findings.extend(judge::table(what, head, new));
        }
    }
    let records_alone = base.artifacts() == 0 && head.artifacts() == 0;
    let alone = records_alone && base.runs.len() == 1 && head.runs.len() == 1;
    for (what, old, new) in pairs(&base.runs, &head.runs, alone) {
        let change = run_change(what, head, old, new);
        if change.change == Change::Same {
            continue;
        }
        out.runs.push(change);
        if records_alone {
            out.records.push(PlayChange::of_records(what, old, new));
            out.findings.extend(judge::run(what, new));
        }
    }
    if let Some(reason) = judge::ledger_fault(base.ledger.as_ref(), head.ledger.as_ref()) {
        out.findings.push(Finding {
            what: "ledger".to_owned(),
            claim: "only grows".to_owned(),
            verdict: Verdict::Fails,
            reason,
        });
    }
    let sides = [&out.ledger_lines.base, &out.ledger_lines.head];
    // A side without a ledger was not asked about it, unless both are to have one.
    let ledger_moved = sides[0] != sides[1] && base.with_records && head.with_records;
    out.changed = ledger_moved
        || !(out.weights.is_empty()
            && out.tables.is_empty()
            && out.runs.is_empty()
            && out.findings.is_empty());
    out.verdict = out.changed.then(|| out.worst());
    Ok(out)
}

/// What a single file is of.
fn kind(side: &Snapshot) -> &'static str {
    let run = side.runs.values().next();
    match (side.weights.len(), side.tables.len(), run) {
        (1, _, _) => "weights",
        (_, 1, _) => "a table",
        (_, _, Some(run)) if run.summary.is_some() => "a summary",
        (_, _, Some(run)) if run.validation.is_some() => "a validation",
        (_, _, Some(_)) => "a candidate",
        _ => "a ledger",
    }
}

/// What either side holds under each name; with `alone`, the only one of each side whatever its name.
fn pairs<'a, T>(
    base: &'a BTreeMap<String, T>,
    head: &'a BTreeMap<String, T>,
    alone: bool,
) -> Vec<(&'a str, Option<&'a T>, Option<&'a T>)> {
    if alone && base.len() == 1 && head.len() == 1 {
        let new = head.iter().next();
        let name = new.map_or("", |(name, _)| name.as_str());
        return vec![(name, base.values().next(), new.map(|(_, new)| new))];
    }
    let names: BTreeSet<&String> = base.keys().chain(head.keys()).collect();
    names
        .into_iter()
        .map(|name| (name.as_str(), base.get(name), head.get(name)))
        .collect()
}

fn run_change(what: &str, all: &Snapshot, base: Option<&Run>, head: Option<&Run>) -> RunChange {
    let sums = |run: &Run| {
        let of = [
            run.summary.as_ref().map(|k| k.doc.checksum()),
            run.validation.as_ref().map(|k| k.doc.checksum()),
            run.candidate.as_ref().map(|k| k.doc.checksum()),
        ];
        (of, run.decisions.clone())
    };
    let verdict = |run: &Run| {
        let validation = run.validation.as_ref().map(|v| v.doc.verdict);
        validation.or_else(|| run.summary.as_ref().map(|s| s.doc.verdict))
    };
    let cited = |run: &Run| {
        let cites = |w| all.run_of(w).is_some_and(|cited| std::ptr::eq(cited, run));
        all.weights.values().any(cites)
    };
    RunChange {
        experiment: what.to_owned(),
        change: Change::of(&Pair {
            base: base.map(sums),
            head: head.map(sums),
        }),
        verdict: Pair {
            base: base.and_then(verdict),
            head: head.and_then(verdict),
        },
        frozen: head.is_some_and(cited),
    }
}
