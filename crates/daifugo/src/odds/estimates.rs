//! The estimator as the contract's [`Estimates`].

use super::{KINDS, kind, probes, raw};
use crate::{Daifugo, Memo, Question, View};
use evenhand_contract::{Estimates, OutOfWork, Setup, Work};

impl Estimates for Daifugo {
    const KINDS: &'static [&'static str] = &KINDS;

    fn kind(question: &Question) -> usize {
        kind(&question.play, question.count)
    }

    fn is_exact(_kind: usize) -> bool {
        false
    }

    fn raw(
        view: &View,
        question: &Question,
        _parameters: &[i64],
        memo: &mut Memo,
        work: &mut Work<'_>,
    ) -> Result<i64, OutOfWork> {
        raw(view, question, memo.odds(), work)
    }

    fn probes(setup: &Setup<Self>) -> Vec<(View, Question)> {
        probes::probes(setup)
    }
}
