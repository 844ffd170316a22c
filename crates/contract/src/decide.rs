use crate::{Game, Line, Maps, Milli, Policy, PolicyError, Trace, Weights, Work};

/// What a policy is asked: a view, and the parameters it plays by.
pub struct Ask<'a, G: Game> {
    /// What the seat has seen.
    pub view: &'a G::View,
    /// Knob values in table order, in thousandths.
    pub weights: &'a [Milli],
    /// Calibration maps.
    pub maps: &'a Maps,
    /// Rule stages that are switched off, bit i for stage i of the row.
    pub stages_off: u32,
}

/// Why a decision was made by the fallback.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// No policy of that name.
    UnknownPolicy,
    /// The policy returned an error (in the bot crate also: panicked, or chose what is not legal).
    PolicyError,
    /// The work budget ran out.
    OutOfWork,
    /// The caller's deadline passed.
    Deadline,
}

impl Cause {
    /// Every cause, in the order of [`Fallbacks`].
    pub const ALL: [Self; 4] = [
        Self::UnknownPolicy,
        Self::PolicyError,
        Self::OutOfWork,
        Self::Deadline,
    ];

    /// The name in JSON output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnknownPolicy => "unknown_policy",
            Self::PolicyError => "policy_error",
            Self::OutOfWork => "out_of_work",
            Self::Deadline => "deadline",
        }
    }
}

/// Fallbacks counted by cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fallbacks(pub [u64; 4]);

impl Fallbacks {
    /// Counts one.
    pub fn count(&mut self, cause: Cause) {
        self.0[cause as usize] += 1;
    }

    /// Those of one cause.
    #[must_use]
    pub const fn of(&self, cause: Cause) -> u64 {
        self.0[cause as usize]
    }

    /// Those of all causes.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds another count.
    pub fn add(&mut self, other: &Self) {
        for (sum, n) in self.0.iter_mut().zip(other.0) {
            *sum += n;
        }
    }
}

/// A decision and how it came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome<D> {
    /// What to do.
    pub decision: D,
    /// Set when the policy gave none and the fallback decided.
    pub fallback: Option<Cause>,
    /// Work units that the policy used (not the fallback).
    pub work: u64,
}

/// Asks a policy, and the game's fallback (the first row, `easy`) when it gives no decision.
///
/// The fallback runs on a budget of its own that nothing exhausts: it is the guard rail.
///
/// # Errors
/// Only when the fallback itself gives no decision.
#[inline]
pub fn decide<G: Game>(
    policy: &Policy<G>,
    view: &G::View,
    memo: &mut G::Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<G::Decision, G::Question>,
) -> Result<Outcome<G::Decision>, PolicyError> {
    let ask = Ask {
        view,
        weights: policy.weights.values(),
        maps: &policy.maps,
        stages_off: policy.stages_off,
    };
    if let Some(line) = &mut trace.line {
        line.begin();
    }
    match (policy.row.decide)(&ask, memo, work, trace) {
        Ok(decision) => {
            if let Some(line) = &mut trace.line {
                end(line, work);
            }
            Ok(Outcome {
                decision,
                fallback: None,
                work: work.used(),
            })
        }
        Err(error) => {
            let cause = match error {
                PolicyError::OutOfWork(_) if work.late() => Cause::Deadline,
                PolicyError::OutOfWork(_) => Cause::OutOfWork,
                PolicyError::Other(_) => Cause::PolicyError,
            };
            fall_back::<G>(view, memo, trace, cause, work.used())
        }
    }
}

/// How much of its budget a decision may use and still be certified for other knob values: with
/// them other candidates may be looked at, and what they cost must not reach the budget.
const CERTIFIED_WORK_SHARE: u64 = 4;

/// Ends a decision on a line. One that came near its budget is certified for its own value only.
fn end(line: &mut Line, work: &Work<'_>) {
    line.end();
    if work.used() > work.limit() / CERTIFIED_WORK_SHARE {
        line.collapse();
    }
}

/// Lets the game's fallback decide, for the given cause.
#[cold]
fn fall_back<G: Game>(
    view: &G::View,
    memo: &mut G::Memo,
    trace: &mut Trace<G::Decision, G::Question>,
    cause: Cause,
    work: u64,
) -> Result<Outcome<G::Decision>, PolicyError> {
    trace.clear();
    if let Some(line) = &mut trace.line {
        line.collapse();
    }
    let row = &G::policies()[0];
    let weights = Weights::defaults(row.knobs);
    let maps = Maps::identity(0);
    let ask = Ask {
        view,
        weights: weights.values(),
        maps: &maps,
        stages_off: 0,
    };
    let decision = (row.decide)(&ask, memo, &mut Work::units(u64::MAX), trace)?;
    Ok(Outcome {
        decision,
        fallback: Some(cause),
        work,
    })
}
