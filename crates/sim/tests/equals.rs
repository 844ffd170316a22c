//! Many different policies of equal strength: choosing the best of them is no gain, and intervals
//! cover the truth as often as they say.

use evenhand_contract::{Policy, SeedId, Weights};
use evenhand_sim::{
    Execution, Exploration, MatchPlan, SeedTally, Seeds, SeedsError, SplitKind, Tuning,
    Uncontrolled, a_sums, denominator, run,
};
use evenhand_stats::{Alpha, Verdict, mean_estimate, superior};
use evenhand_testkit::{Toy, policy, setup};

const POLICIES: i64 = 500;
const PLAYERS: u8 = 3;

/// Plays a legal move that a salted hash picks: as many different policies as salts, none of which
/// knows anything.
fn salted(salt: i64) -> Policy<Toy> {
    let base = policy("scatter");
    Policy {
        weights: Weights::new(base.row.knobs, &[salt]).unwrap(),
        ..base
    }
}

fn play<S: SplitKind>(salt: i64, first: u64, count: u64) -> Vec<SeedTally> {
    let plan = MatchPlan::new(setup(PLAYERS), 1, salted(salt), salted(0)).unwrap();
    let seeds = Seeds::<S>::range(first, count).unwrap();
    run(
        &plan,
        &seeds,
        &Execution::with_workers(2),
        &mut Uncontrolled,
    )
    .unwrap()
}

#[test]
fn the_best_of_500_equals_shows_no_gain_on_fresh_seeds() {
    let tuned: Vec<Vec<i64>> = (1..=POLICIES)
        .map(|salt| a_sums(&play::<Tuning>(salt, 1, 32)))
        .collect();
    let mut order: Vec<usize> = (0..tuned.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(tuned[i].iter().sum::<i64>()));
    let whole = denominator(PLAYERS, 1);
    // They are different policies, and on the seeds that chose it the best looks like a sure gain.
    let mut sums: Vec<&Vec<i64>> = tuned.iter().collect();
    sums.sort_unstable();
    sums.dedup();
    assert_eq!(
        sums.len() as i64,
        POLICIES,
        "every policy plays differently"
    );
    let best = &tuned[order[0]];
    assert_eq!(
        superior(best, whole, 0, Alpha::FIVE_PERCENT),
        Verdict::Holds
    );
    // Fresh seeds say of the best that it is one of many equals ...
    let fresh = |place: usize| {
        let salt = order[place] as i64 + 1;
        a_sums(&play::<Exploration>(salt, 1_000, 1_000))
    };
    let again = fresh(0);
    assert_ne!(
        superior(&again, whole, 0, Alpha::FIVE_PERCENT),
        Verdict::Holds
    );
    let (low, high) = mean_estimate(&again, whole, 50_000).interval_micro.unwrap();
    assert!(low <= 0 && 0 <= high, "{low} to {high}");
    // ... and of the best forty, that chance alone (one in twenty) calls a few a gain.
    let gains = (0..40)
        .filter(|&place| superior(&fresh(place), whole, 0, Alpha::FIVE_PERCENT) == Verdict::Holds);
    let gains = gains.count();
    assert!(gains <= 6, "{gains} of 40");
}

#[test]
fn intervals_cover_the_truth_in_93_to_97_percent_of_repeats() {
    let whole = denominator(PLAYERS, 1);
    for (count, repeats) in [(8, 4), (24, 4)] {
        let (mut covered, mut all) = (0, 0);
        for repeat in 0..repeats {
            for salt in 1..=POLICIES {
                // Deals of its own for every policy and repeat, so that repeats are independent.
                let first = (repeat * POLICIES + salt) as u64 * count;
                let sums = a_sums(&play::<Exploration>(salt, first, count));
                let (low, high) = mean_estimate(&sums, whole, 50_000).interval_micro.unwrap();
                covered += u32::from(low <= 0 && 0 <= high);
                all += 1;
            }
        }
        let percent = f64::from(covered) * 100.0 / f64::from(all);
        assert!(
            (93.0..=97.0).contains(&percent),
            "{count} seeds: {percent} % of {all}"
        );
    }
}

#[test]
fn repeating_deals_does_not_shrink_an_interval() {
    use evenhand_stats::clustered_estimate;
    let whole = denominator(PLAYERS, 1);
    let tallies = play::<Exploration>(7, 0, 30);
    let once = mean_estimate(&a_sums(&tallies), whole, 50_000);
    let repeated: Vec<(String, i64)> = (0..10)
        .flat_map(|_| play::<Exploration>(7, 0, 30))
        .map(|tally| (tally.seed, tally.a.settlement))
        .collect();
    let ten = clustered_estimate(repeated, whole, Alpha::FIVE_PERCENT).unwrap();
    assert_eq!(ten, once);
    // And a plan refuses to count a seed twice to begin with.
    let seed = SeedId::number(7).unwrap();
    let twice = Seeds::<Exploration>::list(vec![seed, seed]);
    assert_eq!(twice, Err(SeedsError::Duplicate("7".to_owned())));
}
