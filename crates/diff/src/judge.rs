//! Whether what the head holds is backed by its records.

use crate::compare::Change;
use crate::read::{Kept, Run, Snapshot};
use evenhand_artifact::{
    CellSummary, Event, Outcome, RunKind, TableDoc, ValidationDoc, Verdict, WeightsDoc, alpha_ppb,
};
use evenhand_store::ledger::Ledger;
use serde::Serialize;

/// One claim about a changed artifact.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The artifact.
    pub what: String,
    /// The claim.
    pub claim: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
}

struct Findings<'a> {
    what: &'a str,
    list: Vec<Finding>,
}

impl Findings<'_> {
    fn add(&mut self, claim: &str, verdict: Verdict, reason: impl Into<String>) {
        self.list.push(Finding {
            what: self.what.to_owned(),
            claim: claim.to_owned(),
            verdict,
            reason: reason.into(),
        });
    }

    /// A claim that either holds or, for a reason, does not.
    fn need(&mut self, claim: &str, fault: Option<String>) {
        match fault {
            None => self.add(claim, Verdict::Holds, "so it is"),
            Some(reason) => self.add(claim, Verdict::Fails, reason),
        }
    }
}

/// What is to be said of weights of `all`; `None` says that they were taken out.
pub(crate) fn weights(
    what: &str,
    all: &Snapshot,
    weights: Option<&Kept<WeightsDoc>>,
) -> Vec<Finding> {
    let mut out = Findings {
        what,
        list: Vec::new(),
    };
    let Some(weights) = weights else {
        out.add("is there", Verdict::Fails, "taken out; no record says why");
        return out.list;
    };
    let doc: &WeightsDoc = &weights.doc;
    let cells = Verdict::all(doc.validation.iter().map(|c| c.verdict));
    let open: Vec<String> = doc
        .validation
        .iter()
        .filter(|c| c.verdict != Verdict::Holds)
        .map(|c| {
            format!(
                "against {} over {} rounds: {}",
                c.against, c.rounds, c.verdict
            )
        })
        .collect();
    match (doc.validation.len(), open.is_empty()) {
        (0, _) => out.add("every cell holds", Verdict::Fails, "no cell is on record"),
        (n, true) => out.add(
            "every cell holds",
            Verdict::Holds,
            format!("{n} of {n} cells"),
        ),
        (_, false) => out.add("every cell holds", cells, open.join("; ")),
    }
    if !all.tables.is_empty() || all.with_records {
        let missing = |sum: &&String| !all.tables.values().any(|t| t.doc.checksum().hex() == **sum);
        let fault = doc.parents.tables.iter().find(missing);
        out.need(
            "its tables are there",
            fault.map(|sum| format!("the table {sum} is not")),
        );
    }
    if all.with_records {
        record(&mut out, all.run_of(weights), doc);
        ledger(&mut out, all, doc);
    }
    out.list
}

/// The full record that weights cite.
fn record(out: &mut Findings<'_>, run: Option<&Run>, doc: &WeightsDoc) {
    let claim = "its validation is on record";
    let Some(v) = run.and_then(|run| run.validation.as_ref()) else {
        out.add(
            claim,
            Verdict::Fails,
            format!("the record {} is not there", doc.validation_record),
        );
        return;
    };
    let v: &ValidationDoc = &v.doc;
    let fault = if v.run == RunKind::Quick {
        Some("it is a rehearsal, which proves nothing".to_owned())
    } else if v.candidate != doc.candidate {
        Some(format!("it is of another candidate, {}", v.candidate))
    } else if v.behaviour != doc.behaviour {
        Some("its behaviour fingerprint is another one".to_owned())
    } else if v
        .cells
        .iter()
        .map(CellSummary::from)
        .ne(doc.validation.iter().cloned())
    {
        Some("its cells are not those that the weights name".to_owned())
    } else {
        None
    };
    out.need(claim, fault);
    gates(out, v);
}

/// The gates of a validation.
fn gates(out: &mut Findings<'_>, v: &ValidationDoc) {
    let open = v.gates.iter().filter(|g| g.verdict != Verdict::Holds);
    let open: Vec<String> = open.map(|g| format!("{}: {}", g.name, g.reason)).collect();
    let reason = if open.is_empty() {
        format!("{} of {} gates", v.gates.len(), v.gates.len())
    } else {
        open.join("; ")
    };
    out.add("every gate of its validation holds", v.verdict, reason);
}

/// The ledger's line that weights cite, at the level that its attempt has by now.
fn ledger(out: &mut Findings<'_>, all: &Snapshot, doc: &WeightsDoc) {
    let cited = doc.ledger.parse().ok();
    let line = cited.and_then(|d| all.ledger.as_ref().and_then(|l| l.find(&d)));
    let claim = "the ledger says that it passed";
    let Some(line) = line else {
        out.add(
            claim,
            Verdict::Fails,
            format!("the line {} is not there", doc.ledger),
        );
        return;
    };
    let passed = match &line.entry.event {
        Event::Outcome {
            result, validation, ..
        } => *result == Outcome::Passed && validation.as_ref() == Some(&doc.validation_record),
        _ => false,
    };
    let fault = if line.entry.candidate != doc.candidate {
        Some(format!(
            "the line is of another candidate, {}",
            line.entry.candidate
        ))
    } else if !passed {
        Some("the line is not that of a passed outcome of this record".to_owned())
    } else {
        None
    };
    out.need(claim, fault);
    let judged = all.runs.values().filter_map(|r| r.validation.as_ref());
    let mut judged = judged.filter(|v| v.doc.checksum().hex() == doc.validation_record);
    if let Some(v) = judged.next() {
        let now = alpha_ppb(line.attempt);
        let fault = (v.doc.alpha_ppb > now).then(|| {
            format!(
                "it is attempt {} by now, judged at {now} billionths, but was judged at {}",
                line.attempt, v.doc.alpha_ppb
            )
        });
        out.need("its level is that of its attempt", fault);
    }
}

/// What is to be said of a changed table of `all`.
pub(crate) fn table(what: &str, all: &Snapshot, table: Option<&Kept<TableDoc>>) -> Vec<Finding> {
    let mut out = Findings {
        what,
        list: Vec::new(),
    };
    match table {
        None => out.add("is there", Verdict::Fails, "taken out; no record says why"),
        Some(table) => {
            let sum = table.doc.checksum().hex();
            let by = all
                .weights
                .iter()
                .find(|(_, w)| w.doc.parents.tables.contains(&sum));
            match by {
                Some((name, _)) => out.add(
                    "validated weights stand on it",
                    Verdict::Holds,
                    format!("those of {name}"),
                ),
                None => out.add(
                    "validated weights stand on it",
                    Verdict::Fails,
                    "no weights at hand name it, so nothing on record says how it plays",
                ),
            }
        }
    }
    out.list
}

/// What is to be said of an experiment's records alone.
pub(crate) fn run(what: &str, run: Option<&Run>) -> Vec<Finding> {
    let mut out = Findings {
        what,
        list: Vec::new(),
    };
    match run {
        None => out.add("is there", Verdict::Fails, "taken out; no record says why"),
        Some(run) => match (&run.validation, &run.summary) {
            (Some(v), _) => gates(&mut out, &v.doc),
            (None, Some(s)) => {
                out.add("every gate holds", s.doc.verdict, "as its summary says");
            }
            (None, None) => out.add("is validated", Verdict::Fails, "no validation is on record"),
        },
    }
    out.list
}

/// Whether the head's ledger only adds to the base's; `None` where it does.
pub(crate) fn ledger_fault(base: Option<&Ledger>, head: Option<&Ledger>) -> Option<String> {
    match (base, head) {
        (Some(base), Some(head)) => evenhand_store::ledger::check(base, head)
            .err()
            .map(|e| e.to_string()),
        _ => None,
    }
}

/// The state of what backs an artifact that did not change: worth a word only where it got worse.
pub(crate) fn got_worse(change: Change, base: &[Finding], head: &[Finding]) -> bool {
    let worst = |list: &[Finding]| Verdict::all(list.iter().map(|f| f.verdict));
    change == Change::Same && worst(head) > worst(base)
}
