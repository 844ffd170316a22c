use crate::Ppm;

/// A monotone map from a raw estimate to a calibrated probability: straight lines between points.
///
/// Raw values are whole numbers of the estimator's own scale (usually ppm); left of the first
/// point and right of the last the map is constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    points: Box<[(i64, Ppm)]>,
}

/// A named whole number of an estimator that a table holds beside its maps: what the estimator
/// assumes of the cards before any map. This row is the only place that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name, as in tables and commands.
    pub name: &'static str,
    /// One line on what it means, with its unit.
    pub about: &'static str,
    /// Value without a table.
    pub default: i64,
    /// Lowest value that a fit tries.
    pub low: i64,
    /// Highest value that a fit tries.
    pub high: i64,
    /// Step between the values that a fit tries; at least 1.
    pub step: i64,
}

impl Parameter {
    /// The values that a fit tries: from `low` up by `step`, none above `high`.
    pub fn grid(&self) -> impl Iterator<Item = i64> + use<> {
        let (low, step) = (self.low, self.step.max(1));
        let high = self.high;
        (0..)
            .map(move |i| low + i * step)
            .take_while(move |value| *value <= high)
    }

    /// Whether a table may hold this value.
    #[must_use]
    pub const fn admits(&self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Name, lowest and highest value of each of a list of parameters.
    #[must_use]
    pub fn bounds(rows: &[Self]) -> Vec<(&'static str, i64, i64)> {
        rows.iter()
            .map(|row| (row.name, row.low, row.high))
            .collect()
    }

    /// The defaults of a list of parameters.
    #[must_use]
    pub fn defaults(rows: &[Self]) -> Vec<i64> {
        rows.iter().map(|row| row.default).collect()
    }
}

/// The calibration maps of one game and player count, one per kind of question, with the values of
/// the estimator's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maps {
    /// `None` is the identity map (raw ppm is taken as it is).
    kinds: Box<[Option<Map>]>,
    /// In the order of the game's parameters; empty for their defaults.
    parameters: Box<[i64]>,
}

/// Points that make no monotone map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MapsError {
    /// A map needs at least one point.
    #[error("a map without points")]
    Empty,
    /// Raw values must rise strictly.
    #[error("raw value {raw} at point {place} does not rise")]
    RawNotRising {
        /// Place of the offending point, from 0.
        place: usize,
        /// Its raw value.
        raw: i64,
    },
    /// Calibrated values must not fall.
    #[error("calibrated value falls at point {place}")]
    Falling {
        /// Place of the offending point, from 0.
        place: usize,
    },
}

impl Map {
    /// A map through these points.
    ///
    /// # Errors
    /// When there is none, raw values do not rise strictly or calibrated ones fall.
    pub fn new(points: &[(i64, Ppm)]) -> Result<Self, MapsError> {
        if points.is_empty() {
            return Err(MapsError::Empty);
        }
        for (i, pair) in points.windows(2).enumerate() {
            if pair[1].0 <= pair[0].0 {
                return Err(MapsError::RawNotRising {
                    place: i + 1,
                    raw: pair[1].0,
                });
            }
            if pair[1].1 < pair[0].1 {
                return Err(MapsError::Falling { place: i + 1 });
            }
        }
        Ok(Self {
            points: points.into(),
        })
    }

    /// The points, by rising raw value.
    #[must_use]
    pub fn points(&self) -> &[(i64, Ppm)] {
        &self.points
    }

    /// The calibrated probability of a raw estimate, rounded to nearest between points.
    #[inline]
    #[must_use]
    pub fn apply(&self, raw: i64) -> Ppm {
        let right = self.points.partition_point(|p| p.0 <= raw);
        if right == 0 {
            return self.points[0].1;
        }
        let (x0, y0) = self.points[right - 1];
        let Some(&(x1, y1)) = self.points.get(right) else {
            return y0;
        };
        let width = x1 - x0;
        let rise = (y1.get() - y0.get()) * (raw - x0);
        Ppm::clamped(y0.get() + (2 * rise + width) / (2 * width))
    }
}

impl Maps {
    /// The identity for each of `kinds` kinds of question.
    #[must_use]
    pub fn identity(kinds: usize) -> Self {
        Self {
            kinds: vec![None; kinds].into(),
            parameters: Box::default(),
        }
    }

    /// Maps in the order of the game's kinds; `None` is the identity.
    #[must_use]
    pub fn new(kinds: Vec<Option<Map>>) -> Self {
        Self {
            kinds: kinds.into(),
            parameters: Box::default(),
        }
    }

    /// The same maps for an estimator with these parameters, in the order of the game's; none for
    /// the defaults.
    #[must_use]
    pub fn with_parameters(self, parameters: &[i64]) -> Self {
        Self {
            parameters: parameters.into(),
            ..self
        }
    }

    /// The values of the estimator's parameters in the game's order; empty for the defaults.
    #[inline]
    #[must_use]
    pub fn parameters(&self) -> &[i64] {
        &self.parameters
    }

    /// The value of the parameter at a place of the game's list `rows`: the one given, or its
    /// default; 0 for a place that the list does not have.
    #[inline]
    #[must_use]
    pub fn parameter(&self, rows: &[Parameter], place: usize) -> i64 {
        match (self.parameters.get(place), rows.get(place)) {
            (Some(value), _) => *value,
            (None, Some(row)) => row.default,
            (None, None) => 0,
        }
    }

    /// The maps in the order of the game's kinds.
    #[must_use]
    pub fn kinds(&self) -> &[Option<Map>] {
        &self.kinds
    }

    /// The calibrated probability of a raw estimate for one kind; a kind without a map is taken raw.
    #[inline]
    #[must_use]
    pub fn apply(&self, kind: usize, raw: i64) -> Ppm {
        match self.kinds.get(kind) {
            Some(Some(map)) => map.apply(raw),
            _ => Ppm::clamped(raw),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Maps, Parameter};

    const ROWS: &[Parameter] = &[
        Parameter {
            name: "slope",
            about: "a test",
            default: 4,
            low: -5,
            high: 6,
            step: 4,
        },
        Parameter {
            name: "bend",
            about: "a test",
            default: 1,
            low: 1,
            high: 1,
            step: 0,
        },
    ];

    #[test]
    fn a_grid_stays_within_its_bounds() {
        assert_eq!(ROWS[0].grid().collect::<Vec<_>>(), [-5, -1, 3]);
        assert_eq!(ROWS[1].grid().collect::<Vec<_>>(), [1]);
        assert!(ROWS[0].admits(6) && !ROWS[0].admits(7) && !ROWS[0].admits(-6));
    }

    #[test]
    fn parameters_that_are_not_given_are_the_defaults() {
        let maps = Maps::identity(2);
        let values = |maps: &Maps| [0, 1, 2].map(|place| maps.parameter(ROWS, place));
        assert_eq!(values(&maps), [4, 1, 0]);
        let given = maps.clone().with_parameters(&[9, 8]);
        assert_eq!(values(&given), [9, 8, 0]);
        assert_ne!(maps, given);
    }
}
