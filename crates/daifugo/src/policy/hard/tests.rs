use super::*;
use crate::SeatList;
use crate::card::{DECK, cards_text, parse_cards};
use crate::rules::Rules;
use crate::tribute::Exchange;
use evenhand_contract::{BySeat, Game, Policy, Seat, TraceLevel, find_policy};

fn cards(text: &str) -> Cards {
    parse_cards("cards", text).expect("cards")
}

/// The lead of seat 0 of four, with these cards hidden and all others played by seat 2.
fn lead(hand: &str, hidden: Cards, counts: [u8; 3]) -> View {
    let hand = cards(hand);
    let counts = [hand.len() as u8, counts[0], counts[1], counts[2]];
    let mut played = BySeat::new(4);
    played[Seat(2)] = DECK - hand - hidden;
    View {
        players: 4,
        rules: Rules::default(),
        seat: Seat(0),
        round: 1,
        hand,
        counts: BySeat::from_fn(4, |seat| counts[seat.index()]),
        field: None,
        field_owner: None,
        revolution: false,
        played,
        passed: 0,
        normal: SeatList::default(),
        fouls: SeatList::default(),
        fallen: None,
        previous: None,
        due: 0,
        exchange: None,
    }
}

/// Everything but these is hidden.
fn all_but(hand: &str, played: &str) -> Cards {
    DECK - cards(hand) - cards(played)
}

fn on(mut view: View, field: &str) -> View {
    view.field = Play::set(cards(field));
    view.field_owner = Some(Seat(3));
    view
}

fn decide(view: &View, weights: &[(&str, i64)], stages_off: u32) -> (Decision, &'static str) {
    let mut policy = Policy::<Daifugo>::defaults(find_policy("hard").expect("a row"));
    policy.stages_off = stages_off;
    for (name, value) in weights {
        let place = knobs::KNOBS
            .iter()
            .position(|k| k.name == *name)
            .expect("a knob");
        policy.weights = policy
            .weights
            .with(knobs::KNOBS, place, *value)
            .expect("in bounds");
    }
    let mut trace = Trace::new(TraceLevel::Full);
    let mut work = Work::units(Daifugo::WORK_LIMIT);
    let outcome =
        evenhand_contract::decide(&policy, view, &mut Memo::default(), &mut work, &mut trace)
            .expect("a decision");
    assert_eq!(outcome.fallback, None);
    (outcome.decision, trace.decided_by())
}

fn text(decision: Decision) -> String {
    match decision {
        Decision::Pass => "pass".to_owned(),
        other => cards_text(other.cards()),
    }
}

#[test]
fn a_strong_pair_goes_before_the_king_that_may_end() {
    let hand = "KS 2H *1";
    let view = lead(hand, all_but(hand, ""), [17, 17, 17]);
    let (decision, stage) = decide(&view, &[], 0);
    assert_eq!((text(decision).as_str(), stage), ("2H *1", "line"));
    // The king would leave nothing that finishes normally: the guard alone finds it as well.
    let (decision, _) = decide(&view, &[], LINE);
    assert_eq!(text(decision), "2H *1");
    let (decision, _) = decide(&view, &[], LINE | GUARD | SCORE);
    assert_eq!(text(decision), "KS", "which easy leads");
}

#[test]
fn eights_then_twos_then_the_king() {
    let hand = "8C 8D 2C 2D 2H KC";
    // A joker and the last 2 make a pair; two jokers beat no set of three.
    let mut view = lead(hand, all_but(hand, ""), [12, 12, 12]);
    let mut said = Vec::new();
    while !view.hand.is_empty() {
        let (decision, stage) = decide(&view, &[], 0);
        said.push((text(decision), stage));
        let cards = decision.cards();
        view.hand -= cards;
        view.played[Seat(0)] |= cards;
        view.counts[Seat(0)] -= cards.len() as u8;
    }
    let expected = [("8C 8D", "line"), ("2C 2D 2H", "line"), ("KC", "finish")];
    assert_eq!(
        said,
        expected.map(|(cards, stage)| (cards.to_owned(), stage))
    );
}

#[test]
fn no_line_where_an_answer_may_be_hidden() {
    // A joker with the last 2 and the other joker beat three twos in no way, but three aces.
    let hand = "AC AD AH KC";
    let hidden = |without: &str| all_but(hand, without);
    let may = lead(hand, hidden(""), [12, 12, 12]);
    assert_ne!(decide(&may, &[], 0).1, "line");
    let may_not = lead(hand, hidden("2C 2D *1 *2"), [12, 12, 12]);
    let (decision, stage) = decide(&may_not, &[], 0);
    assert_eq!((text(decision).as_str(), stage), ("AC AD AH", "line"));
    // Two cards in every other hand beat no set of three.
    let few = lead(hand, cards("2C 2D 2H 2S *1 *2 3C 3D"), [2, 2, 2]);
    assert_eq!(decide(&few, &[], 0).1, "line");
}

#[test]
fn twos_are_kept_from_a_ten() {
    let hand = "3C 3D 4C 5C 5D 6H 7H 9D 2S 2H";
    let view = on(lead(hand, all_but(hand, "10C"), [10, 10, 10]), "10C");
    let (decision, stage) = decide(&view, &[], 0);
    assert_eq!((decision, stage), (Decision::Pass, "score"));
}

#[test]
fn a_seat_with_one_card_is_blocked() {
    let hand = "4C 5C 5D 6H 7H 10D QS AS";
    // Most of what is hidden beats a 9; only twos and jokers, which would be fouls, beat an ace.
    let hidden = cards("10C 10H JC JD QC QD QH KC KD KH AC 2C 2D *1 4D 4H 5H");
    let view = on(lead(hand, hidden, [1, 7, 7]), "9C");
    let (decision, stage) = decide(&view, &[], 0);
    assert_eq!((text(decision).as_str(), stage), ("AS", "block"));
    assert_ne!(decide(&view, &[], BLOCK).1, "block");
    // A seat that passed cannot finish, and one with two cards neither.
    let mut passed = view;
    passed.passed = 1 << 1;
    assert_ne!(decide(&passed, &[], 0).1, "block");
    let two = on(lead(hand, hidden, [2, 7, 6]), "9C");
    assert_ne!(decide(&two, &[], 0).1, "block");
}

#[test]
fn a_pair_is_kept_from_the_tribute() {
    let mut view = lead(
        "3C 3D 4H 5S 9C 9D 10H QC QD KS AS 2C 2D",
        DECK,
        [13, 13, 13],
    );
    view.played = BySeat::new(4);
    view.due = 2;
    let (decision, stage) = decide(&view, &[], 0);
    assert_eq!(
        (decision, stage),
        (Decision::Return(cards("4H 5S")), "return")
    );
    view.due = 1;
    let (decision, _) = decide(&view, &[], 0);
    assert_eq!(
        decision,
        Decision::Return(cards("4H")),
        "of equals the weakest"
    );
}

#[test]
fn passing_comes_before_a_foul() {
    // Nothing finishes normally any more; whoever stays in the round comes before whoever fouls.
    let view = on(lead("2H", all_but("2H", "10C"), [5, 5, 5]), "10C");
    let (decision, stage) = decide(&view, &[], 0);
    assert_eq!((decision, stage), (Decision::Pass, "guard"));
    // With a normal end left, the play that would take it away is passed over.
    let view = on(lead("KS 2H", all_but("KS 2H", "10C"), [5, 5, 5]), "10C");
    let (decision, _) = decide(&view, &[], 0);
    assert_ne!(text(decision), "KS");
}

#[test]
fn the_best_of_the_score_is_by_margin_better_than_easy() {
    let hand = "3C 3D 4C 5C 5D 6H 7H 9D 2S 2H";
    let view = on(lead(hand, all_but(hand, "10C"), [10, 10, 10]), "10C");
    let (decision, stage) = decide(&view, &[("Margin", 2000)], 0);
    assert_eq!((text(decision).as_str(), stage), ("2H", "score"), "as easy");
    assert_eq!(decide(&view, &[], SCORE), (decision, "easy"));
}

#[test]
fn a_last_play_with_a_two_is_no_finish_but_in_a_revolution() {
    let mut view = lead("2H", all_but("2H", ""), [5, 5, 5]);
    view.revolution = true;
    assert_eq!(decide(&view, &[], 0).1, "finish");
    view.hand = cards("3H");
    assert_ne!(decide(&view, &[], 0).1, "finish");
}

#[test]
fn what_the_worse_place_gave_bounds_what_it_may_beat() {
    // The partner gave its best cards, a 9 and a 10, and got two threes back: no queen is beaten.
    let hand = "QC QD KC 9C 10C";
    let mut view = lead(hand, all_but(hand, "JC"), [11, 11, 11]);
    let queen = Play::set(cards("QC")).expect("a set");
    let risk = |view: &View| {
        let holders = Holders::of(view, &Ledger::of(view));
        let asked = |seat| holders.raw(Seat(seat), &queen, false, &mut OddsMemo::default());
        [asked(1), asked(2)]
    };
    let before = risk(&view);
    assert!(before[0] > 900_000 && before[0] == before[1], "{before:?}");
    view.exchange = Some(Exchange {
        partner: Seat(2),
        low: false,
        given: cards("3C 3D"),
        received: cards("9C 10C"),
    });
    let after = risk(&view);
    assert_eq!(after[1], 0);
    assert!(after[0] > 900_000);
}
