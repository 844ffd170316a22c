//! From a finished walk to the candidate's document.

use crate::{Curve, Entry, Point, Probe, Walked};
use evenhand_artifact::{
    CandidateDoc, CostSummary, Evaluation, Fallbacks, KnobFlags, KnobValue, OpponentChange,
    OpponentGain, Parents, RunKind, TuningSummary, candidate_digest,
};
use evenhand_contract::Knob;
use evenhand_stats::{mean_estimate, paired};
use std::collections::BTreeMap;

/// Level of the intervals shown, in parts per million: 95 %.
const SHOWN_ALPHA_PPM: u32 = 50_000;

/// Everything about a tuning that its walk does not say.
#[derive(Clone, Debug)]
pub struct Heading<'a> {
    /// The game.
    pub game: &'a str,
    /// How many sit at the table.
    pub players: u8,
    /// The ruleset's text.
    pub ruleset: String,
    /// The policy's row.
    pub policy: &'a str,
    /// Its knobs.
    pub knobs: &'a [Knob],
    /// The experiment.
    pub experiment: String,
    /// Whether it may be frozen from.
    pub run: RunKind,
    /// Digest of the spec's meaning.
    pub spec: String,
    /// What the candidate stands on.
    pub parents: Parents,
    /// First seed.
    pub first_seed: u64,
    /// Seeds.
    pub seeds: u64,
    /// Rounds a match.
    pub rounds: u32,
    /// Sweeps asked for.
    pub sweeps: u32,
    /// The rule of acceptance.
    pub accept_t_milli: u32,
    /// Name and share of each opponent.
    pub pool: Vec<(String, u32)>,
    /// Seat-rounds of a seed.
    pub denominator: i64,
}

/// Settlement sums a seed by point: one list an opponent, and the mixture.
struct Sums {
    against: BTreeMap<Point, Vec<Vec<i64>>>,
    mixed: BTreeMap<Point, Vec<i64>>,
    /// End and digest of each part.
    parts: BTreeMap<Point, Vec<(usize, String)>>,
}

impl Sums {
    fn of(entries: &[Entry], heading: &Heading<'_>) -> Self {
        let shares: Vec<i64> = heading.pool.iter().map(|(_, s)| i64::from(*s)).collect();
        let mut sums = Self {
            against: BTreeMap::new(),
            mixed: BTreeMap::new(),
            parts: BTreeMap::new(),
        };
        for entry in entries {
            let parts = sums.parts.entry(entry.point.clone()).or_default();
            parts.push((entry.to, entry.part()));
            let mixed = sums.mixed.entry(entry.point.clone()).or_default();
            mixed.extend(crate::mixture(entry, &shares));
            let against = sums.against.entry(entry.point.clone()).or_default();
            against.resize(entry.against.len(), Vec::new());
            for (all, part) in against.iter_mut().zip(&entry.against) {
                all.extend(&part.sums);
            }
        }
        sums
    }

    /// Digest of a point's tallies on its first `seeds` seeds.
    fn digest(&self, point: &Point, seeds: usize) -> String {
        let parts = self.parts[point].iter().filter(|(end, _)| *end <= seeds);
        let parts: Vec<&str> = parts.map(|(_, part)| part.as_str()).collect();
        evenhand_artifact::digest_of(parts.join("\n"))
    }

    /// Paired mean difference of two points over the seeds that both have, with its interval.
    fn compare(a: &[i64], b: &[i64], denominator: i64) -> (i64, Option<(i64, i64)>) {
        let n = a.len().min(b.len());
        match paired(&a[..n], &b[..n], denominator, SHOWN_ALPHA_PPM) {
            Ok(c) => (c.mean_micro.unwrap_or(0), c.interval_micro),
            Err(_) => (0, None),
        }
    }
}

/// The document of a finished walk over these journal entries.
#[must_use]
pub fn candidate_doc(heading: Heading<'_>, walked: &Walked, entries: &[Entry]) -> CandidateDoc {
    let sums = Sums::of(entries, &heading);
    let mixed_denominator = 100 * heading.denominator;
    let mean = |values: &[i64], denominator| {
        mean_estimate(values, denominator, SHOWN_ALPHA_PPM).mean_micro
    };
    let objective = |point: &Point| mean(&sums.mixed[point], mixed_denominator);
    let (start, best) = (&walked.start, &walked.best);
    let (gain, _) = Sums::compare(&sums.mixed[best], &sums.mixed[start], mixed_denominator);
    let opponents = heading.pool.iter().enumerate().map(|(i, (name, share))| {
        let of = |point: &Point| mean(&sums.against[point][i], heading.denominator);
        OpponentGain {
            opponent: name.clone(),
            share: *share,
            start_micro: of(start),
            end_micro: of(best),
        }
    });
    let row = |(index, probe): (usize, &Probe)| {
        evaluation(index, probe, &heading, &sums, objective(&probe.current))
    };
    let trajectory: Vec<Evaluation> = walked.probes.iter().enumerate().map(row).collect();
    let tuning = TuningSummary {
        first_seed: heading.first_seed,
        seeds: heading.seeds,
        rounds: heading.rounds,
        sweeps: heading.sweeps,
        accept_t_milli: heading.accept_t_milli,
        out_of_budget: walked.out_of_budget,
        evaluations: trajectory.len() as u32,
        accepted: walked.probes[1..].iter().filter(|p| p.accepted).count() as u32,
        start_micro: objective(start),
        end_micro: objective(best),
        tuning_gain_micro: gain,
        opponents: opponents.collect(),
    };
    let knobs: Vec<KnobValue> = heading
        .knobs
        .iter()
        .zip(best)
        .map(|(knob, value)| KnobValue {
            name: knob.name.to_owned(),
            value: *value,
        })
        .collect();
    let candidate = candidate_digest(
        heading.game,
        heading.players,
        &heading.ruleset,
        heading.policy,
        knobs.iter().map(|k| (k.name.as_str(), k.value)),
        heading.parents.tables.iter().map(String::as_str),
    );
    let (fallbacks, cost) = totals(entries);
    CandidateDoc {
        game: heading.game.to_owned(),
        players: heading.players,
        flags: flags(&heading, walked),
        ruleset: heading.ruleset,
        policy: heading.policy.to_owned(),
        experiment: heading.experiment,
        run: heading.run,
        spec: heading.spec,
        knobs,
        candidate: candidate.hex(),
        parents: heading.parents,
        tuning,
        trajectory,
        lines: Vec::new(),
        fallbacks,
        cost,
    }
}

fn evaluation(
    index: usize,
    probe: &Probe,
    heading: &Heading<'_>,
    sums: &Sums,
    current_objective: i64,
) -> Evaluation {
    // A point that was screened out here may have been played in full later on: what this row
    // says is what the search saw.
    let seen = probe.paired.seeds as usize;
    let of = |point: &Point| &sums.mixed[point];
    let (difference, interval) = Sums::compare(
        &of(&probe.point)[..seen],
        of(&probe.current),
        100 * heading.denominator,
    );
    let opponents = heading.pool.iter().enumerate().map(|(i, (name, _))| {
        let values = |point: &Point| &sums.against[point][i];
        let (difference_micro, _) = Sums::compare(
            &values(&probe.point)[..seen],
            values(&probe.current),
            heading.denominator,
        );
        OpponentChange {
            opponent: name.clone(),
            difference_micro,
        }
    });
    Evaluation {
        index: index as u32,
        sweep: probe.sweep,
        knob: match probe.place {
            Some(place) => Some(heading.knobs[place].name.to_owned()),
            None if index == 0 => None,
            None => Some("(pattern)".to_owned()),
        },
        value: probe.place.map(|place| probe.point[place]),
        seeds: seen as u64,
        objective_micro: current_objective + difference,
        difference_micro: difference,
        interval_micro: interval.filter(|_| index > 0),
        accepted: probe.accepted,
        opponents: opponents.collect(),
        tallies: probe.fresh.then(|| sums.digest(&probe.point, seen)),
    }
}

fn flags(heading: &Heading<'_>, walked: &Walked) -> Vec<KnobFlags> {
    let row = |(place, knob): (usize, &Knob)| {
        let value = walked.best[place];
        KnobFlags {
            name: knob.name.to_owned(),
            start: walked.start[place],
            value,
            step: knob.step,
            low: knob.low,
            high: knob.high,
            flat: walked.flat[place],
            at_bound: value == knob.low || value == knob.high,
            tie_break_only: walked
                .curves
                .get(place)
                .is_some_and(Curve::steps_only_at_zero),
        }
    };
    heading.knobs.iter().enumerate().map(row).collect()
}

fn totals(entries: &[Entry]) -> (Fallbacks, CostSummary) {
    let mut fallbacks = Fallbacks::default();
    let mut cost = CostSummary::default();
    for against in entries.iter().flat_map(|e| &e.against) {
        let [unknown, error, work, deadline] = against.fallbacks;
        fallbacks.decisions += against.decisions;
        fallbacks.error += unknown + error;
        fallbacks.out_of_work += work + deadline;
        cost.matches += against.matches;
        cost.rounds += against.rounds;
        cost.decisions += against.decisions;
        cost.work = cost.work.saturating_add(against.work);
    }
    (fallbacks, cost)
}
