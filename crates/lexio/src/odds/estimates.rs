//! The estimator as the contract's [`Estimates`].

use super::{KINDS, kind, probes, raw, redeal};
use crate::meld::Meld;
use crate::state::State;
use crate::{Lexio, Memo, View};
use evenhand_contract::{Estimates, OutOfWork, Seat, Setup, Stream, Work};

impl Estimates for Lexio {
    const KINDS: &'static [&'static str] = &KINDS;

    fn kind(question: &Meld) -> usize {
        kind(question)
    }

    fn is_exact(kind: usize) -> bool {
        kind <= 1
    }

    fn raw(
        view: &View,
        question: &Meld,
        _parameters: &[i64],
        memo: &mut Memo,
        work: &mut Work<'_>,
    ) -> Result<i64, OutOfWork> {
        raw(view, question, &mut memo.odds, work)
    }

    fn probes(setup: &Setup<Self>) -> Vec<(View, Meld)> {
        probes::probes(setup)
    }

    fn count_true(
        state: &State,
        seat: Seat,
        question: &Meld,
        samples: u32,
        stream: &mut Stream,
    ) -> u32 {
        redeal::count_true(&state.view(seat), question, samples, stream)
    }
}
