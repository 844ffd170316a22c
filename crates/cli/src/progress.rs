//! Progress of long work on standard error: a bar on a terminal, a plain line now and then
//! elsewhere.
// Shown to people only; no result depends on the time read here.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use crate::interrupt;
use crate::out::diagnostic;
use evenhand_sim::{Block, Control};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::error::Error;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Between two plain lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Shows how much of a known amount of work is done. Counts are of finished work, never of work
/// handed out.
pub struct Progress {
    label: String,
    unit: &'static str,
    total: u64,
    started: Instant,
    shown: Shown,
}

enum Shown {
    Bar(ProgressBar),
    Lines(Mutex<Instant>),
}

impl Progress {
    /// Starts showing `label`; `total` is counted in `unit` (plural). Prints nothing yet where
    /// standard error is no terminal.
    #[must_use]
    pub fn start(label: &str, unit: &'static str, total: u64) -> Self {
        let started = Instant::now();
        let shown = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(
                "{prefix} {wide_bar} {pos}/{len} {msg} {elapsed} (ETA {eta})",
            );
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(label.to_owned());
            bar.set_message(unit);
            Shown::Bar(bar)
        } else {
            Shown::Lines(Mutex::new(started))
        };
        Self {
            label: label.to_owned(),
            unit,
            total,
            started,
            shown,
        }
    }

    /// Says how much is done by now, of this run and of the runs it resumes.
    pub fn set(&self, done: u64) {
        match &self.shown {
            Shown::Bar(bar) => {
                bar.set_length(self.total.max(done));
                bar.set_position(done);
            }
            Shown::Lines(last) => {
                let now = Instant::now();
                let Ok(mut last) = last.lock() else { return };
                if now.saturating_duration_since(*last) < PAUSE {
                    return;
                }
                *last = now;
                let spent = now.saturating_duration_since(self.started);
                diagnostic(&self.line(done, spent));
            }
        }
    }

    /// Corrects the total, where it was a guess.
    pub fn set_total(&mut self, total: u64) {
        self.total = total;
        if let Shown::Bar(bar) = &self.shown {
            bar.set_length(total);
        }
    }

    fn line(&self, done: u64, spent: Duration) -> String {
        let Self {
            label, unit, total, ..
        } = self;
        if done > *total {
            // The total was a guess, and a low one.
            let unit = unit.trim_end_matches(" (estimated)");
            return format!("{label}: {done} {unit}, more than the {total} estimated");
        }
        let mut line = format!("{label}: {done} of {total} {unit}");
        if done > 0 && done < *total {
            let left = spent.as_secs().saturating_mul(total - done) / done;
            line.push_str(&format!(", about {} left", duration(left)));
        }
        line
    }

    /// Whole seconds since the start, for telling how long more of the same would take.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        Instant::now()
            .saturating_duration_since(self.started)
            .as_secs()
    }

    /// Says that it is over; a bar is removed, so that what stays is the result alone.
    pub fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// Shows finished seeds, and stops the run when Ctrl-C asks for it. For runs that keep no journal;
/// others call [`Progress::set`] from a control of their own.
impl Control for Progress {
    fn block(
        &mut self,
        _block: &Block,
        finished: usize,
        _total: usize,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.set(finished as u64);
        Ok(())
    }

    fn interrupted(&mut self) -> bool {
        interrupt::requested()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Seconds as people say them.
fn duration(seconds: u64) -> String {
    match seconds {
        0..=99 => format!("{seconds} s"),
        100..=5999 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_line_says_what_is_left() {
        let p = Progress {
            label: "tune".to_owned(),
            unit: "evaluations",
            total: 100,
            started: Instant::now(),
            shown: Shown::Lines(Mutex::new(Instant::now())),
        };
        assert_eq!(
            p.line(25, Duration::from_secs(50)),
            "tune: 25 of 100 evaluations, about 3 min left"
        );
        assert_eq!(p.line(0, Duration::ZERO), "tune: 0 of 100 evaluations");
        assert_eq!(
            p.line(100, Duration::from_secs(9)),
            "tune: 100 of 100 evaluations"
        );
        assert_eq!(
            p.line(101, Duration::from_secs(9)),
            "tune: 101 evaluations, more than the 100 estimated"
        );
    }
}
