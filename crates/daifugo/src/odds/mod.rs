//! The estimator: can this seat beat that play with the cards it may hold?
//!
//! Blind and fall piles hold cards too, so an unseen card need not be in a hand: a seat's hand is
//! what it is known to hold and a draw from its pool, each draw being equally likely. For sets the
//! draws are counted exactly; stairs are walked through suit by suit.

pub mod count;
mod sets;
mod stairs;

use crate::card::{RANKS, SPADE_3};
use crate::play::{Kind, Play};
use count::{CHOOSE, ONE, ppm};
use evenhand_contract::{Cards, PPM_ONE};
use sets::Sets;

/// What a seat may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Holder {
    /// Cards that it may hold, each draw of `drawn` of them being equally likely.
    pub pool: Cards,
    /// Cards that it certainly holds.
    pub known: Cards,
    /// How many of the pool it holds.
    pub drawn: u8,
}

/// What has been counted for one holder.
#[derive(Clone, Debug, Default)]
pub struct HolderMemo {
    sets: Sets,
}

/// The chance that the holder can beat a play in this order of strength, in ppm; 0 where it cannot.
#[must_use]
pub fn chance(holder: &Holder, play: &Play, revolution: bool, memo: &mut HolderMemo) -> i64 {
    let drawn = usize::from(holder.drawn)
        .min(holder.pool.len() as usize)
        .min(count::DRAWN);
    if play.is_lone_joker() {
        return if holder.known.has(SPADE_3) {
            PPM_ONE
        } else if holder.pool.has(SPADE_3) {
            ppm(drawn as u64, u64::from(holder.pool.len()))
        } else {
            0
        };
    }
    if holder.known.len() as usize + drawn < play.size() as usize {
        return 0;
    }
    match play.kind {
        Kind::Set => {
            memo.sets.turn_to(holder.pool, holder.known, revolution);
            let whole = CHOOSE[holder.pool.len() as usize][drawn];
            let none = memo
                .sets
                .none(play.size() as u8, play.strength(revolution), drawn);
            ppm(whole - none.min(whole), whole)
        }
        Kind::Stair => {
            // Stronger ones start above, in a revolution end below.
            let within = match revolution {
                false => [play.rank + 1, RANKS],
                true => [0, play.end()],
            };
            let none = stairs::none(holder.pool, holder.known, drawn, play.size() as u8, within);
            (((ONE - none) * PPM_ONE as u64 + ONE / 2) / ONE) as i64
        }
    }
}

#[cfg(test)]
mod tests;
