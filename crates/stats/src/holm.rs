//! Holm's correction for a list of tests.

/// Holm's adjusted p values, in the order of the input: reject at level alpha exactly those whose adjusted value is at
/// most alpha, and the chance of any false rejection stays at most alpha.
///
/// Sorted ascending, p(i) becomes the largest of p(j) * (m - j) over j <= i (j counted from 0), at most a million.
/// A test whose p value is undefined counts in m, as it was meant to be made, and stays undefined.
pub fn holm(p_ppm: &[Option<u32>]) -> Vec<Option<u32>> {
    let mut order: Vec<(u32, usize)> = p_ppm
        .iter()
        .enumerate()
        .filter_map(|(i, p)| Some(((*p)?, i)))
        .collect();
    order.sort_unstable();
    let mut adjusted = vec![None; p_ppm.len()];
    let mut largest = 0u64;
    for (j, (p, i)) in order.into_iter().enumerate() {
        largest = largest
            .max(u64::from(p) * (p_ppm.len() - j) as u64)
            .min(1_000_000);
        adjusted[i] = Some(largest as u32);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_textbook_example() {
        // p = 0.01, 0.04, 0.03, 0.005 -> 0.03, 0.06, 0.06, 0.02
        let p = [10_000, 40_000, 30_000, 5_000].map(Some);
        assert_eq!(holm(&p), [30_000, 60_000, 60_000, 20_000].map(Some));
        assert_eq!(
            holm(&[Some(400_000), Some(900_000), Some(800_000)]),
            [Some(1_000_000); 3]
        );
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn the_undefined_counts_but_is_never_rejected() {
        assert_eq!(holm(&[Some(10_000), None]), [Some(20_000), None]);
    }

    proptest! {
        /// The step-down procedure itself, as Holm states it.
        #[test]
        fn adjusted_values_reject_what_the_procedure_rejects(
            p in prop::collection::vec(1u32..=1_000_000, 1..12), alpha in 1u32..500_000,
        ) {
            let mut order: Vec<usize> = (0..p.len()).collect();
            order.sort_by_key(|&i| p[i]);
            let mut rejected = vec![false; p.len()];
            for (j, &i) in order.iter().enumerate() {
                if u64::from(p[i]) * (p.len() - j) as u64 > u64::from(alpha) { break; }
                rejected[i] = true;
            }
            let adjusted = holm(&p.iter().copied().map(Some).collect::<Vec<_>>());
            for i in 0..p.len() {
                prop_assert_eq!(adjusted[i].unwrap() <= alpha, rejected[i]);
            }
        }
    }
}
