//! The positions that cost a policy most.

use super::doc::{Player, Slow, SlowestDoc};
use super::document_value;
use crate::field::Field;
use evenhand_contract::{Border, Game, Policy, SeedId};
use evenhand_sim::{
    Control, Decided, Execution, Exploration, Observer, Place, RunError, Seeds, Side, run_observed,
};

/// A decision with its cost.
#[derive(Clone)]
struct Cost<G: Game> {
    view: G::View,
    decision: G::Decision,
    work: u64,
    nanos: u64,
    text: String,
}

/// The most costly first, each view once.
struct Most<G: Game> {
    list: Vec<Cost<G>>,
    keep: usize,
    by: fn(&Cost<G>) -> u64,
}

impl<G: Border> Most<G> {
    fn new(keep: usize, by: fn(&Cost<G>) -> u64) -> Self {
        Self {
            list: Vec::new(),
            keep,
            by,
        }
    }

    /// Whether a cost would be kept.
    fn ranks(&self, cost: u64) -> bool {
        self.list.len() < self.keep || self.list.last().is_some_and(|last| (self.by)(last) < cost)
    }

    fn offer(&mut self, cost: Cost<G>) {
        let own = (self.by)(&cost);
        if let Some(place) = self.list.iter().position(|c| c.text == cost.text) {
            if (self.by)(&self.list[place]) >= own {
                return;
            }
            self.list.remove(place);
        }
        let place = self.list.partition_point(|c| (self.by)(c) >= own);
        self.list.insert(place, cost);
        self.list.truncate(self.keep);
    }
}

/// Watches one seed.
struct Clock<G: Game> {
    decisions: u64,
    by_work: Most<G>,
    by_time: Most<G>,
}

impl<G: Border> Clock<G> {
    fn new(keep: usize) -> Self {
        Self {
            decisions: 0,
            by_work: Most::new(keep, |c| c.work),
            by_time: Most::new(keep, |c| c.nanos),
        }
    }
}

impl<G: Border> Observer<G> for Clock<G> {
    fn timed(&self) -> bool {
        true
    }

    fn decision(&mut self, _at: &Place, decided: &Decided<'_, G>) {
        if decided.side != Side::A {
            return;
        }
        self.decisions += 1;
        let (work, nanos) = (decided.outcome.work, decided.nanos.unwrap_or(0));
        let (most_work, longest) = (self.by_work.ranks(work), self.by_time.ranks(nanos));
        if !most_work && !longest {
            return;
        }
        let cost = Cost {
            view: decided.view.clone(),
            decision: decided.outcome.decision,
            work,
            nanos,
            text: G::view_json(decided.view).to_string(),
        };
        if most_work {
            self.by_work.offer(cost.clone());
        }
        if longest {
            self.by_time.offer(cost);
        }
    }
}

/// Plays A against the pool on one thread, so that times are of the decision alone, and keeps the
/// positions with the most work units and those with the longest wall times.
///
/// # Errors
/// When a match fails or the run is interrupted.
pub fn slowest<G: Border>(
    field: &Field<G>,
    a: &Policy<G>,
    player: Player,
    keep: usize,
    seeds: &Seeds<Exploration>,
    control: &mut dyn Control,
) -> Result<SlowestDoc, RunError> {
    let execution = Execution {
        block: 1,
        ..Execution::with_workers(1)
    };
    let mut all = Clock::<G>::new(keep);
    for opponent in &field.pool {
        let plan = field.plan(a, opponent)?;
        let make = |_: &SeedId| Clock::new(keep);
        let mut sink = |clock: Clock<G>| {
            all.decisions += clock.decisions;
            clock
                .by_work
                .list
                .into_iter()
                .for_each(|c| all.by_work.offer(c));
            clock
                .by_time
                .list
                .into_iter()
                .for_each(|c| all.by_time.offer(c));
        };
        run_observed(&plan, seeds, &execution, control, make, &mut sink)?;
    }
    let list =
        |most: &Most<G>| -> Result<Vec<Slow>, RunError> { most.list.iter().map(slow).collect() };
    Ok(SlowestDoc {
        game: G::NAME.to_owned(),
        players: field.setup.players,
        ruleset: field.setup.rules.to_string(),
        a: player,
        decisions: all.decisions,
        by_work: list(&all.by_work)?,
        by_time: list(&all.by_time)?,
    })
}

fn slow<G: Border>(cost: &Cost<G>) -> Result<Slow, RunError> {
    let view = document_value(&G::view_json(&cost.view));
    Ok(Slow {
        view: view.map_err(|error| RunError::Control(error.into()))?,
        decision: G::decision_text(&cost.decision),
        legal: super::legal::<G>(&cost.view).len() as u32,
        work: cost.work,
        nanos: cost.nanos,
    })
}
