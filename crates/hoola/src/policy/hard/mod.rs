//! hard: certain stops, plain stops by expected value, claims turn against turn, and whole turns
//! planned to their end.

pub(crate) mod knobs;
mod terms;

use super::simple;
use super::stop::{self, Caution};
use crate::moves::{Decision, Stop};
use crate::odds;
use crate::plan::Boards;
use crate::question::Question;
use crate::table::Board;
use crate::view::Phase;
use crate::{Hoola, Memo};
use evenhand_contract::{Ask, Candidate, PolicyError, Ppm, Trace, Work};
use terms::{Position, Terms, total};

/// Rule stages that can be switched off, in the order of their bits.
///
/// Without `certain_stop` or `plain_stop` no such stop is declared. Without `thank_you` nothing is
/// claimed; without `compare` everything is that can be, into the largest meld; without
/// `long_wait` waiting before a plain stop is followed for one turn only.
pub(crate) const STAGES: &[&str] = &[
    "certain_stop",
    "plain_stop",
    "thank_you",
    "compare",
    "long_wait",
];
const CERTAIN_STOP: u32 = 1 << 0;
const PLAIN_STOP: u32 = 1 << 1;
const THANK_YOU: u32 = 1 << 2;
const COMPARE: u32 = 1 << 3;
const LONG_WAIT: u32 = 1 << 4;

/// Better than any end of a turn that is weighed: the hand is empty.
const OUT: i64 = i64::MAX;

/// Buffers that are kept from decision to decision; they hold nothing that one reads.
#[derive(Default)]
pub(crate) struct HardMemo {
    boards: Boards,
}

/// The policy.
pub(super) fn hard(
    ask: &Ask<'_, Hoola>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<Decision, Question>,
) -> Result<Decision, PolicyError> {
    if ask.weights.len() != knobs::KNOBS.len() {
        return Err(PolicyError::Other(format!(
            "{} weights for {} knobs",
            ask.weights.len(),
            knobs::KNOBS.len()
        )));
    }
    let boards = &mut memo.hard.boards;
    match ask.view.phase {
        Phase::Window => window(ask, boards, work, trace),
        Phase::Start => start(ask, work, trace),
        Phase::Play => play(ask, boards, work, trace),
    }
}

/// Before the draw: the certain stops, then a plain one by its expected value.
fn start(
    ask: &Ask<'_, Hoola>,
    work: &mut Work<'_>,
    trace: &mut Trace<Decision, Question>,
) -> Result<Decision, PolicyError> {
    let stops = ask.view.options.stops;
    if ask.stages_off & CERTAIN_STOP == 0
        && let Some(stop) = stops.iter().find(|stop| stop.is_certain())
    {
        trace.stage("certain_stop");
        return Ok(Decision::Stop(stop));
    }
    if stops.has(Stop::Plain) {
        let caution = Caution {
            margin: ask.weights[knobs::StopMargin],
            own_out: ask.weights[knobs::WaitOut],
            danger: ask.weights[knobs::WaitDanger],
            drift: ask.weights[knobs::WaitDrift],
            one_turn: ask.stages_off & LONG_WAIT != 0,
        };
        let worth = stop::judge(ask, caution, work, trace)?;
        if trace.full() {
            for (decision, total) in [
                (Decision::Stop(Stop::Plain), worth.stop),
                (Decision::Draw, worth.wait),
            ] {
                trace.candidates.push(Candidate {
                    decision,
                    total,
                    terms: vec![("worth", total)],
                    facts: vec![("success_ppm", worth.chance.get()), ("stake", worth.stake)],
                });
            }
        }
        if ask.stages_off & PLAIN_STOP == 0 && stop::declares(&worth, caution) {
            trace.stage("plain_stop");
            return Ok(Decision::Stop(Stop::Plain));
        }
    }
    trace.stage("draw");
    if ask.view.options.draw {
        return Ok(Decision::Draw);
    }
    Err(PolicyError::Other("there is nothing to do".to_owned()))
}

/// The best end of a turn that starts from a board.
struct Best {
    total: i64,
    decision: Decision,
}

/// A window: the turn that begins with each claim against one own turn without a draw. Ties decline.
fn window(
    ask: &Ask<'_, Hoola>,
    boards: &mut Boards,
    work: &mut Work<'_>,
    trace: &mut Trace<Decision, Question>,
) -> Result<Decision, PolicyError> {
    let view = ask.view;
    let claims = &view.options.claims;
    if ask.stages_off & THANK_YOU != 0 || claims.is_empty() {
        trace.stage("decline");
        return Ok(Decision::Decline);
    }
    if ask.stages_off & COMPARE != 0
        && let Some(meld) = simple::largest(claims)
    {
        trace.stage("claim");
        return Ok(Decision::Claim(meld));
    }
    let danger = danger(ask, work)?;
    let mut position = Position::new(ask, danger, odds::lows(ask, work)?);
    let mut best = None;
    for &meld in claims {
        let board = view
            .board_after_claim(meld)
            .map_err(|illegal| PolicyError::Other(illegal.to_string()))?;
        let end = weigh(ask, &mut position, boards, board, None, work)?;
        let total = match end.total {
            OUT => OUT,
            total => total + ask.weights[knobs::ClaimBonus] * terms::ONE,
        };
        record(trace, Decision::Claim(meld), total, None);
        if best.is_none_or(|(most, _)| total > most) {
            best = Some((total, meld));
        }
    }
    let stay = weigh(ask, &mut position, boards, view.board(), None, work)?;
    // Going out in a turn to come is no win yet.
    let stay = match stay.total {
        OUT => i64::MAX - 1,
        total => total,
    };
    record(trace, Decision::Decline, stay, None);
    match best {
        Some((total, meld)) if total > stay => {
            trace.stage("claim");
            Ok(Decision::Claim(meld))
        }
        _ => {
            trace.stage("decline");
            Ok(Decision::Decline)
        }
    }
}

/// After the draw or the claim: the first move of the best turn.
fn play(
    ask: &Ask<'_, Hoola>,
    boards: &mut Boards,
    work: &mut Work<'_>,
    trace: &mut Trace<Decision, Question>,
) -> Result<Decision, PolicyError> {
    let danger = match trace.wants_predictions() {
        true => odds::believed(ask, odds::opponent_first(ask.view), work, trace)?,
        false => danger(ask, work)?,
    };
    let mut position = Position::new(ask, danger, odds::lows(ask, work)?);
    let board = ask.view.board();
    let best = weigh(ask, &mut position, boards, board, Some(trace), work)?;
    trace.stage(if best.total == OUT { "out" } else { "turn" });
    if let Decision::Discard(card) = best.decision
        && trace.wants_predictions()
        && best.total != OUT
    {
        odds::believed(ask, Question::Claimed { card }, work, trace)?;
    }
    Ok(best.decision)
}

/// The chance that an opponent goes out before the next turn, as it is believed.
fn danger(ask: &Ask<'_, Hoola>, work: &mut Work<'_>) -> Result<Ppm, PolicyError> {
    let unrecorded = &mut Trace::new(evenhand_contract::TraceLevel::Off);
    Ok(odds::believed(
        ask,
        odds::opponent_first(ask.view),
        work,
        unrecorded,
    )?)
}

/// Weighs every end of the turn from a board; the first one found of the best wins. Emptying the
/// hand is taken without weighing.
fn weigh(
    ask: &Ask<'_, Hoola>,
    position: &mut Position<'_>,
    boards: &mut Boards,
    from: Board,
    mut trace: Option<&mut Trace<Decision, Question>>,
    work: &mut Work<'_>,
) -> Result<Best, PolicyError> {
    let mut best: Option<Best> = None;
    if from.hand.is_empty() {
        return Ok(Best {
            total: OUT,
            decision: Decision::Draw,
        });
    }
    let reached = boards.find(from, work)?;
    for reached in reached {
        let hand = reached.board.hand;
        if hand.len() <= 1 {
            let last = hand.lowest().map(Decision::Discard);
            if let Some(decision) = reached.first.or(last) {
                return Ok(Best {
                    total: OUT,
                    decision,
                });
            }
        }
    }
    for reached in reached {
        for card in reached.board.hand {
            work.charge(1)?;
            let terms = position.end(&reached.board, card, work)?;
            let total = total(ask.weights, &terms);
            let decision = reached.first.unwrap_or(Decision::Discard(card));
            if let Some(trace) = trace.as_deref_mut() {
                record(trace, decision, total, Some(&terms));
            }
            if best.as_ref().is_none_or(|best| total > best.total) {
                best = Some(Best { total, decision });
            }
        }
    }
    best.ok_or_else(|| PolicyError::Other("there is no card to discard".to_owned()))
}

/// Writes a candidate into a full trace; of several turns that begin alike the best stays.
fn record(
    trace: &mut Trace<Decision, Question>,
    decision: Decision,
    total: i64,
    terms: Option<&Terms>,
) {
    if !trace.full() {
        return;
    }
    let names = knobs::KNOBS.iter().map(|knob| knob.name);
    let candidate = Candidate {
        decision,
        total,
        terms: terms.map_or_else(Vec::new, |terms| names.zip(*terms).collect()),
        facts: Vec::new(),
    };
    match trace.candidates.iter_mut().find(|c| c.decision == decision) {
        Some(known) if known.total < total => *known = candidate,
        Some(_) => {}
        None => trace.candidates.push(candidate),
    }
}
