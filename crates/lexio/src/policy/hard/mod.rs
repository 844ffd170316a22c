//! hard: rules first, then the best sum of weight x term over every choice.

mod estimator;
pub(crate) mod knobs;
mod line;
mod priced;
mod prices;
mod terms;

use crate::beater::holds_beater;
use crate::hand::HandMemo;
use crate::legal::Play;
use crate::meld::Meld;
use crate::plan::{CostTable, Index, PlanTable, Price};
use crate::view::View;
use crate::{Lexio, Memo};
use estimator::{Calibrated, Estimator, Independent};
use evenhand_contract::{Ask, Candidate, Milli, PolicyError, Ppm, Trace, Work};
use line::{ASKED, Decision, LineMemo, Seen, UNASKED};
use prices::Pricing;
use terms::{Position, Terms, bounds, total};

/// Rule stages that can be switched off, in the order of their bits.
pub(crate) const STAGES: &[&str] = &["out", "sure"];
const OUT: u32 = 1 << 0;
const SURE: u32 = 1 << 1;

/// Buffers that are kept from decision to decision; they hold nothing that one reads.
#[derive(Default)]
pub(crate) struct HardMemo {
    costs: CostTable,
    sure: CostTable,
    pieces: Vec<Piece>,
    limits: Vec<(i64, i64)>,
    line: LineMemo,
}

/// A meld within the present hand.
#[derive(Clone, Copy)]
struct Piece {
    meld: Meld,
    /// Over the tiles of the hand, the weakest being bit 0.
    mask: u16,
}

/// The policy with the estimator that is calibrated.
pub(crate) fn hard(
    ask: &Ask<'_, Lexio>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    decide::<Calibrated>(ask, memo, work, trace)
}

/// The policy with the wrong estimator.
pub(crate) fn hard_independent(
    ask: &Ask<'_, Lexio>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    decide::<Independent>(ask, memo, work, trace)
}

fn decide<E: Estimator>(
    ask: &Ask<'_, Lexio>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    let view = ask.view;
    if ask.weights.len() != knobs::KNOBS.len() {
        return Err(PolicyError::Other(format!(
            "{} weights for {} knobs",
            ask.weights.len(),
            knobs::KNOBS.len()
        )));
    }
    list_pieces(view, &mut memo.hand, &mut memo.hard.pieces);
    let tiles = view.hand.len() as usize;
    let full = ((1u32 << tiles) - 1) as u16;
    work.charge(memo.hard.pieces.len() as u64)?;

    if ask.stages_off & OUT == 0
        && let Some(last) = legal(view, &memo.hard.pieces).find(|p| p.mask == full)
    {
        trace.stage("out");
        if let Some(line) = &mut trace.line {
            line.state();
        }
        return Ok(Play(last.meld.tiles));
    }
    if ask.stages_off & SURE == 0
        && let Some(play) = sure(view, &mut memo.hard, tiles, full, work)?
    {
        trace.stage("sure");
        if let Some(line) = &mut trace.line {
            line.state();
        }
        return Ok(play);
    }
    trace.stage("score");
    score::<E>(ask, memo, full, work, trace)
}

/// Lists the melds of the present hand, by size, key and tiles.
fn list_pieces(view: &View, hand: &mut HandMemo, pieces: &mut Vec<Piece>) {
    let index = Index::new(view.hand);
    pieces.clear();
    let held = hand
        .melds(view.dealt, view.orders())
        .iter()
        .filter(|meld| view.hand.has_all(meld.tiles));
    pieces.extend(held.map(|meld| Piece {
        meld: *meld,
        mask: index.mask(meld.tiles),
    }));
}

/// The pieces that may be played, by size, key and tiles.
fn legal<'a>(view: &View, pieces: &'a [Piece]) -> impl Iterator<Item = &'a Piece> {
    let field = view.field;
    pieces
        .iter()
        .filter(move |piece| field.is_none_or(|field| piece.meld.beats(&field)))
}

/// A play that nothing unseen beats and that starts a line of such plays which any meld may end.
///
/// Nobody can come between: each piece of the line wins its trick, since the unseen tiles hold no
/// meld that beats it or no opponent has so many tiles, and so leads the next; the last goes out.
/// The shortest priced plan with price 0 for such pieces and 1 for others finds the line.
fn sure(
    view: &View,
    memo: &mut HardMemo,
    tiles: usize,
    full: u16,
    work: &mut Work<'_>,
) -> Result<Option<Play>, PolicyError> {
    let unseen = view.unseen();
    let most = view.opponents().max().unwrap_or(0);
    let safe = |meld: &Meld| meld.size() > most || !holds_beater(unseen, meld, view.orders());
    let HardMemo { pieces, sure, .. } = memo;
    if !legal(view, pieces).any(|piece| safe(&piece.meld)) {
        return Ok(None);
    }
    work.charge(1 << tiles)?;
    let price = |piece: &Piece| Price {
        units: u32::from(!safe(&piece.meld)),
        needs_lead: false,
        orphan: false,
    };
    sure.fill(tiles, pieces.iter().map(|p| (p.mask, price(p))));
    Ok(legal(view, pieces)
        .find(|p| safe(&p.meld) && sure.plan(full ^ p.mask).units() <= 1)
        .map(|p| Play(p.meld.tiles)))
}

/// The choice with the best total so far.
struct Best {
    total: i64,
    /// Size and key of the meld; 0 for the pass.
    strength: (u8, u32),
    left: i64,
    play: Play,
}

impl Best {
    const fn rank(&self) -> (i64, (u8, u32), i64) {
        (self.total, self.strength, self.left)
    }
}

/// Scores the pass and every play. Equal totals go to the pass, then to the weaker meld (the
/// smaller one on a lead), then to the cheaper rest, then to the weaker tiles: choices come in
/// that order, so a later one must be better.
fn score<E: Estimator>(
    ask: &Ask<'_, Lexio>,
    memo: &mut Memo,
    full: u16,
    work: &mut Work<'_>,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    let (view, weights) = (ask.view, ask.weights);
    let HardMemo {
        pieces,
        costs,
        limits,
        line,
        ..
    } = &mut memo.hard;
    work.charge(1 << view.hand.len())?;
    let pricing = Pricing::new(view, weights);
    costs.fill(
        view.hand.len() as usize,
        pieces.iter().map(|p| (p.mask, pricing.price(&p.meld))),
    );
    let position = Position::new(view, costs, &pricing, full);
    let record = Record::new(view, pieces, trace);
    let mut best: Option<Best> = None;
    let knob = trace.line.map(|line| line.place());
    line.seen.clear();
    if view.field.is_some() {
        let terms = position.pass();
        let total = total(weights, &terms);
        if knob.is_some() {
            line.seen.push(Seen {
                piece: None,
                terms,
                left: position.before().units(),
                asked: true,
            });
        }
        record.add(trace, None, total, &terms, None);
        best = Some(Best {
            total,
            strength: (0, 0),
            left: position.before().units(),
            play: Play::PASS,
        });
    }
    // The estimator is asked only where its answer can matter: a play whose most falls short of
    // some play's least cannot be chosen. Whoever wants predictions gets those of every play.
    let ask_all = trace.wants_predictions();
    limits.clear();
    limits.extend(legal(view, pieces).map(|piece| bounds(&position, weights, piece)));
    let least = limits.iter().map(|limit| limit.0);
    let floor = least.chain(best.as_ref().map(|b| b.total)).max();
    work.charge(limits.len() as u64)?;
    let mut asked = None;
    // Along a knob whose term depends on the answer, the answer matters even where its weight is 0.
    let ask_free = ask_all || knob.is_some_and(|knob| ASKED.contains(&knob));
    for (piece, &(least, most)) in legal(view, pieces).zip(&*limits) {
        if !ask_all && floor.is_some_and(|floor| most < floor) {
            if knob.is_some() {
                line.seen.push(Seen {
                    piece: Some(*piece),
                    terms: position.play(piece, UNASKED),
                    left: position.after(piece).units(),
                    asked: false,
                });
            }
            continue;
        }
        let strength = (piece.meld.size(), piece.meld.key);
        let beaten = match asked {
            Some((same, chance)) if same == strength => chance,
            _ if !ask_free && least == most => Ppm::ONE,
            _ => {
                let chance = E::beaten(ask, &piece.meld, &mut memo.odds, work, trace)?;
                asked = Some((strength, chance));
                chance
            }
        };
        let terms = position.play(piece, beaten);
        let total = total(weights, &terms);
        record.add(trace, Some(piece), total, &terms, Some(beaten));
        let left = position.after(piece).units();
        if knob.is_some() {
            line.seen.push(Seen {
                piece: Some(*piece),
                terms,
                left,
                asked: true,
            });
        }
        let better = best.as_ref().is_none_or(|b| {
            total > b.total || total == b.total && strength == b.strength && left < b.left
        });
        if better {
            best = Some(Best {
                total,
                strength,
                left,
                play: Play(piece.meld.tiles),
            });
        }
    }
    if let (Some(_), Some(best)) = (knob, &best) {
        let decision = Decision {
            ask,
            position: &position,
            pricing: &pricing,
            costs,
            pieces,
            best,
        };
        decision.certify::<E>(line, &mut memo.odds, work, trace)?;
    }
    best.map(|b| b.play)
        .ok_or_else(|| PolicyError::Other("there is nothing to play".to_owned()))
}

/// Writes candidates into a full trace; else does nothing.
struct Record {
    plan: Option<(PlanTable, u16)>,
}

impl Record {
    fn new(view: &View, pieces: &[Piece], trace: &Trace<Play, Meld>) -> Self {
        let plan = trace.full().then(|| {
            let melds: Vec<Meld> = pieces.iter().map(|p| p.meld).collect();
            let table = PlanTable::new(view.hand, &melds);
            let full = table.index().mask(view.hand);
            (table, full)
        });
        Self { plan }
    }

    fn add(
        &self,
        trace: &mut Trace<Play, Meld>,
        piece: Option<&Piece>,
        total: Milli,
        terms: &Terms,
        beaten: Option<Ppm>,
    ) {
        let Some((table, full)) = &self.plan else {
            return;
        };
        let played = piece.map_or(0, |p| p.mask);
        let remaining = table.fewest_of(full ^ played);
        let mut facts = vec![("remaining", i64::from(remaining))];
        facts.extend(beaten.map(|chance| ("beaten_ppm", chance.get())));
        let names = knobs::KNOBS.iter().map(|knob| knob.name);
        trace.candidates.push(Candidate {
            decision: piece.map_or(Play::PASS, |p| Play(p.meld.tiles)),
            total,
            terms: names.zip(*terms).collect(),
            facts,
        });
    }
}

#[cfg(test)]
mod tests;
