//! Melds: SET, RUN on the cycle A-2-...-Q-K-A, and SEVEN; what may be registered, what a lay-off
//! makes, and every register, claim and lay-off that a hand allows.

use crate::card::{
    DECK_SIZE, RANKS, SEVENS, lowered, next_down, next_up, raised, rank, rank_cards, suit,
    suit_cards,
};
use evenhand_contract::{Cards, Seat};

/// The three kinds of meld on the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// 3 or 4 cards of one rank.
    Set,
    /// Consecutive cards of one suit: 3 to 13 when registered, 2 or more once laid off on a 7.
    Run,
    /// One 7.
    Seven,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Set, Self::Run, Self::Seven];

    /// The name in views and transcripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Run => "run",
            Self::Seven => "seven",
        }
    }

    /// Whether these cards may lie on the table as a meld of this kind, however they got there.
    #[must_use]
    pub const fn may_be(self, cards: Cards) -> bool {
        match self {
            Self::Set => cards.len() >= 3 && is_one_rank(cards),
            // Only a run that began as a lone 7 is shorter than three.
            Self::Run => {
                is_arc(cards) && (cards.len() >= 3 || cards.len() == 2 && cards.meets(SEVENS))
            }
            Self::Seven => cards.len() == 1 && cards.meets(SEVENS),
        }
    }
}

/// Whether all cards are of one rank; false for none.
const fn is_one_rank(cards: Cards) -> bool {
    match cards.lowest() {
        Some(id) => rank_cards(rank(id)).has_all(cards),
        None => false,
    }
}

/// Whether the cards are of one suit and consecutive on the cycle: then exactly one of them, or
/// none of a whole suit, lacks its predecessor.
const fn is_arc(cards: Cards) -> bool {
    match cards.lowest() {
        Some(id) => {
            suit_cards(suit(id)).has_all(cards)
                && Cards(cards.0 & !raised(cards).0)
                    .without_lowest()
                    .is_empty()
        }
        None => false,
    }
}

/// The kind of meld that these cards make when they are registered; `None` when they may not be.
#[must_use]
pub const fn classify(cards: Cards) -> Option<Kind> {
    if Kind::Seven.may_be(cards) {
        Some(Kind::Seven)
    } else if Kind::Set.may_be(cards) {
        Some(Kind::Set)
    } else if cards.len() >= 3 && is_arc(cards) {
        Some(Kind::Run)
    } else {
        None
    }
}

/// A meld on the table, with the seat that registered it. Packed: 52 bits of cards, then the kind,
/// then the owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Meld(u64);

const KIND_AT: u32 = 52;
const OWNER_AT: u32 = 56;

impl Meld {
    /// No meld: what unused places of a table hold.
    pub(crate) const NONE: Self = Self(0);

    /// A meld of this kind and owner. The caller answers for [`Kind::may_be`].
    #[inline]
    #[must_use]
    pub const fn new(kind: Kind, cards: Cards, owner: Seat) -> Self {
        Self(cards.0 | (kind as u64) << KIND_AT | (owner.0 as u64) << OWNER_AT)
    }

    /// Its cards.
    #[inline]
    #[must_use]
    pub const fn cards(self) -> Cards {
        Cards(self.0 & ((1 << KIND_AT) - 1))
    }

    /// Its kind.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self.0 >> KIND_AT & 3 {
            0 => Kind::Set,
            1 => Kind::Run,
            _ => Kind::Seven,
        }
    }

    /// The seat that registered it.
    #[inline]
    #[must_use]
    pub const fn owner(self) -> Seat {
        Seat((self.0 >> OWNER_AT) as u8)
    }

    /// The single cards that may be laid off on it.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Cards {
        let cards = self.cards();
        let around = match self.kind() {
            Kind::Set => match cards.lowest() {
                Some(id) => rank_cards(rank(id)),
                None => Cards::EMPTY,
            },
            Kind::Run | Kind::Seven => Cards(raised(cards).0 | lowered(cards).0),
        };
        Cards(around.0 & !cards.0)
    }

    /// The meld that laying off these cards makes; `None` when they may not be laid off on it.
    ///
    /// A set stays a set and a run stays a run; a lone 7 becomes a run with suit neighbours, or a
    /// set with two or three other 7s.
    #[inline]
    #[must_use]
    pub const fn with(self, cards: Cards) -> Option<Self> {
        if cards.is_empty() || self.cards().meets(cards) {
            return None;
        }
        let all = Cards(self.cards().0 | cards.0);
        let kind = match self.kind() {
            Kind::Set if is_one_rank(all) => Kind::Set,
            Kind::Run | Kind::Seven if is_arc(all) => Kind::Run,
            Kind::Seven if all.len() >= 3 && is_one_rank(all) => Kind::Set,
            _ => return None,
        };
        Some(Self::new(kind, all, self.owner()))
    }

    /// Calls `each` with every set of cards of this hand that may be laid off on the meld, each
    /// once, in a fixed order.
    #[inline]
    pub fn each_lay_off(self, hand: Cards, mut each: impl FnMut(Cards)) {
        match self.kind() {
            Kind::Set => {
                let fourth = self.next() & hand;
                if !fourth.is_empty() {
                    each(fourth);
                }
            }
            Kind::Run => self.each_extension(hand, each),
            Kind::Seven => {
                self.each_extension(hand, &mut each);
                let sevens = (hand & SEVENS) - self.cards();
                if sevens.len() >= 2 {
                    each_pair_or_more(sevens, each);
                }
            }
        }
    }

    /// Every way to lengthen an arc at its two ends. A whole rest of the suit can be split between
    /// the ends in many ways that are one set of cards; it is told as an extension upwards.
    #[inline]
    fn each_extension(self, hand: Cards, mut each: impl FnMut(Cards)) {
        if !hand.meets(self.next()) {
            return;
        }
        let cards = self.cards();
        let room = u32::from(RANKS) - cards.len();
        let ends = (cards - raised(cards))
            .lowest()
            .zip((cards - lowered(cards)).lowest());
        let Some((first, last)) = ends else {
            return;
        };
        let mut low = Cards::EMPTY;
        let mut down = next_down(first);
        loop {
            let mut more = low;
            let mut up = next_up(last);
            loop {
                if !more.is_empty() && (more.len() < room || low.is_empty()) {
                    each(more);
                }
                if more.len() == room || !hand.has(up) || more.has(up) {
                    break;
                }
                more |= Cards::one(up);
                up = next_up(up);
            }
            if low.len() == room || !hand.has(down) {
                break;
            }
            low |= Cards::one(down);
            down = next_down(down);
        }
    }
}

impl std::fmt::Debug for Meld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cards = crate::card::cards_text(self.cards());
        write!(f, "{}({cards}) of {}", self.kind().name(), self.owner())
    }
}

/// Every subset of two or more of at most four cards, in ascending order of their bits.
#[inline]
fn each_pair_or_more(cards: Cards, mut each: impl FnMut(Cards)) {
    // The subsets of a mask, from the smallest up.
    let mut subset = 0u64;
    loop {
        subset = subset.wrapping_sub(cards.0) & cards.0;
        if subset == 0 {
            return;
        }
        if Cards(subset).len() >= 2 {
            each(Cards(subset));
        }
    }
}

/// The cards whose rank the hand holds three times or more; one bit a rank, at its lowest card.
#[inline]
const fn thrice(hand: Cards) -> u64 {
    const ODD: u64 = 0x5_5555_5555_5555;
    const LOW_TWO: u64 = 0x3_3333_3333_3333;
    let pairs = hand.0 - (hand.0 >> 1 & ODD);
    let counts = (pairs & LOW_TWO) + (pairs >> 2 & LOW_TWO);
    // 3 + 5 and 4 + 5 reach the highest bit of four, 2 + 5 does not.
    (counts + 0x5_5555_5555_5555) >> 3 & 0x1_1111_1111_1111
}

/// Calls `each` with everything that this hand can register, each once, in a fixed order: lone 7s,
/// sets by rank, runs by their first card and length.
#[inline]
pub fn each_register(hand: Cards, mut each: impl FnMut(Cards, Kind)) {
    for seven in hand & SEVENS {
        each(Cards::one(seven), Kind::Seven);
    }
    for id in Cards(thrice(hand)) {
        let held = hand & rank_cards(rank(id));
        each_pair_or_more(held, |cards| {
            if cards.len() >= 3 {
                each(cards, Kind::Set);
            }
        });
    }
    let above = lowered(hand);
    for first in hand & above & lowered(above) {
        let mut run = Cards::one(first);
        let mut up = next_up(first);
        while hand.has(up) && !run.has(up) {
            run |= Cards::one(up);
            up = next_up(up);
            // A whole suit is one set of cards wherever it begins.
            if run.len() >= 3 && (run.len() < u32::from(RANKS) || rank(first) == 0) {
                each(run, Kind::Run);
            }
        }
    }
}

/// Whether the hand can register anything.
#[inline]
#[must_use]
pub const fn can_register(hand: Cards) -> bool {
    let above = lowered(hand);
    hand.meets(SEVENS) || thrice(hand) != 0 || hand.0 & above.0 & lowered(above).0 != 0
}

/// For each card, the three pairs of suit neighbours that make a run of three with it.
const NEIGHBOURS: [[Cards; 3]; DECK_SIZE as usize] = {
    let mut table = [[Cards::EMPTY; 3]; DECK_SIZE as usize];
    let mut id = 0;
    while id < DECK_SIZE {
        let (up, down) = (next_up(id), next_down(id));
        table[id as usize] = [
            Cards(1 << down | 1 << next_down(down)),
            Cards(1 << down | 1 << up),
            Cards(1 << up | 1 << next_up(up)),
        ];
        id += 1;
    }
    table
};

/// Whether a hand without this card can register a meld made of it and own cards: then the seat is
/// eligible in the window of the card.
#[inline]
#[must_use]
pub const fn can_claim(card: u8, hand: Cards) -> bool {
    let [below, beside, above] = NEIGHBOURS[card as usize];
    SEVENS.has(card)
        || Cards(hand.0 & rank_cards(rank(card)).0).len() >= 2
        || hand.has_all(below)
        || hand.has_all(beside)
        || hand.has_all(above)
}

/// Calls `each` with every meld made of this card and cards of a hand without it, the card
/// included, each once, in a fixed order: the lone 7, sets, runs.
#[inline]
pub fn each_claim(card: u8, hand: Cards, mut each: impl FnMut(Cards)) {
    let own = Cards::one(card);
    if SEVENS.has(card) {
        each(own);
    }
    let mates = hand & rank_cards(rank(card));
    if mates.len() >= 2 {
        each_pair_or_more(mates, |cards| each(own | cards));
    }
    // The runs that hold the card are the extensions of the card by two cards or more.
    Meld::new(Kind::Run, own, Seat(0)).each_extension(hand, |cards| {
        if cards.len() >= 2 {
            each(own | cards);
        }
    });
}

#[cfg(test)]
mod tests;
