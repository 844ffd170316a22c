//! Every play that lies within a hand, as masks over it.

use super::{Index, Part};
use crate::card::{JOKER_1, RANKS, SUIT_0};
use crate::play::{JOKER_RANK, Kind, Play};
use crate::rules::Rules;
use evenhand_contract::Cards;

/// A play within the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The play.
    pub play: Play,
    /// Its cards as bits of the hand's index.
    pub mask: u16,
}

impl Piece {
    /// What a plan needs to know of it.
    #[inline]
    #[must_use]
    pub fn part(&self, price: i16, rules: Rules) -> Part {
        Part {
            mask: self.mask,
            price,
            turns: self.play.turns_order(),
            ends: [false, true].map(|revolution| !self.play.fouls(revolution, rules)),
        }
    }
}

/// Lists every play that lies within the hand: sets by rank, then jokers alone, then stairs by suit
/// and start. `out` is cleared first.
pub fn pieces(index: &Index, out: &mut Vec<Piece>) {
    out.clear();
    let hand = index.hand();
    let jokers = (hand.0 >> JOKER_1) as usize & 3;
    let mut add = |kind: Kind, rank: u8, cards: Cards| {
        out.push(Piece {
            play: Play { kind, rank, cards },
            mask: index.mask(cards),
        });
    };
    // Nothing, *1, *2, both: those that the hand has.
    let fills =
        |most: u32| (0..4u64).filter(move |f| f & !(jokers as u64) == 0 && f.count_ones() <= most);
    for rank in 0..RANKS {
        let held = hand.0 >> (4 * rank) & 0xf;
        let mut some = held;
        while some != 0 {
            for fill in fills(2) {
                add(Kind::Set, rank, Cards(some << (4 * rank) | fill << JOKER_1));
            }
            some = (some - 1) & held;
        }
    }
    for fill in fills(2).skip(1) {
        add(Kind::Set, JOKER_RANK, Cards(fill << JOKER_1));
    }
    let spare = jokers.count_ones();
    for suit in 0..4u8 {
        let held = hand.0 & SUIT_0 << suit;
        if held.count_ones() + spare < 3 {
            continue;
        }
        for start in 0..=RANKS - 3 {
            for size in 3..=RANKS - start {
                let span = (1u64 << (4 * size)) - 1;
                let window = (SUIT_0 & span) << (4 * start + suit);
                let inside = held & window;
                let missing = u32::from(size) - inside.count_ones();
                if missing > spare {
                    break;
                }
                // Jokers may stand for as many of the held ones as are left over.
                let mut left_out = |out: u64| {
                    let naturals = inside & !out;
                    if naturals == 0 {
                        return;
                    }
                    let needed = missing + out.count_ones();
                    for fill in fills(2).filter(|f| f.count_ones() == needed) {
                        add(Kind::Stair, start, Cards(naturals | fill << JOKER_1));
                    }
                };
                left_out(0);
                if missing < spare {
                    let mut first = inside;
                    while first != 0 {
                        let one = first & first.wrapping_neg();
                        first ^= one;
                        left_out(one);
                        if missing + 1 < spare {
                            let mut second = first;
                            while second != 0 {
                                let two = second & second.wrapping_neg();
                                second ^= two;
                                left_out(one | two);
                            }
                        }
                    }
                }
            }
        }
    }
}
