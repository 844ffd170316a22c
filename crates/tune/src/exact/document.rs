//! From a walk over lines to the candidate's document.

use super::{LineEntry, LineWalk};
use crate::{Against, Axis, Entry, Heading, Paired, Point, Probe, Walked, candidate_doc};
use evenhand_artifact::{CandidateDoc, CostSummary, Fallbacks, LineCurve, LineSample, digest_of};
use evenhand_stats::mean_estimate;
use std::collections::BTreeMap;

/// Values at which a curve is kept in the record, both bounds among them.
const SAMPLES: i64 = 41;

/// The document of a finished walk over these journal entries.
#[must_use]
pub fn exact_doc(
    heading: Heading<'_>,
    axes: &[Axis],
    walk: &LineWalk,
    entries: &[LineEntry],
) -> CandidateDoc {
    let denominator = 100 * heading.denominator * heading.seeds as i64;
    let lines = walk.followed.iter().map(|f| {
        let entry = &entries[f.entry];
        curve(&axes[entry.place], f.sweep, entry, denominator)
    });
    let lines = lines.collect();
    let mut doc = candidate_doc(heading, &walked(axes, walk, entries), &points(entries));
    doc.lines = lines;
    for (flags, place) in doc.flags.iter_mut().zip(0..) {
        let last = entries.iter().rev().find(|e| e.place == place);
        flags.tie_break_only = last.is_some_and(|e| e.tie_break_only);
    }
    (doc.fallbacks, doc.cost) = totals(entries);
    doc
}

/// The walk as the document of a search by a grid tells it: one probe a line.
fn walked(axes: &[Axis], walk: &LineWalk, entries: &[LineEntry]) -> Walked {
    let mut probes = vec![Probe {
        sweep: 0,
        place: None,
        point: walk.start.clone(),
        current: walk.start.clone(),
        paired: Paired::default(),
        fresh: true,
        accepted: true,
    }];
    probes.extend(walk.followed.iter().map(|f| {
        let entry = &entries[f.entry];
        Probe {
            sweep: f.sweep,
            place: Some(entry.place),
            point: there(entry),
            current: entry.point.clone(),
            paired: f.paired,
            fresh: entry.centre != entry.point[entry.place],
            accepted: f.accepted,
        }
    }));
    if let Some(first) = entries.first() {
        probes[0].paired.seeds = first.here.first().map_or(0, Vec::len) as i64;
    }
    let flat = (0..axes.len()).map(|place| {
        let mut lines = entries.iter().filter(|e| e.place == place).peekable();
        lines.peek().is_some() && lines.all(LineEntry::flat)
    });
    Walked {
        start: walk.start.clone(),
        best: walk.best.clone(),
        flat: flat.collect(),
        curves: Vec::new(),
        evaluations: walk.followed.len(),
        out_of_budget: walk.out_of_budget,
        probes,
    }
}

fn there(entry: &LineEntry) -> Point {
    let mut point = entry.point.clone();
    point[entry.place] = entry.centre;
    point
}

/// The sums of every point that the walk compares, once each.
fn points(entries: &[LineEntry]) -> Vec<Entry> {
    let mut known: BTreeMap<Point, &Vec<Vec<i64>>> = BTreeMap::new();
    for entry in entries {
        known.entry(entry.point.clone()).or_insert(&entry.here);
        known.entry(there(entry)).or_insert(&entry.there);
    }
    let against = |sums: &Vec<i64>| Against {
        sums: sums.clone(),
        digest: digest_of(format!("{sums:?}")),
        decisions: 0,
        fallbacks: [0; 4],
        work: 0,
        matches: 0,
        rounds: 0,
    };
    known
        .into_iter()
        .map(|(point, sums)| Entry {
            point,
            from: 0,
            to: sums.first().map_or(0, Vec::len),
            against: sums.iter().map(against).collect(),
        })
        .collect()
}

fn curve(axis: &Axis, sweep: u32, entry: &LineEntry, denominator: i64) -> LineCurve {
    let width = axis.high - axis.low;
    let count = SAMPLES.min(width + 1);
    let height = |value: i64| {
        let next = entry.curve.partition_point(|c| c.0 <= value);
        next.checked_sub(1).map_or(0, |i| entry.curve[i].1)
    };
    let samples = (0..count).map(|i| {
        let value = axis.low + width * i / (count - 1).max(1);
        LineSample {
            value,
            objective_micro: micro(height(value), denominator),
        }
    });
    let (sum, values) = entry.plateau;
    LineCurve {
        knob: axis.name.clone(),
        sweep,
        base: entry.point[entry.place],
        base_micro: micro(height(entry.point[entry.place]), denominator),
        centre: entry.centre,
        plateau_micro: micro(sum, denominator * values.max(1)),
        flat: entry.flat(),
        units: entry.units,
        rollouts: entry.rollouts,
        values: (width + 1) as u64,
        samples: samples.collect(),
    }
}

fn totals(entries: &[LineEntry]) -> (Fallbacks, CostSummary) {
    let mut fallbacks = Fallbacks::default();
    let mut cost = CostSummary::default();
    for entry in entries {
        let [unknown, error, work, deadline] = entry.fallbacks;
        fallbacks.decisions += entry.decisions;
        fallbacks.error += unknown + error;
        fallbacks.out_of_work += work + deadline;
        // What is played apart stands for a match: a round where rounds are independent.
        cost.matches += entry.rollouts;
        cost.rounds += entry.rounds;
        cost.decisions += entry.decisions;
        cost.work = cost.work.saturating_add(entry.work);
    }
    (fallbacks, cost)
}

/// A sum over a denominator in millionths.
fn micro(sum: i64, denominator: i64) -> i64 {
    // The level concerns the interval, which a single value has none of.
    mean_estimate(&[sum], denominator, 50_000).mean_micro
}
