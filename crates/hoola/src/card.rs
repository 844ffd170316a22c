//! Cards: id = 4 x rank + suit, ranks A = 0, 2 = 1, ... Q = 11, K = 12, suits C, D, H, S = 0 to 3.
//!
//! A set of cards is the contract's [`Cards`], so a rank is four bits side by side and the next
//! rank of a suit lies four bits further up; the ranks form a cycle, on which A follows K.

use evenhand_contract::{Cards, ViewError};

/// Cards of the deck.
pub const DECK_SIZE: u8 = 52;
/// Ranks of a suit.
pub const RANKS: u8 = 13;
/// Every card of the deck.
pub const DECK: Cards = Cards((1 << DECK_SIZE) - 1);
/// The four 7s.
pub const SEVENS: Cards = rank_cards(6);

/// The lowest bit of each rank: the suit C.
const SUIT_0: u64 = 0x1_1111_1111_1111;
const SUIT_LETTERS: &[u8; 4] = b"CDHS";
const RANK_TEXTS: [&str; 13] = [
    "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K",
];

/// The cards whose value has bit k, for the four bits of a value.
const VALUE_BITS: [u64; 4] = {
    let mut masks = [0; 4];
    let mut id = 0;
    while id < DECK_SIZE {
        let mut bit = 0;
        while bit < 4 {
            if value(id) >> bit & 1 == 1 {
                masks[bit] |= 1 << id;
            }
            bit += 1;
        }
        id += 1;
    }
    masks
};

/// Rank index of a card, 0 (A) to 12 (K).
#[inline]
#[must_use]
pub const fn rank(id: u8) -> u8 {
    id / 4
}

/// Suit index of a card: 0 C, 1 D, 2 H, 3 S.
#[inline]
#[must_use]
pub const fn suit(id: u8) -> u8 {
    id % 4
}

/// What a card counts in every sum: A 1, 2 to 10 their number (a 7 is 7), J 11, Q 12, K 13.
#[inline]
#[must_use]
pub const fn value(id: u8) -> u8 {
    rank(id) + 1
}

/// The sum of the values of a set of cards, 0 to 364.
#[inline]
#[must_use]
pub const fn sum(cards: Cards) -> u32 {
    let mut sum = 0;
    let mut bit = 0;
    while bit < 4 {
        sum += (cards.0 & VALUE_BITS[bit]).count_ones() << bit;
        bit += 1;
    }
    sum
}

/// The four cards of one rank.
#[inline]
#[must_use]
pub const fn rank_cards(rank: u8) -> Cards {
    Cards(0xf << (4 * rank))
}

/// The thirteen cards of one suit.
#[inline]
#[must_use]
pub const fn suit_cards(suit: u8) -> Cards {
    Cards(SUIT_0 << suit)
}

/// Each card's next of its suit on the cycle: 2 for A, A for K.
#[inline]
#[must_use]
pub const fn raised(cards: Cards) -> Cards {
    Cards((cards.0 << 4 | cards.0 >> 48) & DECK.0)
}

/// Each card's predecessor of its suit on the cycle: A for 2, K for A.
#[inline]
#[must_use]
pub const fn lowered(cards: Cards) -> Cards {
    Cards(cards.0 >> 4 | (cards.0 & 0xf) << 48)
}

/// The card that follows this one in its suit on the cycle.
#[inline]
#[must_use]
pub const fn next_up(id: u8) -> u8 {
    if id >= 48 { id - 48 } else { id + 4 }
}

/// The card that precedes this one in its suit on the cycle.
#[inline]
#[must_use]
pub const fn next_down(id: u8) -> u8 {
    if id < 4 { id + 48 } else { id - 4 }
}

/// A card's text: its rank, then its suit letter. An id beyond the deck reads `#id`.
#[must_use]
pub fn card_text(id: u8) -> String {
    let Some(rank) = RANK_TEXTS.get(usize::from(rank(id))) else {
        return format!("#{id}");
    };
    format!("{rank}{}", char::from(SUIT_LETTERS[usize::from(suit(id))]))
}

/// A set's text: cards by rising rank from A on, separated by spaces; empty for the empty set.
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
    let Some((last, rank)) = token.as_bytes().split_last() else {
        return Err("an empty token is no card".to_owned());
    };
    let Some(suit) = SUIT_LETTERS.iter().position(|letter| letter == last) else {
        return Err(format!(
            "{token:?} is no card: the last letter must be one of C, D, H, S"
        ));
    };
    match RANK_TEXTS.iter().position(|text| text.as_bytes() == rank) {
        Some(rank) => Ok(4 * rank as u8 + suit as u8),
        None => Err(format!(
            "{token:?} is no card: the rank must be A, 2 to 10, J, Q or K"
        )),
    }
}

/// Reads a space-separated list of cards in the order in which they stand; the empty text and `-`
/// are the empty list.
///
/// # Errors
/// [`ViewError`] under `field`, naming the token: no card, or one listed twice.
pub fn parse_card_list(field: &str, text: &str) -> Result<Vec<u8>, ViewError> {
    let error = |reason| ViewError {
        field: field.to_owned(),
        reason,
    };
    let mut cards = Vec::new();
    if text == "-" {
        return Ok(cards);
    }
    for token in text.split_ascii_whitespace() {
        let id = parse_card(token).map_err(error)?;
        if cards.contains(&id) {
            return Err(error(format!("{token:?} is listed twice")));
        }
        cards.push(id);
    }
    Ok(cards)
}

/// Reads a space-separated set of cards; the empty text and `-` are the empty set.
///
/// # Errors
/// [`ViewError`] under `field`, naming the token: no card, or one listed twice.
pub fn parse_cards(field: &str, text: &str) -> Result<Cards, ViewError> {
    Ok(parse_card_list(field, text)?.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_card_s_text_reads_back_and_stands_for_one_card() {
        let mut texts = std::collections::BTreeSet::new();
        for id in DECK {
            let text = card_text(id);
            assert_eq!(parse_card(&text), Ok(id));
            assert!(texts.insert(text));
        }
        assert_eq!(texts.len(), 52);
        assert_eq!(card_text(52), "#52");
        assert_eq!(parse_card("AC"), Ok(0));
        assert_eq!(parse_card("7H"), Ok(26));
        assert_eq!(parse_card("KS"), Ok(51));
        for wrong in ["", "C", "1C", "07C", "11C", "7", "7c", "7CC", "10X", "TC"] {
            assert!(parse_card(wrong).is_err(), "{wrong:?}");
        }
        assert!(parse_cards("hand", "7C 8D 7C").is_err());
        assert_eq!(parse_cards("hand", "-"), Ok(Cards::EMPTY));
        assert_eq!(parse_cards("hand", " "), Ok(Cards::EMPTY));
    }

    #[test]
    fn sums_of_the_page() {
        let sum_of = |text| sum(parse_cards("hand", text).expect("cards"));
        assert_eq!(sum_of("AC 7D JC QC KC"), 1 + 7 + 11 + 12 + 13);
        assert_eq!(sum_of("2C 10H"), 12);
        assert_eq!(sum(DECK), 4 * 91);
        assert_eq!(cards_text(SEVENS), "7C 7D 7H 7S");
    }

    proptest! {
        #[test]
        fn a_set_is_summed_and_shifted_card_by_card(bits in 0..1u64 << 52) {
            let cards = Cards(bits);
            prop_assert_eq!(sum(cards), cards.iter().map(|id| u32::from(value(id))).sum::<u32>());
            prop_assert_eq!(raised(cards), cards.iter().map(next_up).collect());
            prop_assert_eq!(lowered(cards), cards.iter().map(next_down).collect());
            prop_assert_eq!(lowered(raised(cards)), cards);
            prop_assert_eq!(parse_cards("hand", &cards_text(cards)), Ok(cards));
        }
    }
}
