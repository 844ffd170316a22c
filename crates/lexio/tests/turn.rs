//! Turns, tricks, refusals and settlements, by hand-made deals and hand-computed figures.

use evenhand_contract::{Border, BySeat, Cards, Game, Seat, Setup};
use evenhand_lexio::Lexio;
use evenhand_lexio::legal::Play;
use evenhand_lexio::state::{Carry, Deal, State};
use evenhand_lexio::tile::parse_tiles;

/// The first state of a hand-made deal; hands need not be full.
fn start(ruleset: &str, hands: &[&str], carry: Carry) -> State {
    let players = hands.len() as u8;
    let hands = BySeat::from_fn(players, |s| {
        parse_tiles("hand", hands[s.index()], players).expect("tiles")
    });
    let rules = ruleset.parse().expect("a ruleset");
    Lexio::start(&Setup { players, rules }, &Deal { hands }, &carry)
}

fn act(state: &mut State, seat: u8, text: &str) -> Result<(), String> {
    let play = Lexio::parse_decision(text).expect("a decision");
    Lexio::apply(state, Seat(seat), &play).map_err(|e| e.to_string())
}

/// Seats and decisions, all accepted.
fn moves(state: &mut State, list: &[(u8, &str)]) {
    for (seat, text) in list {
        assert_eq!(act(state, *seat, text), Ok(()), "{seat} {text}");
    }
}

const FOUR: [&str; 4] = [
    "3C 4C 5C 8D 8H 9S",
    "3D 6C 7C 8C 8S 2C",
    "3H 6D 7D 9C 9D 1C",
    "3S 6H 7H 10C 10D 10H",
];

#[test]
fn what_the_rules_forbid_is_refused_with_the_reason() {
    let mut state = start("default", &FOUR, Carry::default());
    let refusals: &[(u8, &str, &str)] = &[
        (1, "3D", "seat 1 is out of turn: seat 0 acts"),
        (0, "pass", "a pass on the lead: the leader must play a meld"),
        (0, "3D", "3D is not in the hand of seat 0"),
        (0, "3C 3D", "3D is not in the hand of seat 0"),
        (0, "3C 4C", "3C 4C is no meld"),
        (0, "3C 4C 5C", "3C 4C 5C is no meld"),
        (0, "3C 4C 5C 8H 8D", "3C 4C 5C 8H 8D is no meld"),
        (0, "14C", "tile id 44 is not in this deck"),
    ];
    for (seat, text, reason) in refusals {
        let before = state;
        let expected = format!("illegal decision: {reason}");
        assert_eq!(act(&mut state, *seat, text), Err(expected));
        assert_eq!(state, before);
    }
    moves(&mut state, &[(0, "8H 8D")]);
    let refusals: &[(u8, &str, &str)] = &[
        (0, "pass", "seat 0 is out of turn: seat 1 acts"),
        (1, "2C", "2C has 1 tiles, the field has 2"),
        (1, "8C", "8C has 1 tiles, the field has 2"),
    ];
    for (seat, text, reason) in refusals {
        assert_eq!(
            act(&mut state, *seat, text),
            Err(format!("illegal decision: {reason}"))
        );
    }
    // The pair with the higher suit wins: sun over moon.
    moves(&mut state, &[(1, "8C 8S"), (2, "9C 9D")]);
    assert_eq!(
        act(&mut state, 3, "3S 6H"),
        Err("illegal decision: 3S 6H is no meld".to_owned())
    );
    moves(&mut state, &[(3, "10C 10D")]);
    assert_eq!(
        act(&mut state, 0, "9S"),
        Err("illegal decision: 9S has 1 tiles, the field has 2".to_owned())
    );
    let stranger = Lexio::apply(&mut state, Seat(0), &Play(Cards::one(63)));
    assert!(stranger.is_err());
}

#[test]
fn a_weaker_or_equal_play_is_refused() {
    let mut state = start(
        "default",
        &["3C 5H 9C", "4C 5C 9D", "4D 6D 1C"],
        Carry::default(),
    );
    moves(&mut state, &[(0, "5H")]);
    for weaker in ["4C", "5C"] {
        assert_eq!(
            act(&mut state, 1, weaker),
            Err(format!("illegal decision: {weaker} does not beat 5H"))
        );
    }
    moves(&mut state, &[(1, "9D")]);
}

#[test]
fn a_pass_binds_one_turn_only_and_the_owner_leads_after_all_others_passed() {
    let mut state = start("default", &FOUR, Carry::default());
    moves(
        &mut state,
        &[
            (0, "3C"),
            (1, "pass"),
            (2, "6D"),
            (3, "pass"),
            (0, "pass"),
            (1, "7C"),
        ],
    );
    assert_eq!(state.field().map(|f| f.1), Some(Seat(1)));
    moves(&mut state, &[(2, "pass"), (3, "pass")]);
    assert!(state.field().is_some());
    moves(&mut state, &[(0, "pass")]);
    assert_eq!(state.field(), None);
    assert_eq!(state.to_act(), Some(Seat(1)));
    assert_eq!(Lexio::view(&state, Seat(1)).passes, 0);
    assert!(act(&mut state, 1, "pass").is_err());
    // A finisher's play ends the round at once, though somebody could beat it.
    let mut state = start("default", &["3C", "4C 2S", "4D 5D"], Carry::default());
    moves(&mut state, &[(0, "3C")]);
    assert_eq!((state.to_act(), state.winner()), (None, Some(Seat(0))));
    assert_eq!(
        act(&mut state, 1, "2S"),
        Err("illegal decision: the round is over".to_owned())
    );
}

#[test]
fn under_hard_pass_who_passed_is_out_until_the_trick_ends() {
    let mut state = start("pass=hard", &FOUR, Carry::default());
    moves(
        &mut state,
        &[(0, "3C"), (1, "pass"), (2, "6D"), (3, "pass")],
    );
    assert_eq!(Lexio::view(&state, Seat(0)).passed, 0b1010);
    assert_eq!(Lexio::view(&state, Seat(0)).passes, 1);
    // Seat 1 is skipped, seat 2 may answer.
    moves(&mut state, &[(0, "8H")]);
    assert_eq!(Lexio::view(&state, Seat(2)).passes, 0);
    assert_eq!(state.to_act(), Some(Seat(2)));
    moves(&mut state, &[(2, "9C"), (0, "9S"), (2, "pass")]);
    // All others are out: the trick ends and its owner leads, everybody is in again.
    assert_eq!(state.field(), None);
    assert_eq!(state.to_act(), Some(Seat(0)));
    assert_eq!(Lexio::view(&state, Seat(0)).passed, 0);
    moves(&mut state, &[(0, "4C"), (1, "6C")]);
}

#[test]
fn the_holder_of_cloud_3_leads_unless_the_winner_does() {
    let hands = ["4C 5C", "3C 6C", "7C 8C"];
    let won = Carry {
        winner: Some(Seat(2)),
    };
    for (ruleset, carry, leader) in [
        ("default", Carry::default(), 1),
        ("default", won, 1),
        ("lead=winner", Carry::default(), 1),
        ("lead=winner", won, 2),
    ] {
        let state = start(ruleset, &hands, carry);
        assert_eq!(state.to_act(), Some(Seat(leader)), "{ruleset}");
    }
}

/// Seat 0 goes out at once with its last tile; the others hold these.
fn settled(twos: &str, others: &[&str]) -> (Vec<i64>, State) {
    let mut hands = vec!["3C"];
    hands.extend(others);
    let mut state = start(&format!("twos={twos}"), &hands, Carry::default());
    moves(&mut state, &[(0, "3C")]);
    (Lexio::settlement(&state).as_slice().to_vec(), state)
}

#[test]
fn settlements_are_those_computed_by_hand() {
    // Five tiles with one two, three tiles without: e = 10 and 3, or 2 x 5 and 3.
    let one_two: &[&str] = &["4C 5C 6C 7C 2C", "4D 5D 6D"];
    // e = 20 and 3; doubled once: 10 and 3.
    let two_twos: &[&str] = &["4C 5C 6C 2D 2C", "4D 5D 6D"];
    // e = 4 and 4: equal effective counts, yet unequal tiles.
    let equal: &[&str] = &["4C 5C 6C 7C", "4D 2D"];
    let cases: &[(&str, &[&str], [i64; 3])] = &[
        ("effective", one_two, [13, 13 - 30, 13 - 9]),
        ("flat_double", one_two, [13, 13 - 30, 13 - 9]),
        // Seat 1 pays 5 x 2 to seat 0 and 2 x 2 to seat 2; seat 2 pays 3 to seat 0.
        ("payer_multiplier", one_two, [13, -14, 1]),
        ("effective", two_twos, [23, 23 - 60, 23 - 9]),
        ("flat_double", two_twos, [13, 13 - 30, 13 - 9]),
        // 5 x 4 to seat 0, 2 x 4 to seat 2; 3 to seat 0.
        ("payer_multiplier", two_twos, [23, -28, 5]),
        ("effective", equal, [8, -4, -4]),
        ("flat_double", equal, [8, -4, -4]),
        // 4 to seat 0, 2 to seat 2 (no two of its own); seat 2 pays 2 x 2.
        ("payer_multiplier", equal, [8, -6, -2]),
    ];
    for (twos, others, expected) in cases {
        let (net, _) = settled(twos, others);
        assert_eq!(net, expected, "{twos} {others:?}");
    }
}

#[test]
fn metrics_are_per_seat_of_the_finished_round() {
    let names: Vec<&str> = Lexio::METRICS.iter().map(|m| m.name).collect();
    assert_eq!(names, ["effective_count", "ended_with_two", "plays", "won"]);
    let (_, state) = settled("effective", &["4C 5C 2C", "4D 5D"]);
    for (seat, expected) in [(0, [0, 0, 1, 1]), (1, [6, 1, 0, 0]), (2, [2, 0, 0, 0])] {
        let mut sums = [0; 4];
        Lexio::metrics(&state, Seat(seat), &mut sums);
        Lexio::metrics(&state, Seat(seat), &mut sums);
        assert_eq!(sums, expected.map(|x| 2 * x), "seat {seat}");
    }
}
