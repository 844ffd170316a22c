//! How long things take, for people who plan more of them.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "told beside results, which do not depend on it"
)]

use std::time::Instant;

/// A stopwatch.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Milliseconds since the start.
    pub(crate) fn millis(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Seconds as minutes, rounded up to what planning needs.
pub(crate) fn minutes(seconds: u64) -> String {
    match seconds {
        0..=59 => "less than a minute".to_owned(),
        60..=5_999 => format!("about {} min", seconds.div_ceil(60)),
        _ => format!("about {} h", seconds.div_ceil(3_600)),
    }
}
