use super::common::{Broken, Fallbacks, KnobValue, RunKind};
use super::summary::CostSummary;
use super::weights::Parents;
use crate::{Digest, Document, Format, candidate_digest, format};
use serde::{Deserialize, Serialize};

/// What `tune` found: the candidate, what it stands on, and the whole way there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidateDoc {
    /// The game.
    pub game: String,
    /// How many sit at the table.
    pub players: u8,
    /// The ruleset's text.
    pub ruleset: String,
    /// The policy's row.
    pub policy: String,
    /// The experiment (the spec's name).
    pub experiment: String,
    /// Whether it may be frozen from.
    pub run: RunKind,
    /// Digest of the spec's meaning.
    pub spec: String,
    /// Knobs in table order.
    pub knobs: Vec<KnobValue>,
    /// Digest of the candidate (game, players, ruleset, policy, knobs, tables).
    pub candidate: String,
    /// What it stands on.
    pub parents: Parents,
    /// How the tuning went.
    pub tuning: TuningSummary,
    /// One row a knob, in table order.
    pub flags: Vec<KnobFlags>,
    /// Every evaluation, in order.
    pub trajectory: Vec<Evaluation>,
    /// What an exact search saw along each knob, in the order of the search; none of a grid search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineCurve>,
    /// Fallbacks of the points that were evaluated, over all evaluations.
    pub fallbacks: Fallbacks,
    /// What the evaluations cost.
    pub cost: CostSummary,
}

/// How a tuning went. The gain is measured on the seeds that chose the candidate, so it overstates
/// by selection; it is shown beside the gain on fresh seeds, never in its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuningSummary {
    /// First tuning seed.
    pub first_seed: u64,
    /// Tuning seeds.
    pub seeds: u64,
    /// Rounds a match.
    pub rounds: u32,
    /// Sweeps asked for; a last one that looks at each knob's response follows them.
    pub sweeps: u32,
    /// A move needed a t statistic of at least this many thousandths.
    pub accept_t_milli: u32,
    /// Whether the budget of evaluations ended the search.
    pub out_of_budget: bool,
    /// Evaluations listed in the trajectory, the first point included.
    pub evaluations: u32,
    /// Moves accepted.
    pub accepted: u32,
    /// Objective of the first point on the tuning seeds, millionths of a point a round.
    pub start_micro: i64,
    /// Objective of the candidate on the same seeds.
    pub end_micro: i64,
    /// Their paired difference: overstated by selection.
    pub tuning_gain_micro: i64,
    /// The same by opponent.
    pub opponents: Vec<OpponentGain>,
}

/// One opponent of the pool.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentGain {
    /// Its name in the pool (`easy`, `incumbent`, ...).
    pub opponent: String,
    /// Its share in the objective, as in the spec.
    pub share: u32,
    /// The first point's mean against it, millionths of a point a round.
    pub start_micro: i64,
    /// The candidate's mean against it on the same seeds.
    pub end_micro: i64,
}

/// What the search says about one knob.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnobFlags {
    /// The knob's name.
    pub name: String,
    /// Value at the first point, in thousandths.
    pub start: i64,
    /// Value at the candidate.
    pub value: i64,
    /// First step of the search.
    pub step: i64,
    /// Lowest value allowed.
    pub low: i64,
    /// Highest value allowed.
    pub high: i64,
    /// No value that was tried changed the objective.
    pub flat: bool,
    /// The candidate's value sits at a bound.
    pub at_bound: bool,
    /// The response steps at zero only: the knob acts as a tie-break.
    pub tie_break_only: bool,
}

/// One evaluation of a point, always against the current point over the same seeds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// Counts from 0, the first point.
    pub index: u32,
    /// Sweep, from 1; 0 for the first point.
    pub sweep: u32,
    /// The knob that was moved; absent for the first point.
    #[serde(default)]
    pub knob: Option<String>,
    /// Its value here, in thousandths; absent for the first point.
    #[serde(default)]
    pub value: Option<i64>,
    /// Seeds that it was compared on: all, or the first ones when it was clearly worse on these.
    pub seeds: u64,
    /// Objective, millionths of a point a round: the current point's plus the difference.
    pub objective_micro: i64,
    /// Paired difference to the current point, millionths of a point a round.
    pub difference_micro: i64,
    /// Interval of the difference; absent where it is undefined.
    #[serde(default)]
    pub interval_micro: Option<(i64, i64)>,
    /// Whether it became the current point.
    pub accepted: bool,
    /// Difference by opponent, in the order of the pool.
    pub opponents: Vec<OpponentChange>,
    /// Digest of the tallies; absent where no seed was spent, since no decision changes.
    #[serde(default)]
    pub tallies: Option<String>,
}

/// The response of the objective to one knob, known at every value between its bounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineCurve {
    /// The knob.
    pub knob: String,
    /// Sweep, from 1.
    pub sweep: u32,
    /// Its value at the point the line was followed from.
    pub base: i64,
    /// The objective there, millionths of a point a round.
    pub base_micro: i64,
    /// Centre of the best plateau.
    pub centre: i64,
    /// Mean objective over the plateau, millionths of a point a round.
    pub plateau_micro: i64,
    /// No decision on any seed reads the knob.
    pub flat: bool,
    /// Rounds or matches that the objective was taken apart into.
    pub units: u64,
    /// How many were played for all values together.
    pub rollouts: u64,
    /// Values between the bounds, both included.
    pub values: u64,
    /// The curve at evenly spaced values, the bounds included, by rising value.
    pub samples: Vec<LineSample>,
}

/// The objective at one value of a knob.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineSample {
    /// The value.
    pub value: i64,
    /// The objective, millionths of a point a round.
    pub objective_micro: i64,
}

/// The difference to the current point against one opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentChange {
    /// Its name in the pool.
    pub opponent: String,
    /// Paired difference, millionths of a point a round.
    pub difference_micro: i64,
}

impl CandidateDoc {
    /// The knobs as (name, value) in table order.
    pub fn named(&self) -> impl Iterator<Item = (&str, i64)> {
        self.knobs.iter().map(|k| (k.name.as_str(), k.value))
    }

    /// The candidate digest that the content gives.
    #[must_use]
    pub fn candidate_digest(&self) -> Digest {
        candidate_digest(
            &self.game,
            self.players,
            &self.ruleset,
            &self.policy,
            self.named(),
            self.parents.tables.iter().map(String::as_str),
        )
    }
}

impl Document for CandidateDoc {
    const FORMAT: Format = format::CANDIDATE;

    fn broken_rules(&self) -> Vec<(String, String)> {
        let mut broken = Broken::default();
        broken.domain(&self.game, self.players, &self.ruleset);
        broken.knobs(&self.knobs);
        self.parents.broken(&mut broken);
        broken.digest("spec", &self.spec);
        let digest = self.candidate_digest().hex();
        broken.when(
            self.candidate != digest,
            "candidate",
            format!("{} written, but the content gives {digest}", self.candidate),
        );
        let (tuning, way) = (&self.tuning, &self.trajectory);
        broken.when(
            tuning.evaluations as usize != way.len(),
            "tuning.evaluations",
            format!("{} written, but {} listed", tuning.evaluations, way.len()),
        );
        for (i, step) in way.iter().enumerate() {
            broken.when(
                step.index as usize != i,
                format!("trajectory[{i}].index"),
                "evaluations must count 0, 1, 2, ...",
            );
        }
        let gain = tuning.end_micro.checked_sub(tuning.start_micro);
        let off = gain.is_none_or(|gain| gain.abs_diff(tuning.tuning_gain_micro) > 1);
        broken.when(
            off,
            "tuning.tuning_gain_micro",
            "is not the end less the start (beyond rounding)",
        );
        let same_knobs = self.flags.len() == self.knobs.len()
            && self
                .flags
                .iter()
                .zip(&self.knobs)
                .all(|(f, k)| f.name == k.name && f.value == k.value);
        broken.when(
            !same_knobs,
            "flags",
            "must list every knob with its value, in order",
        );
        broken.0
    }
}
