use crate::{CalibrateError, Phase, Watch};
use evenhand_cli::{Exit, Interrupted, Progress, fail, interrupt};

/// Shows progress and hears Ctrl-C.
#[derive(Default)]
pub(crate) struct Shown(Option<(Phase, Progress)>);

impl Watch for Shown {
    fn phase(&mut self, phase: Phase, done: u64, total: u64) {
        let (_, progress) = match self.0.take() {
            Some(shown) if shown.0 == phase => self.0.insert(shown),
            _ => {
                let (label, unit) = match phase {
                    Phase::Play => ("play", "rounds"),
                    Phase::Redeal => ("re-deal", "situations"),
                    Phase::Fit => ("fit", "values"),
                };
                self.0.insert((phase, Progress::start(label, unit, total)))
            }
        };
        progress.set_total(total);
        progress.set(done);
    }

    fn interrupted(&mut self) -> bool {
        interrupt::requested()
    }
}

/// The error with its exit code.
pub(crate) fn coded(error: CalibrateError) -> anyhow::Error {
    match error {
        CalibrateError::Interrupted => Interrupted.into(),
        CalibrateError::Play(_) | CalibrateError::Estimator(_) => fail(Exit::Internal, error),
        other => other.into(),
    }
}
