//! The whole truth of a round: tribute, the turn, effects, finishes, places.

use crate::beater::holds_beater;
use crate::card::{DECK, cards_text, highest};
use crate::deal::Deal;
use crate::order::SeatList;
use crate::play::{Decision, Play};
use crate::rules::Rules;
use crate::tribute::{Exchange, Pair, pair_of, pairs, seat_at};
use crate::view::View;
use evenhand_contract::{BySeat, Cards, Illegal, Seat};

mod reshuffle;

/// What a match carries from round to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Carry {
    /// Each seat's place in the round before, from 1; `None` before the first round.
    pub previous: Option<BySeat<u8>>,
    /// Rounds played.
    pub rounds: u32,
}

/// A round in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    rules: Rules,
    round: u32,
    previous: Option<BySeat<u8>>,
    leader: Seat,
    /// Hands before tribute.
    dealt: BySeat<Cards>,
    blind: Cards,
    hands: BySeat<Cards>,
    counts: BySeat<u8>,
    played: BySeat<Cards>,
    /// Face-down cards of the seat that fell.
    fall_pile: Cards,
    /// Exchanges whose better place has yet to choose, the first one acts.
    due: [Option<Pair>; 2],
    /// What better places have chosen to give back, while others still choose; then what each seat
    /// gave and received.
    given: BySeat<Cards>,
    received: BySeat<Cards>,
    field: Option<Play>,
    field_owner: Option<Seat>,
    revolution: bool,
    turn: Seat,
    /// Seats that passed since the field was last empty, bit i for seat i.
    passed: u8,
    /// Seats still in the round, bit i for seat i.
    active: u8,
    normal: SeatList,
    fouls: SeatList,
    fallen: Option<Seat>,
    /// Turns in which a legal follow existed, and those of them that ended in a pass.
    could_follow: BySeat<u8>,
    held_back: BySeat<u8>,
}

impl State {
    /// The first state of a round: with tribute to be chosen after the first round of a match,
    /// else ready for the lead.
    #[must_use]
    pub fn start(rules: Rules, deal: &Deal, carry: &Carry) -> Self {
        let mut state = Self::in_play(rules, deal, carry, false);
        if let Some(previous) = &carry.previous {
            state.leader = seat_at(previous, previous.players()).unwrap_or(deal.leader);
            state.turn = state.leader;
            state.due = pairs(previous);
        }
        state
    }

    /// A round that `deal.leader` leads with these hands as they are, tribute being over; the
    /// hands need not hold the whole deck. For positions from outside.
    #[must_use]
    pub fn in_play(rules: Rules, deal: &Deal, carry: &Carry, revolution: bool) -> Self {
        let players = deal.hands.players();
        Self {
            rules,
            round: carry.rounds + 1,
            previous: carry.previous,
            leader: deal.leader,
            dealt: deal.hands,
            blind: deal.blind,
            hands: deal.hands,
            counts: BySeat::from_fn(players, |seat| deal.hands[seat].len() as u8),
            played: BySeat::new(players),
            fall_pile: Cards::EMPTY,
            due: [None, None],
            given: BySeat::new(players),
            received: BySeat::new(players),
            field: None,
            field_owner: None,
            revolution,
            turn: deal.leader,
            passed: 0,
            active: (1 << players) - 1,
            normal: SeatList::default(),
            fouls: SeatList::default(),
            fallen: None,
            could_follow: BySeat::new(players),
            held_back: BySeat::new(players),
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

    /// Each seat's hand before tribute.
    #[must_use]
    pub const fn dealt(&self) -> &BySeat<Cards> {
        &self.dealt
    }

    /// The cards set aside.
    #[must_use]
    pub const fn blind(&self) -> Cards {
        self.blind
    }

    /// The cards of the seat that fell.
    #[must_use]
    pub const fn fall_pile(&self) -> Cards {
        self.fall_pile
    }

    /// The cards that each seat has played.
    #[must_use]
    pub const fn played(&self) -> &BySeat<Cards> {
        &self.played
    }

    /// The play to beat and who played it.
    #[must_use]
    pub fn field(&self) -> Option<(Play, Seat)> {
        self.field.zip(self.field_owner)
    }

    /// Whether the order is turned.
    #[must_use]
    pub const fn revolution(&self) -> bool {
        self.revolution
    }

    /// Seats that passed since the field was last empty, bit i for seat i.
    #[must_use]
    pub const fn passed(&self) -> u8 {
        self.passed
    }

    /// Seats that finished normally, in order.
    #[must_use]
    pub const fn normal(&self) -> &SeatList {
        &self.normal
    }

    /// Seats that finished by a foul, in order.
    #[must_use]
    pub const fn fouls(&self) -> &SeatList {
        &self.fouls
    }

    /// The seat that fell.
    #[must_use]
    pub const fn fallen(&self) -> Option<Seat> {
        self.fallen
    }

    /// Who leads the round.
    #[must_use]
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// Each seat's place in the round before; `None` in the first round.
    #[must_use]
    pub const fn previous(&self) -> Option<&BySeat<u8>> {
        self.previous.as_ref()
    }

    /// Whether the seat is still in the round.
    #[inline]
    #[must_use]
    pub const fn is_active(&self, seat: Seat) -> bool {
        self.active >> seat.0 & 1 == 1
    }

    /// Tribute that has changed hands: from, to and the cards; of each pair the worse place first.
    pub fn tribute(&self) -> impl Iterator<Item = (Seat, Seat, Cards)> + '_ {
        let over = self.due[0].is_none() && self.due[1].is_none();
        let pairs = self.previous.filter(|_| over).map(|p| pairs(&p));
        let pairs = pairs.unwrap_or_default().into_iter().flatten();
        pairs
            .flat_map(|pair| [(pair.low, pair.high), (pair.high, pair.low)])
            .map(|(from, to)| (from, to, self.given[from]))
            .filter(|(_, _, cards)| !cards.is_empty())
    }

    /// Who decides next; `None` when the round is over.
    #[inline]
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        if let Some(pair) = self.due_now() {
            return Some(pair.high);
        }
        (!self.is_over()).then_some(self.turn)
    }

    #[inline]
    const fn due_now(&self) -> Option<Pair> {
        match self.due {
            [None, later] => later,
            [first, _] => first,
        }
    }

    #[inline]
    const fn is_over(&self) -> bool {
        self.active & self.active.wrapping_sub(1) == 0
    }

    /// What `seat` has seen.
    #[inline]
    #[must_use]
    pub fn view(&self, seat: Seat) -> View {
        let due = match self.due_now() {
            Some(pair) if pair.high == seat => pair.cards,
            _ => 0,
        };
        View {
            players: self.players(),
            rules: self.rules,
            seat,
            round: self.round,
            hand: self.hands[seat],
            counts: self.counts,
            field: self.field,
            field_owner: self.field_owner,
            revolution: self.revolution,
            played: self.played,
            passed: self.passed,
            normal: self.normal,
            fouls: self.fouls,
            fallen: self.fallen,
            previous: self.previous,
            due,
            exchange: self.exchange(seat),
        }
    }

    fn exchange(&self, seat: Seat) -> Option<Exchange> {
        // Received cards are set when they change hands.
        if self.received[seat].is_empty() {
            return None;
        }
        let pair = pair_of(self.previous.as_ref()?, seat)?;
        let low = pair.low == seat;
        Some(Exchange {
            partner: if low { pair.high } else { pair.low },
            low,
            given: self.given[seat],
            received: self.received[seat],
        })
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
        match (self.due_now(), decision) {
            (Some(pair), Decision::Return(cards)) => self.give_back(pair, cards),
            (Some(pair), _) => Err(Illegal(format!(
                "seat {seat} must first give {} cards back",
                pair.cards
            ))),
            (None, Decision::Return(_)) => {
                Err(Illegal("no tribute is to be given back".to_owned()))
            }
            (None, Decision::Pass) => self.pass(seat),
            (None, _) => {
                let play = self.check(seat, decision)?;
                self.play(seat, play);
                Ok(())
            }
        }
    }

    fn give_back(&mut self, pair: Pair, cards: Cards) -> Result<(), Illegal> {
        self.check_held(pair.high, cards)?;
        if cards.len() != u32::from(pair.cards) {
            return Err(Illegal(format!(
                "seat {} must give {} cards back, not {}",
                pair.high,
                pair.cards,
                cards.len()
            )));
        }
        self.given[pair.high] = cards;
        for slot in &mut self.due {
            if *slot == Some(pair) {
                *slot = None;
            }
        }
        if let (None, Some(previous)) = (self.due_now(), self.previous) {
            for pair in pairs(&previous).into_iter().flatten() {
                self.given[pair.low] = highest(self.hands[pair.low], pair.cards.into());
                self.received[pair.low] = self.given[pair.high];
                self.received[pair.high] = self.given[pair.low];
                for seat in [pair.low, pair.high] {
                    self.hands[seat] -= self.given[seat];
                    self.hands[seat] |= self.received[seat];
                }
            }
        }
        Ok(())
    }

    fn pass(&mut self, seat: Seat) -> Result<(), Illegal> {
        let Some((field, owner)) = self.field() else {
            return Err(Illegal(
                "a pass on the lead: the leader must play".to_owned(),
            ));
        };
        if holds_beater(self.hands[seat], &field, self.revolution) {
            self.could_follow[seat] += 1;
            self.held_back[seat] += 1;
        }
        self.passed |= 1 << seat.0;
        self.advance(seat, owner);
        Ok(())
    }

    /// Tells the play that was decided on, or why it is not legal.
    fn check(&self, seat: Seat, decision: Decision) -> Result<Play, Illegal> {
        self.check_held(seat, decision.cards())?;
        let Some(play) = decision.play().map_err(Illegal)? else {
            return Err(Illegal("no cards are played".to_owned()));
        };
        let Some(field) = &self.field else {
            return Ok(play);
        };
        let refuse = |why: String| Err(Illegal(format!("{} {why}", play.cards_text())));
        if play.kind != field.kind {
            refuse(format!("is no {:?}, as the field is", field.kind).to_lowercase())
        } else if play.size() != field.size() {
            refuse(format!(
                "has {} cards, the field has {}",
                play.size(),
                field.size()
            ))
        } else if !play.beats(field, self.revolution) {
            let order = if self.revolution {
                " in the revolution"
            } else {
                ""
            };
            refuse(format!("does not beat {}{order}", field.cards_text()))
        } else {
            Ok(play)
        }
    }

    fn check_held(&self, seat: Seat, cards: Cards) -> Result<(), Illegal> {
        let Some(missing) = (cards - self.hands[seat]).lowest() else {
            return Ok(());
        };
        Err(Illegal(if DECK.has(missing) {
            let text = cards_text(Cards::one(missing));
            format!("{text} is not in the hand of seat {seat}")
        } else {
            format!("card id {missing} is not in this deck")
        }))
    }

    /// A legal play and its effects, in the order of the rules page.
    fn play(&mut self, seat: Seat, play: Play) {
        self.hands[seat] -= play.cards;
        self.counts[seat] -= play.size() as u8;
        self.played[seat] |= play.cards;
        self.could_follow[seat] += u8::from(self.field.is_some());
        if self.hands[seat].is_empty() {
            self.finish(seat, &play);
        }
        if play.turns_order() {
            self.revolution = !self.revolution;
        }
        if play.clears(self.field.as_ref()) {
            self.clear(seat);
        } else {
            self.field = Some(play);
            self.field_owner = Some(seat);
            self.advance(seat, seat);
        }
    }

    /// Takes a seat with an empty hand out of the round, judged by the order before its last play.
    fn finish(&mut self, seat: Seat, last: &Play) {
        self.active &= !(1 << seat.0);
        if last.fouls(self.revolution, self.rules) {
            self.fouls.push(seat);
            return;
        }
        let first = self.normal.is_empty();
        self.normal.push(seat);
        if !(first && self.rules.fall) {
            return;
        }
        let best = self.previous.and_then(|places| seat_at(&places, 1));
        if let Some(best) = best.filter(|&best| best != seat && self.is_active(best)) {
            self.active &= !(1 << best.0);
            self.passed &= !(1 << best.0);
            self.fallen = Some(best);
            self.fall_pile = self.hands[best];
            self.hands[best] = Cards::EMPTY;
            self.counts[best] = 0;
        }
    }

    /// Gives the turn to the next seat after `from` that may still answer `owner`'s play; when
    /// there is none, the field clears.
    #[inline]
    fn advance(&mut self, from: Seat, owner: Seat) {
        let answering = self.active & !self.passed & !(1 << owner.0);
        match self.next_of(answering, from) {
            Some(seat) => self.turn = seat,
            None => self.clear(owner),
        }
    }

    /// Empties the field; `seat` leads, or the next active seat after it.
    fn clear(&mut self, seat: Seat) {
        self.field = None;
        self.field_owner = None;
        self.passed = 0;
        if self.is_active(seat) {
            self.turn = seat;
        } else if let Some(next) = self.next_of(self.active, seat) {
            self.turn = next;
        }
    }

    /// The first of some seats, bit i for seat i, in turn order after `from`.
    #[inline]
    fn next_of(&self, seats: u8, from: Seat) -> Option<Seat> {
        let after = seats & !((2u8 << from.0) - 1);
        let first = if after == 0 { seats } else { after };
        (first != 0).then(|| Seat(first.trailing_zeros() as u8))
    }

    /// Each seat's place, from 1: normal finishers, the last active seat, the fallen one, fouls
    /// with the latest first. 0 for seats still in a round that is not over.
    #[must_use]
    pub fn places(&self) -> BySeat<u8> {
        let mut places = BySeat::new(self.players());
        let left =
            (self.is_over() && self.active != 0).then(|| Seat(self.active.trailing_zeros() as u8));
        let above = self.normal.as_slice().iter().copied().chain(left);
        for (place, seat) in (1..).zip(above) {
            places[seat] = place;
        }
        let mut place = self.players();
        for &seat in self.fouls.as_slice() {
            places[seat] = place;
            place -= 1;
        }
        if let Some(seat) = self.fallen {
            places[seat] = place;
        }
        places
    }

    /// What the next round takes over.
    #[must_use]
    pub fn carry(&self) -> Carry {
        Carry {
            previous: Some(self.places()),
            rounds: self.round,
        }
    }

    /// Adds a seat's figures of the finished round, in the order of the game's metric rows.
    pub(crate) fn metrics(&self, seat: Seat, sums: &mut [i64]) {
        let place = self.places()[seat];
        let figures = [
            i64::from(place),
            i64::from(self.fouls.has(seat)),
            i64::from(self.fallen == Some(seat)),
            i64::from(place == 1),
            i64::from(place == self.players()),
            i64::from(self.could_follow[seat]),
            i64::from(self.held_back[seat]),
        ];
        for (sum, figure) in sums.iter_mut().zip(figures) {
            *sum += figure;
        }
    }
}

/// Points of places: players + 1 - 2 x place, which sum to zero over a permutation.
#[must_use]
pub fn settle(places: &BySeat<u8>) -> BySeat<i64> {
    let players = places.players();
    BySeat::from_fn(players, |seat| {
        i64::from(players) + 1 - 2 * i64::from(places[seat])
    })
}
