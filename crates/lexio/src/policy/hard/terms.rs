//! The terms that a choice is scored by, all in [`PARTS`] of a thousandth.

use super::Piece;
use super::knobs::{self, TERMS};
use super::prices::{ONE, PARTS, PER_TILE, Pricing};
use crate::meld::{Category, Meld};
use crate::plan::{CostTable, Plan};
use crate::tile::TWOS;
use crate::view::View;
use evenhand_contract::{Cards, Milli, Ppm};

/// The value of each term for one choice, in table order.
pub(super) type Terms = [i64; TERMS];

/// What every choice of one decision is measured against.
pub(super) struct Position<'a> {
    view: &'a View,
    costs: &'a CostTable,
    pricing: &'a Pricing,
    full: u16,
    before: Plan,
    room: [i64; 2],
    /// 1000 over the tiles of the emptiest opponent: how soon the round may end.
    urgency: i64,
    /// Tiles of the hand that nothing unseen beats as singles.
    strong: Cards,
    effective: i64,
}

impl<'a> Position<'a> {
    /// `costs` prices the hand whose mask is `full`.
    pub(super) fn new(
        view: &'a View,
        costs: &'a CostTable,
        pricing: &'a Pricing,
        full: u16,
    ) -> Self {
        let emptiest = view.opponents().min().unwrap_or(1).max(1);
        let top = view.unseen().highest().map_or(0, |id| (2 << id) - 1);
        Self {
            view,
            costs,
            pricing,
            full,
            before: costs.plan(full),
            room: pricing.hand_room(view.hand),
            urgency: ONE / i64::from(emptiest),
            strong: view.hand - Cards(top),
            effective: effective(view.hand),
        }
    }

    /// The cheapest plan for what is left after a piece.
    #[inline]
    pub(super) fn after(&self, piece: &Piece) -> Plan {
        self.costs.plan(self.full ^ piece.mask)
    }

    /// The mask of the whole hand.
    pub(super) const fn full(&self) -> u16 {
        self.full
    }

    /// The cheapest plan for the whole hand.
    pub(super) const fn before(&self) -> Plan {
        self.before
    }

    /// The terms of a pass: nothing changes, but for the constant.
    pub(super) fn pass(&self) -> Terms {
        let mut terms = [0; TERMS];
        terms[knobs::Hold] = PARTS * ONE;
        terms
    }

    /// The terms of a play that somebody can beat with this chance.
    #[inline]
    pub(super) fn play(&self, piece: &Piece, beaten: Ppm) -> Terms {
        let tiles = piece.meld.tiles;
        let count = i64::from(tiles.len());
        let rest = self.view.hand - tiles;
        let after = self.after(piece);
        let kept = beaten.not().get() * ONE / Ppm::ONE.get();
        let room = self.pricing.hand_room(rest);
        let mut t = [0; TERMS];
        t[knobs::TilesShed] = ONE * count;
        t[knobs::OrphanShed] = ONE * (self.before.orphans() - after.orphans());
        t[knobs::LeadRetention] = kept;
        t[knobs::EndgameBlock] = kept * self.urgency / ONE;
        t[knobs::StrongTileCost] = -ONE * i64::from((tiles & self.strong).len()) / count;
        t[knobs::TwoDisposal] = ONE * i64::from((tiles & TWOS).len());
        t[knobs::LeftoverRisk] = (self.effective - effective(rest)) * self.urgency;
        t[knobs::FollowRoom] = room[0] - self.room[0];
        t[knobs::FollowGroup] = room[1] - self.room[1];
        t[knobs::LeadUse] = kept * after.needing_lead();
        t[knobs::Exposure] = self.exposure(&piece.meld);
        for term in &mut t {
            *term *= PARTS;
        }
        t[knobs::PlanGain] = self.before.units() - after.units() - PARTS * PER_TILE * count;
        t
    }

    /// Roughly the chance, summed over the opponents with just as many tiles, that one of them
    /// goes out on this meld: for a single the share of the unseen tiles that beat it, for groups
    /// and fives a constant.
    fn exposure(&self, meld: &Meld) -> i64 {
        let finishers = self
            .view
            .opponents()
            .filter(|&count| count == meld.size())
            .count() as i64;
        if finishers == 0 {
            return 0;
        }
        let one = match meld.category {
            Category::Single => ONE - self.pricing.single_room(meld.key),
            Category::Pair => 150,
            _ => 20,
        };
        finishers * one
    }
}

/// Tiles x 2^twos: what a hand weighs, should the round end now.
#[inline]
fn effective(hand: Cards) -> i64 {
    i64::from(hand.len()) << (hand & TWOS).len()
}

/// The least and the most that a play's total can be, whatever the chance that it is beaten.
///
/// With `k` the chance that it is not, the terms that depend on it rise with k from 0, so each
/// weighted one lies between 0 and its value at k = 1.
#[inline]
pub(super) fn bounds(position: &Position<'_>, weights: &[Milli], piece: &Piece) -> (i64, i64) {
    let mut terms = position.play(piece, Ppm::ZERO);
    let (mut less, mut more) = (0, 0);
    for knob in [knobs::LeadRetention, knobs::EndgameBlock, knobs::LeadUse] {
        let weighted = weights[knob] * terms[knob];
        less += weighted.min(0);
        more += weighted.max(0);
        terms[knob] = 0;
    }
    let without = total(weights, &terms);
    (without + less, without + more)
}

/// Sum of weight x term; nothing is rounded after the multiplication.
#[inline]
pub(super) fn total(weights: &[Milli], terms: &Terms) -> i64 {
    weights.iter().zip(terms).map(|(w, t)| w * t).sum()
}
