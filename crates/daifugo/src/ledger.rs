//! What the cards seen so far prove about the other hands. Built afresh from the view for each
//! decision.

use crate::beater::{RankCounts, holds_beater, stair_bits, stronger, stronger_starts};
use crate::card::{JOKERS, NATURALS, RANKS, SPADE_3};
use crate::play::{JOKER_RANK, Kind, Play, span};
use crate::view::View;
use evenhand_contract::{BySeat, Cards, Seat};

/// What one seat may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Holding {
    /// Cards that it holds for certain.
    pub sure: Cards,
    /// Cards that it may hold besides.
    pub maybe: Cards,
    /// How many of those it holds.
    pub free: u32,
}

/// The other hands as far as the view proves anything about them.
#[derive(Clone, Copy, Debug)]
pub struct Ledger {
    holdings: BySeat<Holding>,
    field: Option<Play>,
    revolution: bool,
    answering: u8,
    active: u8,
}

impl Ledger {
    /// What this view proves: cards seen are nobody else's, own tribute lies with the partner until
    /// it is played, and the worse place of a pair was dealt nothing above the cards it gave.
    #[must_use]
    pub fn of(view: &View) -> Self {
        let kept = view.given_and_kept();
        let mut unseen = view.unseen();
        if let Some((_, kept)) = kept {
            unseen -= kept;
        }
        if (unseen & NATURALS).len() == u32::from(view.blind()) {
            // All of them lie in the blind.
            unseen -= NATURALS;
        }
        let bound = view.exchange.and_then(|e| Some((e.partner, e.bound()?)));
        let out = view.out();
        let holdings = BySeat::from_fn(view.players, |seat| {
            if seat == view.seat || out >> seat.0 & 1 == 1 {
                return Holding::default();
            }
            let sure = match kept {
                Some((partner, kept)) if partner == seat => kept,
                _ => Cards::EMPTY,
            };
            let maybe = match bound {
                Some((partner, bound)) if partner == seat => unseen & Cards((1 << bound) - 1),
                _ => unseen,
            };
            Holding {
                sure,
                maybe,
                free: u32::from(view.counts[seat]).saturating_sub(sure.len()),
            }
        });
        Self {
            holdings,
            field: view.field,
            revolution: view.revolution,
            answering: view.answering(),
            active: ((1u8 << view.players) - 1) & !(out | 1 << view.seat.0),
        }
    }

    /// What a seat may hold; nothing for the own seat and those that left the round.
    #[inline]
    #[must_use]
    pub fn holding(&self, seat: Seat) -> &Holding {
        &self.holdings[seat]
    }

    /// Proof that nobody can beat this play when it is played now: no other active seat that has
    /// not passed may hold an answer. A play that clears the field holds by itself.
    #[must_use]
    pub fn holds(&self, play: &Play) -> bool {
        play.clears(self.field.as_ref())
            || !self.anyone(self.answering, play, self.revolution ^ play.turns_order())
    }

    /// The same for a play that is led later in the round, before anybody else plays a card:
    /// `revolution` is the order when it is led, and nobody has passed.
    #[must_use]
    pub fn holds_as_lead(&self, play: &Play, revolution: bool) -> bool {
        play.clears(None) || !self.anyone(self.active, play, revolution ^ play.turns_order())
    }

    fn anyone(&self, seats: u8, play: &Play, revolution: bool) -> bool {
        self.holdings
            .iter()
            .any(|(seat, holding)| seats >> seat.0 & 1 == 1 && holding.may_beat(play, revolution))
    }
}

impl Holding {
    /// Whether some hand that this describes holds an answer to `play` under the order in force.
    #[must_use]
    pub fn may_beat(&self, play: &Play, revolution: bool) -> bool {
        let size = play.size();
        let held = self.sure.len() + self.free;
        if size > held || !holds_beater(self.sure | self.maybe, play, revolution) {
            return false;
        }
        // With room for every card of the answer, any answer fits.
        size <= self.free || self.sure_part_suffices(play, revolution)
    }

    /// Whether some answer takes so many of the sure cards that the rest has room.
    fn sure_part_suffices(&self, play: &Play, revolution: bool) -> bool {
        let size = play.size();
        let (sure, maybe) = (self.sure, self.maybe);
        let sure_jokers = (sure & JOKERS).len();
        let fits = |sure_cards: u32| size <= sure_cards + self.free;
        match play.kind {
            Kind::Set if play.rank == JOKER_RANK => sure.has(SPADE_3) || fits(0),
            Kind::Set => {
                if size <= sure_jokers {
                    return true;
                }
                let jokers = ((sure | maybe) & JOKERS).len();
                if size <= jokers && fits(sure_jokers) {
                    return true;
                }
                let counts =
                    RankCounts::of(sure | maybe).at_least(size.saturating_sub(jokers).max(1));
                let ranks = Cards(counts & stronger(play.rank, revolution));
                ranks.iter().any(|bit| {
                    let of_rank = Cards(0xf << bit);
                    let naturals = (sure & of_rank).len();
                    // At least one natural: a sure one, or room for one that may be held.
                    fits(naturals + sure_jokers) && (naturals > 0 || self.free > 0)
                })
            }
            Kind::Stair => {
                let jokers = ((sure | maybe) & JOKERS).len();
                let starts = stair_bits(sure | maybe, size)[jokers as usize];
                let starts = Cards(starts & stronger_starts(play, revolution));
                starts.iter().any(|bit| {
                    let there = span(bit % 4, bit / 4, size.min(u32::from(RANKS)));
                    fits((sure & there).len() + sure_jokers)
                })
            }
        }
    }
}

#[cfg(test)]
mod tests;
