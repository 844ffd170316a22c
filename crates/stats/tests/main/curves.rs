use evenhand_stats::{Alpha, ReliabilityPoint, Step, brier_ppm, isotonic, reliability};
use proptest::prelude::*;

/// The min-max formula: the fit at i is the largest over a <= i of the smallest over b >= i of the mean of a..=b.
fn min_max(points: &[(u64, u64)], i: usize) -> (u128, u128) {
    let mean = |a: usize, b: usize| {
        points[a..=b].iter().fold((0u128, 0u128), |(h, w), p| {
            (h + u128::from(p.1), w + u128::from(p.0))
        })
    };
    let less = |x: (u128, u128), y: (u128, u128)| x.0 * y.1 < y.0 * x.1;
    let inner = |a: usize| {
        (i..points.len())
            .map(|b| mean(a, b))
            .reduce(|x, y| if less(y, x) { y } else { x })
            .unwrap()
    };
    (0..=i)
        .map(inner)
        .reduce(|x, y| if less(x, y) { y } else { x })
        .unwrap()
}

proptest! {
    #[test]
    fn isotonic_is_the_min_max_formula(data in prop::collection::vec((1u64..30, 0u64..30), 1..14)) {
        let data: Vec<(u64, u64)> = data.into_iter().map(|(w, h)| (w, h.min(w))).collect();
        let points: Vec<_> = data.iter().enumerate().map(|(i, &(w, h))| (i as i64 * 3, w, h)).collect();
        let steps = isotonic(&points);
        for i in 0..data.len() {
            let x = i as i64 * 3;
            let step = steps.iter().find(|s| s.x_low <= x && x <= s.x_high).unwrap();
            let (hits, weight) = min_max(&data, i);
            prop_assert_eq!(u128::from(step.hits) * weight, hits * u128::from(step.weight));
        }
    }

    #[test]
    fn laws_of_the_fit(mut points in prop::collection::vec((-8i64..8, 0u64..9, 0u64..9), 0..30)) {
        for p in &mut points { p.2 = p.2.min(p.1); }
        let steps = isotonic(&points);
        let rising = |s: &[Step]| s[0].hits * s[1].weight < s[1].hits * s[0].weight && s[0].x_high < s[1].x_low;
        prop_assert!(steps.windows(2).all(rising));
        prop_assert_eq!(steps.iter().map(|s| s.weight).sum::<u64>(), points.iter().map(|p| p.1).sum::<u64>());
        prop_assert_eq!(steps.iter().map(|s| s.hits).sum::<u64>(), points.iter().map(|p| p.2).sum::<u64>());
        // Blind to order and to how ties in x were split.
        points.reverse();
        prop_assert_eq!(isotonic(&points), steps.clone());
        let split: Vec<_> = points.iter().flat_map(|&(x, w, h)| [(x, h, h), (x, w - h, 0)]).collect();
        prop_assert_eq!(isotonic(&split), steps);
    }
}

#[test]
fn small_fits_by_hand() {
    let step = |x_low, x_high, weight, hits| Step {
        x_low,
        x_high,
        weight,
        hits,
    };
    assert_eq!(isotonic(&[]), []);
    assert_eq!(isotonic(&[(5, 0, 0)]), []);
    assert_eq!(
        isotonic(&[(1, 10, 9), (2, 10, 1), (3, 10, 6)]),
        [step(1, 2, 20, 10), step(3, 3, 10, 6)]
    );
    assert_eq!(
        isotonic(&[(1, 4, 2), (2, 6, 3)]),
        [step(1, 2, 10, 5)],
        "equal rates are one level"
    );
    let huge = u64::MAX / 2;
    assert_eq!(
        isotonic(&[(1, huge, huge), (2, huge, 1)]),
        [step(1, 2, 2 * huge, huge + 1)]
    );
    assert_eq!(step(0, 0, 3, 2).rate_ppm(), 666_667);
}

#[test]
fn brier_is_its_definition() {
    let point = |believed_ppm, count, hits| ReliabilityPoint {
        believed_ppm,
        count,
        hits,
    };
    assert_eq!(brier_ppm(&[]), None);
    assert_eq!(
        brier_ppm(&[point(1_000_000, 5, 5), point(0, 7, 0)]),
        Some(0)
    );
    assert_eq!(
        brier_ppm(&[point(1_000_000, 5, 0), point(0, 7, 7)]),
        Some(1_000_000)
    );
    // (0.7 - 1)^2 and (0.7 - 0)^2, three to one: (3 * 0.09 + 0.49) / 4 = 0.19
    assert_eq!(brier_ppm(&[point(700_000, 4, 3)]), Some(190_000));
}

#[test]
fn bands_hold_the_rate_and_recalibration_never_hurts() {
    // 0.68 believed, always true: the curve says so.
    let r = reliability(
        &[ReliabilityPoint {
            believed_ppm: 680_000,
            count: 400,
            hits: 400,
        }],
        Alpha::FIVE_PERCENT,
    );
    assert_eq!(
        (r.bands[0].rate_ppm, r.bands[0].high_ppm, r.recalibrated_ppm),
        (1_000_000, 1_000_000, Some(0))
    );
    // Wilson with all of n: low = 1 / (1 + z^2/n) = 400 / (400 + 3.841459)
    assert_eq!(r.bands[0].low_ppm, 990_488);
    assert_eq!(r.brier_ppm, Some(102_400));
    // Pooled levels: believed .2 (1 of 2), .4 (0 of 6) and .5 (3 of 4): the first two are one.
    let point = |believed_ppm, count, hits| ReliabilityPoint {
        believed_ppm,
        count,
        hits,
    };
    let pooled = [
        point(200_000, 2, 1),
        point(500_000, 4, 3),
        point(400_000, 6, 0),
    ];
    let bands = reliability(&pooled, Alpha::FIVE_PERCENT).bands;
    let means: Vec<u32> = bands.iter().map(|b| b.believed_ppm).collect();
    assert_eq!(means, [350_000, 500_000]);
    let points: Vec<_> = (0..20u64)
        .map(|i| ReliabilityPoint {
            believed_ppm: (i * 50_000) as u32,
            count: 10 + i,
            hits: (i * 7 % 11).min(10 + i),
        })
        .collect();
    let r = reliability(&points, Alpha::FIVE_PERCENT);
    assert!(
        r.bands
            .iter()
            .all(|b| b.low_ppm <= b.rate_ppm && b.rate_ppm <= b.high_ppm && b.low_ppm < b.high_ppm)
    );
    assert!(r.recalibrated_ppm < r.brier_ppm);
    assert_eq!(r.count, points.iter().map(|p| p.count).sum::<u64>());
}
