//! Dealing: hands, the blind, and who leads the first round.

use crate::card::{DECK, JOKER_1, JOKER_2, NATURALS};
use evenhand_contract::{BySeat, Cards, Seat, Stream};

/// Cards dealt to each seat: 13, 13, 10, 9 for 3, 4, 5, 6 players.
#[inline]
#[must_use]
pub const fn hand_size(players: u8) -> u8 {
    match players {
        3 | 4 => 13,
        5 => 10,
        _ => 9,
    }
}

/// Cards set aside face-down: 15, 2, 4, 0 for 3, 4, 5, 6 players.
#[inline]
#[must_use]
pub const fn blind_size(players: u8) -> u8 {
    DECK.len() as u8 - players * hand_size(players)
}

/// What the deal alone decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The cards of each seat, before tribute.
    pub hands: BySeat<Cards>,
    /// The cards set aside; no joker is among them.
    pub blind: Cards,
    /// Who leads, should this be the first round of a match.
    pub leader: Seat,
}

impl Deal {
    /// Shuffles the naturals and sets the first ones aside, adds both jokers, shuffles again, and
    /// gives each seat its share in turn, the first cards to seat 0. The leader is drawn last.
    #[must_use]
    pub fn draw(players: u8, stream: &mut Stream) -> Self {
        let mut ids = Ids::of(NATURALS);
        stream.shuffle(ids.as_mut_slice());
        let blind = ids.take(blind_size(players));
        ids.push(JOKER_1);
        ids.push(JOKER_2);
        stream.shuffle(ids.as_mut_slice());
        let hands = BySeat::from_fn(players, |_| ids.take(hand_size(players)));
        let leader = Seat(stream.below(u32::from(players)) as u8);
        Self {
            hands,
            blind,
            leader,
        }
    }
}

/// A pile of cards on the stack, to be shuffled and taken from the front.
pub(crate) struct Ids {
    ids: [u8; DECK.len() as usize + 2],
    from: usize,
    to: usize,
}

impl Ids {
    /// The cards by rising id.
    pub(crate) fn of(cards: Cards) -> Self {
        let mut pile = Self {
            ids: [0; DECK.len() as usize + 2],
            from: 0,
            to: 0,
        };
        for id in cards {
            pile.push(id);
        }
        pile
    }

    fn push(&mut self, id: u8) {
        self.ids[self.to] = id;
        self.to += 1;
    }

    /// What is left.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.ids[self.from..self.to]
    }

    /// The first `count` cards, as many as there are.
    pub(crate) fn take(&mut self, count: u8) -> Cards {
        let until = self.to.min(self.from + usize::from(count));
        let taken = self.ids[self.from..until].iter().copied().collect();
        self.from = until;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::JOKERS;

    #[test]
    fn sizes_are_those_of_the_rules_page() {
        let sizes = [3, 4, 5, 6].map(|n| (hand_size(n), blind_size(n)));
        assert_eq!(sizes, [(13, 15), (13, 2), (10, 4), (9, 0)]);
    }

    #[test]
    fn every_card_lies_in_one_place_and_the_blind_has_no_joker() {
        for players in 3..=6 {
            let mut leaders = 0;
            for seed in 0..300u32 {
                let mut stream = Stream::keyed("deal-test", &[("seed", &seed)]);
                let deal = Deal::draw(players, &mut stream);
                let mut all = deal.blind;
                assert_eq!(all.len(), u32::from(blind_size(players)));
                for &hand in deal.hands.as_slice() {
                    assert_eq!(hand.len(), u32::from(hand_size(players)));
                    assert!(!hand.meets(all));
                    all |= hand;
                }
                assert_eq!(all, DECK);
                assert!(!deal.blind.meets(JOKERS));
                leaders |= 1 << deal.leader.0;
            }
            assert_eq!(leaders, (1 << players) - 1, "everybody leads some day");
        }
    }
}
