//! Laws and fixed positions of the policy hard.

use evenhand_contract::{
    BySeat, Cards, Choices, Estimates, Game, Policy, Prediction, Seat, SeedId, Setup, Split,
    Stream, Trace, TraceLevel, Weights, Work, decide, find_policy,
};
use evenhand_hoola::card::parse_cards;
use evenhand_hoola::meld::{Kind, Meld};
use evenhand_hoola::moves::{Decision, Stop};
use evenhand_hoola::question::Question;
use evenhand_hoola::rules::Rules;
use evenhand_hoola::state::{Position, State};
use evenhand_hoola::{Hoola, Memo, Phase, View};

fn policy(name: &str) -> Policy<Hoola> {
    Policy::defaults(find_policy(name).expect("a policy of the table"))
}

fn without(stage: &str) -> Policy<Hoola> {
    let mut hard = policy("hard");
    let place = hard.row.stages.iter().position(|name| *name == stage);
    hard.stages_off = 1 << place.expect("a stage");
    hard
}

fn cards(text: &str) -> Cards {
    parse_cards("cards", text).expect("cards")
}

fn ask(policy: &Policy<Hoola>, view: &View) -> (Decision, Trace<Decision, Question>) {
    let mut trace = Trace::new(TraceLevel::Full);
    let mut work = Work::units(Hoola::WORK_LIMIT);
    let outcome = decide(policy, view, &mut Memo::default(), &mut work, &mut trace);
    let outcome = outcome.expect("a decision of the position");
    assert_eq!(outcome.fallback, None);
    (outcome.decision, trace)
}

/// A position with seat 0 to begin a turn, or to be asked about `top`; the deck holds `deck` of the
/// cards that lie nowhere, and the rest is on the pile.
struct Scene<'a> {
    hands: &'a [&'a str],
    registered: &'a [bool],
    melds: &'a [(Kind, &'a str)],
    top: Option<&'a str>,
    deck: usize,
}

impl Scene<'_> {
    fn state(&self) -> State {
        let players = self.hands.len() as u8;
        let melds = (self.melds.iter()).map(|&(kind, text)| Meld::new(kind, cards(text), Seat(1)));
        let melds: Vec<Meld> = melds.collect();
        let mut rest = evenhand_hoola::card::DECK;
        for hand in self.hands {
            rest -= cards(hand);
        }
        for meld in &melds {
            rest -= meld.cards();
        }
        let top = self.top.map(cards).unwrap_or(Cards::EMPTY);
        rest -= top;
        let mut rest: Vec<u8> = rest.iter().collect();
        // Every other card, so that the deck is no end of the ranks.
        rest.sort_by_key(|id| (id * 7) % 52);
        let deck = rest.split_off(rest.len().saturating_sub(self.deck));
        let mut pile = if self.top.is_some() { rest } else { vec![] };
        pile.extend(top.iter());
        let position = Position {
            rules: Rules::default(),
            hands: BySeat::from_fn(players, |seat| cards(self.hands[seat.index()])),
            registered: BySeat::from_fn(players, |seat| self.registered[seat.index()]),
            melds,
            pile,
            discarder: self.top.map(|_| Seat(players - 1)),
            deck,
            turn: Seat(0),
        };
        State::set_up(&position).expect("a position")
    }

    /// Seat 0's view at the beginning, or in the window.
    fn view(&self) -> View {
        let state = self.state();
        assert_eq!(Hoola::to_act(&state), Some(Seat(0)));
        Hoola::view(&state, Seat(0))
    }

    /// Seat 0's view after it drew this card.
    fn drawn(&self, card: &str) -> View {
        let mut state = self.state();
        Hoola::apply(&mut state, Seat(0), &Decision::Draw).expect("a draw");
        let mut view = Hoola::view(&state, Seat(0));
        assert_eq!(view.hand.len(), cards(self.hands[0]).len() + 1);
        let hand = cards(self.hands[0]) | cards(card);
        view.hand = hand;
        view.options =
            evenhand_hoola::legal::Options::play(hand, &view.table, view.registered[Seat(0)]);
        view
    }
}

const RUN: (Kind, &str) = (Kind::Run, "9D 10D JD");

#[test]
fn certain_stops_are_declared_whenever_they_are_legal() {
    for (hand, stop) in [
        ("AC 2D 3H 2S 4C 3S 4D", Stop::Low),
        ("KC QD KH QS JC JS 10H", Stop::High),
        ("7C 7D 7H 7S 2C KD 9H", Stop::FourSevens),
    ] {
        let scene = Scene {
            hands: &[hand, "5C 5D", "8C 8D"],
            registered: &[false, true, true],
            melds: &[RUN],
            top: None,
            deck: 20,
        };
        let (decision, trace) = ask(&policy("hard"), &scene.view());
        assert_eq!(decision, Decision::Stop(stop), "{hand}");
        assert_eq!(trace.decided_by(), "certain_stop");
        assert_eq!(ask(&policy("eager"), &scene.view()).0, Decision::Stop(stop));
        let (held, _) = ask(&without("certain_stop"), &scene.view());
        assert_eq!(held, Decision::Draw);
    }
}

#[test]
fn a_plain_stop_is_declared_where_it_pays_and_not_where_waiting_is_free() {
    let scene = |deck, theirs| {
        Scene {
            hands: &["AC 2D", theirs, "KC KH QS JC 9H 8S"],
            registered: &[true, true, true],
            melds: &[RUN],
            top: None,
            deck,
        }
        .view()
    };
    let many = "KD QC JS 10H 9C 8H";
    let (decision, trace) = ask(&policy("hard"), &scene(20, many));
    assert_eq!(decision, Decision::Stop(Stop::Plain));
    assert_eq!(trace.decided_by(), "plain_stop");
    let asked: Vec<_> = trace
        .predictions
        .iter()
        .map(|p| Hoola::kind(&p.question))
        .collect();
    assert_eq!(
        asked.len(),
        4,
        "the stop, who goes out first, and each opponent's sum: {asked:?}"
    );
    assert_eq!(
        ask(&policy("greedy"), &scene(20, many)).0,
        Decision::Stop(Stop::Plain)
    );
    assert_eq!(
        ask(&without("plain_stop"), &scene(20, many)).0,
        Decision::Draw
    );
    // The last draw: the lowest registered sum wins in the end without a penalty.
    assert_eq!(ask(&policy("hard"), &scene(0, many)).0, Decision::Draw);
    // Each opponent holds a single card: likely a low one.
    let few = Scene {
        hands: &["AC 2D 6H 5C", "AD", "AH"],
        registered: &[true, true, true],
        melds: &[RUN],
        top: None,
        deck: 20,
    };
    let (held, trace) = ask(&policy("hard"), &few.view());
    assert_eq!(held, Decision::Draw, "{:?}", trace.predictions);
}

/// Waiting for one turn, after which the round is taken to end as the cards lie, overrates waiting:
/// on the way to the end of play there are stops that only the longer wait finds worth it, and none
/// the other way round.
#[test]
fn a_longer_wait_declares_stops_that_one_turn_of_waiting_never_would() {
    let (mut both, mut long_only, mut short_only) = (0, 0, 0);
    for players in [2, 4] {
        positions(players, "default", 300, |_, _, view, decision| {
            if view.options.stops.has(Stop::Plain) {
                let (short, _) = ask(&without("long_wait"), view);
                let declared = |decision| decision == Decision::Stop(Stop::Plain);
                match (declared(decision), declared(short)) {
                    (true, true) => both += 1,
                    (true, false) => long_only += 1,
                    (false, true) => short_only += 1,
                    (false, false) => {}
                }
            }
        });
    }
    println!("declared after either wait {both}, after the longer one only {long_only}");
    assert!(
        both > 50 && long_only > 20 && short_only == 0,
        "{both} {long_only} {short_only}"
    );
}

#[test]
fn a_hand_that_can_be_emptied_is() {
    let scene = Scene {
        hands: &["8D QD 3S", "KC KH", "QC QH"],
        registered: &[true, true, true],
        melds: &[RUN],
        top: None,
        deck: 20,
    };
    let mut view = scene.drawn("7C");
    let mut moves = 0;
    loop {
        let (decision, trace) = ask(&policy("hard"), &view);
        assert_eq!(trace.decided_by(), "out");
        let mut board = view.board();
        board.play(&decision).expect("a legal move");
        moves += 1;
        if board.hand.is_empty() {
            break;
        }
        view.hand = board.hand;
        view.table = board.table;
        view.options = evenhand_hoola::legal::Options::play(board.hand, &board.table, true);
    }
    assert!((2..=4).contains(&moves), "{moves}");
}

#[test]
fn a_claim_that_empties_the_hand_is_made() {
    let scene = Scene {
        hands: &["5C 6C KD", "KC KH 9S", "QC QH 8S"],
        registered: &[false, true, true],
        melds: &[RUN],
        top: Some("4C"),
        deck: 15,
    };
    let (decision, _) = ask(&policy("hard"), &scene.view());
    assert_eq!(decision, Decision::Claim(cards("4C 5C 6C")));
    assert_eq!(
        ask(&without("thank_you"), &scene.view()).0,
        Decision::Decline
    );
    assert_eq!(ask(&policy("easy"), &scene.view()).0, Decision::Decline);
}

#[test]
fn pairs_are_kept_and_loose_cards_go() {
    let scene = Scene {
        hands: &["4C 4D 9C 10C 2H KS QH", "KC KH 9S", "QC 6H 8S"],
        registered: &[false, true, true],
        melds: &[RUN],
        top: None,
        deck: 25,
    };
    let (decision, trace) = ask(&policy("hard"), &scene.drawn("6S"));
    assert!(
        matches!(decision, Decision::Discard(card) if cards("KS QH 6S").has(card)),
        "{decision}"
    );
    let hard = policy("hard");
    for candidate in &trace.candidates {
        let weighted = hard.weights.values().iter().zip(&candidate.terms);
        let total: i64 = weighted.map(|(weight, (_, term))| weight * term).sum();
        assert_eq!(total, candidate.total);
    }
    let mut best = trace.candidates.iter().collect::<Vec<_>>();
    best.sort_by_key(|c| -c.total);
    assert_eq!(best[0].decision, decision);
    assert!(matches!(
        trace.predictions.as_slice(),
        [
            _,
            Prediction {
                question: Question::Claimed { .. },
                ..
            }
        ]
    ));
}

#[test]
fn weights_of_another_table_are_refused() {
    let mut hard = policy("hard");
    hard.weights = Weights::new(&[], &[]).expect("none");
    let view = Scene {
        hands: &["AC 2D", "KC KH"],
        registered: &[true, true],
        melds: &[RUN],
        top: None,
        deck: 20,
    }
    .view();
    let mut trace = Trace::new(TraceLevel::Off);
    let outcome = decide(
        &hard,
        &view,
        &mut Memo::default(),
        &mut Work::units(1_000),
        &mut trace,
    );
    assert!(outcome.expect("the fallback").fallback.is_some());
}

/// Plays rounds of hard and calls `each` with every position that leaves a choice.
fn positions(
    players: u8,
    rules: &str,
    rounds: u32,
    mut each: impl FnMut(&State, Seat, &View, Decision),
) {
    let setup = Setup::<Hoola> {
        players,
        rules: rules.parse().expect("a ruleset"),
    };
    let hard = policy("hard");
    let mut memos: Vec<Memo> = (0..players).map(|_| Memo::default()).collect();
    let mut carry = Default::default();
    for round in 1..=rounds {
        let seed = SeedId::number(5).expect("a seed");
        let mut stream = Stream::deal("hoola", players, Split::Rehearsal, seed, round);
        let deal = Hoola::deal(&setup, &mut stream);
        let mut state = Hoola::start(&setup, &deal, &carry);
        while let Some(seat) = Hoola::to_act(&state) {
            let view = Hoola::view(&state, seat);
            let memo = &mut memos[seat.index()];
            let decision = match Hoola::choices(&view, memo) {
                Choices::Forced(only) => only,
                Choices::Free => {
                    let mut work = Work::units(Hoola::WORK_LIMIT);
                    let mut trace = Trace::new(TraceLevel::Off);
                    let outcome = decide(&hard, &view, memo, &mut work, &mut trace);
                    let outcome = outcome.expect("a decision");
                    assert_eq!(outcome.fallback, None);
                    each(&state, seat, &view, outcome.decision);
                    outcome.decision
                }
            };
            Hoola::apply(&mut state, seat, &decision).expect("a legal decision");
        }
        carry = Hoola::carry(&state);
    }
}

#[test]
fn it_plays_on_at_every_table_and_ruleset() {
    for rules in Rules::all() {
        for players in (2..=5).filter(|&players| rules.serves(players)) {
            let mut decisions = 0;
            positions(players, &rules.to_string(), 6, |_, _, _, _| decisions += 1);
            assert!(decisions > 30, "{rules} with {players}: {decisions}");
        }
    }
}

/// Swapping hidden hands and the order of the deck changes no decision, nor does what the memo has
/// seen, nor whether anything is recorded.
#[test]
fn hidden_cards_change_nothing() {
    let hard = policy("hard");
    let mut stream = Stream::keyed("hoola-swap", &[]);
    let mut stale = Memo::default();
    let (mut asked, mut moved) = (0, 0);
    for players in 2..=5 {
        positions(players, "default", 60, |state, seat, view, decision| {
            let other = Hoola::reshuffle(state, seat, &mut stream);
            moved += u32::from(other.hands() != state.hands());
            let seen = Hoola::view(&other, seat);
            assert_eq!(&seen, view);
            let level = [TraceLevel::Predictions, TraceLevel::Full][asked % 2];
            let mut trace = Trace::new(level);
            let mut work = Work::units(Hoola::WORK_LIMIT);
            let outcome = decide(&hard, &seen, &mut stale, &mut work, &mut trace);
            assert_eq!(outcome.expect("a decision").decision, decision);
            asked += 1;
        });
    }
    assert!(
        asked > 2_000 && moved > 2_000,
        "{asked} asked, {moved} moved"
    );
}

/// What is believed of the chosen discard is asked of that card alone, and of the turn in play.
#[test]
fn predictions_are_answered_in_time() {
    positions(4, "default", 40, |state, seat, view, decision| {
        let (again, trace) = ask(&policy("hard"), view);
        assert_eq!(again, decision);
        for prediction in &trace.predictions {
            let known = Hoola::resolve(state, seat, &prediction.question).is_some();
            match prediction.question {
                Question::PlainWins { .. } | Question::SumAbove { .. } => {
                    assert!(known && view.phase == Phase::Start);
                }
                Question::OpponentOut { turns } => {
                    assert!(!known && turns == view.turns[seat]);
                }
                Question::Claimed { card } => {
                    assert!(!known);
                    assert_eq!(decision, Decision::Discard(card));
                }
            }
        }
    });
}
