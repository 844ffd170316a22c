//! From the records of a run to what a report shows.

use crate::input::{
    Cell, Curve, CurvePoint, Gate, Knob, Move, Position, ReportInput, Response, ResponsePoint,
    Tuning, TuningOpponent,
};
use crate::text::{grouped, milli, share};
use evenhand_artifact::{
    CandidateDoc, CellResult, Evaluation, KindCell, KnobFlags, LineCurve, Metric, RunKind,
    TableDoc, ValidationDoc, Value, Verdict,
};
use evenhand_stats::{Alpha, Estimate, ReliabilityPoint, fixed, reliability, shown};

/// The records of a run; what is not there yet is left out of the report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Records<'a> {
    /// What tuning found.
    pub candidate: Option<&'a CandidateDoc>,
    /// What validation found.
    pub validation: Option<&'a ValidationDoc>,
    /// The tables that the candidate plays with.
    pub tables: &'a [TableDoc],
}

impl ReportInput {
    /// What these records show. Rows, ablations and notes are the caller's to add.
    #[must_use]
    pub fn of(records: &Records<'_>) -> Self {
        let mut input = Self::default();
        if let Some(c) = records.candidate {
            take_candidate(&mut input, c);
        }
        if let Some(v) = records.validation {
            take_validation(&mut input, v);
        }
        input.curves = records
            .tables
            .iter()
            .flat_map(|t| t.cells.iter().map(|cell| curve(t, cell)))
            .collect();
        input
    }
}

/// An estimate of a record.
#[must_use]
pub const fn estimate(e: &evenhand_artifact::Estimate) -> Estimate {
    Estimate {
        n: e.seeds,
        mean_micro: e.mean_micro,
        interval_micro: e.interval_micro,
        sd_micro: e.sd_micro,
    }
}

/// An estimate of a record for people, with as many digits as its interval supports.
#[must_use]
pub fn estimate_text(e: &evenhand_artifact::Estimate) -> String {
    shown(&estimate(e))
}

/// The facts that every record of a run names; the first record names them.
fn domain(input: &mut ReportInput, experiment: &str, run: RunKind, facts: [(&str, String); 5]) {
    experiment.clone_into(&mut input.title);
    if !input.facts.is_empty() {
        return;
    }
    input.facts = facts.map(|(name, value)| (name.to_owned(), value)).to_vec();
    let kind = match run {
        RunKind::Full => "full (held-out seeds, on record)",
        RunKind::Quick => "quick (rehearsal seeds, not on record; nothing can be frozen from it)",
    };
    input.facts.push(("run".to_owned(), kind.to_owned()));
}

fn take_candidate(input: &mut ReportInput, c: &CandidateDoc) {
    let facts = [
        ("game", c.game.clone()),
        ("players", c.players.to_string()),
        ("ruleset", c.ruleset.clone()),
        ("policy", c.policy.clone()),
        ("candidate", c.candidate.clone()),
    ];
    domain(input, &c.experiment, c.run, facts);
    let t = &c.tuning;
    input.tuning = Some(Tuning {
        seeds: t.seeds,
        rounds: t.rounds,
        sweeps: t.sweeps,
        evaluations: t.evaluations,
        accepted: t.accepted,
        start_micro: t.start_micro,
        end_micro: t.end_micro,
        opponents: t
            .opponents
            .iter()
            .map(|o| TuningOpponent {
                name: o.opponent.clone(),
                share: o.share,
                start_micro: o.start_micro,
                end_micro: o.end_micro,
            })
            .collect(),
    });
    input.knobs = c.flags.iter().map(knob).collect();
    input.moves = moves(&c.trajectory);
    let mut fact = |name: &str, value: String| input.facts.push((name.to_owned(), value));
    fact(
        "a move needed",
        format!("a paired t of at least {}", milli(t.accept_t_milli.into())),
    );
    if t.out_of_budget {
        fact(
            "search",
            "ended by its budget of evaluations, not by itself".to_owned(),
        );
    }
    input.responses = c
        .flags
        .iter()
        .filter_map(|k| line(k, &c.lines).or_else(|| response(k, &c.trajectory)))
        .collect();
}

fn knob(k: &KnobFlags) -> Knob {
    Knob {
        name: k.name.clone(),
        start: k.start,
        value: k.value,
        step: k.step,
        low: k.low,
        high: k.high,
        flags: flags(k),
    }
}

fn flags(k: &KnobFlags) -> Vec<String> {
    let all = [
        (k.flat, "flat"),
        (k.at_bound, "at bound"),
        (k.tie_break_only, "steps at zero only (acts as a tie-break)"),
    ];
    all.into_iter()
        .filter(|f| f.0)
        .map(|f| f.1.to_owned())
        .collect()
}

/// The way of the search. A point that was dropped early was compared on fewer seeds than the current one, so each is
/// drawn at the current point's objective plus its paired difference.
fn moves(trajectory: &[Evaluation]) -> Vec<Move> {
    let mut current = 0;
    let mut moves = Vec::with_capacity(trajectory.len());
    for e in trajectory {
        let drawn = if e.index == 0 {
            e.objective_micro
        } else {
            current + e.difference_micro
        };
        if e.accepted || e.index == 0 {
            current = drawn;
        }
        moves.push(Move {
            index: e.index,
            sweep: e.sweep,
            change: e
                .knob
                .as_ref()
                .zip(e.value)
                .map(|(knob, value)| format!("{knob} = {}", milli(value))),
            objective_micro: drawn,
            accepted: e.accepted || e.index == 0,
        });
    }
    moves
}

/// The last exact curve of a knob; `None` where none was followed.
fn line(k: &KnobFlags, lines: &[LineCurve]) -> Option<Response> {
    let line = lines.iter().rev().find(|line| line.knob == k.name)?;
    let point = |value: i64, objective_micro: i64| ResponsePoint {
        value,
        difference_micro: objective_micro - line.base_micro,
        interval_micro: None,
        accepted: value == k.value,
    };
    let mut points: Vec<ResponsePoint> = (line.samples.iter())
        .filter(|s| s.value != line.base)
        .map(|s| point(s.value, s.objective_micro))
        .collect();
    points.push(point(line.base, line.base_micro));
    points.sort_by_key(|p| p.value);
    Some(Response {
        knob: k.name.clone(),
        value: k.value,
        points,
        flags: flags(k),
    })
}

/// Every value tried of a knob; `None` when none was.
fn response(k: &KnobFlags, trajectory: &[Evaluation]) -> Option<Response> {
    let tried = trajectory
        .iter()
        .filter(|e| e.knob.as_deref() == Some(k.name.as_str()));
    let points: Vec<ResponsePoint> = tried
        .filter_map(|e| {
            Some(ResponsePoint {
                value: e.value?,
                difference_micro: e.difference_micro,
                interval_micro: e.interval_micro,
                accepted: e.accepted,
            })
        })
        .collect();
    (!points.is_empty()).then(|| Response {
        knob: k.name.clone(),
        value: k.value,
        points,
        flags: flags(k),
    })
}

fn take_validation(input: &mut ReportInput, v: &ValidationDoc) {
    let facts = [
        ("game", v.game.clone()),
        ("players", v.players.to_string()),
        ("ruleset", v.ruleset.clone()),
        ("policy", v.policy.clone()),
        ("candidate", v.candidate.clone()),
    ];
    domain(input, &v.experiment, v.run, facts);
    let mut fact = |name: &str, value: String| input.facts.push((name.to_owned(), value));
    if v.attempt > 0 {
        fact(
            "attempt",
            format!("{} since the game's last freeze", v.attempt),
        );
    }
    if !v.salt.is_empty() {
        fact("salt", v.salt.clone());
    }
    fact(
        "level of a cell",
        format!(
            "{} %",
            fixed(v.alpha_ppb / 10, 4)
                .trim_end_matches('0')
                .trim_end_matches('.')
        ),
    );
    fact("behaviour", v.behaviour.clone());
    let shared = if v.deals_shared == 0 {
        "none shared".to_owned()
    } else {
        format!("{} SHARED", v.deals_shared)
    };
    fact(
        "deals compared with tuning",
        format!("{}, {shared}", grouped(v.deals_compared)),
    );
    if let Some(milli_errors) = v.cell_disagreement_milli {
        let errors = milli(milli_errors);
        fact(
            "cells of different length disagree by at most",
            format!("{errors} standard errors"),
        );
    }
    input.verdict = Some(v.verdict);
    input.gates = v
        .gates
        .iter()
        .map(|g| Gate {
            name: g.name.clone(),
            verdict: g.verdict,
            reason: g.reason.clone(),
        })
        .collect();
    input.cells = v.cells.iter().map(cell).collect();
    input.headline = worst(&input.cells);
    let invalid: Vec<String> = input
        .cells
        .iter()
        .filter(|c| c.verdict == Some(Verdict::Invalid))
        .map(|c| {
            format!(
                "against {}, {} rounds: {}",
                c.opponent,
                c.rounds,
                share(c.fallbacks[0], c.decisions[0])
            )
        })
        .collect();
    if v.verdict == Verdict::Invalid || !invalid.is_empty() {
        let cells = if invalid.is_empty() {
            String::new()
        } else {
            format!(" ({})", invalid.join("; "))
        };
        input.warning = Some(format!(
            "This run is invalid: too many decisions fell back{cells}. Its numbers are no evidence."
        ));
    }
    input.positions = v
        .positions
        .iter()
        .chain(&v.suite_changes)
        .map(position)
        .collect();
    input.positions_found = v.positions_found + v.suite_changes.len() as u64;
}

fn cell(c: &CellResult) -> Cell {
    Cell {
        opponent: c.against.clone(),
        rounds: c.rounds,
        estimate: estimate(&c.estimate),
        margin_micro: c.margin_micro,
        verdict: Some(c.verdict),
        more_seeds: c.seeds_to_settle,
        decisions: [c.fallbacks.decisions, c.opponent_fallbacks.decisions],
        fallbacks: [c.fallbacks.total(), c.opponent_fallbacks.total()],
        metrics: c.metrics.iter().map(metric).collect(),
    }
}

fn metric(m: &Metric) -> (String, Option<i64>, Option<i64>) {
    let mean = |sum: i64, below: u64| {
        let below = i128::from(below);
        let half = if sum < 0 { -below / 2 } else { below / 2 };
        (below > 0).then(|| ((i128::from(sum) * 1_000_000 + half) / below) as i64)
    };
    (
        m.name.clone(),
        mean(m.a_sum, m.a_seat_rounds),
        mean(m.b_sum, m.b_seat_rounds),
    )
}

/// The cell that decides: the one whose lower bound is the least above its margin; an undefined one comes first.
fn worst(cells: &[Cell]) -> Option<String> {
    let c = cells.iter().min_by_key(|c| {
        c.estimate
            .interval_micro
            .map(|i| i.0.saturating_sub(c.margin_micro))
    })?;
    Some(format!(
        "The weakest of {} cells, against {} over {} rounds: {} points a round.",
        cells.len(),
        c.opponent,
        c.rounds,
        shown(&c.estimate)
    ))
}

/// A position of a record, its hand first.
#[must_use]
pub fn position(p: &evenhand_artifact::Position) -> Position {
    let mut fields = Vec::new();
    if let Value::Object(view) = &p.view {
        // What a player looks at first comes first; the rest follows by name.
        let first = ["hand", "field", "table", "counts"];
        let (mut head, tail): (Vec<_>, Vec<_>) =
            view.iter().partition(|f| first.contains(&f.0.as_str()));
        head.sort_by_key(|f| first.iter().position(|n| n == f.0));
        fields = head
            .into_iter()
            .chain(tail)
            .map(|(name, value)| (name.replace('_', " "), plain(value)))
            .collect();
    }
    Position {
        place: p.place.clone(),
        fields,
        candidate: p.candidate.clone(),
        incumbent: p.incumbent.clone(),
        gain: p.gain,
    }
}

/// A value as a line of text.
fn plain(value: &Value) -> String {
    match value {
        Value::Bool(b) => (if *b { "yes" } else { "no" }).to_owned(),
        Value::Int(n) => n.to_string(),
        Value::Text(text) if text.is_empty() => "-".to_owned(),
        Value::Text(text) => text.clone(),
        Value::List(items) if items.is_empty() => "-".to_owned(),
        Value::List(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| format!("{name} {}", plain(value)))
            .collect::<Vec<_>>()
            .join("; "),
    }
}

/// The observed rate at each raw estimate, with bands by situations: the re-deals of one situation are one cluster.
fn curve(table: &TableDoc, cell: &KindCell) -> Curve {
    let samples = u64::from(table.samples).max(1);
    let point = |p: &evenhand_artifact::Point| {
        let trials = u128::from(p.situations) * u128::from(samples);
        let happened = (u128::from(p.hits) * 1_000_000 + trials / 2).checked_div(trials)?;
        let one = ReliabilityPoint {
            believed_ppm: 0,
            count: p.situations,
            hits: (p.hits + samples / 2) / samples,
        };
        let bands = reliability(&[one], Alpha::FIVE_PERCENT).bands;
        Some(CurvePoint {
            believed_ppm: p.raw,
            happened_ppm: happened as i64,
            band_ppm: bands
                .first()
                .map(|b| (i64::from(b.low_ppm), i64::from(b.high_ppm))),
            count: p.situations,
        })
    };
    let note = if cell.exact {
        "exact, so not mapped".to_owned()
    } else {
        format!(
            "{} situations, {} re-deals each",
            grouped(cell.situations),
            grouped(samples)
        )
    };
    Curve {
        name: cell.kind.clone(),
        note,
        points: cell.points.iter().filter_map(point).collect(),
    }
}
