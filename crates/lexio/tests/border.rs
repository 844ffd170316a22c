//! Views, decisions and transcripts as text: what is read, and what is refused with which reason.

use evenhand_contract::{Border, Cards, Game, Json, Seat, SeedId, Setup, Split, Stream};
use evenhand_lexio::legal::Play;
use evenhand_lexio::tile::parse_tiles;
use evenhand_lexio::{Lexio, Memo};
use serde_json::json;

const HAND: &str = "5C 5D 9C 9S 10S 11H 12C 12D 12S 13S 15C 1C";

fn follow() -> Json {
    json!({
        "players": 5, "seat": 0, "hand": HAND, "counts": [12, 12, 12, 12, 11],
        "field": "8S", "field_owner": 4, "passes": 0, "played": "8S",
    })
}

fn lead() -> Json {
    json!({
        "players": 5, "seat": 0, "hand": HAND, "counts": [12, 12, 12, 12, 12],
        "field": "-", "field_owner": null, "passes": 0, "played": "-",
    })
}

fn hard_pass() -> Json {
    let mut view = follow();
    view["ruleset"] = json!("pass=hard");
    view["passed"] = json!([1, 3]);
    view
}

/// Sets some fields and gives the error's text.
fn refused(mut view: Json, changes: &[(&str, Json)]) -> String {
    assert!(Lexio::parse_view(&view).is_ok(), "the base view is right");
    for (field, value) in changes {
        view[*field] = value.clone();
    }
    match Lexio::parse_view(&view) {
        Ok(view) => panic!("accepted: {view:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_view_that_adds_up_is_read() {
    let view = Lexio::parse_view(&follow()).expect("adds up");
    assert_eq!(view.field.expect("a field").key, 23);
    assert_eq!((view.field_owner, view.passed), (Some(Seat(4)), 0));
    assert_eq!(view.unseen().len(), 47);
    let view = Lexio::parse_view(&hard_pass()).expect("adds up");
    assert_eq!(view.passed, 0b1010);
    // Not reachable (another seat would act), yet it adds up; ids are the caller's.
    let mut odd = lead();
    odd["id"] = json!("x");
    odd["state_version"] = json!(7);
    assert!(Lexio::parse_view(&odd).is_ok());
    let mut odd = follow();
    odd["passes"] = json!(3);
    assert!(Lexio::parse_view(&odd).is_ok());
}

#[test]
fn each_field_is_missed_by_name() {
    for field in [
        "players",
        "seat",
        "hand",
        "counts",
        "field",
        "field_owner",
        "passes",
        "played",
    ] {
        let mut view = follow();
        view.as_object_mut().expect("an object").remove(field);
        let error = Lexio::parse_view(&view).expect_err("a field is missing");
        assert_eq!(error.to_string(), format!("{field}: is missing"));
    }
    assert_eq!(
        Lexio::parse_view(&json!([]))
            .expect_err("no object")
            .to_string(),
        "view: is no JSON object"
    );
}

#[test]
fn wrong_values_are_refused_with_field_and_reason() {
    let cases: &[(&str, Json, &str)] = &[
        ("players", json!(6), "players: is 6; it must be 3, 4 or 5"),
        (
            "players",
            json!(-5),
            "players: is -5; it must be a whole number",
        ),
        (
            "players",
            json!(5.0),
            "players: is 5.0; it must be a whole number",
        ),
        (
            "players",
            json!("5"),
            "players: is \"5\"; it must be a whole number",
        ),
        (
            "seat",
            json!(5),
            "seat: is 5; it must be a whole number from 0 to 4",
        ),
        (
            "seat",
            json!(null),
            "seat: is null; it must be a whole number from 0 to 4",
        ),
        (
            "seat",
            json!(4),
            "counts[4]: is 11, but the hand has 12 tiles",
        ),
        ("hand", json!(12), "hand: is 12; it must be text"),
        (
            "hand",
            json!(format!("{HAND} 5C")),
            "hand: \"5C\" is listed twice",
        ),
        (
            "hand",
            json!("16C"),
            "hand: \"16C\" is no tile: the number must be 1 to 15 with 5 players",
        ),
        (
            "hand",
            json!("05C"),
            "hand: \"05C\" is no tile: the number must be 1 to 15 with 5 players",
        ),
        (
            "hand",
            json!("5X"),
            "hand: \"5X\" is no tile: the last letter must be one of C, H, D, S",
        ),
        ("hand", json!(""), "hand: is empty: the round is over"),
        ("hand", json!("-"), "hand: is empty: the round is over"),
        (
            "hand",
            json!("5C"),
            "counts[0]: is 12, but the hand has 1 tiles",
        ),
        (
            "hand",
            json!("5C 5D 8S 9S 10S 11H 12C 12D 12S 13S 15C 1C"),
            "played: lists 8S, which is in the hand as well",
        ),
        ("counts", json!(12), "counts: is 12; it must be a list"),
        (
            "counts",
            json!([12, 12, 12, 11]),
            "counts: has 4 entries for 5 players",
        ),
        (
            "counts",
            json!([12, 12, 12, 12, 12]),
            "counts: hand, played tiles and the other counts add up to 61 tiles; the deck has 60",
        ),
        (
            "counts",
            json!([12, 13, 12, 12, 10]),
            "counts[1]: is 13; it must be a whole number from 0 to 12",
        ),
        (
            "counts",
            json!([12, 12, 12, 0, 11]),
            "counts[3]: is 0: seat 3 is out and the round is over",
        ),
        (
            "counts",
            json!([11, 12, 12, 12, 12]),
            "counts[0]: is 11, but the hand has 12 tiles",
        ),
        ("field", json!("8S 9H"), "field: 8S 9H is no meld"),
        (
            "field",
            json!("8H"),
            "field: 8H is not among the played tiles",
        ),
        (
            "field",
            json!("9S"),
            "field: 9S is not among the played tiles",
        ),
        ("field", json!(null), "field: is null; it must be text"),
        (
            "field",
            json!("-"),
            "field_owner: is 4, but the field is empty; it must be null",
        ),
        (
            "field_owner",
            json!(null),
            "field_owner: is null, but there is a field",
        ),
        (
            "field_owner",
            json!(5),
            "field_owner: is 5; it must be a whole number from 0 to 4",
        ),
        (
            "field_owner",
            json!(0),
            "field_owner: is 0, the deciding seat itself: nobody follows an own meld",
        ),
        (
            "passes",
            json!(4),
            "passes: is 4; it must be a whole number from 0 to 3",
        ),
        (
            "passed",
            json!([1]),
            "passed[0]: seats are out of the trick under pass=hard only",
        ),
        ("passed", json!(1), "passed: is 1; it must be a list"),
        (
            "ruleset",
            json!("pass=firm"),
            "ruleset: ruleset \"pass=firm\": pass is one of soft, hard, not \"firm\"",
        ),
        ("ruleset", json!(null), "ruleset: is null; it must be text"),
        ("played", json!("8S 8S"), "played: \"8S\" is listed twice"),
        (
            "played",
            json!("-"),
            "counts: hand, played tiles and the other counts add up to 59 tiles; the deck has 60",
        ),
        ("played", json!([]), "played: is []; it must be text"),
        (
            "rulset",
            json!("default"),
            "rulset: is no field of a view; there are: players, seat, hand, counts, field, field_owner, passes, passed, ruleset, played",
        ),
    ];
    for (field, value, expected) in cases {
        assert_eq!(refused(follow(), &[(field, value.clone())]), *expected);
    }
}

/// A right view, what is changed in it, and the error.
type Contradiction<'a> = (Json, &'a [(&'a str, Json)], &'a str);

#[test]
fn contradictions_between_fields_are_refused() {
    let cases: &[Contradiction] = &[
        (
            lead(),
            &[("passes", json!(1))],
            "passes: is 1 on an empty field",
        ),
        (
            lead(),
            &[("field_owner", json!(2))],
            "field_owner: is 2, but the field is empty; it must be null",
        ),
        (
            lead(),
            &[("ruleset", json!("pass=hard")), ("passed", json!([1]))],
            "passed[0]: nobody is out of the trick on an empty field",
        ),
        (
            hard_pass(),
            &[("passed", json!([1, 1]))],
            "passed[1]: seat 1 is listed twice",
        ),
        (
            hard_pass(),
            &[("passed", json!([0]))],
            "passed[0]: seat 0 decides, so it is not out of the trick",
        ),
        (
            hard_pass(),
            &[("passed", json!([1, 4]))],
            "passed[1]: seat 4 owns the field, so it is not out of the trick",
        ),
        (
            hard_pass(),
            &[("passed", json!([5]))],
            "passed[0]: is 5; it must be a whole number from 0 to 4",
        ),
    ];
    for (base, changes, expected) in cases {
        assert_eq!(refused(base.clone(), changes), *expected);
    }
}

#[test]
fn smaller_decks_know_their_tiles_and_runs() {
    let view = json!({
        "players": 3, "seat": 2, "hand": "3C 4C 5C 6C 7D 8D 9D 1D 2D", "counts": [10, 12, 9],
        "field": "7C 8C 9C 1C 2H", "field_owner": 0, "passes": 1, "played": "7C 8C 9C 1C 2H",
        "ruleset": "top_run=wrap12",
    });
    assert!(Lexio::parse_view(&view).is_ok());
    let text = refused(view.clone(), &[("ruleset", json!("default"))]);
    assert_eq!(text, "field: 7C 8C 9C 1C 2H is no meld");
    let text = refused(view, &[("hand", json!("10C 4C 5C 6C 7D 8D 9D 1D 2D"))]);
    assert_eq!(
        text,
        "hand: \"10C\" is no tile: the number must be 1 to 9 with 3 players"
    );
}

#[test]
fn decisions_round_trip_and_wrong_ones_name_the_token() {
    for text in ["pass", "3C", "2S", "3C 3D", "5C 9C 12C 15C 1C"] {
        let play = Lexio::parse_decision(text).expect("a decision");
        assert_eq!(Lexio::decision_text(&play), text);
    }
    let any_order = Lexio::parse_decision("3D  3C").expect("any order");
    assert_eq!(any_order, Lexio::parse_decision("3C 3D").expect("tiles"));
    for (text, expected) in [
        ("", "play: \"\" names no tile; a pass is \"pass\""),
        ("-", "play: \"-\" names no tile; a pass is \"pass\""),
        (
            "Pass",
            "play: \"Pass\" is no tile: the last letter must be one of C, H, D, S",
        ),
        ("3C 3C", "play: \"3C\" is listed twice"),
        (
            "3C, 3D",
            "play: \"3C,\" is no tile: the last letter must be one of C, H, D, S",
        ),
    ] {
        assert_eq!(
            Lexio::parse_decision(text)
                .expect_err("no decision")
                .to_string(),
            expected
        );
    }
    let pass = Lexio::move_json(Seat(3), &Play::PASS);
    assert_eq!(pass, Some(json!({"seat": 3, "play": "pass"})));
}

#[test]
fn views_of_real_play_round_trip() {
    for ruleset in [
        "default",
        "pass=hard",
        "twos=flat_double,top_run=wrap12,lead=winner",
    ] {
        for players in [3, 4, 5] {
            let setup = Setup::<Lexio> {
                players,
                rules: ruleset.parse().expect("a ruleset"),
            };
            for seed in 0..20 {
                let id = SeedId::number(seed).expect("small");
                let mut stream = Stream::deal("lexio", players, Split::Rehearsal, id, 1);
                let deal = Lexio::deal(&setup, &mut stream);
                let mut state = Lexio::start(&setup, &deal, &Default::default());
                let start = Lexio::deal_json(&state);
                for (hand, text) in deal
                    .hands
                    .as_slice()
                    .iter()
                    .zip(start["hands"].as_array().expect("hands"))
                {
                    let read = parse_tiles("hand", text.as_str().expect("text"), players);
                    assert_eq!(read, Ok(*hand));
                }
                let (mut memo, mut legal) = (Memo::default(), Vec::new());
                while let Some(seat) = Lexio::to_act(&state) {
                    let view = Lexio::view(&state, seat);
                    let json = Lexio::view_json(&view);
                    let read = Lexio::parse_view(&json).expect("a view of real play");
                    assert_eq!(Lexio::view_json(&read), json);
                    let mut expected = view;
                    expected.dealt = view.hand;
                    assert_eq!(read, expected);
                    Lexio::legal(&view, &mut memo, &mut legal);
                    let (mut fresh, mut again) = (Memo::default(), Vec::new());
                    Lexio::legal(&read, &mut fresh, &mut again);
                    assert_eq!(again, legal, "only a cache key may differ");
                    let choice = legal[stream.below(legal.len() as u32) as usize];
                    let text = Lexio::decision_text(&choice);
                    assert_eq!(Lexio::parse_decision(&text), Ok(choice));
                    assert_eq!(
                        Lexio::move_json(seat, &choice),
                        Some(json!({"seat": seat.0, "play": text}))
                    );
                    Lexio::apply(&mut state, seat, &choice).expect("legal");
                }
                assert_eq!(Lexio::deal_json(&state), start);
            }
        }
    }
}

#[test]
fn the_plan_is_a_partition_of_the_fewest_plays() {
    let mut memo = Memo::default();
    let view = Lexio::parse_view(&follow()).expect("adds up");
    let plan = Lexio::plan_json(&view, &mut memo);
    assert_eq!(
        plan,
        json!({"plays": 4, "pieces": ["5C 9C 12C 15C 1C", "9S 10S 11H 12S 13S", "5D", "12D"]})
    );
    let mut all = Cards::EMPTY;
    for piece in plan["pieces"].as_array().expect("pieces") {
        all |= parse_tiles("piece", piece.as_str().expect("text"), 5).expect("tiles");
    }
    assert_eq!(all, view.hand);
}
