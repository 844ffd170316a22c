//! Which cards to give back, before the tribute is seen.

use crate::Memo;
use crate::card::{JOKERS, lowest};
use crate::plan::{Index, Table, pieces, steps};
use crate::play::Decision;
use crate::view::View;
use evenhand_contract::{Cards, OutOfWork, Work};

/// Among the weakest cards, two more than are due, those whose removal leaves the hand the fewest
/// plays to a normal finish (in the normal order); of equals the weakest.
///
/// # Errors
/// [`OutOfWork`] when the budget does not cover it.
pub(crate) fn give_back(
    view: &View,
    memo: &mut Memo,
    work: &mut Work<'_>,
) -> Result<Decision, OutOfWork> {
    let index = Index::new(view.hand);
    let hard = &mut memo.hard;
    pieces(&index, &mut hard.pieces);
    hard.parts.clear();
    (hard.parts).extend(hard.pieces.iter().map(|piece| piece.part(1, view.rules)));
    let cards = view.hand.len() as usize;
    work.charge(steps(cards, &hard.parts))?;
    let table: &mut Table = &mut hard.plans[0];
    table.fill(cards, 1, view.hand.has_all(JOKERS), false, &hard.parts);
    let due = u32::from(view.due);
    let weak = lowest(view.hand, due + 2);
    let full = index.full();
    let mut best: Option<(i16, i16, Cards)> = None;
    for given in of_size(weak, due) {
        let rest = full ^ index.mask(given);
        let left = (table.finish(rest, false), table.plain(rest));
        if best.is_none_or(|(finish, plain, _)| left < (finish, plain)) {
            best = Some((left.0, left.1, given));
        }
    }
    let given = best.map_or_else(|| lowest(view.hand, due), |(_, _, given)| given);
    Ok(Decision::Return(given))
}

/// The subsets of one or two cards, the weakest first.
fn of_size(cards: Cards, size: u32) -> impl Iterator<Item = Cards> {
    let ids: Vec<u8> = cards.iter().collect();
    let count = ids.len();
    let mut subsets: Vec<Cards> = (0..1u32 << count)
        .filter(|mask| mask.count_ones() == size)
        .map(|mask| {
            (0..count)
                .filter(|i| mask >> i & 1 == 1)
                .map(|i| ids[i])
                .collect()
        })
        .collect();
    // By the sum of ranks, then by the cards themselves.
    subsets.sort_by_key(|set: &Cards| (set.iter().map(|id| u32::from(id / 4)).sum::<u32>(), set.0));
    subsets.into_iter()
}
