//! The third simple style: eager with a plain stop by calibrated expected value.

use super::{simple, stop};
use crate::moves::{Decision, Stop};
use crate::question::Question;
use crate::{Hoola, Memo};
use evenhand_contract::{Ask, PolicyError, Trace, Work};

/// Plays as eager, and declares a plain stop when that is worth more than waiting.
pub(super) fn greedy(
    ask: &Ask<'_, Hoola>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<Decision, Question>,
) -> Result<Decision, PolicyError> {
    if ask.view.options.stops.has(Stop::Plain) {
        let worth = stop::judge(ask, stop::Caution::NONE, work, trace)?;
        if stop::declares(&worth, stop::Caution::NONE) {
            trace.stage("plain_stop");
            return Ok(Decision::Stop(Stop::Plain));
        }
    }
    simple::eager(ask, memo, work, trace)
}
