use crate::play::{Play, beats, is_meld, plays_of};
use crate::rules::{Lead, Pay, Rules};
use evenhand_contract::{
    BySeat, Cards, Choices, Game, Illegal, MetricRow, PolicyRow, Seat, Setup, Stream,
};

/// A tiny shedding game.
///
/// Seven ranks of as many cards as there are players, all dealt, seven each; the id is the
/// strength. A lead is any single or pair; to follow, play as many cards with a stronger top card,
/// or pass. When all others have passed the field's owner leads. Who is out first wins the round
/// and is paid by the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toy;

const HAND: u8 = 7;

/// The deck of a table.
#[must_use]
pub const fn deck(players: u8) -> Cards {
    Cards((1 << (HAND * players)) - 1)
}

/// Hands as dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal(pub BySeat<Cards>);

/// The winner of the round before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Carry(pub Option<Seat>);

/// Remembers nothing but scratch space, and what a test's policy notes.
#[derive(Default)]
pub struct Memo {
    pub(crate) plays: Vec<Play>,
    /// For policies that watch over their memo: the toy itself neither reads nor writes it.
    pub notes: Vec<(i64, Seat)>,
}

/// The whole truth of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Player count.
    pub players: u8,
    /// The ruleset.
    pub rules: Rules,
    /// Hands now.
    pub hands: BySeat<Cards>,
    /// Who acts.
    pub to_act: Seat,
    /// What is to be beaten.
    pub field: Play,
    /// Who played the field.
    pub owner: Option<Seat>,
    /// Passes since.
    pub passes: u8,
    /// Everything played.
    pub played: Cards,
    /// Plays made, by seat.
    pub plays: BySeat<u32>,
    /// Set when the round is over.
    pub winner: Option<Seat>,
}

/// What a seat has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Player count.
    pub players: u8,
    /// The ruleset.
    pub rules: Rules,
    /// Whose view it is.
    pub seat: Seat,
    /// Own cards.
    pub hand: Cards,
    /// Cards in hand by seat.
    pub counts: BySeat<u8>,
    /// What is to be beaten; a pass stands for an empty field.
    pub field: Play,
    /// Everything played.
    pub played: Cards,
}

impl View {
    /// What the others hold.
    #[must_use]
    pub const fn unseen(&self) -> Cards {
        Cards(deck(self.players).0 & !self.hand.0 & !self.played.0)
    }
}

impl Game for Toy {
    const NAME: &'static str = "toy";
    const PLAYERS: &'static [u8] = &[2, 3, 4];
    const WORK_LIMIT: u64 = 1_000;
    const ROUNDS_ARE_INDEPENDENT: bool = true;
    const METRICS: &'static [MetricRow] = &[
        MetricRow {
            name: "cards_left",
            about: "cards in hand when the round ended",
        },
        MetricRow {
            name: "won",
            about: "rounds won",
        },
        MetricRow {
            name: "plays",
            about: "plays made, passes not counted",
        },
    ];

    type Rules = Rules;
    type Deal = Deal;
    type State = State;
    type Carry = Carry;
    type View = View;
    type Decision = Play;
    type Question = Play;
    type Memo = Memo;

    fn policies() -> &'static [PolicyRow<Self>] {
        crate::policy::ROWS
    }

    fn deal(setup: &Setup<Self>, stream: &mut Stream) -> Deal {
        let mut ids: Vec<u8> = deck(setup.players).iter().collect();
        stream.shuffle(&mut ids);
        Deal(BySeat::from_fn(setup.players, |seat| {
            let from = seat.index() * usize::from(HAND);
            ids[from..from + usize::from(HAND)]
                .iter()
                .fold(Cards::EMPTY, |hand, &id| hand | Cards::one(id))
        }))
    }

    fn start(setup: &Setup<Self>, deal: &Deal, carry: &Carry) -> State {
        let lowest = Seat::all(setup.players).find(|&seat| deal.0[seat].has(0));
        let leader = match (setup.rules.lead, carry.0) {
            (Lead::Winner, Some(winner)) => Some(winner),
            _ => lowest,
        };
        State {
            players: setup.players,
            rules: setup.rules,
            hands: deal.0,
            to_act: leader.unwrap_or_default(),
            field: Play::PASS,
            owner: None,
            passes: 0,
            played: Cards::EMPTY,
            plays: BySeat::new(setup.players),
            winner: None,
        }
    }

    fn to_act(state: &State) -> Option<Seat> {
        match state.winner {
            None => Some(state.to_act),
            Some(_) => None,
        }
    }

    fn view(state: &State, seat: Seat) -> View {
        View {
            players: state.players,
            rules: state.rules,
            seat,
            hand: state.hands[seat],
            counts: BySeat::from_fn(state.players, |s| state.hands[s].len() as u8),
            field: state.field,
            played: state.played,
        }
    }

    fn legal(view: &View, _memo: &mut Memo, out: &mut Vec<Play>) {
        plays_of(view.hand, view.players, out);
        if !view.field.is_pass() {
            out.retain(|&play| beats(play, view.field));
            out.insert(0, Play::PASS);
        }
    }

    fn choices(view: &View, memo: &mut Memo) -> Choices<Play> {
        let mut plays = std::mem::take(&mut memo.plays);
        Self::legal(view, memo, &mut plays);
        let choices = match plays[..] {
            [only] => Choices::Forced(only),
            _ => Choices::Free,
        };
        memo.plays = plays;
        choices
    }

    fn apply(state: &mut State, seat: Seat, decision: &Play) -> Result<(), Illegal> {
        let refuse = |reason: &str| Err(Illegal(format!("seat {seat}: {reason}")));
        if state.winner.is_some() || seat != state.to_act {
            return refuse("out of turn");
        }
        if decision.is_pass() {
            if state.field.is_pass() {
                return refuse("a pass on lead");
            }
            state.passes += 1;
            state.to_act = seat.next(state.players);
            if state.passes == state.players - 1 {
                state.field = Play::PASS;
                state.passes = 0;
            }
            return Ok(());
        }
        if !state.hands[seat].has_all(decision.0) {
            return refuse("a card that is not in hand");
        }
        if !is_meld(decision.0, state.players) {
            return refuse("neither a single nor a pair");
        }
        if !state.field.is_pass() && !beats(*decision, state.field) {
            return refuse("does not beat the field");
        }
        state.hands[seat] -= decision.0;
        state.played |= decision.0;
        state.plays[seat] += 1;
        state.field = *decision;
        state.owner = Some(seat);
        state.passes = 0;
        if state.hands[seat].is_empty() {
            state.winner = Some(seat);
        }
        state.to_act = seat.next(state.players);
        Ok(())
    }

    fn settlement(state: &State) -> BySeat<i64> {
        let mut points = BySeat::new(state.players);
        let Some(winner) = state.winner else {
            return points;
        };
        for seat in Seat::all(state.players).filter(|&s| s != winner) {
            let pays = match state.rules.pay {
                Pay::Count | Pay::Leak => i64::from(state.hands[seat].len()),
                Pay::Flat => 1,
            };
            points[seat] -= pays;
            points[winner] += pays;
        }
        if state.rules.pay == Pay::Leak {
            points[winner] += 1;
        }
        points
    }

    fn carry(state: &State) -> Carry {
        Carry(state.winner)
    }

    fn metrics(state: &State, seat: Seat, sums: &mut [i64]) {
        sums[0] += i64::from(state.hands[seat].len());
        sums[1] += i64::from(state.winner == Some(seat));
        sums[2] += i64::from(state.plays[seat]);
    }

    fn resolve(state: &State, asker: Seat, question: &Play) -> Option<bool> {
        let mut plays = Vec::new();
        Some(
            Seat::all(state.players)
                .filter(|&seat| seat != asker)
                .any(|seat| {
                    plays_of(state.hands[seat], state.players, &mut plays);
                    plays.iter().any(|&play| beats(play, *question))
                }),
        )
    }

    fn reshuffle(state: &State, seat: Seat, stream: &mut Stream) -> State {
        let others = || Seat::all(state.players).filter(|&s| s != seat);
        let mut ids: Vec<u8> = others().flat_map(|s| state.hands[s].iter()).collect();
        ids.sort_unstable();
        stream.shuffle(&mut ids);
        let mut dealt = state.clone();
        let mut next = ids.into_iter();
        for other in others() {
            let count = state.hands[other].len() as usize;
            dealt.hands[other] = next
                .by_ref()
                .take(count)
                .fold(Cards::EMPTY, |hand, id| hand | Cards::one(id));
        }
        dealt
    }
}
