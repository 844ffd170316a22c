//! Which decisions are legal: each once, in a fixed order.
//!
//! The pass comes first. Sets follow by rank, sets of jokers alone last; of one rank by the
//! naturals and then by the jokers in them. Stairs follow by size, start and suit; of one place by
//! how many naturals that are at hand give way to jokers, which ones, and by the jokers.

use crate::beater::{RankCounts, holds_beater, stair_bits, stronger, stronger_starts};
use crate::card::{JOKER_1, JOKERS, NATURALS, RANKS};
use crate::play::{Decision, JOKER_RANK, Kind, LEAST_IN_STAIR, Play, span};
use crate::view::View;
use evenhand_contract::{Cards, Choices};

/// Every legal decision of the seat whose view it is; `out` is cleared first.
pub fn legal(view: &View, out: &mut Vec<Decision>) {
    out.clear();
    if view.due > 0 {
        returns(view.hand, u32::from(view.due), out);
        return;
    }
    match &view.field {
        None => leads(view.hand, out),
        Some(field) => {
            out.push(Decision::Pass);
            follows(view.hand, field, view.revolution, out);
        }
    }
}

/// Whether there is a choice.
#[inline]
pub fn choices(view: &View) -> Choices<Decision> {
    if view.due > 0 {
        return match view.hand.len() == u32::from(view.due) {
            true => Choices::Forced(Decision::Return(view.hand)),
            false => Choices::Free,
        };
    }
    match &view.field {
        None if view.hand.len() == 1 => Choices::Forced(Decision::Set(view.hand)),
        Some(field) if !holds_beater(view.hand, field, view.revolution) => {
            Choices::Forced(Decision::Pass)
        }
        _ => Choices::Free,
    }
}

/// Every play that a hand may lead with.
pub fn leads(hand: Cards, out: &mut Vec<Decision>) {
    for rank in ranks(RankCounts::of(hand).at_least(1)) {
        sets_of_rank(hand, rank, None, out);
    }
    sets_of_jokers(hand, None, out);
    let naturals = (hand & NATURALS).len();
    let most = (naturals + (hand & JOKERS).len()).min(u32::from(RANKS));
    for size in LEAST_IN_STAIR..=most {
        let starts = stair_bits(hand, size)[(hand & JOKERS).len() as usize];
        if starts == 0 {
            // A longer stair holds a shorter one.
            break;
        }
        stairs(hand, size, starts, out);
    }
}

/// Every play of a hand that beats `field`.
pub fn follows(hand: Cards, field: &Play, revolution: bool, out: &mut Vec<Decision>) {
    let size = field.size();
    let jokers = (hand & JOKERS).len();
    match field.kind {
        Kind::Set if field.rank == JOKER_RANK => {
            if holds_beater(hand, field, revolution) {
                out.push(Decision::Set(Cards::one(crate::card::SPADE_3)));
            }
        }
        Kind::Set => {
            let least = size.saturating_sub(jokers).max(1);
            let enough = RankCounts::of(hand).at_least(least);
            for rank in ranks(enough & stronger(field.rank, revolution)) {
                sets_of_rank(hand, rank, Some(size), out);
            }
            sets_of_jokers(hand, Some(size), out);
        }
        Kind::Stair => {
            let starts = stair_bits(hand, size)[jokers as usize];
            stairs(hand, size, starts & stronger_starts(field, revolution), out);
        }
    }
}

/// The ranks whose group has its lowest bit set, ascending.
fn ranks(bits: u64) -> impl Iterator<Item = u8> {
    Cards(bits).iter().map(|bit| bit / 4)
}

/// The subsets of a small set of adjacent bits, ascending; the empty one first.
fn subsets(of: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let now = next?;
        // The next subset in counting order; 0 again after the last.
        let after = now.wrapping_sub(of) & of;
        next = (after != 0).then_some(after);
        Some(now)
    })
}

fn sets_of_rank(hand: Cards, rank: u8, size: Option<u32>, out: &mut Vec<Decision>) {
    let held = hand.0 >> (4 * rank) & 0xf;
    let jokers = hand.0 >> JOKER_1 & 0b11;
    for naturals in subsets(held).skip(1) {
        for filling in subsets(jokers) {
            let cards = Cards(naturals << (4 * rank) | filling << JOKER_1);
            if size.is_none_or(|size| size == cards.len()) {
                out.push(Decision::Set(cards));
            }
        }
    }
}

fn sets_of_jokers(hand: Cards, size: Option<u32>, out: &mut Vec<Decision>) {
    for jokers in subsets(hand.0 >> JOKER_1 & 0b11).skip(1) {
        let cards = Cards(jokers << JOKER_1);
        if size.is_none_or(|size| size == cards.len()) {
            out.push(Decision::Set(cards));
        }
    }
}

/// Every stair of a hand at these starts, bits `4 * start + suit`.
fn stairs(hand: Cards, size: u32, starts: u64, out: &mut Vec<Decision>) {
    let jokers = hand & JOKERS;
    for bit in Cards(starts) {
        let start = bit / 4;
        let there = hand & span(bit % 4, start, size);
        let missing = size - there.len();
        let mut put = |dropped: Cards, filling: Cards| {
            let cards = (there - dropped) | filling;
            out.push(Decision::Stair { cards, start });
        };
        // `missing` is at most the jokers in hand; the jokers to spare may stand for cards that
        // are at hand.
        match jokers.len() - missing {
            0 => put(Cards::EMPTY, jokers),
            spare => {
                fill(Cards::EMPTY, missing, jokers, &mut put);
                for one in there {
                    fill(Cards::one(one), missing + 1, jokers, &mut put);
                }
                if spare == 2 {
                    for one in there {
                        for other in there.iter().filter(|&id| id > one) {
                            put(Cards::one(one) | Cards::one(other), jokers);
                        }
                    }
                }
            }
        }
    }
}

/// Puts each way of taking `count` of the jokers.
fn fill(dropped: Cards, count: u32, jokers: Cards, put: &mut impl FnMut(Cards, Cards)) {
    match count {
        0 => put(dropped, Cards::EMPTY),
        count if count == jokers.len() => put(dropped, jokers),
        _ => {
            for joker in jokers {
                put(dropped, Cards::one(joker));
            }
        }
    }
}

/// Every way to give `count` cards back.
fn returns(hand: Cards, count: u32, out: &mut Vec<Decision>) {
    for one in hand {
        if count == 1 {
            out.push(Decision::Return(Cards::one(one)));
            continue;
        }
        for other in hand.iter().filter(|&id| id > one) {
            out.push(Decision::Return(Cards::one(one) | Cards::one(other)));
        }
    }
}

#[cfg(test)]
mod tests;
