use super::State;
use crate::card::{NATURALS, lowest};
use crate::deal::Ids;
use crate::tribute::pairs;
use evenhand_contract::{Cards, Seat, Stream};

impl State {
    /// The same state with the cards that `seat` has not seen dealt afresh over the other hands,
    /// the blind and the fall pile: each world that the seat's own knowledge admits is equally
    /// likely.
    ///
    /// Every place keeps its number of cards and the blind holds no joker. Own tribute that was
    /// given and not yet played stays where it is. Seen from the better place of a pair, what the
    /// partner holds beyond the cards that came back to it is below the cards that it gave. A seat
    /// that fell keeps its own pile as it was.
    ///
    /// What other pairs exchanged is unknown to the seat and the re-dealt hands need not agree with
    /// it, so those seats know of no exchange afterwards; while tribute is being chosen, others
    /// that chose before give their lowest cards.
    ///
    /// The draw is uniform: the partner's cards are drawn first from those below the bound, all
    /// naturals unless the bound excludes nothing, so how the blind can be drawn from the naturals
    /// that are left, and the rest from what is left then, does not depend on which they were.
    #[must_use]
    pub fn reshuffle(&self, seat: Seat, stream: &mut Stream) -> Self {
        let view = self.view(seat);
        let mut state = *self;
        let own_pile = self.fallen == Some(seat);
        let mut unseen = view.unseen();
        if own_pile {
            unseen -= self.fall_pile;
        }
        // Cards whose place is known, with the place.
        let partner = view.exchange.map(|e| e.partner);
        let known = view.given_and_kept().map_or(Cards::EMPTY, |(_, kept)| kept);
        unseen -= known;
        let is_known_in_pile = partner.is_some() && self.fallen == partner;
        for other in Seat::all(self.players()) {
            if other != seat {
                state.hands[other] = Cards::EMPTY;
            }
        }
        let bound = view.exchange.and_then(|e| Some((e.partner, e.bound()?)));
        if let Some((partner, bound)) = bound {
            let below = unseen & Cards((1 << bound) - 1);
            if below != unseen {
                let hand = &mut state.hands[partner];
                *hand = draw(below, self.counts[partner] - known.len() as u8, stream);
                unseen -= *hand;
            }
        }
        state.blind = draw(unseen & NATURALS, self.blind.len() as u8, stream);
        unseen -= state.blind;
        let mut rest = Ids::of(unseen);
        stream.shuffle(rest.as_mut_slice());
        if !own_pile {
            let sure = if is_known_in_pile {
                known
            } else {
                Cards::EMPTY
            };
            state.fall_pile = sure | rest.take((self.fall_pile.len() - sure.len()) as u8);
        }
        for other in Seat::all(self.players()).filter(|&s| s != seat) {
            let mut hand = state.hands[other];
            if Some(other) == partner && !is_known_in_pile {
                hand |= known;
            }
            hand |= rest.take(self.counts[other] - hand.len() as u8);
            state.hands[other] = hand;
        }
        state.forget(seat, partner);
        state
    }

    /// Drops what the re-dealt hands need not agree with.
    fn forget(&mut self, seat: Seat, partner: Option<Seat>) {
        let choosing = self.due_now().is_some();
        let pairs = self.previous.map(|p| pairs(&p)).unwrap_or_default();
        for other in Seat::all(self.players()).filter(|&s| s != seat) {
            let mut at_start = self.hands[other] | self.played[other];
            if self.fallen == Some(other) {
                at_start |= self.fall_pile;
            }
            if Some(other) == partner {
                at_start = (at_start - self.received[other]) | self.given[other];
            } else {
                let chosen = choosing && !self.given[other].is_empty();
                let pair = pairs.iter().flatten().find(|pair| pair.high == other);
                self.given[other] = match pair {
                    Some(pair) if chosen => lowest(self.hands[other], pair.cards.into()),
                    _ => Cards::EMPTY,
                };
                self.received[other] = Cards::EMPTY;
            }
            self.dealt[other] = at_start;
        }
    }
}

/// `count` of the cards, each choice equally likely.
fn draw(cards: Cards, count: u8, stream: &mut Stream) -> Cards {
    if count == 0 {
        return Cards::EMPTY;
    }
    let mut ids = Ids::of(cards);
    stream.shuffle(ids.as_mut_slice());
    ids.take(count)
}
