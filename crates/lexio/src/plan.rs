//! How many plays empty a hand: exact set partitioning over every subset of it.
//!
//! `cell[S]` is the least total cost of melds that partition the subset S. Subsets are bit masks
//! over the hand's tiles, the weakest tile being bit 0. With b the highest tile of S and T the rest,
//! the piece that takes b is either b alone or a meld b + O with O within T:
//!
//! `cell[2^b + T] = min(cell[T] + cost(b), min over melds b + O, O within T, of cell[T - O] + cost)`
//!
//! Every right-hand side lies below 2^b, so the table grows by doubling: a block is the copy of all
//! cells below it plus the cost of one single, and then each meld whose highest tile is b lowers
//! the cells whose T holds its other tiles. Those T come in runs as long as 2^(lowest bit of O).
//!
//! The table of a dealt hand prices every later hand of the round, and every play from it.

use crate::meld::Meld;
use evenhand_contract::Cards;
use std::ops::Add;

/// Most tiles a hand can have.
pub const MAX_TILES: usize = 13;

/// A hand's tiles as bits of a mask, the weakest being bit 0.
#[derive(Clone, Debug)]
pub struct Index {
    hand: Cards,
    bits: [u16; 64],
}

impl Default for Index {
    fn default() -> Self {
        Self {
            hand: Cards::EMPTY,
            bits: [0; 64],
        }
    }
}

impl Index {
    /// The index of a hand of at most [`MAX_TILES`] tiles; further tiles are left out.
    #[must_use]
    pub fn new(hand: Cards) -> Self {
        let mut index = Self::default();
        for (place, id) in hand.iter().take(MAX_TILES).enumerate() {
            index.bits[usize::from(id)] = 1 << place;
            index.hand |= Cards::one(id);
        }
        index
    }

    /// The tiles that it indexes.
    #[must_use]
    pub const fn hand(&self) -> Cards {
        self.hand
    }

    /// The mask of a set; tiles that are not of the hand are left out.
    #[inline]
    #[must_use]
    pub fn mask(&self, tiles: Cards) -> u16 {
        tiles
            .iter()
            .fold(0, |mask, id| mask | self.bits[usize::from(id & 63)])
    }
}

/// Runs the recurrence of this module. `singles[b]` is what tile b costs alone; `pieces` are the
/// larger melds as (mask, cost), in any order. `cells` comes out with 2^tiles entries.
fn push_blocks<T: Copy + Default + Ord + Add<Output = T>>(
    singles: &[T],
    pieces: impl Iterator<Item = (u16, T)> + Clone,
    cells: &mut Vec<T>,
    scratch: &mut Vec<(u16, T)>,
) {
    // Pieces in the order of their highest tile, by counting.
    let mut starts = [0usize; MAX_TILES + 1];
    for (mask, _) in pieces.clone() {
        starts[highest(mask) + 1] += 1;
    }
    for b in 0..MAX_TILES {
        starts[b + 1] += starts[b];
    }
    let mut next = starts;
    scratch.clear();
    scratch.resize(starts[MAX_TILES], (0, T::default()));
    for (mask, cost) in pieces {
        let slot = &mut next[highest(mask)];
        scratch[*slot] = (mask, cost);
        *slot += 1;
    }

    cells.clear();
    cells.resize(1 << singles.len(), T::default());
    for (b, &single) in singles.iter().enumerate() {
        let half = 1usize << b;
        let (below, block) = cells[..2 * half].split_at_mut(half);
        for (cell, &rest) in block.iter_mut().zip(&*below) {
            *cell = rest + single;
        }
        for &(mask, cost) in &scratch[starts[b]..starts[b + 1]] {
            let others = usize::from(mask) ^ half;
            lower(below, block, others, cost);
        }
    }
}

/// Lowers `block[T]` to `below[T - others] + cost` for each T that holds `others`.
#[inline]
fn lower<T: Copy + Ord + Add<Output = T>>(below: &[T], block: &mut [T], others: usize, cost: T) {
    let run = 1usize << others.trailing_zeros();
    if run < 8 {
        let mut with = others;
        while with < block.len() {
            block[with] = block[with].min(below[with ^ others] + cost);
            with = (with + 1) | others;
        }
        return;
    }
    let mut with = others;
    while with < block.len() {
        let without = with ^ others;
        let cells = &mut block[with..with + run];
        for (cell, &rest) in cells.iter_mut().zip(&below[without..without + run]) {
            *cell = (*cell).min(rest + cost);
        }
        with = (with + run) | others;
    }
}

#[inline]
fn highest(mask: u16) -> usize {
    (15 - (mask | 1).leading_zeros()) as usize
}

/// The fewest plays for every subset of a hand.
#[derive(Clone, Debug, Default)]
pub struct PlanTable {
    index: Index,
    masks: Vec<u16>,
    cells: Vec<u8>,
    scratch: Vec<(u16, u8)>,
}

impl PlanTable {
    /// The table of one hand; `melds` are all melds within it, as
    /// [`HandMemo::melds`](crate::hand::HandMemo::melds) lists them.
    #[must_use]
    pub fn new(hand: Cards, melds: &[Meld]) -> Self {
        let mut table = Self::default();
        table.fill(hand, melds);
        table
    }

    /// Makes this the table of another hand.
    pub fn fill(&mut self, hand: Cards, melds: &[Meld]) {
        self.index = Index::new(hand);
        let index = &self.index;
        self.masks.clear();
        self.masks.extend(melds.iter().map(|m| index.mask(m.tiles)));
        let tiles = index.hand.len() as usize;
        let larger = melds.iter().position(|m| m.size() > 1);
        let larger = &self.masks[larger.unwrap_or(melds.len())..];
        push_blocks(
            &[1u8; MAX_TILES][..tiles],
            larger.iter().map(|&mask| (mask, 1)),
            &mut self.cells,
            &mut self.scratch,
        );
    }

    /// The hand's index.
    #[inline]
    #[must_use]
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// The masks of the melds that the table was made from, in their order.
    #[inline]
    #[must_use]
    pub fn masks(&self) -> &[u16] {
        &self.masks
    }

    /// The fewest melds that partition the subset of this mask.
    ///
    /// # Panics
    /// When the mask has bits beyond the hand.
    #[inline]
    #[must_use]
    pub fn fewest_of(&self, mask: u16) -> u8 {
        self.cells[usize::from(mask)]
    }

    /// The fewest melds that partition `sub`, a subset of the hand.
    #[inline]
    #[must_use]
    pub fn fewest(&self, sub: Cards) -> u8 {
        self.fewest_of(self.index.mask(sub))
    }

    /// A partition of the subset of this mask that attains the minimum, as places in the list of
    /// melds. Always the same one: the strongest tile left is taken by the last meld of the list
    /// that allows it.
    pub fn pieces_of(&self, mut mask: u16, mut found: impl FnMut(usize)) {
        while mask != 0 {
            let top = 1u16 << highest(mask);
            let after = self.fewest_of(mask).wrapping_sub(1);
            let piece = self.masks.iter().rposition(|&m| {
                m & top != 0 && m & !mask == 0 && self.cells[usize::from(mask ^ m)] == after
            });
            let Some(piece) = piece else { return };
            found(piece);
            mask ^= self.masks[piece];
        }
    }

    /// The partition of [`PlanTable::pieces_of`] as melds, the largest first, by falling key;
    /// `melds` is the list that the table was made from.
    #[must_use]
    pub fn partition(&self, sub: Cards, melds: &[Meld]) -> Vec<Meld> {
        let mut pieces = Vec::new();
        self.pieces_of(self.index.mask(sub), |place| pieces.push(melds[place]));
        pieces.sort_by_key(|m| std::cmp::Reverse((m.size(), m.key, m.tiles)));
        pieces
    }
}

/// What one piece adds to a plan. Plans are compared by price, then by the counts, so that the
/// counts of the best plan come with its price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// In a unit of the pricer's choice, at most [`Price::MOST_A_TILE`] for each tile.
    pub units: u32,
    /// Whether the piece can hardly be got rid of but by leading it.
    pub needs_lead: bool,
    /// Whether it is a single that can hardly win a trick.
    pub orphan: bool,
}

impl Price {
    /// Highest price a tile of a piece: thirteen of them stay below 2^24, where a cell's price ends.
    pub const MOST_A_TILE: u32 = ((1 << 24) - 1) / MAX_TILES as u32;

    #[inline]
    fn packed(self) -> u32 {
        self.units << 8 | u32::from(self.needs_lead) << 4 | u32::from(self.orphan)
    }
}

/// The cheapest plan of a subset, with the counts of its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Plan(u32);

impl Plan {
    /// Sum of the prices.
    #[inline]
    #[must_use]
    pub const fn units(self) -> i64 {
        (self.0 >> 8) as i64
    }

    /// Pieces that need the lead.
    #[inline]
    #[must_use]
    pub const fn needing_lead(self) -> i64 {
        (self.0 >> 4 & 0xf) as i64
    }

    /// Orphans among the pieces.
    #[inline]
    #[must_use]
    pub const fn orphans(self) -> i64 {
        (self.0 & 0xf) as i64
    }
}

/// The cheapest plan for every subset of a hand, where each piece has a price of its own.
#[derive(Clone, Debug, Default)]
pub struct CostTable {
    cells: Vec<u32>,
    scratch: Vec<(u16, u32)>,
    pieces: Vec<(u16, u32)>,
}

impl CostTable {
    /// Fills the table for a hand of `tiles` tiles. `pieces` gives each meld's mask and price, all
    /// singles first in the order of their tiles, then larger melds in any order.
    pub fn fill(&mut self, tiles: usize, pieces: impl Iterator<Item = (u16, Price)>) {
        self.pieces.clear();
        self.pieces
            .extend(pieces.map(|(mask, price)| (mask, price.packed())));
        let mut singles = [0; MAX_TILES];
        for (slot, (_, price)) in singles.iter_mut().zip(&self.pieces[..tiles]) {
            *slot = *price;
        }
        push_blocks(
            &singles[..tiles],
            self.pieces[tiles..].iter().copied(),
            &mut self.cells,
            &mut self.scratch,
        );
    }

    /// The cheapest plan of the subset of this mask.
    ///
    /// # Panics
    /// When the mask has bits beyond the hand.
    #[inline]
    #[must_use]
    pub fn plan(&self, mask: u16) -> Plan {
        Plan(self.cells[usize::from(mask)])
    }
}

#[cfg(test)]
mod tests;
