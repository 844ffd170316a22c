//! The edge cases of the rules page, one a line of a file, each put to the engine.

use evenhand_contract::{BySeat, Cards, Game, Json, Seat, Setup};
use evenhand_daifugo::card::{cards_text, parse_cards, parse_rank};
use evenhand_daifugo::deal::Deal;
use evenhand_daifugo::rules::Rules;
use evenhand_daifugo::state::{Carry, State, settle};
use evenhand_daifugo::{Daifugo, Decision, Memo};
use serde_json::json;

fn cards(json: &Json) -> Cards {
    parse_cards("cards", json.as_str().expect("text")).expect("cards")
}

fn list(json: &Json) -> &[Json] {
    json.as_array().expect("a list")
}

fn hands(json: &Json) -> BySeat<Cards> {
    let hands = list(json);
    BySeat::from_fn(hands.len() as u8, |seat| cards(&hands[seat.index()]))
}

fn numbers(json: &Json) -> BySeat<u8> {
    let all = list(json);
    let number = |seat: Seat| all[seat.index()].as_u64().expect("a place") as u8;
    BySeat::from_fn(all.len() as u8, number)
}

fn previous(case: &Json) -> Carry {
    match &case["previous"] {
        Json::Null => Carry::default(),
        places => Carry {
            previous: Some(numbers(places)),
            rounds: 1,
        },
    }
}

fn decision(json: &Json) -> Decision {
    match json["play"].as_str().expect("text") {
        "pass" => Decision::Pass,
        "set" => Decision::Set(cards(&json["cards"])),
        "stair" => Decision::Stair {
            cards: cards(&json["cards"]),
            start: parse_rank(json["start"].as_str().expect("text")).expect("a rank"),
        },
        other => panic!("{other} is no move"),
    }
}

fn seat(json: &Json) -> Seat {
    Seat(json.as_u64().expect("a seat") as u8)
}

fn position(hands: BySeat<Cards>, leader: Seat, carry: &Carry, revolution: &Json) -> State {
    let deal = Deal {
        hands,
        blind: Cards::EMPTY,
        leader,
    };
    let revolution = revolution.as_bool().expect("true or false");
    State::in_play(Rules::default(), &deal, carry, revolution)
}

/// Whether the move is legal for a hand of a fragment: listed, and accepted.
fn legal(case: &Json) -> Json {
    let hand = cards(&case["hand"]);
    let field = &case["field"];
    let filler = cards(&json!("QC QD"));
    let (hands, leader) = if field.is_null() {
        ([hand, filler, filler], Seat(0))
    } else {
        ([hand, filler, cards(&field["cards"]) | filler], Seat(2))
    };
    let hands = BySeat::from_fn(3, |seat| hands[seat.index()]);
    let mut state = position(hands, leader, &Carry::default(), &case["revolution"]);
    if !field.is_null() {
        state.apply(Seat(2), decision(field)).expect("the field");
    }
    let wanted = decision(&case["move"]);
    let mut listed = Vec::new();
    Daifugo::legal(&state.view(Seat(0)), &mut Memo::default(), &mut listed);
    let accepted = state.apply(Seat(0), wanted).is_ok();
    assert_eq!(listed.contains(&wanted), accepted);
    json!(accepted)
}

/// Plays the moves and tells what `right` asks for.
fn round(case: &Json) -> Json {
    let hands = hands(&case["hands"]);
    let leader = seat(&case["leader"]);
    let mut state = position(hands, leader, &previous(case), &case["revolution"]);
    let mut illegal = Json::Null;
    for (index, step) in list(&case["moves"]).iter().enumerate() {
        if Daifugo::apply(&mut state, seat(&step["seat"]), &decision(step)).is_err() {
            illegal = json!(index);
            break;
        }
    }
    let mut told = json!({
        "illegal": illegal,
        "revolution": state.revolution(),
        "turn": state.to_act(),
        "field": state.field().map_or("-".to_owned(), |(play, _)| cards_text(play.cards)),
        "normal": state.normal().as_slice(),
        "fouls": state.fouls().as_slice(),
        "fallen": state.fallen(),
        "over": state.to_act().is_none(),
        "places": state.places().as_slice(),
    });
    let asked = case["right"].as_object().expect("what is asked");
    if !asked.contains_key("illegal") {
        assert_eq!(told["illegal"], Json::Null, "every move is legal");
    }
    let told = told.as_object_mut().expect("an object");
    told.retain(|name, _| asked.contains_key(name));
    Json::Object(told.clone())
}

/// What the worse places give; the better ones give their first cards back.
fn tribute(case: &Json) -> Json {
    let deal = Deal {
        hands: hands(&case["hands"]),
        blind: Cards::EMPTY,
        leader: Seat(0),
    };
    let carry = previous(case);
    let setup = Setup::<Daifugo> {
        players: deal.hands.players(),
        rules: Rules::default(),
    };
    let mut state = Daifugo::start(&setup, &deal, &carry);
    let places = carry.previous.expect("places");
    while let Some(seat) = Daifugo::to_act(&state).filter(|&seat| state.view(seat).due > 0) {
        let mut listed = Vec::new();
        Daifugo::legal(&state.view(seat), &mut Memo::default(), &mut listed);
        Daifugo::apply(&mut state, seat, &listed[0]).expect("listed");
    }
    let given = state
        .tribute()
        .filter(|(from, to, _)| places[*from] > places[*to]);
    let given = given.map(|(from, to, cards)| json!({"from": from, "to": to, "cards": cards.0}));
    given.collect()
}

#[test]
fn every_case_of_the_file_comes_out_right() {
    let file = include_str!("cases/rules.jsonl");
    let mut met = 0;
    for line in file.lines() {
        let case: Json = serde_json::from_str(line).expect("JSON");
        let mut right = case["right"].clone();
        let told = match case["ask"].as_str().expect("text") {
            "legal" => legal(&case),
            "round" => round(&case),
            "tribute" => {
                for given in right.as_array_mut().expect("a list") {
                    given["cards"] = json!(cards(&given["cards"]).0);
                }
                tribute(&case)
            }
            "settlement" => json!(settle(&numbers(&case["places"])).as_slice()),
            other => panic!("{other} is no question"),
        };
        if right.is_null() {
            right = json!(false);
        }
        assert_eq!(told, right, "{}: {}", case["name"], case["says"]);
        met += 1;
    }
    assert_eq!(met, 21);
}
