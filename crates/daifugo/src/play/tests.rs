//! Recognition and order of plays, against lists built from the rules page's own words.

use super::*;
use crate::card::{DECK, JOKER_1, JOKER_2, parse_cards};

fn cards(text: &str) -> Cards {
    parse_cards("cards", text).expect("cards")
}

fn set(text: &str) -> Play {
    Play::set(cards(text)).expect("a set")
}

fn stair(text: &str, start: &str) -> Play {
    let start = crate::card::parse_rank(start).expect("a rank");
    Play::stair(cards(text), start).expect("a stair")
}

/// What a rank is worth, higher wins: the two orders spelt out.
fn worth(rank: &str, revolution: bool) -> usize {
    const ORDER: [&str; 13] = [
        "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2",
    ];
    if rank == "*" {
        return 99;
    }
    let place = ORDER.iter().position(|r| *r == rank).expect("a rank");
    if revolution { 12 - place } else { place }
}

#[test]
fn sets_of_two_are_ordered_by_rank_with_jokers_on_top_in_both_orders() {
    let pairs: Vec<Play> = (0..13)
        .map(|rank| Play::set(Cards(0b11 << (4 * rank))).expect("a pair"))
        .chain([set("*1 *2")])
        .collect();
    for revolution in [false, true] {
        for a in &pairs {
            for b in &pairs {
                let expected =
                    worth(rank_text(a.rank), revolution) > worth(rank_text(b.rank), revolution);
                assert_eq!(a.beats(b, revolution), expected, "{a:?} on {b:?}");
            }
        }
    }
}

#[test]
fn only_the_lone_natural_spade_3_beats_a_lone_joker() {
    for revolution in [false, true] {
        for id in DECK {
            let single = Play::set(Cards::one(id)).expect("a single");
            for joker in ["*1", "*2"] {
                let beats = single.beats(&set(joker), revolution);
                assert_eq!(beats, id == SPADE_3, "{}", crate::card::card_text(id));
                assert_eq!(
                    single.clears(Some(&set(joker))),
                    beats || id / 4 == RANK_OF_8
                );
            }
        }
    }
    assert!(!set("3S 3H").beats(&set("*1 *2"), true));
    assert!(!set("3S").clears(None));
    assert!(!set("3S").clears(Some(&set("4S"))));
    assert!(set("8S *1").clears(None));
    assert!(!stair("8S *1 *2", "7").clears(None));
}

#[test]
fn sets_take_one_rank_and_jokers_up_to_six() {
    assert_eq!(set("9C 9D 9H 9S *1 *2").size(), MOST_IN_SET);
    assert_eq!(set("*1 *2").rank, JOKER_RANK);
    assert_eq!(set("5D *2").rank, 2);
    for none in ["", "5D 6D", "5D 6D *1"] {
        assert_eq!(Play::set(cards(none)), None, "{none}");
    }
    assert_eq!(Play::set(Cards(1 << 60)), None);
    assert_eq!(Play::set(Cards(1 << 60 | 1)), None);
    assert_eq!(Play::stair(Cards(1 << 60 | 0x11), 0), None);
}

#[test]
fn stairs_take_one_suit_without_wrap() {
    let starts = |text: &str| -> Vec<&str> { stair_starts(cards(text)).map(rank_text).collect() };
    assert_eq!(starts("3C 4C 5C"), ["3"]);
    assert_eq!(starts("KH AH 2H *1"), ["Q"]);
    assert_eq!(starts("4C 7C *1 *2"), ["4"]);
    assert_eq!(starts("5D *1 *2"), ["3", "4", "5"]);
    assert_eq!(starts("5D 6D *1"), ["4", "5"]);
    assert_eq!(starts("3S *1 *2"), ["3"]);
    assert_eq!(starts("2S *1 *2"), ["K"]);
    for none in [
        "3C 4C",
        "AC 2C 3C",
        "3C 4C 5D",
        "4C 8C *1 *2",
        "3C 3D *1",
        "*1 *2",
    ] {
        assert!(starts(none).is_empty(), "{none}");
    }
    assert_eq!(
        starts("3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH 2H"),
        ["3"],
        "all of a suit"
    );
    assert!(starts("3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH 2H *1").is_empty());
}

#[test]
fn stairs_are_ordered_by_their_weakest_place() {
    let (low, high) = (stair("8C 9C 10C", "8"), stair("9D 10D *1", "9"));
    assert!(high.beats(&low, false) && !low.beats(&high, false));
    assert!(low.beats(&high, true) && !high.beats(&low, true));
    assert!(!stair("8D 9D 10D", "8").beats(&low, false));
    assert!(
        !stair("9D 10D JD QD", "9").beats(&low, false),
        "sizes differ"
    );
    assert!(!set("9D 9C 9H").beats(&low, false), "kinds differ");
    assert_eq!(stair("QS KS AS 2S", "Q").strength(true), 0);
}

#[test]
fn fouls_by_card_by_order_and_by_switch() {
    let rules = Rules::default();
    for revolution in [false, true] {
        for id in DECK {
            let single = Play::set(Cards::one(id)).expect("a single");
            let text = rank_text(id / 4);
            let top = if revolution { "3" } else { "2" };
            let expected = text == "*" || text == top || text == "8";
            assert_eq!(single.fouls(revolution, rules), expected, "{text}");
        }
        assert!(stair("8C *1 *2", "6").fouls(revolution, rules));
        assert!(!stair("7C 8C 9C", "7").fouls(revolution, rules));
    }
    assert!(stair("KC AC 2C", "K").fouls(false, rules));
    assert!(!stair("KC AC 2C", "K").fouls(true, rules));
    assert!(stair("3C 4C 5C", "3").fouls(true, rules));
    let other = Rules {
        foul_eight: false,
        foul_spade3: true,
        ..rules
    };
    assert!(!set("8C 8D").fouls(false, other));
    assert!(set("3S").fouls(false, other) && set("3S").fouls(true, other));
    assert!(!set("3S 3H").fouls(false, other));
}

#[test]
fn four_or_more_of_a_set_turn_the_order() {
    assert!(set("5C 5D 5H *1").turns_order());
    assert!(!set("5C 5D 5H").turns_order());
    assert!(!stair("5C 6C 7C 8C", "5").turns_order());
}

#[test]
fn text_shows_jokers_where_they_stand() {
    assert_eq!(stair("6C *1 4C", "4").cards_text(), "4C *1 6C");
    assert_eq!(stair("5D *1 *2", "4").cards_text(), "*1 5D *2");
    assert_eq!(set("*1 5D").cards_text(), "5D *1");
}

#[test]
fn decisions_and_plays_convert() {
    for play in [set("*1"), stair("5D *1 *2", "4")] {
        assert_eq!(play.decision().play(), Ok(Some(play)));
        assert_eq!(play.decision().cards(), play.cards);
    }
    assert_eq!(Decision::Pass.play(), Ok(None));
    let bad = Decision::Set(cards("3C 4C") | Cards::one(63));
    assert_eq!(bad.play(), Err("3C 4C is no set".to_owned()));
    let bad = Decision::Stair {
        cards: cards("3C 4C 5C"),
        start: 77,
    };
    assert_eq!(bad.play(), Err("3C 4C 5C is no stair from *".to_owned()));
    assert_eq!(set("*1 *2").jokers(), 2);
    assert_eq!((JOKER_1, JOKER_2), (52, 53));
}
