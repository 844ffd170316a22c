//! What the report of a run shows, from its records.

use evenhand_artifact::{CandidateDoc, TableDoc, ValidationDoc};
use evenhand_contract::Game;
use evenhand_report as shown;
use evenhand_sim::{SeedTally, SideTally};

/// Everything that the report of a validated candidate shows.
#[must_use]
pub fn input<G: Game>(
    candidate: &CandidateDoc,
    validation: &ValidationDoc,
    tables: &[TableDoc],
    tallies: &[Vec<SeedTally>],
) -> shown::ReportInput {
    let mut input = shown::ReportInput::of(&shown::Records {
        candidate: Some(candidate),
        validation: Some(validation),
        tables,
    });
    input.rows = rows::<G>(validation, tallies);
    input.notes.push(format!(
        "The tuned gain is measured on the seeds that chose the candidate and overstates by \
         selection; the cells were played on fresh seeds. `retune` on the spec of {} repeats this \
         run.",
        validation.experiment
    ));
    input
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
