//! The two simple styles. Both see only the view and remember nothing; they charge no work.

use super::hard::give_back;
use crate::beater::{RankCounts, stair_bits, stronger, stronger_starts};
use crate::card::{JOKERS, NATURALS, SPADE_3, lowest, rank_cards};
use crate::game::Daifugo;
use crate::play::{Decision, JOKER_RANK, Kind, LEAST_IN_STAIR, Play, span};
use crate::view::View;
use crate::{Memo, Question};
use evenhand_contract::{Ask, Cards, PolicyError, Trace, Work};

type DaifugoTrace = Trace<Decision, Question>;

/// Leads the weakest rank whole, naturals only, or the longest joker-free stair if that sheds
/// more; follows with the weakest play that beats, of those the one with the fewest jokers; passes
/// only when none does. A last play that is a foul is left out where another play exists. Gives
/// its weakest cards back. Where all that leaves a tie, of stairs the lower suit is taken, and of
/// cards the lower ids.
pub(super) fn easy(
    ask: &Ask<'_, Daifugo>,
    _memo: &mut Memo,
    _work: &mut Work<'_>,
    trace: &mut DaifugoTrace,
) -> Result<Decision, PolicyError> {
    let view = ask.view;
    if view.due > 0 {
        trace.stage("return");
        return Ok(Decision::Return(lowest(view.hand, view.due.into())));
    }
    style(view, trace)
}

/// Leads and follows as [`easy`] does, but passes rather than finish by a foul.
pub(super) fn careful(
    ask: &Ask<'_, Daifugo>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut DaifugoTrace,
) -> Result<Decision, PolicyError> {
    let view = ask.view;
    if view.due > 0 {
        trace.stage("return");
        return Ok(give_back(view, memo, work)?);
    }
    let decision = style(view, trace)?;
    if view.field.is_some() && decision.cards() == view.hand {
        let fouls = |play: Play| play.fouls(view.revolution, view.rules);
        if decision.play().ok().flatten().is_some_and(fouls) {
            trace.stage("no_foul");
            return Ok(Decision::Pass);
        }
    }
    Ok(decision)
}

fn style(view: &View, trace: &mut DaifugoTrace) -> Result<Decision, PolicyError> {
    let answer = match &view.field {
        Some(field) => {
            let answer = follow(view.hand, field, view.revolution);
            trace.stage(if answer.is_some() { "weakest" } else { "pass" });
            return Ok(answer.map_or(Decision::Pass, |play| play.decision()));
        }
        None => lead(view),
    };
    trace.stage("lead");
    answer.ok_or_else(|| PolicyError::Other("there is no card to lead".to_owned()))
}

/// The play that [`easy`] leads with; `None` for an empty hand.
#[must_use]
pub(crate) fn lead(view: &View) -> Option<Decision> {
    let (hand, revolution) = (view.hand, view.revolution);
    let naturals = hand & NATURALS;
    if naturals.is_empty() {
        // Of two jokers, the pair would be a foul.
        return hand.lowest().map(|id| Decision::Set(Cards::one(id)));
    }
    let left_out = |play: Option<Play>| {
        play.is_some_and(|p| p.cards == hand && hand.len() > 1 && p.fouls(revolution, view.rules))
    };
    let mut whole = naturals & rank_cards(weakest(naturals.0, revolution) / 4);
    if left_out(Play::set(whole)) {
        whole = lowest(whole, whole.len() - 1);
    }
    let mut size = longest_stair(naturals);
    while size >= LEAST_IN_STAIR && size > whole.len() {
        let starts = stair_bits(naturals, size)[0];
        let bit = weakest(starts, revolution);
        let (start, cards) = (bit / 4, span(bit % 4, bit / 4, size));
        if !left_out(Play::stair(cards, start)) {
            return Some(Decision::Stair { cards, start });
        }
        size -= 1;
    }
    Some(Decision::Set(whole))
}

/// Of bits `4 * rank + suit`, one or more, the one of the weakest rank, the lowest suit among
/// equals.
#[inline]
fn weakest(bits: u64, revolution: bool) -> u8 {
    let bits = Cards(bits);
    let of_rank = match (revolution, bits.highest()) {
        (true, Some(top)) => bits & rank_cards(top / 4),
        _ => bits,
    };
    of_rank.lowest().unwrap_or(0)
}

/// The size of the longest stair without jokers; below [`LEAST_IN_STAIR`] when there is none.
#[inline]
fn longest_stair(naturals: Cards) -> u32 {
    let mut run = naturals.0;
    let mut size = 0;
    while run != 0 {
        run &= naturals.0 >> (4 * size + 4);
        size += 1;
    }
    size
}

/// The weakest play that beats `field`, of equals the one with the fewest jokers; `None` when the
/// hand holds none.
#[must_use]
pub(crate) fn follow(hand: Cards, field: &Play, revolution: bool) -> Option<Play> {
    let size = field.size();
    let jokers = (hand & JOKERS).len();
    match field.kind {
        Kind::Set if field.rank == JOKER_RANK => {
            let answers = size == 1 && hand.has(SPADE_3);
            answers.then(|| Play::set(Cards::one(SPADE_3))).flatten()
        }
        Kind::Set => {
            let least = size.saturating_sub(jokers).max(1);
            let ranks = RankCounts::of(hand).at_least(least) & stronger(field.rank, revolution);
            let cards = if ranks != 0 {
                let of_rank = lowest(hand & rank_cards(weakest(ranks, revolution) / 4), size);
                of_rank | lowest(hand & JOKERS, size - of_rank.len())
            } else if size <= jokers {
                lowest(hand & JOKERS, size)
            } else {
                return None;
            };
            Play::set(cards)
        }
        Kind::Stair => {
            let by_jokers = stair_bits(hand, size);
            let beating = stronger_starts(field, revolution);
            let any = by_jokers[jokers as usize] & beating;
            if any == 0 {
                return None;
            }
            let start = weakest(any, revolution) / 4;
            let here = beating & rank_cards(start).0;
            let fewest = by_jokers.iter().map(|bits| bits & here).find(|&b| b != 0)?;
            let suit = Cards(fewest).lowest()? % 4;
            let naturals = hand & span(suit, start, size);
            let fill = lowest(hand & JOKERS, size - naturals.len());
            Play::stair(naturals | fill, start)
        }
    }
}
