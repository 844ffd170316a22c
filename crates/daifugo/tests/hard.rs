//! hard in whole matches: legal, within its budget, without fouls, blind to what it cannot see.

use evenhand_contract::{
    Choices, Game, Policy, SeedId, Setup, Split, Stream, Trace, TraceLevel, Work, decide,
    find_policy,
};
use evenhand_daifugo::rules::Rules;
use evenhand_daifugo::state::{Carry, State};
use evenhand_daifugo::{Daifugo, Memo, View};

fn policy(name: &str) -> Policy<Daifugo> {
    Policy::defaults(find_policy(name).expect("a row"))
}

/// Plays matches with hard in the even seats and a simple style in the others.
fn play(
    players: u8,
    matches: u64,
    rounds: u32,
    mut visit: impl FnMut(&State, &View, &mut Memo),
) -> u64 {
    let setup = Setup {
        players,
        rules: Rules::default(),
    };
    let hard = policy("hard");
    let styles = [policy("easy"), policy("careful")];
    let mut memos: Vec<_> = (0..players).map(|_| Memo::default()).collect();
    let mut trace = Trace::new(TraceLevel::Off);
    let mut fouls = 0;
    for seed in 0..matches {
        let mut carry = Carry::default();
        for round in 1..=rounds {
            let id = SeedId::number(seed).expect("small");
            let deal = Daifugo::deal(
                &setup,
                &mut Stream::deal("daifugo", players, Split::Rehearsal, id, round),
            );
            let mut state = Daifugo::start(&setup, &deal, &carry);
            while let Some(seat) = Daifugo::to_act(&state) {
                let view = Daifugo::view(&state, seat);
                let memo = &mut memos[seat.index()];
                let is_hard = (u64::from(seat.0) + seed).is_multiple_of(2);
                let decision = match Daifugo::choices(&view, memo) {
                    Choices::Forced(only) => only,
                    Choices::Free => {
                        let policy = if is_hard {
                            &hard
                        } else {
                            &styles[seed as usize % 2]
                        };
                        let mut work = Work::units(Daifugo::WORK_LIMIT);
                        let outcome =
                            decide(policy, &view, memo, &mut work, &mut trace).expect("a decision");
                        assert_eq!(outcome.fallback, None);
                        assert!(
                            outcome.work * 2 < Daifugo::WORK_LIMIT,
                            "{} units",
                            outcome.work
                        );
                        if is_hard {
                            visit(&state, &view, memo);
                        }
                        outcome.decision
                    }
                };
                Daifugo::apply(&mut state, seat, &decision).expect("a legal decision");
            }
            fouls += (state.fouls().as_slice().iter())
                .filter(|seat| (u64::from(seat.0) + seed).is_multiple_of(2))
                .count() as u64;
            carry = Daifugo::carry(&state);
        }
    }
    fouls
}

#[test]
fn legal_within_budget_and_without_fouls() {
    let fouls: u64 = (3..=6)
        .map(|players| play(players, 60, 4, |_, _, _| {}))
        .sum();
    assert_eq!(fouls, 0);
}

#[test]
fn what_is_hidden_changes_nothing() {
    let hard = policy("hard");
    let mut stream = Stream::keyed("hard-test", &[]);
    let mut asked = 0;
    for players in 3..=6 {
        play(players, 20, 3, |state, view, memo| {
            let ask = |view: &View, memo: &mut Memo| {
                let mut trace = Trace::new(TraceLevel::Full);
                let mut work = Work::units(Daifugo::WORK_LIMIT);
                let outcome = decide(&hard, view, memo, &mut work, &mut trace);
                (outcome.expect("a decision"), trace.candidates.clone())
            };
            let other = Daifugo::view(
                &Daifugo::reshuffle(state, view.seat, &mut stream),
                view.seat,
            );
            // With what a memo has kept and without, traced and not.
            assert_eq!(ask(view, memo), ask(&other, &mut Memo::default()));
            asked += 1;
        });
    }
    assert!(asked > 1000, "{asked}");
}

#[test]
fn a_trace_says_why() {
    let hard = policy("hard");
    play(4, 10, 2, |_, view, memo| {
        let mut work = Work::units(Daifugo::WORK_LIMIT);
        let mut trace = Trace::new(TraceLevel::Full);
        let traced = decide(&hard, view, memo, &mut work, &mut trace).expect("a decision");
        let mut off = Trace::new(TraceLevel::Off);
        let mut work = Work::units(Daifugo::WORK_LIMIT);
        let plain = decide(&hard, view, memo, &mut work, &mut off).expect("a decision");
        assert_eq!(traced.decision, plain.decision, "tracing changes nothing");
        assert!(!trace.decided_by().is_empty());
        if trace.decided_by() == "score" {
            let chosen = trace
                .candidates
                .iter()
                .find(|c| c.decision == traced.decision);
            let chosen = chosen.expect("the choice is among the candidates");
            let best = trace.candidates.iter().map(|c| c.total).max();
            // Either the best of all, or the base that nothing passes by the margin.
            let base = &trace.candidates[0];
            assert!(Some(chosen.total) == best || chosen.decision == base.decision);
        }
    });
}
