//! The estimator: how likely a plain stop succeeds, an opponent goes out first, a discard is claimed.
//!
//! Raw answers are in ppm. The calibration table maps each kind to what comes true in play; the
//! chance of a stop has a map for each third of the deck, since an overall fit bends within them.

mod claim;
mod estimates;
mod out;
mod probes;
pub(crate) mod sums;
#[cfg(test)]
mod tests;

pub(crate) use claim::claimed;
pub(crate) use out::opponent_out;

use crate::card;
use crate::moves::Decision;
use crate::question::{DeckThird, Question};
use crate::view::View;
use crate::{Hoola, card::RANKS};
use evenhand_contract::{
    Ask, Estimates, OutOfWork, PPM_ONE, Parameter, Ppm, Prediction, Seat, Trace, Work,
};

/// Kinds of question, in the order of a table's maps.
pub(crate) const KINDS: [&str; 6] = [
    "stop_first_third",
    "stop_second_third",
    "stop_last_third",
    "sum_above",
    "opponent_out",
    "claimed",
];

/// The estimator's one parameter: see [`sums`].
pub(crate) const PARAMETERS: [Parameter; 1] = [Parameter {
    name: "tilt",
    about: "thousandths by which an ace is likelier, a king less likely, in a hand of many turns",
    default: 2_400,
    low: 0,
    high: 4_000,
    step: 200,
}];

const TILT: usize = 0;

/// The kind of a question.
pub(crate) const fn kind(question: &Question) -> usize {
    match question {
        Question::PlainWins { third } => *third as usize,
        Question::SumAbove { .. } => 3,
        Question::OpponentOut { .. } => 4,
        Question::Claimed { .. } => 5,
    }
}

/// The question whether a plain stop by the seat of this view would succeed.
pub(crate) fn plain_wins(view: &View) -> Question {
    let dealt = view.rules.deck_after_deal(view.players);
    Question::PlainWins {
        third: DeckThird::of(view.deck, dealt),
    }
}

/// The question whether an opponent goes out before this seat's next turn.
pub(crate) fn opponent_first(view: &View) -> Question {
    Question::OpponentOut {
        turns: view.turns[view.seat],
    }
}

/// The raw answer, in ppm.
pub(crate) fn raw(
    view: &View,
    question: &Question,
    tilt: i64,
    work: &mut Work<'_>,
) -> Result<i64, OutOfWork> {
    work.charge(1)?;
    match *question {
        Question::PlainWins { .. } => {
            work.charge(u64::from(view.players - 1))?;
            Ok(every_sum_above(view, card::sum(view.hand), tilt))
        }
        Question::SumAbove { seat, sum } => {
            let unseen = sums::by_rank(view.unseen());
            Ok(sum_above(view, &unseen, seat, u32::from(sum), tilt).get())
        }
        Question::OpponentOut { .. } => Ok(opponent_out(view)),
        Question::Claimed { card } => Ok(claimed(view, card)),
    }
}

/// The chance that every opponent's sum is above `sum`, in ppm: the product over opponents. They
/// share the unseen cards, so this is not exact; see the notes for how little that matters.
fn every_sum_above(view: &View, sum: u32, tilt: i64) -> i64 {
    let unseen = sums::by_rank(view.unseen());
    let mut chance = PPM_ONE;
    for seat in view.opponents() {
        let one = sum_above(view, &unseen, seat, sum, tilt).get();
        chance = (chance * one + PPM_ONE / 2) / PPM_ONE;
    }
    chance
}

/// What the own sum at the end of a turn is worth, believed for each sum that a plain stop allows.
pub(crate) struct Lows {
    /// The chance that a stop with this sum would succeed, in thousandths.
    pub wins: [i64; sums::SUMS],
    /// The chance that some opponent is within the plain line, in thousandths.
    pub threat: i64,
}

/// The chances of every own sum at once. Unregistered opponents are taken to be above every line.
pub(crate) fn lows(ask: &Ask<'_, Hoola>, work: &mut Work<'_>) -> Result<Lows, OutOfWork> {
    let view = ask.view;
    work.charge(u64::from(view.players))?;
    let tilt = ask.maps.parameter(&PARAMETERS, TILT);
    let unseen = sums::by_rank(view.unseen());
    let kind = kind(&plain_wins(view));
    let mut wins = [PPM_ONE; sums::SUMS];
    for seat in view.opponents().filter(|&seat| view.registered[seat]) {
        let weights = sums::weights(tilt, view.turns[seat]);
        let above = sums::above_each(&unseen, usize::from(view.counts[seat]), &weights);
        for (win, above) in wins.iter_mut().zip(above) {
            *win = (*win * above.get() + PPM_ONE / 2) / PPM_ONE;
        }
    }
    let wins = wins.map(|raw| ask.maps.apply(kind, raw).get() * 1_000 / PPM_ONE);
    let line = view.rules.plain_line().min(sums::MOST_SUM) as usize;
    Ok(Lows {
        wins,
        threat: 1_000 - wins[line],
    })
}

fn sum_above(view: &View, unseen: &[u8; RANKS as usize], seat: Seat, sum: u32, tilt: i64) -> Ppm {
    let weights = sums::weights(tilt, view.turns[seat]);
    sums::above(unseen, usize::from(view.counts[seat]), sum, &weights)
}

/// What the policy believes: the raw answer through its map, recorded where the trace wants it.
pub(crate) fn believed(
    ask: &Ask<'_, Hoola>,
    question: Question,
    work: &mut Work<'_>,
    trace: &mut Trace<Decision, Question>,
) -> Result<Ppm, OutOfWork> {
    let tilt = ask.maps.parameter(&PARAMETERS, TILT);
    let raw = raw(ask.view, &question, tilt, work)?;
    let believed = ask.maps.apply(Hoola::kind(&question), raw);
    if trace.wants_predictions() {
        trace.predictions.push(Prediction {
            question,
            raw,
            believed,
        });
    }
    Ok(believed)
}
