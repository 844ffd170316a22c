use super::common::{Broken, Claim, Estimate, Fallbacks, KnobValue, Metric, RunKind, Verdict};
use super::weights::Parents;
use crate::{Digest, Document, Format, Value, candidate_digest, format};
use serde::{Deserialize, Serialize};

/// What `validate` found on fresh seeds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidationDoc {
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
    /// Knobs of the candidate in table order.
    pub knobs: Vec<KnobValue>,
    /// Digest of the candidate.
    pub candidate: String,
    /// Checksum of the record of its tuning.
    pub candidate_record: String,
    /// What the candidate stands on.
    pub parents: Parents,
    /// The salt of the seeds; empty by default.
    pub salt: String,
    /// Attempt since the game's last freeze, from 1; 0 in a quick run, which is on no record.
    pub attempt: u32,
    /// Level at which each cell is judged, in billionths.
    pub alpha_ppb: i64,
    /// Content digest of the ledger's intent line; absent in a quick run.
    #[serde(default)]
    pub intent: Option<String>,
    /// What a freeze of this would claim.
    pub claim: Claim,
    /// Every cell.
    pub cells: Vec<CellResult>,
    /// Every gate of the freeze that validation decides.
    pub gates: Vec<Gate>,
    /// The worst of the gates.
    pub verdict: Verdict,
    /// Largest disagreement between cells of different match length in units of a thousandth of
    /// its standard error, where rounds are independent deals: a check of the instrument.
    #[serde(default)]
    pub cell_disagreement_milli: Option<i64>,
    /// Held-out deals whose hash was compared with the tuning deals.
    pub deals_compared: u64,
    /// How many of them met a tuning deal (must be 0).
    pub deals_shared: u64,
    /// Behaviour fingerprint of the candidate over the fixed suite.
    pub behaviour: String,
    /// The candidate's decisions on the fixed suite, as text, in the suite's order.
    pub decisions: Vec<String>,
    /// Decisions of the suite that the incumbent takes differently, as text, in the suite's order.
    #[serde(default)]
    pub suite_changes: Vec<Position>,
    /// Positions of the run where candidate and incumbent differ, by falling gain of the candidate
    /// in that round: the best first, the worst last.
    #[serde(default)]
    pub positions: Vec<Position>,
    /// All positions of the run where the two differ, of which `positions` keeps some.
    #[serde(default)]
    pub positions_found: u64,
}

/// One cell: an opponent and a match length.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellResult {
    /// Who the candidate plays against.
    pub against: String,
    /// Rounds a match.
    pub rounds: u32,
    /// What is claimed here.
    pub claim: Claim,
    /// The margin of the claim, millionths of a point a round; 0 but for non-inferiority.
    pub margin_micro: i64,
    /// The candidate's mean settlement a round, pooled over both directions.
    pub estimate: Estimate,
    /// The verdict at the attempt's level.
    pub verdict: Verdict,
    /// Seeds that would settle it; present when inconclusive.
    #[serde(default)]
    pub seeds_to_settle: Option<u64>,
    /// Digest of the plan.
    pub plan: String,
    /// Digest of all per-seed tallies.
    pub tallies: String,
    /// Matches played.
    pub matches: u64,
    /// Rounds played.
    pub rounds_played: u64,
    /// Fallbacks of the candidate.
    pub fallbacks: Fallbacks,
    /// Fallbacks of the opponent.
    pub opponent_fallbacks: Fallbacks,
    /// Secondary metrics.
    pub metrics: Vec<Metric>,
    /// The candidate's mean settlement by seat, millionths of a point a round.
    pub seats_micro: Vec<i64>,
    /// Work units of the candidate's decisions.
    pub work_sum: u64,
    /// The largest work of one decision.
    pub work_max: u64,
}

/// A cell as the weights artifact and the summary keep it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellSummary {
    /// Who the candidate played against.
    pub against: String,
    /// Rounds a match.
    pub rounds: u32,
    /// What was claimed.
    pub claim: Claim,
    /// The margin of the claim, millionths of a point a round.
    pub margin_micro: i64,
    /// The estimate.
    pub estimate: Estimate,
    /// The verdict.
    pub verdict: Verdict,
    /// Digest of all per-seed tallies.
    pub tallies: String,
}

impl From<&CellResult> for CellSummary {
    fn from(cell: &CellResult) -> Self {
        Self {
            against: cell.against.clone(),
            rounds: cell.rounds,
            claim: cell.claim,
            margin_micro: cell.margin_micro,
            estimate: cell.estimate.clone(),
            verdict: cell.verdict,
            tallies: cell.tallies.clone(),
        }
    }
}

/// One condition of a freeze.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Its name.
    pub name: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why, for people.
    pub reason: String,
}

/// A position that two policies play differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Where it stood: the suite's index, or seed, arrangement and round as text.
    pub place: String,
    /// The view, as the game writes it.
    pub view: Value,
    /// What the candidate plays.
    pub candidate: String,
    /// What the incumbent plays.
    pub incumbent: String,
    /// What the candidate gained over the incumbent in that round on the same deal, in points;
    /// absent on the fixed suite, which is not played out.
    #[serde(default)]
    pub gain: Option<i64>,
}

impl ValidationDoc {
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

impl Document for ValidationDoc {
    const FORMAT: Format = format::VALIDATION;

    fn broken_rules(&self) -> Vec<(String, String)> {
        let mut broken = Broken::default();
        broken.domain(&self.game, self.players, &self.ruleset);
        broken.knobs(&self.knobs);
        self.parents.broken(&mut broken);
        broken.digest("spec", &self.spec);
        broken.digest("candidate_record", &self.candidate_record);
        broken.digest("behaviour", &self.behaviour);
        let digest = self.candidate_digest().hex();
        broken.when(
            self.candidate != digest,
            "candidate",
            format!("{} written, but the content gives {digest}", self.candidate),
        );
        match self.run {
            RunKind::Full => {
                broken.when(
                    self.attempt == 0,
                    "attempt",
                    "a full run counts as an attempt",
                );
                broken.when(
                    self.intent.is_none(),
                    "intent",
                    "a full run has a ledger line",
                );
            }
            RunKind::Quick => {
                broken.when(self.attempt != 0, "attempt", "a quick run is on no record");
                broken.when(
                    self.intent.is_some(),
                    "intent",
                    "a quick run is on no record",
                );
            }
        }
        let worst = Verdict::all(self.gates.iter().map(|g| g.verdict));
        broken.when(
            self.verdict != worst,
            "verdict",
            format!("{} written, but the worst gate says {worst}", self.verdict),
        );
        broken.when(
            self.positions_found < self.positions.len() as u64,
            "positions_found",
            "fewer than are listed",
        );
        for (i, cell) in self.cells.iter().enumerate() {
            broken.digest(format!("cells[{i}].plan"), &cell.plan);
            broken.digest(format!("cells[{i}].tallies"), &cell.tallies);
            let twice = self.cells[..i]
                .iter()
                .any(|c| c.against == cell.against && c.rounds == cell.rounds);
            broken.when(twice, format!("cells[{i}]"), "the cell stands twice");
        }
        broken.0
    }
}
