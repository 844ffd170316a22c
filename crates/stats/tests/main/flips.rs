use crate::Noise;
use evenhand_stats::{SignFlip, Tail, sign_flip, sign_flip_p_ppm, t_test_p_ppm};
use proptest::prelude::*;

/// Every assignment, each summed from scratch.
fn brute(values: &[i64], tail: Tail) -> u32 {
    let observed: i128 = values.iter().map(|&v| i128::from(v)).sum();
    let all = 1u64 << values.len();
    let hits = (0..all).filter(|mask| {
        let sum: i128 = (0..values.len())
            .map(|i| i128::from(values[i]) * if mask >> i & 1 == 1 { -1 } else { 1 })
            .sum();
        match tail {
            Tail::Upper => sum >= observed,
            Tail::Both => sum.abs() >= observed.abs(),
        }
    });
    (hits.count() as u64 * 1_000_000).div_ceil(all) as u32
}

proptest! {
    #[test]
    fn small_samples_are_exact(values in prop::collection::vec(-6i64..7, 1..10)) {
        for tail in [Tail::Upper, Tail::Both] {
            let got = sign_flip(&values, tail).unwrap();
            prop_assert!(got.exact);
            prop_assert_eq!(got.p_ppm, brute(&values, tail));
        }
    }

    #[test]
    fn extremes_are_exact(values in prop::collection::vec(prop::sample::select(vec![i64::MIN, i64::MAX, 1, -1, 0]), 1..9)) {
        prop_assert_eq!(sign_flip_p_ppm(&values, Tail::Upper).unwrap(), brute(&values, Tail::Upper));
    }
}

#[test]
fn closed_forms() {
    // All of one sign: only the observed assignment is as extreme, 1 of 2^10 (both sides: 2 of them).
    let up = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3];
    assert_eq!(
        sign_flip(&up, Tail::Upper),
        Some(SignFlip {
            p_ppm: 977,
            exact: true,
            assignments: 1_024
        })
    );
    assert_eq!(sign_flip_p_ppm(&up, Tail::Both), Some(1_954));
    assert_eq!(
        sign_flip_p_ppm(&up.map(|v| -v), Tail::Upper),
        Some(1_000_000)
    );
    assert_eq!(
        sign_flip_p_ppm(&[0; 50], Tail::Both),
        Some(1_000_000),
        "all ties"
    );
    assert_eq!(sign_flip_p_ppm(&[], Tail::Both), None);
    assert_eq!(sign_flip_p_ppm(&[5], Tail::Upper), Some(500_000));
}

#[test]
fn zeros_carry_no_information() {
    let mut padded = vec![0; 100];
    padded.extend([3, 1, 4, -1, 5]);
    assert_eq!(
        sign_flip(&padded, Tail::Upper),
        sign_flip(&[3, 1, 4, -1, 5], Tail::Upper)
    );
}

#[test]
fn sampled_answers_repeat_and_agree_with_the_exact_one() {
    // 21 equal values with d minus signs: P(at most d minuses) of Binomial(21, 1/2), by hand for d = 6: 0.0392...
    let values: Vec<i64> = (0..21).map(|i| if i < 6 { -7 } else { 7 }).collect();
    let choose = |k: u64| (0..k).fold(1u64, |c, i| c * (21 - i) / (i + 1));
    let exact = (0..=6).map(choose).sum::<u64>() as f64 / 2f64.powi(21) * 1e6;
    let got = sign_flip(&values, Tail::Upper).unwrap();
    assert!(!got.exact && got.assignments == 100_000);
    // Four standard errors of 100,000 draws.
    assert!(
        (f64::from(got.p_ppm) - exact).abs() < 4.0 * 615.0,
        "{} {exact}",
        got.p_ppm
    );
    assert_eq!(sign_flip(&values, Tail::Upper), Some(got));
    let all: Vec<i64> = (0..64).map(|i| 1 + i).collect();
    assert_eq!(
        sign_flip_p_ppm(&all, Tail::Upper),
        Some(10),
        "one in 100,000, never zero"
    );
    let extreme = vec![i64::MIN; 300];
    assert_eq!(sign_flip_p_ppm(&extreme, Tail::Upper), Some(1_000_000));
}

#[test]
fn large_normal_samples_agree_with_t() {
    let mut noise = Noise(11);
    for shift in [0, 40, 80] {
        let values: Vec<i64> = (0..400).map(|_| noise.normal() + shift).collect();
        let (flip, t) = (
            sign_flip_p_ppm(&values, Tail::Upper).unwrap(),
            t_test_p_ppm(&values, Tail::Upper).unwrap(),
        );
        assert!(flip.abs_diff(t) < 8_000, "{flip} {t}");
    }
}
