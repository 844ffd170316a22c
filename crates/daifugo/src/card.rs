//! Cards: `id = 4 * rank + suit` for the naturals, 52 and 53 for the jokers. A higher id is the
//! stronger card in normal order, the suit deciding between equal ranks.

use evenhand_contract::{Cards, ViewError};

/// Ranks of natural cards: 3 is index 0, 4 is 1, ..., K is 10, A is 11, 2 is 12.
pub const RANKS: u8 = 13;
/// Rank index of the 3, the top rank of a revolution.
pub const RANK_OF_3: u8 = 0;
/// Rank index of the 8, whose sets clear the field.
pub const RANK_OF_8: u8 = 5;
/// Rank index of the 2, the top rank of the normal order.
pub const RANK_OF_2: u8 = 12;
/// Id of the joker `*1`.
pub const JOKER_1: u8 = 52;
/// Id of the joker `*2`.
pub const JOKER_2: u8 = 53;
/// Id of `3S`, which alone beats a lone joker.
pub const SPADE_3: u8 = 3;
/// Both jokers.
pub const JOKERS: Cards = Cards(0b11 << JOKER_1);
/// The 52 cards that are no jokers.
pub const NATURALS: Cards = Cards((1 << JOKER_1) - 1);
/// All 54 cards.
pub const DECK: Cards = Cards((1 << 54) - 1);
/// Every natural of suit 0; shift left by the suit.
pub const SUIT_0: u64 = 0x0001_1111_1111_1111;

const RANK_TEXTS: [&str; RANKS as usize] = [
    "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2",
];
const SUIT_LETTERS: [&str; 4] = ["C", "D", "H", "S"];

/// The four naturals of one rank.
#[inline]
#[must_use]
pub const fn rank_cards(rank: u8) -> Cards {
    Cards(0xf << (4 * rank))
}

/// The naturals of one suit (0 clubs, 1 diamonds, 2 hearts, 3 spades).
#[inline]
#[must_use]
pub const fn suit_cards(suit: u8) -> Cards {
    Cards(SUIT_0 << suit)
}

/// Whether the card is a joker.
#[inline]
#[must_use]
pub const fn is_joker(id: u8) -> bool {
    id >= JOKER_1
}

/// How strong a natural rank is: 0 the weakest, 12 the strongest of the order in force.
#[inline]
#[must_use]
pub const fn strength(rank: u8, revolution: bool) -> u8 {
    if revolution { 12 - rank } else { rank }
}

/// The strongest natural rank of the order in force, which may not be played last: 2, in a
/// revolution 3.
#[inline]
#[must_use]
pub const fn top_rank(revolution: bool) -> u8 {
    if revolution { RANK_OF_3 } else { RANK_OF_2 }
}

/// The `count` cards of the lowest ids, all when there are no more.
#[must_use]
pub fn lowest(cards: Cards, count: u32) -> Cards {
    cards - without_lowest(cards, count)
}

/// The `count` cards of the highest ids, all when there are no more: the strongest in normal
/// order, equal ranks by suit, `*2` before `*1`.
#[must_use]
pub fn highest(cards: Cards, count: u32) -> Cards {
    without_lowest(cards, cards.len().saturating_sub(count))
}

fn without_lowest(mut cards: Cards, count: u32) -> Cards {
    for _ in 0..count {
        cards = cards.without_lowest();
    }
    cards
}

/// A rank's text: `3` to `10`, `J`, `Q`, `K`, `A`, `2`; `*` for what is no natural rank.
#[must_use]
pub fn rank_text(rank: u8) -> &'static str {
    RANK_TEXTS.get(usize::from(rank)).copied().unwrap_or("*")
}

/// Reads a rank.
///
/// # Errors
/// A reason that names the text.
pub fn parse_rank(text: &str) -> Result<u8, String> {
    match RANK_TEXTS.iter().position(|rank| *rank == text) {
        Some(rank) => Ok(rank as u8),
        None => Err(format!(
            "{text:?} is no rank; there are: {}",
            RANK_TEXTS.join(", ")
        )),
    }
}

/// A card's text: rank, then C, D, H, S; a joker is `*1` or `*2`.
#[must_use]
pub fn card_text(id: u8) -> String {
    if is_joker(id) {
        format!("*{}", id - JOKER_1 + 1)
    } else {
        format!("{}{}", rank_text(id / 4), SUIT_LETTERS[usize::from(id % 4)])
    }
}

/// A set's text: cards by rising id, separated by spaces; empty for the empty set.
#[must_use]
pub fn cards_text(cards: Cards) -> String {
    let texts: Vec<_> = cards.iter().map(card_text).collect();
    texts.join(" ")
}

/// Reads one card.
///
/// # Errors
/// A reason that names the token.
pub fn parse_card(token: &str) -> Result<u8, String> {
    match token {
        "*1" => return Ok(JOKER_1),
        "*2" => return Ok(JOKER_2),
        _ => {}
    }
    let bad = |why: String| format!("{token:?} is no card: {why}");
    let Some((at, _)) = token.char_indices().next_back() else {
        return Err("an empty token is no card".to_owned());
    };
    let (rank, suit) = token.split_at(at);
    let Some(suit) = SUIT_LETTERS.iter().position(|letter| *letter == suit) else {
        return Err(bad(
            "the last letter must be one of C, D, H, S, or the card *1 or *2".to_owned(),
        ));
    };
    let rank = parse_rank(rank).map_err(bad)?;
    Ok(4 * rank + suit as u8)
}

/// Reads a space-separated list of cards; the empty text and `-` are the empty set.
///
/// # Errors
/// [`ViewError`] under `field`, naming the token: no card, or one listed twice.
pub fn parse_cards(field: &str, text: &str) -> Result<Cards, ViewError> {
    let error = |reason| ViewError {
        field: field.to_owned(),
        reason,
    };
    let mut cards = Cards::EMPTY;
    if text == "-" {
        return Ok(cards);
    }
    for token in text.split_ascii_whitespace() {
        let id = parse_card(token).map_err(error)?;
        if cards.has(id) {
            return Err(error(format!("{token:?} is listed twice")));
        }
        cards |= Cards::one(id);
    }
    Ok(cards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_round_trips_and_ids_rise_with_strength() {
        let texts: Vec<String> = DECK.iter().map(card_text).collect();
        assert_eq!(texts.len(), 54);
        assert_eq!(texts[0], "3C");
        assert_eq!(texts[usize::from(SPADE_3)], "3S");
        assert_eq!(texts[28..32], ["10C", "10D", "10H", "10S"]);
        assert_eq!(texts[48..], ["2C", "2D", "2H", "2S", "*1", "*2"]);
        for (id, text) in texts.iter().enumerate() {
            assert_eq!(parse_card(text), Ok(id as u8));
        }
    }

    #[test]
    fn refusals_name_the_token() {
        for bad in [
            "", "1C", "11C", "3", "C", "3X", "*3", "*", "03C", "10c", "３C", "3ß",
        ] {
            let error = parse_card(bad).expect_err(bad);
            assert!(bad.is_empty() || error.contains(bad), "{bad}: {error}");
        }
        let twice = parse_cards("hand", "3C 4C 3C").expect_err("3C twice");
        assert_eq!(twice.to_string(), "hand: \"3C\" is listed twice");
    }

    #[test]
    fn tribute_order_is_the_order_of_ids() {
        let hand = parse_cards("hand", "2S 2H *1 *2 3C").expect("cards");
        assert_eq!(cards_text(highest(hand, 2)), "*1 *2");
        assert_eq!(cards_text(highest(hand - Cards::one(JOKER_2), 2)), "2S *1");
        assert_eq!(cards_text(lowest(hand, 2)), "3C 2H");
        assert_eq!(highest(hand, 9), hand);
        assert_eq!(lowest(hand, 9), hand);
    }

    #[test]
    fn the_order_turns_and_every_suit_has_thirteen() {
        for rank in 0..RANKS {
            assert_eq!(
                strength(rank, false) + strength(rank, true),
                12,
                "rank {rank}"
            );
            assert_eq!(rank_cards(rank).len(), 4);
        }
        assert_eq!((top_rank(false), top_rank(true)), (RANK_OF_2, RANK_OF_3));
        let suits = (0..4).fold(Cards::EMPTY, |all, suit| all | suit_cards(suit));
        assert_eq!(suits, NATURALS);
        assert_eq!(suit_cards(3).len(), 13);
    }
}
