//! Whether a hand can be emptied in one turn.

use crate::card::{SEVENS, lowered, raised, rank, rank_cards};
use crate::meld::{can_register, each_register};
use crate::moves::Decision;
use crate::table::Board;
use evenhand_contract::{Cards, OutOfWork, Work};

/// Whether registers, lay-offs and at most one discard empty the hand.
///
/// # Errors
/// When the budget runs out.
pub(crate) fn goes_out(board: &Board, work: &mut Work<'_>) -> Result<bool, OutOfWork> {
    if board.hand.len() <= 1 {
        return Ok(true);
    }
    work.charge(1)?;
    if board.registered && lays_off_and_goes_out(board, work)? {
        return Ok(true);
    }
    if !can_register(board.hand) {
        return Ok(false);
    }
    let mut registers = Vec::new();
    each_register(board.hand, |cards, _| registers.push(cards));
    for cards in registers {
        if after(board, &Decision::Register(cards), work)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn after(board: &Board, decision: &Decision, work: &mut Work<'_>) -> Result<bool, OutOfWork> {
    let mut board = *board;
    match board.play(decision) {
        Ok(()) => goes_out(&board, work),
        Err(_) => Ok(false),
    }
}

/// Lay-offs of single cards suffice: one of several cards is a line of those, but for 7s that make
/// a set of a lone 7.
fn lays_off_and_goes_out(board: &Board, work: &mut Work<'_>) -> Result<bool, OutOfWork> {
    for card in board.hand & board.table.next() {
        let cards = Cards::one(card);
        for (meld, there) in (0..).zip(board.table.melds()) {
            if there.with(cards).is_some() && after(board, &Decision::LayOff { cards, meld }, work)?
            {
                return Ok(true);
            }
        }
    }
    if (board.hand & SEVENS).len() < 2 {
        return Ok(false);
    }
    let mut sets = Vec::new();
    board.table.each_lay_off(board.hand, |cards, meld| {
        if SEVENS.has_all(cards) {
            sets.push(Decision::LayOff { cards, meld });
        }
    });
    for set in &sets {
        if after(board, set, work)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How many of the unseen cards, drawn next, would let this hand go out at once; each card is tried.
///
/// # Errors
/// When the budget runs out.
pub(crate) fn draws_that_go_out(
    board: &Board,
    unseen: Cards,
    work: &mut Work<'_>,
) -> Result<u32, OutOfWork> {
    let hand = board.hand;
    let fits = board.table.next() | SEVENS;
    if board.registered && hand.len() == 1 {
        // Two cards: one is laid off or registered alone, the other is discarded.
        return Ok(match hand.meets(fits) {
            true => unseen.len(),
            false => (unseen & fits).len(),
        });
    }
    // A card that fits neither table nor hand is the discard, and goes out only with a hand that
    // can be laid out whole.
    let mates = hand
        .iter()
        .fold(Cards::EMPTY, |all, id| all | rank_cards(rank(id)));
    let (up, down) = (raised(hand), lowered(hand));
    let connected = fits | mates | up | down | raised(up) | lowered(down);
    let mut tried = unseen;
    if !goes_out(board, work)? {
        tried &= connected;
    }
    let mut count = 0;
    for card in tried {
        let mut with = *board;
        with.hand |= Cards::one(card);
        count += u32::from(goes_out(&with, work)?);
    }
    Ok(count)
}
