use crate::card::DECK;
use crate::deal::blind_size;
use crate::order::SeatList;
use crate::play::Play;
use crate::rules::Rules;
use crate::tribute::Exchange;
use evenhand_contract::{BySeat, Cards, Seat};

/// What the person in a seat has seen. Holds no path to other hands, the blind, the fall pile or
/// other pairs' tribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Player count, 3 to 6.
    pub players: u8,
    /// The ruleset.
    pub rules: Rules,
    /// Whose view it is.
    pub seat: Seat,
    /// The round of the match, from 1.
    pub round: u32,
    /// The cards in this seat's hand.
    pub hand: Cards,
    /// Cards in hand per seat; 0 for a seat that finished or fell.
    pub counts: BySeat<u8>,
    /// The play to beat; `None` for a lead, and while tribute is due.
    pub field: Option<Play>,
    /// Who played the field.
    pub field_owner: Option<Seat>,
    /// Whether the order is turned.
    pub revolution: bool,
    /// Every card that each seat has played this round, the field's included.
    pub played: BySeat<Cards>,
    /// Seats that passed since the field was last empty, bit i for seat i.
    pub passed: u8,
    /// Seats that finished normally, the first one first.
    pub normal: SeatList,
    /// Seats that finished by a foul, the first one first.
    pub fouls: SeatList,
    /// The seat that fell.
    pub fallen: Option<Seat>,
    /// Each seat's place in the round before, from 1, by which classes go; `None` in round 1.
    pub previous: Option<BySeat<u8>>,
    /// How many cards this seat must give back now, before it sees its tribute; 0 in play.
    pub due: u8,
    /// This seat's own tribute, once it has changed hands.
    pub exchange: Option<Exchange>,
}

impl View {
    /// Every card played this round.
    #[inline]
    #[must_use]
    pub fn all_played(&self) -> Cards {
        let played = self.played.as_slice().iter();
        played.fold(Cards::EMPTY, |all, &cards| all | cards)
    }

    /// The cards that this seat sees neither in its hand nor among those played: in other hands,
    /// in the blind, or in the fall pile.
    #[inline]
    #[must_use]
    pub fn unseen(&self) -> Cards {
        DECK - self.hand - self.all_played()
    }

    /// Seats that left the round, bit i for seat i.
    #[inline]
    #[must_use]
    pub fn out(&self) -> u8 {
        let fallen = self.fallen.map_or(0, |seat| 1 << seat.0);
        self.normal.bits() | self.fouls.bits() | fallen
    }

    /// Whether a seat is still in the round.
    #[inline]
    #[must_use]
    pub fn is_active(&self, seat: Seat) -> bool {
        self.out() >> seat.0 & 1 == 0
    }

    /// The other seats that are in the round and have not passed, bit i for seat i: those that may
    /// yet answer what this seat plays.
    #[inline]
    #[must_use]
    pub fn answering(&self) -> u8 {
        let all = (1u8 << self.players) - 1;
        all & !(self.out() | self.passed | 1 << self.seat.0)
    }

    /// The other seats that are in the round, from the next one on.
    pub fn others(&self) -> impl Iterator<Item = Seat> + '_ {
        (1..self.players)
            .map(|step| Seat((self.seat.0 + step) % self.players))
            .filter(|&seat| self.is_active(seat))
    }

    /// The cards that lie in a given place for certain: own tribute given and not yet played.
    /// The place is the partner's hand, or the fall pile when the partner fell.
    #[inline]
    #[must_use]
    pub fn given_and_kept(&self) -> Option<(Seat, Cards)> {
        let exchange = self.exchange.as_ref()?;
        let partner = exchange.partner;
        Some((partner, exchange.given - self.played[partner]))
    }

    /// Cards in the blind.
    #[inline]
    #[must_use]
    pub const fn blind(&self) -> u8 {
        blind_size(self.players)
    }

    /// Cards in the fall pile.
    #[inline]
    #[must_use]
    pub fn fall_pile(&self) -> u8 {
        let held: u8 = self.counts.as_slice().iter().sum();
        let elsewhere = held + self.blind() + self.all_played().len() as u8;
        (DECK.len() as u8).saturating_sub(elsewhere)
    }

    /// The seat's hand before its first play of this round.
    #[inline]
    #[must_use]
    pub fn at_start(&self) -> Cards {
        self.hand | self.played[self.seat]
    }
}
