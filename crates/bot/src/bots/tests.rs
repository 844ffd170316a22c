use super::*;
use evenhand_contract::{Game, Policy, SeedId, Split, Stream, find_policy};
use evenhand_lexio::Lexio;
use evenhand_testkit::{Toy, policy, setup};
use std::cell::Cell;
use std::sync::{Arc, Mutex};

/// Views with a choice, from random play.
fn views<G: Game>(setup: &Setup<G>, rounds: u64) -> Vec<(G::View, Vec<G::Decision>)> {
    let mut views = Vec::new();
    let (mut memo, mut legal) = (G::Memo::default(), Vec::new());
    for seed in 0..rounds {
        let id = SeedId::number(seed).expect("small");
        let mut stream = Stream::deal(G::NAME, setup.players, Split::Rehearsal, id, 1);
        let deal = G::deal(setup, &mut stream);
        let mut state = G::start(setup, &deal, &G::Carry::default());
        while let Some(seat) = G::to_act(&state) {
            let view = G::view(&state, seat);
            G::legal(&view, &mut memo, &mut legal);
            let choice = legal[stream.below(legal.len() as u32) as usize];
            if legal.len() > 1 {
                views.push((view, legal.clone()));
            }
            assert!(G::apply(&mut state, seat, &choice).is_ok());
        }
    }
    views
}

fn easy_at(view: &<Toy as Game>::View) -> <Toy as Game>::Decision {
    let mut bot = Bot::with_policy(setup(3), policy("easy"));
    bot.decide(view, &Limits::default())
        .expect("legal")
        .decision
}

/// Runs a toy policy over random views: every answer is legal, each fallback is easy's decision,
/// tally and hook agree. Gives the tally and the last reason.
fn run(name: &str, limits: &Limits<'_>) -> (Tally, String) {
    let heard = Arc::new(Mutex::new((0u64, String::new())));
    let told = Arc::clone(&heard);
    let mut bot = Bot::with_policy(setup(3), policy(name)).on_fallback(Box::new(move |event| {
        let mut heard = told.lock().expect("one thread");
        heard.0 += 1;
        heard.1 = format!("{} {}: {}", event.policy, event.cause.name(), event.why);
    }));
    let views = views(&setup(3), 300);
    for (view, legal) in &views {
        let answer = bot.decide(view, limits).expect("a decision");
        assert!(legal.contains(&answer.decision));
        if answer.fallback.is_some() {
            assert_eq!(answer.decision, easy_at(view));
        }
    }
    assert_eq!(bot.tally().decisions, views.len() as u64);
    let (count, why) = heard.lock().expect("one thread").clone();
    assert_eq!(count, bot.tally().fallbacks.total());
    (*bot.tally(), why)
}

#[test]
fn a_sound_policy_never_falls_back() {
    let (tally, _) = run("smart", &Limits::default());
    assert_eq!(tally.fallbacks, Fallbacks::default());
    assert!(tally.most_work > 0);
}

#[test]
fn errors_panics_and_illegal_decisions_are_policy_errors() {
    let (tally, why) = run("broken", &Limits::default());
    assert_eq!(tally.fallbacks.of(Cause::PolicyError), tally.decisions);
    assert!(why.starts_with("broken policy_error: "), "{why}");
    let (tally, why) = run("panics", &Limits::default());
    assert!(tally.fallbacks.of(Cause::PolicyError) > 0);
    assert!(tally.fallbacks.total() < tally.decisions);
    assert_eq!(
        why,
        "panics policy_error: panicked: a hand this policy cannot bear"
    );
    let (tally, why) = run("cheat", &Limits::default());
    assert!(tally.fallbacks.of(Cause::PolicyError) > 0);
    assert!(why.ends_with("is not legal here"), "{why}");
}

#[test]
fn ten_errors_in_a_hundred_decisions_are_ten() {
    evenhand_testkit::policy::reset_calls();
    let mut bot = Bot::with_policy(setup(3), policy("tenth"));
    for (view, _) in views(&setup(3), 300).iter().take(100) {
        assert!(bot.decide(view, &Limits::default()).is_ok());
    }
    assert_eq!(
        (bot.tally().decisions, bot.tally().fallbacks.total()),
        (100, 10)
    );
}

#[test]
fn budget_and_deadline_are_told_apart() {
    let (tally, _) = run("greedy", &Limits::default());
    assert_eq!(tally.fallbacks.of(Cause::OutOfWork), tally.decisions);
    let none = Limits {
        work: Some(0),
        expired: None,
    };
    let (tally, _) = run("smart", &none);
    let of_cause = tally.fallbacks.of(Cause::OutOfWork);
    // Some decisions are rules, which cost nothing.
    assert!(of_cause > tally.decisions / 2 && of_cause == tally.fallbacks.total());
    let asked = Cell::new(0);
    let late = || {
        asked.set(asked.get() + 1);
        true
    };
    let late = Limits {
        work: None,
        expired: Some(&late),
    };
    let (tally, _) = run("smart", &late);
    let of_cause = tally.fallbacks.of(Cause::Deadline);
    assert!(of_cause > tally.decisions / 2 && of_cause == tally.fallbacks.total());
    assert_eq!(
        asked.get(),
        of_cause,
        "a deadline that passed is not asked again"
    );
}

#[test]
fn an_unknown_policy_and_a_missing_artifact_fall_back_by_their_cause() {
    let cases = [
        ("nobody", Cause::UnknownPolicy),
        ("smart", Cause::PolicyError),
    ];
    for (name, cause) in cases {
        let mut bots = Bots::<Toy>::new(name);
        let views = views(&setup(3), 20);
        for (view, _) in &views {
            let answer = bots.decide(view, &Limits::default()).expect("a decision");
            assert_eq!(
                (answer.decision, answer.fallback),
                (easy_at(view), Some(cause))
            );
        }
        assert_eq!(bots.tally().fallbacks.of(cause), views.len() as u64);
        assert!(bots.at(&views[0].0).fault().is_some());
        assert!(Bot::<Toy>::load(setup(3), name).is_err());
    }
}

#[test]
fn a_view_of_another_table_is_not_played_by_these_parameters() {
    let mut bot = Bot::with_policy(setup(4), policy("smart"));
    let (view, _) = &views(&setup(3), 1)[0];
    let answer = bot.decide(view, &Limits::default()).expect("a decision");
    assert_eq!(answer.fallback, Some(Cause::PolicyError));
}

#[test]
fn forced_decisions_are_made_and_not_counted() {
    let setup = Setup::<Lexio> {
        players: 5,
        rules: evenhand_lexio::rules::Rules::default(),
    };
    let row = find_policy("easy").expect("a policy");
    let mut bot = Bot::with_policy(setup, Policy::<Lexio>::defaults(row));
    let id = SeedId::number(1).expect("small");
    let deal = Lexio::deal(
        &setup,
        &mut Stream::deal("lexio", 5, Split::Rehearsal, id, 1),
    );
    let mut state = Lexio::start(&setup, &deal, &Default::default());
    let (mut forced, mut free) = (0, 0);
    while let Some(seat) = Lexio::to_act(&state) {
        let answer = bot.decide(&Lexio::view(&state, seat), &Limits::default());
        let answer = answer.expect("a decision");
        if answer.stage == "forced" {
            forced += 1;
        } else {
            free += 1;
        }
        assert!(Lexio::apply(&mut state, seat, &answer.decision).is_ok());
    }
    assert!(forced > 0);
    assert_eq!(bot.tally().decisions, free);
    // A hand-made view of a lead without tiles: nothing is legal.
    let mut over = Lexio::view(&state, state.winner().expect("ended"));
    over.field = None;
    assert_eq!(bot.decide(&over, &Limits::default()), Err(NoDecision));
}
