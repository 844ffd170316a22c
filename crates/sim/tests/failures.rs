//! What goes wrong in play ends the run, is told in full, and is never scored; fallbacks are
//! counted once each.

use evenhand_contract::{Cause, Policy, SeedId, Split};
use evenhand_sim::{
    Execution, MatchPlan, NoObserver, PlayFailure, Rehearsal, RunError, Seeds, SeedsError, Totals,
    Uncontrolled, Workspace, play_seed, run,
};
use evenhand_testkit::{Toy, policy, setup};

fn plan(a: Policy<Toy>) -> MatchPlan<Toy> {
    MatchPlan::new(setup(3), 2, a, policy("easy")).unwrap()
}

fn seeds(first: u64, count: u64) -> Seeds<Rehearsal> {
    Seeds::range(first, count).unwrap()
}

fn failure(plan: &MatchPlan<Toy>, seeds: &Seeds<Rehearsal>, workers: usize) -> PlayFailure {
    match run(
        plan,
        seeds,
        &Execution::with_workers(workers),
        &mut Uncontrolled,
    ) {
        Err(RunError::Play(failure)) => *failure,
        other => panic!("expected a failure of play, got {other:?}"),
    }
}

#[test]
fn a_panic_ends_the_run_with_all_that_is_needed_to_replay_it() {
    let plan = plan(policy("panics"));
    let first = failure(&plan, &seeds(0, 200), 1);
    assert!(first.reason.contains("cannot bear"), "{first}");
    assert_eq!(first.policy.as_deref(), Some("panics"));
    for workers in [2, 3, 8] {
        assert_eq!(
            failure(&plan, &seeds(0, 200), workers),
            first,
            "{workers} workers"
        );
    }
    // Replay: the named seed alone breaks at the same place, and the view is the lead it names.
    let seed = first.seed.parse::<u64>().unwrap();
    assert_eq!(failure(&plan, &seeds(seed, 1), 1), first);
    let view: serde_json::Value = serde_json::from_str(first.view.as_deref().unwrap()).unwrap();
    assert_eq!(view["seat"], first.seat.unwrap());
    assert_eq!(
        (view["field"].as_str(), view["played"].as_str()),
        (Some("-"), Some(""))
    );
    let text = first.to_string();
    for part in [
        "toy",
        "3 players",
        "ruleset default",
        "split rehearsal",
        &format!("seed {seed},"),
        "arrangement",
        "round",
        "seat",
        first.view.as_deref().unwrap(),
    ] {
        assert!(text.contains(part), "{part:?} is missing in {text}");
    }
}

#[test]
fn an_illegal_decision_ends_the_run() {
    let failure = failure(&plan(policy("cheat")), &seeds(0, 10), 1);
    assert!(failure.reason.contains("illegal decision"), "{failure}");
    assert!(
        failure.reason.contains("does not beat the field"),
        "{failure}"
    );
    assert!(failure.view.is_some() && failure.seat.is_some());
}

#[test]
fn a_settlement_that_does_not_sum_to_zero_ends_the_run() {
    let mut leaking = plan(policy("smart"));
    leaking.setup.rules = "pay=leak".parse().unwrap();
    for workers in [1, 3] {
        let failure = failure(&leaking, &seeds(4, 9), workers);
        assert!(failure.reason.contains("does not sum to zero"), "{failure}");
        assert_eq!((failure.seed.as_str(), failure.round), ("4", 1));
        assert_eq!(failure.ruleset, "pay=leak");
    }
}

#[test]
fn other_threads_panics_are_still_printed_and_play_goes_on_after_a_caught_one() {
    let faulty = plan(policy("panics"));
    failure(&faulty, &seeds(0, 200), 2);
    let caught = std::panic::catch_unwind(|| panic!("not of a policy"));
    assert!(caught.is_err());
    let sound = plan(policy("eager"));
    run(
        &sound,
        &seeds(0, 5),
        &Execution::with_workers(2),
        &mut Uncontrolled,
    )
    .unwrap();
}

#[test]
fn ten_fallbacks_of_a_hundred_decisions_are_ten() {
    let faulty = plan(policy("tenth"));
    let mut workspace = Workspace::new(3);
    evenhand_testkit::policy::reset_calls();
    let mut tallies = Vec::new();
    // Whole seeds are played, so stop at the first count of decisions that tells 10 % exactly.
    for seed in 0.. {
        let id = SeedId::Number(seed);
        let tally = play_seed(
            &faulty,
            Split::Rehearsal,
            id,
            &mut workspace,
            &mut NoObserver,
        );
        tallies.push(tally.unwrap());
        let side = Totals::of(&tallies).a;
        if side.decisions >= 100 && side.decisions.is_multiple_of(10) {
            break;
        }
    }
    let totals = Totals::of(&tallies);
    assert_eq!(totals.a.decisions, evenhand_testkit::policy::calls());
    assert_eq!(totals.a.all_fallbacks() * 10, totals.a.decisions);
    assert_eq!(
        totals.a.fallbacks_by(Cause::PolicyError),
        totals.a.all_fallbacks()
    );
    assert_eq!(totals.b.all_fallbacks(), 0);
    assert!(!totals.a.valid() && totals.b.valid() && !totals.valid());
}

#[test]
fn a_policy_that_never_decides_falls_back_each_time_by_its_cause() {
    for (name, cause) in [("broken", Cause::PolicyError), ("greedy", Cause::OutOfWork)] {
        let tallies = run(
            &plan(policy(name)),
            &seeds(0, 10),
            &Execution::with_workers(2),
            &mut Uncontrolled,
        )
        .unwrap();
        let totals = Totals::of(&tallies);
        assert_eq!(totals.a.fallbacks_by(cause), totals.a.decisions);
        assert_eq!(totals.a.all_fallbacks(), totals.a.decisions);
        assert!(totals.a.decisions > 0 && !totals.valid());
        // Easy plays in its place, so nothing is won or lost against easy.
        assert!(tallies.iter().all(|tally| tally.a.settlement == 0));
    }
}

#[test]
fn work_is_summed_and_its_largest_share_kept() {
    let mut plan = plan(policy("smart"));
    let execution = Execution::with_workers(1);
    let all = run(&plan, &seeds(0, 10), &execution, &mut Uncontrolled).unwrap();
    let most = Totals::of(&all).a.work_max;
    assert!(most > 1 && most < plan.work_limit);
    assert_eq!(Totals::of(&all).b.work_sum, 0, "easy charges nothing");
    // A budget of exactly the most is enough; one unit less is not.
    plan.work_limit = most;
    let enough = run(&plan, &seeds(0, 10), &execution, &mut Uncontrolled).unwrap();
    assert_eq!(enough, all);
    plan.work_limit = most - 1;
    let short = run(&plan, &seeds(0, 10), &execution, &mut Uncontrolled).unwrap();
    assert!(Totals::of(&short).a.fallbacks_by(Cause::OutOfWork) > 0);
}

#[test]
fn seeds_that_make_no_run_are_refused() {
    type S = Seeds<Rehearsal>;
    let most = evenhand_contract::MAX_WRITTEN_SEED;
    assert_eq!(S::range(5, 0), Err(SeedsError::Empty));
    assert_eq!(S::list(Vec::new()), Err(SeedsError::Empty));
    assert_eq!(S::ranges(&[]), Err(SeedsError::Empty));
    let twice = vec![SeedId::Number(3), SeedId::Number(4), SeedId::Number(3)];
    assert_eq!(S::list(twice), Err(SeedsError::Duplicate("3".to_owned())));
    for (ranges, shared) in [
        ([(0, 10), (9, 1)], 9),
        ([(9, 1), (0, 10)], 9),
        ([(0, 10), (2, 3)], 2),
        ([(2, 3), (0, 10)], 2),
        ([(7, 1), (7, 1)], 7),
    ] {
        match S::ranges(&ranges) {
            Err(SeedsError::Overlap { shared: found, .. }) => assert_eq!(found, shared),
            other => panic!("{ranges:?}: {other:?}"),
        }
    }
    assert_eq!(S::ranges(&[(0, 10), (10, 10)]).unwrap().len(), 20);
    assert_eq!(S::range(most, 1).unwrap().len(), 1);
    for (first, count) in [(most, 2), (most + 1, 1), (u64::MAX, 1), (u64::MAX, 5)] {
        assert!(
            matches!(S::range(first, count), Err(SeedsError::Seed(_))),
            "{first}"
        );
    }
    assert!(matches!(
        S::list(vec![SeedId::Number(most + 1)]),
        Err(SeedsError::Seed(_))
    ));
    assert!(matches!(S::range(0, u64::MAX), Err(SeedsError::TooMany(_))));
}

#[test]
fn plans_that_cannot_be_played_are_refused() {
    let easy = || policy("easy");
    for players in [0, 1, 5] {
        assert!(MatchPlan::new(setup(players), 1, easy(), easy()).is_err());
    }
    assert!(MatchPlan::new(setup(3), 0, easy(), easy()).is_err());
    let mut plan = plan(easy());
    plan.rounds = 0;
    let refused = run(
        &plan,
        &seeds(0, 1),
        &Execution::default(),
        &mut Uncontrolled,
    );
    assert!(matches!(refused, Err(RunError::Plan(_))));
}
