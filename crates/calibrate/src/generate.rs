//! A calibration table from play and re-deals.

use crate::collect::{Source, Want, collect};
use crate::redeal::{Journal, Redeals, count_true};
use crate::{CalibrateError, Observed, Situation, Watch, fit};
use evenhand_artifact::{InputPolicy, KindCell, Point, TableDoc};
use evenhand_cli::load::{Loaded, simple_styles};
use evenhand_contract::{
    Border, DEAL_STREAM_VERSION, Estimates, Policy, SeedId, Setup, Split, Work,
};
use evenhand_sim::{behaviour_fingerprint, par_map};

/// Version of the method by which tables are made: the choice of situations and the fit.
pub const GENERATOR: u32 = 1;

/// What the table is called.
pub const KIND: &str = "safety";

/// Situations that each kind should have, however many are asked for in all.
const LEAST_OF_A_KIND: usize = 2_000;

/// What people choose about a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Seed of situations and re-deals, below 2^53.
    pub seed: u64,
    /// Situations in all.
    pub situations: u32,
    /// Re-deals of each.
    pub samples: u32,
}

/// The policy whose play situations are taken from, and how the table records it.
#[derive(Clone, Debug)]
pub struct Input<G: Estimates> {
    /// The policy.
    pub policy: Policy<G>,
    /// Its record.
    pub record: InputPolicy,
}

impl<G: Estimates + Border> Input<G> {
    /// A loaded policy as input.
    ///
    /// # Errors
    /// When it fails on the fixed suite of positions.
    pub fn new(setup: &Setup<G>, loaded: &Loaded<G>) -> Result<Self, CalibrateError> {
        Ok(Self {
            policy: loaded.policy.clone(),
            record: InputPolicy {
                policy: loaded.policy.row.name.to_owned(),
                generation: loaded.generation(),
                weights: loaded.weights.as_ref().map(|w| w.checksum().hex()),
                table: loaded.table.as_ref().map(|t| t.checksum().hex()),
                behaviour: behaviour_fingerprint(&loaded.policy, setup)?,
            },
        })
    }
}

/// Makes a table: situations from the input policy's play on the calibration split, each dealt
/// afresh `samples` times, and for each kind a monotone map through what was seen.
///
/// The same bytes for any number of workers, and after any interruption that the journal bridges.
///
/// # Errors
/// When play fails, settings are out of range, or the run is interrupted.
pub fn generate<G: Estimates + Border>(
    setup: &Setup<G>,
    input: &Input<G>,
    settings: &Settings,
    workers: usize,
    watch: &mut dyn Watch,
    journal: &mut dyn Journal,
) -> Result<TableDoc, CalibrateError> {
    SeedId::number(settings.seed)?;
    let styles: Vec<Policy<G>> = simple_styles().collect();
    let source = Source {
        setup,
        policy: &input.policy,
        styles: &styles,
        split: Split::Calibration,
        seed: settings.seed,
        workers,
    };
    let inexact = (0..G::KINDS.len()).filter(|&kind| !G::is_exact(kind));
    let total = settings.situations as usize;
    let share = total.div_ceil(inexact.count().max(1));
    let want = Want {
        most: (2 * share).min(total),
        least: share.min(LEAST_OF_A_KIND),
        least_rounds: settings.situations / 8,
        most_rounds: settings.situations.saturating_mul(4),
        exact: false,
    };
    let collected = collect(&source, &want, watch)?;
    let supply: Vec<usize> = collected.kinds.iter().map(Vec::len).collect();
    let taken: Vec<_> = (collected.kinds.iter())
        .zip(shared_out(&supply, total))
        .map(|(kind, count)| spread(kind, count))
        .collect();
    let situations: Vec<_> = taken.iter().flatten().copied().collect();
    let redeals = Redeals {
        split: Split::Calibration,
        seed: settings.seed,
        samples: settings.samples,
        workers,
    };
    let raws = raws(&situations, workers)?;
    let hits = count_true(setup, &situations, &redeals, watch, journal)?;
    let mut outcomes = raws.into_iter().zip(hits);
    let mut cells = Vec::with_capacity(taken.len());
    for (kind, situations) in taken.iter().enumerate() {
        let observed: Vec<Observed> = situations
            .iter()
            .zip(outcomes.by_ref())
            .map(|(_, (raw, hits))| Observed {
                raw,
                samples: settings.samples,
                hits,
            })
            .collect();
        let points = fit(&observed).into_iter().map(|knot| Point {
            raw: knot.raw,
            ppm: knot.believed.get() as u32,
            situations: knot.situations,
            hits: knot.hits,
        });
        cells.push(KindCell {
            kind: G::KINDS[kind].to_owned(),
            exact: G::is_exact(kind),
            situations: observed.len() as u64,
            points: points.collect(),
        });
    }
    Ok(TableDoc {
        kind: KIND.to_owned(),
        game: G::NAME.to_owned(),
        players: setup.players,
        ruleset: setup.rules.to_string(),
        generator: GENERATOR,
        deal_stream: DEAL_STREAM_VERSION,
        seed: settings.seed,
        situations: settings.situations,
        samples: settings.samples,
        input: input.record.clone(),
        estimator: G::estimator_fingerprint(setup),
        cells,
    })
}

/// The estimator's raw output for each situation: the function that the bot calls, whatever the
/// input policy made of it.
fn raws<G: Estimates>(
    situations: &[&Situation<G>],
    workers: usize,
) -> Result<Vec<i64>, CalibrateError> {
    let raws = par_map(situations.len(), workers, G::Memo::default, |memo, i| {
        let view = G::view(&situations[i].state, situations[i].seat);
        let mut work = Work::units(u64::MAX);
        G::raw(&view, &situations[i].question, memo, &mut work)
    });
    Ok(raws.into_iter().collect::<Result<_, _>>()?)
}

/// Deals out `total` over kinds as evenly as their supply allows; what is left over goes to the
/// first kinds.
fn shared_out(supply: &[usize], total: usize) -> Vec<usize> {
    let mut given = vec![0; supply.len()];
    let mut left = total;
    loop {
        let open: Vec<usize> = (0..supply.len())
            .filter(|&k| given[k] < supply[k])
            .collect();
        if open.is_empty() || left == 0 {
            return given;
        }
        let share = (left / open.len()).max(1);
        for kind in open {
            let more = share.min(supply[kind] - given[kind]).min(left);
            given[kind] += more;
            left -= more;
        }
    }
}

/// `count` items, spread evenly over the list.
fn spread<T>(items: &[T], count: usize) -> Vec<&T> {
    (0..count)
        .filter_map(|i| items.get(i * items.len() / count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scarce_kinds_leave_their_share_to_the_others() {
        assert_eq!(shared_out(&[0, 100, 100, 100], 90), [0, 30, 30, 30]);
        assert_eq!(shared_out(&[10, 100, 100], 90), [10, 40, 40]);
        assert_eq!(shared_out(&[10, 20, 5], 90), [10, 20, 5]);
        assert_eq!(shared_out(&[9, 9], 5), [3, 2]);
        assert_eq!(shared_out(&[], 5), [0; 0]);
    }

    #[test]
    fn a_spread_takes_each_item_once() {
        assert_eq!(spread(&[1, 2, 3, 4, 5], 5), [&1, &2, &3, &4, &5]);
        assert_eq!(spread(&[1, 2, 3, 4, 5, 6], 3), [&1, &3, &5]);
        assert!(spread::<u8>(&[], 0).is_empty());
    }
}
