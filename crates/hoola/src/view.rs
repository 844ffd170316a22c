use crate::card::DECK;
use crate::legal::Options;
use crate::rules::Rules;
use crate::table::{Board, Table};
use evenhand_contract::{BySeat, Cards, Seat};

/// What may be done now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The top discard may be claimed. Asked outside the seat's turn.
    Window,
    /// A turn begins: stop, or draw.
    Start,
    /// After the draw or the claim: register, lay off, discard.
    Play,
}

impl Phase {
    /// Every phase.
    pub const ALL: [Self; 3] = [Self::Window, Self::Start, Self::Play];

    /// The name in views.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Start => "start",
            Self::Play => "play",
        }
    }
}

/// The discards that lie on the pile, in their order, each with who discarded it. A claimed card
/// has left the pile for a meld.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Pile {
    ids: [u8; 52],
    by: [u8; 52],
    len: u8,
}

/// Stands for the deal in [`Pile::by`].
const DEALT: u8 = u8::MAX;

impl Default for Pile {
    fn default() -> Self {
        Self {
            ids: [0; 52],
            by: [0; 52],
            len: 0,
        }
    }
}

impl Pile {
    /// The cards, the oldest first.
    #[inline]
    #[must_use]
    pub fn ids(&self) -> &[u8] {
        &self.ids[..usize::from(self.len)]
    }

    /// The cards as a set.
    #[must_use]
    pub fn cards(&self) -> Cards {
        self.ids().iter().copied().collect()
    }

    /// Each card with the seat that discarded it, the oldest first; `None` for the card that was
    /// turned up.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u8, Option<Seat>)> + '_ {
        let by = &self.by[..usize::from(self.len)];
        let by = by.iter().map(|&by| (by != DEALT).then_some(Seat(by)));
        self.ids().iter().copied().zip(by)
    }

    /// The top card and who discarded it.
    #[inline]
    #[must_use]
    pub fn top(&self) -> Option<(u8, Option<Seat>)> {
        let place = usize::from(self.len.checked_sub(1)?);
        let by = self.by[place];
        Some((self.ids[place], (by != DEALT).then_some(Seat(by))))
    }

    /// Puts a card on top; a pile never holds more than a deck.
    #[inline]
    pub(crate) fn push(&mut self, id: u8, by: Option<Seat>) {
        let place = usize::from(self.len);
        if place < self.ids.len() {
            self.ids[place] = id;
            self.by[place] = by.map_or(DEALT, |seat| seat.0);
            self.len += 1;
        }
    }

    /// Takes the top card.
    #[inline]
    pub(crate) fn pop(&mut self) {
        // The place is cleared, so that equal piles are equal whatever once lay there.
        if let Some(place) = self.len.checked_sub(1) {
            self.len = place;
            self.ids[usize::from(place)] = 0;
            self.by[usize::from(place)] = 0;
        }
    }
}

impl std::fmt::Debug for Pile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// What the person in a seat has seen, with the options on that person's screen. Holds no path to
/// hidden hands or to the order of the deck, and does not tell who else is asked about a discard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Player count, 2 to 5.
    pub players: u8,
    /// The ruleset.
    pub rules: Rules,
    /// Whose view it is.
    pub seat: Seat,
    /// What may be done now.
    pub phase: Phase,
    /// Whose turn it is; in a window, whose turn it will be if nobody claims.
    pub turn: Seat,
    /// The cards in this seat's hand.
    pub hand: Cards,
    /// Cards in hand per seat.
    pub counts: BySeat<u8>,
    /// Who has registered.
    pub registered: BySeat<bool>,
    /// Whether this seat was registered when this turn began; before the claim, in a thank-you
    /// turn.
    pub registered_before: bool,
    /// Whether this turn began with a claim.
    pub thank_you: bool,
    /// The melds on the table.
    pub table: Table,
    /// The discards.
    pub pile: Pile,
    /// Cards left in the deck.
    pub deck: u8,
    /// Turns that each seat has begun, thank-you turns included.
    pub turns: BySeat<u8>,
    /// What this seat may do now; nothing when it is not asked.
    pub options: Options,
}

impl View {
    /// The cards that lie in other hands or in the deck.
    #[must_use]
    pub fn unseen(&self) -> Cards {
        DECK - self.hand - self.table.cards() - self.pile.cards()
    }

    /// The other seats in the order in which they follow this one.
    pub fn opponents(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone + use<> {
        let (seat, players) = (self.seat.0, self.players);
        (1..players).map(move |step| Seat((seat + step) % players))
    }

    /// The card that may be claimed, in a window.
    #[must_use]
    pub fn claimable(&self) -> Option<u8> {
        let top = self.pile.top().map(|(card, _)| card);
        top.filter(|_| self.phase == Phase::Window)
    }

    /// What the own moves of this turn act on, for trying them out.
    #[must_use]
    pub fn board(&self) -> Board {
        Board {
            seat: self.seat,
            hand: self.hand,
            table: self.table,
            registered: self.registered[self.seat],
        }
    }

    /// The board after claiming the top discard into this meld.
    ///
    /// # Errors
    /// [`Illegal`](evenhand_contract::Illegal) when the meld may not be claimed here.
    pub fn board_after_claim(&self, cards: Cards) -> Result<Board, evenhand_contract::Illegal> {
        let mut board = self.board();
        match self.claimable() {
            Some(card) if cards.has(card) => {
                board.hand |= Cards::one(card);
                board.play(&crate::moves::Decision::Register(cards))?;
                Ok(board)
            }
            _ => Err(crate::table::not_the_top(cards)),
        }
    }
}
