//! The chance that an opponent goes out before the asker's next turn.

use crate::card::SEVENS;
use crate::view::View;
use evenhand_contract::{PPM_ONE, Seat};

/// Chance, in ppm, that a registered hand of so many cards goes out in one turn, beside what the
/// table lets it lay off: by a meld that a draw or claim completes, or a card that fits only now.
const BY_MELD: [i64; 8] = [0, 60_000, 60_000, 70_000, 40_000, 15_000, 8_000, 4_000];
/// Share, in thousandths, of the fitting draws with which such a hand goes out.
const BY_DRAW: [i64; 8] = [0, 1_000, 220, 120, 40, 20, 10, 5];
/// Chance, in ppm, that an unregistered hand goes out in one turn.
const UNREGISTERED: i64 = 3_000;

/// The raw chance, in ppm: opponents' turns taken as independent, one turn each. A rough model whose
/// order of situations matters; the calibration map gives it its level.
pub(crate) fn opponent_out(view: &View) -> i64 {
    let unseen = view.unseen();
    let fitting = unseen & (view.table.next() | SEVENS);
    let share = i64::from(fitting.len()) * PPM_ONE / i64::from(unseen.len().max(1));
    let safe = view.opponents().fold(PPM_ONE, |safe, seat| {
        safe * (PPM_ONE - one_turn(view, seat, share)) / PPM_ONE
    });
    PPM_ONE - safe
}

/// The chance of one opponent's next turn, in ppm; `share` of the unseen cards fit the table.
fn one_turn(view: &View, seat: Seat, share: i64) -> i64 {
    if !view.registered[seat] {
        return UNREGISTERED;
    }
    let place = usize::from(view.counts[seat]).min(BY_MELD.len() - 1);
    (BY_MELD[place] + share * BY_DRAW[place] / 1_000).min(PPM_ONE)
}
