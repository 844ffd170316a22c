//! The edge cases of the rules page, one a line of `cases/hoola-rules.jsonl`, against the engine.

use evenhand_contract::{BySeat, Cards, Json, Seat};
use evenhand_hoola::card::{parse_card_list, parse_cards};
use evenhand_hoola::meld::{Kind, Meld, classify};
use evenhand_hoola::moves::{Decision, Stop};
use evenhand_hoola::rules::Rules;
use evenhand_hoola::settle::{Payer, settle};
use evenhand_hoola::state::{Position, State};

const CASES: &str = include_str!("cases/hoola-rules.jsonl");

fn text<'a>(json: &'a Json, field: &str) -> &'a str {
    json[field]
        .as_str()
        .unwrap_or_else(|| panic!("{field} of {json}"))
}

fn cards(json: &Json, field: &str) -> Cards {
    parse_cards(field, text(json, field)).expect("cards")
}

fn list(json: &Json) -> &[Json] {
    json.as_array().expect("a list")
}

fn seat(json: &Json) -> Seat {
    Seat(json.as_u64().expect("a seat") as u8)
}

fn by_seat<T: Copy + Default>(json: &Json, read: impl Fn(&Json) -> T) -> BySeat<T> {
    let items = list(json);
    BySeat::from_fn(items.len() as u8, |s| read(&items[s.index()]))
}

fn hands(json: &Json) -> BySeat<Cards> {
    by_seat(&json["hands"], |hand| {
        parse_cards("hands", hand.as_str().expect("text")).expect("cards")
    })
}

fn registered(json: &Json) -> BySeat<bool> {
    by_seat(&json["registered"], |r| r.as_bool().expect("a flag"))
}

fn kind(name: &str) -> Kind {
    Kind::ALL
        .into_iter()
        .find(|kind| kind.name() == name)
        .expect("a kind")
}

fn decision(json: &Json) -> Decision {
    match text(json, "do") {
        "thank_you" => Decision::Claim(cards(json, "cards")),
        "draw" => Decision::Draw,
        "stop" => {
            let name = text(json, "kind");
            let stop = Stop::ALL.into_iter().find(|stop| stop.name() == name);
            Decision::Stop(stop.expect("a stop"))
        }
        "register" => Decision::Register(cards(json, "cards")),
        "lay_off" => Decision::LayOff {
            cards: cards(json, "cards"),
            meld: json["meld"].as_u64().expect("a number") as u8,
        },
        "discard" => Decision::Discard(cards(json, "cards").lowest().expect("a card")),
        other => panic!("no move {other}"),
    }
}

fn position(case: &Json) -> State {
    let melds = list(&case["melds"]).iter().map(|meld| {
        Meld::new(
            kind(text(meld, "kind")),
            cards(meld, "cards"),
            seat(&meld["owner"]),
        )
    });
    let position = Position {
        rules: Rules::default(),
        hands: hands(case),
        registered: registered(case),
        melds: melds.collect(),
        pile: parse_card_list("discards", text(case, "discards")).expect("cards"),
        discarder: (!case["discarder"].is_null()).then(|| seat(&case["discarder"])),
        deck: parse_card_list("deck", text(case, "deck")).expect("cards"),
        turn: seat(&case["turn"]),
    };
    State::set_up(&position).expect("a position")
}

/// Plays a case's moves; tells what came of it in the fields that `right` has.
fn play(case: &Json) -> Json {
    let mut state = position(case);
    for (number, step) in list(&case["moves"]).iter().enumerate() {
        let before = state;
        if state.replay(seat(&step["seat"]), decision(step)).is_err() {
            assert_eq!(state, before, "a refused move changes nothing");
            return serde_json::json!({ "illegal": number });
        }
    }
    let mut found = serde_json::Map::new();
    for field in case["right"].as_object().expect("an object").keys() {
        let value = match (field.as_str(), state.result()) {
            ("turn", None) => state.turn().0.into(),
            ("counts", _) => {
                let counts = state.hands().as_slice().iter().map(|hand| hand.len());
                counts.collect::<Vec<_>>().into()
            }
            ("registered", _) => state.registered().as_slice().into(),
            ("end", Some(result)) => result.end.name().into(),
            ("winner", Some(result)) => result.winner.0.into(),
            ("settlement", Some(_)) => state.settlement().as_slice().into(),
            _ => Json::Null,
        };
        found.insert(field.clone(), value);
    }
    Json::Object(found)
}

#[test]
fn every_case_of_the_page_comes_out_right() {
    let mut asked = std::collections::BTreeMap::new();
    for line in CASES.lines() {
        let case: Json = serde_json::from_str(line).expect("a case");
        let ask = text(&case, "ask");
        *asked.entry(ask.to_owned()).or_insert(0) += 1;
        let found = match ask {
            "register" => classify(cards(&case, "cards")).map_or(Json::Null, |k| k.name().into()),
            "lay_off" => {
                let table = cards(&case, "table");
                let meld = Meld::new(kind(text(&case, "kind")), table, Seat(0));
                let after = meld.with(cards(&case, "cards"));
                after.map_or(Json::Null, |meld| meld.kind().name().into())
            }
            "settlement" => {
                let payer = match &case["declarer"] {
                    Json::Null => Payer::Each,
                    declarer => Payer::Declarer(seat(declarer)),
                };
                let e = case["e"].as_i64().expect("E");
                let winner = seat(&case["winner"]);
                let points = settle(&hands(&case), &registered(&case), winner, e, payer);
                points.as_slice().into()
            }
            "round" => play(&case),
            other => panic!("nothing is known of {other}"),
        };
        assert_eq!(
            found,
            case["right"],
            "{}: {}",
            text(&case, "name"),
            case["says"]
        );
    }
    let asked: Vec<(String, i32)> = asked.into_iter().collect();
    let expected = [
        ("lay_off", 5),
        ("register", 5),
        ("round", 13),
        ("settlement", 3),
    ];
    assert_eq!(asked, expected.map(|(ask, n)| (ask.to_owned(), n)));
}

/// The second example of the settlement's section: a failed plain stop by A, won by B.
#[test]
fn the_declarer_pays_for_all() {
    let hand = |text| parse_cards("hand", text).expect("cards");
    let hands = [hand("KC"), hand("2C"), hand("10C"), hand("7C 7D")];
    let hands = BySeat::from_fn(4, |s| hands[s.index()]);
    let registered = BySeat::from_fn(4, |s| s.0 < 3);
    let points = settle(&hands, &registered, Seat(1), 1, Payer::Declarer(Seat(0)));
    assert_eq!(points.as_slice(), [-28, 28, 0, 0]);
}
