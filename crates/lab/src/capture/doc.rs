//! The documents that captures are kept in.

use super::ask::{Choice, Reason};
use evenhand_artifact::{Change, Document, Format, KnobValue, Value};
use evenhand_contract::{Game, Map, Maps, Policy, Ppm, Weights};
use serde::{Deserialize, Serialize};

/// How a policy plays, complete: what a replay needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// A row of the game's policy table.
    pub policy: String,
    /// Its knobs in table order.
    pub knobs: Vec<KnobValue>,
    /// Its calibration maps by kind: points of raw value and ppm; none is the identity.
    pub maps: Vec<Vec<[i64; 2]>>,
    /// The values of its estimator's parameters in the game's order; none are the defaults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<i64>,
    /// The artifacts that it plays by, in words.
    pub played_by: String,
}

impl Player {
    /// Writes a policy down.
    #[must_use]
    pub fn of<G: Game>(policy: &Policy<G>, played_by: String) -> Self {
        let knobs = policy.row.knobs.iter().zip(policy.weights.values());
        let points = |map: &Option<Map>| -> Vec<[i64; 2]> {
            let points = map.iter().flat_map(|map| map.points());
            points.map(|(raw, ppm)| [*raw, ppm.get()]).collect()
        };
        Self {
            policy: policy.row.name.to_owned(),
            knobs: knobs
                .map(|(knob, &value)| KnobValue {
                    name: knob.name.to_owned(),
                    value,
                })
                .collect(),
            maps: policy.maps.kinds().iter().map(points).collect(),
            parameters: policy.maps.parameters().to_vec(),
            played_by,
        }
    }

    /// The policy that was written down.
    ///
    /// # Errors
    /// When the game no longer has such a policy or such knobs.
    pub fn policy<G: Game>(&self) -> anyhow::Result<Policy<G>> {
        let row = evenhand_cli::load::row::<G>(&self.policy)?;
        let named = self.knobs.iter().map(|k| (k.name.as_str(), k.value));
        let mut maps = Vec::new();
        for points in &self.maps {
            let points: Vec<_> = points
                .iter()
                .map(|&[raw, ppm]| (raw, Ppm::clamped(ppm)))
                .collect();
            maps.push(match points.is_empty() {
                true => None,
                false => Some(Map::new(&points)?),
            });
        }
        Ok(Policy {
            row,
            weights: Weights::from_named(row.knobs, named)?,
            maps: Maps::new(maps).with_parameters(&self.parameters),
            stages_off: 0,
        })
    }
}

/// A position that two policies play differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// Who sat at the other seats: a name of the pool.
    pub against: String,
    /// Seed of the exploration split.
    pub seed: String,
    /// Arrangement of the duplicate schedule.
    pub arrangement: u32,
    /// Round of the match, from 1.
    pub round: u32,
    /// Who was to decide.
    pub seat: u8,
    /// What that seat had seen, as the game writes it (nulls left out).
    pub view: Value,
    /// The unseen cards, where the game tells them.
    pub unseen: String,
    /// Every legal decision.
    pub legal: Vec<String>,
    /// What A does, and why.
    pub a: Choice,
    /// What B does, and why.
    pub b: Choice,
    /// What A's round came to for this seat, in points.
    pub points_a: i64,
    /// What it came to when B played the seat from here to the end.
    pub points_b: i64,
    /// The paired loss of that round: points of B minus points of A.
    pub loss: i64,
    /// Mean of the same loss over random re-deals of the unseen cards, in millionths of a point:
    /// it tells a fault from bad luck.
    pub redealt_loss_micro: i64,
    /// Its 95 % interval.
    #[serde(default)]
    pub redealt_interval_micro: Option<[i64; 2]>,
}

/// An input that the two policies see differently, over the kept positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputCount {
    /// Term or fact.
    pub name: String,
    /// Positions at which it differs for at least one candidate.
    pub positions: u32,
    /// The largest difference, as an example.
    pub largest: Reason,
}

/// Positions that two policies play differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapturesDoc {
    /// The game.
    pub game: String,
    /// How many sat at the table.
    pub players: u8,
    /// The ruleset.
    pub ruleset: String,
    /// First seed of the exploration split.
    pub first_seed: u64,
    /// Seeds played against each opponent.
    pub seeds: u32,
    /// Rounds a match.
    pub rounds: u32,
    /// Re-deals of each kept position.
    pub redeals: u32,
    /// The policy that played.
    pub a: Player,
    /// The policy that was asked as well.
    pub b: Player,
    /// Free decisions that A took.
    pub decisions: u64,
    /// Those that B would have taken differently.
    pub differing: u64,
    /// Sum of the paired losses over all of these, in points.
    pub loss_sum: i64,
    /// The 95 % interval, over seeds, of their mean, in millionths of a point a decision.
    #[serde(default)]
    pub loss_interval_micro: Option<[i64; 2]>,
    /// Where that interval holds zero: about how many more seeds would settle which of the two does
    /// better where they differ.
    #[serde(default)]
    pub more_seeds: Option<u64>,
    /// Terms and facts that differ at the kept positions, most frequent first.
    pub inputs: Vec<InputCount>,
    /// Where A lost most, the worst first.
    pub worst: Vec<Capture>,
    /// Where A gained most, the best first.
    pub best: Vec<Capture>,
}

impl Document for CapturesDoc {
    const FORMAT: Format = Format {
        family: "evenhand-captures",
        history: &[Change {
            version: 1,
            about: "positions that two policies play differently, with both their reasons",
        }],
        oldest_read: 1,
    };
}

/// A position that took long.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slow {
    /// What the seat had seen, as the game writes it (nulls left out).
    pub view: Value,
    /// What was decided.
    pub decision: String,
    /// How many decisions were legal.
    pub legal: u32,
    /// Work units that the decision took.
    pub work: u64,
    /// Its wall time in nanoseconds, on the machine that captured it.
    pub nanos: u64,
}

/// The slowest positions of a policy, as inputs of benchmarks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlowestDoc {
    /// The game.
    pub game: String,
    /// How many sat at the table.
    pub players: u8,
    /// The ruleset.
    pub ruleset: String,
    /// The policy that played.
    pub a: Player,
    /// Free decisions that it took.
    pub decisions: u64,
    /// Positions with the most work units, the most first.
    pub by_work: Vec<Slow>,
    /// Positions with the longest wall time, the longest first. They differ from run to run.
    pub by_time: Vec<Slow>,
}

impl Document for SlowestDoc {
    const FORMAT: Format = Format {
        family: "evenhand-slowest",
        history: &[Change {
            version: 1,
            about: "positions with the most work units and the longest wall times",
        }],
        oldest_read: 1,
    };
}
