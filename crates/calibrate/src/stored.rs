//! A table from the store, or made and kept there.

use crate::generate::Settings;
use crate::{CalibrateError, GENERATOR, Input, Journal, Watch, generate};
use evenhand_artifact::{Sealed, TableDoc, canonical, open, seal, to_value};
use evenhand_contract::{Border, Estimates, Setup};
use evenhand_store::{ActionKey, Run, Store};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The table that [`generate`] makes, with a run in the store: what was made before is not made
/// again, and an interrupted run goes on at the block where it stopped.
///
/// # Errors
/// As [`generate`], and when the store cannot be used or another process is at the same table.
pub fn stored_table<G: Estimates + Border>(
    setup: &Setup<G>,
    input: &Input<G>,
    settings: &Settings,
    store: &Store,
    workers: usize,
    watch: &mut dyn Watch,
) -> Result<Sealed<TableDoc>, CalibrateError> {
    let key = ActionKey::new("calibrate-generate")
        .part("game", G::NAME)
        .part("players", setup.players)
        .part("ruleset", setup.rules)
        .part("generator", GENERATOR)
        .part("estimator", G::estimator_fingerprint(setup))
        .part("input", canonical::to_line(&to_value(&input.record)?))
        .part("seed", settings.seed)
        .part("situations", settings.situations)
        .part("samples", settings.samples);
    if let Some((digest, bytes)) = store.result(&key)? {
        return Ok(open(&digest.hex(), &bytes)?);
    }
    let mut kept = Kept::new(Run::open(store, &key)?)?;
    let table = generate(setup, input, settings, workers, watch, &mut kept)?;
    let table = seal(table)?;
    kept.run.finish(store, table.text().as_bytes())?;
    Ok(table)
}

/// A line of the run's journal: the hits of a finished block.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    block: u64,
    hits: Vec<u32>,
}

/// The run's journal, and the blocks that it holds.
struct Kept {
    run: Run,
    blocks: BTreeMap<u64, Vec<u32>>,
}

impl Kept {
    fn new(run: Run) -> Result<Self, CalibrateError> {
        let mut blocks = BTreeMap::new();
        for (number, line) in run.journal.lines().iter().enumerate() {
            let Line { block, hits } = serde_json::from_str(line)
                .map_err(|e| CalibrateError::Journal(format!("entry {}: {e}", number + 1)))?;
            if blocks.insert(block, hits).is_some() {
                return Err(CalibrateError::Journal(format!(
                    "block {block} stands twice"
                )));
            }
        }
        Ok(Self { run, blocks })
    }
}

impl Journal for Kept {
    fn finished(&self, block: u64) -> Option<Vec<u32>> {
        self.blocks.get(&block).cloned()
    }

    fn keep(&mut self, block: u64, hits: &[u32]) -> Result<(), CalibrateError> {
        let hits = hits.to_vec();
        let line = serde_json::to_string(&Line { block, hits })
            .map_err(|e| CalibrateError::Journal(e.to_string()))?;
        Ok(self.run.journal.append(&line)?)
    }
}
