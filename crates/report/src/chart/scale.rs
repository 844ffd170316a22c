//! Linear scales with round tick marks.

/// Maps a range of values to a range of pixels.
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale over all values, with a little air; values without extent get some.
    pub(super) fn over(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Self {
        let finite = values.into_iter().filter(|v| v.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(v), h.max(v))
        });
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let air = if high > low {
            (high - low) * 0.06
        } else {
            high.abs().max(1.0) * 0.1
        };
        Self {
            low: low - air,
            high: high + air,
            from,
            to,
        }
    }

    /// A scale over exactly this range.
    pub(super) fn exact(low: f64, high: f64, from: f64, to: f64) -> Self {
        Self {
            low,
            high,
            from,
            to,
        }
    }

    /// Where a value is drawn; what lies outside stays at the edge.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// About `count` round values within the range, with their labels.
    pub(super) fn ticks(&self, count: f64) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / count;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|m| m * power)
            .into_iter()
            .find(|s| *s >= rough)
            .unwrap_or(power * 10.0);
        let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        // Never more than a picture can bear, whatever the numbers.
        (first..=last.min(first.saturating_add(20)))
            .map(|i| {
                let value = i as f64 * step;
                (
                    value,
                    format!("{:.*}", decimals, if i == 0 { 0.0 } else { value }),
                )
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let labels = |low, high| -> Vec<String> {
            Scale::exact(low, high, 0.0, 1.0)
                .ticks(5.0)
                .into_iter()
                .map(|t| t.1)
                .collect()
        };
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(
            labels(-0.013, 0.031),
            ["-0.01", "0.00", "0.01", "0.02", "0.03"]
        );
        assert_eq!(labels(100.0, 3_100.0), ["1000", "2000", "3000"]);
    }

    #[test]
    fn odd_ranges_end() {
        for values in [
            vec![],
            vec![0.0],
            vec![5.0, 5.0],
            vec![-1e300, 1e300],
            vec![f64::NAN],
        ] {
            let scale = Scale::over(values.clone(), 0.0, 100.0);
            assert!(scale.ticks(5.0).len() <= 21);
            assert!(
                values
                    .iter()
                    .all(|v| v.is_nan() || (0.0..=100.0).contains(&scale.at(*v)))
            );
        }
    }
}
