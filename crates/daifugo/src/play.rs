//! Plays: sets and stairs, what beats what under both orders, and what a play does.

use crate::card::{
    JOKERS, NATURALS, RANK_OF_8, RANKS, SPADE_3, cards_text, rank_cards, rank_text, strength,
    suit_cards, top_rank,
};
use crate::rules::Rules;
use evenhand_contract::Cards;

/// [`Play::rank`] of a set that holds nothing but jokers; above every natural rank in both orders.
pub const JOKER_RANK: u8 = 13;
/// The largest set: four of a rank and both jokers.
pub const MOST_IN_SET: u32 = 6;
/// The shortest stair.
pub const LEAST_IN_STAIR: u32 = 3;

/// One decision. A seat that gives its strongest cards as tribute decides nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// Playing nothing.
    Pass,
    /// Cards of one rank.
    Set(Cards),
    /// Consecutive ranks of one suit.
    Stair {
        /// The cards, jokers included.
        cards: Cards,
        /// Rank index of the lowest place.
        start: u8,
    },
    /// Tribute given back, from the hand as dealt.
    Return(Cards),
}

/// What kind of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// One to six cards of one rank, jokers filling; or nothing but jokers.
    Set,
    /// Three or more consecutive ranks of one suit, jokers filling.
    Stair,
}

/// A valid play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Play {
    /// The kind.
    pub kind: Kind,
    /// Rank index: of a set its rank, [`JOKER_RANK`] when it is all jokers; of a stair its start.
    pub rank: u8,
    /// The cards.
    pub cards: Cards,
}

impl Play {
    /// The set that these cards make; `None` when they make none.
    #[must_use]
    pub fn set(cards: Cards) -> Option<Self> {
        let rank = match (cards & NATURALS).lowest() {
            None if !cards.is_empty() && JOKERS.has_all(cards) => JOKER_RANK,
            Some(id) if (rank_cards(id / 4) | JOKERS).has_all(cards) => id / 4,
            _ => return None,
        };
        Some(Self {
            kind: Kind::Set,
            rank,
            cards,
        })
    }

    /// The stair that these cards make from rank index `start` up; `None` when they make none.
    #[must_use]
    pub fn stair(cards: Cards, start: u8) -> Option<Self> {
        let size = cards.len();
        let naturals = cards & NATURALS;
        let suit = naturals.lowest()? % 4;
        let fits = (JOKERS | NATURALS).has_all(cards)
            && (LEAST_IN_STAIR..=u32::from(RANKS)).contains(&size)
            && u32::from(start) + size <= u32::from(RANKS)
            && span(suit, start, size).has_all(naturals);
        fits.then_some(Self {
            kind: Kind::Stair,
            rank: start,
            cards,
        })
    }

    /// How many cards.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.cards.len()
    }

    /// How many jokers.
    #[inline]
    #[must_use]
    pub const fn jokers(&self) -> u32 {
        Cards(self.cards.0 & JOKERS.0).len()
    }

    /// Rank index of the highest place: of a stair its end, of a set its rank.
    #[inline]
    #[must_use]
    pub const fn end(&self) -> u8 {
        match self.kind {
            Kind::Set => self.rank,
            Kind::Stair => self.rank + self.size() as u8 - 1,
        }
    }

    /// Orders plays of one kind and size under the order in force; greater wins. A set counts by
    /// its rank, a stair by its weakest place.
    #[inline]
    #[must_use]
    pub const fn strength(&self, revolution: bool) -> u8 {
        match (self.kind, self.rank) {
            (Kind::Set, JOKER_RANK) => JOKER_RANK,
            (Kind::Stair, _) if revolution => strength(self.end(), true),
            (_, rank) => strength(rank, revolution),
        }
    }

    /// Whether this may be played on `field`: the same kind and size and strictly stronger, or
    /// `3S` on a lone joker.
    #[inline]
    #[must_use]
    pub fn beats(&self, field: &Self, revolution: bool) -> bool {
        self.kind == field.kind
            && self.size() == field.size()
            && (self.strength(revolution) > field.strength(revolution)
                || self.is_spade_3() && field.is_lone_joker())
    }

    /// Whether it is the natural `3S` alone.
    #[inline]
    #[must_use]
    pub const fn is_spade_3(&self) -> bool {
        self.cards.0 == 1 << SPADE_3
    }

    /// Whether it is a joker alone.
    #[inline]
    #[must_use]
    pub const fn is_lone_joker(&self) -> bool {
        self.rank == JOKER_RANK && self.size() == 1
    }

    /// Whether it turns the order: a set of four or more.
    #[inline]
    #[must_use]
    pub fn turns_order(&self) -> bool {
        self.kind == Kind::Set && self.size() >= 4
    }

    /// Whether it is a set of 8s, filled by jokers or not.
    #[inline]
    #[must_use]
    pub fn is_eight_cut(&self) -> bool {
        self.kind == Kind::Set && self.rank == RANK_OF_8
    }

    /// Whether it clears the field at once, played on `field` (`None` for a lead): a set of 8s, or
    /// `3S` on a lone joker.
    #[inline]
    #[must_use]
    pub fn clears(&self, field: Option<&Self>) -> bool {
        self.is_eight_cut() || self.is_spade_3() && field.is_some_and(Self::is_lone_joker)
    }

    /// Whether it is a foul as last play, `revolution` being the order before it.
    #[inline]
    #[must_use]
    pub fn fouls(&self, revolution: bool, rules: Rules) -> bool {
        self.cards.meets(JOKERS | rank_cards(top_rank(revolution)))
            || rules.foul_eight && self.is_eight_cut()
            || rules.foul_spade3 && self.is_spade_3()
    }

    /// The decision to play it.
    #[inline]
    #[must_use]
    pub const fn decision(&self) -> Decision {
        match self.kind {
            Kind::Set => Decision::Set(self.cards),
            Kind::Stair => Decision::Stair {
                cards: self.cards,
                start: self.rank,
            },
        }
    }

    /// The cards as text: of a stair by their places, jokers where they stand.
    #[must_use]
    pub fn cards_text(&self) -> String {
        let suit = (self.cards & NATURALS).lowest().map_or(0, |id| id % 4);
        if self.kind == Kind::Set {
            return cards_text(self.cards);
        }
        let mut jokers = (self.cards & JOKERS).iter();
        let places = (self.rank..=self.end()).map(|rank| 4 * rank + suit);
        let texts: Vec<String> = places
            .filter_map(|id| match self.cards.has(id) {
                true => Some(id),
                false => jokers.next(),
            })
            .map(crate::card::card_text)
            .collect();
        texts.join(" ")
    }
}

impl Decision {
    /// The play that is decided on; `None` for a pass and a return.
    ///
    /// # Errors
    /// Why the cards make no such play.
    pub fn play(self) -> Result<Option<Play>, String> {
        match self {
            Self::Pass | Self::Return(_) => Ok(None),
            Self::Set(cards) => match Play::set(cards) {
                Some(play) => Ok(Some(play)),
                None => Err(format!("{} is no set", known_text(cards))),
            },
            Self::Stair { cards, start } => match Play::stair(cards, start) {
                Some(play) => Ok(Some(play)),
                None => Err(format!(
                    "{} is no stair from {}",
                    known_text(cards),
                    rank_text(start)
                )),
            },
        }
    }

    /// The cards that leave the hand; none for a pass.
    #[inline]
    #[must_use]
    pub const fn cards(self) -> Cards {
        match self {
            Self::Pass => Cards::EMPTY,
            Self::Set(cards) | Self::Stair { cards, .. } | Self::Return(cards) => cards,
        }
    }
}

/// The cards' text, without ids that are no cards.
fn known_text(cards: Cards) -> String {
    cards_text(cards & crate::card::DECK)
}

/// The naturals of `suit` from rank index `start` up, `size` places.
#[inline]
#[must_use]
pub const fn span(suit: u8, start: u8, size: u32) -> Cards {
    let places = ((1u64 << (4 * size)) - 1) << (4 * start);
    Cards(suit_cards(suit).0 & places)
}

/// The start ranks from which these cards make a stair, ascending.
pub fn stair_starts(cards: Cards) -> impl Iterator<Item = u8> {
    (0..RANKS).filter(move |&start| Play::stair(cards, start).is_some())
}

#[cfg(test)]
mod tests;
