//! Stairs: how likely a hand holds none that is stronger.
//!
//! A stronger stair of L cards lies within a stretch of ranks that the field's strength bounds. With
//! j jokers, a hand has one when some window of L ranks there holds at least L - j of its naturals
//! of one suit, and one natural at least. Suits are taken to be independent of each other given the
//! number of jokers (whose chances are exact). Within a suit the ranks are walked through with the
//! last L - 1 of them in mind: of q unseen cards among these the hand holds h, so it holds the next
//! with the chance (m - h) / (N - q). A single window's chance comes out exactly.

use super::count::{CHOOSE, ONE, times};
use crate::card::{JOKERS, NATURALS, RANKS, SUIT_0};
use evenhand_contract::Cards;

/// Stairs of more cards are not walked through: the chance of any is that of its windows summed.
const WALKED: usize = 6;

/// The chance, of [`ONE`], that a hand of the `known` cards and `drawn` more from the pool holds no
/// stair of `size` cards within the ranks `low..high`.
pub fn none(pool: Cards, known: Cards, drawn: usize, size: u8, [low, high]: [u8; 2]) -> u64 {
    let size = usize::from(size);
    let held = (known & JOKERS).len() as usize;
    if usize::from(high.saturating_sub(low)) < size || known.len() as usize + drawn < size {
        return ONE;
    }
    let jokers = (pool & JOKERS).len() as usize;
    let naturals = (pool & NATURALS).len() as usize;
    let whole = CHOOSE[naturals + jokers][drawn];
    let mut sum = 0;
    for fill in 0..=jokers.min(drawn) {
        if drawn - fill > naturals {
            continue;
        }
        let ways = CHOOSE[jokers][fill] * CHOOSE[naturals][drawn - fill];
        let needed = size.saturating_sub(fill + held).max(1);
        let suits = (0..4).map(|suit| {
            let of_suit = |cards: Cards| ranks_of(cards, suit, low, high);
            Suit {
                pool: of_suit(pool),
                known: of_suit(known),
                width: usize::from(high - low),
            }
        });
        let draw = Draw {
            drawn: drawn - fill,
            from: naturals,
        };
        let chance = suits.fold(ONE, |all, suit| match all {
            0 => 0,
            _ => times(all, suit.none(size, needed, draw)),
        });
        // At most 2^41 x 2^30 / 2^41.
        sum += ((u128::from(ways) * u128::from(chance)) / u128::from(whole.max(1))) as u64;
    }
    sum.min(ONE)
}

/// The ranks `low..high` of a suit's cards as bits, the lowest being bit 0.
#[inline]
fn ranks_of(cards: Cards, suit: u8, low: u8, high: u8) -> u32 {
    let mut bits = cards.0 >> suit & SUIT_0 & NATURALS.0;
    // Every fourth bit, gathered.
    bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    bits = (bits | bits >> 24) & 0xffff;
    debug_assert!(high <= RANKS);
    (bits as u32 & ((1 << high) - 1)) >> low
}

/// So many naturals are drawn from so many.
#[derive(Clone, Copy)]
struct Draw {
    drawn: usize,
    from: usize,
}

/// One suit's cards within the stretch.
struct Suit {
    pool: u32,
    known: u32,
    width: usize,
}

impl Suit {
    /// The chance that no window of `size` ranks holds `needed` naturals.
    fn none(&self, size: usize, needed: usize, draw: Draw) -> u64 {
        let present = self.pool | self.known;
        let window = (1u32 << size) - 1;
        let windows = 0..=self.width - size;
        let enough = |bits: u32| bits.count_ones() as usize >= needed;
        if !windows.clone().any(|at| enough(present >> at & window)) {
            return ONE;
        }
        if windows.clone().any(|at| enough(self.known >> at & window)) {
            return 0;
        }
        if size <= WALKED {
            self.walk(size, needed, draw)
        } else {
            let expected: u64 = windows
                .map(|at| self.window(at, window, needed, draw))
                .sum();
            ONE - expected.min(ONE)
        }
    }

    /// The chance that one window holds enough.
    fn window(&self, at: usize, window: u32, needed: usize, draw: Draw) -> u64 {
        let known = (self.known >> at & window).count_ones() as usize;
        let pool = (self.pool >> at & window).count_ones() as usize;
        let whole = CHOOSE[draw.from][draw.drawn];
        let ways: u64 = (needed.saturating_sub(known)..=pool.min(draw.drawn))
            .filter(|held| draw.drawn - held <= draw.from - pool)
            .map(|held| CHOOSE[pool][held] * CHOOSE[draw.from - pool][draw.drawn - held])
            .sum();
        ((u128::from(ways) << 30) / u128::from(whole.max(1))) as u64
    }

    fn walk(&self, size: usize, needed: usize, draw: Draw) -> u64 {
        // By which of the last size - 1 ranks are held, the latest being bit 0.
        let states = 1usize << (size - 1);
        let mut now = [0u64; 1 << (WALKED - 1)];
        now[0] = ONE;
        for rank in 0..self.width {
            let mut next = [0u64; 1 << (WALKED - 1)];
            let seen = (0..size - 1)
                .take_while(|back| *back < rank)
                .fold(0usize, |bits, back| {
                    bits | ((self.pool >> (rank - 1 - back) & 1) as usize) << back
                });
            let asked = seen.count_ones() as usize;
            for (state, &chance) in now[..states].iter().enumerate() {
                if chance == 0 {
                    continue;
                }
                let miss = state << 1 & (states - 1);
                let hit = miss | 1;
                let full = state.count_ones() as usize + 1 >= needed;
                if self.known >> rank & 1 == 1 {
                    if !full {
                        next[hit] += chance;
                    }
                    continue;
                }
                if self.pool >> rank & 1 == 0 {
                    next[miss] += chance;
                    continue;
                }
                let held = (state & seen).count_ones() as usize;
                let left = draw.drawn.saturating_sub(held);
                let of = (draw.from - asked).max(1);
                let takes = (chance * left.min(of) as u64) / of as u64;
                next[miss] += chance - takes;
                if !full {
                    next[hit] += takes;
                }
            }
            now = next;
        }
        now[..states].iter().sum()
    }
}
