//! What the report of a run shows, from its records.

use evenhand_artifact::{
    CandidateDoc, Estimate, Fallbacks, Position, TableDoc, ValidationDoc, Value, Verdict,
};
use evenhand_contract::Game;
use evenhand_report as shown;
use evenhand_sim::{SeedTally, SideTally};
use evenhand_stats::Sums;

/// Everything that the report of a validated candidate shows.
#[must_use]
pub fn input<G: Game>(
    candidate: &CandidateDoc,
    validation: &ValidationDoc,
    table: Option<&TableDoc>,
    tallies: &[Vec<SeedTally>],
) -> shown::ReportInput {
    let tuning = &candidate.tuning;
    let invalid = validation.verdict == Verdict::Invalid;
    let attempt = match validation.attempt {
        0 => "none: a rehearsal is on no record".to_owned(),
        n => n.to_string(),
    };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let disagreement = validation.cell_disagreement_milli.map_or_else(
        || "undefined".to_owned(),
        |milli| format!("{}.{:03} standard errors", milli / 1_000, milli % 1_000),
    );
    shown::ReportInput {
        title: validation.experiment.clone(),
        headline: Some(format!(
            "The candidate {}.",
            verdict_phrase(validation.verdict)
        )),
        verdict: Some(shown::verdict(validation.verdict.name())),
        warning: invalid.then(|| "This run is invalid: its numbers are no evidence.".to_owned()),
        facts: vec![
            fact("Game", validation.game.clone()),
            fact("Players", validation.players.to_string()),
            fact("Ruleset", validation.ruleset.clone()),
            fact("Policy", validation.policy.clone()),
            fact("Candidate", validation.candidate.clone()),
            fact("Tables", validation.parents.tables.join(", ")),
            fact(
                "Incumbent",
                validation
                    .parents
                    .incumbent
                    .clone()
                    .unwrap_or_else(|| "none".to_owned()),
            ),
            fact("Attempt", attempt),
            fact("Level (billionths)", validation.alpha_ppb.to_string()),
            fact("Largest disagreement of cells", disagreement),
            fact(
                "Deals compared with the tuning's",
                format!(
                    "{}, {} in common",
                    validation.deals_compared, validation.deals_shared
                ),
            ),
        ],
        gates: (validation.gates.iter())
            .map(|g| shown::Gate {
                name: g.name.clone(),
                verdict: shown::verdict(g.verdict.name()),
                reason: g.reason.clone(),
            })
            .collect(),
        cells: validation.cells.iter().map(cell).collect(),
        tuning: Some(shown::Tuning {
            seeds: tuning.seeds,
            rounds: tuning.rounds,
            sweeps: tuning.sweeps,
            evaluations: tuning.evaluations,
            accepted: tuning.accepted,
            start_micro: tuning.start_micro,
            end_micro: tuning.end_micro,
            opponents: (tuning.opponents.iter())
                .map(|o| shown::TuningOpponent {
                    name: o.opponent.clone(),
                    share: o.share,
                    start_micro: o.start_micro,
                    end_micro: o.end_micro,
                })
                .collect(),
        }),
        knobs: candidate.flags.iter().map(knob).collect(),
        moves: (candidate.trajectory.iter())
            .map(|e| shown::Move {
                index: e.index,
                sweep: e.sweep,
                change: e.knob.as_ref().map(|knob| {
                    e.value
                        .map_or_else(|| knob.clone(), |value| format!("{knob} = {value}"))
                }),
                objective_micro: e.objective_micro,
                accepted: e.accepted,
            })
            .collect(),
        responses: responses(candidate),
        curves: table.map(curves).unwrap_or_default(),
        ablations: Vec::new(),
        positions: (validation.positions.iter().chain(&validation.suite_changes))
            .map(position)
            .collect(),
        positions_found: validation.positions_found + validation.suite_changes.len() as u64,
        rows: rows::<G>(validation, tallies),
        notes: vec![format!(
            "The tuned gain is measured on the seeds that chose the candidate and overstates by \
             selection; the cells above were played on fresh seeds. Repeat this run with \
             `retune` on the spec of {}.",
            validation.experiment
        )],
    }
}

const fn verdict_phrase(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "passes every gate of the validation",
        Verdict::Fails => "does not pass the validation",
        Verdict::Inconclusive => "is not shown to pass: more seeds are needed",
        Verdict::Invalid => "was not judged: the run is invalid",
    }
}

fn estimate(e: &Estimate) -> evenhand_stats::Estimate {
    shown::estimate(e.seeds, e.mean_micro, e.interval_micro, e.sd_micro)
}

fn cell(cell: &evenhand_artifact::CellResult) -> shown::Cell {
    let mean =
        |sum: i64, count: u64| Sums::of(&[sum]).mean_micro(i64::try_from(count).ok()?.max(1));
    let both = |of: fn(&Fallbacks) -> u64| [of(&cell.fallbacks), of(&cell.opponent_fallbacks)];
    shown::Cell {
        opponent: cell.against.clone(),
        rounds: cell.rounds,
        estimate: estimate(&cell.estimate),
        margin_micro: -cell.margin_micro,
        verdict: Some(shown::verdict(cell.verdict.name())),
        more_seeds: cell.seeds_to_settle,
        decisions: both(|f| f.decisions),
        fallbacks: both(Fallbacks::total),
        metrics: (cell.metrics.iter())
            .map(|m| {
                (
                    m.name.clone(),
                    mean(m.a_sum, m.a_seat_rounds),
                    mean(m.b_sum, m.b_seat_rounds),
                )
            })
            .collect(),
    }
}

fn knob(flag: &evenhand_artifact::KnobFlags) -> shown::Knob {
    let flags = [
        (flag.flat, "flat"),
        (flag.at_bound, "at bound"),
        (flag.tie_break_only, "tie-break only"),
    ];
    shown::Knob {
        name: flag.name.clone(),
        start: flag.start,
        value: flag.value,
        step: flag.step,
        low: flag.low,
        high: flag.high,
        flags: (flags.into_iter())
            .filter(|(set, _)| *set)
            .map(|(_, word)| word.to_owned())
            .collect(),
    }
}

/// What the last sweep saw of each knob.
fn responses(candidate: &CandidateDoc) -> Vec<shown::Response> {
    let last = candidate.tuning.sweeps + 1;
    (candidate.flags.iter())
        .map(|flag| {
            let mut points: Vec<shown::ResponsePoint> = (candidate.trajectory.iter())
                .filter(|e| e.sweep == last && e.knob.as_deref() == Some(flag.name.as_str()))
                .filter_map(|e| {
                    Some(shown::ResponsePoint {
                        value: e.value?,
                        difference_micro: e.difference_micro,
                        interval_micro: e.interval_micro,
                        accepted: e.accepted,
                    })
                })
                .collect();
            points.sort_by_key(|p| p.value);
            points.dedup_by_key(|p| p.value);
            shown::Response {
                knob: flag.name.clone(),
                value: flag.value,
                points,
                flags: Vec::new(),
            }
        })
        .filter(|response| !response.points.is_empty())
        .collect()
}

/// Reliability of the calibrated estimates on the table's own situations.
fn curves(table: &TableDoc) -> Vec<shown::Curve> {
    (table.cells.iter())
        .map(|cell| shown::Curve {
            name: cell.kind.clone(),
            note: match cell.exact {
                true => "exact".to_owned(),
                false => format!(
                    "{} situations x {} re-deals",
                    cell.situations, table.samples
                ),
            },
            points: (cell.points.iter())
                .filter(|p| p.situations > 0)
                .map(|p| {
                    let deals = i128::from(p.situations) * i128::from(table.samples.max(1));
                    shown::CurvePoint {
                        believed_ppm: i64::from(p.ppm),
                        happened_ppm: (i128::from(p.hits) * 1_000_000 / deals) as i64,
                        band_ppm: None,
                        count: p.situations,
                    }
                })
                .collect(),
        })
        .collect()
}

fn position(position: &Position) -> shown::Position {
    let text = |value: &Value| match value {
        Value::Text(text) => text.clone(),
        other => evenhand_artifact::canonical::to_line(other),
    };
    let fields = match &position.view {
        Value::Object(fields) => fields.iter().map(|(k, v)| (k.clone(), text(v))).collect(),
        other => vec![("view".to_owned(), text(other))],
    };
    shown::Position {
        place: position.place.clone(),
        fields,
        candidate: position.candidate.clone(),
        incumbent: position.incumbent.clone(),
        gain: position.gain,
    }
}

/// One row a cell and seed.
#[must_use]
pub fn rows<G: Game>(
    validation: &ValidationDoc,
    tallies: &[Vec<SeedTally>],
) -> Vec<shown::SeedRow> {
    let side = |side: &SideTally| shown::SideSums {
        settlement: side.settlement,
        seat_rounds: side.seat_rounds,
        decisions: side.decisions,
        fallbacks: side.all_fallbacks(),
        work: side.work_sum,
        work_max: side.work_max,
        metrics: (G::METRICS.iter())
            .zip(&side.metrics)
            .map(|(row, sum)| (row.name.to_owned(), *sum))
            .collect(),
    };
    (validation.cells.iter().zip(tallies))
        .flat_map(|(cell, tallies)| {
            tallies.iter().map(move |tally| shown::SeedRow {
                game: validation.game.clone(),
                players: u32::from(validation.players),
                ruleset: validation.ruleset.clone(),
                cell: format!("{} at {} rounds", cell.against, cell.rounds),
                policy: validation.candidate.clone(),
                opponent: cell.against.clone(),
                rounds_per_match: cell.rounds,
                seed: tally.seed.clone(),
                matches: tally.matches,
                rounds: tally.rounds,
                a: side(&tally.a),
                b: side(&tally.b),
            })
        })
        .collect()
}
