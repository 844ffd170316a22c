use crate::Side;
use crate::hex;
use evenhand_contract::{Cause, Fallbacks, Game, SeedId, fallback_rate_is_valid};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What one side did: exact integer sums, which add associatively.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideTally {
    /// Sum of settlements over the side's seat-rounds.
    pub settlement: i64,
    /// Sum of their squares.
    pub settlement_squares: i64,
    /// Seats times rounds played by the side.
    pub seat_rounds: u64,
    /// The settlement sum by seat.
    pub by_seat: Vec<i64>,
    /// Sums of the game's secondary metrics, in its order.
    pub metrics: Vec<i64>,
    /// Decisions with two or more legal choices.
    pub decisions: u64,
    /// Those of them that the fallback made, by [`Cause`] in its order.
    pub fallbacks: [u64; 4],
    /// Work units used by all decisions.
    pub work_sum: u64,
    /// The most that one decision used.
    pub work_max: u64,
}

/// What happened on one seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedTally {
    /// The seed as text.
    pub seed: String,
    /// Matches played, 2N.
    pub matches: u64,
    /// Rounds played in them.
    pub rounds: u64,
    /// The measured policy's side.
    pub a: SideTally,
    /// The other's.
    pub b: SideTally,
}

impl SideTally {
    /// Nothing yet, at a table of `players`.
    #[must_use]
    pub fn empty<G: Game>(players: u8) -> Self {
        Self {
            by_seat: vec![0; usize::from(players)],
            metrics: vec![0; G::METRICS.len()],
            ..Self::default()
        }
    }

    /// Fallbacks of all causes.
    #[must_use]
    pub fn all_fallbacks(&self) -> u64 {
        self.fallbacks.iter().sum()
    }

    /// Fallbacks of one cause.
    #[must_use]
    pub const fn fallbacks_by(&self, cause: Cause) -> u64 {
        self.fallbacks[cause as usize]
    }

    /// Whether few enough decisions fell back.
    #[must_use]
    pub fn valid(&self) -> bool {
        fallback_rate_is_valid(self.all_fallbacks(), self.decisions)
    }

    /// Adds another tally of the same game and table.
    pub fn add(&mut self, other: &Self) {
        self.settlement += other.settlement;
        self.settlement_squares += other.settlement_squares;
        self.seat_rounds += other.seat_rounds;
        self.by_seat
            .resize(self.by_seat.len().max(other.by_seat.len()), 0);
        self.metrics
            .resize(self.metrics.len().max(other.metrics.len()), 0);
        for (sum, value) in self.by_seat.iter_mut().zip(&other.by_seat) {
            *sum += value;
        }
        for (sum, value) in self.metrics.iter_mut().zip(&other.metrics) {
            *sum += value;
        }
        self.decisions += other.decisions;
        let mut fallbacks = Fallbacks(self.fallbacks);
        fallbacks.add(&Fallbacks(other.fallbacks));
        self.fallbacks = fallbacks.0;
        self.work_sum += other.work_sum;
        self.work_max = self.work_max.max(other.work_max);
    }
}

impl SeedTally {
    /// Nothing yet.
    #[must_use]
    pub fn empty<G: Game>(seed: SeedId, players: u8) -> Self {
        Self {
            seed: seed.to_string(),
            matches: 0,
            rounds: 0,
            a: SideTally::empty::<G>(players),
            b: SideTally::empty::<G>(players),
        }
    }

    /// One side.
    #[must_use]
    pub const fn side(&self, side: Side) -> &SideTally {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }
}

/// The sums over all seeds of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Seeds played.
    pub seeds: u64,
    /// Matches played, 2N a seed.
    pub matches: u64,
    /// Rounds played in them.
    pub rounds: u64,
    /// The measured policy's side.
    pub a: SideTally,
    /// The other's.
    pub b: SideTally,
}

impl Totals {
    /// The sums of these seeds.
    #[must_use]
    pub fn of(tallies: &[SeedTally]) -> Self {
        let mut totals = Self::default();
        for tally in tallies {
            totals.seeds += 1;
            totals.matches += tally.matches;
            totals.rounds += tally.rounds;
            totals.a.add(&tally.a);
            totals.b.add(&tally.b);
        }
        totals
    }

    /// One side.
    #[must_use]
    pub const fn side(&self, side: Side) -> &SideTally {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// Whether the run counts: on either side no more than
    /// [`MAX_FALLBACK_PERCENT`](evenhand_contract::MAX_FALLBACK_PERCENT) of decisions fell back.
    #[must_use]
    pub fn valid(&self) -> bool {
        self.a.valid() && self.b.valid()
    }
}

/// A's settlement sum of each seed, in seed order: the numerators of the headline.
#[must_use]
pub fn a_sums(tallies: &[SeedTally]) -> Vec<i64> {
    tallies.iter().map(|tally| tally.a.settlement).collect()
}

/// A's seat-rounds of one seed, the denominator of the headline: N matches with one A seat and N
/// with N-1, R rounds each, so N x N x R.
#[must_use]
pub const fn denominator(players: u8, rounds: u32) -> i64 {
    players as i64 * players as i64 * rounds as i64
}

/// SHA-256, as hex text, over every per-seed tally in order.
///
/// Worker count, block size and block order cannot change it; any other number of any tally does.
#[must_use]
pub fn digest(tallies: &[SeedTally]) -> String {
    let mut hash = Sha256::new();
    hash.update("evenhand-tallies/1\n");
    for tally in tallies {
        hash.update(&tally.seed);
        hash.update(format!("\n{} {}\n", tally.matches, tally.rounds));
        for side in Side::ALL {
            let t = tally.side(side);
            hash.update(format!(
                "{} {} {} {} {:?} {:?} {} {:?} {} {}\n",
                side.name(),
                t.settlement,
                t.settlement_squares,
                t.seat_rounds,
                t.by_seat,
                t.metrics,
                t.decisions,
                t.fallbacks,
                t.work_sum,
                t.work_max
            ));
        }
    }
    hex(&hash.finalize())
}
