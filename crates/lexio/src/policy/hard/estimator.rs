//! Whom hard asks how likely it is that somebody beats a meld.

use crate::meld::Meld;
use crate::odds::{self, OddsMemo};
use crate::{Lexio, Play};
use evenhand_contract::{Ask, OutOfWork, Ppm, Prediction, Trace, Work};

/// Answers how likely it is that somebody beats a meld.
pub(super) trait Estimator {
    fn beaten(
        ask: &Ask<'_, Lexio>,
        meld: &Meld,
        memo: &mut OddsMemo,
        work: &mut Work<'_>,
        trace: &mut Trace<Play, Meld>,
    ) -> Result<Ppm, OutOfWork>;
}

/// The estimator that the calibration tables are made for.
pub(super) struct Calibrated;

impl Estimator for Calibrated {
    #[inline]
    fn beaten(
        ask: &Ask<'_, Lexio>,
        meld: &Meld,
        memo: &mut OddsMemo,
        work: &mut Work<'_>,
        trace: &mut Trace<Play, Meld>,
    ) -> Result<Ppm, OutOfWork> {
        odds::beaten(ask.view, meld, ask.maps, memo, work, trace)
    }
}

/// The estimator that takes overlapping chances for independent ones: wrong on purpose, so that
/// the instruments can be shown to notice.
pub(super) struct Independent;

impl Estimator for Independent {
    fn beaten(
        ask: &Ask<'_, Lexio>,
        meld: &Meld,
        _memo: &mut OddsMemo,
        work: &mut Work<'_>,
        trace: &mut Trace<Play, Meld>,
    ) -> Result<Ppm, OutOfWork> {
        let raw = odds::raw_independent(ask.view, meld, work)?;
        let believed = Ppm::clamped(raw);
        if trace.wants_predictions() {
            trace.predictions.push(Prediction {
                question: *meld,
                raw,
                believed,
            });
        }
        Ok(believed)
    }
}
