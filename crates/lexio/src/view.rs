use crate::meld::{Meld, RunOrders};
use crate::rules::Rules;
use crate::tile::deck;
use evenhand_contract::{BySeat, Cards, Seat};

/// What the person in a seat has seen. Holds no path to hidden hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Player count, 3 to 5.
    pub players: u8,
    /// The ruleset.
    pub rules: Rules,
    /// Whose view it is.
    pub seat: Seat,
    /// The tiles in this seat's hand.
    pub hand: Cards,
    /// The hand as this seat was dealt it (`hand` and its own plays), where known; else `hand`.
    /// Only a key for caches: no decision may depend on it.
    pub dealt: Cards,
    /// Tiles in hand per seat.
    pub counts: BySeat<u8>,
    /// The meld to beat; `None` for a lead.
    pub field: Option<Meld>,
    /// Who played the field.
    pub field_owner: Option<Seat>,
    /// Passes since the field was played.
    pub passes: u8,
    /// Seats out of the trick, bit i for seat i; only under `pass=hard`.
    pub passed: u8,
    /// Every tile played this round by anybody, the field's included.
    pub played: Cards,
}

impl View {
    /// The tiles that others hold: every one of them is in somebody's hand.
    #[inline]
    #[must_use]
    pub const fn unseen(&self) -> Cards {
        Cards(deck(self.players).0 & !self.hand.0 & !self.played.0)
    }

    /// Hand sizes of the other seats, in seat order from the next one on.
    pub fn opponents(&self) -> impl Iterator<Item = u8> + '_ {
        (1..self.players).map(|step| self.counts[Seat((self.seat.0 + step) % self.players)])
    }

    /// The runs of this table.
    #[inline]
    #[must_use]
    pub fn orders(&self) -> &'static RunOrders {
        RunOrders::get(self.players, self.rules)
    }
}
