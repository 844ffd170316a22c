use crate::{Line, Ppm};

/// How much a policy is asked to record while it decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum TraceLevel {
    /// Nothing; recording is then free.
    #[default]
    Off,
    /// Predictions only.
    Predictions,
    /// Predictions, the stage that decided, and each candidate with its terms.
    Full,
}

/// One choice that a policy weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate<D> {
    /// The choice.
    pub decision: D,
    /// Its score; sum of weight x term.
    pub total: i64,
    /// Each term's name and value, before its weight, in a fixed order.
    pub terms: Vec<(&'static str, i64)>,
    /// Further figures that explain the choice ("remaining", "beaten_ppm"), in a fixed order.
    pub facts: Vec<(&'static str, i64)>,
}

/// A question about hidden cards with the probability a policy believed while it decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction<Q> {
    /// What was asked.
    pub question: Q,
    /// The estimator's raw output.
    pub raw: i64,
    /// What was believed after calibration.
    pub believed: Ppm,
}

/// Why a policy decided as it did. Off by default, and then free.
#[derive(Clone, Debug)]
pub struct Trace<D, Q> {
    level: TraceLevel,
    stage: &'static str,
    /// Recorded at [`TraceLevel::Full`].
    pub candidates: Vec<Candidate<D>>,
    /// Recorded from [`TraceLevel::Predictions`] up.
    pub predictions: Vec<Prediction<Q>>,
    /// The line of one of the deciding policy's knobs, where a search follows one: the policy
    /// narrows it, or leaves it alone and thereby certifies nothing. `None` almost always.
    pub line: Option<Line>,
}

impl<D, Q> Trace<D, Q> {
    /// A trace that records at this level.
    #[must_use]
    pub const fn new(level: TraceLevel) -> Self {
        Self {
            level,
            stage: "",
            candidates: Vec::new(),
            predictions: Vec::new(),
            line: None,
        }
    }

    /// Whether candidates and their terms are wanted.
    #[inline]
    #[must_use]
    pub fn full(&self) -> bool {
        self.level == TraceLevel::Full
    }

    /// Whether predictions are wanted.
    #[inline]
    #[must_use]
    pub fn wants_predictions(&self) -> bool {
        self.level != TraceLevel::Off
    }

    /// Names the stage that decided; the last one named stays.
    #[inline]
    pub fn stage(&mut self, stage: &'static str) {
        self.stage = stage;
    }

    /// The stage that decided, empty when the policy has none.
    #[must_use]
    pub fn decided_by(&self) -> &'static str {
        self.stage
    }

    /// Forgets what was recorded; the level and the line stay.
    #[inline]
    pub fn clear(&mut self) {
        self.stage = "";
        self.candidates.clear();
        self.predictions.clear();
    }
}
