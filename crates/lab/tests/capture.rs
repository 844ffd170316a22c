//! Captures of the toy: complete, replayable, the same bytes whatever the workers.

use evenhand_artifact::{Document, decode, encode};
use evenhand_cli::load::{Loaded, defaults};
use evenhand_contract::{Border, BySeat, Policy, Seat, Weights};
use evenhand_lab::capture::{CapturesDoc, Pair, Player, capture, replay, slowest};
use evenhand_lab::field::{Field, Opponent};
use evenhand_sim::{Execution, Exploration, Observer, Place, Seeds, Uncontrolled, run_observed};
use evenhand_testkit::{State, Toy, policy, setup};
use std::collections::BTreeMap;

fn field() -> Field<Toy> {
    let opponent = |name: &str, share| Opponent {
        name: name.to_owned(),
        share,
        policy: policy(name),
    };
    Field {
        setup: setup(3),
        pool: vec![opponent("easy", 50), opponent("eager", 50)],
        rounds: 2,
    }
}

fn smart(weights: [i64; 5]) -> Loaded<Toy> {
    let mut loaded = defaults::<Toy>("smart").unwrap();
    loaded.policy.weights = Weights::new(loaded.policy.row.knobs, &weights).unwrap();
    loaded
}

fn seeds() -> Seeds<Exploration> {
    Seeds::range(3, 10).unwrap()
}

fn captured(a: &Loaded<Toy>, b: &Loaded<Toy>, workers: usize) -> CapturesDoc {
    let execution = Execution {
        block: 1,
        ..Execution::with_workers(workers)
    };
    let pair = Pair { a, b };
    capture(&field(), &pair, &seeds(), 20, &execution, &mut Uncontrolled).unwrap()
}

const GOOD: [i64; 5] = [1_000, 800, -100, 0, 0];
const BAD: [i64; 5] = [-1_000, 0, 500, 0, 0];

#[test]
fn captures_are_complete_and_replay() {
    let doc = captured(&smart(BAD), &smart(GOOD), 2);
    assert_eq!(doc.worst.len(), 10);
    assert!(
        !doc.best.is_empty(),
        "some losses of the weaker one are good luck"
    );
    assert!(doc.differing >= 20 && doc.decisions > doc.differing);
    assert!(doc.loss_sum > 0, "the weaker one loses where they differ");
    let losses: Vec<i64> = doc.worst.iter().map(|c| -c.loss).collect();
    assert!(losses.is_sorted() && losses.iter().all(|&l| l < 0));
    let gains: Vec<i64> = doc.best.iter().map(|c| c.loss).collect();
    assert!(gains.is_sorted() && gains.iter().all(|&l| l < 0));
    for capture in doc.worst.iter().chain(&doc.best) {
        assert_ne!(capture.a.decision, capture.b.decision);
        assert_eq!(capture.loss, capture.points_b - capture.points_a);
        for choice in [&capture.a, &capture.b] {
            assert!(capture.legal.contains(&choice.decision));
            if choice.stage == "score" {
                assert_eq!(choice.candidates.len(), capture.legal.len());
            }
        }
        let view = Toy::parse_view(&serde_json::to_value(&capture.view).unwrap()).unwrap();
        assert_eq!(Toy::unseen_text(&view), capture.unseen);
        assert_eq!(view.seat, Seat(capture.seat));
        assert!(capture.redealt_interval_micro.is_some());
    }
    let text = encode(&doc).unwrap();
    let read: CapturesDoc = decode("captures.json", text.as_bytes()).unwrap();
    assert_eq!(read, doc);
    assert_eq!(replay::<Toy>(&read).unwrap(), Vec::<String>::new());
}

#[test]
fn a_replay_says_what_moved() {
    let doc = captured(&smart(BAD), &smart(GOOD), 2);
    let mut other = doc.clone();
    other.b.knobs[0].value = -4_000;
    let moved = replay::<Toy>(&other).unwrap();
    assert!(moved.iter().any(|m| m.contains("now plays")), "{moved:?}");
    let mut other = doc.clone();
    other.worst[0].a.candidates[0].total += 1;
    let moved = replay::<Toy>(&other).unwrap();
    assert_eq!(moved.len(), 1);
    assert!(moved[0].contains("total of"), "{moved:?}");
    let mut other = doc;
    other.a.knobs[1].name = "Leed".to_owned();
    assert!(replay::<Toy>(&other).is_err());
}

#[test]
fn the_same_policy_differs_nowhere() {
    let doc = captured(&smart(GOOD), &smart(GOOD), 2);
    assert_eq!((doc.differing, doc.loss_sum), (0, 0));
    assert!(doc.worst.is_empty() && doc.best.is_empty() && doc.inputs.is_empty());
    assert!(doc.decisions > 0);
}

#[test]
fn workers_change_no_byte() {
    let (a, b) = (smart(BAD), smart(GOOD));
    let expected = encode(&captured(&a, &b, 1)).unwrap();
    for workers in [2, 3, 5] {
        assert_eq!(encode(&captured(&a, &b, workers)).unwrap(), expected);
    }
}

/// Settlements by arrangement, round and seat.
#[derive(Default)]
struct Ends(BTreeMap<(u32, u32, u8), i64>);

impl Observer<Toy> for Ends {
    fn round_end(&mut self, at: &Place, _end: &State, settlement: &BySeat<i64>) {
        for (seat, &points) in settlement.iter() {
            self.0.insert((at.arrangement, at.round, seat.0), points);
        }
    }
}

/// Settlements of A against one opponent, by seed, then as in [`Ends`].
fn ends(a: &Policy<Toy>, opponent: &str) -> BTreeMap<String, Ends> {
    let field = field();
    let against = field.pool.iter().find(|o| o.name == opponent).unwrap();
    let plan = field.plan(a, against).unwrap();
    let mut all = Vec::new();
    let (execution, control) = (Execution::with_workers(1), &mut Uncontrolled);
    let make = |_: &_| Ends::default();
    run_observed(&plan, &seeds(), &execution, control, make, &mut |e| {
        all.push(e)
    })
    .unwrap();
    let names = seeds()
        .ids()
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    names.into_iter().zip(all).collect()
}

#[test]
fn points_are_those_of_the_round() {
    let (a, b) = (smart(BAD), smart(GOOD));
    let doc = captured(&a, &b, 2);
    for opponent in ["easy", "eager"] {
        let ends = ends(&a.policy, opponent);
        for c in doc.worst.iter().chain(&doc.best) {
            if c.against == opponent {
                let key = (c.arrangement, c.round, c.seat);
                assert_eq!(ends[&c.seed].0[&key], c.points_a);
            }
        }
    }
    // Where A was alone and decided for the first time in the round, B's points are those of a
    // round in which B sat there from the start.
    let mut checked = 0;
    let by_b = ["easy", "eager"].map(|o| (o, ends(&b.policy, o)));
    for c in doc.worst.iter().chain(&doc.best) {
        let view = Toy::parse_view(&serde_json::to_value(&c.view).unwrap()).unwrap();
        let first = view.hand.len() == evenhand_testkit::deck(3).len() / 3 && c.round == 1;
        if first && c.arrangement == u32::from(c.seat) {
            let (_, ends) = by_b.iter().find(|(o, _)| *o == c.against).unwrap();
            assert_eq!(ends[&c.seed].0[&(c.arrangement, 1, c.seat)], c.points_b);
            checked += 1;
        }
    }
    assert!(checked > 0, "no such position among those kept");
}

#[test]
fn the_slowest_positions_are_those_with_the_most_work() {
    let a = smart(GOOD);
    let player = Player::of(&a.policy, "smart".to_owned());
    let doc = slowest(&field(), &a.policy, player, 5, &seeds(), &mut Uncontrolled).unwrap();
    assert_eq!((doc.by_work.len(), doc.by_time.len()), (5, 5));
    assert!(doc.by_work.is_sorted_by_key(|s| std::cmp::Reverse(s.work)));
    assert!(doc.by_time.is_sorted_by_key(|s| std::cmp::Reverse(s.nanos)));
    let plans = field()
        .pool
        .iter()
        .map(|o| field().plan(&a.policy, o).unwrap())
        .collect::<Vec<_>>();
    let most = plans.iter().map(|plan| {
        let execution = Execution::with_workers(1);
        let tallies = evenhand_sim::run(plan, &seeds(), &execution, &mut Uncontrolled).unwrap();
        evenhand_sim::Totals::of(&tallies).a.work_max
    });
    assert_eq!(Some(doc.by_work[0].work), most.max());
    assert!(encode(&doc).is_ok() && doc.broken_rules().is_empty());
}
