//! What the losers of a round pay.
//!
//! `share = rung x E x (2 if unregistered) x 2^(7s left in hand)`. Registered losers take the rungs
//! 1, 2, 3, ... by ascending sum (equal sums: fewer cards first, then the nearer after the winner);
//! every unregistered loser takes the bottom rung, players - 1.

use crate::card::{self, SEVENS};
use evenhand_contract::{BySeat, Cards, Seat};

/// Who pays the shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Payer {
    /// Each loser its own.
    Each,
    /// The declarer of a plain stop that failed, all of them: its own share is
    /// (players - 1) x 2^(own 7s), and it takes no rung from the others.
    Declarer(Seat),
    /// The discarder whose card was claimed and went out, all of them.
    Discarder(Seat),
}

/// How many seats after `from` a seat sits: 0 for `from` itself.
#[inline]
#[must_use]
pub const fn seats_after(from: Seat, seat: Seat, players: u8) -> u8 {
    (seat.0 + players - from.0) % players
}

/// Points of each seat; they sum to zero.
#[must_use]
pub fn settle(
    hands: &BySeat<Cards>,
    registered: &BySeat<bool>,
    winner: Seat,
    e: i64,
    payer: Payer,
) -> BySeat<i64> {
    let players = hands.players();
    let shares = shares(hands, registered, winner, e, payer);
    let total: i64 = shares.as_slice().iter().sum();
    BySeat::from_fn(players, |seat| match payer {
        _ if seat == winner => total,
        Payer::Each => -shares[seat],
        Payer::Declarer(alone) | Payer::Discarder(alone) if seat == alone => -total,
        Payer::Declarer(_) | Payer::Discarder(_) => 0,
    })
}

/// The share of each seat, whoever pays it; 0 for the winner.
fn shares(
    hands: &BySeat<Cards>,
    registered: &BySeat<bool>,
    winner: Seat,
    e: i64,
    payer: Payer,
) -> BySeat<i64> {
    let players = hands.players();
    let bottom = i64::from(players) - 1;
    let declarer = match payer {
        Payer::Declarer(seat) => Some(seat),
        Payer::Each | Payer::Discarder(_) => None,
    };
    let ranked = |seat: Seat| seat != winner && Some(seat) != declarer && registered[seat];
    let order = |seat: Seat| {
        let hand = hands[seat];
        (
            card::sum(hand),
            hand.len(),
            seats_after(winner, seat, players),
        )
    };
    BySeat::from_fn(players, |seat| {
        if seat == winner {
            return 0;
        }
        let sevens = (hands[seat] & SEVENS).len();
        if Some(seat) == declarer {
            return bottom << sevens;
        }
        let rung = if registered[seat] {
            let before = Seat::all(players).filter(|&s| ranked(s) && order(s) < order(seat));
            1 + before.count() as i64
        } else {
            2 * bottom
        };
        (rung * e) << sevens
    })
}
