//! Whether a table still earns its place: the same policy with it and without.

use evenhand_contract::{Border, Game, Maps, Policy, Setup, fallback_rate_is_valid};
use evenhand_sim::{
    Control, Execution, Exploration, MatchPlan, RunError, SeedTally, Seeds, SeedsError, a_sums,
    denominator, digest, run,
};
use evenhand_stats::{Comparison, Estimate, StatsError, mean_estimate, paired};
use serde::Serialize;

/// Chance of an interval to miss, in ppm.
const ALPHA_PPM: u32 = 50_000;

/// What people choose about the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EarnSettings {
    /// First seed of the exploration split.
    pub first_seed: u64,
    /// Seeds, counted up from the first.
    pub seeds: u32,
    /// Rounds a match.
    pub rounds: u32,
}

/// Why there is no comparison.
#[derive(Debug, thiserror::Error)]
pub enum EarnError {
    /// Seeds that are none.
    #[error(transparent)]
    Seeds(#[from] SeedsError),
    /// Play broke off or was interrupted.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The runs do not pair.
    #[error(transparent)]
    Stats(#[from] StatsError),
}

/// The policy against one opponent, with its table and without.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Against {
    /// The opponent.
    pub opponent: &'static str,
    /// A's mean settlement a round with the table.
    pub with_table: Estimate,
    /// The same with the raw estimator.
    pub raw: Estimate,
    /// Paired difference on the same seeds, with minus raw.
    pub difference: Comparison,
}

/// What the table earns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Earned {
    /// The policy with its table against itself without: mean settlement a round of the former.
    pub head_to_head: Estimate,
    /// Against each simple style.
    pub styles: Vec<Against>,
    /// Digest of the head-to-head tallies.
    pub digest: String,
    /// Whether fallbacks of every run are within bounds.
    pub valid: bool,
}

/// Plays a policy with its maps against itself without, and both against each simple style, on the
/// same seeds.
///
/// # Errors
/// When seeds are out of range, play fails or the run is interrupted.
pub fn earn<G: Game + Border>(
    setup: &Setup<G>,
    policy: &Policy<G>,
    styles: &[Policy<G>],
    settings: &EarnSettings,
    execution: &Execution,
    control: &mut dyn Control,
) -> Result<Earned, EarnError> {
    let seeds = Seeds::<Exploration>::range(settings.first_seed, settings.seeds.into())?;
    let raw = Policy {
        maps: Maps::identity(0),
        ..policy.clone()
    };
    let whole = denominator(setup.players, settings.rounds);
    let mut valid = true;
    let mut play = |a: &Policy<G>, b: &Policy<G>| -> Result<Vec<SeedTally>, RunError> {
        let plan = MatchPlan {
            setup: *setup,
            rounds: settings.rounds,
            a: a.clone(),
            b: b.clone(),
            work_limit: G::WORK_LIMIT,
        };
        let tallies = run(&plan, &seeds, execution, control)?;
        for tally in &tallies {
            for side in [&tally.a, &tally.b] {
                let fallbacks = side.fallbacks.iter().sum();
                valid &= fallback_rate_is_valid(fallbacks, side.decisions);
            }
        }
        Ok(tallies)
    };
    let tallies = play(policy, &raw)?;
    let mut against = Vec::with_capacity(styles.len());
    for style in styles {
        let with_table = a_sums(&play(policy, style)?);
        let without = a_sums(&play(&raw, style)?);
        against.push(Against {
            opponent: style.row.name,
            with_table: mean_estimate(&with_table, whole, ALPHA_PPM),
            raw: mean_estimate(&without, whole, ALPHA_PPM),
            difference: paired(&with_table, &without, whole, ALPHA_PPM)?,
        });
    }
    Ok(Earned {
        head_to_head: mean_estimate(&a_sums(&tallies), whole, ALPHA_PPM),
        styles: against,
        digest: digest(&tallies),
        valid,
    })
}
