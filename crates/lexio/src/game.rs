//! Lexio as the contract's [`Game`].

use crate::Memo;
use crate::beater::holds_beater;
use crate::legal::{self, Play};
use crate::meld::{Meld, RunOrders};
use crate::policy;
use crate::rules::Rules;
use crate::state::{Carry, Deal, State};
use crate::view::View;
use evenhand_contract::{
    BySeat, Choices, Game, Illegal, MetricRow, PolicyRow, Seat, Setup, Stream,
};

/// The game of Lexio, for 3 to 5 players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexio;

impl Game for Lexio {
    const NAME: &'static str = "lexio";
    const PLAYERS: &'static [u8] = &[3, 4, 5];
    const WORK_LIMIT: u64 = 4_000_000;
    const ROUNDS_ARE_INDEPENDENT: bool = true;
    const METRICS: &'static [MetricRow] = &[
        MetricRow {
            name: "effective_count",
            about: "effective count at round end: tiles x 2^twos, 0 for the winner",
        },
        MetricRow {
            name: "ended_with_two",
            about: "share of rounds ended holding a 2",
        },
        MetricRow {
            name: "plays",
            about: "melds played per round",
        },
        MetricRow {
            name: "won",
            about: "share of rounds won",
        },
    ];

    type Rules = Rules;
    type Deal = Deal;
    type State = State;
    type Carry = Carry;
    type View = View;
    type Decision = Play;
    type Question = Meld;
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

    fn legal(view: &View, memo: &mut Memo, out: &mut Vec<Play>) {
        legal::legal(view, &mut memo.hand, out);
    }

    #[inline]
    fn choices(view: &View, _memo: &mut Memo) -> Choices<Play> {
        legal::choices(view)
    }

    #[inline]
    fn apply(state: &mut State, seat: Seat, decision: &Play) -> Result<(), Illegal> {
        state.apply(seat, *decision)
    }

    fn settlement(state: &State) -> BySeat<i64> {
        state.settlement()
    }

    fn carry(state: &State) -> Carry {
        state.carry()
    }

    fn metrics(state: &State, seat: Seat, sums: &mut [i64]) {
        state.metrics(seat, sums);
    }

    /// Whether any other hand holds a meld that beats the question; known at once.
    fn resolve(state: &State, asker: Seat, question: &Meld) -> Option<bool> {
        let orders = RunOrders::get(state.players(), state.rules());
        let beaten = state
            .hands()
            .iter()
            .any(|(seat, &hand)| seat != asker && holds_beater(hand, question, orders));
        Some(beaten)
    }

    fn reshuffle(state: &State, seat: Seat, stream: &mut Stream) -> State {
        state.reshuffle(seat, stream)
    }
}
