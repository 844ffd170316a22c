//! Turns tried to their end on a copy of the table, by applying moves.

mod out;
#[cfg(test)]
mod tests;

pub(crate) use out::draws_that_go_out;
#[cfg(test)]
pub(crate) use out::goes_out;

use crate::meld::{can_register, each_register};
use crate::moves::Decision;
use crate::table::Board;
use evenhand_contract::{Cards, OutOfWork, Work};

/// Boards of one turn after which no further ones are tried. Hands of seven cards hardly ever come
/// to a tenth of it.
pub(crate) const MOST_BOARDS: usize = 400;

/// A board that a turn can come to before its discard, with the first move on the way.
#[derive(Clone, Copy)]
pub(crate) struct Reached {
    /// The board.
    pub board: Board,
    /// The turn's first register or lay-off; `None` for the board as it stands.
    pub first: Option<Decision>,
}

/// Every board that registers and lay-offs lead to from here, each once, the present one first.
///
/// Two boards count as one when the same cards are left in hand and the same single cards fit the
/// table: how the cards that were played are divided over melds makes no other difference that is
/// weighed. Boards are found breadth first, so the first move on record starts a shortest way.
#[derive(Default)]
pub(crate) struct Boards {
    reached: Vec<Reached>,
    moves: Vec<Decision>,
}

impl Boards {
    /// Finds the boards of a turn; charges a unit for each move that is tried.
    ///
    /// # Errors
    /// When the budget runs out.
    pub fn find(&mut self, from: Board, work: &mut Work<'_>) -> Result<&[Reached], OutOfWork> {
        let Self { reached, moves } = self;
        reached.clear();
        reached.push(Reached {
            board: from,
            first: None,
        });
        let mut at = 0;
        while at < reached.len() && reached.len() < MOST_BOARDS {
            let here = reached[at];
            at += 1;
            list_moves(&here.board, moves);
            work.charge(1 + moves.len() as u64)?;
            for decision in moves.iter() {
                let mut board = here.board;
                if board.play(decision).is_err() || known(reached, &board) {
                    continue;
                }
                reached.push(Reached {
                    board,
                    first: here.first.or(Some(*decision)),
                });
                if reached.len() == MOST_BOARDS {
                    break;
                }
            }
        }
        Ok(reached)
    }
}

#[inline]
fn known(reached: &[Reached], board: &Board) -> bool {
    let key = |board: &Board| (board.hand, board.table.next());
    let wanted = key(board);
    reached.iter().any(|r| key(&r.board) == wanted)
}

/// The registers and lay-offs of a board, in a fixed order.
#[inline]
fn list_moves(board: &Board, moves: &mut Vec<Decision>) {
    moves.clear();
    if can_register(board.hand) {
        each_register(board.hand, |cards, _| moves.push(Decision::Register(cards)));
    }
    if board.registered {
        board.table.each_lay_off(board.hand, |cards, meld| {
            moves.push(Decision::LayOff { cards, meld });
        });
    }
}

/// The unseen cards with which a hand could register something that it cannot without.
#[inline]
#[must_use]
pub(crate) fn completing(hand: Cards, unseen: Cards) -> Cards {
    use crate::card::{lowered, raised};
    const LOWEST: u64 = 0x1_1111_1111_1111;
    let at = |suit: u32| hand.0 >> suit & LOWEST;
    let (c, d, h, s) = (at(0), at(1), at(2), at(3));
    let twice = (c & d) | (h & s) | ((c | d) & (h | s));
    let mates = Cards(twice * 0xf);
    let (up, down) = (raised(hand), lowered(hand));
    // A card x with x - 1 and x - 2, with x + 1 and x + 2, or with both neighbours in hand.
    let runs = (up & raised(up)) | (down & lowered(down)) | (up & down);
    (mates | runs) & unseen
}
