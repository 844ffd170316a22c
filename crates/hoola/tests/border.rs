//! Views, decisions and transcripts as text: what is read, and what is refused with which reason.

use evenhand_contract::{Border, BySeat, Json, Seat};
use evenhand_hoola::card::parse_cards;
use evenhand_hoola::moves::Decision;
use evenhand_hoola::rules::Rules;
use evenhand_hoola::state::{End, Position, State};
use evenhand_hoola::{Hoola, Memo};
use serde_json::json;

/// The examples of the schema, in the order in which they stand there: window, start, play.
fn examples() -> Vec<Json> {
    let schema = include_str!("../src/border.rs");
    let docs: String = schema
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .collect();
    let quoted = docs.split('`').skip(1).step_by(2);
    let views = quoted.filter(|text| text.starts_with("{\"players\""));
    views
        .map(|text| serde_json::from_str(text).expect("an example is JSON"))
        .collect()
}

fn example(phase: &str) -> Json {
    let found = examples().into_iter().find(|view| view["phase"] == phase);
    found.expect("an example for each phase")
}

fn legal(view: &Json) -> Vec<String> {
    let view = Hoola::parse_view(view).expect("adds up");
    view.options.iter().map(|d| d.to_string()).collect()
}

/// Sets some fields and gives the error's text.
fn refused(mut view: Json, changes: &[(&str, Json)]) -> String {
    assert!(Hoola::parse_view(&view).is_ok(), "the base view is right");
    for (field, value) in changes {
        view[*field] = value.clone();
    }
    match Hoola::parse_view(&view) {
        Ok(view) => panic!("accepted: {view:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_schema_s_examples_offer_what_they_say() {
    assert_eq!(examples().len(), 3);
    assert_eq!(legal(&example("window")), ["thank_you 4C 5C 6C", "decline"]);
    assert_eq!(legal(&example("start")), ["stop plain", "draw"]);
    let play = legal(&example("play"));
    for told in [
        "register 9C 9D 9H",
        "lay_off 6S 8S on 0",
        "lay_off 8S on 0",
        "discard KD",
    ] {
        assert!(play.iter().any(|d| d == told), "{told} in {play:?}");
    }
    assert_eq!(play.len(), 10, "{play:?}");
}

#[test]
fn answers_are_the_transcript_s_moves() {
    let answer = |text: &str| {
        let decision = Decision::parse(text).expect("a decision");
        let fields = Hoola::answer_json(&decision);
        let fields: serde_json::Map<String, Json> =
            fields.into_iter().map(|(n, v)| (n.to_owned(), v)).collect();
        (Json::Object(fields), Hoola::move_json(Seat(1), &decision))
    };
    for (text, mut expected) in [
        (
            "thank_you 5C 6C 7C",
            json!({"do": "thank_you", "cards": "5C 6C 7C"}),
        ),
        ("stop plain", json!({"do": "stop", "kind": "plain"})),
        (
            "stop four_sevens",
            json!({"do": "stop", "kind": "four_sevens"}),
        ),
        ("draw", json!({"do": "draw"})),
        (
            "register QD KD AD",
            json!({"do": "register", "cards": "AD QD KD"}),
        ),
        (
            "lay_off 6H 8H on 3",
            json!({"do": "lay_off", "cards": "6H 8H", "meld": 3}),
        ),
        ("discard KC", json!({"do": "discard", "cards": "KC"})),
    ] {
        let (found, moved) = answer(text);
        assert_eq!(found, expected);
        expected["seat"] = json!(1);
        assert_eq!(moved, Some(expected));
    }
    assert_eq!(answer("decline"), (json!({"do": "decline"}), None));
}

#[test]
fn a_view_that_does_not_add_up_is_refused_by_the_field() {
    for (phase, field, value, reason) in [
        (
            "play",
            "players",
            json!(6),
            "players: is 6; it must be 2 to 5",
        ),
        (
            "play",
            "players",
            json!("2"),
            "players: is \"2\"; it must be a whole number",
        ),
        (
            "play",
            "seat",
            json!(2),
            "seat: is 2; it must be a whole number from 0 to 1",
        ),
        (
            "play",
            "seat",
            json!(1),
            "turn: is 0, but seat 1 decides in its own turn only",
        ),
        (
            "play",
            "ruleset",
            json!("stops=low"),
            "ruleset: ruleset \"stops=low\": stops is one of high, standard, not \"low\"",
        ),
        (
            "window",
            "ruleset",
            json!("hand_size=13"),
            "ruleset: ruleset \"hand_size=13\": hand_size=13 is for 2 to 3 players, not for 4",
        ),
        (
            "play",
            "phase",
            json!("draw"),
            "phase: is \"draw\"; it must be window, start or play",
        ),
        (
            "play",
            "turn",
            json!(1),
            "turn: is 1, but seat 0 decides in its own turn only",
        ),
        (
            "play",
            "hand",
            json!("6S 8S 9C 9D 9H"),
            "counts[0]: is 6, but the hand has 5 cards",
        ),
        (
            "play",
            "hand",
            json!("6S 8S 9C 9D 9H 9X"),
            "hand: \"9X\" is no card: the last letter must be one of C, D, H, S",
        ),
        (
            "play",
            "hand",
            json!("6S 8S 9C 9D 9H 9H"),
            "hand: \"9H\" is listed twice",
        ),
        (
            "play",
            "hand",
            json!("6S 7S 9C 9D 9H KD"),
            "melds[0].cards: 7S lies in another place as well",
        ),
        (
            "play",
            "hand",
            json!("6S 8S 9C 9D 9H KC"),
            "discards: KC lies in another place as well",
        ),
        ("play", "hand", json!(7), "hand: is 7; it must be text"),
        (
            "play",
            "counts",
            json!([6]),
            "counts: has 1 entries for 2 players",
        ),
        (
            "play",
            "counts",
            json!([6, 0]),
            "counts[1]: is 0: seat 1 is out and the round is over",
        ),
        (
            "play",
            "counts",
            json!([6, 8]),
            "deck: hands, melds, discards and deck add up to 53 cards, not to 52",
        ),
        (
            "play",
            "counts",
            json!([6, -7]),
            "counts[1]: is -7; it must be a whole number from 0 to 52",
        ),
        (
            "play",
            "registered",
            json!([true, 1]),
            "registered[1]: is 1; it must be true or false",
        ),
        (
            "play",
            "registered",
            json!([false, true]),
            "registered_before: is true, but the seat is not registered now",
        ),
        (
            "play",
            "registered",
            json!([true]),
            "registered: has 1 entries for 2 players",
        ),
        (
            "start",
            "registered_before",
            json!(false),
            "registered_before: is false, but the seat is registered and has not acted in a turn yet",
        ),
        (
            "start",
            "thank_you",
            json!(true),
            "thank_you: is true: then the seat is registered and past its draw",
        ),
        (
            "play",
            "thank_you",
            json!(0),
            "thank_you: is 0; it must be true or false",
        ),
        (
            "play",
            "melds",
            json!("7S"),
            "melds: is \"7S\"; it must be a list",
        ),
        (
            "play",
            "melds",
            json!([7]),
            "melds[0]: is 7; it must be an object",
        ),
        (
            "play",
            "melds",
            json!([{"kind": "seven", "cards": "7S"}]),
            "melds[0].owner: is missing",
        ),
        (
            "play",
            "melds",
            json!([{"kind": "seven", "cards": "8S", "owner": 0}]),
            "melds[0].cards: \"8S\" is no seven",
        ),
        (
            "play",
            "melds",
            json!([{"kind": "run", "cards": "8S 9S", "owner": 0}]),
            "melds[0].cards: \"8S 9S\" is no run",
        ),
        (
            "play",
            "melds",
            json!([{"kind": "set", "cards": "7S 7C", "owner": 0}]),
            "melds[0].cards: \"7C 7S\" is no set",
        ),
        (
            "play",
            "melds",
            json!([{"kind": "lone", "cards": "7S", "owner": 0}]),
            "melds[0].kind: is \"lone\"; it must be set, run or seven",
        ),
        (
            "play",
            "melds",
            json!([{"kind": "seven", "cards": "7S", "owner": 1}]),
            "melds[0].owner: seat 1 has not registered",
        ),
        (
            "play",
            "melds",
            json!([{"kind": "seven", "cards": "7S", "owner": 2}]),
            "melds[0].owner: is 2; it must be a whole number from 0 to 1",
        ),
        (
            "play",
            "melds",
            json!([{"kind": "seven", "cards": "7S", "owner": 0, "by": 1}]),
            "melds[0].by: is no field of a meld; there are: kind, cards, owner",
        ),
        (
            "play",
            "discards",
            json!("KC QC KC"),
            "discards: \"KC\" is listed twice",
        ),
        (
            "play",
            "discards",
            json!("KC"),
            "discarders: has 2 entries for 1 discards",
        ),
        (
            "play",
            "discarders",
            json!([null, null]),
            "discarders[1]: is null: only the oldest card can have been turned up",
        ),
        (
            "play",
            "discarders",
            json!([null, 2]),
            "discarders[1]: is 2; it must be a whole number from 0 to 1",
        ),
        (
            "play",
            "deck",
            json!(35),
            "deck: hands, melds, discards and deck add up to 51 cards, not to 52",
        ),
        (
            "play",
            "deck",
            json!(1.5),
            "deck: is 1.5; it must be a whole number from 0 to 52",
        ),
        (
            "play",
            "turns",
            json!([1]),
            "turns: has 1 entries for 2 players",
        ),
        (
            "play",
            "turns",
            json!([1, 53]),
            "turns[1]: is 53; it must be a whole number from 0 to 52",
        ),
        (
            "play",
            "legal",
            json!(["draw"]),
            "legal[0]: \"draw\" is not legal here",
        ),
        (
            "start",
            "legal",
            json!(["draw"]),
            "legal: lacks \"stop plain\", which is legal",
        ),
        (
            "start",
            "legal",
            json!(["draw", "draw"]),
            "legal[1]: \"draw\" is listed twice",
        ),
        (
            "start",
            "legal",
            json!(["draw", "pass"]),
            "legal[1]: \"pass\" is no move: it is thank_you, decline, stop, draw, register, lay_off or discard",
        ),
        (
            "window",
            "discards",
            json!("6C 8S"),
            "hand: has no meld with 8S: this seat is not asked",
        ),
        (
            "window",
            "discarders",
            json!([null, 2]),
            "discarders: seat 2 may not claim its own 6C",
        ),
        (
            "window",
            "turn",
            json!(2),
            "turn: is 2; after the discard of seat 0 it is seat 1's",
        ),
        (
            "play",
            "held",
            json!(1),
            "held: is no field of a view; there are: players, seat, ruleset, phase, turn, hand, counts, registered, registered_before, thank_you, melds, discards, discarders, deck, turns, legal",
        ),
    ] {
        assert_eq!(refused(example(phase), &[(field, value)]), reason);
    }
    let nothing = [
        ("discards", json!("-")),
        ("discarders", json!([])),
        ("deck", json!(24)),
    ];
    assert_eq!(
        refused(example("window"), &nothing),
        "discards: is empty, so there is nothing to claim"
    );
    assert!(Hoola::parse_view(&json!([])).is_err());
}

#[test]
fn what_is_missing_is_named_and_what_may_be_left_out_may() {
    let optional = ["ruleset", "legal", "id", "state_version"];
    for base in examples() {
        let full = Hoola::view_json(&Hoola::parse_view(&base).expect("adds up"));
        for field in full.as_object().expect("an object").keys() {
            let mut view = full.clone();
            view.as_object_mut().expect("an object").remove(field);
            let began = ["registered_before", "thank_you"].contains(&field.as_str());
            let may = optional.contains(&field.as_str()) || began && base["phase"] != "play";
            match Hoola::parse_view(&view) {
                Ok(_) => assert!(may, "{field} may be left out"),
                Err(error) => {
                    assert!(!may, "{error}");
                    assert_eq!(error.to_string(), format!("{field}: is missing"));
                }
            }
        }
        let mut marked = full;
        marked["id"] = json!("x");
        marked["state_version"] = json!(7);
        assert!(Hoola::parse_view(&marked).is_ok());
    }
}

fn small(deck: &str, pile: &str) -> State {
    let cards = |text| parse_cards("cards", text).expect("cards");
    let hands = [cards("KC 3D"), cards("KD QD 4H")];
    let position = Position {
        rules: Rules::default(),
        hands: BySeat::from_fn(2, |seat| hands[seat.index()]),
        registered: BySeat::filled(2, true),
        melds: Vec::new(),
        pile: cards(pile).iter().collect(),
        discarder: Some(Seat(1)),
        deck: cards(deck).iter().collect(),
        turn: Seat(0),
    };
    State::set_up(&position).expect("a position")
}

#[test]
fn a_transcript_tells_the_end_and_leaves_out_a_draw_that_gets_nothing() {
    let mut state = small("", "8S");
    assert!(Hoola::round_json(&state).is_empty() && Hoola::writes_last_move(&state));
    state.apply(Seat(0), Decision::Draw).expect("legal");
    assert_eq!(state.result().map(|r| r.end), Some(End::DeckEmpty));
    assert!(!Hoola::writes_last_move(&state));
    assert_eq!(
        Hoola::round_json(&state),
        [("end", json!("deck_empty")), ("winner", json!(0))]
    );
    assert_eq!(Hoola::deal_by_play_json(&state), [("start", json!(0))]);
}

#[test]
fn a_plan_tells_what_can_be_put_down() {
    let view = Hoola::parse_view(&example("play")).expect("adds up");
    assert_eq!(
        Hoola::plan_json(&view, &mut Memo::default()),
        json!({"melds": ["9C 9D 9H"], "rest": "6S 8S KD", "sum": 27, "sevens": 0})
    );
    assert!(!Hoola::unseen_text(&view).contains("KD"));
}
