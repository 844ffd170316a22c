/// A counted budget of deterministic work units.
///
/// Planners and estimators charge what they do; a slow machine therefore cannot change a result.
/// A server may add a deadline through `expired`, which is asked whenever work is charged.
pub struct Work<'a> {
    limit: u64,
    used: u64,
    expired: Option<&'a dyn Fn() -> bool>,
    late: bool,
}

/// The budget, or the caller's deadline, ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the work budget or the deadline ran out")]
pub struct OutOfWork;

impl<'a> Work<'a> {
    /// A budget of `limit` units and no deadline.
    #[must_use]
    pub const fn units(limit: u64) -> Self {
        Self {
            limit,
            used: 0,
            expired: None,
            late: false,
        }
    }

    /// A budget of `limit` units that also ends when `expired` answers true.
    #[must_use]
    pub const fn with_deadline(limit: u64, expired: &'a dyn Fn() -> bool) -> Self {
        Self {
            limit,
            used: 0,
            expired: Some(expired),
            late: false,
        }
    }

    /// Charges `units` before they are spent.
    ///
    /// # Errors
    /// [`OutOfWork`] when that exceeds the budget or the deadline has passed. What was charged
    /// stays counted.
    #[inline]
    pub fn charge(&mut self, units: u64) -> Result<(), OutOfWork> {
        self.used = self.used.saturating_add(units);
        if self.used > self.limit {
            return Err(OutOfWork);
        }
        match self.expired {
            None => Ok(()),
            Some(expired) => self.ask(expired),
        }
    }

    #[cold]
    fn ask(&mut self, expired: &dyn Fn() -> bool) -> Result<(), OutOfWork> {
        self.late = self.late || expired();
        if self.late { Err(OutOfWork) } else { Ok(()) }
    }

    /// Units charged so far.
    #[must_use]
    pub const fn used(&self) -> u64 {
        self.used
    }

    /// The budget in units.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Whether the deadline, rather than the units, ended the work.
    #[must_use]
    pub const fn late(&self) -> bool {
        self.late
    }
}
