//! The duplicate schedule and its sums; nothing of how a run is carried out changes a byte.

use evenhand_contract::{Seat, SeedId, Split};
use evenhand_sim::{
    BlockOrder, Execution, MatchPlan, Rehearsal, SeedTally, Seeds, Side, Totals, Uncontrolled,
    a_sums, denominator, digest, run, sides_of,
};
use evenhand_testkit::{Toy, policy, setup};
use proptest::prelude::*;

fn plan(players: u8, rounds: u32, a: &str, b: &str) -> MatchPlan<Toy> {
    MatchPlan::new(setup(players), rounds, policy(a), policy(b)).unwrap()
}

fn seeds(first: u64, count: u64) -> Seeds<Rehearsal> {
    Seeds::range(first, count).unwrap()
}

fn tallies(plan: &MatchPlan<Toy>, seeds: &Seeds<Rehearsal>, workers: usize) -> Vec<SeedTally> {
    let execution = Execution::with_workers(workers);
    run(plan, seeds, &execution, &mut Uncontrolled).unwrap()
}

#[test]
fn one_policy_against_itself_is_zero_on_every_seed() {
    for players in 2..=4 {
        for name in ["easy", "eager", "smart", "scatter", "passer"] {
            let tallies = tallies(&plan(players, 3, name, name), &seeds(0, 20), 1);
            assert_eq!(a_sums(&tallies), vec![0; 20], "{name}, {players} players");
            for tally in &tallies {
                assert_eq!(tally.a, tally.b);
            }
        }
    }
}

#[test]
fn different_policies_do_differ() {
    let tallies = tallies(&plan(3, 3, "eager", "easy"), &seeds(0, 20), 1);
    assert!(a_sums(&tallies).iter().any(|&sum| sum != 0));
}

#[test]
fn the_focal_seat_rotates_in_both_directions() {
    for players in 2..=4_u8 {
        for focal in 0..players {
            let lone_a = sides_of(players, u32::from(focal));
            let lone_b = sides_of(players, u32::from(players + focal));
            for seat in Seat::all(players) {
                let is_focal = seat.0 == focal;
                assert_eq!(lone_a[seat] == Side::A, is_focal);
                assert_eq!(lone_b[seat] == Side::B, is_focal);
            }
        }
    }
}

#[test]
fn counts_follow_from_the_schedule() {
    for players in 2..=4_u8 {
        let rounds = 5;
        let n = u64::from(players);
        let tallies = tallies(&plan(players, rounds, "smart", "easy"), &seeds(7, 6), 2);
        for tally in &tallies {
            assert_eq!(tally.matches, 2 * n);
            assert_eq!(tally.rounds, 2 * n * u64::from(rounds));
            for side in Side::ALL {
                let side = tally.side(side);
                assert_eq!(side.seat_rounds, n * n * u64::from(rounds));
                assert_eq!(side.seat_rounds as i64, denominator(players, rounds));
                assert_eq!(side.by_seat.iter().sum::<i64>(), side.settlement);
            }
            assert_eq!(tally.a.settlement + tally.b.settlement, 0);
            // Each round has one winner, whichever side it is on.
            assert_eq!(tally.a.metrics[1] + tally.b.metrics[1], tally.rounds as i64);
        }
        let totals = Totals::of(&tallies);
        assert_eq!(totals.seeds, 6);
        assert_eq!(totals.a.settlement, a_sums(&tallies).iter().sum::<i64>());
        assert!(totals.valid() && totals.a.decisions > 0);
    }
}

#[test]
fn workers_blocks_and_their_order_change_nothing() {
    for plan in [plan(3, 3, "smart", "eager"), plan(2, 1, "scatter", "easy")] {
        let seeds = seeds(100, 41);
        let expected = tallies(&plan, &seeds, 1);
        for workers in [1, 2, 3, 5, 7, 8] {
            for block in [1, 2, 7, 40, 41, 1000] {
                for order in [
                    BlockOrder::Listed,
                    BlockOrder::Reversed,
                    BlockOrder::Shuffled(workers as u64),
                ] {
                    let execution = Execution {
                        workers,
                        block,
                        order,
                    };
                    let found = run(&plan, &seeds, &execution, &mut Uncontrolled).unwrap();
                    assert_eq!(found, expected, "{execution:?}");
                    assert_eq!(digest(&found), digest(&expected));
                }
            }
        }
    }
}

#[test]
fn a_policy_that_reads_a_counter_gives_another_digest() {
    let plan = plan(3, 3, "counter", "easy");
    let first = digest(&tallies(&plan, &seeds(0, 20), 1));
    let second = digest(&tallies(&plan, &seeds(0, 20), 1));
    assert_ne!(first, second);
}

#[test]
fn seeds_are_played_alike_alone_and_in_company() {
    let plan = plan(4, 2, "smart", "easy");
    let all = tallies(&plan, &seeds(0, 12), 3);
    for seed in 0..12 {
        assert_eq!(tallies(&plan, &seeds(seed, 1), 1)[0], all[seed as usize]);
    }
    let reversed = Seeds::list((0..12).rev().map(SeedId::Number).collect()).unwrap();
    let mut backwards = tallies(&plan, &reversed, 2);
    backwards.reverse();
    assert_eq!(backwards, all);
}

#[test]
fn a_match_of_more_rounds_begins_like_a_shorter_one() {
    // Without a carry a match of three rounds is the first round, plus two more.
    let one = tallies(&plan(3, 1, "smart", "easy"), &seeds(3, 1), 1);
    let three = tallies(&plan(3, 3, "smart", "easy"), &seeds(3, 1), 1);
    assert_eq!(three[0].rounds, 3 * one[0].rounds);
    assert_ne!(three[0].a.settlement_squares, one[0].a.settlement_squares);
}

#[test]
fn what_a_match_carries_stays_in_its_arrangement() {
    let mut carrying = plan(3, 4, "eager", "easy");
    carrying.setup.rules = "lead=winner".parse().unwrap();
    let plain = tallies(&plan(3, 4, "eager", "easy"), &seeds(0, 30), 1);
    let carried = tallies(&carrying, &seeds(0, 30), 1);
    assert_ne!(
        digest(&plain),
        digest(&carried),
        "the carry decides who leads"
    );
    assert_eq!(carried, tallies(&carrying, &seeds(0, 30), 5));
    // The first round knows no winner yet.
    let mut one = carrying.clone();
    one.rounds = 1;
    let first = tallies(&one, &seeds(0, 30), 1);
    assert_eq!(
        first,
        tallies(&plan(3, 1, "eager", "easy"), &seeds(0, 30), 1)
    );
    // In a field of equals every arrangement of a seed is the same match: a carry that leaked from
    // one arrangement into the next would tell them apart.
    carrying.b = carrying.a.clone();
    for tally in tallies(&carrying, &seeds(0, 30), 1) {
        assert_eq!(tally.a, tally.b);
        let n = 3;
        for seat in 0..n {
            assert_eq!(tally.a.by_seat[seat] % n as i64, 0, "{tally:?}");
        }
    }
}

#[test]
fn splits_do_not_share_deals() {
    use evenhand_sim::{Calibration, Exploration, HeldOut, Tuning, deal_hashes, shared_deals};
    let table = setup(4);
    let lists = [
        deal_hashes(&table, &Seeds::<Tuning>::range(0, 50).unwrap(), 3),
        deal_hashes(&table, &Seeds::<HeldOut>::range(0, 50).unwrap(), 3),
        deal_hashes(&table, &Seeds::<Calibration>::range(0, 50).unwrap(), 3),
        deal_hashes(&table, &Seeds::<Exploration>::range(0, 50).unwrap(), 3),
        deal_hashes(&table, &Seeds::<Rehearsal>::range(0, 50).unwrap(), 3),
    ];
    for (i, some) in lists.iter().enumerate() {
        assert_eq!(some.len(), 150);
        for (j, others) in lists.iter().enumerate() {
            let expected = if i == j { 150 } else { 0 };
            assert_eq!(shared_deals(some, others).len(), expected, "{i} and {j}");
        }
    }
    assert_eq!(Split::ALL.len(), lists.len());
}

#[test]
fn the_seeds_split_decides_what_is_dealt() {
    use evenhand_sim::{Calibration, Exploration, HeldOut, SplitKind, Tuning};
    fn under<S: SplitKind>() -> Vec<SeedTally> {
        let plan = plan(3, 2, "smart", "easy");
        let seeds = Seeds::<S>::range(0, 8).unwrap();
        run(
            &plan,
            &seeds,
            &Execution::with_workers(1),
            &mut Uncontrolled,
        )
        .unwrap()
    }
    let digests: std::collections::BTreeSet<String> = [
        under::<Tuning>(),
        under::<HeldOut>(),
        under::<Calibration>(),
        under::<Exploration>(),
        under::<Rehearsal>(),
    ]
    .iter()
    .map(|tallies| digest(tallies))
    .collect();
    assert_eq!(digests.len(), 5);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn tallies_of_parts_add_up_to_those_of_the_whole(cut in 1..11_u64, players in 2..=4_u8) {
        let plan = plan(players, 2, "smart", "eager");
        let whole = tallies(&plan, &seeds(50, 12), 2);
        let mut parts = tallies(&plan, &seeds(50, cut), 1);
        parts.extend(tallies(&plan, &seeds(50 + cut, 12 - cut), 1));
        prop_assert_eq!(Totals::of(&parts), Totals::of(&whole));
        prop_assert_eq!(digest(&parts), digest(&whole));
    }

    #[test]
    fn the_digest_sees_every_number(field in 0..9_usize, seed in 0..3_usize) {
        let mut changed = tallies(&plan(2, 1, "smart", "easy"), &seeds(0, 3), 1);
        let before = digest(&changed);
        let side = &mut changed[seed].b;
        match field {
            0 => side.settlement += 1,
            1 => side.settlement_squares += 1,
            2 => side.seat_rounds += 1,
            3 => side.by_seat[1] += 1,
            4 => side.metrics[2] += 1,
            5 => side.decisions += 1,
            6 => side.fallbacks[3] += 1,
            7 => side.work_sum += 1,
            _ => side.work_max += 1,
        }
        prop_assert_ne!(digest(&changed), before);
    }
}
