//! What a parameter of the estimator does to declarations: play at each of its values.

use crate::audit::{Resolutions, rounded};
use crate::collect::{Source, Want, collect};
use crate::{CalibrateError, Watch};
use evenhand_cli::load::simple_styles;
use evenhand_contract::{Border, Estimates, Maps, Parameter, Policy, SeedId, Setup, Split};
use evenhand_sim::{
    Execution, Exploration, MatchPlan, RunError, Seeds, SeedsError, Uncontrolled, a_sums,
    denominator, run,
};
use evenhand_stats::{Estimate, mean_estimate};
use serde::Serialize;

/// Chance of an interval to miss, in ppm.
const ALPHA_PPM: u32 = 50_000;

/// What people choose about a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SweepSettings {
    /// Seed of the exploration split whose deals are played for beliefs, and the first of those
    /// on which points are compared.
    pub seed: u64,
    /// Rounds that are played for beliefs at each value, at least.
    pub rounds: u32,
    /// Seeds on which points are compared at each value; a seed has 2 x players matches.
    pub seeds: u32,
    /// Rounds of such a match.
    pub match_rounds: u32,
}

/// Play at one value of the parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SweepRow {
    /// The value, with the estimator's raw output believed; `None` is the policy as it was given,
    /// with its maps.
    pub value: Option<i64>,
    /// Chances to stake on an answer that a policy was asked to judge.
    pub chances: u64,
    /// Mean belief over the chances, in ppm.
    pub chance_believed_ppm: u64,
    /// How often the answer was yes over the chances, in ppm.
    pub chance_actual_ppm: u64,
    /// Chances that it staked on.
    pub declared: u64,
    /// Stakes lost.
    pub penalties: u64,
    /// Mean belief over the stakes, in ppm.
    pub believed_ppm: u64,
    /// How often the answer was yes over the stakes, in ppm.
    pub actual_ppm: u64,
    /// Mean settlement a round against the policy as it was given, over every arrangement.
    pub points: Estimate,
}

/// Why there is no sweep.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Play for beliefs broke off.
    #[error(transparent)]
    Play(#[from] CalibrateError),
    /// Seeds that are none.
    #[error(transparent)]
    Seeds(#[from] SeedsError),
    /// Matches broke off.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Plays the policy at each value of the parameter in `place` of the game's list, and as it was
/// given. Kinds on which no decision stakes are left out of the counts.
///
/// # Errors
/// When play fails or is interrupted.
///
/// # Panics
/// When the game has no such parameter.
pub fn sweep<G: Estimates + Border>(
    setup: &Setup<G>,
    policy: &Policy<G>,
    place: usize,
    settings: &SweepSettings,
    workers: usize,
    watch: &mut dyn Watch,
) -> Result<Vec<SweepRow>, SweepError> {
    let mut rows = Vec::new();
    let parameter = &G::PARAMETERS[place];
    let held: Vec<i64> = (0..G::PARAMETERS.len())
        .map(|place| policy.maps.parameter(G::PARAMETERS, place))
        .collect();
    for value in parameter.grid() {
        let mut values = held.clone();
        values[place] = value;
        let moved = Policy {
            maps: Maps::identity(G::KINDS.len()).with_parameters(&values),
            ..policy.clone()
        };
        rows.push(row(
            setup,
            &moved,
            policy,
            Some(value),
            settings,
            workers,
            watch,
        )?);
    }
    rows.push(row(setup, policy, policy, None, settings, workers, watch)?);
    Ok(rows)
}

fn row<G: Estimates + Border>(
    setup: &Setup<G>,
    moved: &Policy<G>,
    given: &Policy<G>,
    value: Option<i64>,
    settings: &SweepSettings,
    workers: usize,
    watch: &mut dyn Watch,
) -> Result<SweepRow, SweepError> {
    SeedId::number(settings.seed).map_err(CalibrateError::from)?;
    let styles: Vec<Policy<G>> = simple_styles(&moved.maps).collect();
    let source = Source {
        setup,
        policy: moved,
        styles: &styles,
        split: Split::Exploration,
        seed: settings.seed,
        workers,
    };
    let want = Want {
        most: 0,
        least: 0,
        least_rounds: settings.rounds,
        most_rounds: settings.rounds,
        exact: true,
    };
    let collected = collect(&source, &want, watch)?;
    let (mut chances, mut staked) = (Resolutions::default(), Resolutions::default());
    for (all, some) in collected.resolved.into_iter().zip(collected.staked) {
        if some.any() {
            chances.join(all);
            staked.join(some);
        }
    }
    let plan = MatchPlan {
        setup: *setup,
        rounds: settings.match_rounds,
        a: moved.clone(),
        b: given.clone(),
        work_limit: G::WORK_LIMIT,
    };
    let seeds = Seeds::<Exploration>::range(settings.seed, settings.seeds.into())?;
    let execution = Execution::with_workers(workers);
    let tallies = run(&plan, &seeds, &execution, &mut Uncontrolled)?;
    let whole = denominator(setup.players, settings.match_rounds);
    let ((asked, yes), (declared, won)) = (chances.counts(), staked.counts());
    Ok(SweepRow {
        value,
        chances: asked,
        chance_believed_ppm: rounded(chances.believed_sum(), asked),
        chance_actual_ppm: rounded(yes * 1_000_000, asked),
        declared,
        penalties: declared - won,
        believed_ppm: rounded(staked.believed_sum(), declared),
        actual_ppm: rounded(won * 1_000_000, declared),
        points: mean_estimate(&a_sums(&tallies), whole, ALPHA_PPM),
    })
}

/// The place of the parameter of this name in the game's list.
#[must_use]
pub fn parameter_place<G: Estimates>(name: &str) -> Option<usize> {
    let rows: &[Parameter] = G::PARAMETERS;
    rows.iter().position(|row| row.name == name)
}
