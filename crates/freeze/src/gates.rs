//! The conditions of a freeze, each with its name.

use anyhow::Context;
use evenhand_artifact::{
    CandidateDoc, Document, Event, Fallbacks, Gate, Outcome, RunKind, Sealed, SpecDoc, TableDoc,
    ValidationDoc, Verdict, WeightsDoc, alpha_ppb, open,
};
use evenhand_cli::args::setup;
use evenhand_cli::load::{self, TABLE_FILE, TABLES, WEIGHTS_FILE};
use evenhand_contract::{Estimates, Game, Weights, fallback_rate_is_valid};
use evenhand_store::ledger::Ledger;
use evenhand_store::{ActionKey, Digest, Store, read};
use std::path::{Path, PathBuf};

/// Everything that a freeze is judged by.
#[derive(Clone, Debug)]
pub struct Records {
    /// The experiment.
    pub experiment: String,
    /// Its spec.
    pub spec: SpecDoc,
    /// The folder of the frozen artifacts.
    pub frozen: PathBuf,
    /// The ledger's file.
    pub ledger_path: PathBuf,
    /// The ledger.
    pub ledger: Ledger,
    /// Content digest of the newest line of outcome of this spec, if there is one.
    pub outcome: Option<Digest>,
    /// The record that it cites.
    pub validation: Option<Sealed<ValidationDoc>>,
    /// The record of the candidate's tuning.
    pub candidate: Option<Sealed<CandidateDoc>>,
    /// The candidate's table.
    pub table: Option<Sealed<TableDoc>>,
    /// What is frozen now.
    pub weights: Option<Sealed<WeightsDoc>>,
    /// The table that is frozen now.
    pub frozen_table: Option<Sealed<TableDoc>>,
}

/// Where the store keeps a document by its checksum.
fn by_checksum<D: Document>(
    store: &Store,
    what: &str,
    checksum: &str,
) -> anyhow::Result<Option<Sealed<D>>> {
    let key = ActionKey::with_source(&format!("{what}-by-checksum"), "", "");
    let found = store.result(&key.part("checksum", checksum))?;
    Ok(match found {
        Some((digest, bytes)) => Some(open(&format!("object {digest}"), &bytes)?),
        None => None,
    })
}

fn file<D: Document>(path: &Path) -> anyhow::Result<Option<Sealed<D>>> {
    Ok(match read(path)? {
        Some(bytes) => Some(open(&path.display().to_string(), &bytes)?),
        None => None,
    })
}

impl Records {
    /// Gathers the records of an experiment below `root` from ledger, store and frozen files.
    ///
    /// # Errors
    /// When one of them is damaged, or the game knows no such table.
    pub fn gather<G: Game>(
        store: &Store,
        experiment: &str,
        spec: SpecDoc,
        root: &Path,
    ) -> anyhow::Result<Self> {
        let at = setup::<G>(u32::from(spec.players), &spec.ruleset)?;
        let ledger_path = root.join("experiments").join("ledger.jsonl");
        let ledger = Ledger::read(&ledger_path)?;
        if let Some(torn) = ledger.warning() {
            evenhand_cli::note(&torn);
        }
        let meaning = spec.meaning_digest()?.hex();
        let mut outcome = None;
        let mut checksum = None;
        for line in ledger.lines() {
            let entry = &line.entry;
            let Event::Outcome {
                intent, validation, ..
            } = &entry.event
            else {
                continue;
            };
            let of_spec = |d: Digest| match ledger.find(&d).map(|l| &l.entry.event) {
                Some(Event::Intent { spec }) => *spec == meaning,
                _ => false,
            };
            if entry.experiment == experiment && intent.parse().is_ok_and(of_spec) {
                outcome = Some(entry.content_digest()?);
                checksum.clone_from(validation);
            }
        }
        let validation: Option<Sealed<ValidationDoc>> = match &checksum {
            Some(checksum) => by_checksum(store, "validation", checksum)?,
            None => None,
        };
        let candidate: Option<Sealed<CandidateDoc>> = match &validation {
            Some(v) => by_checksum(store, "candidate", &v.candidate_record)?,
            None => None,
        };
        let table = match validation.as_ref().and_then(|v| v.parents.tables.first()) {
            Some(checksum) => by_checksum(store, "table", checksum)?,
            None => None,
        };
        let frozen = load::folder(&root.join(TABLES), &at);
        Ok(Self {
            experiment: experiment.to_owned(),
            weights: file(&frozen.join(WEIGHTS_FILE))?,
            frozen_table: file(&frozen.join(TABLE_FILE))?,
            spec,
            frozen,
            ledger_path,
            ledger,
            outcome,
            validation,
            candidate,
            table,
        })
    }
}

impl Records {
    /// Whether what is frozen now came from these very records: a freeze that was killed before
    /// its line in the ledger, or one that was asked for twice.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        match (&self.weights, &self.validation, self.outcome) {
            (Some(frozen), Some(validation), Some(outcome)) => {
                frozen.ledger == outcome.hex()
                    && frozen.candidate == validation.candidate
                    && frozen.validation_record == validation.checksum().hex()
            }
            _ => false,
        }
    }
}

struct List(Vec<Gate>);

impl List {
    fn add(&mut self, name: &str, verdict: Verdict, reason: impl Into<String>) {
        self.0.push(Gate {
            name: name.to_owned(),
            verdict,
            reason: reason.into(),
        });
    }

    /// A gate that holds, or fails for the reason given.
    fn when(&mut self, name: &str, fault: Option<String>) {
        match fault {
            None => self.add(name, Verdict::Holds, "so it is"),
            Some(reason) => self.add(name, Verdict::Fails, reason),
        }
    }
}

/// Every gate of a freeze. Nothing is measured again: records are compared with each other, with
/// the ledger and with the estimator of this build.
///
/// # Errors
/// When the spec does not fit the game.
pub fn gates<G: Estimates>(records: &Records) -> anyhow::Result<Vec<Gate>> {
    let spec = &records.spec;
    let table_setup = setup::<G>(u32::from(spec.players), &spec.ruleset)?;
    let row = load::row::<G>(&spec.policy)?;
    let mut list = List(Vec::new());
    let quick = (spec.kind == RunKind::Quick)
        .then(|| "a quick run is a rehearsal and can never be frozen".to_owned());
    let is_quick = quick.is_some();
    list.when("full run", quick);
    if is_quick {
        return Ok(list.0);
    }
    let Some(validation) = &records.validation else {
        let reason = match records.outcome {
            None => "the ledger holds no outcome of this spec: run `validate`",
            Some(_) => "the record that the ledger cites is not in the store, or was abandoned",
        };
        list.add("validated", Verdict::Fails, reason);
        return Ok(list.0);
    };
    list.add(
        "validated",
        validation.verdict,
        match validation
            .gates
            .iter()
            .find(|g| g.verdict != Verdict::Holds)
        {
            Some(gate) => format!("{}: {}", gate.name, gate.reason),
            None => "every gate of the validation holds".to_owned(),
        },
    );
    ledger_gates(&mut list, records, validation);
    let Some(candidate) = &records.candidate else {
        list.add("tuning record", Verdict::Fails, "it is not in the store");
        return Ok(list.0);
    };
    list.when(
        "tuning record",
        (candidate.candidate != validation.candidate || candidate.run != RunKind::Full)
            .then(|| "it is of another candidate, or of a quick run".to_owned()),
    );
    let bounds = Weights::from_named(row.knobs, validation.named()).err();
    list.when("weights in bounds", bounds.map(|e| e.to_string()));
    list.when(
        "same rules",
        (validation.game != G::NAME
            || validation.players != table_setup.players
            || validation.ruleset != table_setup.rules.to_string()
            || validation.policy != row.name)
            .then(|| "the record is for another game, table size, ruleset or policy".to_owned()),
    );
    list.when(
        "table",
        table_fault::<G>(records, validation, &table_setup, row.reads_table),
    );
    let incumbent = records.weights.as_ref().map(|w| w.checksum().hex());
    list.when(
        "same incumbent",
        (validation.parents.incumbent != incumbent && !records.is_in_place())
            .then(|| "another incumbent is frozen than the one validated against".to_owned()),
    );
    let all = validation
        .cells
        .iter()
        .flat_map(|c| [c.fallbacks, c.opponent_fallbacks]);
    let few = |f: &Fallbacks| fallback_rate_is_valid(f.total(), f.decisions);
    let rare = all.chain([candidate.fallbacks]).all(|f| few(&f));
    list.add(
        "fallbacks are rare",
        if rare {
            Verdict::Holds
        } else {
            Verdict::Invalid
        },
        "counted over tuning and every cell",
    );
    let decisions = validation.decisions.is_empty();
    list.when(
        "behaviour recorded",
        decisions.then(|| "the record holds no decisions on the fixed suite".to_owned()),
    );
    Ok(list.0)
}

/// The record's line stands in the ledger, says that it passed, and the attempts on record now
/// still support the level at which it was judged.
fn ledger_gates(list: &mut List, records: &Records, validation: &Sealed<ValidationDoc>) {
    let line = records.outcome.and_then(|d| records.ledger.outcome(&d));
    let Some((line, outcome)) = line else {
        list.add(
            "on record",
            Verdict::Fails,
            "no line of outcome in the ledger",
        );
        return;
    };
    let cites = match &line.entry.event {
        Event::Outcome {
            validation: Some(cited),
            intent,
            ..
        } => {
            *cited == validation.checksum().hex()
                && Some(intent) == validation.intent.as_ref()
                && line.entry.candidate == validation.candidate
                && line.entry.salt == validation.salt
        }
        _ => false,
    };
    list.when(
        "on record",
        (!cites || outcome != Outcome::Passed)
            .then(|| "the ledger's line does not say that this record passed".to_owned()),
    );
    let now = alpha_ppb(line.attempt);
    list.when(
        "attempts",
        (validation.alpha_ppb > now).then(|| {
            format!(
                "it is attempt {} by now, which is judged at {now} billionths, but was judged at \
                 {}: validate again with a salt of its own",
                line.attempt, validation.alpha_ppb
            )
        }),
    );
}

fn table_fault<G: Estimates>(
    records: &Records,
    validation: &ValidationDoc,
    setup: &evenhand_contract::Setup<G>,
    reads_table: bool,
) -> Option<String> {
    if !reads_table {
        return None;
    }
    let Some(table) = &records.table else {
        return Some("the candidate's table is not in the store".to_owned());
    };
    if validation.parents.tables != [table.checksum().hex()] {
        return Some("the candidate stands on another table".to_owned());
    }
    let rules = setup.rules.to_string();
    let estimator = G::estimator_fingerprint(setup);
    let fits = table
        .check_domain(G::NAME, setup.players, &rules, &estimator)
        .and_then(|()| table.check_kinds(G::KINDS));
    if let Err(error) = fits {
        return Some(error.to_string());
    }
    let weights = records.weights.as_ref().map(|w| w.checksum().hex());
    let own = records.frozen_table.as_ref().map(|t| t.checksum().hex());
    // A table that is frozen already keeps its input, which lies under `previous/`.
    if own.as_ref() != Some(&table.checksum().hex()) && table.input.weights != weights {
        return Some(
            "its situations come from another generation's play than the frozen one's".to_owned(),
        );
    }
    None
}

/// The record named in a refusal.
///
/// # Errors
/// When it is not there.
pub(crate) fn need<'a, T>(record: &'a Option<T>, what: &str) -> anyhow::Result<&'a T> {
    record
        .as_ref()
        .with_context(|| format!("{what} is missing"))
}
