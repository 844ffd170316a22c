//! What a spec says about play: a table, a policy, a pool of opponents with shares.

use anyhow::{Context, anyhow, bail};
use clap::Args;
use evenhand_artifact::SpecDoc;
use evenhand_cli::args::{JsonArg, WorkersArg, seed, seeds, setup};
use evenhand_cli::knobs::set_text;
use evenhand_cli::load::{self, Loaded, TABLE_FILE, TABLES, TableFrom, WEIGHTS_FILE, WeightsFrom};
use evenhand_cli::{Exit, fail};
use evenhand_contract::{Border, Estimates, Game, Policy, Seat, Setup, find_policy};
use evenhand_sim::{Control, Execution, Exploration, MatchPlan, Place, RunError, SeedTally, Seeds};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The name by which a pool lists the frozen policy.
const INCUMBENT: &str = "incumbent";

/// An opponent of the pool.
#[derive(Clone, Debug)]
pub struct Opponent<G: Game> {
    /// Its name in the pool.
    pub name: String,
    /// Its share of the mixture in percent.
    pub share: u32,
    /// The policy that plays for it.
    pub policy: Policy<G>,
}

/// A table with a pool of opponents.
#[derive(Clone, Debug)]
pub struct Field<G: Game> {
    /// Table and ruleset.
    pub setup: Setup<G>,
    /// The opponents; their shares add up to 100.
    pub pool: Vec<Opponent<G>>,
    /// Rounds a match.
    pub rounds: u32,
}

/// A policy against every opponent of the pool on the same seeds.
#[derive(Clone, Debug)]
pub struct Played {
    /// Per opponent the tallies of each seed.
    pub against: Vec<Vec<SeedTally>>,
    /// Per opponent and seed a hash over every move of every match.
    pub moves: Vec<Vec<u64>>,
}

impl Played {
    /// Whether every move of every match was the same.
    #[must_use]
    pub fn same_moves(&self, other: &Self) -> bool {
        self.moves == other.moves
    }

    /// Whether fallbacks of every run are within bounds.
    #[must_use]
    pub fn valid(&self) -> bool {
        let runs = self.against.iter();
        runs.map(|tallies| evenhand_sim::Totals::of(tallies))
            .all(|totals| totals.valid())
    }
}

/// Hashes every move.
#[derive(Default)]
pub(crate) struct Moves(DefaultHasher);

impl Moves {
    pub(crate) fn moved<G: Game>(&mut self, at: &Place, seat: Seat, decision: &G::Decision) {
        (at.arrangement, at.round, seat, decision).hash(&mut self.0);
    }

    pub(crate) fn finish(&self) -> u64 {
        self.0.finish()
    }
}

impl<G: Border> Field<G> {
    /// The field of a spec: its table, match length and pool. Without a frozen policy the
    /// incumbent is generation 0.
    ///
    /// # Errors
    /// When the game does not know the table, the ruleset or a policy.
    pub fn of_spec(spec: &SpecDoc) -> anyhow::Result<Self>
    where
        G: Estimates,
    {
        let setup = setup::<G>(spec.players.into(), &spec.ruleset)?;
        let row = load::row::<G>(&spec.policy).context("policy")?;
        let mut pool = Vec::new();
        for (place, opponent) in spec.tune.pool.iter().enumerate() {
            let policy = if opponent.policy == INCUMBENT {
                match load::incumbent(&setup, row.name, Path::new(TABLES))? {
                    Some(loaded) => loaded.policy,
                    None => Policy::defaults(row),
                }
            } else {
                let row = load::row::<G>(&opponent.policy)
                    .with_context(|| format!("tune.pool[{place}].policy"))?;
                Policy::defaults(row)
            };
            pool.push(Opponent {
                name: opponent.policy.clone(),
                share: opponent.share,
                policy,
            });
        }
        Ok(Self {
            setup,
            pool,
            rounds: spec.tune.rounds,
        })
    }

    /// The plan of a policy against one opponent.
    ///
    /// # Errors
    /// When it cannot be played.
    pub fn plan(
        &self,
        policy: &Policy<G>,
        against: &Opponent<G>,
    ) -> Result<MatchPlan<G>, RunError> {
        let b = against.policy.clone();
        Ok(MatchPlan::new(self.setup, self.rounds, policy.clone(), b)?)
    }

    /// Plays a policy against every opponent.
    ///
    /// # Errors
    /// When a match fails or the run is interrupted.
    pub fn play(
        &self,
        policy: &Policy<G>,
        seeds: &Seeds<Exploration>,
        execution: &Execution,
        control: &mut dyn Control,
    ) -> Result<Played, RunError> {
        let (played, _) = self.play_asking(policy, &[], seeds, execution, control)?;
        Ok(played)
    }

    /// Per seed the sum over the pool of share (percent) x A's settlement sum; dividing by
    /// [`Field::whole`] gives points a round.
    #[must_use]
    pub fn mixture(&self, played: &Played) -> Vec<i64> {
        let seeds = played.against.first().map_or(0, Vec::len);
        let mut values = vec![0; seeds];
        for (opponent, tallies) in self.pool.iter().zip(&played.against) {
            for (value, tally) in values.iter_mut().zip(tallies) {
                *value += i64::from(opponent.share) * tally.a.settlement;
            }
        }
        values
    }

    /// What a value of the mixture is divided by: 100 x N x N x R.
    #[must_use]
    pub fn whole(&self) -> i64 {
        100 * self.seat_rounds()
    }

    /// A's seat-rounds of a seed against one opponent: N x N x R.
    #[must_use]
    pub fn seat_rounds(&self) -> i64 {
        evenhand_sim::denominator(self.setup.players, self.rounds)
    }

    /// The secondary metrics of the measured policy, a seat-round, mixed by shares, in millionths.
    #[must_use]
    pub fn metrics(&self, played: &Played) -> Vec<i64> {
        let mut sums = vec![0_i128; G::METRICS.len()];
        let mut rounds = 0_i128;
        for (opponent, tallies) in self.pool.iter().zip(&played.against) {
            let share = i128::from(opponent.share);
            for tally in tallies {
                rounds += share * i128::from(tally.a.seat_rounds);
                for (sum, &metric) in sums.iter_mut().zip(&tally.a.metrics) {
                    *sum += share * i128::from(metric);
                }
            }
        }
        let mean = |sum: i128| sum * 1_000_000 / rounds.max(1);
        sums.into_iter()
            .map(|sum| i64::try_from(mean(sum)).unwrap_or(i64::MAX))
            .collect()
    }
}

/// Arguments of commands that play by a spec.
#[derive(Args, Clone, Debug)]
pub struct PlayArgs {
    /// The experiment's spec (TOML): game, table, policy, pool of opponents
    pub spec: PathBuf,
    /// How many seeds of the exploration split, each 2N matches against every opponent
    #[arg(long, value_name = "N", default_value = "256", value_parser = seeds)]
    pub seeds: u32,
    /// The first of them
    #[arg(long, value_name = "S", default_value = "0", value_parser = seed)]
    pub first_seed: u64,
    /// Threads
    #[command(flatten)]
    pub workers: WorkersArg,
    /// Whether output is for machines
    #[command(flatten)]
    pub json: JsonArg,
}

impl PlayArgs {
    /// The seeds.
    ///
    /// # Errors
    /// When they pass 2^53 - 1.
    pub fn exploration(&self) -> anyhow::Result<Seeds<Exploration>> {
        Ok(Seeds::range(self.first_seed, self.seeds.into())?)
    }

    /// How runs are carried out.
    #[must_use]
    pub fn execution(&self) -> Execution {
        Execution::with_workers(self.workers.count())
    }
}

/// A policy by weights: a file, `defaults`, `frozen`, or the name of a policy of the game. Weights
/// are for `row`; another policy with the same knobs plays by the frozen ones of `row`, or by those
/// that follow its name after a `@`. What is not said is what is frozen, and where nothing is,
/// default weights and raw estimates.
///
/// # Errors
/// When files do not fit.
pub fn policy_by<G: Estimates>(
    setup: &Setup<G>,
    row: &str,
    weights: Option<&str>,
    table: Option<&TableFrom>,
) -> anyhow::Result<Loaded<G>> {
    let row = load::row::<G>(row)?;
    let frozen = load::folder(Path::new(TABLES), setup);
    let is_frozen = |name: &str| frozen.join(name).exists();
    let frozen_weights = || match is_frozen(WEIGHTS_FILE) {
        true => WeightsFrom::Frozen,
        false => WeightsFrom::Defaults,
    };
    let from = |text: &str| match text {
        "frozen" => WeightsFrom::Frozen,
        other => other.parse().unwrap_or_default(),
    };
    let table_of = |reads: bool| match table {
        Some(table) => table.clone(),
        None if reads && is_frozen(TABLE_FILE) => TableFrom::Frozen,
        None => TableFrom::Raw,
    };
    // A name, alone or followed by weights.
    let parts = weights.map(|text| text.split_once('@').unwrap_or((text, "")));
    let named = parts.and_then(|(name, by)| Some((find_policy::<G>(name)?, by)));
    let (player, by) = match (weights, named) {
        (_, Some((player, ""))) => (player, frozen_weights()),
        (_, Some((player, by))) => (player, from(by)),
        (None, None) => (row, frozen_weights()),
        (Some(text), None) => {
            if !text.contains(['/', '.'])
                && !matches!(text, "defaults" | "frozen")
                && !Path::new(text).exists()
            {
                // Neither a file nor a name: most likely a misspelt name.
                load::row::<G>(text).context("neither a file nor a policy")?;
            }
            (row, from(text))
        }
    };
    let table = table_of(player.reads_table);
    if player.name == row.name {
        return Ok(load::policy(setup, row.name, &by, &table)?);
    }
    let mut loaded = load::policy(setup, player.name, &WeightsFrom::Defaults, &table)?;
    if player.knobs == row.knobs && !row.knobs.is_empty() {
        // They are on record as the other policy's, so the loaded one has no artifact of its own.
        let lent = load::policy(setup, row.name, &by, &TableFrom::Raw)?;
        loaded.policy.weights = lent.policy.weights;
    }
    Ok(loaded)
}

/// A run's error with its exit code; these commands keep nothing of an interrupted run.
pub(crate) fn explained(error: RunError) -> anyhow::Error {
    match error {
        RunError::Interrupted { finished, total } => fail(
            Exit::Inconclusive,
            anyhow!("interrupted after {finished} of {total} seeds of a run; nothing is kept"),
        ),
        RunError::Play(failure) => fail(Exit::Internal, anyhow!("{failure}")),
        other => other.into(),
    }
}

/// Refuses a file name where a folder is needed, and the other way round.
pub(crate) fn check_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.is_file() {
        bail!("{} is a file; name a folder", folder.display());
    }
    Ok(())
}

/// The policy with the artifacts that it plays by, in words.
pub(crate) fn played_by<G: Estimates>(loaded: &Loaded<G>) -> String {
    let row = loaded.policy.row;
    let mut text = row.name.to_owned();
    match &loaded.weights {
        Some(sealed) => text.push_str(&format!(", weights {:.12}", sealed.checksum().hex())),
        None if row.knobs.is_empty() => {}
        None => {
            let mut base = Policy::<G>::defaults(row).weights;
            for (place, knob) in row.knobs.iter().enumerate() {
                let by_hand = loaded.set.iter().find(|(name, _)| *name == knob.name);
                if let Some(&(_, value)) = by_hand {
                    base = base.with(row.knobs, place, value).unwrap_or(base);
                }
            }
            text.push_str(if base == loaded.policy.weights {
                ", default weights"
            } else {
                ", weights of its sibling"
            });
        }
    }
    text.push_str(&set_text(loaded));
    match &loaded.table {
        Some(sealed) => text.push_str(&format!(", table {:.12}", sealed.checksum().hex())),
        None if !row.reads_table => {}
        None => text.push_str(", raw estimates"),
    }
    text
}
