//! Decisions and their text.
//!
//! | decision | text |
//! |---|---|
//! | claim | `thank_you 5C 6C 7C`: the whole meld, the claimed card included |
//! | decline | `decline` |
//! | stop | `stop plain`, `stop low`, `stop high`, `stop four_sevens` |
//! | draw | `draw` |
//! | register | `register 9C 9D 9H` |
//! | lay-off | `lay_off 6H 8H on 3`: melds are numbered from 0 in the order in which they came |
//! | discard | `discard KC` |

use crate::card::{card_text, cards_text, parse_card, parse_cards};
use evenhand_contract::{Cards, ViewError};
use std::fmt;

/// A stop, declared before the draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stop {
    /// Unregistered, with all four 7s.
    FourSevens,
    /// Unregistered, with a sum at or below the low line.
    Low,
    /// Unregistered, with a sum at or above the high line.
    High,
    /// Registered, with a sum at or below the plain line: succeeds when every opponent's sum is
    /// strictly greater.
    Plain,
}

impl Stop {
    /// Every kind, the certain ones first.
    pub const ALL: [Self; 4] = [Self::FourSevens, Self::Low, Self::High, Self::Plain];

    /// The name in decisions and transcripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FourSevens => "four_sevens",
            Self::Low => "low",
            Self::High => "high",
            Self::Plain => "plain",
        }
    }

    /// Whether the declarer wins whatever the others hold.
    #[must_use]
    pub const fn is_certain(self) -> bool {
        !matches!(self, Self::Plain)
    }
}

/// One decision. Ordered as legal decisions are listed: by kind, then by cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// Takes the top discard into a meld, named whole.
    Claim(Cards),
    /// Lets the top discard lie.
    Decline,
    /// Declares a stop.
    Stop(Stop),
    /// Draws the top card of the deck.
    Draw,
    /// Registers a meld of own cards.
    Register(Cards),
    /// Lays own cards off on a meld of the table.
    LayOff {
        /// The cards.
        cards: Cards,
        /// The meld's number.
        meld: u8,
    },
    /// Discards a card, which ends the turn.
    Discard(u8),
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Claim(cards) => write!(f, "thank_you {}", cards_text(cards)),
            Self::Decline => f.write_str("decline"),
            Self::Stop(stop) => write!(f, "stop {}", stop.name()),
            Self::Draw => f.write_str("draw"),
            Self::Register(cards) => write!(f, "register {}", cards_text(cards)),
            Self::LayOff { cards, meld } => write!(f, "lay_off {} on {meld}", cards_text(cards)),
            Self::Discard(card) => write!(f, "discard {}", card_text(card)),
        }
    }
}

impl Decision {
    /// Reads the text of a decision; cards may stand in any order.
    ///
    /// # Errors
    /// [`ViewError`] under `do` or `cards`, naming the token.
    pub fn parse(text: &str) -> Result<Self, ViewError> {
        let error = |field: &str, reason: String| ViewError {
            field: field.to_owned(),
            reason,
        };
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        let some = |text: &str| match parse_cards("cards", text)? {
            Cards::EMPTY => Err(error("cards", format!("{verb} names no card"))),
            cards => Ok(cards),
        };
        let bare = |decision| match rest {
            "" => Ok(decision),
            _ => Err(error(
                "do",
                format!("{verb} stands alone, not with {rest:?}"),
            )),
        };
        match verb {
            "thank_you" => some(rest).map(Self::Claim),
            "decline" => bare(Self::Decline),
            "draw" => bare(Self::Draw),
            "stop" => match Stop::ALL.into_iter().find(|stop| stop.name() == rest) {
                Some(stop) => Ok(Self::Stop(stop)),
                None => Err(error(
                    "do",
                    format!("{rest:?} is no stop: it is plain, low, high or four_sevens"),
                )),
            },
            "register" => some(rest).map(Self::Register),
            "lay_off" => {
                let Some((cards, meld)) = rest.rsplit_once(" on ") else {
                    return Err(error("do", format!("{text:?} lacks its `on MELD`")));
                };
                // A sign is no part of a number here.
                let digits = meld.bytes().all(|c| c.is_ascii_digit());
                let Some(meld) = meld.parse().ok().filter(|_| digits) else {
                    return Err(error("meld", format!("{meld:?} is no number of a meld")));
                };
                Ok(Self::LayOff {
                    cards: some(cards)?,
                    meld,
                })
            }
            "discard" => match parse_card(rest) {
                Ok(card) => Ok(Self::Discard(card)),
                Err(reason) => Err(error("cards", reason)),
            },
            _ => Err(error(
                "do",
                format!(
                    "{verb:?} is no move: it is thank_you, decline, stop, draw, register, lay_off or discard"
                ),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_read_back_from_their_text() {
        for text in [
            "thank_you 5C 6C 7C",
            "decline",
            "stop plain",
            "stop four_sevens",
            "draw",
            "register 9C 9D 9H",
            "lay_off 6H 8H on 3",
            "discard KC",
        ] {
            let decision = Decision::parse(text).expect(text);
            assert_eq!(decision.to_string(), text);
        }
        let turned = Decision::parse("register 9H 9C 9D").map(|d| d.to_string());
        assert_eq!(turned.as_deref(), Ok("register 9C 9D 9H"));
        for (text, field) in [
            ("", "do"),
            ("pass", "do"),
            ("draw 5C", "do"),
            ("stop", "do"),
            ("stop Low", "do"),
            ("register", "cards"),
            ("register 9C 9C", "cards"),
            ("register 9X", "cards"),
            ("lay_off 6H", "do"),
            ("lay_off 6H on x", "meld"),
            ("lay_off 6H on -1", "meld"),
            ("lay_off 6H on +1", "meld"),
            ("lay_off 6H on 256", "meld"),
            ("lay_off on 3", "do"),
            ("discard", "cards"),
            ("discard KC KD", "cards"),
        ] {
            let error = Decision::parse(text).expect_err(text);
            assert_eq!(error.field, field, "{text:?}: {error}");
        }
    }
}
