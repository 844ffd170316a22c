//! Daifugo as the contract's [`Game`].

use crate::beater::holds_beater;
use crate::deal::Deal;
use crate::legal;
use crate::play::Decision;
use crate::policy;
use crate::rules::Rules;
use crate::state::{Carry, State, settle};
use crate::view::View;
use crate::{Memo, Question};
use evenhand_contract::{
    BySeat, Choices, Game, Illegal, MetricRow, PolicyRow, Seat, Setup, Stream,
};

/// The game of Daifugo, for 3 to 6 players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Daifugo;

impl Game for Daifugo {
    const NAME: &'static str = "daifugo";
    const PLAYERS: &'static [u8] = &[3, 4, 5, 6];
    const WORK_LIMIT: u64 = 4_000_000;
    const METRICS: &'static [MetricRow] = &[
        MetricRow {
            name: "place",
            about: "mean place, 1 = best",
        },
        MetricRow {
            name: "foul",
            about: "share of rounds finished by a foul",
        },
        MetricRow {
            name: "fell",
            about: "share of rounds in which the seat fell from first place",
        },
        MetricRow {
            name: "first",
            about: "share of rounds ended in first place",
        },
        MetricRow {
            name: "last",
            about: "share of rounds ended in last place",
        },
        MetricRow {
            name: "could_follow",
            about: "turns per round in which a legal follow existed",
        },
        MetricRow {
            name: "held_back",
            about: "those of them that ended in a pass: over could_follow, the voluntary-pass share",
        },
    ];

    type Rules = Rules;
    type Deal = Deal;
    type State = State;
    type Carry = Carry;
    type View = View;
    type Decision = Decision;
    type Question = Question;
    type Memo = Memo;

    fn policies() -> &'static [PolicyRow<Self>] {
        policy::POLICIES
    }

    fn deal(setup: &Setup<Self>, stream: &mut Stream) -> Deal {
        Deal::draw(setup.players, stream)
    }

    fn start(setup: &Setup<Self>, deal: &Deal, carry: &Carry) -> State {
        State::start(setup.rules, deal, carry)
    }

    #[inline]
    fn to_act(state: &State) -> Option<Seat> {
        state.to_act()
    }

    #[inline]
    fn view(state: &State, seat: Seat) -> View {
        state.view(seat)
    }

    fn legal(view: &View, _memo: &mut Memo, out: &mut Vec<Decision>) {
        legal::legal(view, out);
    }

    #[inline]
    fn choices(view: &View, _memo: &mut Memo) -> Choices<Decision> {
        legal::choices(view)
    }

    #[inline]
    fn apply(state: &mut State, seat: Seat, decision: &Decision) -> Result<(), Illegal> {
        state.apply(seat, *decision)
    }

    fn settlement(state: &State) -> BySeat<i64> {
        settle(&state.places())
    }

    fn carry(state: &State) -> Carry {
        state.carry()
    }

    fn metrics(state: &State, seat: Seat, sums: &mut [i64]) {
        state.metrics(seat, sums);
    }

    /// Whether the seat asked about holds an answer now; known at once, since hidden hands do not
    /// change before the question is settled.
    fn resolve(state: &State, _asker: Seat, question: &Question) -> Option<bool> {
        let hand = state.hands()[question.seat];
        Some(holds_beater(hand, &question.play, question.revolution))
    }

    fn reshuffle(state: &State, seat: Seat, stream: &mut Stream) -> State {
        state.reshuffle(seat, stream)
    }
}
