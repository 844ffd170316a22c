//! Decisions: a pass or a set of tiles, and which of them are legal.

use crate::beater::holds_beater;
use crate::hand::HandMemo;
use crate::meld::Meld;
use crate::view::View;
use evenhand_contract::{Cards, Choices};
use std::cmp::Ordering;

/// One decision: the tiles to play, none for a pass. Ordered by [`lowest_first`] within a size;
/// a pass comes before every play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play(pub Cards);

impl Play {
    /// Playing nothing.
    pub const PASS: Self = Self(Cards::EMPTY);

    /// Whether this is the pass.
    #[inline]
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0.is_empty()
    }
}

impl Ord for Play {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_size = self.0.len().cmp(&other.0.len());
        by_size.then_with(|| lowest_first(self.0, other.0))
    }
}

impl PartialOrd for Play {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares two sets of one size by their tile ids, from the weakest tile up.
///
/// The first place at which the ascending lists differ holds, on one side, the lowest tile that
/// only one of the sets has; that side is the smaller.
#[inline]
#[must_use]
pub const fn lowest_first(a: Cards, b: Cards) -> Ordering {
    let differing = a.0 ^ b.0;
    if differing == 0 {
        Ordering::Equal
    } else if a.0 & (differing & differing.wrapping_neg()) != 0 {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

/// The melds that the seat may play: of the field's size and beating it, or any on a lead; by
/// size, key and tiles.
pub(crate) fn playable<'a>(view: &View, memo: &'a mut HandMemo) -> impl Iterator<Item = &'a Meld> {
    let hand = view.hand;
    let (melds, above) = match &view.field {
        None => (memo.melds(view.dealt, view.orders()), None),
        Some(field) => (
            memo.sized(view.dealt, view.orders(), field.size()),
            Some(field.key),
        ),
    };
    let start = above.map_or(0, |key| melds.partition_point(|meld| meld.key <= key));
    melds[start..]
        .iter()
        .filter(move |meld| hand.has_all(meld.tiles))
}

/// The pass (when there is a field) and every play, by size, key and tiles.
pub(crate) fn legal(view: &View, memo: &mut HandMemo, out: &mut Vec<Play>) {
    out.clear();
    if view.field.is_some() {
        out.push(Play::PASS);
    }
    out.extend(playable(view, memo).map(|meld| Play(meld.tiles)));
}

/// Whether there is a choice: a leader has none with a single tile left, a follower none when
/// nothing in hand beats the field.
#[inline]
pub(crate) fn choices(view: &View) -> Choices<Play> {
    match &view.field {
        None if view.hand.len() == 1 => Choices::Forced(Play(view.hand)),
        Some(field) if !holds_beater(view.hand, field, view.orders()) => {
            Choices::Forced(Play::PASS)
        }
        _ => Choices::Free,
    }
}
