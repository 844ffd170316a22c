//! Positions written down by hand: loose values in, a round out.

use super::State;
use crate::card::card_text;
use crate::deal::Stack;
use crate::meld::Meld;
use crate::rules::Rules;
use evenhand_contract::{BySeat, Cards, Seat};

/// A position as somebody writes it down, unchecked: see [`State::set_up`].
#[derive(Clone, Debug)]
pub struct Position {
    /// The ruleset.
    pub rules: Rules,
    /// The cards of each seat.
    pub hands: BySeat<Cards>,
    /// Who has registered.
    pub registered: BySeat<bool>,
    /// The melds on the table.
    pub melds: Vec<Meld>,
    /// The discards, the oldest first.
    pub pile: Vec<u8>,
    /// Who discarded the top one; `None` when it was turned up at the deal.
    pub discarder: Option<Seat>,
    /// The deck, top card first.
    pub deck: Vec<u8>,
    /// Whose turn it is if nobody claims the top discard.
    pub turn: Seat,
}

impl State {
    /// A round from the window of the top discard on, or from the beginning of a turn when there is
    /// no discard. The position may be a fragment: it need not hold the whole deck nor be reachable.
    ///
    /// # Errors
    /// The reason, when a card lies in two places, a hand is empty, a meld is none, or a seat is not
    /// at the table.
    pub fn set_up(position: &Position) -> Result<Self, String> {
        let players = position.hands.players();
        let mut seen = Cards::EMPTY;
        let mut place = |cards: Cards, what: &str| {
            let twice = seen & cards;
            seen |= cards;
            match twice.lowest() {
                Some(card) => Err(format!("{what}: {} lies elsewhere too", card_text(card))),
                None => Ok(()),
            }
        };
        for (seat, &hand) in position.hands.iter() {
            place(hand, &format!("hand of seat {seat}"))?;
            if hand.is_empty() {
                return Err(format!("the hand of seat {seat} is empty"));
            }
        }
        for &card in position.pile.iter().chain(&position.deck) {
            place(Cards::one(card), "discards or deck")?;
        }
        let at_table = |seat: Seat| seat.0 < players;
        if !at_table(position.turn) || position.discarder.is_some_and(|seat| !at_table(seat)) {
            return Err(format!("a seat is not at the table of {players}"));
        }
        let mut state = Self::of(
            position.rules,
            position.hands,
            position.registered,
            Stack::of(position.deck.iter().copied()),
            position.turn,
        );
        for meld in &position.melds {
            place(meld.cards(), "melds")?;
            if !meld.kind().may_be(meld.cards()) {
                return Err(format!("{meld:?} is no meld"));
            }
            state.table.add(*meld).map_err(|e| e.to_string())?;
        }
        for (back, &card) in position.pile.iter().enumerate() {
            let is_top = back + 1 == position.pile.len();
            state.pile.push(card, position.discarder.filter(|_| is_top));
        }
        if position.pile.is_empty() {
            state.begin_turn();
        } else {
            state.open_window();
        }
        Ok(state)
    }
}
