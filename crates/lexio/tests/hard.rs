//! Laws and fixed positions of the policy hard.

use evenhand_contract::{
    BySeat, Cards, Choices, Game, Milli, Policy, Seat, SeedId, Setup, Split, Stream, Trace,
    TraceLevel, Weights, Work, decide, find_policy,
};
use evenhand_lexio::hand::HandMemo;
use evenhand_lexio::meld::{Meld, RunOrders, classify};
use evenhand_lexio::plan::PlanTable;
use evenhand_lexio::rules::Rules;
use evenhand_lexio::state::State;
use evenhand_lexio::tile::{deck, parse_tiles};
use evenhand_lexio::{Lexio, Memo, Play, View};
use std::collections::BTreeSet;

fn policy(name: &str) -> Policy<Lexio> {
    Policy::defaults(find_policy(name).expect("a policy of the table"))
}

/// Hard with every weight at 0 but for those given, and without its rules.
fn hard_with(values: &[(&str, Milli)]) -> Policy<Lexio> {
    let mut hard = policy("hard");
    let knobs = hard.row.knobs;
    let all: Vec<_> = knobs
        .iter()
        .map(|knob| {
            let given = values.iter().find(|(name, _)| *name == knob.name);
            given.map_or(0, |(_, value)| *value)
        })
        .collect();
    hard.weights = Weights::new(knobs, &all).expect("within bounds");
    hard.stages_off = u32::MAX;
    hard
}

fn tiles(text: &str) -> Cards {
    parse_tiles("tiles", text, 5).expect("fixed tiles")
}

/// A five-player view of seat 0; `counts` are those of the others, and whatever else is missing
/// from the deck has been played.
fn view(hand: &str, others: &str, counts: [u8; 4], field: &str) -> View {
    let (hand, others) = (tiles(hand), tiles(others));
    let orders = RunOrders::get(5, Rules::default());
    let field = classify(tiles(field), orders);
    let mut by_seat = BySeat::filled(5, hand.len() as u8);
    for (place, count) in counts.into_iter().enumerate() {
        by_seat[Seat(place as u8 + 1)] = count;
    }
    View {
        players: 5,
        rules: Rules::default(),
        seat: Seat(0),
        hand,
        dealt: hand,
        counts: by_seat,
        field,
        field_owner: field.map(|_| Seat(4)),
        passes: 0,
        passed: 0,
        played: deck(5) - hand - others,
    }
}

fn ask(policy: &Policy<Lexio>, view: &View, level: TraceLevel) -> (Play, Trace<Play, Meld>) {
    let mut trace = Trace::new(level);
    let mut work = Work::units(Lexio::WORK_LIMIT);
    let outcome = decide(policy, view, &mut Memo::default(), &mut work, &mut trace)
        .expect("a decision of the position");
    assert_eq!(outcome.fallback, None);
    (outcome.decision, trace)
}

const EXAMPLE: &str = "5C 5D 9C 9S 10S 11H 12C 12D 12S 13S 15C 1C";

fn example() -> View {
    let hand = tiles(EXAMPLE);
    let field = tiles("8S");
    let mut view = view(EXAMPLE, "", [12, 12, 12, 11], "8S");
    view.played = field;
    assert_eq!(view.unseen(), deck(5) - hand - field);
    view
}

#[test]
fn the_example_hand_follows_with_the_tile_that_its_plan_spares() {
    let (play, _) = ask(&policy("hard"), &example(), TraceLevel::Off);
    assert_eq!(play, Play(tiles("12D")));
    let (play, _) = ask(&policy("easy"), &example(), TraceLevel::Off);
    assert_eq!(play, Play(tiles("9C")));
}

#[test]
fn an_explained_example_lists_every_choice_with_what_is_left() {
    let hard = policy("hard");
    let (play, trace) = ask(&hard, &example(), TraceLevel::Full);
    assert_eq!(play, ask(&hard, &example(), TraceLevel::Off).0);
    assert_eq!(trace.decided_by(), "score");
    let remaining: Vec<_> = trace.candidates.iter().map(|c| c.facts[0]).collect();
    let expected = [4, 5, 5, 6, 6, 6, 3, 3, 6, 5, 5].map(|plays| ("remaining", plays));
    assert_eq!(remaining, expected, "the pass, then every single above 8S");
    assert_eq!(trace.candidates[0].decision, Play::PASS);
    assert_eq!(trace.predictions.len(), 10);
    for candidate in &trace.candidates {
        let names: Vec<_> = hard.row.knobs.iter().map(|k| k.name).collect();
        let total: i64 = (hard.weights.values().iter())
            .zip(&candidate.terms)
            .map(|(weight, (_, term))| weight * term)
            .sum();
        assert_eq!(total, candidate.total);
        assert!(candidate.terms.iter().zip(names).all(|(t, n)| t.0 == n));
        let beaten = candidate.facts.get(1);
        match candidate.decision.is_pass() {
            true => assert_eq!(beaten, None),
            false => assert_eq!(
                beaten,
                Some(&("beaten_ppm", 1_000_000)),
                "2C .. 2S are unseen"
            ),
        }
    }
}

#[test]
fn equal_totals_pass_then_play_the_weaker_key_then_the_weaker_tiles() {
    let nothing = hard_with(&[]);
    assert_eq!(ask(&nothing, &example(), TraceLevel::Off).0, Play::PASS);
    // On a lead there is no pass; the weakest single comes first.
    let mut lead = example();
    lead.field = None;
    assert_eq!(ask(&nothing, &lead, TraceLevel::Off).0, Play(tiles("5C")));
    // Any play rather than a pass: the weakest key.
    let eager = hard_with(&[("TilesShed", 1)]);
    assert_eq!(
        ask(&eager, &example(), TraceLevel::Off).0,
        Play(tiles("9C"))
    );
    // One key, two pairs for the full house: the cheaper rest decides, here the straight 3 to 7.
    let field = "4C 4D 4H 5C 5D";
    let hand = "3C 3D 4S 5S 6C 7D 8C 8D 8S 11D 11H";
    let straight = view(hand, "15S 1S 2S 2H", [1, 1, 1, 1], field);
    assert_eq!(
        ask(&eager, &straight, TraceLevel::Off).0,
        Play(tiles("8C 8D 8S 11D 11H"))
    );
    // With rests that cost the same the weaker pair goes.
    let hand = "3C 3D 5S 8C 8D 8S 11D 11H";
    let equal = view(hand, "15S 1S 2S 2H", [1, 1, 1, 1], field);
    assert_eq!(
        ask(&eager, &equal, TraceLevel::Off).0,
        Play(tiles("3C 3D 8C 8D 8S"))
    );
}

#[test]
fn a_tiny_weight_is_a_tie_break() {
    // With nothing else to go by a thousandth decides as a thousand would: the step lies at zero.
    let [none, tiny, large] = [0, 1, 1000].map(|weight| {
        let hard = hard_with(&[("PlanGain", weight)]);
        ask(&hard, &example(), TraceLevel::Off).0
    });
    assert_eq!(none, Play::PASS);
    assert_eq!(tiny, large);
    assert_eq!(tiny, Play(tiles("12D")));
}

#[test]
fn it_goes_out_when_it_can() {
    let last = view("9C 9D", "3C 2S 1S 1H", [1, 1, 1, 1], "8C 8D");
    let (play, trace) = ask(&policy("hard"), &last, TraceLevel::Full);
    assert_eq!((play, trace.decided_by()), (Play(tiles("9C 9D")), "out"));
    let mut without = policy("hard");
    without.stages_off = 1;
    let (_, trace) = ask(&without, &last, TraceLevel::Full);
    assert_ne!(trace.decided_by(), "out");
}

#[test]
fn it_sees_a_line_that_nobody_can_break() {
    // 2S and the pair of ones win their tricks; the 3C goes out last.
    let sure = view(
        "3C 1C 1S 2S",
        "2H 15S 14S 13S 5C 6C 7C 8C",
        [2, 2, 2, 2],
        "-",
    );
    let (play, trace) = ask(&policy("hard"), &sure, TraceLevel::Full);
    assert_eq!(trace.decided_by(), "sure");
    assert_ne!(play, Play(tiles("3C")));
    // With a second two among the unseen the pair of ones can be beaten.
    let risky = view(
        "3C 1C 1S 2S",
        "2H 2D 14S 13S 5C 6C 7C 8C",
        [2, 2, 2, 2],
        "-",
    );
    let (_, trace) = ask(&policy("hard"), &risky, TraceLevel::Full);
    assert_eq!(trace.decided_by(), "score");
    // Unless nobody has two tiles.
    let short = view("3C 1C 1S 2S", "2H 2D 14S 13S", [1, 1, 1, 1], "-");
    let (_, trace) = ask(&policy("hard"), &short, TraceLevel::Full);
    assert_eq!(trace.decided_by(), "sure");
}

/// Visits positions with a choice from rounds in which the seats play the given policies in turn.
fn visit(players: u8, rounds: u64, names: &[&str], mut see: impl FnMut(&State, Seat, &View)) {
    let setup = Setup {
        players,
        rules: Rules::default(),
    };
    let policies: Vec<_> = names.iter().map(|name| policy(name)).collect();
    for seed in 0..rounds {
        let mut stream = Stream::deal("lexio", players, Split::Rehearsal, SeedId::Number(seed), 1);
        let deal = Lexio::deal(&setup, &mut stream);
        let mut state = Lexio::start(&setup, &deal, &Default::default());
        let mut memos: Vec<_> = (0..players).map(|_| Memo::default()).collect();
        while let Some(seat) = Lexio::to_act(&state) {
            let memo = &mut memos[seat.index()];
            let view = Lexio::view(&state, seat);
            let play = match Lexio::choices(&view, memo) {
                Choices::Forced(play) => play,
                Choices::Free => {
                    see(&state, seat, &view);
                    let policy = &policies[(seat.index() + seed as usize) % policies.len()];
                    let mut trace = Trace::new(TraceLevel::Off);
                    let mut work = Work::units(Lexio::WORK_LIMIT);
                    decide(policy, &view, memo, &mut work, &mut trace)
                        .expect("a decision")
                        .decision
                }
            };
            Lexio::apply(&mut state, seat, &play).expect("a legal decision");
        }
    }
}

/// What cannot be seen cannot matter: over 10,000 positions the decision stays when the unseen
/// tiles change hands, when the memo is fresh or full of other positions, and when the hand as
/// dealt is not known.
#[test]
fn hidden_tiles_swapped_leave_decisions_unchanged() {
    let hard = policy("hard");
    let mut swaps = Stream::keyed("swap-test", &[]);
    let mut used = Memo::default();
    let mut positions = 0;
    for players in [3, 4, 5] {
        visit(
            players,
            260,
            &["hard", "easy", "eager"],
            |state, seat, view| {
                positions += 1;
                let (play, _) = ask(&hard, view, TraceLevel::Off);
                let swapped = Lexio::reshuffle(state, seat, &mut swaps);
                let mut other = Lexio::view(&swapped, seat);
                assert_eq!(ask(&hard, &other, TraceLevel::Predictions).0, play);
                other.dealt = other.hand;
                let mut trace = Trace::new(TraceLevel::Off);
                let mut work = Work::units(Lexio::WORK_LIMIT);
                let again = decide(&hard, &other, &mut used, &mut work, &mut trace);
                assert_eq!(again.expect("a decision").decision, play);
            },
        );
    }
    assert!(positions >= 10_000, "{positions}");
}

#[test]
fn decisions_are_legal_and_explained_whatever_the_weights() {
    let mut values = Stream::keyed("weights-test", &[]);
    let mut legal = Vec::new();
    for players in [3, 4, 5] {
        visit(players, 40, &["hard", "easy"], |_, _, view| {
            let mut hard = policy("hard");
            let knobs = hard.row.knobs;
            let drawn: Vec<_> = knobs
                .iter()
                .map(|k| k.low + i64::from(values.below((k.high - k.low) as u32 + 1)))
                .collect();
            hard.weights = Weights::new(knobs, &drawn).expect("within bounds");
            let (play, trace) = ask(&hard, view, TraceLevel::Full);
            Lexio::legal(view, &mut Memo::default(), &mut legal);
            assert!(legal.contains(&play));
            if trace.decided_by() != "score" {
                return;
            }
            let best = trace.candidates.iter().map(|c| c.total).max();
            let chosen = trace.candidates.iter().find(|c| c.decision == play);
            assert_eq!(chosen.map(|c| c.total), best);
            // Every distinct (key, fewest plays left) of the legal choices has its candidate.
            let orders = view.orders();
            let melds = HandMemo::default().melds(view.hand, orders).to_vec();
            let table = PlanTable::new(view.hand, &melds);
            let choice = |play: &Play| {
                let key = classify(play.0, orders).map(|m| (m.size(), m.key));
                (key, i64::from(table.fewest(view.hand - play.0)))
            };
            let expected: BTreeSet<_> = legal.iter().map(choice).collect();
            let found: BTreeSet<_> = (trace.candidates.iter())
                .map(|c| (choice(&c.decision).0, c.facts[0].1))
                .collect();
            assert_eq!(found, expected);
        });
    }
}

/// From the first decision of stage `sure` on nobody else plays, and the seat goes out.
#[test]
fn sure_lines_always_go_out() {
    let hard = policy("hard");
    let mut lines = 0;
    for players in [3, 4, 5] {
        visit(players, 60, &["hard", "easy"], |state, seat, view| {
            if ask(&hard, view, TraceLevel::Full).1.decided_by() != "sure" {
                return;
            }
            lines += 1;
            let mut state = *state;
            while let Some(turn) = Lexio::to_act(&state) {
                let view = Lexio::view(&state, turn);
                let forced = match Lexio::choices(&view, &mut Memo::default()) {
                    Choices::Forced(play) => Some(play),
                    Choices::Free => None,
                };
                let play = if turn == seat {
                    forced.unwrap_or_else(|| ask(&hard, &view, TraceLevel::Off).0)
                } else {
                    forced.expect("nobody can beat a sure line")
                };
                Lexio::apply(&mut state, turn, &play).expect("legal");
            }
            assert_eq!(state.winner(), Some(seat));
        });
    }
    assert!(lines > 50, "{lines}");
}

#[test]
fn the_most_crowded_hands_stay_within_the_budget() {
    let suit = "3C 4C 5C 6C 7C 8C 9C 10C 11C 12C 13C 14C";
    let mut view = view(suit, "", [12, 12, 12, 12], "-");
    view.played = Cards::EMPTY;
    ask(&policy("hard"), &view, TraceLevel::Off);
    let all = (deck(4) & evenhand_lexio::tile::suit_tiles(0), deck(4));
    view.players = 4;
    view.hand = all.0;
    view.dealt = all.0;
    view.counts = BySeat::filled(4, 13);
    ask(&policy("hard"), &view, TraceLevel::Off);
}
