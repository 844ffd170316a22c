//! `measure`: A against B on duplicate deals, with an interval over seeds.

mod output;
mod times;
mod watch;

#[cfg(test)]
mod tests;

use crate::wall::Stopwatch;
use anyhow::{Context, anyhow};
use clap::Parser;
use evenhand_cli::args::{ForceArg, GameArgs, JsonArg, WorkersArg, rounds, seed, seeds};
use evenhand_cli::knobs::SetSidesArgs;
use evenhand_cli::load::{self, Loaded, TableFrom, WeightsFrom};
use evenhand_cli::{Exit, Progress, Verb, dispatch, fail, print, print_json};
use evenhand_contract::{Border, Estimates, SeedId};
use evenhand_sim::{
    Execution, Exploration, MatchPlan, RunError, SeedTally, Seeds, run as play, run_observed,
};
use output::Outcome;
use std::path::{Path, PathBuf};
use times::Times;
use watch::{Alike, Sink, Watch, Watching};

const EXAMPLE: &str = "\
Example:
  measure --game lexio --players 5 --rounds 5 --a hard --b easy --seeds 64

One seed is 2N matches on the same deals: the focal seat rotates through all N seats, once as the
lone A among Bs and once as the lone B among As. The headline is A's mean settlement a round over
all of A's seat-rounds, both directions pooled: the sum of A's settlements / (seeds x N x N x
rounds a match). Deals come from the exploration split, so nothing measured here was tuned on or
will be validated on.

JSON (--json): `mean_micro` and `interval95_micro` in millionths of a point a round (null: fewer
than two seeds), `metrics` by side in millionths a seat-round, `decisions` and `fallbacks` where
there was a choice, `digest` over all per-seed tallies, `unchanged` when A and B made the same moves throughout,
`more_seeds` where the interval holds zero: about how many would settle it; `valid`. No number
depends on the workers.

Exit codes: 0 measured, 2 interrupted, 3 usage or input error, 4 invalid (more than 1 % of a
side's decisions fell back), 70 a policy panicked or decided illegally.";

/// Play two policies on the same deals and say which is stronger.
#[derive(Parser, Clone, Debug)]
#[command(name = "measure", version, after_help = EXAMPLE)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Rounds a match
    #[arg(long, default_value = "5", value_name = "R", value_parser = rounds)]
    rounds: u32,
    /// The policy that is measured
    #[arg(long, value_name = "POLICY")]
    a: String,
    /// The policy that it is measured against
    #[arg(long, value_name = "POLICY")]
    b: String,
    /// How many seeds
    #[arg(long, default_value = "64", value_parser = seeds)]
    seeds: u32,
    /// The first of them; the others follow
    #[arg(long, default_value = "0", value_name = "S", value_parser = seed)]
    first_seed: u64,
    /// Weights of A: a file, or `defaults` [default: what is frozen in
    /// tables/<game>/<n>p/, or tables/<game>/<n>p-<ruleset>/ for another ruleset than the default]
    #[arg(long, value_name = "FILE")]
    weights_a: Option<PathBuf>,
    /// Weights of B, likewise
    #[arg(long, value_name = "FILE")]
    weights_b: Option<PathBuf>,
    /// Calibration table of A: a file, or `raw` [default: the frozen one, as above]
    #[arg(long, value_name = "FILE|raw")]
    table_a: Option<PathBuf>,
    /// Calibration table of B, likewise
    #[arg(long, value_name = "FILE|raw")]
    table_b: Option<PathBuf>,
    #[command(flatten)]
    set: SetSidesArgs,
    /// Write every round as a line of JSON to this file (one that is there needs --force) or pipe
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    /// Tell the wall time of decisions as well (this differs from run to run)
    #[arg(long)]
    time: bool,
    #[command(flatten)]
    workers: WorkersArg,
    #[command(flatten)]
    json: JsonArg,
}

/// Measures and prints.
///
/// # Errors
/// Wrong input, an unwritable transcript, a failed match, an interruption.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let game = args.game.game.clone();
    dispatch(&game, args)?
}

impl Verb for Args {
    type Out = anyhow::Result<Exit>;

    fn run<G: Estimates + Border>(self) -> anyhow::Result<Exit> {
        let outcome = measure::<G>(&self)?;
        if self.json.json {
            print_json(&outcome.json())?;
        } else {
            print(&outcome.text())?;
        }
        Ok(if outcome.valid() {
            Exit::Holds
        } else {
            Exit::Invalid
        })
    }
}

/// Plays what the arguments ask for.
fn measure<G: Estimates + Border>(args: &Args) -> anyhow::Result<Outcome<G>> {
    let setup = args.game.setup::<G>()?;
    let side = |name: &str, weights: &Option<PathBuf>, table: &Option<PathBuf>| {
        load::policy(&setup, name, &weights_from(weights), &table_from(table))
    };
    let mut a: Loaded<G> = side(&args.a, &args.weights_a, &args.table_a).context("side A")?;
    let mut b: Loaded<G> = side(&args.b, &args.weights_b, &args.table_b).context("side B")?;
    args.set.apply(&mut a, &mut b)?;
    let seeds = Seeds::<Exploration>::range(args.first_seed, args.seeds.into())?;
    let plan = MatchPlan::new(setup, args.rounds, a.policy.clone(), b.policy.clone())?;
    let watch = Stopwatch::start();
    let (tallies, times) = play_all(args, &plan, &seeds)?;
    let millis = watch.millis();
    // Sums of zero are no proof that play was the same.
    let even = tallies.iter().all(|tally| tally.a.settlement == 0);
    let unchanged = even && (same(&plan) || all_alike(args, &plan, &seeds)?);
    Ok(Outcome {
        millis,
        unchanged,
        first_seed: args.first_seed,
        plan_digest: plan.digest(&seeds),
        plan,
        loaded: [a, b],
        tallies,
        times,
    })
}

fn play_all<G: Estimates + Border>(
    args: &Args,
    plan: &MatchPlan<G>,
    seeds: &Seeds<Exploration>,
) -> anyhow::Result<(Vec<SeedTally>, Option<[Times; 2]>)> {
    let mut execution = Execution::with_workers(args.workers.count());
    // A watched seed waits in memory for its turn in the transcript.
    if args.transcript.is_some() {
        execution.block = 1;
    }
    let open = |path: &Path| Sink::open(path, args.force);
    let sink = args.transcript.as_deref().map(open).transpose()?;
    let mut progress = Progress::start("measure", "seeds", seeds.len() as u64);
    if sink.is_none() && !args.time {
        let tallies = play(plan, seeds, &execution, &mut progress);
        return Ok((tallies.map_err(explained)?, None));
    }
    let transcript = sink.is_some();
    let make = |_: &SeedId| Watch::new(plan, transcript, args.time);
    let mut watching = Watching::new(sink, progress);
    let mut times = [Times::default(), Times::default()];
    let mut receive = watching.receiver(&mut times);
    let tallies = run_observed(plan, seeds, &execution, &mut watching, make, &mut receive);
    drop(receive);
    let finished = watching.finish(tallies.is_ok());
    let tallies = tallies.map_err(explained)?;
    finished?;
    Ok((tallies, args.time.then_some(times)))
}

/// Whether A and B are one policy by the same parameters, which needs no looking at moves.
fn same<G: Estimates + Border>(plan: &MatchPlan<G>) -> bool {
    let (a, b) = (&plan.a, &plan.b);
    a.row.name == b.row.name
        && (&a.weights, &a.maps, a.stages_off) == (&b.weights, &b.maps, b.stages_off)
}

/// Whether every move of a seed is the same in all its arrangements: A and B then decide alike
/// wherever either was asked.
fn all_alike<G: Border>(
    args: &Args,
    plan: &MatchPlan<G>,
    seeds: &Seeds<Exploration>,
) -> anyhow::Result<bool> {
    let execution = Execution::with_workers(args.workers.count());
    let mut progress = Progress::start("compare moves", "seeds", seeds.len() as u64);
    let mut alike = true;
    let make = |_: &SeedId| Alike::default();
    let mut receive = |seed: Alike| alike &= seed.alike();
    run_observed(plan, seeds, &execution, &mut progress, make, &mut receive).map_err(explained)?;
    Ok(alike)
}

/// A run's error with its exit code.
fn explained(error: RunError) -> anyhow::Error {
    match error {
        RunError::Play(failure) => fail(Exit::Internal, anyhow!("{failure}")),
        RunError::Interrupted { finished, total } => fail(
            Exit::Inconclusive,
            anyhow!(
                "interrupted after {finished} of {total} seeds; nothing is kept of a measurement"
            ),
        ),
        RunError::Control(error) => anyhow!(error),
        other => other.into(),
    }
}

fn weights_from(file: &Option<PathBuf>) -> WeightsFrom {
    match file {
        None => WeightsFrom::Frozen,
        Some(file) if file == Path::new("defaults") => WeightsFrom::Defaults,
        Some(file) => WeightsFrom::File(file.clone()),
    }
}

fn table_from(file: &Option<PathBuf>) -> TableFrom {
    match file {
        None => TableFrom::Frozen,
        Some(file) if file == Path::new("raw") => TableFrom::Raw,
        Some(file) => TableFrom::File(file.clone()),
    }
}
