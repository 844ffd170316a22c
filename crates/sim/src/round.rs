use crate::observe::{Decided, Observer, Place, Resolved, Side};
use crate::quiet::quietly;
use crate::{PlayFailure, SideTally};
use evenhand_contract::{
    Border, BySeat, Choices, Game, Line, Outcome, Policy, Prediction, Seat, Setup, Trace,
    TraceLevel, Work, decide,
};

/// Moves after which a round is taken to have no end; real rounds have a few hundred at most.
const MOST_MOVES: u32 = 100_000;

/// Who plays, under which rules and budget.
pub struct Seated<'a, G: Game> {
    /// Table and ruleset.
    pub setup: &'a Setup<G>,
    /// A and B.
    pub policies: [&'a Policy<G>; 2],
    /// Work units that one decision may use.
    pub work_limit: u64,
}

/// One round to be played.
pub struct Round<'a, G: Game> {
    /// Which one, and which policy sits where.
    pub at: Place,
    /// The cards.
    pub deal: &'a G::Deal,
    /// What the match carries over from the round before.
    pub carry: &'a G::Carry,
}

/// Memos, trace and scratch space that rounds are played with, and the round in play.
///
/// Memos are kept per side and seat, so that caches serve every arrangement of a deal. A workspace
/// belongs to one pair of policies with their parameters.
pub struct Workspace<G: Game> {
    memos: [Vec<G::Memo>; 2],
    trace: Trace<G::Decision, G::Question>,
    pending: Vec<(Seat, Side, Prediction<G::Question>)>,
    state: Option<G::State>,
    /// The line of a knob of side A that the play is certified along.
    pub(crate) line: Option<Line>,
    pub(crate) tallies: [SideTally; 2],
    pub(crate) at: Option<Place>,
}

/// Why a round broke off.
pub(crate) struct Broken(pub String);

impl<G: Game> Workspace<G> {
    /// An empty one for a table of `players`.
    #[must_use]
    pub fn new(players: u8) -> Self {
        let memos = || (0..players).map(|_| G::Memo::default()).collect();
        Self {
            memos: [memos(), memos()],
            trace: Trace::new(TraceLevel::Off),
            pending: Vec::new(),
            state: None,
            line: None,
            tallies: [
                SideTally::empty::<G>(players),
                SideTally::empty::<G>(players),
            ],
            at: None,
        }
    }

    /// Sets what policies record.
    pub(crate) fn set_level(&mut self, level: TraceLevel) {
        self.trace = Trace::new(level);
    }

    /// The last state reached.
    pub(crate) const fn state(&self) -> Option<&G::State> {
        self.state.as_ref()
    }

    pub(crate) fn take_tallies(&mut self, players: u8) -> [SideTally; 2] {
        let fresh = || SideTally::empty::<G>(players);
        std::mem::replace(&mut self.tallies, [fresh(), fresh()])
    }

    /// The failure of the round in play. The workspace is not fit for play afterwards.
    pub(crate) fn failure(&self, seated: &Seated<'_, G>, reason: String) -> Box<PlayFailure>
    where
        G: Border,
    {
        let seat = self.state().and_then(G::to_act);
        let view = self.state().zip(seat).and_then(|(state, seat)| {
            quietly(|| G::view_json(&G::view(state, seat)).to_string()).ok()
        });
        let policy = self.at.zip(seat).map(|(at, seat)| {
            let side = at.sides[seat];
            seated.policies[side as usize].row.name.to_owned()
        });
        Box::new(PlayFailure {
            reason,
            game: G::NAME.to_owned(),
            players: seated.setup.players,
            ruleset: seated.setup.rules.to_string(),
            split: self.at.map_or_else(String::new, |at| at.split.to_string()),
            seed: self.at.map_or_else(String::new, |at| at.seed.to_string()),
            arrangement: self.at.map_or(0, |at| at.arrangement),
            round: self.at.map_or(0, |at| at.round),
            seat: seat.map(|seat| seat.0),
            policy,
            view,
        })
    }
}

/// Plays one round to its end and returns its last state.
///
/// Figures are added to nothing; use [`play_seed`](crate::play_seed) to measure.
///
/// # Errors
/// When a policy panics or decides illegally, the round does not end, or its settlement does not
/// sum to zero.
pub fn play_round<'w, G: Border, O: Observer<G> + ?Sized>(
    seated: &Seated<'_, G>,
    round: &Round<'_, G>,
    workspace: &'w mut Workspace<G>,
    observer: &mut O,
) -> Result<&'w G::State, Box<PlayFailure>> {
    workspace.set_level(observer.level());
    let played = quietly(|| play(seated, round, workspace, observer));
    let result = match played {
        Ok(Ok(())) => Ok(()),
        Ok(Err(Broken(reason))) => Err(reason),
        Err(panic) => Err(panic),
    };
    match result {
        Err(reason) => Err(workspace.failure(seated, reason)),
        Ok(()) => match workspace.state {
            Some(ref state) => Ok(state),
            None => unreachable!("a round was played"),
        },
    }
}

/// Plays one round within a workspace whose trace level is set, and adds it to the tallies.
pub(crate) fn play<G: Game, O: Observer<G> + ?Sized>(
    seated: &Seated<'_, G>,
    round: &Round<'_, G>,
    workspace: &mut Workspace<G>,
    observer: &mut O,
) -> Result<(), Broken> {
    let Workspace {
        memos,
        trace,
        pending,
        state,
        line,
        tallies,
        at,
    } = workspace;
    let at = &*at.insert(round.at);
    let state = state.insert(G::start(seated.setup, round.deal, round.carry));
    let recorded = observer.level() != TraceLevel::Off;
    pending.clear();
    observer.round_start(at, state);
    let mut moves = 0;
    while let Some(seat) = G::to_act(state) {
        moves += 1;
        if moves > MOST_MOVES {
            return Err(Broken(format!("the round has no end: {MOST_MOVES} moves")));
        }
        let side = at.sides[seat];
        let memo = &mut memos[side as usize][seat.index()];
        let view = G::view(state, seat);
        let decision = match G::choices(&view, memo) {
            Choices::Forced(only) => only,
            Choices::Free => {
                let policy = seated.policies[side as usize];
                trace.clear();
                trace.line = if side == Side::A { *line } else { None };
                let mut work = Work::units(seated.work_limit);
                let (outcome, nanos) = if observer.timed() {
                    timed(|| decide(policy, &view, memo, &mut work, trace))
                } else {
                    (decide(policy, &view, memo, &mut work, trace), None)
                };
                let outcome = outcome
                    .map_err(|error| Broken(format!("the fallback gave no decision: {error}")))?;
                tallies[side as usize].count(&outcome);
                if side == Side::A {
                    *line = trace.line;
                }
                observer.decision(
                    at,
                    &Decided {
                        seat,
                        side,
                        state,
                        view: &view,
                        outcome: &outcome,
                        trace,
                        nanos,
                    },
                );
                if recorded {
                    pending.extend(trace.predictions.drain(..).map(|p| (seat, side, p)));
                    settle(at, state, pending, observer);
                }
                outcome.decision
            }
        };
        if let Err(illegal) = G::apply(state, seat, &decision) {
            return Err(Broken(illegal.to_string()));
        }
        observer.moved(at, seat, &decision);
        if !pending.is_empty() {
            settle(at, state, pending, observer);
        }
    }
    for (seat, side, prediction) in pending.drain(..) {
        observer.resolved(
            at,
            &Resolved {
                seat,
                side,
                prediction: &prediction,
                truth: None,
            },
        );
    }
    let settlement = G::settlement(state);
    if settlement.as_slice().iter().sum::<i64>() != 0 {
        return Err(Broken(format!(
            "the settlement {:?} does not sum to zero",
            settlement.as_slice()
        )));
    }
    for (seat, &points) in settlement.iter() {
        let tally = &mut tallies[at.sides[seat] as usize];
        tally.settle(seat, points)?;
        G::metrics(state, seat, &mut tally.metrics);
    }
    observer.round_end(at, state, &settlement);
    Ok(())
}

/// Answers what can be answered now; the rest stays.
fn settle<G: Game, O: Observer<G> + ?Sized>(
    at: &Place,
    state: &G::State,
    pending: &mut Vec<(Seat, Side, Prediction<G::Question>)>,
    observer: &mut O,
) {
    pending.retain(|(seat, side, prediction)| {
        let truth = G::resolve(state, *seat, &prediction.question);
        if truth.is_some() {
            observer.resolved(
                at,
                &Resolved {
                    seat: *seat,
                    side: *side,
                    prediction,
                    truth,
                },
            );
        }
        truth.is_none()
    });
}

/// A result with the nanoseconds it took.
#[cold]
#[allow(
    clippy::disallowed_methods,
    reason = "the cost of decisions is reported beside results, and no result depends on it"
)]
fn timed<T>(f: impl FnOnce() -> T) -> (T, Option<u64>) {
    let start = std::time::Instant::now();
    let result = f();
    let nanos = start.elapsed().as_nanos();
    (result, Some(u64::try_from(nanos).unwrap_or(u64::MAX)))
}

impl SideTally {
    /// Counts a decision that had a choice.
    #[inline]
    fn count<D>(&mut self, outcome: &Outcome<D>) {
        self.decisions += 1;
        self.work_sum = self.work_sum.saturating_add(outcome.work);
        self.work_max = self.work_max.max(outcome.work);
        if let Some(cause) = outcome.fallback {
            self.fallbacks[cause as usize] += 1;
        }
    }

    /// Adds one seat's settlement of one round.
    #[inline]
    fn settle(&mut self, seat: Seat, points: i64) -> Result<(), Broken> {
        let sums = points
            .checked_mul(points)
            .and_then(|square| self.settlement_squares.checked_add(square))
            .zip(self.settlement.checked_add(points));
        let Some((squares, sum)) = sums else {
            return Err(Broken(format!(
                "a settlement of {points} overflows the sums"
            )));
        };
        self.settlement = sum;
        self.settlement_squares = squares;
        self.seat_rounds += 1;
        self.by_seat[seat.index()] += points;
        Ok(())
    }
}

impl Place {
    /// A round in which A sits everywhere.
    #[must_use]
    pub fn self_play(
        players: u8,
        split: evenhand_contract::Split,
        seed: evenhand_contract::SeedId,
        round: u32,
    ) -> Self {
        Self {
            split,
            seed,
            arrangement: 0,
            round,
            sides: BySeat::filled(players, Side::A),
        }
    }
}
