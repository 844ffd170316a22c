//! A calibration table from play and re-deals.

use crate::collect::{Source, Want, collect};
use crate::redeal::{Journal, Redeals, count_true};
use crate::{CalibrateError, Observed, Phase, Situation, Watch, fit};
use evenhand_artifact::{InputPolicy, KindCell, ParameterValue, Point, TableDoc};
use evenhand_cli::load::{Loaded, simple_styles};
use evenhand_contract::{
    Border, DEAL_STREAM_VERSION, Estimates, Fit, PPM_ONE, Parameter, Policy, Ppm, SeedId, Setup,
    Split, Work,
};
use evenhand_sim::{behaviour_fingerprint, par_map};

/// Version of the method by which tables are made: the choice of situations and the fit.
pub const GENERATOR: u32 = 1;

/// What the table is called.
pub const KIND: &str = "safety";

/// Passes over the parameters after which a fit stands as it is.
const MOST_PASSES: usize = 4;

/// Situations that each kind should have, however many are asked for in all.
const LEAST_OF_A_KIND: usize = 2_000;

/// What people choose about a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Seed of situations and re-deals, below 2^53.
    pub seed: u64,
    /// Situations in all.
    pub situations: u32,
    /// Re-deals of each; of no account in a game whose maps are fitted on what came true in play.
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

/// Makes a table: situations from the input policy's play on the calibration split, and for each
/// kind a monotone map through what was true in them. By the game's [`Fit`] the truth is that of
/// `samples` re-deals of each, or the one that came true in play; the estimator's parameters are
/// then those whose raw output was nearest to it (see [`fit_parameters`]).
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
    let styles: Vec<Policy<G>> = simple_styles(&input.policy.maps).collect();
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
    // Where play gives the truth, a question without an answer has none to offer.
    let answered = |situation: &&Situation<G>| match G::FIT {
        Fit::ReDeals => true,
        Fit::SelfPlay => situation.truth.is_some(),
    };
    let supplied: Vec<Vec<&Situation<G>>> = (collected.kinds.iter())
        .map(|kind| kind.iter().filter(answered).collect())
        .collect();
    let supply: Vec<usize> = supplied.iter().map(Vec::len).collect();
    let taken: Vec<Vec<&Situation<G>>> = (supplied.iter())
        .zip(shared_out(&supply, total))
        .map(|(kind, count)| spread(kind, count).into_iter().copied().collect())
        .collect();
    let situations: Vec<_> = taken.iter().flatten().copied().collect();
    let (parameters, samples, hits) = match G::FIT {
        Fit::ReDeals => {
            let redeals = Redeals {
                split: Split::Calibration,
                seed: settings.seed,
                samples: settings.samples,
                workers,
            };
            let hits = count_true(setup, &situations, &redeals, watch, journal)?;
            let parameters = Parameter::defaults(G::PARAMETERS);
            (parameters, settings.samples, hits)
        }
        Fit::SelfPlay => {
            let parameters = fit_parameters(&situations, workers, watch)?;
            let truth = |s: &&Situation<G>| u32::from(s.truth == Some(true));
            (parameters, 1, situations.iter().map(truth).collect())
        }
    };
    let raws = raws(&situations, &parameters, workers)?;
    let mut outcomes = raws.into_iter().zip(hits);
    let mut cells = Vec::with_capacity(taken.len());
    for (kind, situations) in taken.iter().enumerate() {
        let observed: Vec<Observed> = situations
            .iter()
            .zip(outcomes.by_ref())
            .map(|(_, (raw, hits))| Observed { raw, samples, hits })
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
        samples,
        input: input.record.clone(),
        estimator: G::estimator_fingerprint(setup),
        parameters: (G::PARAMETERS.iter().zip(parameters))
            .map(|(row, value)| ParameterValue {
                name: row.name.to_owned(),
                value,
            })
            .collect(),
        cells,
    })
}

/// The parameters whose raw output is nearest to what came true: the least sum of squared errors
/// over all situations, in whole ppm squared, among the values of each parameter's grid. With
/// several parameters each in turn is fitted with the others held, until a pass moves none. Equal
/// sums go to the value nearest to the default, then to the smaller one.
///
/// # Errors
/// When the estimator fails, or [`Watch`] asks to stop.
pub fn fit_parameters<G: Estimates>(
    situations: &[&Situation<G>],
    workers: usize,
    watch: &mut dyn Watch,
) -> Result<Vec<i64>, CalibrateError> {
    let rows = G::PARAMETERS;
    let mut values = Parameter::defaults(rows);
    for _ in 0..MOST_PASSES {
        let before = values.clone();
        for (place, row) in rows.iter().enumerate() {
            let mut best = None;
            let grid: Vec<i64> = row.grid().collect();
            for (done, &value) in grid.iter().enumerate() {
                watch.phase(Phase::Fit, done as u64, grid.len() as u64);
                if watch.interrupted() {
                    return Err(CalibrateError::Interrupted);
                }
                values[place] = value;
                let loss = squared_error(situations, &raws(situations, &values, workers)?);
                let rank = (loss, (value - row.default).abs(), value);
                if best.is_none_or(|best| rank < best) {
                    best = Some(rank);
                }
            }
            values[place] = best.map_or(row.default, |(_, _, value)| value);
        }
        if values == before || rows.len() == 1 {
            break;
        }
    }
    Ok(values)
}

/// Sum of (raw - truth)^2 over the answered situations, in ppm squared.
fn squared_error<G: Estimates>(situations: &[&Situation<G>], raws: &[i64]) -> i128 {
    let error = |(situation, raw): (&&Situation<G>, &i64)| {
        let truth = i64::from(situation.truth?) * PPM_ONE;
        let off = i128::from(Ppm::clamped(*raw).get() - truth);
        Some(off * off)
    };
    situations.iter().zip(raws).filter_map(error).sum()
}

/// The estimator's raw output for each situation: the function that the bot calls, whatever the
/// input policy made of it.
fn raws<G: Estimates>(
    situations: &[&Situation<G>],
    parameters: &[i64],
    workers: usize,
) -> Result<Vec<i64>, CalibrateError> {
    let raws = par_map(situations.len(), workers, G::Memo::default, |memo, i| {
        let view = G::view(&situations[i].state, situations[i].seat);
        let mut work = Work::units(u64::MAX);
        G::raw(&view, &situations[i].question, parameters, memo, &mut work)
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
