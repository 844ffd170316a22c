//! The payoff of a seed at every value of one knob, from a few rollouts.
//!
//! The unit is what is played apart: a round where rounds are independent deals, else a match. A
//! unit played at x comes back with the interval of values around x on which every decision of A
//! stays the same, so its sum holds for all of them; the next rollout is played at the first value
//! beyond. The sums of a seed's units add up to a step function over the whole range.

use crate::observe::{NoObserver, Place};
use crate::quiet::quietly;
use crate::round::{Broken, Round, Seated, Workspace, play};
use crate::{MatchPlan, PlayFailure, RunError, Seeds, SplitKind, arrangements, par_map, sides_of};
use evenhand_contract::{
    Border, Game, Line, Milli, Policy, SeedId, Split, Stream, TraceLevel, Weights,
};
use std::collections::BTreeMap;

/// A stretch of a knob's values on which a seed's settlement is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Lowest value.
    pub low: Milli,
    /// Highest value.
    pub high: Milli,
    /// A's settlement sum over all matches of the seed.
    pub sum: i64,
}

/// What a seed gives at every value of a knob.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineSeed {
    /// By rising value, without gaps; neighbours differ in their sums.
    pub pieces: Vec<Piece>,
    /// Units in a seed: rounds of all its matches, or matches.
    pub units: u64,
    /// Units played, each value of each unit counted.
    pub rollouts: u64,
    /// Rounds played.
    pub rounds: u64,
    /// Decisions of A with a choice, over all rollouts.
    pub decisions: u64,
    /// Those of them that the fallback made, by cause in its order.
    pub fallbacks: [u64; 4],
    /// Work units of both sides.
    pub work: u64,
}

impl LineSeed {
    /// A's settlement sum at a value of the range; `None` outside it.
    #[must_use]
    pub fn at(&self, value: Milli) -> Option<i64> {
        let next = self.pieces.partition_point(|piece| piece.high < value);
        let piece = self.pieces.get(next)?;
        (piece.low <= value).then_some(piece.sum)
    }

    /// The sum of the settlement sums at all values `low..=high`, as far as the range goes.
    #[must_use]
    pub fn over(&self, low: Milli, high: Milli) -> i64 {
        let first = self.pieces.partition_point(|piece| piece.high < low);
        let pieces = self.pieces[first..].iter();
        pieces
            .take_while(|piece| piece.low <= high)
            .map(|piece| (piece.high.min(high) - piece.low.max(low) + 1) * piece.sum)
            .sum()
    }
}

/// One unit's rounds.
struct Unit<'a, G: Game> {
    split: Split,
    seed: SeedId,
    arrangement: u32,
    /// Number and deal of each round, in order.
    rounds: &'a [(u32, G::Deal)],
}

/// Plays all units of a seed at every value `low..=high` of A's knob `place`, the other knobs as
/// the plan has them.
///
/// The range must lie within the knob's bounds and hold the plan's value.
///
/// # Errors
/// When a match fails or the range does not fit the knob. The workspace is not fit for play
/// afterwards.
pub fn line_seed<G: Border>(
    plan: &MatchPlan<G>,
    place: usize,
    range: (Milli, Milli),
    (split, seed): (Split, SeedId),
    workspace: &mut Workspace<G>,
) -> Result<LineSeed, Box<PlayFailure>> {
    workspace.set_level(TraceLevel::Off);
    let played = quietly(|| walk_seed(plan, place, range, (split, seed), workspace));
    workspace.line = None;
    workspace.take_tallies(plan.setup.players);
    let reason = match played {
        Ok(Ok(line)) => return Ok(line),
        Ok(Err(Broken(reason))) => reason,
        Err(panic) => panic,
    };
    let seated = Seated {
        setup: &plan.setup,
        policies: [&plan.a, &plan.b],
        work_limit: plan.work_limit,
    };
    Err(workspace.failure(&seated, reason))
}

fn walk_seed<G: Game>(
    plan: &MatchPlan<G>,
    place: usize,
    (low, high): (Milli, Milli),
    (split, seed): (Split, SeedId),
    workspace: &mut Workspace<G>,
) -> Result<LineSeed, Broken> {
    let players = plan.setup.players;
    let deals: Vec<(u32, G::Deal)> = (1..=plan.rounds)
        .map(|round| {
            let mut stream = Stream::deal(G::NAME, players, split, seed, round);
            (round, G::deal(&plan.setup, &mut stream))
        })
        .collect();
    let size = if G::ROUNDS_ARE_INDEPENDENT {
        1
    } else {
        deals.len().max(1)
    };
    let mut walk = Walk {
        plan,
        place,
        low,
        high,
        a: plan.a.clone(),
        steps: BTreeMap::new(),
        found: LineSeed {
            pieces: Vec::new(),
            units: 0,
            rollouts: 0,
            rounds: 0,
            decisions: 0,
            fallbacks: [0; 4],
            work: 0,
        },
    };
    for rounds in deals.chunks(size) {
        for arrangement in 0..arrangements(players) {
            walk.unit(
                &Unit {
                    split,
                    seed,
                    arrangement,
                    rounds,
                },
                workspace,
            )?;
        }
    }
    Ok(walk.finish())
}

/// The line of one seed in the making.
struct Walk<'a, G: Game> {
    plan: &'a MatchPlan<G>,
    place: usize,
    low: Milli,
    high: Milli,
    a: Policy<G>,
    /// By how much the sum changes at a value, coming from below; the first is the start.
    steps: BTreeMap<Milli, i64>,
    found: LineSeed,
}

impl<G: Game> Walk<'_, G> {
    /// Plays a unit over the whole range: at the plan's value, then upwards and downwards from
    /// where each interval ends.
    fn unit(&mut self, unit: &Unit<'_, G>, workspace: &mut Workspace<G>) -> Result<(), Broken> {
        self.found.units += 1;
        let at = self.plan.a.weights.values()[self.place];
        let (mut bottom, mut top) = self.rollout(unit, at, (self.low, self.high), workspace)?;
        let values = self.high - self.low + 1;
        if self.found.units > SILENT_UNITS
            && values > SILENT_VALUES
            && self.found.rollouts / self.found.units >= values as u64 / 4
        {
            let row = self.plan.a.row;
            return Err(Broken(format!(
                "{} certifies next to nothing along {}: {} rollouts of {} units; search it by a grid",
                row.name, row.knobs[self.place].name, self.found.rollouts, self.found.units
            )));
        }
        while top < self.high {
            (_, top) = self.rollout(unit, top + 1, (top + 1, self.high), workspace)?;
        }
        while bottom > self.low {
            (bottom, _) = self.rollout(unit, bottom - 1, (self.low, bottom - 1), workspace)?;
        }
        Ok(())
    }

    /// Plays a unit at `value` and adds its sum to all values of the interval that it certifies
    /// within `room`, which is returned.
    fn rollout(
        &mut self,
        unit: &Unit<'_, G>,
        value: Milli,
        room: (Milli, Milli),
        workspace: &mut Workspace<G>,
    ) -> Result<(Milli, Milli), Broken> {
        let knobs = self.plan.a.row.knobs;
        if value != self.a.weights.values()[self.place] {
            self.a.weights = Weights::with(&self.plan.a.weights, knobs, self.place, value)
                .map_err(|error| Broken(error.to_string()))?;
        }
        workspace.line = Some(Line::new(self.place, value, room.0, room.1));
        let seated = Seated {
            setup: &self.plan.setup,
            policies: [&self.a, &self.plan.b],
            work_limit: self.plan.work_limit,
        };
        let mut carry = G::Carry::default();
        for (round, deal) in unit.rounds {
            let at = Place {
                split: unit.split,
                seed: unit.seed,
                arrangement: unit.arrangement,
                round: *round,
                sides: sides_of(self.plan.setup.players, unit.arrangement),
            };
            let round = Round {
                at,
                deal,
                carry: &carry,
            };
            play(&seated, &round, workspace, &mut NoObserver)?;
            if let Some(end) = workspace.state() {
                carry = G::carry(end);
            }
        }
        let [a, b] = workspace.take_tallies(self.plan.setup.players);
        let found = &mut self.found;
        found.rollouts += 1;
        found.rounds += unit.rounds.len() as u64;
        found.decisions += a.decisions;
        for (sum, count) in found.fallbacks.iter_mut().zip(a.fallbacks) {
            *sum += count;
        }
        found.work = found
            .work
            .saturating_add(a.work_sum)
            .saturating_add(b.work_sum);
        let (from, to) = workspace
            .line
            .map_or((value, value), |line| (line.low(), line.high()));
        *self.steps.entry(from).or_default() += a.settlement;
        if to < self.high {
            *self.steps.entry(to + 1).or_default() -= a.settlement;
        }
        Ok((from, to))
    }

    fn finish(self) -> LineSeed {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut sum = 0;
        for (value, step) in self.steps {
            sum += step;
            match pieces.last_mut() {
                Some(last) if last.sum == sum => continue,
                Some(last) => last.high = value - 1,
                None => {}
            }
            pieces.push(Piece {
                low: value,
                high: self.high,
                sum,
            });
        }
        LineSeed {
            pieces,
            ..self.found
        }
    }
}

/// The lines of many seeds, in seed order. The worker count cannot change them.
///
/// `interrupted` is asked between stretches of a few seeds.
///
/// # Errors
/// When the plan cannot be played, a match fails (the first in seed order is told), or `interrupted`
/// says so.
pub fn lines<G: Border, S: SplitKind>(
    plan: &MatchPlan<G>,
    place: usize,
    range: (Milli, Milli),
    seeds: &Seeds<S>,
    workers: usize,
    interrupted: &dyn Fn() -> bool,
) -> Result<Vec<LineSeed>, RunError> {
    plan.check()?;
    let total = seeds.len();
    let mut found = Vec::with_capacity(total);
    for stretch in seeds.ids().chunks(STRETCH * workers.max(1)) {
        if interrupted() {
            return Err(RunError::Interrupted {
                finished: found.len(),
                total,
            });
        }
        let played = par_map(
            stretch.len(),
            workers,
            || None::<Workspace<G>>,
            |own, i| {
                let mut workspace = own
                    .take()
                    .unwrap_or_else(|| Workspace::new(plan.setup.players));
                let line = line_seed(plan, place, range, (S::SPLIT, stretch[i]), &mut workspace)?;
                // Kept only when it is fit for play: after a failure a new one is made.
                *own = Some(workspace);
                Ok(line)
            },
        );
        for line in played {
            found.push(line.map_err(RunError::Play)?);
        }
    }
    Ok(found)
}

/// After so many units a line that had to play a quarter of its values is given up, unless it is
/// this short: its policy does not say how the knob enters.
const SILENT_UNITS: u64 = 2;
const SILENT_VALUES: i64 = 500;

/// Seeds a worker between two looks at the interrupt.
const STRETCH: usize = 4;
