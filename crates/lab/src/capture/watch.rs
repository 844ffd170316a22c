//! Watches A play and asks B as well.

use super::KEPT;
use crate::field::Opponent;
use evenhand_contract::{
    Border, BySeat, Game, Policy, Seat, Setup, Trace, TraceLevel, Work, decide,
};
use evenhand_sim::{Decided, Observer, Place, Side};
use std::cmp::Reverse;

/// A decision that B would have taken differently.
#[derive(Clone)]
pub(super) struct Found<G: Game> {
    pub(super) at: Place,
    pub(super) seat: Seat,
    pub(super) view: G::View,
    pub(super) state: G::State,
    pub(super) a: G::Decision,
    pub(super) b: G::Decision,
    pub(super) points_a: i64,
    pub(super) points_b: i64,
    /// The opponent's place in the pool.
    pub(super) against: usize,
    /// The view as text: the same position met again is kept once.
    text: String,
}

impl<G: Game> Found<G> {
    /// Points of B minus points of A.
    pub(super) const fn loss(&self) -> i64 {
        self.points_b - self.points_a
    }
}

/// The first few of an order, of each position the first only.
pub(super) struct Top<G: Game> {
    pub(super) list: Vec<Found<G>>,
    /// Ranks low what comes first.
    rank: fn(i64) -> Reverse<i64>,
}

impl<G: Border> Top<G> {
    fn new(rank: fn(i64) -> Reverse<i64>) -> Self {
        Self {
            list: Vec::new(),
            rank,
        }
    }

    /// Takes a position in, if it ranks; equal ones stay in the order in which they were met.
    fn offer(&mut self, found: &Found<G>) {
        let rank = |f: &Found<G>| (self.rank)(f.loss());
        if let Some(place) = self.list.iter().position(|f| f.text == found.text) {
            if rank(&self.list[place]) <= rank(found) {
                return;
            }
            self.list.remove(place);
        }
        let place = self.list.partition_point(|f| rank(f) <= rank(found));
        if place < KEPT {
            self.list.insert(place, found.clone());
            self.list.truncate(KEPT);
        }
    }
}

/// What was found in play.
pub(super) struct Harvest<G: Game> {
    pub(super) decisions: u64,
    pub(super) differing: u64,
    pub(super) loss_sum: i64,
    pub(super) worst: Top<G>,
    pub(super) best: Top<G>,
    /// Why play from a position could not be finished.
    pub(super) broken: Option<String>,
}

impl<G: Border> Harvest<G> {
    pub(super) fn empty() -> Self {
        Self {
            decisions: 0,
            differing: 0,
            loss_sum: 0,
            worst: Top::new(Reverse),
            best: Top::new(|loss| Reverse(-loss)),
            broken: None,
        }
    }

    fn add(&mut self, found: &Found<G>) {
        self.differing += 1;
        self.loss_sum += found.loss();
        if found.loss() > 0 {
            self.worst.offer(found);
        }
        if found.loss() < 0 {
            self.best.offer(found);
        }
    }

    /// Adds what was found on later seeds.
    pub(super) fn join(&mut self, later: Self) {
        self.decisions += later.decisions;
        self.differing += later.differing;
        self.loss_sum += later.loss_sum;
        for found in &later.worst.list {
            self.worst.offer(found);
        }
        for found in &later.best.list {
            self.best.offer(found);
        }
        self.broken = self.broken.take().or(later.broken);
    }
}

/// Who plays, for rounds that are finished apart from the schedule.
#[derive(Clone, Copy)]
pub(super) struct Cast<'a, G: Game> {
    pub(super) setup: &'a Setup<G>,
    pub(super) a: &'a Policy<G>,
    pub(super) b: &'a Policy<G>,
    pub(super) opponent: &'a Policy<G>,
}

/// Memos by policy (A, the opponent, B) and seat.
pub(super) struct Memos<G: Game>([Vec<G::Memo>; 3]);

impl<G: Game> Memos<G> {
    pub(super) fn new(players: u8) -> Self {
        let seats = || (0..players).map(|_| G::Memo::default()).collect();
        Self([seats(), seats(), seats()])
    }
}

impl<G: Border> Cast<'_, G> {
    /// Plays a round to its end: the focal seat by B or A, the others as the schedule has them.
    pub(super) fn finish(
        &self,
        state: &G::State,
        sides: &BySeat<Side>,
        focal: (Seat, Side),
        memos: &mut Memos<G>,
    ) -> Result<BySeat<i64>, String> {
        let mut state = state.clone();
        let mut trace = Trace::new(TraceLevel::Off);
        while let Some(seat) = G::to_act(&state) {
            let (policy, place) = match sides[seat] {
                _ if seat == focal.0 && focal.1 == Side::B => (self.b, 2),
                Side::A => (self.a, 0),
                Side::B => (self.opponent, 1),
            };
            let memo = &mut memos.0[place][seat.index()];
            let view = G::view(&state, seat);
            let decision = match G::choices(&view, memo) {
                evenhand_contract::Choices::Forced(only) => only,
                evenhand_contract::Choices::Free => {
                    trace.clear();
                    let mut work = Work::units(G::WORK_LIMIT);
                    decide(policy, &view, memo, &mut work, &mut trace)
                        .map_err(|error| error.to_string())?
                        .decision
                }
            };
            G::apply(&mut state, seat, &decision)
                .map_err(|error| format!("{}: {error}", policy.row.name))?;
        }
        Ok(G::settlement(&state))
    }

    /// B's decision in a position of A's.
    fn b_decides(
        &self,
        seat: Seat,
        view: &G::View,
        memos: &mut Memos<G>,
    ) -> Result<G::Decision, String> {
        let mut work = Work::units(G::WORK_LIMIT);
        let mut trace = Trace::new(TraceLevel::Off);
        let memo = &mut memos.0[2][seat.index()];
        let outcome = decide(self.b, view, memo, &mut work, &mut trace);
        Ok(outcome.map_err(|error| error.to_string())?.decision)
    }
}

/// Watches one seed.
pub(super) struct Watch<'a, G: Border> {
    cast: Cast<'a, G>,
    against: usize,
    memos: Memos<G>,
    open: Vec<Found<G>>,
    pub(super) harvest: Harvest<G>,
}

impl<'a, G: Border> Watch<'a, G> {
    pub(super) fn new(
        setup: &'a Setup<G>,
        a: &'a Policy<G>,
        b: &'a Policy<G>,
        against: usize,
        opponent: &'a Opponent<G>,
    ) -> Self {
        Self {
            cast: Cast {
                setup,
                a,
                b,
                opponent: &opponent.policy,
            },
            against,
            memos: Memos::new(setup.players),
            open: Vec::new(),
            harvest: Harvest::empty(),
        }
    }

    fn compare(&mut self, at: &Place, decided: &Decided<'_, G>) -> Result<(), String> {
        let (seat, a) = (decided.seat, decided.outcome.decision);
        let b = self.cast.b_decides(seat, decided.view, &mut self.memos)?;
        if a == b {
            return Ok(());
        }
        let focal = (seat, Side::B);
        let end = self
            .cast
            .finish(decided.state, &at.sides, focal, &mut self.memos)?;
        self.open.push(Found {
            at: *at,
            seat,
            view: decided.view.clone(),
            state: decided.state.clone(),
            a,
            b,
            points_a: 0,
            points_b: end[seat],
            against: self.against,
            text: G::view_json(decided.view).to_string(),
        });
        Ok(())
    }
}

impl<G: Border> Observer<G> for Watch<'_, G> {
    fn decision(&mut self, at: &Place, decided: &Decided<'_, G>) {
        if decided.side != Side::A || self.harvest.broken.is_some() {
            return;
        }
        self.harvest.decisions += 1;
        if let Err(reason) = self.compare(at, decided) {
            self.harvest.broken = Some(reason);
        }
    }

    fn round_end(&mut self, _at: &Place, _end: &G::State, settlement: &BySeat<i64>) {
        for mut found in self.open.drain(..) {
            found.points_a = settlement[found.seat];
            self.harvest.add(&found);
        }
    }
}
