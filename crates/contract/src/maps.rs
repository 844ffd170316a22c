use crate::Ppm;

/// A monotone map from a raw estimate to a calibrated probability: straight lines between points.
///
/// Raw values are whole numbers of the estimator's own scale (usually ppm); left of the first
/// point and right of the last the map is constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    points: Box<[(i64, Ppm)]>,
}

/// The calibration maps of one game and player count, one per kind of question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maps {
    /// `None` is the identity map (raw ppm is taken as it is).
    kinds: Box<[Option<Map>]>,
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
        }
    }

    /// Maps in the order of the game's kinds; `None` is the identity.
    #[must_use]
    pub fn new(kinds: Vec<Option<Map>>) -> Self {
        Self {
            kinds: kinds.into(),
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
