//! The walk on closure objectives, without a game.

use evenhand_tune::{Axis, Journal, Proposal, Rules, Step, Walked, next_step};

fn axes() -> Vec<Axis> {
    ["hill", "noop", "sign"]
        .into_iter()
        .map(|name| Axis {
            name: name.to_owned(),
            low: -2_000,
            high: 2_000,
            step: 400,
        })
        .collect()
}

fn rules() -> Rules {
    Rules {
        sweeps: 4,
        accept_t_milli: 1_000,
        seeds: 32,
        screen: 8,
        max_evaluations: None,
    }
}

/// A hill at 730 with noise a seed that differs from value to value, a knob that does nothing,
/// and one of which the sign alone matters.
fn value(point: &[i64], seed: i64) -> i64 {
    let noise = (point[0] * 7919 + seed * 104_729).rem_euclid(1_009) - 504;
    -(point[0] - 730).pow(2) / 10 + noise + 300 * point[2].signum() * (seed % 3 - 1)
        - 50 * i64::from(point[2] < 0)
}

fn play(journal: &mut Journal, proposal: &Proposal) {
    let known = journal.entry(proposal.point.clone()).or_default();
    assert_eq!(known.values.len(), proposal.from);
    let fresh: Vec<i64> = (proposal.from..proposal.to)
        .map(|seed| value(&proposal.point, seed as i64))
        .collect();
    known.parts.push(format!("{fresh:?}"));
    known.values.extend(fresh);
}

fn walk(axes: &[Axis], rules: &Rules, start: &[i64]) -> (Walked, Vec<Proposal>, Journal) {
    let mut journal = Journal::new();
    let mut order = Vec::new();
    loop {
        match next_step(axes, rules, start, &journal) {
            Step::Evaluate(proposal) => {
                play(&mut journal, &proposal);
                order.push(proposal);
            }
            Step::Done(walked) => return (*walked, order, journal),
        }
    }
}

#[test]
fn climbs_the_hill() {
    for start in [0, -1_900, 2_000] {
        let (walked, _, _) = walk(&axes(), &rules(), &[start, 0, 5]);
        assert!((walked.best[0] - 730).abs() < 100, "{walked:?}");
        assert_eq!(walked.best[1], 0, "a knob that does nothing stays");
        assert_eq!(walked.best[2], 5, "ties keep the current point");
    }
}

#[test]
fn flags_what_does_nothing_and_what_breaks_ties() {
    let (walked, _, _) = walk(&axes(), &rules(), &[0, 0, 5]);
    assert_eq!(walked.flat, [false, true, false]);
    let steps: Vec<bool> = walked
        .curves
        .iter()
        .map(|c| c.steps_only_at_zero())
        .collect();
    assert_eq!(steps, [false, false, true]);
    for response in &walked.curves[1].responses {
        assert_eq!((response.paired.sum, response.paired.squares), (0, 0));
    }
}

#[test]
fn resuming_anywhere_takes_the_same_walk() {
    let (axes, rules) = (axes(), rules());
    let (whole, order, _) = walk(&axes, &rules, &[0, 0, 5]);
    for kept in 0..order.len() {
        let mut journal = Journal::new();
        for proposal in &order[..kept] {
            play(&mut journal, proposal);
        }
        let mut rest = Vec::new();
        let walked = loop {
            match next_step(&axes, &rules, &[0, 0, 5], &journal) {
                Step::Evaluate(proposal) => {
                    play(&mut journal, &proposal);
                    rest.push(proposal);
                }
                Step::Done(walked) => break *walked,
            }
        };
        assert_eq!(walked, whole);
        assert_eq!(rest, order[kept..]);
    }
}

#[test]
fn no_point_is_played_twice_and_none_is_out_of_bounds() {
    let (_, order, journal) = walk(&axes(), &rules(), &[1_999, -2_000, 0]);
    let played: usize = order.iter().map(|p| p.to - p.from).sum();
    let known: usize = journal.values().map(|k| k.values.len()).sum();
    assert_eq!(played, known);
    assert!(
        journal
            .keys()
            .flatten()
            .all(|v| (-2_000..=2_000).contains(v))
    );
}

#[test]
fn the_budget_is_a_total() {
    let rules = Rules {
        max_evaluations: Some(11),
        ..rules()
    };
    let (whole, order, journal) = walk(&axes(), &rules, &[0, 0, 5]);
    assert!(whole.out_of_budget);
    assert_eq!((whole.evaluations, journal.len()), (11, 11));
    let mut journal = Journal::new();
    for proposal in &order[..order.len() / 2] {
        play(&mut journal, proposal);
    }
    while let Step::Evaluate(proposal) = next_step(&axes(), &rules, &[0, 0, 5], &journal) {
        play(&mut journal, &proposal);
    }
    assert_eq!(journal.len(), 11);
}

#[test]
fn steps_halve_and_never_fall_below_one() {
    let mut one = axes();
    one.truncate(1);
    one[0].step = 2;
    let rules = Rules {
        sweeps: 9,
        ..rules()
    };
    let mut journal = Journal::new();
    while let Step::Evaluate(proposal) = next_step(&one, &rules, &[730], &journal) {
        let known = journal.entry(proposal.point.clone()).or_default();
        let fresh: Vec<i64> = (proposal.from..proposal.to)
            .map(|_| -(proposal.point[0] - 730).pow(2))
            .collect();
        known.parts.push(format!("{fresh:?}"));
        known.values.extend(fresh);
    }
    let seen: Vec<i64> = journal.keys().map(|p| p[0]).collect();
    assert!(seen.contains(&731) && seen.contains(&729), "{seen:?}");
}
