//! The whole truth of a round: windows, turns, stops, ends.

mod setup;
mod truth;

pub use setup::Position;

use crate::card;
use crate::deal::{Carry, Deal, Stack};
use crate::legal::{Options, stops};
use crate::meld::{Meld, can_claim, classify};
use crate::moves::{Decision, Stop};
use crate::rules::Rules;
use crate::settle::{Payer, seats_after, settle};
use crate::table::{self, Table, check_held, check_registered, no_meld, not_the_top};
use crate::view::{Phase, Pile, View};
use evenhand_contract::{BySeat, Cards, Illegal, Seat};

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// A hand was emptied: E = 1.
    Out,
    /// A hand was emptied in the very turn that its seat began unregistered: E = 2.
    Hoola,
    /// A low stop: E = 4.
    Low,
    /// A high stop: E = 4.
    High,
    /// Four 7s in hand: E = 4.
    FourSevens,
    /// A plain stop that succeeded: E = 1.
    PlainStop,
    /// A plain stop that failed: the declarer pays.
    StopPenalty,
    /// A draw was due on an empty deck: E = 1.
    DeckEmpty,
}

impl End {
    /// Every end.
    pub const ALL: [Self; 8] = [
        Self::Out,
        Self::Hoola,
        Self::Low,
        Self::High,
        Self::FourSevens,
        Self::PlainStop,
        Self::StopPenalty,
        Self::DeckEmpty,
    ];

    /// The name in transcripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::Hoola => "hoola",
            Self::Low => "low",
            Self::High => "high",
            Self::FourSevens => "four_sevens",
            Self::PlainStop => "plain_stop",
            Self::StopPenalty => "stop_penalty",
            Self::DeckEmpty => "deck_empty",
        }
    }

    /// The multiplier E of every share.
    #[must_use]
    pub const fn multiplier(self) -> i64 {
        match self {
            Self::Hoola => 2,
            Self::Low | Self::High | Self::FourSevens => 4,
            Self::Out | Self::PlainStop | Self::StopPenalty | Self::DeckEmpty => 1,
        }
    }
}

/// How a round ended, for whom, and who pays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// How.
    pub end: End,
    /// Who won.
    pub winner: Seat,
    /// Who pays.
    pub payer: Payer,
}

/// How the turn in play began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Began {
    /// In its order.
    InOrder,
    /// By claiming a card; `None` the one turned up at the deal.
    Claim(Option<Seat>),
}

/// What the seats did in a round, for its figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Deeds {
    /// Windows in which the seat was asked.
    pub windows: u8,
    /// Windows in which it claimed.
    pub claims: u8,
    /// Turns that it began with a hand that could declare a plain stop.
    pub plain_chances: u8,
    /// Whether it declared one.
    pub plain_declared: bool,
}

/// A round in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    rules: Rules,
    hands: BySeat<Cards>,
    registered: BySeat<bool>,
    deck: Stack,
    table: Table,
    pile: Pile,
    phase: Phase,
    /// Who started the round.
    starter: Seat,
    /// Whose turn it is; in a window, whose it will be if nobody claims.
    turn: Seat,
    /// In a window: who is asked.
    asked: Seat,
    began: Began,
    /// Whether the seat of the turn was registered when it began.
    registered_before: bool,
    turns: BySeat<u8>,
    result: Option<Ending>,
    deeds: BySeat<Deeds>,
}

impl State {
    /// The first state of a round: the window of the card that was turned up, or the start seat's
    /// turn when nobody can claim it.
    #[must_use]
    pub fn start(rules: Rules, deal: &Deal, carry: &Carry) -> Self {
        let mut pile = Pile::default();
        pile.push(deal.turned_up, None);
        let players = deal.hands.players();
        let start = carry.winner.unwrap_or(deal.start);
        let mut state = Self::of(rules, deal.hands, BySeat::new(players), deal.deck, start);
        state.pile = pile;
        state.open_window();
        state
    }

    fn of(
        rules: Rules,
        hands: BySeat<Cards>,
        registered: BySeat<bool>,
        deck: Stack,
        turn: Seat,
    ) -> Self {
        let players = hands.players();
        Self {
            rules,
            hands,
            registered,
            deck,
            table: Table::default(),
            pile: Pile::default(),
            phase: Phase::Start,
            starter: turn,
            turn,
            asked: turn,
            began: Began::InOrder,
            registered_before: registered[turn],
            turns: BySeat::new(players),
            result: None,
            deeds: BySeat::new(players),
        }
    }

    /// How many sit at the table.
    #[must_use]
    pub const fn players(&self) -> u8 {
        self.hands.players()
    }

    /// The ruleset.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The cards in each hand.
    #[must_use]
    pub const fn hands(&self) -> &BySeat<Cards> {
        &self.hands
    }

    /// Who has registered.
    #[must_use]
    pub const fn registered(&self) -> &BySeat<bool> {
        &self.registered
    }

    /// The deck that is left.
    #[must_use]
    pub const fn deck(&self) -> &Stack {
        &self.deck
    }

    /// The melds on the table.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The discards.
    #[must_use]
    pub const fn pile(&self) -> &Pile {
        &self.pile
    }

    /// What may be done now; without meaning once the round is over.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Whose turn it is; in a window, whose it will be if nobody claims.
    #[must_use]
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// Who started the round: whose turn came first unless the card turned up was claimed.
    #[must_use]
    pub const fn starter(&self) -> Seat {
        self.starter
    }

    /// Turns that each seat has begun.
    #[must_use]
    pub const fn turns(&self) -> &BySeat<u8> {
        &self.turns
    }

    /// How the round ended; `None` while it goes on.
    #[must_use]
    pub const fn result(&self) -> Option<&Ending> {
        self.result.as_ref()
    }

    /// What the seats did so far.
    #[must_use]
    pub const fn deeds(&self) -> &BySeat<Deeds> {
        &self.deeds
    }

    /// Who decides next; `None` when the round is over.
    #[inline]
    #[must_use]
    pub const fn to_act(&self) -> Option<Seat> {
        match (self.result, self.phase) {
            (Some(_), _) => None,
            (None, Phase::Window) => Some(self.asked),
            (None, _) => Some(self.turn),
        }
    }

    /// What `seat` has seen. A seat that is not asked in a window sees the table as it will be when
    /// nobody claims, so that it cannot tell whether anybody is asked.
    #[must_use]
    pub fn view(&self, seat: Seat) -> View {
        let hand = self.hands[seat];
        let registered = self.registered[seat];
        let mut phase = self.phase;
        let mut turns = self.turns;
        let mut options = Options::default();
        if self.to_act() == Some(seat) {
            options = match phase {
                Phase::Window => match self.pile.top() {
                    Some((card, _)) => Options::window(card, hand),
                    None => Options::default(),
                },
                Phase::Start => Options::start(self.rules, hand, registered),
                Phase::Play => Options::play(hand, &self.table, registered),
            };
        } else if phase == Phase::Window {
            phase = Phase::Start;
            turns[self.turn] += 1;
        }
        let own_turn = seat == self.turn && self.phase != Phase::Window;
        View {
            players: self.players(),
            rules: self.rules,
            seat,
            phase,
            turn: self.turn,
            hand,
            counts: BySeat::from_fn(self.players(), |s| self.hands[s].len() as u8),
            registered: self.registered,
            registered_before: if own_turn {
                self.registered_before
            } else {
                registered
            },
            thank_you: phase == Phase::Play && self.began != Began::InOrder,
            table: self.table,
            pile: self.pile,
            deck: self.deck.len(),
            turns,
            options,
        }
    }

    /// Carries a decision out.
    ///
    /// # Errors
    /// [`Illegal`] with the reason; the state is then unchanged.
    pub fn apply(&mut self, seat: Seat, decision: Decision) -> Result<(), Illegal> {
        match self.to_act() {
            None => return Err(Illegal("the round is over".to_owned())),
            Some(turn) if turn != seat => {
                return Err(Illegal(format!(
                    "seat {seat} is out of turn: seat {turn} acts"
                )));
            }
            Some(_) => {}
        }
        match (self.phase, decision) {
            (Phase::Window, Decision::Claim(cards)) => self.claim(cards),
            (Phase::Window, Decision::Decline) => {
                self.ask_from(seats_after(self.turn, seat, self.players()) + 1);
                Ok(())
            }
            (Phase::Start, Decision::Stop(stop)) => self.stop(stop),
            (Phase::Start, Decision::Draw) => {
                self.draw();
                Ok(())
            }
            (Phase::Play, Decision::Register(cards)) => {
                self.table.register(&mut self.hands[seat], cards, seat)?;
                self.registered[seat] = true;
                self.check_out();
                Ok(())
            }
            (Phase::Play, Decision::LayOff { cards, meld }) => {
                check_registered(self.registered[seat])?;
                self.table.lay_off(&mut self.hands[seat], cards, meld)?;
                self.check_out();
                Ok(())
            }
            (Phase::Play, Decision::Discard(card)) => self.discard(card),
            (phase, decision) => Err(Illegal(format!(
                "{decision} {}",
                match phase {
                    Phase::Window => "while a discard may be claimed: claim or decline",
                    Phase::Start => "before the draw: stop or draw",
                    Phase::Play => "after the draw or the claim: register, lay off or discard",
                }
            ))),
        }
    }

    /// Carries a move of a transcript out: transcripts leave declines out, so those who are asked
    /// before the mover decline.
    ///
    /// # Errors
    /// [`Illegal`] with the reason; the state is then unchanged.
    pub fn replay(&mut self, seat: Seat, decision: Decision) -> Result<(), Illegal> {
        let mut next = *self;
        let claims = matches!(decision, Decision::Claim(_) | Decision::Decline);
        while let Some(asked) = next.to_act().filter(|_| next.phase == Phase::Window) {
            if claims && asked == seat {
                break;
            }
            next.apply(asked, Decision::Decline)?;
        }
        next.apply(seat, decision)?;
        *self = next;
        Ok(())
    }

    /// Opens the window of the top discard; `turn` is whose turn it is if nobody claims.
    fn open_window(&mut self) {
        self.phase = Phase::Window;
        self.ask_from(0);
    }

    /// Asks the first seat that can claim, from so many seats after `turn` on; when there is none,
    /// the turn begins.
    #[inline]
    fn ask_from(&mut self, first: u8) {
        let players = self.players();
        if let Some((card, by)) = self.pile.top() {
            for step in first..players {
                let seat = Seat((self.turn.0 + step) % players);
                if Some(seat) != by && can_claim(card, self.hands[seat]) {
                    self.asked = seat;
                    self.deeds[seat].windows += 1;
                    return;
                }
            }
        }
        self.begin_turn();
    }

    fn begin_turn(&mut self) {
        let seat = self.turn;
        self.phase = Phase::Start;
        self.began = Began::InOrder;
        self.registered_before = self.registered[seat];
        self.turns[seat] += 1;
        if self.registered_before
            && stops(self.rules, self.hands[seat], self.registered_before).has(Stop::Plain)
        {
            self.deeds[seat].plain_chances += 1;
        }
    }

    fn claim(&mut self, cards: Cards) -> Result<(), Illegal> {
        let seat = self.asked;
        let (card, by) = match self.pile.top() {
            Some(top) if cards.has(top.0) => top,
            _ => return Err(not_the_top(cards)),
        };
        check_held(self.hands[seat], cards - Cards::one(card))?;
        let Some(kind) = classify(cards) else {
            return Err(no_meld(cards));
        };
        self.table.add(Meld::new(kind, cards, seat))?;
        self.pile.pop();
        self.hands[seat] -= cards;
        self.turn = seat;
        self.phase = Phase::Play;
        self.began = Began::Claim(by);
        self.registered_before = self.registered[seat];
        self.registered[seat] = true;
        self.turns[seat] += 1;
        self.deeds[seat].claims += 1;
        self.check_out();
        Ok(())
    }

    fn draw(&mut self) {
        match self.deck.take() {
            Some(card) => {
                self.hands[self.turn] |= Cards::one(card);
                self.phase = Phase::Play;
            }
            None => {
                let winner = self.lowest_of_an_empty_deck();
                self.finish(End::DeckEmpty, winner, Payer::Each);
            }
        }
    }

    /// The registered seat with the lowest sum, or any when none is registered; equal sums: fewer
    /// cards, then the nearest from the seat that was due to draw, itself included.
    fn lowest_of_an_empty_deck(&self) -> Seat {
        let players = self.players();
        let order = |seat: Seat| {
            let hand = self.hands[seat];
            (
                !self.registered[seat],
                card::sum(hand),
                hand.len(),
                seats_after(self.turn, seat, players),
            )
        };
        let all = Seat::all(players).filter(|&seat| {
            // Without a registered seat, all are alike.
            self.registered[seat] || !self.registered.as_slice().contains(&true)
        });
        all.min_by_key(|&seat| order(seat)).unwrap_or(self.turn)
    }

    fn stop(&mut self, stop: Stop) -> Result<(), Illegal> {
        let seat = self.turn;
        let hand = self.hands[seat];
        if !stops(self.rules, hand, self.registered[seat]).has(stop) {
            return Err(Illegal(format!(
                "stop {} needs {}; seat {seat} is {} and holds {}",
                stop.name(),
                self.rules.needs(stop),
                if self.registered[seat] {
                    "registered"
                } else {
                    "unregistered"
                },
                card::sum(hand)
            )));
        }
        match stop {
            Stop::FourSevens => self.finish(End::FourSevens, seat, Payer::Each),
            Stop::Low => self.finish(End::Low, seat, Payer::Each),
            Stop::High => self.finish(End::High, seat, Payer::Each),
            Stop::Plain => {
                self.deeds[seat].plain_declared = true;
                let players = self.players();
                let lowest = (1..players)
                    .map(|step| Seat((seat.0 + step) % players))
                    .min_by_key(|&other| card::sum(self.hands[other]))
                    .unwrap_or(seat);
                if card::sum(hand) < card::sum(self.hands[lowest]) {
                    self.finish(End::PlainStop, seat, Payer::Each);
                } else {
                    self.finish(End::StopPenalty, lowest, Payer::Declarer(seat));
                }
            }
        }
        Ok(())
    }

    fn discard(&mut self, card: u8) -> Result<(), Illegal> {
        let seat = self.turn;
        table::discard(&mut self.hands[seat], card)?;
        self.pile.push(card, Some(seat));
        self.check_out();
        if self.result.is_none() {
            self.turn = seat.next(self.players());
            self.open_window();
        }
        Ok(())
    }

    /// Ends the round when the hand of the turn is empty.
    #[inline]
    fn check_out(&mut self) {
        if !self.hands[self.turn].is_empty() {
            return;
        }
        let (end, payer) = match self.began {
            Began::InOrder if self.registered_before => (End::Out, Payer::Each),
            Began::InOrder => (End::Hoola, Payer::Each),
            Began::Claim(Some(by)) if self.rules.thank_you_penalty => {
                (End::Out, Payer::Discarder(by))
            }
            Began::Claim(_) => (End::Out, Payer::Each),
        };
        self.finish(end, self.turn, payer);
    }

    fn finish(&mut self, end: End, winner: Seat, payer: Payer) {
        self.result = Some(Ending { end, winner, payer });
    }

    /// Points of each seat for a finished round; sums to zero. All zero while it goes on.
    #[must_use]
    pub fn settlement(&self) -> BySeat<i64> {
        match &self.result {
            Some(result) => settle(
                &self.hands,
                &self.registered,
                result.winner,
                result.end.multiplier(),
                result.payer,
            ),
            None => BySeat::new(self.players()),
        }
    }

    /// What the next round takes over.
    #[must_use]
    pub fn carry(&self) -> Carry {
        Carry {
            winner: self.result.map(|result| result.winner),
        }
    }
}
