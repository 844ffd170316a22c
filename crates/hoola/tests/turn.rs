//! Turns, windows and ends that the page words and the cases leave out.

use evenhand_contract::{BySeat, Game, Seat, Stream};
use evenhand_hoola::card::{parse_card_list, parse_cards};
use evenhand_hoola::meld::{Meld, classify};
use evenhand_hoola::moves::{Decision, Stop};
use evenhand_hoola::question::{DeckThird, Question};
use evenhand_hoola::settle::Payer;
use evenhand_hoola::state::{End, Position, State};
use evenhand_hoola::{Hoola, Phase};

/// A position: hands with `*` before those of registered seats; discards by the seat before `turn`.
fn position(rules: &str, hands: &[&str], deck: &str, pile: &str, turn: u8) -> Position {
    let n = hands.len() as u8;
    let registered = BySeat::from_fn(n, |s| hands[s.index()].starts_with('*'));
    let hands = BySeat::from_fn(n, |s| {
        parse_cards("hand", hands[s.index()].trim_start_matches('*')).expect("cards")
    });
    Position {
        rules: rules.parse().expect("a ruleset"),
        hands,
        registered,
        melds: Vec::new(),
        pile: parse_card_list("discards", pile).expect("cards"),
        discarder: Some(Seat((turn + n - 1) % n)),
        deck: parse_card_list("deck", deck).expect("cards"),
        turn: Seat(turn),
    }
}

fn state(rules: &str, hands: &[&str], deck: &str, pile: &str, turn: u8) -> State {
    State::set_up(&position(rules, hands, deck, pile, turn)).expect("a position")
}

fn play(state: &mut State, seat: u8, text: &str) {
    let decision = Decision::parse(text).expect("a decision");
    if let Err(illegal) = state.apply(Seat(seat), decision) {
        panic!("{text} of seat {seat}: {illegal}");
    }
}

fn ended(state: &State) -> (End, u8, Vec<i64>) {
    let result = state.result().expect("over");
    (
        result.end,
        result.winner.0,
        state.settlement().as_slice().to_vec(),
    )
}

#[test]
fn windows_ask_in_order_and_stop_at_the_first_yes() {
    // Seat 0 discarded 6C; seats 1 and 3 can claim, seat 2 cannot.
    let hands = ["*KC", "4C 5C", "KD", "6D 6H"];
    let start = state("default", &hands, "9C", "8S 6C", 1);
    assert_eq!(
        (start.to_act(), start.phase()),
        (Some(Seat(1)), Phase::Window)
    );
    let mut declined = start;
    play(&mut declined, 1, "decline");
    assert_eq!(declined.to_act(), Some(Seat(3)));
    // What seat 3 sees does not tell whether seat 1 was asked.
    let hands = ["*KC", "4C QC", "KD", "6D 6H"];
    let unasked = state("default", &hands, "9C", "8S 6C", 1);
    assert_eq!(unasked.to_act(), Some(Seat(3)));
    assert_eq!(declined.view(Seat(3)), unasked.view(Seat(3)));
    // Nor does what seat 2 sees at any time.
    assert_eq!(start.view(Seat(2)), declined.view(Seat(2)));
    let mut over = declined;
    play(&mut over, 3, "decline");
    assert_eq!((over.to_act(), over.phase()), (Some(Seat(1)), Phase::Start));
    assert_eq!(declined.view(Seat(2)), over.view(Seat(2)));

    play(&mut declined, 3, "thank_you 6C 6D 6H");
    assert_eq!(ended(&declined).0, End::Out);
    let mut claimed = start;
    play(&mut claimed, 1, "thank_you 4C 5C 6C");
    assert_eq!(ended(&claimed).1, 1);
}

#[test]
fn the_turn_goes_on_behind_the_claimer() {
    let hands = ["*KC AC", "KD 2D", "4C 5C QH", "9D 10D"];
    let mut state = state("default", &hands, "JC JD", "8S 6C", 1);
    assert_eq!(state.to_act(), Some(Seat(2)));
    play(&mut state, 2, "thank_you 4C 5C 6C");
    assert_eq!(
        (state.to_act(), state.phase()),
        (Some(Seat(2)), Phase::Play)
    );
    let view = state.view(Seat(2));
    assert!(view.thank_you && !view.registered_before && view.registered[Seat(2)]);
    assert_eq!(view.turns.as_slice(), [0, 0, 1, 0]);
    play(&mut state, 2, "discard QH");
    // An unregistered hand emptied in a thank-you turn is no hoola.
    assert_eq!(ended(&state).0, End::Out);
}

#[test]
fn skipped_seats_lose_that_turn_and_the_card_below_is_not_offered() {
    // 8S lies below 6C; seat 3 could claim 8S, but it is not the top card when it is discarded.
    let hands = ["*KC AC", "KD 2D", "4C 5C QH 2H", "8D 8H"];
    let mut state = state("default", &hands, "JC JD", "8S 6C", 1);
    play(&mut state, 2, "thank_you 4C 5C 6C");
    assert_eq!(state.pile().ids().len(), 1);
    play(&mut state, 2, "discard QH");
    assert_eq!(
        (state.to_act(), state.phase()),
        (Some(Seat(3)), Phase::Start)
    );
}

#[test]
fn a_seven_can_be_claimed_alone_by_everybody_but_its_discarder() {
    let hands = ["*KC", "QD KD", "9C 2C", "9D 3D"];
    let mut state = state("default", &hands, "JC", "8S 7C", 1);
    for seat in 1..4 {
        assert_eq!(state.to_act(), Some(Seat(seat)));
        let view = state.view(Seat(seat));
        let legal: Vec<String> = view.options.iter().map(|d| d.to_string()).collect();
        assert_eq!(legal, ["thank_you 7C", "decline"]);
        play(&mut state, seat, "decline");
    }
    assert_eq!(
        (state.to_act(), state.phase()),
        (Some(Seat(1)), Phase::Start)
    );
}

#[test]
fn the_window_of_the_deal_asks_the_start_seat_first_and_everybody() {
    let mut position = position("default", &["KC 2C", "QD KD", "9C 3C"], "JC", "7C", 1);
    position.discarder = None;
    let mut state = State::set_up(&position).expect("a position");
    for seat in [1, 2, 0] {
        assert_eq!(state.to_act(), Some(Seat(seat)));
        play(&mut state, seat, "decline");
    }
    assert_eq!(
        (state.to_act(), state.phase()),
        (Some(Seat(1)), Phase::Start)
    );
}

#[test]
fn the_discarder_pays_for_a_claim_that_goes_out_where_that_is_played() {
    let hands = ["*KC 7D", "QD KD", "4C 5C"];
    for (rules, points) in [
        ("default", [-2, -4, 6]),
        ("thank_you_penalty=on", [-6, 0, 6]),
    ] {
        let mut state = state(rules, &hands, "JC", "8S 6C", 1);
        play(&mut state, 2, "thank_you 4C 5C 6C");
        assert_eq!(ended(&state), (End::Out, 2, points.to_vec()));
    }
    // Not in the window of the deal, and not when the claimer goes out in a later turn.
    let mut position = position("thank_you_penalty=on", &hands, "JC", "6C", 1);
    position.discarder = None;
    let mut state = State::set_up(&position).expect("a position");
    play(&mut state, 2, "thank_you 4C 5C 6C");
    assert_eq!(ended(&state), (End::Out, 2, vec![-2, -4, 6]));
}

#[test]
fn a_claimer_that_goes_out_a_turn_later_is_paid_by_all() {
    let hands = ["*KC AC", "*KD 2D", "4C 5C QH 9H"];
    let mut state = state("thank_you_penalty=on", &hands, "3H JC 10H", "8S 6C", 1);
    play(&mut state, 2, "thank_you 4C 5C 6C");
    play(&mut state, 2, "discard QH");
    play(&mut state, 0, "draw");
    play(&mut state, 0, "discard KC");
    play(&mut state, 1, "draw");
    play(&mut state, 1, "discard KD");
    play(&mut state, 2, "draw");
    play(&mut state, 2, "discard 10H");
    assert_eq!(state.to_act(), Some(Seat(0)));
    play(&mut state, 0, "draw");
    assert_eq!(state.result().map(|r| r.payer), Some(Payer::Each));
}

#[test]
fn certain_stops_win_four_times() {
    let others = ["*KD", "QD KH"];
    let with = |rules: &str, hand: &str| state(rules, &[hand, others[0], others[1]], "3C", "8S", 0);
    for (rules, hand, stop, end) in [
        (
            "default",
            "7C 7D 7H 7S AC AD AH",
            "four_sevens",
            End::FourSevens,
        ),
        ("default", "AC AD AH 2C 2D 3H 10H", "low", End::Low),
        ("default", "10C JC JD QC 10D QH KS", "high", End::High),
    ] {
        let mut state = with(rules, hand);
        play(&mut state, 0, &format!("stop {stop}"));
        // The registered loser takes rung 1, the other the bottom rung 2, doubled.
        assert_eq!(ended(&state), (end, 0, vec![20, -4, -16]));
    }
    let stops = |rules: &str, hand: &str| {
        let stops = with(rules, hand).view(Seat(0)).options.stops;
        stops.iter().map(Stop::name).collect::<Vec<_>>()
    };
    // Sums 20 and 18, 78 and 80.
    assert_eq!(stops("default", "AC AD AH 2C 2D 3H 10H"), ["low"]);
    assert!(stops("stops=standard", "AC AD AH 2C 2D 3H 10H").is_empty());
    assert_eq!(stops("stops=standard", "AC AD AH 2C 2D 3H 8H"), ["low"]);
    assert_eq!(stops("default", "10C JC JD QC QH KS 9S"), ["high"]);
    assert!(stops("stops=standard", "10C JC JD QC QH KS 9S").is_empty());
    assert_eq!(stops("stops=standard", "10C JC JD QC QH KS JS"), ["high"]);
    // Off for other hand sizes, but for the four 7s.
    assert!(stops("hand_size=10", "AC AD AH 2C 2D 3H 10H").is_empty());
    assert!(stops("hand_size=10", "10C JC JD QC QH KS 9S").is_empty());
    assert_eq!(
        stops("hand_size=10", "7C 7D 7H 7S AC AD AH"),
        ["four_sevens"]
    );
    // The plain line, registered only.
    assert_eq!(stops("default", "*7C 8D"), ["plain"]);
    assert!(stops("stops=standard", "*7C 8D").is_empty());
    assert_eq!(stops("stops=standard", "*7C 3D"), ["plain"]);
}

#[test]
fn an_empty_deck_goes_to_the_lowest() {
    let end = |hands: &[&str], turn: u8| {
        let mut state = state("default", hands, "", "8S", turn);
        play(&mut state, turn, "draw");
        ended(&state)
    };
    // Nobody registered: the lowest of all.
    assert_eq!(
        end(&["KC", "2D", "3D"], 0),
        (End::DeckEmpty, 1, vec![-4, 8, -4])
    );
    // Equal sums: fewer cards; then the nearest from the seat that was due, itself included.
    assert_eq!(end(&["*2C 3C", "*5D", "*KD"], 0).1, 1);
    assert_eq!(end(&["*5C", "*5D", "*KD"], 0).1, 0);
    assert_eq!(end(&["*5C", "*5D", "*KD"], 1).1, 1);
    assert_eq!(end(&["*5C", "*5D", "*KD"], 2).1, 0);
}

#[test]
fn the_last_discard_is_still_offered_on_an_empty_deck() {
    let hands = ["*KC QC", "4C 5C", "*KD"];
    let mut state = state("default", &hands, "", "8S 6C", 1);
    assert_eq!(
        (state.to_act(), state.phase()),
        (Some(Seat(1)), Phase::Window)
    );
    play(&mut state, 1, "decline");
    assert_eq!(state.phase(), Phase::Start);
    play(&mut state, 1, "draw");
    assert_eq!(ended(&state).0, End::DeckEmpty);
}

#[test]
fn going_out_by_register_and_by_discard() {
    // Registered when the turn began: going out pays once.
    let mut out = state("default", &["*9C 9D", "KD"], "9H", "8S", 0);
    play(&mut out, 0, "draw");
    play(&mut out, 0, "register 9C 9D 9H");
    assert_eq!(ended(&out), (End::Out, 0, vec![2, -2]));
    // Unregistered when it began: hoola, by the register itself as well.
    let mut hoola = state("default", &["9C 9D", "KD"], "9H", "8S", 0);
    play(&mut hoola, 0, "draw");
    play(&mut hoola, 0, "register 9C 9D 9H");
    assert_eq!(ended(&hoola), (End::Hoola, 0, vec![4, -4]));
}

#[test]
fn questions_are_settled_by_play_or_by_the_end() {
    let hands = ["*KC AC", "*4C 5C", "*KD 2D"];
    let mut state = state("default", &hands, "JC JD QD", "8S 9S", 0);
    let claimed = Question::Claimed { card: 20 };
    play(&mut state, 0, "draw");
    let asked = |card| Question::Claimed { card };
    let king = parse_cards("card", "KC")
        .expect("a card")
        .lowest()
        .expect("one");
    let out = Question::OpponentOut {
        turns: state.turns()[Seat(0)],
    };
    assert_eq!(state.resolve(Seat(0), &asked(king)), None);
    assert_eq!(state.resolve(Seat(0), &out), None);
    assert_eq!(
        state.resolve(Seat(0), &claimed),
        Some(false),
        "6C lies unseen"
    );
    let wins = Question::PlainWins {
        third: DeckThird::Last,
    };
    assert_eq!(state.resolve(Seat(1), &wins), Some(true));
    assert_eq!(state.resolve(Seat(0), &wins), Some(false));
    let above = |sum| Question::SumAbove { seat: Seat(1), sum };
    assert_eq!(state.resolve(Seat(0), &above(8)), Some(true));
    assert_eq!(state.resolve(Seat(0), &above(9)), Some(false));
    play(&mut state, 0, "discard KC");
    assert_eq!(
        state.resolve(Seat(0), &asked(king)),
        Some(false),
        "nobody can claim"
    );
    assert_eq!(state.resolve(Seat(0), &out), None);
    play(&mut state, 1, "draw");
    play(&mut state, 1, "discard JD");
    play(&mut state, 2, "draw");
    play(&mut state, 2, "discard KD");
    assert_eq!(state.to_act(), Some(Seat(0)));
    assert_eq!(
        state.resolve(Seat(0), &out),
        Some(false),
        "the next turn has come"
    );
    let out = Question::OpponentOut {
        turns: state.turns()[Seat(1)],
    };
    assert_eq!(state.resolve(Seat(1), &out), None);
    play(&mut state, 0, "draw");
    assert_eq!(state.result().map(|r| r.end), Some(End::DeckEmpty));
    assert_eq!(state.resolve(Seat(1), &out), Some(false));
}

#[test]
fn a_claim_answers_its_questions() {
    let hands = ["*6C KC", "KD 2D", "4C 5C"];
    let mut state = state("default", &hands, "JC JD", "8S 9S", 0);
    play(&mut state, 0, "draw");
    let six = parse_cards("card", "6C")
        .expect("a card")
        .lowest()
        .expect("one");
    let claimed = Question::Claimed { card: six };
    let out = Question::OpponentOut {
        turns: state.turns()[Seat(0)],
    };
    assert_eq!(state.resolve(Seat(0), &claimed), None);
    play(&mut state, 0, "discard 6C");
    assert_eq!(state.resolve(Seat(0), &claimed), None, "the window is open");
    play(&mut state, 2, "thank_you 4C 5C 6C");
    assert_eq!(state.resolve(Seat(0), &claimed), Some(true));
    assert_eq!(state.resolve(Seat(0), &out), Some(true));
    assert_eq!(
        state.resolve(Seat(2), &out),
        Some(false),
        "the winner asks of others"
    );
}

#[test]
fn the_winner_starts_the_next_round() {
    let setup = evenhand_contract::Setup::<Hoola> {
        players: 4,
        rules: Default::default(),
    };
    let mut stream = Stream::keyed("hoola-carry", &[]);
    let deal = Hoola::deal(&setup, &mut stream);
    for winner in Seat::all(4) {
        let carry = evenhand_hoola::deal::Carry {
            winner: Some(winner),
        };
        assert_eq!(Hoola::start(&setup, &deal, &carry).starter(), winner);
    }
    let first = Hoola::start(&setup, &deal, &Default::default());
    assert_eq!(first.starter(), deal.start);
}

#[test]
fn a_position_that_cannot_be_is_refused() {
    let right = position("default", &["*KC", "*KD"], "JC", "8S", 0);
    assert!(State::set_up(&right).is_ok());
    let with = |change: &dyn Fn(&mut Position)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        State::set_up(&wrong).map(|_| ())
    };
    assert!(with(&|p| p.deck.push(p.pile[0])).is_err());
    assert!(with(&|p| p.hands[Seat(0)] = p.hands[Seat(1)]).is_err());
    assert!(with(&|p| p.hands[Seat(0)] = Default::default()).is_err());
    assert!(with(&|p| p.turn = Seat(2)).is_err());
    assert!(with(&|p| p.discarder = Some(Seat(2))).is_err());
    let cards = parse_cards("meld", "2C 3C 4C").expect("cards");
    let meld = Meld::new(classify(cards).expect("a run"), cards, Seat(0));
    assert!(with(&|p| p.melds.push(meld)).is_ok());
    assert!(with(&|p| p.melds = vec![meld, meld]).is_err());
    assert!(with(&|p| p.pile.clear()).is_ok());
}
