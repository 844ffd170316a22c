//! Dealing: who gets which card, and what a match carries from round to round.

use crate::card::DECK_SIZE;
use crate::rules::Rules;
use evenhand_contract::{BySeat, Cards, Seat, Stream};

/// Cards in an order, as of a deck.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stack {
    ids: [u8; DECK_SIZE as usize],
    /// The next card to be taken.
    top: u8,
    len: u8,
}

impl Stack {
    /// The cards with these ids, the top one first; what exceeds a deck's number is left out.
    #[must_use]
    pub fn of(ids: impl IntoIterator<Item = u8>) -> Self {
        let mut stack = Self {
            ids: [0; DECK_SIZE as usize],
            top: 0,
            len: 0,
        };
        for (slot, id) in stack.ids.iter_mut().zip(ids) {
            *slot = id;
            stack.len += 1;
        }
        stack
    }

    /// The cards that are left, the top one first.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.ids[usize::from(self.top)..usize::from(self.len)]
    }

    /// How many are left.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> u8 {
        self.len - self.top
    }

    /// Whether none is left.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.top == self.len
    }

    /// Takes the top card.
    #[inline]
    pub fn take(&mut self) -> Option<u8> {
        let id = *self.as_slice().first()?;
        self.top += 1;
        Some(id)
    }

    /// The cards that are left, to be put in another order.
    pub(crate) fn rest_mut(&mut self) -> &mut [u8] {
        &mut self.ids[usize::from(self.top)..usize::from(self.len)]
    }
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// Cards as dealt, and who would start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The cards of each seat.
    pub hands: BySeat<Cards>,
    /// The card that starts the discards.
    pub turned_up: u8,
    /// The deck.
    pub deck: Stack,
    /// Who starts when no round was won before.
    pub start: Seat,
}

impl Deal {
    /// Shuffles the deck and gives each seat its share in turn, the first cards to seat 0; the next
    /// card is turned up, and the rest is the deck, top card first. The start seat is drawn last.
    ///
    /// The rules must serve this many players.
    #[must_use]
    pub fn draw(rules: Rules, players: u8, stream: &mut Stream) -> Self {
        debug_assert!(rules.serves(players));
        let mut ids = [0; DECK_SIZE as usize];
        for (id, slot) in (0..).zip(&mut ids) {
            *slot = id;
        }
        stream.shuffle(&mut ids);
        let mut rest = ids.iter().copied();
        let share = usize::from(rules.cards_dealt());
        let hands = BySeat::from_fn(players, |_| rest.by_ref().take(share).collect());
        Self {
            hands,
            turned_up: rest.next().unwrap_or_default(),
            deck: Stack::of(rest),
            start: Seat(stream.below(u32::from(players)) as u8),
        }
    }
}

/// What a match carries from round to round: who won the last one, and so starts the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Carry {
    /// The winner of the round before; `None` before the first.
    pub winner: Option<Seat>,
}
