//! easy and eager do what they are said to do.

use evenhand_contract::{Border, Json, Policy, Trace, TraceLevel, Work, decide, find_policy};
use evenhand_hoola::{Hoola, Memo};
use serde_json::json;

/// The play of a style in a view that is filled up to a whole deck.
fn decision(style: &str, view: Json) -> String {
    let mut view = view;
    let words = |json: &Json| json.as_str().map_or(0, |t| t.split_whitespace().count());
    let melds = view["melds"].as_array().map_or(0, |melds| {
        melds.iter().map(|meld| words(&meld["cards"])).sum()
    });
    let hand = words(&view["hand"]);
    let discards = words(&view["discards"]);
    view["players"] = json!(2);
    view["seat"] = json!(0);
    view["counts"] = json!([hand, 7]);
    view["turns"] = json!([1, 1]);
    view["deck"] = json!(52 - 7 - hand - melds - discards);
    if view["phase"] == "play" {
        view["registered_before"] = view["registered"][0].clone();
        view["thank_you"] = json!(false);
    }
    let view = Hoola::parse_view(&view).unwrap_or_else(|e| panic!("{e}: {view}"));
    let policy = Policy::defaults(find_policy::<Hoola>(style).expect("a style"));
    let mut trace = Trace::new(TraceLevel::Off);
    let made = decide(
        &policy,
        &view,
        &mut Memo::default(),
        &mut Work::units(0),
        &mut trace,
    );
    let made = made.expect("a decision");
    assert_eq!(made.fallback, None);
    made.decision.to_string()
}

fn play(style: &str, hand: &str, melds: &[(&str, &str)]) -> String {
    let melds: Vec<Json> = melds
        .iter()
        .map(|(kind, cards)| json!({"kind": kind, "cards": cards, "owner": 0}))
        .collect();
    let registered = !melds.is_empty();
    decision(
        style,
        json!({
            "phase": "play", "turn": 0, "hand": hand, "registered": [registered, false],
            "melds": melds, "discards": "KS", "discarders": [1],
        }),
    )
}

#[test]
fn easy_registers_the_most_cards_first_then_the_higher_sum_and_a_seven_last() {
    let easy = |hand| play("easy", hand, &[]);
    assert_eq!(easy("2C 3C 4C 5C 9D 9H 9S 7D"), "register 2C 3C 4C 5C");
    assert_eq!(easy("2C 3C 4C 9D 9H 9S 7D"), "register 9D 9H 9S");
    assert_eq!(easy("9C 9D 9H 9S 2C"), "register 9C 9D 9H 9S");
    assert_eq!(easy("7D 7H KC QD"), "register 7D");
    // A three-card set of four 7s is no more than the four.
    assert_eq!(easy("7C 7D 7H 7S QD"), "register 7C 7D 7H 7S");
    // The ace is 1 wherever it stands.
    assert_eq!(easy("QD KD AD 9C 9D 9H"), "register 9C 9D 9H");
}

#[test]
fn easy_lays_off_the_dearest_card_that_fits() {
    let melds = [("set", "9C 9D 9H"), ("run", "2S 3S 4S")];
    assert_eq!(play("easy", "9S AS KC", &melds), "lay_off 9S on 0");
    assert_eq!(play("easy", "5S AS KC", &melds), "lay_off 5S on 1");
    assert_eq!(play("easy", "AS KC", &melds), "lay_off AS on 1");
    // Registers come before lay-offs.
    assert_eq!(play("easy", "9S 7C KC", &melds), "register 7C");
    // A card that fits two melds goes on the older.
    let melds = [("run", "2S 3S 4S"), ("run", "6S 7S 8S")];
    assert_eq!(play("easy", "5S KC", &melds), "lay_off 5S on 0");
}

#[test]
fn easy_discards_the_dearest_loose_card() {
    let easy = |hand| play("easy", hand, &[]);
    assert_eq!(easy("KC KD QH 2S"), "discard QH");
    assert_eq!(easy("KC QC JH 2S"), "discard JH");
    // On the cycle, K and A are neighbours.
    assert_eq!(easy("KC AC JH 2S"), "discard JH");
    // Nothing is loose: the dearest, of equal ones the lowest suit.
    assert_eq!(easy("KD KH QH 2S 2C"), "discard KD");
    // A gap of one is no neighbour.
    assert_eq!(easy("KC JC 9C"), "discard KC");
}

#[test]
fn easy_neither_claims_nor_stops_and_eager_does_both() {
    let window = |hand: &str, top: &str| {
        json!({
            "phase": "window", "turn": 0, "hand": hand, "registered": [false, false],
            "melds": [], "discards": top, "discarders": [1],
        })
    };
    let view = || window("4C 5C 6D 6H KD", "6C");
    assert_eq!(decision("easy", view()), "decline");
    // The larger sum of two melds of three.
    assert_eq!(decision("eager", view()), "thank_you 6C 6D 6H");
    let longer = window("3C 4C 5C 6D 6H KD", "6C");
    assert_eq!(decision("eager", longer), "thank_you 3C 4C 5C 6C");

    let start = |hand: &str, registered: bool| {
        let melds = match registered {
            true => json!([{"kind": "seven", "cards": "7S", "owner": 0}]),
            false => json!([]),
        };
        json!({
            "phase": "start", "turn": 0, "hand": hand, "registered": [registered, false],
            "melds": melds, "discards": "KS", "discarders": [1],
        })
    };
    for (hand, registered, stop) in [
        ("AC AD AH 2C 2D 3H 10H", false, "stop low"),
        ("10C JC JD QC 10D QH KD", false, "stop high"),
        ("7C 7D 7H 7S 2C 2D 3H", false, "stop four_sevens"),
        // A plain stop can fail.
        ("AC 2D", true, "draw"),
    ] {
        assert_eq!(decision("easy", start(hand, registered)), "draw");
        assert_eq!(decision("eager", start(hand, registered)), stop);
    }
}
