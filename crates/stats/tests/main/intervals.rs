use evenhand_stats::{
    Alpha, Estimate, Pairing, StatsError, Sums, Tail, Verdict, clustered_estimate, differences,
    judge, mean_estimate, non_inferior, one_sided_bounds, paired, seeds_to_settle, superior,
    t_test_p_ppm, unpaired,
};

const FIVE: Alpha = Alpha::FIVE_PERCENT;

#[test]
fn a_small_sample_by_hand() {
    // 1..=5: mean 3, sd sqrt(2.5), half-width 2.776445105 * sqrt(2.5 / 5) = 1.963243161
    let e = mean_estimate(&[1, 2, 3, 4, 5], 1, 50_000);
    assert_eq!(
        (e.n, e.mean_micro, e.sd_micro),
        (5, 3_000_000, Some(1_581_139))
    );
    assert_eq!(e.interval_micro, Some((1_036_757, 4_963_243)));
    // The same over a denominator of ten is a tenth.
    let e = mean_estimate(&[1, 2, 3, 4, 5], 10, 50_000);
    assert_eq!(
        (e.mean_micro, e.interval_micro),
        (300_000, Some((103_676, 496_324)))
    );
}

#[test]
fn two_values_have_the_widest_interval_of_all() {
    // Half-width of (0, 2): 12.706204736 * sqrt(2) / sqrt(2).
    let e = mean_estimate(&[0, 2], 1, 50_000);
    assert_eq!(
        e.interval_micro,
        Some((1_000_000 - 12_706_205, 1_000_000 + 12_706_205))
    );
}

#[test]
fn n_of_20_and_2000_follow_the_formula() {
    for (n, t) in [
        (20i64, 2.093_024_054_408_31),
        (2_000, 1.961_151_420_170_562),
    ] {
        let values: Vec<i64> = (0..n).map(|i| i % 2 * 200).collect();
        let e = mean_estimate(&values, 100, 50_000);
        // Half at 0 and half at 2: sd^2 = n / (n - 1).
        let half = t * (1.0 / (n - 1) as f64).sqrt() * 1e6;
        let (low, high) = e.interval_micro.unwrap();
        assert_eq!(e.mean_micro, 1_000_000);
        assert!(
            (high as f64 - 1e6 - half).abs() <= 0.5001,
            "n {n}: {high} {half}"
        );
        assert_eq!(low, 2_000_000 - high);
    }
}

#[test]
fn fewer_than_two_values_are_undefined() {
    for values in [&[][..], &[7][..]] {
        let e = mean_estimate(values, 1, 50_000);
        assert_eq!((e.interval_micro, e.sd_micro), (None, None));
        assert_eq!(e.mean(), values.first().map(|v| v * 1_000_000));
        assert_eq!(one_sided_bounds(values, 1, FIVE), None);
        assert_eq!(superior(values, 1, 0, FIVE), Verdict::Inconclusive);
        assert_eq!(non_inferior(values, 1, 0, FIVE), Verdict::Inconclusive);
        assert_eq!(t_test_p_ppm(values, Tail::Upper), None);
        assert_eq!(seeds_to_settle(&e, 0, FIVE, 800_000), None);
    }
}

#[test]
fn one_sided_results_end_finite_with_the_right_side_named() {
    for n in [2usize, 20, 2_000] {
        for (value, verdict) in [
            (400, Verdict::Holds),
            (0, Verdict::Fails),
            (-400, Verdict::Fails),
        ] {
            let values = vec![value; n];
            let e = mean_estimate(&values, 100, 50_000);
            assert_eq!(
                e.interval_micro,
                Some((e.mean_micro, e.mean_micro)),
                "no spread, no width"
            );
            assert_eq!(e.sd_micro, Some(0));
            assert_eq!(
                superior(&values, 100, 0, FIVE),
                verdict,
                "n {n}, value {value}"
            );
        }
        assert_eq!(superior(&vec![i64::MAX; n], 1, 0, FIVE), Verdict::Holds);
        assert_eq!(superior(&vec![i64::MIN; n], 1, 0, FIVE), Verdict::Fails);
    }
    // Spread, but all on one side.
    let values: Vec<i64> = (0..20).map(|i| 300 + i).collect();
    assert_eq!(superior(&values, 1, 0, FIVE), Verdict::Holds);
    assert_eq!(
        superior(&values.iter().map(|v| -v).collect::<Vec<_>>(), 1, 0, FIVE),
        Verdict::Fails
    );
}

#[test]
fn extremes_stay_finite() {
    let mut sums = Sums::default();
    for i in 0..2_000 {
        if i % 2 == 0 {
            sums.add_difference(i64::MAX, i64::MIN)
        } else {
            sums.add_difference(i64::MIN, i64::MAX)
        }
    }
    let e = Estimate::of(sums, 1, FIVE);
    assert_eq!(
        (e.mean_micro, e.sd_micro),
        (0, Some(i64::MAX)),
        "what passes 64 bits stays at their end"
    );
    assert_eq!(judge(sums, 1, 0, FIVE), Verdict::Inconclusive);
    let e = mean_estimate(&[i64::MIN, i64::MAX], i64::MAX, 1);
    assert!(
        e.interval_micro
            .is_some_and(|(low, high)| low < 0 && high > 0)
    );
    assert_eq!(
        mean_estimate(&[1, 2], 1, 0).interval_micro,
        Some((i64::MIN, i64::MAX)),
        "never wrong: everything"
    );
    assert_eq!(
        superior(&[1, 2, 1, 2], 1, 0, Alpha::from_ppb(0)),
        Verdict::Inconclusive
    );
}

#[test]
fn verdicts_turn_exactly_where_the_bound_does() {
    // 1..=5: one-sided 95 % bounds 3 -+ 2.131846786 * sqrt(0.5) = 3 -+ 1.507443332
    let values = [1, 2, 3, 4, 5];
    assert_eq!(
        one_sided_bounds(&values, 1, FIVE),
        Some((1_492_557, 4_507_443))
    );
    assert_eq!(superior(&values, 1, 1_492_556, FIVE), Verdict::Holds);
    assert_eq!(superior(&values, 1, 1_492_557, FIVE), Verdict::Inconclusive);
    assert_eq!(superior(&values, 1, 4_507_442, FIVE), Verdict::Inconclusive);
    assert_eq!(superior(&values, 1, 4_507_443, FIVE), Verdict::Fails);
    // Non-inferiority is superiority over the negative margin.
    let worse = [-1, -2, -3, -4, -5];
    assert_eq!(non_inferior(&worse, 1, 4_507_444, FIVE), Verdict::Holds);
    assert_eq!(
        non_inferior(&worse, 1, 4_507_443, FIVE),
        Verdict::Inconclusive
    );
    assert_eq!(non_inferior(&worse, 1, 1_492_557, FIVE), Verdict::Fails);
    assert_eq!(non_inferior(&values, 1, 0, FIVE), Verdict::Holds);
}

#[test]
fn the_worst_of_many_verdicts_decides() {
    use Verdict::{Fails, Holds, Inconclusive};
    assert_eq!(Verdict::all([]), Inconclusive);
    assert_eq!(Verdict::all([Holds, Holds]), Holds);
    assert_eq!(Verdict::all([Holds, Inconclusive, Holds]), Inconclusive);
    assert_eq!(Verdict::all([Inconclusive, Fails, Holds]), Fails);
}

#[test]
fn p_values_of_the_t_test() {
    // t = 3 / sqrt(0.5) = 4.242640687 with df 4: upper tail 0.00661780 (and twice that for both).
    assert_eq!(t_test_p_ppm(&[1, 2, 3, 4, 5], Tail::Upper), Some(6_618));
    assert_eq!(t_test_p_ppm(&[1, 2, 3, 4, 5], Tail::Both), Some(13_236));
    assert_eq!(
        t_test_p_ppm(&[-1, -2, -3, -4, -5], Tail::Upper),
        Some(993_383)
    );
    assert_eq!(
        t_test_p_ppm(&[-1, -2, -3, -4, -5], Tail::Both),
        Some(13_236)
    );
    assert_eq!(t_test_p_ppm(&[0, 0, 0], Tail::Both), Some(1_000_000));
    assert_eq!(t_test_p_ppm(&[4, 4, 4], Tail::Upper), Some(1));
    assert_eq!(t_test_p_ppm(&[-4, -4, -4], Tail::Upper), Some(1_000_000));
    assert_eq!(t_test_p_ppm(&[-4, -4, -4], Tail::Both), Some(1));
}

#[test]
fn pairing_is_used_and_its_lack_is_marked() {
    let a: Vec<i64> = (0..40).map(|i| i * i + i % 2).collect();
    let b: Vec<i64> = (0..40).map(|i| i * i).collect();
    let p = paired(&a, &b, 1, 50_000).unwrap();
    assert_eq!(
        (p.pairing, p.mean_micro, p.n_a),
        (Pairing::Paired, Some(500_000), 40)
    );
    let u = unpaired(&a, &b, 1, 50_000);
    assert_eq!(
        (u.pairing, u.mean_micro, u.sd_micro),
        (Pairing::Unpaired, Some(500_000), None)
    );
    let width = |i: Option<(i64, i64)>| i.map(|(low, high)| high - low).unwrap();
    assert!(width(u.interval_micro) > 100 * width(p.interval_micro));
    assert_eq!(
        paired(&a, &b[1..], 1, 50_000),
        Err(StatsError::UnequalLengths { a: 40, b: 39 })
    );
    assert_eq!(
        paired(&a, &a, 1, 50_000).unwrap().interval_micro,
        Some((0, 0)),
        "itself is exactly no change"
    );
    let extremes = paired(
        &[i64::MAX, i64::MAX],
        &[i64::MIN, i64::MIN],
        i64::MAX,
        50_000,
    )
    .unwrap();
    assert_eq!(extremes.mean_micro, Some(2_000_000));
    assert_eq!(
        differences(&[5, i64::MAX], &[7, -1]),
        Err(StatsError::DifferenceTooLarge { at: 1 })
    );
    assert_eq!(differences(&[5, 1], &[7, 1]), Ok(vec![-2, 0]));
    assert_eq!(
        paired(&[], &[], 1, 50_000).unwrap().mean_micro,
        None,
        "nothing against nothing is not a tie"
    );
}

#[test]
fn welch_by_hand() {
    // a = 1..=5 (variance 2.5), b = 2, 4, .., 12 (variance 14): se^2 = 0.5 + 7/3,
    // df = (17/6)^2 / (0.25/4 + (49/9)/5) = 6.973..., t(0.975) = 2.366618
    let u = unpaired(&[1, 2, 3, 4, 5], &[2, 4, 6, 8, 10, 12], 1, 50_000);
    let (low, high) = u.interval_micro.unwrap();
    assert_eq!(u.mean_micro, Some(-4_000_000));
    assert!(
        (low + 7_983_000).abs() < 2_000 && (high + 17_000).abs() < 2_000,
        "{low} {high}"
    );
    assert_eq!(unpaired(&[1], &[2, 3], 1, 50_000).interval_micro, None);
    assert_eq!(
        unpaired(&[1, 1], &[3, 3], 1, 50_000).interval_micro,
        Some((-2_000_000, -2_000_000))
    );
}

#[test]
fn repeated_deals_do_not_shrink_the_interval() {
    let values: Vec<(u64, i64)> = (0..30)
        .map(|seed| (seed, (seed as i64 * 37) % 101 - 50))
        .collect();
    let once = clustered_estimate(values.clone(), 25, FIVE).unwrap();
    let plain: Vec<i64> = values.iter().map(|v| v.1).collect();
    assert_eq!(once, mean_estimate(&plain, 25, 50_000));
    let ten: Vec<(u64, i64)> = values.iter().copied().cycle().take(300).collect();
    assert_eq!(clustered_estimate(ten, 25, FIVE).unwrap(), once);
    // One single deal, however often, is one unit: undefined.
    assert_eq!(
        clustered_estimate([(1, 5); 10], 1, FIVE)
            .unwrap()
            .interval_micro,
        None
    );
    // Uneven repeats: cluster means 2 and 6.
    let uneven = clustered_estimate([(1, 1), (1, 3), (2, 6)], 1, FIVE).unwrap();
    assert_eq!(uneven.mean_micro, 4_000_000);
    let sizes = (1..60u64).flat_map(|k| (0..k).map(move |_| (k, 1)));
    assert_eq!(
        clustered_estimate(sizes, 1, FIVE),
        Err(StatsError::UnevenClusters)
    );
}

#[test]
fn settling_takes_what_the_formula_says() {
    let e = |n, mean_micro, sd_micro| Estimate {
        n,
        mean_micro,
        interval_micro: None,
        sd_micro: Some(sd_micro),
    };
    // Large: (1.6449 + 0.8416)^2 * (1 / 0.02)^2 = 15456.4, the t correction adds one or two.
    let more = seeds_to_settle(&e(1_000, 20_000, 1_000_000), 0, FIVE, 800_000).unwrap();
    assert!((14_456..=14_460).contains(&more), "{more}");
    // Four times the seeds for half the distance, from either side of the margin.
    let far = seeds_to_settle(&e(2, 50_000, 600_000), 0, FIVE, 800_000).unwrap() as f64;
    let near = seeds_to_settle(&e(2, 25_000, 600_000), 50_000, FIVE, 800_000).unwrap() as f64;
    assert!((near / far - 4.0).abs() < 0.02, "{near} {far}");
    assert_eq!(
        seeds_to_settle(&e(10, 1_000_000, 0), 0, FIVE, 800_000),
        Some(0)
    );
    assert_eq!(
        seeds_to_settle(&e(10, 7, 5), 7, FIVE, 800_000),
        None,
        "at the margin nothing settles it"
    );
    assert_eq!(
        seeds_to_settle(&e(10, 1, i64::MAX), 0, FIVE, 800_000),
        None,
        "beyond all seeds"
    );
    // Small counts end too, and what it names does suffice by its own formula while one less does not.
    for distance in [300_000, 700_000, 1_500_000, 4_000_000] {
        let n = 2 + seeds_to_settle(&e(2, distance, 1_000_000), 0, FIVE, 800_000).unwrap();
        let enough = |n: u64| {
            let t = |q| evenhand_stats::dist::t_upper_quantile(q, (n - 1) as f64);
            (t(0.05) + t(0.2)) * 1e6 / (n as f64).sqrt() <= distance as f64
        };
        assert!(
            enough(n) && (n == 2 || !enough(n - 1)),
            "distance {distance}: {n}"
        );
    }
}
