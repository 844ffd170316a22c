use super::simple::{easy, hash, sorted};
use crate::game::{Memo, Toy};
use crate::play::Play;
use evenhand_contract::{Ask, Cards, PolicyError, Trace, Work};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

type Decided = Result<Play, PolicyError>;
type Notes = Trace<Play, Play>;

static COUNTER: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// How often `tenth` was asked on this thread since [`reset_calls`].
#[must_use]
pub fn calls() -> u64 {
    CALLS.get()
}

/// Starts the count of [`calls`] anew on this thread.
pub fn reset_calls() {
    CALLS.set(0);
}

/// Chooses by how many decisions the process has made so far.
pub(super) fn counter(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    _: &mut Work<'_>,
    _: &mut Notes,
) -> Decided {
    let legal = sorted(ask, memo);
    let asked = COUNTER.fetch_add(1, Ordering::Relaxed);
    let pick = asked.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    Ok(legal[(pick % legal.len() as u64) as usize])
}

/// Errors on every tenth call of the thread, else plays as `easy`.
pub(super) fn tenth(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    notes: &mut Notes,
) -> Decided {
    let calls = CALLS.get() + 1;
    CALLS.set(calls);
    if calls.is_multiple_of(10) {
        return Err(PolicyError::Other("the tenth call".to_owned()));
    }
    easy(ask, memo, work, notes)
}

/// Never gives a decision.
pub(super) fn broken(_: &Ask<'_, Toy>, _: &mut Memo, _: &mut Work<'_>, _: &mut Notes) -> Decided {
    Err(PolicyError::Other("out of order".to_owned()))
}

/// Asks for more work than any budget has.
pub(super) fn greedy(
    _: &Ask<'_, Toy>,
    _: &mut Memo,
    work: &mut Work<'_>,
    _: &mut Notes,
) -> Decided {
    work.charge(u64::MAX)?;
    Ok(Play::PASS)
}

/// Panics on lead for about one hand in 64, else plays as `easy`.
pub(super) fn panics(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    notes: &mut Notes,
) -> Decided {
    let full_lead = ask.view.field.is_pass() && ask.view.played == Cards::EMPTY;
    if full_lead && hash(ask, 1) >> 20 & 63 == 0 {
        panic!("a hand this policy cannot bear");
    }
    easy(ask, memo, work, notes)
}

/// The strongest card of the hand, legal or not.
pub(super) fn cheat(ask: &Ask<'_, Toy>, _: &mut Memo, _: &mut Work<'_>, _: &mut Notes) -> Decided {
    let top = ask.view.hand.highest().map_or(Cards::EMPTY, Cards::one);
    Ok(Play(top))
}
