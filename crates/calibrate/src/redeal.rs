//! The truth of a situation, by dealing its unseen cards afresh.

use crate::{CalibrateError, Phase, Situation, Watch};
use evenhand_contract::{Estimates, Setup, Split, Stream};
use evenhand_sim::par_map;

/// Situations of a block: what is computed, kept and shown as progress at once.
pub const BLOCK: usize = 256;

/// Re-deals after which an interruption is looked for, about a second's work.
const WAVE: u32 = 1_000_000;

/// Keeps finished blocks, so that a killed run goes on where it was.
pub trait Journal {
    /// The hits of a block that an earlier run finished.
    fn finished(&self, block: u64) -> Option<Vec<u32>>;
    /// Keeps the hits of a block.
    ///
    /// # Errors
    /// Whatever keeps it from doing so; the run then ends.
    fn keep(&mut self, block: u64, hits: &[u32]) -> Result<(), CalibrateError>;
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl Journal for NoJournal {
    fn finished(&self, _block: u64) -> Option<Vec<u32>> {
        None
    }
    fn keep(&mut self, _block: u64, _hits: &[u32]) -> Result<(), CalibrateError> {
        Ok(())
    }
}

/// How situations are dealt afresh.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Redeals {
    /// What the deals are for.
    pub split: Split,
    /// The seed that people give.
    pub seed: u64,
    /// Re-deals of each situation.
    pub samples: u32,
    /// Threads; no result depends on them.
    pub workers: usize,
}

/// In how many re-deals the answer was true, for each situation.
///
/// Situation i has a stream of its own, keyed by game, table, split, seed and i.
///
/// # Errors
/// When [`Watch`] asks to stop, or the journal fails or holds blocks of something else.
pub fn count_true<G: Estimates>(
    setup: &Setup<G>,
    situations: &[&Situation<G>],
    redeals: &Redeals,
    watch: &mut dyn Watch,
    journal: &mut dyn Journal,
) -> Result<Vec<u32>, CalibrateError> {
    let total = situations.len() as u64;
    let mut all: Vec<u32> = Vec::with_capacity(situations.len());
    for (number, block) in situations.chunks(BLOCK).enumerate() {
        watch.phase(Phase::Redeal, all.len() as u64, total);
        let number = number as u64;
        if let Some(hits) = journal.finished(number) {
            if hits.len() != block.len() || hits.iter().any(|h| *h > redeals.samples) {
                return Err(CalibrateError::Journal(format!(
                    "block {number} is of another run"
                )));
            }
            all.extend(hits);
            continue;
        }
        let first = all.len();
        let mut hits = Vec::with_capacity(block.len());
        // A block of many re-deals takes long; it is given up between two waves.
        let wave = (WAVE / redeals.samples.max(1)) as usize;
        for wave in block.chunks(wave.clamp(redeals.workers.max(1), BLOCK)) {
            if watch.interrupted() {
                return Err(CalibrateError::Interrupted);
            }
            let from = first + hits.len();
            hits.extend(par_map(
                wave.len(),
                redeals.workers,
                || (),
                |(), i| {
                    let mut stream = stream(setup, redeals, from + i);
                    let Situation {
                        state,
                        seat,
                        question,
                        ..
                    } = wave[i];
                    G::count_true(state, *seat, question, redeals.samples, &mut stream)
                },
            ));
        }
        journal.keep(number, &hits)?;
        all.extend(hits);
    }
    watch.phase(Phase::Redeal, total, total);
    Ok(all)
}

fn stream<G: Estimates>(setup: &Setup<G>, redeals: &Redeals, situation: usize) -> Stream {
    Stream::keyed(
        "calibrate-redeal",
        &[
            ("game", &G::NAME),
            ("players", &setup.players),
            ("split", &redeals.split),
            ("seed", &redeals.seed),
            ("situation", &situation),
        ],
    )
}
