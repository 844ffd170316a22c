//! The terms that a choice is scored by, all in thousandths.

use super::knobs::{self, TERMS};
use super::prices::ONE;
use crate::card::{JOKERS, NATURALS, RANK_OF_8, rank_cards, strength};
use crate::play::{JOKER_RANK, Kind, Play};
use crate::view::View;
use evenhand_contract::{Cards, Milli};

/// Cards of a full hand, to which the size of a hand is compared.
const FULL_HAND: i64 = 13;

/// The value of each term for one choice, in table order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms([i64; TERMS]);

impl Terms {
    /// A pass: nothing changes.
    pub(super) const PASS: Self = Self([0; TERMS]);

    /// The terms of a play but for the chance that it holds the field. `now` and `after` are the
    /// prices of the cheapest plans for the hand and for what is left.
    pub(super) fn of(view: &View, play: &Play, now: i64, after: i64, run: i64) -> Self {
        let mut t = [0; TERMS];
        t[knobs::Progress] = (now - after).max(-2 * ONE);
        let held = i64::from(view.hand.len());
        t[knobs::Preserve] = -strong(play.cards, view.revolution) * held / FULL_HAND;
        let eights = play.cards & rank_cards(RANK_OF_8);
        t[knobs::EightCut] = -ONE * i64::from(eights.len());
        t[knobs::Run] = run;
        Self(t)
    }

    /// The same with the chance that the play holds the field, in thousandths.
    pub(super) const fn with(mut self, control: i64) -> Self {
        self.0[knobs::Control] = control;
        self.0[knobs::Run] = self.0[knobs::Run] * control / ONE;
        self
    }

    /// The most that the total can be, whatever the chance that the play holds the field.
    pub(super) fn most(&self, weights: &[Milli]) -> i64 {
        let rising = weights[knobs::Control] * ONE + weights[knobs::Run] * self.0[knobs::Run];
        // The product is rounded down.
        let rounding = weights[knobs::Run].abs();
        total(weights, &self.with(0)) + rising.max(0) + rounding
    }

    /// The values in table order.
    pub(super) const fn values(&self) -> [i64; TERMS] {
        self.0
    }
}

/// Strong cards: the top four ranks of the order in force count 250 to 1000, a joker 1000.
fn strong(cards: Cards, revolution: bool) -> i64 {
    let jokers = i64::from((cards & JOKERS).len()) * ONE;
    (cards & NATURALS).iter().fold(jokers, |sum, id| {
        let strength = i64::from(strength(id / 4, revolution));
        sum + ONE / 4 * (strength - 8).max(0)
    })
}

/// The sum of weight x term.
#[inline]
pub(super) fn total(weights: &[Milli], terms: &Terms) -> i64 {
    weights.iter().zip(terms.0).map(|(w, t)| w * t).sum()
}

/// A play of the same kind and size that only fouls can beat: a set of the rank below the top one,
/// where `play` is weaker than that; `None` where only fouls beat `play` itself. For a stair, where
/// fouls are rare, the same play stands for "nothing to take off".
pub(super) fn below_top(play: &Play, revolution: bool) -> Option<Play> {
    let second = strength(11, revolution);
    match play.kind {
        Kind::Set if play.rank == JOKER_RANK => None,
        Kind::Set if play.strength(revolution) >= 11 => None,
        Kind::Set => Play::set(
            Cards(rank_cards(second).0)
                .iter()
                .take(play.size() as usize)
                .collect(),
        ),
        Kind::Stair => None,
    }
}
