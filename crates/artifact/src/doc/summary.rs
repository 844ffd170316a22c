use super::candidate::{KnobFlags, TuningSummary};
use super::common::{Broken, Claim, KnobValue, RunKind, Verdict};
use super::validation::{CellSummary, Gate};
use super::weights::Parents;
use crate::{Document, Format, Value, format};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kept record of an experiment: what was run on what, what came out, and the digests of the
/// full records. Everything in it can be computed again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummaryDoc {
    /// The experiment (the spec's name).
    pub experiment: String,
    /// The game.
    pub game: String,
    /// How many sit at the table.
    pub players: u8,
    /// The ruleset's text.
    pub ruleset: String,
    /// The policy's row.
    pub policy: String,
    /// Whether it may be frozen from.
    pub run: RunKind,
    /// The meaning of the spec, every setting with its value.
    pub spec: Value,
    /// The candidate's knobs in table order.
    pub knobs: Vec<KnobValue>,
    /// Digest of the candidate.
    pub candidate: String,
    /// What the candidate stands on.
    pub parents: Parents,
    /// How the tuning went.
    pub tuning: TuningSummary,
    /// What the search says about each knob.
    pub flags: Vec<KnobFlags>,
    /// The salt of the held-out seeds.
    pub salt: String,
    /// Attempt since the game's last freeze; 0 in a quick run.
    pub attempt: u32,
    /// Level at which each cell was judged, in billionths.
    pub alpha_ppb: i64,
    /// What the freeze claims.
    pub claim: Claim,
    /// The verdict by cell.
    pub cells: Vec<CellSummary>,
    /// The gates.
    pub gates: Vec<Gate>,
    /// The worst gate.
    pub verdict: Verdict,
    /// Content digest of the ledger's outcome line; absent in a quick run.
    #[serde(default)]
    pub ledger: Option<String>,
    /// Behaviour fingerprint of the candidate.
    pub behaviour: String,
    /// Behaviour fingerprint of the incumbent; absent where there was none.
    #[serde(default)]
    pub incumbent_behaviour: Option<String>,
    /// Checksum of the frozen weights; absent when nothing was frozen.
    #[serde(default)]
    pub weights: Option<String>,
    /// What it cost.
    pub cost: CostSummary,
    /// Digests of the full records by name (`candidate`, `validation`, ...).
    pub records: BTreeMap<String, String>,
    /// Hash of the sources that made it.
    pub source: String,
    /// Version of the tools.
    pub version: String,
}

/// What a run cost, in counted things: wall time is no part of a record that must come out alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostSummary {
    /// Matches played.
    pub matches: u64,
    /// Rounds played.
    pub rounds: u64,
    /// Decisions with a choice.
    pub decisions: u64,
    /// Work units.
    pub work: u64,
}

impl Document for SummaryDoc {
    const FORMAT: Format = format::SUMMARY;

    fn broken_rules(&self) -> Vec<(String, String)> {
        let mut broken = Broken::default();
        broken.domain(&self.game, self.players, &self.ruleset);
        broken.knobs(&self.knobs);
        self.parents.broken(&mut broken);
        broken.digest("candidate", &self.candidate);
        broken.digest("behaviour", &self.behaviour);
        for (name, digest) in &self.records {
            broken.digest(format!("records.{name}"), digest);
        }
        let worst = Verdict::all(self.gates.iter().map(|g| g.verdict));
        broken.when(
            self.verdict != worst,
            "verdict",
            format!("{} written, but the worst gate says {worst}", self.verdict),
        );
        broken.0
    }
}
