//! The cells of a validation: who is played, at which match length, on how many seeds.

use evenhand_artifact::Claim;
use evenhand_cli::load::simple_styles;
use evenhand_contract::{Border, Estimates, Maps, Policy};
use evenhand_tune::{Experiment, INCUMBENT};

/// The loss a round that is tolerated when no gain is claimed, in millionths of a point.
pub const NO_LOSS_MARGIN_MICRO: i64 = 50_000;

/// One cell before it is played.
#[derive(Clone, Debug)]
pub struct Cell<G: Border> {
    /// Who is played against.
    pub against: String,
    /// The policy that plays for it.
    pub policy: Policy<G>,
    /// Rounds a match.
    pub rounds: u32,
    /// Seeds.
    pub seeds: u32,
    /// What is claimed.
    pub claim: Claim,
    /// What the mean must be above: 0, or minus the tolerated loss.
    pub floor_micro: i64,
    /// What the cell's seeds are minted for. Opponents of one kind share seeds.
    pub label: String,
}

/// What a freeze of the experiment would claim.
#[must_use]
pub fn claim<G: Estimates>(experiment: &Experiment<G>) -> Claim {
    match (&experiment.incumbent, experiment.spec.freeze.claim) {
        (None, _) => Claim::First,
        (Some(_), Some(Claim::NoLoss)) => Claim::NoLoss,
        (Some(_), _) => Claim::Gain,
    }
}

/// The cells of an experiment: each simple style at each match length, then the incumbent, whose
/// head-to-head seeds are spread evenly over the match lengths. A style that reads a table plays by
/// the candidate's `maps`.
#[must_use]
pub fn cells<G: Estimates + Border>(experiment: &Experiment<G>, maps: &Maps) -> Vec<Cell<G>> {
    let spec = &experiment.spec.validate;
    let players = experiment.setup.players;
    let mut cells = Vec::new();
    for &rounds in &spec.rounds {
        for policy in simple_styles::<G>(maps) {
            cells.push(Cell {
                against: policy.row.name.to_owned(),
                policy,
                rounds,
                seeds: spec.seeds,
                claim: Claim::First,
                floor_micro: 0,
                label: format!("players={players} rounds={rounds}"),
            });
        }
    }
    let Some(incumbent) = &experiment.incumbent else {
        return cells;
    };
    let claim = claim(experiment);
    for &rounds in &spec.rounds {
        cells.push(Cell {
            against: INCUMBENT.to_owned(),
            policy: incumbent.policy.clone(),
            rounds,
            seeds: spec.head_to_head.div_ceil(spec.rounds.len() as u32).max(1),
            claim,
            floor_micro: match claim {
                Claim::NoLoss => -NO_LOSS_MARGIN_MICRO,
                _ => 0,
            },
            label: format!("players={players} rounds={rounds} head-to-head"),
        });
    }
    cells
}
