//! Lines: plays that are proved to hold, one after the other, and a normal finish at their end.

use crate::plan::Piece;
use crate::rules::Rules;
use evenhand_contract::{OutOfWork, Work};

/// A piece that is proved to hold when it is led.
#[derive(Clone, Copy, Debug)]
struct Sure {
    mask: u16,
    turns: bool,
    /// In the normal order and in a revolution.
    holds: [bool; 2],
}

/// Buffers that are kept from decision to decision.
#[derive(Clone, Debug, Default)]
pub(super) struct LineMemo {
    sure: Vec<Sure>,
    /// Masks of normal finishes, by the order before them.
    ends: [Vec<u16>; 2],
    /// Hands, by mask and order, from which no line is left: bit 2 x mask + order.
    failed: Vec<u64>,
}

impl LineMemo {
    /// Fills in which pieces hold for certain, when led under each order.
    pub(super) fn fill(
        &mut self,
        pieces: &[Piece],
        full: u16,
        rules: Rules,
        mut holds: impl FnMut(&Piece, bool) -> bool,
    ) {
        self.sure.clear();
        self.ends.iter_mut().for_each(Vec::clear);
        for piece in pieces {
            let holds = [false, true].map(|revolution| holds(piece, revolution));
            if holds.contains(&true) {
                self.sure.push(Sure {
                    mask: piece.mask,
                    turns: piece.play.turns_order(),
                    holds,
                });
            }
            for (ends, revolution) in self.ends.iter_mut().zip([false, true]) {
                if !piece.play.fouls(revolution, rules) {
                    ends.push(piece.mask);
                }
            }
        }
        // Long ones first: they shorten the line most.
        self.sure
            .sort_by_key(|sure| std::cmp::Reverse(sure.mask.count_ones()));
        self.failed.clear();
        self.failed.resize((usize::from(full) + 1).div_ceil(32), 0);
    }

    /// Whether a hand can be emptied by plays that hold and one last normal finish, the first of
    /// them led in this order.
    ///
    /// # Errors
    /// [`OutOfWork`] when the budget does not cover it.
    pub(super) fn exists(
        &mut self,
        hand: u16,
        revolution: bool,
        work: &mut Work<'_>,
    ) -> Result<bool, OutOfWork> {
        let bit = 2 * usize::from(hand) + usize::from(revolution);
        if self.failed[bit / 64] >> (bit % 64) & 1 == 1 {
            return Ok(false);
        }
        work.charge((self.sure.len() + self.ends[usize::from(revolution)].len()) as u64)?;
        if self.ends[usize::from(revolution)].contains(&hand) {
            return Ok(true);
        }
        // What no sure play can take must go with the last one.
        let covered = self.sure.iter().fold(0, |all, sure| all | sure.mask);
        let left = hand & !covered;
        let fits = |ends: &[u16]| ends.iter().any(|&end| end & !hand == 0 && left & !end == 0);
        if left == 0 || self.ends.iter().any(|ends| fits(ends)) {
            for place in 0..self.sure.len() {
                let sure = self.sure[place];
                if sure.mask & !hand == 0
                    && sure.mask != hand
                    && sure.holds[usize::from(revolution)]
                    && self.exists(hand ^ sure.mask, revolution ^ sure.turns, work)?
                {
                    return Ok(true);
                }
            }
        }
        self.failed[bit / 64] |= 1 << (bit % 64);
        Ok(false)
    }
}
