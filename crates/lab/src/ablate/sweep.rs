//! How the payoff answers to one knob.

use super::ALPHA_PPM;
use super::without::{Effect, correct, more_seeds};
use crate::field::{Field, Played};
use crate::wall::Stopwatch;
use evenhand_contract::{Border, Knob, Milli, Policy};
use evenhand_sim::{Control, Execution, Exploration, RunError, Seeds};
use evenhand_stats::{Estimate, mean_estimate};
use serde::Serialize;
use std::collections::BTreeSet;

/// What a response shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// No value changed any move.
    NoDecisionChanged,
    /// No value's payoff is shown to differ from the present one's.
    Flat,
    /// The best value stands at a bound: a better one may lie beyond.
    AtBound,
    /// Values of one sign do as well as each other, and yet zero or the other sign differs: the
    /// weight acts as a tie-break and weighs nothing.
    StepAtZeroOnly,
}

/// One value of the knob.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Point {
    /// The value in thousandths.
    pub value: Milli,
    /// Mean settlement a round over the pool's mixture.
    pub payoff: Estimate,
    /// Difference to the present value, paired by seed.
    pub difference: Effect,
    /// Whether every move was the same as with the present value.
    pub same_moves: bool,
    /// Secondary metrics in millionths a seat-round, in the game's order.
    pub metrics_micro: Vec<i64>,
}

/// The response to one knob.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sweep {
    /// The knob.
    pub knob: &'static str,
    /// Its present value.
    pub present: Milli,
    /// Its bounds.
    pub bounds: (Milli, Milli),
    /// The values in rising order.
    pub points: Vec<Point>,
    /// The value with the highest mean; of equal ones the nearest to the present.
    pub best: Milli,
    /// Smallest and largest value around the present one that neither is shown to differ from it,
    /// nor has one between that is.
    pub level: (Milli, Milli),
    /// What the response shows.
    pub flags: Vec<Flag>,
    /// Where the response is flat but some move changed: about how many more seeds would show the
    /// largest difference seen, if it is real.
    pub more_seeds: Option<u64>,
    /// About how many seconds those would take here.
    pub more_seconds: Option<u64>,
    /// Whether fallbacks of every run are within bounds.
    pub valid: bool,
}

/// The values to play: zero and 1, 2, 5, 10, 20, 50, ... to either side, within the bounds; the
/// bounds and the present value.
#[must_use]
pub fn grid(knob: &Knob, present: Milli) -> Vec<Milli> {
    let mut values = BTreeSet::from([knob.low, knob.high, present]);
    let within = |value: &Milli| (knob.low..=knob.high).contains(value);
    values.extend([0].into_iter().filter(within));
    let farthest = knob.low.saturating_abs().max(knob.high.saturating_abs());
    let mut decade: Milli = 1;
    while decade <= farthest {
        for size in [decade, decade.saturating_mul(2), decade.saturating_mul(5)] {
            values.extend([-size, size].into_iter().filter(within));
        }
        decade = decade.saturating_mul(10);
    }
    values.into_iter().collect()
}

/// Plays the policy at every value of the grid against the pool on the same seeds.
///
/// # Errors
/// When a match fails or the run is interrupted.
///
/// # Panics
/// When the policy has no knob at `place`.
pub fn sweep<G: Border>(
    field: &Field<G>,
    policy: &Policy<G>,
    place: usize,
    seeds: &Seeds<Exploration>,
    execution: &Execution,
    control: &mut dyn Control,
) -> Result<Sweep, RunError> {
    let knob = &policy.row.knobs[place];
    let present = policy.weights.values()[place];
    let watch = Stopwatch::start();
    let values = grid(knob, present);
    let at = |&value: &Milli| {
        let weights = policy.weights.with(policy.row.knobs, place, value);
        Policy {
            weights: weights.unwrap_or_else(|_| policy.weights.clone()),
            ..policy.clone()
        }
    };
    let points: Vec<Policy<G>> = values.iter().map(at).collect();
    let (base, differs) = field.play_asking(policy, &points, seeds, execution, control)?;
    let base_values = field.mixture(&base);
    let mut played: Vec<(Milli, Played)> = Vec::new();
    for ((value, at), differs) in values.into_iter().zip(&points).zip(differs) {
        // Where it decides alike everywhere, the rounds are those that were played.
        let run = match differs {
            false => base.clone(),
            true => field.play(at, seeds, execution, control)?,
        };
        played.push((value, run));
    }
    let millis_a_seed = watch.millis() / (played.len() * seeds.len()).max(1) as u64;
    let mut points: Vec<Point> = played
        .iter()
        .map(|(value, run)| {
            let values = field.mixture(run);
            Point {
                value: *value,
                payoff: mean_estimate(&values, field.whole(), ALPHA_PPM),
                difference: Effect::of(&values, &base_values, field.whole()),
                same_moves: run.same_moves(&base),
                metrics_micro: field.metrics(run),
            }
        })
        .collect();
    let mut tested: Vec<&mut Effect> = points
        .iter_mut()
        .filter(|point| point.value != present)
        .map(|point| &mut point.difference)
        .collect();
    let tests = tested.len() as u32;
    correct(&mut tested);
    let best = points
        .iter()
        .max_by_key(|p| (p.payoff.mean_micro, -(p.value - present).saturating_abs()))
        .map_or(present, |p| p.value);
    let flags = flags(field, knob, best, &points, &played);
    let mut more = None;
    if flags.contains(&Flag::Flat) {
        let largest = points
            .iter()
            .max_by_key(|p| p.difference.estimate.mean_micro.abs());
        more = largest.and_then(|p| more_seeds(&p.difference, tests));
    }
    Ok(Sweep {
        knob: knob.name,
        present,
        bounds: (knob.low, knob.high),
        valid: played.iter().all(|(_, run)| run.valid()),
        level: level(&points, present),
        points,
        best,
        flags,
        more_seeds: more,
        more_seconds: more.map(|n| n.saturating_mul(2 * millis_a_seed).div_ceil(1_000)),
    })
}

fn level(points: &[Point], present: Milli) -> (Milli, Milli) {
    let (below, above) = points.split_at(points.partition_point(|p| p.value < present));
    let alike = |p: &&Point| !p.difference.shown();
    let low = below.iter().rev().take_while(alike).last();
    let high = above.iter().take_while(alike).last();
    (
        low.map_or(present, |p| p.value),
        high.map_or(present, |p| p.value),
    )
}

fn flags<G: Border>(
    field: &Field<G>,
    knob: &Knob,
    best: Milli,
    points: &[Point],
    played: &[(Milli, Played)],
) -> Vec<Flag> {
    if points.iter().all(|p| p.same_moves) {
        return vec![Flag::NoDecisionChanged];
    }
    let mut flags = Vec::new();
    if steps_at_zero_only(field, played) {
        flags.push(Flag::StepAtZeroOnly);
    } else if !points.iter().any(|p| p.difference.shown()) {
        flags.push(Flag::Flat);
    }
    let flat = flags.contains(&Flag::Flat);
    if !flat && (best == knob.low || best == knob.high) && flags.is_empty() {
        flags.push(Flag::AtBound);
    }
    flags
}

/// Whether the response steps at zero and nowhere else. Compared are the values of each sign with
/// the smallest of that sign, and the smallest of either sign with zero and with each other; the
/// p values are Holm-corrected over all of these. One sign must have two values or more.
fn steps_at_zero_only<G: Border>(field: &Field<G>, played: &[(Milli, Played)]) -> bool {
    let side = |sign: Milli| -> Vec<&Played> {
        let mut side: Vec<_> = played.iter().filter(|(v, _)| v.signum() == sign).collect();
        side.sort_by_key(|(value, _)| value.abs());
        side.into_iter().map(|(_, run)| run).collect()
    };
    let (below, zero, above) = (side(-1), side(0), side(1));
    if below.len() < 2 && above.len() < 2 {
        return false;
    }
    let effect =
        |a: &Played, b: &Played| Effect::of(&field.mixture(a), &field.mixture(b), field.whole());
    let mut within = Vec::new();
    for side in [&below, &above] {
        if let Some((first, rest)) = side.split_first() {
            within.extend(rest.iter().map(|run| effect(run, first)));
        }
    }
    let firsts = [below.first(), zero.first(), above.first()];
    let pairs = [(0, 1), (1, 2), (0, 2)];
    let mut across: Vec<Effect> = pairs
        .iter()
        .filter_map(|&(a, b)| Some(effect(firsts[a]?, firsts[b]?)))
        .collect();
    correct(&mut within.iter_mut().chain(&mut across).collect::<Vec<_>>());
    across.iter().any(Effect::shown) && !within.iter().any(Effect::shown)
}

#[cfg(test)]
mod tests {
    use super::grid;
    use evenhand_contract::Knob;

    #[test]
    fn the_grid_is_dense_around_zero_and_stays_within_bounds() {
        let knob = Knob {
            name: "k",
            about: "",
            default: 0,
            low: -30,
            high: 700,
            step: 1,
        };
        assert_eq!(
            grid(&knob, 33),
            [
                -30, -20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20, 33, 50, 100, 200, 500, 700
            ]
        );
        let above = Knob { low: 3, ..knob };
        assert_eq!(grid(&above, 3), [3, 5, 10, 20, 50, 100, 200, 500, 700]);
    }
}
