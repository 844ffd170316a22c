//! How likely each play of the hand holds a field that it leads, and what a plan pays for it.

use super::knobs;
use crate::odds::{Believer, OddsMemo};
use crate::plan::MAX_PRICE;
use crate::play::{Kind, Play};
use evenhand_contract::{Milli, OutOfWork, Ppm, Seat, Work};

/// One, in thousandths.
pub(super) const ONE: i64 = 1000;

/// Certainty in ppm.
const PPM: u64 = 1_000_000;

/// Places of a table over what followers compare: sets by size and rank, stairs by size and start.
const FORMS: usize = 6 * 14 + 11 * 11;

/// The place of a play.
#[inline]
pub(super) fn place(play: &Play) -> usize {
    let (size, rank) = (play.size() as usize, usize::from(play.rank));
    match play.kind {
        Kind::Set => (size - 1) * 14 + rank,
        Kind::Stair => 6 * 14 + (size - 3) * 11 + rank,
    }
}

/// Figures by form, each found when first asked for.
#[derive(Clone, Debug)]
pub(super) struct ByForm([u32; FORMS]);

impl Default for ByForm {
    fn default() -> Self {
        Self([u32::MAX; FORMS])
    }
}

impl ByForm {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.0 = [u32::MAX; FORMS];
    }

    /// The figure of a play's form.
    #[inline]
    pub(super) fn get(&mut self, play: &Play, find: impl FnOnce() -> u32) -> u32 {
        let slot = &mut self.0[place(play)];
        if *slot == u32::MAX {
            *slot = find();
        }
        *slot
    }

    /// The figure of a form that was asked for already; 0 where it was not.
    #[inline]
    pub(super) fn known(&self, play: &Play) -> u32 {
        match self.0[place(play)] {
            u32::MAX => 0,
            known => known,
        }
    }

    /// The figure of a play's form where finding it may fail.
    #[inline]
    pub(super) fn try_get<E>(
        &mut self,
        play: &Play,
        find: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let slot = &mut self.0[place(play)];
        if *slot == u32::MAX {
            *slot = find()?;
        }
        Ok(*slot)
    }
}

/// The seats of a bit set.
pub(super) fn seats(bits: u8) -> impl Iterator<Item = Seat> {
    (0..8).filter(move |seat| bits >> seat & 1 == 1).map(Seat)
}

/// The chance that none of these seats can beat a play that is led, as if their hands had nothing to
/// do with each other. `revolution` is the order before it.
pub(super) fn hold(
    believer: &Believer<'_>,
    answering: u8,
    play: &Play,
    revolution: bool,
    odds: &mut OddsMemo,
    work: &mut Work<'_>,
) -> Result<Ppm, OutOfWork> {
    if play.is_eight_cut() {
        return Ok(Ppm::ONE);
    }
    let mut all = Ppm::ONE;
    for seat in seats(answering) {
        let (_, risk) = believer.risk(seat, play, revolution ^ play.turns_order(), odds, work)?;
        all = all.and(risk.not());
        if all == Ppm::ZERO {
            break;
        }
    }
    Ok(all)
}

/// What a plan pays for a play that holds with this chance: 1 - Hold x chance - Room x room, in
/// thousandths.
#[inline]
pub(super) fn price(weights: &[Milli], hold: u32, room: i64) -> i16 {
    let discount =
        weights[knobs::Hold] * i64::from(hold) / Ppm::ONE.get() + weights[knobs::Room] * room / ONE;
    (ONE - discount).clamp(0, i64::from(MAX_PRICE)) as i16
}

/// Roughly the share of fields of its kind and size that a play can follow, less for kinds that are
/// seldom led, in thousandths.
#[inline]
pub(super) fn room(play: &Play, revolution: bool) -> i64 {
    let strength = i64::from(play.strength(revolution)).min(12);
    let led = match (play.kind, play.size()) {
        (Kind::Set, 1) => ONE,
        (Kind::Set, 2) => 600,
        _ => 300,
    };
    strength * led / 12
}

/// How unlikely it is that a play holds: -100 log2 of the chance (ppm), straight between powers of
/// two. Sums of it over plays belong to products of their chances.
#[inline]
pub(super) fn unlikely(hold: u32) -> i16 {
    let Some(inverse) = (PPM << 16).checked_div(u64::from(hold)) else {
        return MAX_PRICE;
    };
    let power = 63 - inverse.leading_zeros() - 16;
    let part = (inverse >> power) - (1 << 16);
    (100 * u64::from(power) + ((100 * part) >> 16)).min(MAX_PRICE as u64) as i16
}

/// The chance that belongs to such a sum, in thousandths.
#[inline]
pub(super) fn likely(sum: i16) -> i64 {
    let (power, part) = (sum / 100, i64::from(sum % 100));
    if power > 20 {
        0
    } else {
        (100 * ONE / (100 + part)) >> power
    }
}
