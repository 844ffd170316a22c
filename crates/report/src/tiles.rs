//! Cards and tiles, drawn from their text: digits or a letter for the rank, a letter for the suit, or a joker `*1`.

use crate::text;

/// The cards of a text, if it is nothing but cards: `3C 12D *1`.
pub(crate) fn cards(field: &str) -> Option<Vec<(&str, &str)>> {
    let cards: Option<Vec<_>> = field.split_whitespace().map(card).collect();
    cards.filter(|c| !c.is_empty())
}

fn card(token: &str) -> Option<(&str, &str)> {
    if token.is_ascii() && token.starts_with('*') && token.len() == 2 {
        return Some((token, ""));
    }
    let (rank, suit) = token.split_at_checked(token.len().checked_sub(1)?)?;
    let number = (1..=2).contains(&rank.len()) && rank.bytes().all(|b| b.is_ascii_digit());
    let letter = matches!(rank, "A" | "K" | "Q" | "J" | "T");
    ((number || letter) && matches!(suit, "C" | "D" | "H" | "S")).then_some((rank, suit))
}

/// A field of a position as HTML: drawn as tiles when it is cards, else its text. The text itself is what a screen
/// reader hears and what is copied.
pub(crate) fn html(field: &str) -> String {
    let Some(cards) = cards(field) else {
        return text::html(field);
    };
    let mut out = format!(
        "<span class=\"tiles\" role=\"img\" aria-label=\"{}\">",
        text::html(field)
    );
    for (rank, suit) in cards {
        let class = if suit.is_empty() { "J" } else { suit };
        out += &format!(
            "<span class=\"tile s{class}\" aria-hidden=\"true\"><b>{}</b><i>{}</i></span>",
            text::html(rank),
            text::html(suit)
        );
    }
    out + "</span>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_told_from_words() {
        assert_eq!(cards("3C 12D"), Some(vec![("3", "C"), ("12", "D")]));
        assert_eq!(cards("KC *1"), Some(vec![("K", "C"), ("*1", "")]));
        for no in [
            "", "-", "pass", "3C pass", "123C", "3c", "C", "12", "é", "*é",
        ] {
            assert_eq!(cards(no), None, "{no}");
        }
    }

    #[test]
    fn a_tile_says_its_text() {
        let one = html("12D");
        assert!(
            one.contains("aria-label=\"12D\"") && one.contains("<b>12</b><i>D</i>"),
            "{one}"
        );
        assert_eq!(html("<pass>"), "&lt;pass&gt;");
    }
}
