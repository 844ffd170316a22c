//! The certified line of a knob equals playing every single value of it.

use evenhand_contract::{SeedId, Split, Weights};
use evenhand_sim::{MatchPlan, NoObserver, Workspace, line_seed, play_seed};
use evenhand_testkit::{Toy, policy, setup};
use proptest::prelude::*;

fn plan(players: u8, rounds: u32, weights: &[i64], against: &str) -> MatchPlan<Toy> {
    let mut a = policy("smart");
    a.weights = Weights::new(a.row.knobs, weights).unwrap();
    MatchPlan::new(setup(players), rounds, a, policy(against)).unwrap()
}

fn brute(plan: &MatchPlan<Toy>, place: usize, value: i64, seed: SeedId) -> i64 {
    let mut at = plan.clone();
    at.a.weights = at.a.weights.with(at.a.row.knobs, place, value).unwrap();
    let mut workspace = Workspace::new(at.setup.players);
    let tally = play_seed(&at, Split::Rehearsal, seed, &mut workspace, &mut NoObserver);
    tally.unwrap().a.settlement
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_line_is_what_brute_force_finds_at_every_value(
        players in 2_u8..=4,
        rounds in 1_u32..=3,
        weights in prop::collection::vec(-60_i64..60, 5),
        place in 0_usize..5,
        number in 0_u64..1_000,
        against in prop::sample::select(vec!["easy", "eager", "smart"]),
    ) {
        let plan = plan(players, rounds, &weights, against);
        let seed = SeedId::number(number).unwrap();
        let mut workspace = Workspace::new(players);
        let range = (weights[place] - 40, weights[place] + 40);
        let line =
            line_seed(&plan, place, range, (Split::Rehearsal, seed), &mut workspace).unwrap();
        prop_assert_eq!(line.pieces[0].low, range.0);
        prop_assert_eq!(line.pieces[line.pieces.len() - 1].high, range.1);
        for pair in line.pieces.windows(2) {
            prop_assert_eq!(pair[0].high + 1, pair[1].low);
            prop_assert_ne!(pair[0].sum, pair[1].sum);
        }
        for value in range.0..=range.1 {
            prop_assert_eq!(line.at(value), Some(brute(&plan, place, value, seed)), "{}", value);
        }
        prop_assert!(line.rollouts <= line.units * 81);
    }
}

/// A knob that no decision reads costs one rollout a unit, however wide its range.
#[test]
fn a_knob_that_nothing_reads_costs_one_rollout_a_unit() {
    let plan = plan(3, 4, &[-1_000, 300, 200, 0, 0], "easy");
    let seed = SeedId::number(5).unwrap();
    let mut workspace = Workspace::new(3);
    let idle = 3;
    let line = line_seed(
        &plan,
        idle,
        (-4_000, 4_000),
        (Split::Rehearsal, seed),
        &mut workspace,
    )
    .unwrap();
    assert_eq!(line.rollouts, line.units);
    assert_eq!(line.units, 24, "six arrangements of four rounds");
    assert_eq!(line.pieces.len(), 1);
}

/// A policy that certifies nothing is played at every value, and is right all the same.
#[test]
fn a_silent_policy_is_played_at_every_value() {
    let mut a = policy("scatter");
    a.weights = Weights::new(a.row.knobs, &[10]).unwrap();
    let plan = MatchPlan::new(setup(2), 1, a, policy("easy")).unwrap();
    let seed = SeedId::number(7).unwrap();
    let mut workspace = Workspace::new(2);
    let line = line_seed(&plan, 0, (5, 20), (Split::Rehearsal, seed), &mut workspace).unwrap();
    for value in 5..=20 {
        assert_eq!(
            line.at(value),
            Some(brute(&plan, 0, value, seed)),
            "{value}"
        );
    }
    assert_eq!(line.rollouts, 16 * line.units);
}
