//! Cards and tiles, drawn from their text: digits or a letter for the rank, a letter for the suit, or a joker `*1`.

use crate::text;

/// The cards of a text, if it is nothing but cards: `3C 12D *1`.
#[cfg(test)]
fn cards(field: &str) -> Option<Vec<(&str, &str)>> {
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

/// A field of a position as HTML: its cards drawn as tiles, whether it is nothing else or they stand among words
/// (`discard 10C`); without a card its text. The text itself is what a screen reader hears and what is copied.
pub(crate) fn html(field: &str) -> String {
    if field.split_whitespace().all(|token| card(token).is_none()) {
        return text::html(field);
    }
    let mut out = format!(
        "<span class=\"tiles\" role=\"img\" aria-label=\"{}\">",
        text::html(field)
    );
    for token in field.split_whitespace() {
        let Some((rank, suit)) = card(token) else {
            out += &format!(
                "<span class=\"word\" aria-hidden=\"true\">{}</span>",
                text::html(token)
            );
            continue;
        };
        let class = if suit.is_empty() { "J" } else { suit };
        out += &format!(
            "<span class=\"tile s{class}\" aria-hidden=\"true\"><b>{}</b><i>{}</i></span>",
            text::html(rank),
            text::html(suit)
        );
    }
    out + "</span>"
}

/// A place with its long digests cut to their first digits; the whole of it is there for whoever points at it.
pub(crate) fn place(place: &str) -> String {
    let is_long = |word: &str| word.len() > 20 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let words = place.split(' ').map(|word| {
        let bare = word.trim_end_matches(',');
        if is_long(bare) {
            format!("{}…{}", &bare[..12], &word[bare.len()..])
        } else {
            word.to_owned()
        }
    });
    let short = words.collect::<Vec<_>>().join(" ");
    if short == place {
        return text::html(place);
    }
    format!(
        "<span title=\"{}\">{}</span>",
        text::html(place),
        text::html(&short)
    )
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
    fn cards_among_words_are_drawn_too() {
        let one = html("lay-off 10C *1");
        assert!(one.contains("aria-label=\"lay-off 10C *1\""), "{one}");
        assert_eq!(one.matches("class=\"tile ").count(), 2, "{one}");
        assert!(one.contains(">lay-off</span>") && one.contains("<b>10</b><i>C</i>"));
        assert_eq!(html("12, 7, 12"), "12, 7, 12");
    }

    #[test]
    fn a_long_digest_is_cut_and_kept() {
        let digest = "cee3d0b5ab7b071dd269f9ec949e8bfe0211b977c3ed52d0f351cb28d82e5c7d";
        let one = place(&format!("seed {digest}, round 1"));
        assert!(
            one.ends_with(">seed cee3d0b5ab7b…, round 1</span>"),
            "{one}"
        );
        assert!(one.contains(digest));
        assert_eq!(place("seed 4711, round 1"), "seed 4711, round 1");
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
