//! The text that crosses the border.

use evenhand_contract::{Border, Game, Json, Seat, SeedId, Setup, Split, Stream};
use evenhand_daifugo::card::parse_cards;
use evenhand_daifugo::rules::Rules;
use evenhand_daifugo::state::{Carry, State};
use evenhand_daifugo::{Daifugo, Decision, Memo};
use serde_json::json;

/// Plays matches at random.
fn play(
    setup: &Setup<Daifugo>,
    seed: u64,
    rounds: u32,
    mut visit: impl FnMut(&State, Seat, &Decision),
) -> State {
    let id = SeedId::number(seed).expect("small");
    let (mut memo, mut legal) = (Memo::default(), Vec::new());
    let mut carry = Carry::default();
    let mut round = 1;
    loop {
        let mut stream = Stream::deal("daifugo", setup.players, Split::Rehearsal, id, round);
        let deal = Daifugo::deal(setup, &mut stream);
        let mut state = Daifugo::start(setup, &deal, &carry);
        while let Some(seat) = Daifugo::to_act(&state) {
            Daifugo::legal(&state.view(seat), &mut memo, &mut legal);
            let choice = legal[stream.below(legal.len() as u32) as usize];
            visit(&state, seat, &choice);
            Daifugo::apply(&mut state, seat, &choice).expect("legal");
        }
        carry = Daifugo::carry(&state);
        round += 1;
        if round > rounds {
            return state;
        }
    }
}

#[test]
fn views_and_decisions_of_real_play_round_trip() {
    for ruleset in ["default", "fall=off", "foul_eight=off,foul_spade3=on"] {
        for players in 3..=6 {
            let setup = Setup::<Daifugo> {
                players,
                rules: ruleset.parse().expect("a ruleset"),
            };
            for seed in 0..12 {
                play(&setup, seed, 4, |state, seat, choice| {
                    let view = state.view(seat);
                    let json = Daifugo::view_json(&view);
                    let read = Daifugo::parse_view(&json);
                    assert_eq!(read.as_ref(), Ok(&view), "{json}");
                    let mut without_nulls = json.clone();
                    let fields = without_nulls.as_object_mut().expect("an object");
                    fields.retain(|_, value| !value.is_null());
                    assert_eq!(Daifugo::parse_view(&without_nulls), read);
                    let text = Daifugo::decision_text(choice);
                    assert_eq!(Daifugo::parse_decision(&text), Ok(*choice), "{text}");
                });
            }
        }
    }
}

#[test]
fn decisions_as_text() {
    let read = |text: &str| Daifugo::parse_decision(text).map(|d| Daifugo::decision_text(&d));
    for text in [
        "pass",
        "2H *1",
        "*1 *2",
        "stair 4C *1 6C from 4",
        "stair *1 5D *2 from 4",
        "return 4C 5D",
    ] {
        assert_eq!(read(text).as_deref(), Ok(text));
    }
    assert_eq!(
        read("stair 6C 4C 5C").as_deref(),
        Ok("stair 4C 5C 6C from 4")
    );
    for (text, expected) in [
        (
            "stair 5D *1 *2",
            "stair: 5D *1 *2 may start at 3, 4, 5: the start must be told",
        ),
        ("stair 5D 6D", "stair: 5D 6D is no stair"),
        (
            "stair 4C 5C 6C from 5",
            "stair: 4C 5C 6C is no stair from 5",
        ),
        ("stair 4C 5C 6C from 1", "stair: \"1\" is no rank"),
        ("5D 5D", "play: \"5D\" is listed twice"),
        ("", "play: \"\" names no card; a pass is \"pass\""),
        ("return", "play: \"return\" is no card"),
        ("Pass", "play: \"Pass\" is no card"),
    ] {
        let error = Daifugo::parse_decision(text)
            .expect_err("no decision")
            .to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn moves_and_answers() {
    let cards = |text: &str| parse_cards("cards", text).expect("cards");
    let stair = Decision::Stair {
        cards: cards("6C 4C *1"),
        start: 1,
    };
    let told = |d: &Decision| Daifugo::move_json(Seat(1), d);
    assert_eq!(
        told(&stair),
        Some(json!({"seat": 1, "play": "stair", "cards": "4C *1 6C", "start": "4"}))
    );
    assert_eq!(
        told(&Decision::Pass),
        Some(json!({"seat": 1, "play": "pass"}))
    );
    let set = Decision::Set(cards("*1 2H"));
    assert_eq!(
        told(&set),
        Some(json!({"seat": 1, "play": "set", "cards": "2H *1"}))
    );
    let back = Decision::Return(cards("4C 5D"));
    assert_eq!(told(&back), None, "tribute stands with the deal");
    assert_eq!(
        Daifugo::answer_json(&back),
        [("play", json!("return")), ("cards", json!("4C 5D"))]
    );
}

#[test]
fn a_finished_round_tells_tribute_places_fouls_and_fall() {
    let setup = Setup::<Daifugo> {
        players: 4,
        rules: Rules::default(),
    };
    let (mut fell, mut fouled) = (0, 0);
    for seed in 0..60 {
        let mut starts = Vec::new();
        let end = play(&setup, seed, 2, |state, _, _| {
            starts.push(Daifugo::deal_json(state))
        });
        let dealt = Daifugo::deal_json(&end);
        assert!(starts.last() == Some(&dealt), "the deal stays what it was");
        assert_eq!(dealt["hands"].as_array().map(Vec::len), Some(4));
        let told: serde_json::Map<String, Json> = Daifugo::deal_by_play_json(&end)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        let previous: Vec<u64> = told["previous"]
            .as_array()
            .expect("places")
            .iter()
            .filter_map(Json::as_u64)
            .collect();
        let at = |place: u64| previous.iter().position(|p| *p == place);
        assert_eq!(told["leader"].as_u64(), at(4).map(|s| s as u64));
        let tribute = told["tribute"].as_array().expect("a list");
        let ends: Vec<_> = tribute
            .iter()
            .map(|t| {
                (
                    t["from"].as_u64(),
                    t["to"].as_u64(),
                    t["cards"].as_str().map(|c| c.split(' ').count()),
                )
            })
            .collect();
        let pair = |from: u64, to: u64, n| {
            (
                at(from).map(|s| s as u64),
                at(to).map(|s| s as u64),
                Some(n),
            )
        };
        assert_eq!(
            ends,
            [pair(4, 1, 2), pair(1, 4, 2), pair(3, 2, 1), pair(2, 3, 1)]
        );
        for one in tribute {
            let from = one["from"].as_u64().expect("a seat") as usize;
            let hand =
                parse_cards("hand", dealt["hands"][from].as_str().expect("text")).expect("cards");
            let given = parse_cards("cards", one["cards"].as_str().expect("text")).expect("cards");
            assert!(hand.has_all(given), "all from hands as dealt");
        }
        let round = Daifugo::round_json(&end);
        let names: Vec<_> = round.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["places", "fouls", "fallen"]);
        assert_eq!(round[0].1, json!(end.places().as_slice()));
        fouled += round[1].1.as_array().map_or(0, Vec::len);
        fell += usize::from(!round[2].1.is_null());
    }
    assert!(fell > 5 && fouled > 5, "{fell} {fouled}");
}

/// A position in the middle of a second round: seat 0 was first and got `2S *1` for `3C 3D`.
fn middle() -> Json {
    json!({
        "players": 4, "seat": 0, "round": 2, "previous": [1, 2, 3, 4],
        "hand": "5S 6C 6D 9C 10S JC *1", "counts": [7, 12, 11, 9],
        "played": ["2S 4D 4H 7C 8C 9D", "QC", "QD AC", "3C 10C KD JD"],
        "field": {"play": "set", "cards": "10C"}, "field_owner": 3, "revolution": false,
        "passed": [1], "normal": [], "fouls": [], "fallen": null,
        "given": "3C 3D", "received": "2S *1", "due": 0, "ruleset": "default",
        "id": {"any": 1}, "state_version": 7,
    })
}

/// A change of a field, and how the refusal starts.
type Broken = (&'static str, Json, &'static str);

fn refusals(base: &Json, broken: &[Broken]) {
    Daifugo::parse_view(base).expect("the base adds up");
    for (field, value, expected) in broken {
        let mut view = base.clone();
        let fields = view.as_object_mut().expect("an object");
        fields.insert((*field).to_owned(), value.clone());
        let error = Daifugo::parse_view(&view).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{field} = {value}: {error}");
    }
}

#[test]
fn what_does_not_add_up_is_refused_by_field() {
    refusals(
        &middle(),
        &[
            ("extra", json!(1), "extra: is no field of view"),
            ("players", json!(7), "players: is 7"),
            ("players", json!(2), "players: is 2"),
            ("players", json!("4"), "players: is \"4\""),
            ("seat", json!(4), "seat: is 4"),
            ("seat", json!(-1), "seat: is -1"),
            ("ruleset", json!("fal=on"), "ruleset: "),
            ("round", json!(0), "round: is 0"),
            ("round", json!(1), "round: is 1"),
            ("round", json!(1.5), "round: is 1.5"),
            ("previous", json!(null), "round: is 2"),
            (
                "previous",
                json!([1, 2, 3, 3]),
                "previous[3]: is 3, the place of seat 2",
            ),
            ("previous", json!([1, 2, 3]), "previous: has 3 entries"),
            ("previous", json!([0, 1, 2, 3]), "previous[0]: is 0"),
            ("hand", json!("5S 5S"), "hand: \"5S\" is listed twice"),
            ("hand", json!("1S"), "hand: \"1S\" is no card"),
            ("hand", json!(""), "counts[0]: is 7, but the hand has 0"),
            (
                "hand",
                json!("5S 6C 6D 9C 10S JC 4D"),
                "played[0]: lists 4D",
            ),
            ("counts", json!([7, 12, 11]), "counts: has 3"),
            ("counts", json!([7, 12, 11, 14]), "counts[3]: is 14"),
            (
                "counts",
                json!([7, 12, 10, 9]),
                "counts[2]: is 10 and seat 2 played 2",
            ),
            (
                "counts",
                json!([7, 0, 11, 9]),
                "counts[1]: is 0, but seat 1 has not finished",
            ),
            (
                "played",
                json!(["2S 4D 4H 7C 8C 9D", "QC", "QD AC", "3C 10C KD QC"]),
                "played[3]: lists QC",
            ),
            (
                "played",
                json!(["2S 4D 4H 7C 8C 9D", "QC", "QD AC", 3]),
                "played[3]: is 3",
            ),
            ("field", json!("10C"), "field: is \"10C\""),
            ("field", json!(null), "field: is missing"),
            (
                "field",
                json!("-"),
                "field_owner: is 3, but the field is empty",
            ),
            (
                "field",
                json!({"play": "set", "cards": "3C 10C"}),
                "field.cards: 3C 10C is no set",
            ),
            (
                "field",
                json!({"play": "set", "cards": "10C", "start": "4"}),
                "field.start: belongs",
            ),
            (
                "field",
                json!({"play": "run", "cards": "10C"}),
                "field.play: is \"run\"",
            ),
            ("field", json!({"play": "set"}), "field.cards: is missing"),
            (
                "field",
                json!({"play": "set", "card": "10C"}),
                "card: is no field of field",
            ),
            (
                "field",
                json!({"play": "stair", "cards": "10C JC QC", "start": "9"}),
                "field: 10C JC QC is no stair from 9",
            ),
            (
                "field",
                json!({"play": "set", "cards": "9S"}),
                "field: 9S is not among the cards that seat 3 played",
            ),
            (
                "field_owner",
                json!(0),
                "field_owner: is 0, the deciding seat",
            ),
            ("field_owner", json!(null), "field_owner: is missing"),
            ("revolution", json!(1), "revolution: is 1"),
            ("passed", json!([0]), "passed[0]: seat 0 decides"),
            ("passed", json!([3]), "passed[0]: seat 3 owns"),
            ("passed", json!([1, 1]), "passed[1]: seat 1 is listed twice"),
            ("passed", json!([4]), "passed[0]: is 4"),
            ("passed", json!("1"), "passed: is \"1\""),
            ("normal", json!([0]), "seat: seat 0 left the round"),
            ("normal", json!([1]), "fallen: is missing: seat 0 was first"),
            ("fouls", json!([2]), "counts[2]: is 11, but seat 2 left"),
            ("fallen", json!(1), "fallen: is 1"),
            ("due", json!(1), "due: is 1, which seat 0 does not owe"),
            ("due", json!(2), "due: is 2, but the round has begun"),
            ("given", json!(""), "given: has 0 cards; seat 0 exchanged 2"),
            ("received", json!("2S"), "received: has 1 cards"),
            ("received", json!("2S 2D"), "received: lists 2D"),
            (
                "received",
                json!("JC *1"),
                "received: has JC, though seat 3 had KD",
            ),
            (
                "given",
                json!("3D QC"),
                "given: lists QC, which seat 3 does not have",
            ),
            (
                "given",
                json!("3D *1"),
                "received: lists *1, which was given",
            ),
        ],
    );
}

#[test]
fn other_positions_that_do_not_add_up() {
    let mut view = middle();
    // Seat 1 was first before and fell when seat 2 finished; seat 0 was second.
    view["previous"] = json!([2, 1, 3, 4]);
    view["normal"] = json!([2]);
    view["fallen"] = json!(1);
    view["counts"] = json!([7, 0, 0, 9]);
    view["passed"] = json!([]);
    view["played"] = json!([
        "AS 4D 4H 7C 8C 9D",
        "QC",
        "QD 3H 3S 5C 5D 6H 6S 7D 7H 7S 9H 10D 10H",
        "3C 10C KD JD"
    ]);
    view["hand"] = json!("5S 6C 6D 9C 10S JC *1");
    view["given"] = json!("9H");
    view["received"] = json!("AS");
    view["previous"] = json!([2, 1, 3, 4]);
    refusals(
        &view,
        &[
            (
                "fallen",
                json!(null),
                "fallen: is missing: seat 1 was first",
            ),
            ("fallen", json!(0), "fallen: is 0"),
            ("ruleset", json!("fall=off"), "fallen: is 1"),
            ("field_owner", json!(1), "field_owner: is 1, which fell"),
            ("passed", json!([1]), "passed[0]: seat 1 left"),
            ("fouls", json!([3]), "counts: one seat is left"),
            ("fouls", json!([2]), "fouls[0]: seat 2 finished both"),
            (
                "counts",
                json!([7, 12, 0, 9]),
                "counts[1]: is 12, but seat 1 left",
            ),
        ],
    );
    let due = json!({
        "players": 3, "seat": 1, "hand": "3C 3D 4H 5S 6C 7D 9H 10S JC QD KH AS 2C",
        "counts": [13, 13, 13], "played": ["", "", ""], "field": "-", "previous": [3, 1, 2], "due": 1,
    });
    refusals(
        &due,
        &[
            ("due", json!(0), "given: has 0 cards; seat 1 exchanged 1"),
            ("seat", json!(2), "due: is 1, which seat 2 does not owe"),
            (
                "revolution",
                json!(true),
                "due: is 1, but the round has begun",
            ),
            ("given", json!("4H"), "due: is 1, but the round has begun"),
        ],
    );
    assert!(Daifugo::parse_view(&json!([1])).is_err());
}
