//! What only the whole truth of a round tells: answers to questions, other deals of what a seat has
//! not seen, figures of the end.

use super::{End, State};
use crate::card;
use crate::deal::Stack;
use crate::question::Question;
use crate::settle::Payer;
use crate::view::Phase;
use evenhand_contract::{Cards, Seat, Stream};

impl State {
    /// The truth of a question; `None` when it is not known yet. After the end of the round every
    /// question is answered.
    #[must_use]
    pub fn resolve(&self, asker: Seat, question: &Question) -> Option<bool> {
        let sum = |seat: Seat| card::sum(self.hands[seat]);
        match *question {
            Question::PlainWins { .. } => {
                let mut others = Seat::all(self.players()).filter(|&seat| seat != asker);
                Some(others.all(|seat| sum(seat) > sum(asker)))
            }
            Question::SumAbove { seat, sum: line } => Some(sum(seat) > u32::from(line)),
            Question::OpponentOut { turns } => match self.result {
                _ if self.turns[asker] > turns => Some(false),
                Some(result) => {
                    Some(matches!(result.end, End::Out | End::Hoola) && result.winner != asker)
                }
                None => None,
            },
            Question::Claimed { card } => {
                let still_open = match self.phase {
                    Phase::Window => self.pile.top().is_some_and(|(top, _)| top == card),
                    // It may yet be discarded in this turn.
                    Phase::Start | Phase::Play => self.turn == asker && self.hands[asker].has(card),
                };
                if self.result.is_none() && still_open {
                    None
                } else {
                    Some(self.table.cards().has(card))
                }
            }
        }
    }

    /// The same state with the cards that `seat` has not seen dealt afresh over the other hands and
    /// the deck. Whoever is asked in a window stays asked; where the new hand cannot claim, all that
    /// is left to that seat is to decline.
    #[must_use]
    pub fn reshuffle(&self, seat: Seat, stream: &mut Stream) -> Self {
        let others = || Seat::all(self.players()).filter(move |&s| s != seat);
        let deck = self.deck.as_slice().iter().copied();
        let in_hands = others().flat_map(|s| self.hands[s]);
        let mut cards = Stack::of(deck.chain(in_hands));
        stream.shuffle(cards.rest_mut());
        let mut rest = cards.as_slice().iter().copied();
        let mut state = *self;
        for slot in state.deck.rest_mut() {
            *slot = rest.next().unwrap_or(*slot);
        }
        for other in others() {
            let size = self.hands[other].len() as usize;
            state.hands[other] = rest.by_ref().take(size).collect();
        }
        state
    }

    /// Adds a seat's figures of the finished round, in the order of the game's metric rows.
    pub(crate) fn metrics(&self, seat: Seat, sums: &mut [i64]) {
        let Some(result) = &self.result else {
            return;
        };
        let won = |end: End| i64::from(result.winner == seat && result.end == end);
        let deeds = self.deeds[seat];
        let failed = result.payer == Payer::Declarer(seat);
        let figures = [
            won(End::Out),
            won(End::Hoola),
            won(End::Low),
            won(End::High),
            won(End::FourSevens),
            won(End::PlainStop),
            won(End::StopPenalty),
            won(End::DeckEmpty),
            i64::from(!self.registered[seat]),
            i64::from((self.hands[seat] & card::SEVENS).len()),
            i64::from(deeds.windows),
            i64::from(deeds.claims),
            i64::from(deeds.plain_chances),
            i64::from(deeds.plain_declared),
            i64::from(failed),
            i64::from(self.turns[seat]),
        ];
        for (sum, figure) in sums.iter_mut().zip(figures) {
            *sum += figure;
        }
    }

    /// The cards in all places, for checks: hands, table, discards, deck.
    #[must_use]
    pub fn everywhere(&self) -> [Cards; 4] {
        let hands = self.hands.as_slice().iter();
        [
            hands.fold(Cards::EMPTY, |all, &hand| all | hand),
            self.table.cards(),
            self.pile.cards(),
            self.deck.as_slice().iter().copied().collect(),
        ]
    }
}
