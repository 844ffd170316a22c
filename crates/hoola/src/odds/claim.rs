//! The chance that a discard is claimed.

use crate::card::{SEVENS, lowered, raised, rank, rank_cards};
use crate::view::View;
use evenhand_contract::{Cards, PPM_ONE};

/// The raw chance, in ppm, that some opponent can register a meld with this card: a 7 certainly,
/// else it takes two unseen cards in one hand, mates of the rank or suit neighbours.
///
/// A hand of c of the m unseen cards holds a given pair with chance c (c - 1) / (m (m - 1)); pairs
/// and hands are taken as independent.
pub(crate) fn claimed(view: &View, card: u8) -> i64 {
    if SEVENS.has(card) {
        return PPM_ONE;
    }
    let unseen = view.unseen();
    let pairs = pairs(unseen, card);
    if pairs == 0 {
        return 0;
    }
    let cards = i64::from(unseen.len()).max(2);
    let safe = view.opponents().fold(PPM_ONE, |safe, seat| {
        let count = i64::from(view.counts[seat]);
        let both = (count * (count - 1) * PPM_ONE / (cards * (cards - 1))).clamp(0, PPM_ONE);
        (0..pairs).fold(safe, |safe, _| safe * (PPM_ONE - both) / PPM_ONE)
    });
    PPM_ONE - safe
}

/// Pairs of cards of a set that make a meld of three with this card.
#[inline]
pub(crate) fn pairs(cards: Cards, card: u8) -> u32 {
    let own = Cards::one(card);
    let mates = ((cards & rank_cards(rank(card))) - own).len();
    let (up, down) = (raised(own), lowered(own));
    let (above, below) = (cards & up, cards & down);
    let far_above = cards & raised(up);
    let far_below = cards & lowered(down);
    let both = |a: Cards, b: Cards| u32::from(!a.is_empty() && !b.is_empty());
    mates * mates.saturating_sub(1) / 2
        + both(above, far_above)
        + both(above, below)
        + both(below, far_below)
}
