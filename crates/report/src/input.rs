//! What a report is made from. Plain data: whoever has records fills in what there is, and what is empty is left out
//! of the report. `_micro` is millionths of a point a round, knob values are thousandths.

use evenhand_artifact::Verdict;
use evenhand_stats::{Estimate, Pairing};

/// Everything a report shows.
#[derive(Clone, Debug, Default)]
pub struct ReportInput {
    /// Heading, such as the experiment's name.
    pub title: String,
    /// One sentence that says what came out, if there is one.
    pub headline: Option<String>,
    /// The verdict over all gates, if there is one.
    pub verdict: Option<Verdict>,
    /// Set when the run is invalid (too many fallbacks) or otherwise no evidence: the reason, shown on top of all.
    pub warning: Option<String>,
    /// Name and value: game, players, ruleset, digests, seeds, attempt, level.
    pub facts: Vec<(String, String)>,
    /// The gates.
    pub gates: Vec<Gate>,
    /// Held-out results by cell.
    pub cells: Vec<Cell>,
    /// How the tuning went.
    pub tuning: Option<Tuning>,
    /// The knobs, in table order.
    pub knobs: Vec<Knob>,
    /// The way of the search.
    pub moves: Vec<Move>,
    /// The response of each knob.
    pub responses: Vec<Response>,
    /// Reliability curves, one a question.
    pub curves: Vec<Curve>,
    /// Ablations, in the order to be shown.
    pub ablations: Vec<Ablation>,
    /// Positions played differently.
    pub positions: Vec<Position>,
    /// How many such positions there were in all, of which `positions` shows some.
    pub positions_found: u64,
    /// Per-seed rows for the Parquet file.
    pub rows: Vec<SeedRow>,
    /// Closing remarks, one a paragraph (the command that repeats the run, and so on).
    pub notes: Vec<String>,
}

/// A condition.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Its name.
    pub name: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
}

/// One cell: the candidate against an opponent at one match length.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The opponent.
    pub opponent: String,
    /// Rounds a match.
    pub rounds: u32,
    /// Mean settlement of the candidate a round, both directions pooled.
    pub estimate: Estimate,
    /// What it has to be above (negative for non-inferiority).
    pub margin_micro: i64,
    /// The cell's verdict; `None` where nothing was claimed.
    pub verdict: Option<Verdict>,
    /// More seeds that would settle it, where inconclusive and known.
    pub more_seeds: Option<u64>,
    /// Decisions with a choice, candidate and opponent.
    pub decisions: [u64; 2],
    /// Fallbacks among them.
    pub fallbacks: [u64; 2],
    /// Secondary metrics: name, the candidate's and the opponent's mean a seat-round in millionths.
    pub metrics: Vec<(String, Option<i64>, Option<i64>)>,
}

/// How the tuning went: on the seeds that chose the candidate, so the gain overstates by selection.
#[derive(Clone, Debug, Default)]
pub struct Tuning {
    /// Tuning seeds.
    pub seeds: u64,
    /// Rounds a match.
    pub rounds: u32,
    /// Sweeps done.
    pub sweeps: u32,
    /// Points evaluated.
    pub evaluations: u32,
    /// Moves accepted.
    pub accepted: u32,
    /// Objective at the start.
    pub start_micro: i64,
    /// Objective of the candidate.
    pub end_micro: i64,
    /// By opponent.
    pub opponents: Vec<TuningOpponent>,
}

/// One opponent of the pool.
#[derive(Clone, Debug)]
pub struct TuningOpponent {
    /// Its name.
    pub name: String,
    /// Its share.
    pub share: u32,
    /// Objective against it at the start.
    pub start_micro: i64,
    /// Objective against it at the end.
    pub end_micro: i64,
}

/// One knob.
#[derive(Clone, Debug)]
pub struct Knob {
    /// Its name.
    pub name: String,
    /// Value before, in thousandths.
    pub start: i64,
    /// Value now.
    pub value: i64,
    /// Step of the search.
    pub step: i64,
    /// Lowest value allowed.
    pub low: i64,
    /// Highest value allowed.
    pub high: i64,
    /// What the search noticed: `flat`, `at bound`, `tie-break only`.
    pub flags: Vec<String>,
}

/// One evaluation of the search.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its number.
    pub index: u32,
    /// Its sweep.
    pub sweep: u32,
    /// What was tried; `None` for the first point.
    pub change: Option<String>,
    /// Its objective.
    pub objective_micro: i64,
    /// Whether it became the current point.
    pub accepted: bool,
}

/// What the search or a sweep learned about one knob.
#[derive(Clone, Debug)]
pub struct Response {
    /// The knob.
    pub knob: String,
    /// Its final value, in thousandths.
    pub value: i64,
    /// The points tried.
    pub points: Vec<ResponsePoint>,
    /// Flags of a sweep.
    pub flags: Vec<String>,
}

/// One value of a knob.
#[derive(Clone, Debug)]
pub struct ResponsePoint {
    /// The value, in thousandths.
    pub value: i64,
    /// Paired difference to the point that was current.
    pub difference_micro: i64,
    /// Its interval.
    pub interval_micro: Option<(i64, i64)>,
    /// Whether it was accepted.
    pub accepted: bool,
}

/// Believed against happened, for one question.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The question.
    pub name: String,
    /// What to know about it (exact, count, Brier score).
    pub note: String,
    /// Rising in `believed_ppm`.
    pub points: Vec<CurvePoint>,
}

/// One point of a reliability curve.
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint {
    /// Believed, parts per million.
    pub believed_ppm: i64,
    /// Happened, parts per million.
    pub happened_ppm: i64,
    /// The band around it; `None` draws none.
    pub band_ppm: Option<(i64, i64)>,
    /// Cases behind it.
    pub count: u64,
}

/// A knob or stage switched off.
#[derive(Clone, Debug)]
pub struct Ablation {
    /// What was switched off.
    pub name: String,
    /// Difference to the full policy (negative: it was missed).
    pub estimate: Estimate,
    /// Paired or not.
    pub pairing: Pairing,
    /// p value after Holm's correction, parts per million.
    pub adjusted_p_ppm: Option<u32>,
    /// Such as `no decision changed`.
    pub flags: Vec<String>,
}

/// A position that two policies play differently.
#[derive(Clone, Debug)]
pub struct Position {
    /// Where it stood.
    pub place: String,
    /// Name and text of each thing seen, in the order to be shown; texts that are cards are drawn as such.
    pub fields: Vec<(String, String)>,
    /// What the candidate plays.
    pub candidate: String,
    /// What the incumbent plays.
    pub incumbent: String,
    /// What the candidate gained in that round, in points; `None` where it was not played out.
    pub gain: Option<i64>,
}

/// One seed of one cell, as exact sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedRow {
    /// The game.
    pub game: String,
    /// Players.
    pub players: u32,
    /// The ruleset.
    pub ruleset: String,
    /// The cell's name.
    pub cell: String,
    /// A's policy or digest.
    pub policy: String,
    /// B's name.
    pub opponent: String,
    /// Rounds a match.
    pub rounds_per_match: u32,
    /// The seed as text (a number, or hex of a minted one).
    pub seed: String,
    /// Matches played.
    pub matches: u64,
    /// Rounds played in them.
    pub rounds: u64,
    /// A's sums.
    pub a: SideSums,
    /// B's sums.
    pub b: SideSums,
}

/// Exact sums of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideSums {
    /// Settlement.
    pub settlement: i64,
    /// Seats times rounds.
    pub seat_rounds: u64,
    /// Decisions with a choice.
    pub decisions: u64,
    /// Fallbacks of all causes.
    pub fallbacks: u64,
    /// Work units.
    pub work: u64,
    /// The most that one decision used.
    pub work_max: u64,
    /// Secondary metrics: name and sum, the same names in the same order in every row.
    pub metrics: Vec<(String, i64)>,
}
