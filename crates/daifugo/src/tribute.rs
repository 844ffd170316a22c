//! Tribute: who owes whom, and what a seat knows of it.

use evenhand_contract::{BySeat, Cards, Seat};

/// Two seats that exchange cards before a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The worse place, which gives its strongest cards.
    pub low: Seat,
    /// The better place, which gives back cards of its choice.
    pub high: Seat,
    /// How many cards each of them gives.
    pub cards: u8,
}

/// The seat that came to this place (from 1).
#[must_use]
pub fn seat_at(places: &BySeat<u8>, place: u8) -> Option<Seat> {
    let found = places.iter().find(|(_, at)| **at == place);
    found.map(|(seat, _)| seat)
}

/// Who exchanges with whom after a round that ended with these places: last and first, and from
/// four players on second-last and second.
#[must_use]
pub fn pairs(places: &BySeat<u8>) -> [Option<Pair>; 2] {
    let players = places.players();
    let pair = |above: u8, cards| {
        let low = seat_at(places, players - above)?;
        let high = seat_at(places, 1 + above)?;
        Some(Pair { low, high, cards })
    };
    if players >= 4 {
        [pair(0, 2), pair(1, 1)]
    } else {
        [pair(0, 1), None]
    }
}

/// The pair that this seat belongs to.
#[must_use]
pub fn pair_of(places: &BySeat<u8>, seat: Seat) -> Option<Pair> {
    let mut pairs = pairs(places).into_iter().flatten();
    pairs.find(|pair| pair.low == seat || pair.high == seat)
}

/// What a seat knows of the tribute, once the cards have changed hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// The other seat of the pair.
    pub partner: Seat,
    /// Whether this seat is the worse place, which gave its strongest cards.
    pub low: bool,
    /// The cards that it gave.
    pub given: Cards,
    /// The cards that it received.
    pub received: Cards,
}

impl Exchange {
    /// Above which id the partner was dealt no card but those it gave: the lowest card received,
    /// seen from the better place. What the partner holds beyond that came back to it.
    #[inline]
    #[must_use]
    pub const fn bound(&self) -> Option<u8> {
        if self.low {
            None
        } else {
            self.received.lowest()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(list: &[u8]) -> BySeat<u8> {
        BySeat::from_fn(list.len() as u8, |seat| list[seat.index()])
    }

    #[test]
    fn pairs_by_player_count() {
        let found = |list: &[u8]| -> Vec<(u8, u8, u8)> {
            let pairs = pairs(&places(list)).into_iter().flatten();
            pairs.map(|p| (p.low.0, p.high.0, p.cards)).collect()
        };
        assert_eq!(found(&[2, 3, 1]), [(1, 2, 1)]);
        assert_eq!(found(&[1, 4, 2, 3]), [(1, 0, 2), (3, 2, 1)]);
        assert_eq!(found(&[5, 4, 3, 2, 1]), [(0, 4, 2), (1, 3, 1)]);
        assert_eq!(found(&[3, 1, 6, 2, 5, 4]), [(2, 1, 2), (4, 3, 1)]);
        let middle = pair_of(&places(&[5, 4, 3, 2, 1]), Seat(2));
        assert_eq!(middle, None, "the one in the middle exchanges nothing");
    }
}
