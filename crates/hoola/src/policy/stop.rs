//! Whether to declare a plain stop: its expected value against that of waiting.
//!
//! All values are thousandths of a point. With the chance p that every opponent's sum is greater,
//!
//! `stop = p G - (1 - p) F`,
//!
//! where G is the ladder that the opponents pay and F the stop penalty. Waiting is followed until
//! the deck is empty, not for one turn: with a the chance to go out with a draw, b the chance that
//! an opponent goes out before the next turn, and L the own share then,
//!
//! `wait(t) = a G + (1 - a) (b (-L) + (1 - b) max(stop, wait(t - 1)))`,
//! `wait(0) = p G - (1 - p) L`,
//!
//! for t own draws until the deck is empty, when the lowest registered sum wins and no penalty is
//! due. Near the end a stop therefore pays only against opponents who go out first; far from it the
//! danger of many turns is weighed, which one turn leaves out.

use crate::Hoola;
use crate::card::SEVENS;
use crate::moves::Decision;
use crate::odds;
use crate::plan::draws_that_go_out;
use crate::question::Question;
use crate::view::View;
use evenhand_contract::{Ask, Milli, OutOfWork, PPM_ONE, Ppm, Seat, Trace, Work};

/// One point, in thousandths.
const POINT: i64 = 1_000;

/// What a stop is judged by beside its chance, in thousandths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caution {
    /// Share of the stake (G + F) by which stopping must be better.
    pub margin: Milli,
    /// Scales the chance to go out.
    pub own_out: Milli,
    /// Scales the chance that an opponent goes out.
    pub danger: Milli,
    /// Change of the chance of a stop from turn to turn.
    pub drift: Milli,
    /// Whether waiting is followed for one turn only, after which a stop is declared.
    pub one_turn: bool,
}

impl Caution {
    /// Takes every chance as it is believed.
    pub(super) const NONE: Self = Self {
        margin: 0,
        own_out: POINT,
        danger: POINT,
        drift: 0,
        one_turn: false,
    };
}

/// What a stop and waiting are worth, in thousandths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Worth {
    /// Declaring now.
    pub stop: i64,
    /// Drawing instead.
    pub wait: i64,
    /// G + F.
    pub stake: i64,
    /// Chance that the stop succeeds.
    pub chance: Ppm,
}

/// What the outcomes pay, in thousandths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stakes {
    /// Gained by winning with E = 1.
    gain: i64,
    /// Lost with a stop that fails.
    penalty: i64,
    /// Lost when another wins.
    share: i64,
}

impl Stakes {
    fn new(view: &View) -> Self {
        let bottom = i64::from(view.players) - 1;
        let unseen = view.unseen();
        let sevens = (unseen & SEVENS).len();
        let own = i64::from((view.hand & SEVENS).len());
        let mut registered = 0;
        let mut unregistered = 0;
        for seat in view.opponents() {
            if view.registered[seat] {
                registered += 1;
            } else {
                unregistered += 2 * bottom * sevens_factor(view, seat, sevens, unseen.len());
            }
        }
        // Rungs 1, 2, ... of the registered; a 7 in such a hand is registered at the next turn.
        let ladder = |losers: i64| POINT * losers * (losers + 1) / 2;
        // With a failed stop the lowest of the others wins and pays no share: a registered one, if
        // there is any, since an unregistered hand is seldom so low.
        let others = match registered {
            0 => unregistered * (bottom - 1) / bottom,
            _ => ladder(registered - 1) + unregistered,
        };
        Self {
            gain: ladder(registered) + unregistered,
            penalty: others + ((POINT * bottom) << own),
            share: POINT << own,
        }
    }
}

/// Expected 2^(7s in hand) of an unregistered seat, in thousandths: (1 + c / m)^s for c of the m
/// unseen cards with s 7s among them before its first turn. Later a 7 would have been registered.
fn sevens_factor(view: &View, seat: Seat, sevens: u32, unseen: u32) -> i64 {
    if view.turns[seat] > 0 || unseen == 0 {
        return POINT;
    }
    let more = i64::from(view.counts[seat]) * POINT / i64::from(unseen);
    (0..sevens).fold(POINT, |factor, _| factor * (POINT + more) / POINT)
}

/// part x chance.
#[inline]
fn times(value: i64, ppm: i64) -> i64 {
    value * ppm / PPM_ONE
}

/// Judges a plain stop that may be declared now. Records what it believes.
pub(super) fn judge(
    ask: &Ask<'_, Hoola>,
    caution: Caution,
    work: &mut Work<'_>,
    trace: &mut Trace<Decision, Question>,
) -> Result<Worth, OutOfWork> {
    let view = ask.view;
    let chance = odds::believed(ask, odds::plain_wins(view), work, trace)?;
    let first = odds::believed(ask, odds::opponent_first(view), work, trace)?;
    if trace.wants_predictions() {
        let sum = crate::card::sum(view.hand) as u16;
        for seat in view.opponents() {
            odds::believed(ask, Question::SumAbove { seat, sum }, work, trace)?;
        }
    }
    let unseen = view.unseen();
    let draws = draws_that_go_out(&view.board(), unseen, work)?;
    let out = Ppm::ratio(u64::from(draws), u64::from(unseen.len())).get();
    let stakes = Stakes::new(view);
    let scaled = |ppm: i64, by: Milli| (ppm * by / POINT).clamp(0, PPM_ONE);
    let waiting = Waiting {
        stakes,
        out: scaled(out, caution.own_out),
        danger: scaled(first.get(), caution.danger),
        drift: caution.drift * POINT,
    };
    Ok(Worth {
        stop: stakes.stop(chance.get()),
        wait: match caution.one_turn {
            false => waiting.worth(chance.get(), turns_left(view)),
            true => waiting.one_turn(chance.get()),
        },
        stake: stakes.gain + stakes.penalty,
        chance,
    })
}

/// Whether a worth says to declare.
pub(super) fn declares(worth: &Worth, caution: Caution) -> bool {
    worth.stop - worth.wait > caution.margin * worth.stake / POINT
}

impl Stakes {
    fn stop(&self, chance: i64) -> i64 {
        times(self.gain, chance) - times(self.penalty, PPM_ONE - chance)
    }

    fn deck_empty(&self, chance: i64) -> i64 {
        times(self.gain, chance) - times(self.share, PPM_ONE - chance)
    }
}

/// Own draws from now on until the deck is empty, if each seat draws in its turn.
fn turns_left(view: &View) -> u32 {
    u32::from(view.deck).div_ceil(u32::from(view.players))
}

struct Waiting {
    stakes: Stakes,
    /// Chance to go out with a draw, in ppm.
    out: i64,
    /// Chance that an opponent goes out before the next turn, in ppm.
    danger: i64,
    /// Change of the chance of a stop a turn, in ppm.
    drift: i64,
}

impl Waiting {
    /// Worth of waiting for one turn and then winning as a stop can, or losing the own share.
    fn one_turn(&self, chance: i64) -> i64 {
        let next = self.stakes.deck_empty(chance);
        let others = times(-self.stakes.share, self.danger) + times(next, PPM_ONE - self.danger);
        times(self.stakes.gain, self.out) + times(others, PPM_ONE - self.out)
    }

    /// Worth of waiting with so many own draws left.
    fn worth(&self, chance: i64, draws: u32) -> i64 {
        let at = |turn: u32| (chance + self.drift * i64::from(turn)).clamp(0, PPM_ONE);
        let mut worth = self.stakes.deck_empty(at(draws));
        // From the last draw back to the one that is due now.
        for turn in (0..draws).rev() {
            let next = match turn + 1 == draws {
                true => worth,
                false => worth.max(self.stakes.stop(at(turn + 1))),
            };
            let others =
                times(-self.stakes.share, self.danger) + times(next, PPM_ONE - self.danger);
            worth = times(self.stakes.gain, self.out) + times(others, PPM_ONE - self.out);
        }
        worth
    }
}

#[cfg(test)]
#[path = "stop/tests.rs"]
mod tests;
