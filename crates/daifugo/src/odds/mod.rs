//! The estimator: can this seat beat that play with the cards it may hold?
//!
//! Blind and fall piles hold cards too, so an unseen card need not be in a hand: a seat's hand is
//! what it is known to hold and a draw from its pool, each draw being equally likely but for one
//! thing: no joker lies in the blind. For sets the draws are counted exactly; stairs are walked
//! through suit by suit.

mod count;
mod estimates;
mod kinds;
mod probes;
mod sets;
mod stairs;

pub use kinds::{KINDS, kind};

use crate::card::{JOKERS, NATURALS, RANKS, SPADE_3};
use crate::ledger::Ledger;
use crate::play::{Kind, Play};
use crate::{Question, View};
use count::{CHOOSE, DRAWN, ONE, share, times};
use evenhand_contract::{
    BySeat, Cards, Maps, OutOfWork, PPM_ONE, Ppm, Prediction, Seat, Trace, Work,
};
use sets::Sets;
use stairs::Stairs;

/// What a seat may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Holder {
    /// Cards that it may hold.
    pub pool: Cards,
    /// Cards that it certainly holds.
    pub known: Cards,
    /// How many of the pool it holds.
    pub drawn: u8,
    /// How many of the pool's naturals lie where no joker can.
    pub blind: u8,
    /// Of the pool's naturals those that another hand may hold which holds nothing else of the
    /// pool, and how many of them it holds.
    pub low: Cards,
    /// The number.
    pub taken: u8,
}

impl Holder {
    /// The naturals of the pool that are less likely to be in this hand than others; none where
    /// all are alike.
    fn less_likely(&self) -> Cards {
        let low = self.low & self.pool & NATURALS;
        match self.taken == 0 || low == self.pool & NATURALS {
            true => Cards::EMPTY,
            false => low,
        }
    }

    /// By which factor, of [`ONE`]: the share of the low cards that the other hand leaves.
    fn factor(&self) -> u64 {
        let low = u64::from((self.low & self.pool & NATURALS).len());
        share(low.saturating_sub(u64::from(self.taken)), low)
    }
}

/// How many jokers a hand has, and what is needed to count its naturals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fill {
    /// Jokers drawn and known.
    held: usize,
    /// Naturals drawn.
    left: usize,
    /// The chance of so many, of [`ONE`].
    chance: u64,
}

/// What has been counted for one holder.
#[derive(Clone, Debug, Default)]
pub struct HolderMemo {
    holder: Holder,
    ready: bool,
    fills: [Fill; 3],
    sets: [Sets; 2],
    stairs: [Stairs; 2],
}

impl HolderMemo {
    /// Makes it speak of this holder.
    fn turn_to(&mut self, holder: &Holder) {
        if self.ready && self.holder == *holder {
            return;
        }
        self.ready = true;
        self.holder = *holder;
        for (sets, revolution) in self.sets.iter_mut().zip([false, true]) {
            sets.turn_to(holder, revolution);
        }
        self.stairs.iter_mut().for_each(Stairs::clear);
        let known = (holder.known & JOKERS).len() as usize;
        let jokers = (holder.pool & JOKERS).len() as usize;
        let naturals = (holder.pool & NATURALS).len() as usize;
        let drawn = usize::from(holder.drawn).min(jokers + naturals).min(DRAWN);
        // Naturals that may lie where jokers may; never so few that the hand cannot be filled.
        let open = naturals
            .saturating_sub(usize::from(holder.blind) + usize::from(holder.taken))
            .max(drawn.saturating_sub(jokers))
            .min(naturals);
        let whole = CHOOSE[open + jokers][drawn];
        for (fill, slot) in self.fills.iter_mut().enumerate() {
            let ways = match fill <= jokers.min(drawn) && drawn - fill <= naturals {
                true => CHOOSE[jokers][fill] * CHOOSE[open][drawn - fill],
                false => 0,
            };
            *slot = Fill {
                held: fill + known,
                left: drawn.saturating_sub(fill),
                chance: share(ways, whole),
            };
        }
    }

    /// The chance, of [`ONE`], that the holder cannot beat a play in this order of strength.
    fn none(&mut self, play: &Play, revolution: bool) -> u64 {
        let Self {
            holder,
            fills,
            sets,
            stairs,
            ..
        } = self;
        let size = play.size();
        if play.kind == Kind::Stair {
            // Of equal size, the weakest place moves with the start.
            let stretch = match revolution {
                false => RANKS - 1 - play.rank,
                true => play.end(),
            };
            return stairs[usize::from(revolution)].none(
                holder,
                fills,
                revolution,
                size as usize,
                usize::from(stretch),
            );
        }
        let naturals = (holder.pool & NATURALS).len() as usize;
        let strength = play.strength(revolution);
        let sets = &mut sets[usize::from(revolution)];
        let beaten = fills.iter().filter(|fill| fill.chance > 0).map(|fill| {
            let beaten = if play.is_lone_joker() {
                match (holder.known.has(SPADE_3), holder.pool.has(SPADE_3)) {
                    (true, _) => ONE,
                    (_, true) => share(fill.left as u64, naturals as u64),
                    _ => 0,
                }
            } else {
                ONE - sets.none(size as u8, strength, fill.left, fill.held)
            };
            times(fill.chance, beaten)
        });
        // Shares are rounded, so that their sum may pass one by a little.
        ONE.saturating_sub(beaten.sum())
    }
}

/// The chance that the holder can beat a play in this order of strength, in ppm.
#[must_use]
pub fn chance(holder: &Holder, play: &Play, revolution: bool, memo: &mut HolderMemo) -> i64 {
    if holder.known.len() + u32::from(holder.drawn) < play.size() {
        return 0;
    }
    memo.turn_to(holder);
    let none = memo.none(play, revolution);
    ((ONE - none.min(ONE)) as i64 * PPM_ONE + ONE as i64 / 2) / ONE as i64
}

/// What has been counted for the seats of a view.
#[derive(Clone, Debug, Default)]
pub struct OddsMemo {
    seats: [HolderMemo; 6],
}

/// The partner whose tribute bounds what it holds.
struct Bounded {
    seat: Seat,
    /// The naturals that it may hold; no joker may be among them.
    low: Cards,
    /// How many of them it holds; 0 where nothing is bounded.
    taken: u8,
}

impl Bounded {
    fn of(view: &View, ledger: &Ledger) -> Self {
        let partner = view.exchange.map(|exchange| exchange.partner);
        let none = Self {
            seat: view.seat,
            low: Cards::EMPTY,
            taken: 0,
        };
        let Some(seat) = partner.filter(|&seat| view.is_active(seat)) else {
            return none;
        };
        let own = ledger.holding(seat);
        let bounded = view
            .others()
            .any(|other| ledger.holding(other).maybe != own.maybe);
        if !bounded || own.maybe.meets(JOKERS) {
            return none;
        }
        Self {
            seat,
            low: own.maybe,
            taken: own.free as u8,
        }
    }
}

/// What every other seat of a view may hold.
#[derive(Clone, Copy, Debug)]
pub struct Holders {
    holders: BySeat<Holder>,
    /// The first seat that may hold the same as this one.
    like: BySeat<u8>,
}

impl Holders {
    /// From what the ledger proves.
    #[must_use]
    pub fn of(view: &View, ledger: &Ledger) -> Self {
        let bounded = Bounded::of(view, ledger);
        let holders = BySeat::from_fn(view.players, |seat| {
            let holding = ledger.holding(seat);
            Holder {
                pool: holding.maybe,
                known: holding.sure,
                drawn: holding.free as u8,
                blind: view.blind(),
                low: bounded.low,
                taken: if bounded.seat == seat {
                    0
                } else {
                    bounded.taken
                },
            }
        });
        let like = BySeat::from_fn(view.players, |seat| {
            let first = holders.iter().position(|(_, h)| *h == holders[seat]);
            first.unwrap_or(seat.index()) as u8
        });
        Self { holders, like }
    }

    /// The raw chance that a seat can beat a play in this order of strength, in ppm.
    #[inline]
    #[must_use]
    pub fn raw(&self, seat: Seat, play: &Play, revolution: bool, memo: &mut OddsMemo) -> i64 {
        let memo = &mut memo.seats[usize::from(self.like[seat])];
        chance(&self.holders[seat], play, revolution, memo)
    }
}

/// Work units of a question: what counting it from nothing takes, in elementary steps of about a
/// nanosecond. The same whether a memo has the counts already, so that no decision depends on
/// what was asked before.
#[inline]
const fn price(play: &Play) -> u64 {
    match play.kind {
        Kind::Set => 200,
        Kind::Stair => 2000,
    }
}

/// The raw estimate, in ppm.
///
/// # Errors
/// [`OutOfWork`] when the budget does not cover it.
pub fn raw(
    view: &View,
    question: &Question,
    memo: &mut OddsMemo,
    work: &mut Work<'_>,
) -> Result<i64, OutOfWork> {
    work.charge(price(&question.play))?;
    let holders = Holders::of(view, &Ledger::of(view));
    Ok(holders.raw(question.seat, &question.play, question.revolution, memo))
}

/// What policies believe, in one place.
pub struct Believer<'a> {
    /// What the seats may hold.
    pub holders: &'a Holders,
    /// Cards in hand per seat.
    pub counts: &'a BySeat<u8>,
    /// Calibration maps.
    pub maps: &'a Maps,
}

impl Believer<'_> {
    /// The calibrated chance that a seat can beat a play.
    ///
    /// # Errors
    /// [`OutOfWork`] when the budget does not cover it.
    #[inline]
    pub fn risk(
        &self,
        seat: Seat,
        play: &Play,
        revolution: bool,
        memo: &mut OddsMemo,
        work: &mut Work<'_>,
    ) -> Result<(i64, Ppm), OutOfWork> {
        work.charge(price(play))?;
        let raw = self.holders.raw(seat, play, revolution, memo);
        Ok((raw, self.maps.apply(kind(play, self.counts[seat]), raw)))
    }

    /// The same, recorded as a prediction when the trace asks for them.
    ///
    /// # Errors
    /// [`OutOfWork`] when the budget does not cover it.
    pub fn predict<D>(
        &self,
        question: Question,
        memo: &mut OddsMemo,
        work: &mut Work<'_>,
        trace: &mut Trace<D, Question>,
    ) -> Result<Ppm, OutOfWork> {
        let Question {
            seat,
            play,
            revolution,
            ..
        } = question;
        let (raw, believed) = self.risk(seat, &play, revolution, memo, work)?;
        if trace.wants_predictions() {
            trace.predictions.push(Prediction {
                question,
                raw,
                believed,
            });
        }
        Ok(believed)
    }
}

#[cfg(test)]
mod tests;
