//! The estimator as the contract's [`Estimates`].

use super::{KINDS, PARAMETERS, TILT, kind, probes, raw};
use crate::moves::{Decision, Stop};
use crate::question::Question;
use crate::view::View;
use crate::{Hoola, Memo};
use evenhand_contract::{Estimates, Fit, OutOfWork, Parameter, Setup, Work};

impl Estimates for Hoola {
    const PARAMETERS: &'static [Parameter] = &PARAMETERS;
    const FIT: Fit = Fit::SelfPlay;
    const KINDS: &'static [&'static str] = &KINDS;

    fn kind(question: &Question) -> usize {
        kind(question)
    }

    fn is_exact(_kind: usize) -> bool {
        false
    }

    fn raw(
        view: &View,
        question: &Question,
        parameters: &[i64],
        _memo: &mut Memo,
        work: &mut Work<'_>,
    ) -> Result<i64, OutOfWork> {
        let tilt = parameters.get(TILT).copied();
        raw(
            view,
            question,
            tilt.unwrap_or(PARAMETERS[TILT].default),
            work,
        )
    }

    fn stakes(question: &Question, decision: &Decision) -> bool {
        let asked = matches!(question, Question::PlainWins { .. });
        asked && *decision == Decision::Stop(Stop::Plain)
    }

    fn probes(setup: &Setup<Self>) -> Vec<(View, Question)> {
        probes::probes(setup)
    }
}
