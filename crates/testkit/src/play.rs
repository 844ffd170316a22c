use evenhand_contract::Cards;

/// A single, a pair, or nothing (a pass).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Play(pub Cards);

impl Play {
    /// A pass.
    pub const PASS: Self = Self(Cards::EMPTY);

    /// Whether this is a pass.
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0.is_empty()
    }

    /// How many cards leave the hand.
    #[must_use]
    pub const fn size(self) -> u32 {
        self.0.len()
    }

    /// The strongest card, which decides; 0 for a pass.
    #[must_use]
    pub fn top(self) -> u8 {
        self.0.highest().unwrap_or(0)
    }
}

/// The rank of a card at a table of `players`.
pub(crate) const fn rank(id: u8, players: u8) -> u8 {
    id / players
}

/// Whether these cards make a single or a pair.
pub(crate) fn is_meld(cards: Cards, players: u8) -> bool {
    match (cards.len(), cards.lowest(), cards.highest()) {
        (1, ..) => true,
        (2, Some(low), Some(high)) => rank(low, players) == rank(high, players),
        _ => false,
    }
}

/// Whether `play` beats `field`: as many cards, and a stronger top card.
#[must_use]
pub fn beats(play: Play, field: Play) -> bool {
    play.size() == field.size() && play.top() > field.top()
}

/// Every single and pair within a hand, singles first, each by its lowest, then highest card.
pub fn plays_of(hand: Cards, players: u8, out: &mut Vec<Play>) {
    out.clear();
    out.extend(hand.iter().map(|id| Play(Cards::one(id))));
    for low in hand.iter() {
        for high in hand.iter().filter(|&high| high > low) {
            if rank(low, players) == rank(high, players) {
                out.push(Play(Cards::one(low) | Cards::one(high)));
            }
        }
    }
}
