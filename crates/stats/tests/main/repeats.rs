use crate::Noise;
use evenhand_stats::{Alpha, Verdict, alpha_for_attempt, mean_estimate, superior};

const REPEATS: usize = 2_000;

#[test]
fn intervals_cover_the_truth_in_93_to_97_percent_of_repeats() {
    for (n, skewed) in [(5, false), (20, false), (64, true)] {
        let mut noise = Noise(n as u64);
        let covered = (0..REPEATS).filter(|_| {
            // Settlements are skewed: an exponential-like lump now and then, of mean zero.
            let draw = |noise: &mut Noise| {
                let lump = if skewed {
                    (noise.word().is_multiple_of(4)) as i64 * 3_000 - 750
                } else {
                    0
                };
                noise.normal() + lump
            };
            let values: Vec<i64> = (0..n).map(|_| draw(&mut noise)).collect();
            mean_estimate(&values, 25, 50_000)
                .interval_micro
                .is_some_and(|(low, high)| low <= 0 && 0 <= high)
        });
        let percent = covered.count() as f64 * 100.0 / REPEATS as f64;
        assert!((93.0..=97.0).contains(&percent), "n {n}: {percent} %");
    }
}

#[test]
fn a_test_errs_as_often_as_it_may() {
    let mut noise = Noise(99);
    let mut count = [0usize; 2];
    for _ in 0..REPEATS {
        let values: Vec<i64> = (0..20).map(|_| noise.normal()).collect();
        match superior(&values, 1, 0, Alpha::FIVE_PERCENT) {
            Verdict::Holds => count[0] += 1,
            Verdict::Fails => count[1] += 1,
            Verdict::Inconclusive => {}
        }
    }
    // 5 % of 2,000 is 100, four standard errors are 39.
    assert!(count.iter().all(|c| (61..=139).contains(c)), "{count:?}");
}

#[test]
fn attempts_together_err_in_less_than_five_percent() {
    let mut noise = Noise(7);
    let wrong = (0..REPEATS).filter(|_| {
        (1..=12).any(|k| {
            let values: Vec<i64> = (0..20).map(|_| noise.normal()).collect();
            superior(&values, 1, 0, alpha_for_attempt(k)) == Verdict::Holds
        })
    });
    let wrong = wrong.count();
    assert!((40..=139).contains(&wrong), "{wrong}");
}

#[test]
fn the_best_of_500_equals_shows_no_gain_on_fresh_values() {
    let mut noise = Noise(500);
    let mut sample = || (0..64).map(|_| noise.normal()).collect::<Vec<i64>>();
    let mut wrong = 0;
    for _ in 0..20 {
        let tuned: Vec<Vec<i64>> = (0..500).map(|_| sample()).collect();
        let best = tuned.iter().max_by_key(|v| v.iter().sum::<i64>()).unwrap();
        // On the values it was chosen by, it looks like a sure gain ...
        assert_eq!(superior(best, 1, 0, Alpha::FIVE_PERCENT), Verdict::Holds);
        // ... on fresh ones it is one of many equals, and only chance (one in twenty) says otherwise.
        wrong += usize::from(superior(&sample(), 1, 0, Alpha::FIVE_PERCENT) == Verdict::Holds);
    }
    assert!(wrong <= 4, "{wrong} of 20");
}
