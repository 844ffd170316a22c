//! The two simple styles. Both see only the view and remember nothing; they charge no work.
//!
//! Where the order of preference ties, the lower card ids win: rank by rank from A, then C, D, H, S.

use crate::card::{self, SEVENS, lowered, raised, rank, rank_cards};
use crate::moves::Decision;
use crate::question::Question;
use crate::view::{Phase, View};
use crate::{Hoola, Memo};
use evenhand_contract::{Ask, Cards, PolicyError, Trace, Work};
use std::cmp::Reverse;

/// Draws; registers until nothing is left to register, the most cards first, then the higher sum,
/// so a lone 7 last; lays off the dearest single card that fits until none does; discards the
/// dearest loose card. Claims nothing and declares no stop.
pub(super) fn easy(
    ask: &Ask<'_, Hoola>,
    _memo: &mut Memo,
    _work: &mut Work<'_>,
    trace: &mut Trace<Decision, Question>,
) -> Result<Decision, PolicyError> {
    let view = ask.view;
    match view.phase {
        Phase::Window if view.options.decline => {
            trace.stage("decline");
            Ok(Decision::Decline)
        }
        Phase::Start if view.options.draw => {
            trace.stage("draw");
            Ok(Decision::Draw)
        }
        _ => play(view, trace).ok_or_else(|| PolicyError::Other("nothing is legal".to_owned())),
    }
}

/// Plays as [`easy`], but claims every discard that it can, into the largest meld, and declares the
/// stops that cannot fail.
pub(super) fn eager(
    ask: &Ask<'_, Hoola>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<Decision, Question>,
) -> Result<Decision, PolicyError> {
    if let Some(decision) = certain(ask.view, trace) {
        return Ok(decision);
    }
    easy(ask, memo, work, trace)
}

/// A claim into the largest meld, or a stop that cannot fail, where there is one.
fn certain(view: &View, trace: &mut Trace<Decision, Question>) -> Option<Decision> {
    if let Some(meld) = largest(&view.options.claims) {
        trace.stage("claim");
        return Some(Decision::Claim(meld));
    }
    let stop = view.options.stops.iter().find(|stop| stop.is_certain())?;
    trace.stage("stop");
    Some(Decision::Stop(stop))
}

/// The meld with the most cards, then the higher sum, then the lower ids, compared from the lowest
/// card up: of two sets of one size, that is the one whose bits, turned round, are the greater number.
pub(super) fn largest(melds: &[Cards]) -> Option<Cards> {
    let order = |meld: Cards| (meld.len(), card::sum(meld), meld.0.reverse_bits());
    melds.iter().copied().max_by_key(|&meld| order(meld))
}

/// What to do after the draw or the claim.
fn play(view: &View, trace: &mut Trace<Decision, Question>) -> Option<Decision> {
    let options = &view.options;
    if let Some(meld) = largest(&options.registers) {
        trace.stage("register");
        return Some(Decision::Register(meld));
    }
    let singles = options.lay_offs.iter().filter(|l| l.cards.len() == 1);
    // The dearest rank, then the lower id, then the older meld.
    let dearest = singles.max_by_key(|l| {
        let id = l.cards.lowest().unwrap_or_default();
        (rank(id), Reverse(id), Reverse(l.meld))
    });
    if let Some(lay_off) = dearest {
        trace.stage("lay_off");
        return Some(Decision::LayOff {
            cards: lay_off.cards,
            meld: lay_off.meld,
        });
    }
    trace.stage("discard");
    discard(options.discards).map(Decision::Discard)
}

/// The dearest card that is in no pair and beside no neighbour of its suit; if all are, the dearest
/// that is not a 7; a 7 when there is nothing else.
fn discard(hand: Cards) -> Option<u8> {
    let beside = hand & (raised(hand) | lowered(hand));
    let loose = hand - beside - paired(hand);
    dearest(loose)
        .or_else(|| dearest(hand - SEVENS))
        .or_else(|| dearest(hand))
}

/// The cards whose rank the hand holds twice or more.
fn paired(hand: Cards) -> Cards {
    const LOWEST: u64 = 0x1_1111_1111_1111;
    let at = |suit: u32| hand.0 >> suit & LOWEST;
    let (c, d, h, s) = (at(0), at(1), at(2), at(3));
    let twice = (c & d) | (h & s) | ((c | d) & (h | s));
    hand & Cards(twice * 0xf)
}

/// The card of the highest rank, of equal ones the lowest id.
fn dearest(cards: Cards) -> Option<u8> {
    (cards & rank_cards(rank(cards.highest()?))).lowest()
}
