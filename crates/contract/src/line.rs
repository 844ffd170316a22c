use crate::Milli;

/// The values of one knob for which a stretch of play is certified to go the same way.
///
/// Whoever plays with knob `place` at the value `at` starts from the knob's whole range. Each
/// decision of the policy narrows the interval to the values on which *that same decision* would
/// have been taken. Over the interval that is left the stretch of play is unchanged, so its tallies
/// are too. An interval may be narrower than it could be, never wider: a policy that does not know
/// how its knob enters says nothing, and the interval collapses to the value that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    place: usize,
    at: Milli,
    low: Milli,
    high: Milli,
    stated: bool,
}

impl Line {
    /// The line of knob `place`, played at `at`, with nothing decided yet; `low` to `high` are the
    /// values of interest, both included, and hold `at`.
    #[must_use]
    pub fn new(place: usize, at: Milli, low: Milli, high: Milli) -> Self {
        Self {
            place,
            at,
            low: low.min(at),
            high: high.max(at),
            stated: false,
        }
    }

    /// Place of the knob in its policy's table.
    #[inline]
    #[must_use]
    pub const fn place(&self) -> usize {
        self.place
    }

    /// Lowest value for which everything so far goes the same way.
    #[inline]
    #[must_use]
    pub const fn low(&self) -> Milli {
        self.low
    }

    /// Highest value for which everything so far goes the same way.
    #[inline]
    #[must_use]
    pub const fn high(&self) -> Milli {
        self.high
    }

    /// Begins a decision: until the policy states how its choice depends on the knob, it depends
    /// on every value of it.
    #[inline]
    pub const fn begin(&mut self) {
        self.stated = false;
    }

    /// Ends a decision: one that stated nothing is certified for the value played alone.
    #[inline]
    pub const fn end(&mut self) {
        if !self.stated {
            self.collapse();
        }
    }

    /// States that what was decided so far in this decision does not read the knob, or that its
    /// dependence is told by [`Line::hold`] and its like.
    #[inline]
    pub const fn state(&mut self) {
        self.stated = true;
    }

    /// Certifies the value played alone.
    #[inline]
    pub const fn collapse(&mut self) {
        self.low = self.at;
        self.high = self.at;
    }

    /// Keeps to the values within `low..=high`, for a knob whose effect is known to be constant
    /// there. A range without the value played collapses the interval.
    #[inline]
    pub fn within(&mut self, low: Milli, high: Milli) {
        if low > self.at || high < self.at {
            return self.collapse();
        }
        self.low = self.low.max(low);
        self.high = self.high.min(high);
    }

    /// The chosen candidate leads a rival by `lead`, and a rise of the knob by one adds `slope` to
    /// that: the choice stands at `at + t` while `lead + t x slope >= need`. `need` is 1 where the
    /// rival would win a tie and 0 where the chosen one does.
    #[inline]
    pub fn hold(&mut self, lead: i64, slope: i64, need: i64) {
        self.hold_up(lead, slope, need);
        self.hold_down(lead, slope, need);
    }

    /// [`Line::hold`] for values above the one played only: `slope` is a lower bound there.
    #[inline]
    pub fn hold_up(&mut self, lead: i64, slope: i64, need: i64) {
        let spare = i128::from(lead) - i128::from(need);
        if spare < 0 {
            return self.collapse();
        }
        if slope < 0 {
            let most = spare / -i128::from(slope);
            if most < i128::from(self.high) - i128::from(self.at) {
                self.high = self.at + most as i64;
            }
        }
    }

    /// [`Line::hold`] for values below the one played only: `slope` is an upper bound there.
    #[inline]
    pub fn hold_down(&mut self, lead: i64, slope: i64, need: i64) {
        let spare = i128::from(lead) - i128::from(need);
        if spare < 0 {
            return self.collapse();
        }
        if slope > 0 {
            let most = spare / i128::from(slope);
            if most < i128::from(self.at) - i128::from(self.low) {
                self.low = self.at - most as i64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Line;
    use proptest::prelude::*;

    proptest! {
        /// Every value of the interval keeps the choice, and the next one on either side does not.
        #[test]
        fn hold_is_exact(
            at in -50_i64..50,
            slope in -40_i64..40,
            spare in 0_i64..5_000,
            need in 0_i64..=1,
        ) {
            let (low, high) = (-300, 300);
            let lead = spare + need;
            let mut line = Line::new(0, at, low, high);
            line.hold(lead, slope, need);
            for x in low..=high {
                let stands = lead + (x - at) * slope >= need;
                prop_assert_eq!(stands, (line.low()..=line.high()).contains(&x), "{}", x);
            }
        }
    }

    #[test]
    fn a_silent_decision_collapses_to_the_value_played() {
        let mut line = Line::new(2, 5, -10, 10);
        line.begin();
        line.state();
        line.end();
        assert_eq!((line.low(), line.high()), (-10, 10));
        line.begin();
        line.end();
        assert_eq!((line.low(), line.high()), (5, 5));
    }

    #[test]
    fn extremes_do_not_overflow() {
        let mut line = Line::new(0, 0, i64::MIN, i64::MAX);
        line.hold(i64::MAX, i64::MIN, 0);
        line.hold(i64::MAX, 1, 1);
        assert_eq!(line.high(), 0);
        assert_eq!(line.low(), -(i64::MAX - 1));
        line.hold(0, 3, 1);
        assert_eq!(
            (line.low(), line.high()),
            (0, 0),
            "no lead is no certificate"
        );
    }

    #[test]
    fn a_range_elsewhere_collapses() {
        let mut line = Line::new(0, 5, 0, 10);
        line.within(2, 7);
        assert_eq!((line.low(), line.high()), (2, 7));
        line.within(6, 9);
        assert_eq!((line.low(), line.high()), (5, 5));
    }
}
