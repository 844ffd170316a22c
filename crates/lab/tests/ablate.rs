//! Ablations and sweeps of the toy's tunable policy, whose knobs are known.

use evenhand_contract::{Policy, Weights};
use evenhand_lab::ablate::{
    Ablation, AlsoText, Finding, Flag, Line, Unchanged, What, ablation, sweep,
};
use evenhand_lab::field::{Field, Opponent};
use evenhand_sim::{Block, Control, Execution, Exploration, Seeds, Uncontrolled};
use evenhand_testkit::{Toy, policy, setup};
use std::error::Error;

const IDLE: usize = 3;
const TIE: usize = 4;

fn field() -> Field<Toy> {
    let opponent = |name: &str, share| Opponent {
        name: name.to_owned(),
        share,
        policy: policy(name),
    };
    Field {
        setup: setup(3),
        pool: vec![opponent("easy", 70), opponent("eager", 30)],
        rounds: 2,
    }
}

fn smart(weights: [i64; 5]) -> Policy<Toy> {
    let base = policy("smart");
    Policy {
        weights: Weights::new(base.row.knobs, &weights).unwrap(),
        ..base
    }
}

fn seeds(count: u64) -> Seeds<Exploration> {
    Seeds::range(0, count).unwrap()
}

fn ablated(policy: &Policy<Toy>, count: u64, workers: usize) -> Ablation {
    let execution = Execution::with_workers(workers);
    let mut found = ablation(
        &field(),
        policy,
        &[],
        &seeds(count),
        &execution,
        &mut Uncontrolled,
    )
    .unwrap();
    for line in &mut found.lines {
        line.more_seconds = None;
    }
    found
}

fn line<'a>(found: &'a Ablation, name: &str) -> &'a Line {
    found.lines.iter().find(|line| line.name == name).unwrap()
}

#[test]
fn what_no_decision_reads_is_exactly_zero_and_what_carries_is_shown() {
    let found = ablated(&smart([1_000, 800, -100, 500, 0]), 60, 2);
    assert!(found.valid);
    assert_eq!(found.lines.len(), 6, "five knobs and a stage");
    let idle = line(&found, "Idle");
    assert_eq!(idle.unchanged, Some(Unchanged::SameMoves));
    assert_eq!(idle.finding, Finding::NoDecisionChanged);
    assert_eq!(idle.difference.estimate.mean_micro, 0);
    assert_eq!(idle.difference.estimate.interval_micro, Some((0, 0)));
    assert_eq!(idle.metrics_micro, found.metrics_micro);
    let tie = line(&found, "Tie");
    assert_eq!(tie.unchanged, Some(Unchanged::AlreadyThere));
    assert_eq!((tie.value, tie.set_to), (Some(0), Some(0)));
    assert_eq!(tie.difference.holm_ppm, None, "it was never tested");
    let shed = line(&found, "Shed");
    assert_eq!(shed.finding, Finding::Carries, "{shed:?}");
    assert!(shed.difference.holm_ppm >= shed.difference.p_ppm);
    assert_eq!(shed.by_opponent.len(), 2);
    assert_eq!(line(&found, "out").what, What::Stage);
    // Most harmful first, the unchanged last.
    let changed: Vec<i64> = found
        .lines
        .iter()
        .take_while(|line| line.unchanged.is_none())
        .map(|line| line.difference.estimate.mean_micro)
        .collect();
    assert!(changed.len() >= 3 && changed.is_sorted(), "{changed:?}");
    assert!(
        found.lines[changed.len()..]
            .iter()
            .all(|l| l.unchanged.is_some())
    );
    for line in &found.lines {
        let open = line.finding == Finding::Inconclusive;
        assert_eq!(line.more_seeds.is_some(), open, "{line:?}");
    }
}

#[test]
fn a_variant_that_is_asked_for_is_what_its_parts_are_together() {
    let policy = smart([1_000, 800, -100, 500, 0]);
    let also = |text: &str| text.parse::<AlsoText>().unwrap().of(&policy);
    let asked = ["Shed=0", "out", "Shed=0,out", "Shed=1"].map(|text| also(text).unwrap());
    let execution = Execution::with_workers(2);
    let found = ablation(
        &field(),
        &policy,
        &asked,
        &seeds(40),
        &execution,
        &mut Uncontrolled,
    );
    let found = found.unwrap();
    assert_eq!(found.lines.len(), 6 + 4);
    let of = |what, name: &str| {
        let same = |line: &&Line| line.what == what && line.name == name;
        found.lines.iter().find(same).unwrap()
    };
    // Alone, a part is the line that stands in the list anyway.
    let mean = |line: &Line| line.difference.estimate.mean_micro;
    let (shed, out) = (of(What::Knob, "Shed"), of(What::Stage, "out"));
    assert_eq!(mean(of(What::Also, "Shed=0")), mean(shed));
    assert_eq!(mean(of(What::Also, "out")), mean(out));
    // Together they are what such a policy plays.
    let both = Policy {
        stages_off: 1,
        ..smart([0, 800, -100, 500, 0])
    };
    let play = |policy| {
        let played = field().play(policy, &seeds(40), &execution, &mut Uncontrolled);
        field().mixture(&played.unwrap()).iter().sum::<i64>()
    };
    let sum = play(&both) - play(&policy);
    let micro = i128::from(sum) * 1_000_000 / i128::from(40 * field().whole());
    let stated = i128::from(mean(of(What::Also, "Shed=0,out")));
    assert!((micro - stated).abs() <= 1, "{micro} {stated}");
    assert!(mean(shed) < 0 && mean(shed) != mean(of(What::Also, "Shed=0,out")));
    assert_eq!(
        of(What::Also, "Shed=1").unchanged,
        Some(Unchanged::AlreadyThere)
    );
    // What cannot be read, or is not this policy's, is said with its name.
    assert!("Shed=1,".parse::<AlsoText>().is_err() && "".parse::<AlsoText>().is_err());
    for (text, says) in [
        ("Shod=1", "no knob \"Shod\"; it has: Shed"),
        ("in", "no stage \"in\"; it has: out"),
        ("Shed=9999", "outside"),
        ("a.Shed=1", "no sides"),
    ] {
        let error = also(text).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains(text), "{error}");
    }
}

/// Counts the seeds that are played.
#[derive(Default)]
struct Spent(u64);

impl Control for Spent {
    fn block(
        &mut self,
        block: &Block,
        _finished: usize,
        _total: usize,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.0 += block.tallies.len() as u64;
        Ok(())
    }
}

#[test]
fn no_seed_is_spent_on_what_changes_no_decision() {
    let execution = Execution::with_workers(2);
    let (opponents, count) = (2, 6);
    let mut spent = Spent::default();
    let policy = smart([1_000, 800, -100, 500, 0]);
    let found = ablation(
        &field(),
        &policy,
        &[],
        &seeds(count),
        &execution,
        &mut spent,
    )
    .unwrap();
    let changed = found.lines.iter().filter(|l| l.unchanged.is_none()).count() as u64;
    assert!(
        (3..=4).contains(&changed) && found.lines.len() == 6,
        "neither Idle nor Tie"
    );
    assert_eq!(spent.0, (1 + changed) * opponents * count);
    // Every line that was not played would have come to exactly the same: played, they do.
    let full = field()
        .play(&policy, &seeds(count), &execution, &mut Uncontrolled)
        .unwrap();
    let idle = smart([1_000, 800, -100, 0, 0]);
    let played = field()
        .play(&idle, &seeds(count), &execution, &mut Uncontrolled)
        .unwrap();
    assert!(played.same_moves(&full) && played.against == full.against);
    // A sweep of such a knob plays the present value and nothing else.
    let mut spent = Spent::default();
    let found = sweep(
        &field(),
        &policy,
        IDLE,
        &seeds(count),
        &execution,
        &mut spent,
    )
    .unwrap();
    assert_eq!(found.flags, [Flag::NoDecisionChanged]);
    assert!(found.points.len() > 20);
    assert_eq!(spent.0, opponents * count);
    for point in &found.points {
        assert_eq!(point.difference.estimate.mean_micro, 0);
        assert_eq!(point.difference.estimate.interval_micro, Some((0, 0)));
    }
}

#[test]
fn a_knob_that_harms_is_told_from_one_that_carries() {
    // Strong cards spent first lose; without that the policy is stronger.
    let found = ablated(&smart([1_000, 0, 4_000, 0, 0]), 60, 2);
    let spend = line(&found, "Spend");
    assert_eq!(spend.finding, Finding::Harms, "{spend:?}");
    assert!(spend.difference.estimate.mean_micro > 0);
}

#[test]
fn workers_change_nothing() {
    let policy = smart([1_000, 800, -100, 500, 10]);
    let expected = ablated(&policy, 9, 1);
    for workers in [2, 3, 5] {
        assert_eq!(ablated(&policy, 9, workers), expected, "{workers} workers");
    }
}

#[test]
fn one_seed_shows_nothing_and_says_so() {
    let found = ablated(&smart([1_000, 800, -100, 500, 0]), 1, 1);
    assert!(found.full.interval_micro.is_none());
    for line in &found.lines {
        let nothing = [Finding::Inconclusive, Finding::NoDecisionChanged];
        assert!(nothing.contains(&line.finding), "{line:?}");
        assert_eq!(line.more_seeds, None);
    }
}

fn flags(policy: &Policy<Toy>, place: usize, count: u64) -> Vec<Flag> {
    let execution = Execution::with_workers(2);
    let control = &mut Uncontrolled;
    let found = sweep(&field(), policy, place, &seeds(count), &execution, control).unwrap();
    assert!(found.valid && found.points.is_sorted_by_key(|p| p.value));
    let present = policy.weights.values()[place];
    let now = found.points.iter().find(|p| p.value == present).unwrap();
    assert_eq!(now.difference.estimate.mean_micro, 0);
    found.flags
}

#[test]
fn responses_are_told_apart() {
    let mut policy = smart([1_000, 0, 0, 0, 0]);
    assert_eq!(flags(&policy, IDLE, 6), [Flag::NoDecisionChanged]);
    assert_eq!(flags(&policy, TIE, 60), [Flag::StepAtZeroOnly]);
    // With two seeds nothing is shown of a knob that changes moves.
    assert_eq!(flags(&policy, TIE, 2), [Flag::Flat]);
    policy = smart([1_000, 0, -1_000, 0, 0]);
    let shed = flags(&policy, 0, 60);
    assert!(
        !shed.contains(&Flag::Flat) && !shed.contains(&Flag::NoDecisionChanged),
        "{shed:?}"
    );
}
