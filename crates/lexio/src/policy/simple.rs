//! The two simple styles. Both see only the view and remember nothing; they charge no work.

use crate::hand::HandMemo;
use crate::legal::{Play, lowest_first, playable};
use crate::meld::Meld;
use crate::view::View;
use crate::{Lexio, Memo};
use evenhand_contract::{Ask, Cards, PolicyError, Trace, Work};

/// Leads the meld that sheds the most tiles among those holding the weakest tile, weakest key
/// first; follows with the weakest meld that beats the field; passes only when none does. Equal
/// keys go to the smaller tile ids, compared from the weakest tile up.
pub(super) fn easy(
    ask: &Ask<'_, Lexio>,
    memo: &mut Memo,
    _work: &mut Work<'_>,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    let view = ask.view;
    if view.field.is_some() {
        return follow(view, &mut memo.hand, trace);
    }
    let weakest = view.hand.lowest().map_or(Cards::EMPTY, Cards::one);
    lead(view, weakest, &mut memo.hand, trace)
}

/// Leads the largest meld in hand, weakest key first, and follows as [`easy`] does.
pub(super) fn eager(
    ask: &Ask<'_, Lexio>,
    memo: &mut Memo,
    _work: &mut Work<'_>,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    let view = ask.view;
    if view.field.is_some() {
        return follow(view, &mut memo.hand, trace);
    }
    lead(view, Cards::EMPTY, &mut memo.hand, trace)
}

fn follow(
    view: &View,
    memo: &mut HandMemo,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    match weakest(playable(view, memo)) {
        Some(play) => {
            trace.stage("weakest");
            Ok(play)
        }
        None => {
            trace.stage("pass");
            Ok(Play::PASS)
        }
    }
}

/// The weakest of the largest melds that hold `tiles`.
fn lead(
    view: &View,
    tiles: Cards,
    memo: &mut HandMemo,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    trace.stage("lead");
    [5, 3, 2, 1]
        .into_iter()
        .find_map(|size| {
            let melds = memo.sized(view.dealt, view.orders(), size).iter();
            weakest(melds.filter(|m| view.hand.has_all(m.tiles) && m.tiles.has_all(tiles)))
        })
        .ok_or_else(|| PolicyError::Other("there is no tile to lead".to_owned()))
}

/// The first of melds that come by rising key; equal keys go to the smaller tile ids, compared
/// from the weakest tile up.
fn weakest<'a>(mut melds: impl Iterator<Item = &'a Meld>) -> Option<Play> {
    let first = melds.next()?;
    let tied = melds.take_while(|meld| meld.key == first.key);
    let best = tied.fold(first.tiles, |best, meld| {
        if lowest_first(meld.tiles, best).is_lt() {
            meld.tiles
        } else {
            best
        }
    });
    Some(Play(best))
}
