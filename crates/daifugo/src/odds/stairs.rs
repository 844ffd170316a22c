//! Stairs: how likely a hand holds none that is stronger.
//!
//! A stronger stair of L cards lies within a stretch of the strongest ranks that the field's strength
//! bounds. With j jokers, a hand has one when some window of L ranks there holds at least L - j of
//! its naturals of one suit, and one natural at least. Suits are taken to be independent of each
//! other given the number of jokers. Within a suit the ranks are walked through from the strongest
//! one down, with the last L - 1 of them in mind: of q unseen cards among these the hand holds h, so
//! it holds the next with the chance (m - h) / (N - q). A single window's chance comes out exactly.
//! One walk answers for every stretch.

use super::count::{CHOOSE, ONE, share, times};
use super::{Fill, Holder};
use crate::card::{NATURALS, RANKS, SUIT_0};
use evenhand_contract::Cards;

/// Stairs of more cards are not walked through: the chance of any is that of its windows summed.
const WALKED: usize = 5;
/// Stretches: of no rank to all.
const STRETCHES: usize = RANKS as usize + 1;

/// The chances, of [`ONE`], that a hand holds no stair within the strongest ranks, by their number.
type ByStretch = [u64; STRETCHES];

/// What has been counted of stairs for one holder and order of strength.
#[derive(Clone, Debug, Default)]
pub(super) struct Stairs {
    /// By size, from 3 up; `None` where nothing was counted yet.
    by_size: [Option<ByStretch>; RANKS as usize - 2],
}

impl Stairs {
    pub(super) fn clear(&mut self) {
        self.by_size = [None; RANKS as usize - 2];
    }

    /// The chance that the holder has no stair of `size` cards within the `stretch` strongest ranks.
    pub(super) fn none(
        &mut self,
        holder: &Holder,
        fills: &[Fill; 3],
        revolution: bool,
        size: usize,
        stretch: usize,
    ) -> u64 {
        self.by_size[size - 3].get_or_insert_with(|| count(holder, fills, revolution, size))
            [stretch]
    }
}

fn count(holder: &Holder, fills: &[Fill; 3], revolution: bool, size: usize) -> ByStretch {
    let mut beaten = [0; STRETCHES];
    let low = holder.less_likely();
    let factor = holder.factor();
    for fill in fills.iter().filter(|fill| fill.chance > 0) {
        let naturals = (holder.pool & NATURALS).len() as usize;
        let taken = match low.is_empty() {
            true => 0,
            false => usize::from(holder.taken),
        };
        let draw = Draw {
            drawn: fill.left,
            from: naturals.saturating_sub(taken).max(fill.left),
        };
        let needed = size.saturating_sub(fill.held).max(1);
        let mut none = [ONE; STRETCHES];
        for suit in 0..4 {
            let suit = Suit {
                pool: ranks_of(holder.pool, suit, revolution),
                known: ranks_of(holder.known, suit, revolution),
                low: ranks_of(low, suit, revolution),
                factor,
            };
            suit.none(size, needed, draw, &mut none);
        }
        for (sum, none) in beaten.iter_mut().zip(none) {
            *sum += times(fill.chance, ONE - none);
        }
    }
    beaten.map(|sum| ONE - sum.min(ONE))
}

/// The ranks of a suit's naturals as bits, the strongest being bit 0.
#[inline]
fn ranks_of(cards: Cards, suit: u8, revolution: bool) -> u32 {
    let mut bits = (cards.0 & NATURALS.0) >> suit & SUIT_0;
    // Every fourth bit, gathered.
    bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    bits = (bits | bits >> 24) & 0x1fff;
    match revolution {
        true => bits as u32,
        false => (bits as u16).reverse_bits() as u32 >> 3,
    }
}

/// So many naturals are drawn from so many.
#[derive(Clone, Copy)]
struct Draw {
    drawn: usize,
    from: usize,
}

impl Draw {
    /// The chance of [`ONE`] to hold the next card, `held` of `seen` others being held.
    #[inline]
    fn next(self, held: usize, seen: usize) -> u64 {
        let of = (self.from.saturating_sub(seen)).max(1);
        let left = self.drawn.saturating_sub(held).min(of);
        ((left as u32) << 20) as u64 * 1024 / of as u64
    }
}

/// One suit's cards.
struct Suit {
    pool: u32,
    known: u32,
    /// Cards of the pool that are less likely to be there, and by which factor, of [`ONE`].
    low: u32,
    factor: u64,
}

impl Suit {
    /// Multiplies the chances of each stretch by those that this suit has no window of `size` ranks
    /// that holds `needed` naturals.
    fn none(&self, size: usize, needed: usize, draw: Draw, all: &mut ByStretch) {
        let present = self.pool | self.known;
        let window = (1u32 << size) - 1;
        let ranks = usize::from(RANKS);
        let enough = |bits: u32| bits.count_ones() as usize >= needed;
        let Some(first) = (0..=ranks - size).find(|at| enough(present >> at & window)) else {
            return;
        };
        if size <= WALKED {
            return self.walk(size, needed, draw, first + size, all);
        }
        let mut expected = 0;
        for at in first..=ranks - size {
            expected += self.window(at, window, needed, draw);
            let chance = &mut all[at + size];
            *chance = times(*chance, ONE - expected.min(ONE));
        }
    }

    /// The chance that one window holds enough.
    fn window(&self, at: usize, window: u32, needed: usize, draw: Draw) -> u64 {
        let known = (self.known >> at & window).count_ones() as usize;
        let pool = (self.pool >> at & window).count_ones() as usize;
        let ways: u64 = (needed.saturating_sub(known)..=pool.min(draw.drawn))
            .filter(|held| pool <= draw.from && draw.drawn - held <= draw.from - pool)
            .map(|held| CHOOSE[pool][held] * CHOOSE[draw.from - pool][draw.drawn - held])
            .sum();
        let low = (self.low >> at & window).count_ones();
        let chance = share(ways, CHOOSE[draw.from][draw.drawn]);
        (0..low).fold(chance, |chance, _| times(chance, self.factor))
    }

    /// Walks through the ranks; before `first` of them no window is complete.
    fn walk(&self, size: usize, needed: usize, draw: Draw, first: usize, all: &mut ByStretch) {
        const STATES: usize = 1 << (WALKED - 1);
        // By which of the last size - 1 ranks are held, the latest being bit 0.
        let states = 1usize << (size - 1);
        let last = states - 1;
        let mut next_chance = [[None; WALKED]; WALKED];
        let mut now = [0u64; STATES];
        now[0] = ONE;
        // Which of the last ranks are unseen, and may or may not be held.
        let mut seen = 0usize;
        for rank in 0..usize::from(RANKS) {
            let mut next = [0u64; STATES];
            let known = self.known >> rank & 1 == 1;
            let unseen = self.pool >> rank & 1 == 1;
            let asked = seen.count_ones() as usize;
            for (state, &chance) in now[..states].iter().enumerate() {
                if chance == 0 {
                    continue;
                }
                let miss = state << 1 & last;
                let hit = miss | 1;
                let full = state.count_ones() as usize + 1 >= needed;
                let takes = if known {
                    chance
                } else if unseen {
                    let held = (state & seen).count_ones() as usize;
                    let share =
                        *next_chance[held][asked].get_or_insert_with(|| draw.next(held, asked));
                    let takes = times(chance, share);
                    match self.low >> rank & 1 {
                        0 => takes,
                        _ => times(takes, self.factor),
                    }
                } else {
                    0
                };
                next[miss] += chance - takes;
                if !full {
                    next[hit] += takes;
                }
            }
            now = next;
            seen = (seen << 1 | usize::from(unseen)) & last;
            if rank + 1 >= first {
                let none: u64 = now[..states].iter().sum();
                let chance = &mut all[rank + 1];
                *chance = times(*chance, none);
            }
        }
    }
}
