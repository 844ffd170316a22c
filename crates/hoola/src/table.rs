//! The melds on the table, and what the moves of a turn do to them and to a hand.

use crate::card::{DECK_SIZE, SEVENS, card_text, cards_text};
use crate::meld::{self, Kind, Meld};
use crate::moves::Decision;
use evenhand_contract::{Cards, Illegal, Seat};

/// The most melds that can lie on the table: each with fewer than three cards holds a 7 of its own,
/// so there are at most 4 of those and 48 / 3 others.
pub const MOST_MELDS: usize = 20;

/// The melds on the table, numbered from 0 in the order in which they came.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Table {
    melds: [Meld; MOST_MELDS],
    len: u8,
    /// The single cards that can be laid off on some meld.
    next: Cards,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            melds: [Meld::NONE; MOST_MELDS],
            len: 0,
            next: Cards::EMPTY,
        }
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.melds()).finish()
    }
}

impl Table {
    /// The melds in their order.
    #[inline]
    #[must_use]
    pub fn melds(&self) -> &[Meld] {
        &self.melds[..usize::from(self.len)]
    }

    /// Every card on the table.
    #[must_use]
    pub fn cards(&self) -> Cards {
        self.melds()
            .iter()
            .fold(Cards::EMPTY, |all, meld| all | meld.cards())
    }

    /// The single cards that can be laid off on some meld.
    #[inline]
    #[must_use]
    pub const fn next(&self) -> Cards {
        self.next
    }

    /// Puts a meld on the table.
    ///
    /// # Errors
    /// When the table is full, which melds of distinct cards of one deck cannot bring about.
    pub fn add(&mut self, meld: Meld) -> Result<(), Illegal> {
        let Some(place) = self.melds.get_mut(usize::from(self.len)) else {
            return Err(Illegal(format!("{MOST_MELDS} melds lie on the table")));
        };
        *place = meld;
        self.len += 1;
        self.next |= meld.next();
        Ok(())
    }

    /// Registers cards of a hand.
    ///
    /// # Errors
    /// [`Illegal`] with the reason; nothing is then changed.
    #[inline]
    pub fn register(
        &mut self,
        hand: &mut Cards,
        cards: Cards,
        owner: Seat,
    ) -> Result<Kind, Illegal> {
        check_held(*hand, cards)?;
        let Some(kind) = meld::classify(cards) else {
            return Err(no_meld(cards));
        };
        self.add(Meld::new(kind, cards, owner))?;
        *hand -= cards;
        Ok(kind)
    }

    /// Lays cards of a hand off on a meld.
    ///
    /// # Errors
    /// [`Illegal`] with the reason; nothing is then changed.
    #[inline]
    pub fn lay_off(&mut self, hand: &mut Cards, cards: Cards, place: u8) -> Result<Kind, Illegal> {
        check_held(*hand, cards)?;
        let Some(&meld) = self.melds().get(usize::from(place)) else {
            return Err(Illegal(format!(
                "there is no meld {place}: {} lie on the table, counted from 0",
                self.len
            )));
        };
        let Some(after) = meld.with(cards) else {
            return Err(Illegal(format!(
                "{} does not fit meld {place}, the {} {}",
                if cards.is_empty() {
                    "no card".to_owned()
                } else {
                    cards_text(cards)
                },
                meld.kind().name(),
                cards_text(meld.cards())
            )));
        };
        self.melds[usize::from(place)] = after;
        let nexts = self.melds().iter().map(|meld| meld.next());
        self.next = nexts.fold(Cards::EMPTY, |all, next| all | next);
        *hand -= cards;
        Ok(after.kind())
    }

    /// Calls `each` with every lay-off that this hand allows, as cards and meld, each once: by
    /// meld, then in the order of [`Meld::each_lay_off`].
    #[inline]
    pub fn each_lay_off(&self, hand: Cards, mut each: impl FnMut(Cards, u8)) {
        if !hand.meets(self.next) && (hand & SEVENS).len() < 2 {
            return;
        }
        for (place, meld) in (0..).zip(self.melds()) {
            meld.each_lay_off(hand, |cards| each(cards, place));
        }
    }
}

#[inline]
pub(crate) fn check_held(hand: Cards, cards: Cards) -> Result<(), Illegal> {
    match (cards - hand).lowest() {
        None => Ok(()),
        Some(missing) => Err(Illegal(format!(
            "{} is not in the hand",
            card_text(missing)
        ))),
    }
}

/// Takes a discard out of a hand.
#[inline]
pub(crate) fn discard(hand: &mut Cards, card: u8) -> Result<(), Illegal> {
    // An id beyond the deck makes no set of one card.
    if card >= DECK_SIZE || !hand.has(card) {
        return Err(Illegal(format!("{} is not in the hand", card_text(card))));
    }
    *hand -= Cards::one(card);
    Ok(())
}

#[cold]
pub(crate) fn no_meld(cards: Cards) -> Illegal {
    Illegal(format!(
        "{} is no set, run or single 7",
        if cards.is_empty() {
            "no card".to_owned()
        } else {
            cards_text(cards)
        }
    ))
}

/// What a seat's own moves act on once it has drawn or claimed: for planners, who try a turn to
/// its end without copying rules. The round's state plays by the same functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// The seat whose turn it is.
    pub seat: Seat,
    /// Its cards.
    pub hand: Cards,
    /// The table.
    pub table: Table,
    /// Whether the seat has registered.
    pub registered: bool,
}

impl Board {
    /// Carries out a register, a lay-off or a discard.
    ///
    /// A hand that is empty afterwards has won; after a discard the turn is over.
    ///
    /// # Errors
    /// [`Illegal`] with the reason, for any other decision too; nothing is then changed.
    #[inline]
    pub fn play(&mut self, decision: &Decision) -> Result<(), Illegal> {
        match *decision {
            Decision::Register(cards) => {
                self.table.register(&mut self.hand, cards, self.seat)?;
                self.registered = true;
                Ok(())
            }
            Decision::LayOff { cards, meld } => {
                check_registered(self.registered)?;
                self.table.lay_off(&mut self.hand, cards, meld).map(|_| ())
            }
            Decision::Discard(card) => discard(&mut self.hand, card),
            _ => Err(Illegal(format!(
                "{decision:?} is no move of a turn after the draw"
            ))),
        }
    }
}

#[inline]
pub(crate) fn check_registered(registered: bool) -> Result<(), Illegal> {
    if registered {
        Ok(())
    } else {
        Err(Illegal("a lay-off needs a register first".to_owned()))
    }
}

#[cold]
pub(crate) fn not_the_top(cards: Cards) -> Illegal {
    Illegal(format!(
        "{} does not hold the card that may be claimed",
        cards_text(cards)
    ))
}
