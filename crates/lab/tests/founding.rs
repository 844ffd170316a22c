//! The story that the lab was made for: a bot is weaker, and the commands lead to the number that
//! is wrong - singles that somebody beats for certain, believed to be beaten with 0.68.

use evenhand_calibrate::{AuditSettings, Unwatched, audit};
use evenhand_cli::knobs::SetArgs;
use evenhand_cli::load::{Loaded, defaults};
use evenhand_contract::Setup;
use evenhand_lab::ablate::{Finding, ablation};
use evenhand_lab::capture::ask::{Reason, reasons};
use evenhand_lab::capture::{CapturesDoc, Pair, capture, replay};
use evenhand_lab::field::{Field, Opponent};
use evenhand_lexio::Lexio;
use evenhand_sim::{
    Execution, Exploration, MatchPlan, Seeds, Uncontrolled, a_sums, denominator, run,
};
use evenhand_stats::mean_estimate;

const SETUP: fn() -> Setup<Lexio> = || Setup {
    players: 5,
    rules: Default::default(),
};

fn wrong() -> Loaded<Lexio> {
    defaults("hard-independent").unwrap()
}

fn right() -> Loaded<Lexio> {
    defaults("hard").unwrap()
}

/// The policy with weights that lean on what the estimator says.
fn leaning(mut loaded: Loaded<Lexio>) -> Loaded<Lexio> {
    let set = vec!["EndgameBlock=7".parse().unwrap()];
    SetArgs { set }.apply(&mut loaded).unwrap();
    loaded
}

fn field() -> Field<Lexio> {
    Field {
        setup: SETUP(),
        pool: ["easy", "eager"]
            .map(|name| Opponent {
                name: name.to_owned(),
                share: 50,
                policy: defaults(name).unwrap().policy,
            })
            .into(),
        rounds: 5,
    }
}

/// The line that harms most, with what is gained without it, among those that are shown to harm.
fn most_harm(policy: &Loaded<Lexio>) -> (String, i64) {
    let control = &mut Uncontrolled;
    let seeds = Seeds::<Exploration>::range(0, 128).unwrap();
    let execution = Execution::default();
    let found = ablation(&field(), &policy.policy, &[], &seeds, &execution, control).unwrap();
    let harms = found.lines.iter().filter(|l| l.finding == Finding::Harms);
    let harms = harms.map(|l| (l.name.clone(), l.difference.estimate.mean_micro));
    harms
        .max_by_key(|(_, mean)| *mean)
        .unwrap_or(("nothing".to_owned(), 0))
}

fn captured(a: &Loaded<Lexio>, b: &Loaded<Lexio>) -> CapturesDoc {
    let seeds = Seeds::<Exploration>::range(0, 6).unwrap();
    let execution = Execution {
        block: 1,
        ..Execution::default()
    };
    capture(
        &field(),
        &Pair { a, b },
        &seeds,
        40,
        &execution,
        &mut Uncontrolled,
    )
    .unwrap()
}

fn single_errors(policy: &Loaded<Lexio>) -> (u64, u64) {
    let settings = AuditSettings {
        seed: 1,
        situations: 150,
        samples: 100,
    };
    let found = audit(&SETUP(), &policy.policy, &settings, 2, &mut Unwatched).unwrap();
    let single = found.kinds.iter().find(|k| k.kind == "single").unwrap();
    (
        single.all.calibrated.mean_ppm,
        single.all.calibrated.max_ppm,
    )
}

/// Whether a reason says: a single, certainly beaten, believed to be beaten with about 0.68.
fn tells_the_fault(reason: &Reason) -> bool {
    let single = !reason.decision.contains(' ') && reason.decision != "pass";
    let believed = reason.a.is_some_and(|a| (600_000..760_000).contains(&a));
    single && reason.name == "beaten_ppm" && believed && reason.b == Some(1_000_000)
}

#[test]
fn the_wrong_estimator_is_measured_captured_and_audited() {
    let (a, b) = (leaning(wrong()), leaning(right()));
    // measure: weaker.
    let plan = MatchPlan::new(SETUP(), 5, a.policy.clone(), b.policy.clone()).unwrap();
    let seeds = Seeds::<Exploration>::range(0, 256).unwrap();
    let tallies = run(&plan, &seeds, &Execution::default(), &mut Uncontrolled).unwrap();
    let estimate = mean_estimate(&a_sums(&tallies), denominator(5, 5), 50_000);
    let (_, high) = estimate.interval_micro.unwrap();
    assert!(high < 0, "{estimate:?}");
    // ablate: the term that the estimator feeds is the one that harms most.
    let (name, mean) = most_harm(&a);
    assert!(name == "EndgameBlock" && mean > 100_000, "{name} {mean}");
    // capture: the positions, and what the two believe there.
    let doc = captured(&a, &b);
    assert!(doc.differing > 0 && !doc.worst.is_empty());
    let beaten = doc.inputs.iter().find(|i| i.name == "beaten_ppm").unwrap();
    assert!(beaten.positions as usize > (doc.worst.len() + doc.best.len()) / 2);
    let kept = doc.worst.iter().chain(&doc.best);
    let named = kept.flat_map(|c| reasons(&c.a.candidates, &c.b.candidates));
    assert!(named.into_iter().any(|r| tells_the_fault(&r)));
    assert!(replay::<Lexio>(&doc).unwrap().is_empty());
    // calibrate audit: the input is wrong, not only different.
    let (mean, max) = single_errors(&a);
    assert!(mean > 10_000 && max > 240_000, "mean {mean}, max {max}");
}

#[test]
fn with_the_right_estimator_they_find_nothing() {
    let right = leaning(right());
    // measure: nothing to explain.
    let policy = || right.policy.clone();
    let plan = MatchPlan::new(SETUP(), 5, policy(), policy()).unwrap();
    let seeds = Seeds::<Exploration>::range(0, 16).unwrap();
    let tallies = run(&plan, &seeds, &Execution::default(), &mut Uncontrolled).unwrap();
    assert!(tallies.iter().all(|tally| tally.a.settlement == 0));
    // ablate: no term harms.
    assert_eq!(most_harm(&right), ("nothing".to_owned(), 0));
    // capture: no position.
    let doc = captured(&right, &right);
    assert_eq!((doc.differing, doc.loss_sum), (0, 0));
    // calibrate audit: singles are exact.
    assert_eq!(single_errors(&right), (0, 0));
}
