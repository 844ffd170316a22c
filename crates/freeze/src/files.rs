//! Writes what a freeze leaves: the artifacts, the generation before, the kept record, the
//! ledger's line.

use crate::Records;
use crate::gates::need;
use evenhand_artifact::{
    CellSummary, CostSummary, Entry, Event, Gate, Sealed, SummaryDoc, ValidationDoc, Verdict,
    WeightsDoc, seal,
};
use evenhand_cli::load::{PREVIOUS, TABLE_FILE, WEIGHTS_FILE};
use evenhand_store::{SOURCE_HASH, TOOL_VERSION, ledger, publish_replace};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What was frozen.
#[derive(Clone, Debug)]
pub struct Frozen {
    /// The weights.
    pub weights: Sealed<WeightsDoc>,
    /// The kept record.
    pub summary: Sealed<SummaryDoc>,
    /// Files written.
    pub files: Vec<PathBuf>,
}

/// The weights that the records give.
///
/// # Errors
/// When a record is missing.
pub fn weights(records: &Records) -> anyhow::Result<Sealed<WeightsDoc>> {
    let validation = need(&records.validation, "the record of the validation")?;
    let candidate = need(&records.candidate, "the record of the tuning")?;
    let outcome = need(&records.outcome, "the ledger's line of outcome")?;
    Ok(seal(WeightsDoc {
        game: validation.game.clone(),
        players: validation.players,
        ruleset: validation.ruleset.clone(),
        policy: validation.policy.clone(),
        knobs: validation.knobs.clone(),
        generation: records.weights.as_ref().map_or(0, |w| w.generation) + 1,
        behaviour: validation.behaviour.clone(),
        candidate: validation.candidate.clone(),
        parents: validation.parents.clone(),
        experiment: records.experiment.clone(),
        claim: validation.claim,
        tuning: candidate.tuning.clone(),
        validation: validation.cells.iter().map(CellSummary::from).collect(),
        validation_record: validation.checksum().hex(),
        ledger: outcome.hex(),
    })?)
}

/// The kept record of the experiment.
///
/// # Errors
/// When a record is missing.
pub fn summary(
    records: &Records,
    gates: &[Gate],
    weights: Option<&Sealed<WeightsDoc>>,
) -> anyhow::Result<Sealed<SummaryDoc>> {
    let validation = need(&records.validation, "the record of the validation")?;
    let candidate = need(&records.candidate, "the record of the tuning")?;
    let mut gates = gates.to_vec();
    gates.extend(validation.gates.iter().cloned());
    let mut digests = BTreeMap::new();
    digests.insert("candidate".to_owned(), candidate.checksum().hex());
    digests.insert("validation".to_owned(), validation.checksum().hex());
    if let Some(table) = &records.table {
        digests.insert("table".to_owned(), table.checksum().hex());
    }
    Ok(seal(SummaryDoc {
        experiment: records.experiment.clone(),
        game: validation.game.clone(),
        players: validation.players,
        ruleset: validation.ruleset.clone(),
        policy: validation.policy.clone(),
        run: validation.run,
        spec: records.spec.meaning()?,
        knobs: validation.knobs.clone(),
        candidate: validation.candidate.clone(),
        parents: validation.parents.clone(),
        tuning: candidate.tuning.clone(),
        flags: candidate.flags.clone(),
        salt: validation.salt.clone(),
        attempt: validation.attempt,
        alpha_ppb: validation.alpha_ppb,
        claim: validation.claim,
        cells: validation.cells.iter().map(CellSummary::from).collect(),
        verdict: Verdict::all(gates.iter().map(|g| g.verdict)),
        gates,
        ledger: records.outcome.map(|d| d.hex()),
        behaviour: validation.behaviour.clone(),
        incumbent_behaviour: records.weights.as_ref().map(|w| w.behaviour.clone()),
        weights: weights.map(|w| w.checksum().hex()),
        cost: cost(validation, candidate.cost),
        records: digests,
        source: SOURCE_HASH.to_owned(),
        version: TOOL_VERSION.to_owned(),
    })?)
}

fn cost(validation: &ValidationDoc, tuning: CostSummary) -> CostSummary {
    validation.cells.iter().fold(tuning, |mut cost, cell| {
        cost.matches += cell.matches;
        cost.rounds += cell.rounds_played;
        cost.decisions += cell.fallbacks.decisions + cell.opponent_fallbacks.decisions;
        cost.work = cost.work.saturating_add(cell.work_sum);
        cost
    })
}

/// Writes everything. Each file is published atomically, the weights last: until they are there
/// the old ones are the incumbent, and a freeze that was killed is completed by running it again.
///
/// # Errors
/// When a record is missing or a file cannot be written.
pub fn write(records: &Records, gates: &[Gate], root: &Path) -> anyhow::Result<Frozen> {
    let weights = weights(records)?;
    let summary = summary(records, gates, Some(&weights))?;
    let validation = need(&records.validation, "the record of the validation")?;
    let mut files = Vec::new();
    let mut put = |path: PathBuf, text: &str| -> anyhow::Result<()> {
        publish_replace(&path, text.as_bytes())?;
        files.push(path);
        Ok(())
    };
    // The kept record first: frozen weights without their record would be worse than the reverse.
    let kept = root.join("experiments").join(&records.experiment);
    put(kept.join("summary.json"), summary.text())?;
    let mut decisions = validation.decisions.join("\n");
    decisions.push('\n');
    put(kept.join("decisions.txt"), &decisions)?;
    put(kept.join("validation.json"), validation.text())?;
    if let Some(candidate) = &records.candidate {
        put(kept.join("candidate.json"), candidate.text())?;
    }
    let previous = records.frozen.join(PREVIOUS);
    if let Some(old) = &records.weights {
        let own = records.frozen_table.as_ref();
        // When the table there is the new one already, a killed freeze has kept the old pair.
        if own.is_none_or(|table| old.check_table(table.checksum()).is_ok()) {
            if let Some(table) = own {
                put(previous.join(TABLE_FILE), table.text())?;
            }
            put(previous.join(WEIGHTS_FILE), old.text())?;
        }
    }
    if let Some(table) = &records.table {
        put(records.frozen.join(TABLE_FILE), table.text())?;
    }
    let outcome = need(&records.outcome, "the ledger's line of outcome")?;
    ledger::record(
        &records.ledger_path,
        Entry {
            game: validation.game.clone(),
            players: validation.players,
            ruleset: validation.ruleset.clone(),
            policy: validation.policy.clone(),
            experiment: records.experiment.clone(),
            candidate: validation.candidate.clone(),
            salt: validation.salt.clone(),
            event: Event::Freeze {
                outcome: outcome.hex(),
                weights: weights.checksum().hex(),
            },
        },
    )?;
    publish_replace(
        &records.frozen.join(WEIGHTS_FILE),
        weights.text().as_bytes(),
    )?;
    files.push(records.ledger_path.clone());
    files.push(records.frozen.join(WEIGHTS_FILE));
    Ok(Frozen {
        weights,
        summary,
        files,
    })
}
