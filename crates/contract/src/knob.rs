use crate::Milli;

/// One tunable of a policy. This row is the only place that names it; validation, listing,
/// tuning and artifacts derive from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knob {
    /// Name, as in artifacts and traces.
    pub name: &'static str,
    /// One line on what it weighs.
    pub about: &'static str,
    /// Value of generation 0, in thousandths.
    pub default: Milli,
    /// Lowest value allowed.
    pub low: Milli,
    /// Highest value allowed.
    pub high: Milli,
    /// First step of a search; halves per sweep, never below 1.
    pub step: Milli,
}

/// The values of a policy's knobs, in table order, each within its bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Weights(Box<[Milli]>);

/// Values that do not fit a knob table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// More or fewer values than knobs.
    #[error("{found} weights for {expected} knobs")]
    Count {
        /// Values given.
        found: usize,
        /// Knobs in the table.
        expected: usize,
    },
    /// A name that stands elsewhere or nowhere in the table.
    #[error("knob {place} is named {found:?}, expected {expected:?}")]
    Name {
        /// Place in the table, from 0.
        place: usize,
        /// Name given.
        found: String,
        /// Name in the table.
        expected: &'static str,
    },
    /// A value outside its knob's bounds.
    #[error("{knob} is {value}, outside {low} to {high}")]
    OutOfBounds {
        /// The knob.
        knob: &'static str,
        /// Value given.
        value: Milli,
        /// Lowest allowed.
        low: Milli,
        /// Highest allowed.
        high: Milli,
    },
}

impl Weights {
    /// The defaults of a knob table (generation 0).
    #[must_use]
    pub fn defaults(knobs: &[Knob]) -> Self {
        Self(knobs.iter().map(|k| k.default).collect())
    }

    /// Values in table order.
    ///
    /// # Errors
    /// When their number or a bound does not fit the table.
    pub fn new(knobs: &[Knob], values: &[Milli]) -> Result<Self, WeightsError> {
        if values.len() != knobs.len() {
            return Err(WeightsError::Count {
                found: values.len(),
                expected: knobs.len(),
            });
        }
        for (knob, &value) in knobs.iter().zip(values) {
            if value < knob.low || value > knob.high {
                return Err(WeightsError::OutOfBounds {
                    knob: knob.name,
                    value,
                    low: knob.low,
                    high: knob.high,
                });
            }
        }
        Ok(Self(values.into()))
    }

    /// Named values, which must stand in table order, none left out.
    ///
    /// # Errors
    /// When a name, the count or a bound does not fit the table.
    pub fn from_named<'a>(
        knobs: &[Knob],
        named: impl IntoIterator<Item = (&'a str, Milli)>,
    ) -> Result<Self, WeightsError> {
        let named: Vec<_> = named.into_iter().collect();
        if named.len() != knobs.len() {
            return Err(WeightsError::Count {
                found: named.len(),
                expected: knobs.len(),
            });
        }
        for (place, (knob, (name, _))) in knobs.iter().zip(&named).enumerate() {
            if knob.name != *name {
                return Err(WeightsError::Name {
                    place,
                    found: (*name).to_owned(),
                    expected: knob.name,
                });
            }
        }
        let values: Vec<_> = named.iter().map(|(_, v)| *v).collect();
        Self::new(knobs, &values)
    }

    /// The values in table order, in thousandths.
    #[inline]
    #[must_use]
    pub fn values(&self) -> &[Milli] {
        &self.0
    }

    /// The same weights with one knob moved.
    ///
    /// # Errors
    /// When the value is out of the knob's bounds.
    ///
    /// # Panics
    /// When `place` is not in the table.
    pub fn with(&self, knobs: &[Knob], place: usize, value: Milli) -> Result<Self, WeightsError> {
        let mut values = self.0.to_vec();
        values[place] = value;
        Self::new(knobs, &values)
    }
}
