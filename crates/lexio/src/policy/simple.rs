//! The two simple styles. Both see only the view and remember nothing; they charge no work.

use crate::beater::RankCounts;
use crate::hand::HandMemo;
use crate::legal::{Play, lowest_first, playable};
use crate::meld::{Category, Meld};
use crate::tile::rank_tiles;
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
    let answer = match &view.field {
        Some(field) if field.size() < 5 => weakest_of_a_rank(view.hand, field),
        _ => weakest(playable(view, memo)),
    };
    trace.stage(if answer.is_some() { "weakest" } else { "pass" });
    Ok(answer.unwrap_or(Play::PASS))
}

/// The weakest single, pair or triple that beats `field`, without listing any.
fn weakest_of_a_rank(hand: Cards, field: &Meld) -> Option<Play> {
    let counts = RankCounts::of(hand);
    match field.category {
        Category::Single => above(hand.0, field.key).map(Cards::one),
        Category::Pair => {
            // Of the field's own rank: the lowest tile above the field's higher one that has a
            // mate below it; such a mate is the weakest of the rank.
            let rank = (field.key / 4) as u8;
            let held = hand & rank_tiles(rank);
            let high = above(held.without_lowest().0, field.key).map(Cards::one);
            match (high, held.lowest()) {
                (Some(high), Some(low)) => Some(high | Cards::one(low)),
                _ => above(counts.twice(), 4 * u32::from(rank) + 3)
                    .map(|id| of_rank(hand, id / 4, 2)),
            }
        }
        _ => above(counts.thrice(), 4 * field.key + 3).map(|id| of_rank(hand, id / 4, 3)),
    }
    .map(Play)
}

/// The lowest set bit above bit `bit`.
#[inline]
fn above(mask: u64, bit: u32) -> Option<u8> {
    let rest = mask & !(u64::MAX >> (63 - bit));
    Cards(rest).lowest()
}

/// The `count` weakest tiles of a rank.
#[inline]
fn of_rank(hand: Cards, rank: u8, count: u32) -> Cards {
    let mut tiles = hand & rank_tiles(rank);
    while tiles.len() > count {
        tiles -= tiles.highest().map_or(Cards::EMPTY, Cards::one);
    }
    tiles
}

/// The weakest of the largest melds that hold `tiles`, which is empty or the weakest tile of the
/// hand.
fn lead(
    view: &View,
    tiles: Cards,
    memo: &mut HandMemo,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    trace.stage("lead");
    let hand = view.hand;
    if hand.len() >= 5 {
        let fives = memo.sized(view.dealt, view.orders(), 5).iter();
        let five = weakest(fives.filter(|m| hand.has_all(m.tiles) && m.tiles.has_all(tiles)));
        if let Some(play) = five {
            return Ok(play);
        }
    }
    let counts = RankCounts::of(hand);
    // With a tile to hold, only its rank is asked, the lowest of the hand.
    let asked = match tiles.lowest() {
        Some(id) => rank_tiles(id / 4).0,
        None => u64::MAX,
    };
    let single = hand.lowest().map(|id| (id, 1));
    let of_many = |mask: u64, count| Cards(mask & asked).lowest().map(|id| (id, count));
    of_many(counts.thrice(), 3)
        .or(of_many(counts.twice(), 2))
        .or(single)
        .map(|(id, count)| Play(of_rank(hand, id / 4, count)))
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
