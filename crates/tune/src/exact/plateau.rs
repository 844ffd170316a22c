//! The centre of a good plateau instead of a lucky spike.

/// A stretch of a knob's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plateau {
    /// Its centre.
    pub centre: i64,
    /// Sum of the curve over its values.
    pub sum: i64,
    /// How many values it has; fewer at a bound.
    pub values: i64,
}

/// The value whose neighbourhood, `width / 2` to either side as far as the bounds allow, has the
/// best mean. Of equal ones the nearest to `at` is taken, of two as near the lower.
///
/// `curve` holds the first value and the height of each stretch, by rising value; the last
/// stretch ends at `high`.
#[must_use]
pub fn best_plateau(curve: &[(i64, i64)], high: i64, at: i64, width: i64) -> Option<Plateau> {
    let low = curve.first()?.0;
    let half = width.max(0) / 2;
    let heights: Vec<i64> = curve
        .iter()
        .enumerate()
        .flat_map(|(i, &(from, height))| {
            let to = curve.get(i + 1).map_or(high, |next| next.0 - 1);
            (from..=to).map(move |_| height)
        })
        .collect();
    let mut sums = vec![0_i64];
    for height in &heights {
        sums.push(sums[sums.len() - 1] + height);
    }
    let mut best: Option<Plateau> = None;
    for centre in low..=high {
        let (from, to) = ((centre - half).max(low), (centre + half).min(high));
        let here = Plateau {
            centre,
            sum: sums[(to - low + 1) as usize] - sums[(from - low) as usize],
            values: to - from + 1,
        };
        if best.is_none_or(|best| here.beats(&best, at)) {
            best = Some(here);
        }
    }
    best
}

impl Plateau {
    /// Whether its mean is higher, or equal and nearer.
    fn beats(&self, other: &Self, at: i64) -> bool {
        let (ours, theirs) = (
            i128::from(self.sum) * i128::from(other.values),
            i128::from(other.sum) * i128::from(self.values),
        );
        let distance = |p: &Self| (p.centre - at).abs();
        ours > theirs || ours == theirs && distance(self) < distance(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_broad_hill_beats_a_spike() {
        let curve = [(-10, 0), (-5, 90), (-4, 0), (2, 30), (8, 0)];
        let found = best_plateau(&curve, 10, 0, 4).expect("a curve");
        assert_eq!((found.centre, found.sum, found.values), (4, 150, 5));
        let spike = best_plateau(&curve, 10, 0, 0).expect("a curve");
        assert_eq!((spike.centre, spike.sum), (-5, 90), "no width, no caution");
    }

    #[test]
    fn a_flat_line_stays_where_it_is() {
        for at in [-10, -3, 0, 10] {
            let found = best_plateau(&[(-10, 7)], 10, at, 6).expect("a curve");
            assert_eq!(found.centre, at);
        }
        assert_eq!(best_plateau(&[], 10, 0, 6), None);
    }

    proptest! {
        /// By the definition, value by value.
        #[test]
        fn is_the_best_by_definition(
            steps in prop::collection::vec((1_i64..6, -9_i64..9), 1..8),
            at in -3_i64..30,
            width in 0_i64..12,
        ) {
            let mut curve = Vec::new();
            let mut next = -3;
            for (length, height) in steps {
                curve.push((next, height));
                next += length;
            }
            let high = next - 1;
            let height = |x: i64| curve.iter().rev().find(|c| c.0 <= x).expect("within").1;
            let mean = |c: i64| {
                let (a, b) = ((c - width / 2).max(-3), (c + width / 2).min(high));
                (a..=b).map(height).sum::<i64>() as f64 / (b - a + 1) as f64
            };
            let found = best_plateau(&curve, high, at, width).expect("a curve");
            for c in -3..=high {
                prop_assert!(mean(found.centre) >= mean(c) - 1e-9);
            }
        }
    }
}
