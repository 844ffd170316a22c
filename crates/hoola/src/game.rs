//! Hoola as the contract's [`Game`].

use crate::Memo;
use crate::deal::{Carry, Deal};
use crate::moves::Decision;
use crate::policy;
use crate::question::Question;
use crate::rules::Rules;
use crate::state::State;
use crate::view::View;
use evenhand_contract::{
    BySeat, Choices, Game, Illegal, MetricRow, PolicyRow, RulesError, Seat, Setup, Stream,
};

/// The game of Hoola, for 2 to 5 players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hoola;

const fn row(name: &'static str, about: &'static str) -> MetricRow {
    MetricRow { name, about }
}

impl Game for Hoola {
    const NAME: &'static str = "hoola";
    const PLAYERS: &'static [u8] = &[2, 3, 4, 5];
    const WORK_LIMIT: u64 = 4_000_000;
    const METRICS: &'static [MetricRow] = &[
        row("won_out", "share of rounds won by going out"),
        row("won_hoola", "share of rounds won by hoola: all in one turn"),
        row("won_low", "share of rounds won by a low stop"),
        row("won_high", "share of rounds won by a high stop"),
        row("won_four_sevens", "share of rounds won by four 7s in hand"),
        row("won_plain_stop", "share of rounds won by a plain stop"),
        row(
            "won_stop_penalty",
            "share of rounds won by an opponent's failed plain stop",
        ),
        row("won_deck_empty", "share of rounds won on an empty deck"),
        row(
            "unregistered_at_end",
            "share of rounds ended without a register",
        ),
        row("sevens_left", "7s in hand at round end"),
        row("windows", "windows in which the seat was asked, per round"),
        row("claims", "discards claimed per round"),
        row(
            "plain_chances",
            "turns begun with a hand that could declare a plain stop, per round",
        ),
        row("plain_declared", "plain stops declared per round"),
        row("plain_failed", "plain stops failed per round"),
        row("turns", "turns begun per round, thank-you turns included"),
    ];

    type Rules = Rules;
    type Deal = Deal;
    type State = State;
    type Carry = Carry;
    type View = View;
    type Decision = Decision;
    type Question = Question;
    type Memo = Memo;

    fn check_setup(setup: &Setup<Self>) -> Result<(), RulesError> {
        setup.rules.check(setup.players)
    }

    fn policies() -> &'static [PolicyRow<Self>] {
        policy::POLICIES
    }

    fn deal(setup: &Setup<Self>, stream: &mut Stream) -> Deal {
        Deal::draw(setup.rules, setup.players, stream)
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
        out.clear();
        out.extend(view.options.iter());
    }

    #[inline]
    fn choices(view: &View, _memo: &mut Memo) -> Choices<Decision> {
        view.options.choices()
    }

    #[inline]
    fn apply(state: &mut State, seat: Seat, decision: &Decision) -> Result<(), Illegal> {
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

    fn resolve(state: &State, asker: Seat, question: &Question) -> Option<bool> {
        state.resolve(asker, question)
    }

    fn reshuffle(state: &State, seat: Seat, stream: &mut Stream) -> State {
        state.reshuffle(seat, stream)
    }
}
