//! Whether a table still earns its place: the same policy with it and without.

use evenhand_contract::{Border, Game, Maps, Policy, Setup, fallback_rate_is_valid};
use evenhand_sim::{
    Control, Execution, Exploration, MatchPlan, RunError, SeedTally, Seeds, SeedsError, a_sums,
    denominator, digest, run,
};
use evenhand_stats::{
    Alpha, Comparison, Estimate, StatsError, differences, mean_estimate, paired, seeds_to_settle,
};
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
    /// Where that interval holds zero: about how many more seeds would settle it.
    pub more_seeds: Option<u64>,
}

/// What the table earns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Earned {
    /// The policy with its table against itself without: mean settlement a round of the former.
    pub head_to_head: Estimate,
    /// Against each simple style.
    pub styles: Vec<Against>,
    /// Whether the table changed nothing at all: every tally against every style is the same with
    /// and without it, and each seed head to head comes to exactly zero.
    pub unchanged: bool,
    /// Where the head-to-head interval holds zero: about how many more seeds would settle it with
    /// a chance of 80 %, if the difference is what it looks like.
    pub more_seeds: Option<u64>,
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
    let mut unchanged = tallies.iter().all(|tally| tally.a.settlement == 0);
    let mut against = Vec::with_capacity(styles.len());
    for style in styles {
        let (with_table, without) = (play(policy, style)?, play(&raw, style)?);
        unchanged &= with_table
            .iter()
            .map(outcome)
            .eq(without.iter().map(outcome));
        let (with_table, without) = (a_sums(&with_table), a_sums(&without));
        let values = differences(&with_table, &without)?;
        against.push(Against {
            opponent: style.row.name,
            more_seeds: more_seeds(&mean_estimate(&values, whole, ALPHA_PPM)),
            with_table: mean_estimate(&with_table, whole, ALPHA_PPM),
            raw: mean_estimate(&without, whole, ALPHA_PPM),
            difference: paired(&with_table, &without, whole, ALPHA_PPM)?,
        });
    }
    let head_to_head = mean_estimate(&a_sums(&tallies), whole, ALPHA_PPM);
    Ok(Earned {
        styles: against,
        unchanged,
        more_seeds: more_seeds(&head_to_head),
        head_to_head,
        digest: digest(&tallies),
        valid,
    })
}

/// Where an interval holds zero: about how many more seeds would show, with a chance of 80 %, which
/// side of it the difference is on. `None` where nothing differs.
fn more_seeds(estimate: &Estimate) -> Option<u64> {
    let (low, high) = estimate.interval_micro?;
    if low > 0 || high < 0 || low == high {
        return None;
    }
    let more = seeds_to_settle(estimate, 0, Alpha::from_ppm(ALPHA_PPM / 2), 800_000)?;
    Some(more.max(1))
}

/// A tally less the work that it took: what came of the decisions.
fn outcome(tally: &SeedTally) -> SeedTally {
    let mut tally = tally.clone();
    for side in [&mut tally.a, &mut tally.b] {
        (side.work_sum, side.work_max) = (0, 0);
    }
    tally
}
