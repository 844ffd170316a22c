//! hard: rules first, then the best sum of weight x term over every choice.

pub(crate) mod knobs;
mod prices;

use crate::beater::holds_beater;
use crate::hand::HandMemo;
use crate::legal::Play;
use crate::meld::{Category, Meld, RunOrders};
use crate::odds::{self, OddsMemo};
use crate::plan::{CostTable, Index, Plan, PlanTable};
use crate::tile::TWOS;
use crate::view::View;
use crate::{Lexio, Memo};
use evenhand_contract::{
    Ask, Candidate, Cards, Milli, OutOfWork, PolicyError, Ppm, Prediction, Trace, Work,
};
use knobs::{TERMS, value};
use prices::{ONE, Pricing, hand_room};

/// Rule stages that can be switched off, in the order of their bits.
pub(crate) const STAGES: &[&str] = &["out", "sure"];
const OUT: u32 = 1 << 0;
const SURE: u32 = 1 << 1;

/// Buffers, and the tables of the hand as dealt.
#[derive(Default)]
pub(crate) struct HardMemo {
    dealt: Option<(Cards, RunOrders)>,
    table: PlanTable,
    costs: CostTable,
    sure: CostTable,
    pieces: Vec<Piece>,
}

/// A meld that the hand still holds.
#[derive(Clone, Copy)]
struct Piece {
    meld: Meld,
    /// Over the tiles of the present hand.
    mask: u16,
    /// Over the tiles of the dealt hand.
    dealt_mask: u16,
}

/// Answers how likely it is that somebody beats a meld.
pub(crate) trait Estimator {
    fn beaten(
        ask: &Ask<'_, Lexio>,
        meld: &Meld,
        memo: &mut OddsMemo,
        work: &mut Work<'_>,
        trace: &mut Trace<Play, Meld>,
    ) -> Result<Ppm, OutOfWork>;
}

/// The estimator of the calibration tables.
pub(crate) struct Calibrated;

impl Estimator for Calibrated {
    #[inline]
    fn beaten(
        ask: &Ask<'_, Lexio>,
        meld: &Meld,
        memo: &mut OddsMemo,
        work: &mut Work<'_>,
        trace: &mut Trace<Play, Meld>,
    ) -> Result<Ppm, OutOfWork> {
        odds::beaten(ask.view, meld, ask.maps, memo, work, trace)
    }
}

/// The policy with the right estimator.
pub(crate) fn hard(
    ask: &Ask<'_, Lexio>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    decide::<Calibrated>(ask, memo, work, trace)
}

/// The estimator that takes overlapping chances for independent ones: wrong on purpose.
pub(crate) struct Independent;

impl Estimator for Independent {
    fn beaten(
        ask: &Ask<'_, Lexio>,
        meld: &Meld,
        _memo: &mut OddsMemo,
        work: &mut Work<'_>,
        trace: &mut Trace<Play, Meld>,
    ) -> Result<Ppm, OutOfWork> {
        let raw = odds::raw_independent(ask.view, meld, work)?;
        let believed = Ppm::clamped(raw);
        if trace.wants_predictions() {
            trace.predictions.push(Prediction {
                question: *meld,
                raw,
                believed,
            });
        }
        Ok(believed)
    }
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

/// What every candidate of one decision is measured against.
struct Position<'a> {
    view: &'a View,
    weights: &'a [Milli],
    pricing: Pricing,
    full: u16,
    before: Plan,
    urgency: i64,
    /// Tiles that nothing unseen beats as singles.
    strong: Cards,
}

fn decide<E: Estimator>(
    ask: &Ask<'_, Lexio>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<Play, Meld>,
) -> Result<Play, PolicyError> {
    let view = ask.view;
    let hard = &mut memo.hard;
    prepare(view, &mut memo.hand, hard);
    let tiles = view.hand.len() as usize;
    let full = ((1u32 << tiles) - 1) as u16;
    work.charge(hard.pieces.len() as u64 + 16)?;

    if ask.stages_off & OUT == 0
        && let Some(last) = legal(view, &hard.pieces).find(|p| p.mask == full)
    {
        trace.stage("out");
        return Ok(Play(last.meld.tiles));
    }
    if ask.stages_off & SURE == 0
        && let Some(play) = sure(view, hard, tiles, full)
    {
        trace.stage("sure");
        return Ok(play);
    }
    trace.stage("score");
    let pricing = Pricing::new(view, ask.weights);
    let HardMemo {
        pieces,
        costs,
        table,
        ..
    } = hard;
    costs.fill(
        tiles,
        pieces.iter().map(|p| (p.mask, pricing.price(&p.meld))),
    );
    work.charge(1 << tiles)?;
    let emptiest = view.opponents().min().unwrap_or(0).max(1);
    let unseen_top = view.unseen().highest().map_or(0, |t| t + 1);
    let position = Position {
        view,
        weights: ask.weights,
        pricing,
        full,
        before: costs.plan(full),
        urgency: ONE / i64::from(emptiest),
        strong: Cards(!((1u64 << unseen_top) - 1)),
    };
    let mut best: Option<(i64, u32, i64, Play)> = None;
    let full_trace = trace.full();
    let hand_dealt = table.index().mask(view.hand);
    let mut asked: Option<(u8, u32, Ppm)> = None;
    if view.field.is_some() {
        let terms = position.terms(None, costs, Ppm::ONE);
        let total = position.total(&terms);
        best = Some((total, 0, position.before.milli(), Play::PASS));
        if full_trace {
            record(
                trace,
                Play::PASS,
                total,
                &terms,
                table.fewest_of(hand_dealt),
                None,
            );
        }
    }
    let needs_p = full_trace
        || trace.wants_predictions()
        || [knobs::LEAD_RETENTION, knobs::ENDGAME_BLOCK, knobs::LEAD_USE]
            .iter()
            .any(|&k| value(ask.weights, k) != 0);
    for piece in legal(view, pieces) {
        let meld = &piece.meld;
        let beaten = match asked {
            Some((size, key, p)) if (size, key) == (meld.size(), meld.key) => p,
            _ if !needs_p => Ppm::ONE,
            _ => {
                let p = E::beaten(ask, meld, &mut memo.odds, work, trace)?;
                asked = Some((meld.size(), meld.key, p));
                p
            }
        };
        let terms = position.terms(Some(piece), costs, beaten);
        let total = position.total(&terms);
        let after = costs.plan(full ^ piece.mask).milli();
        let better = match &best {
            None => true,
            Some((t, k, cost, _)) => total > *t || (total == *t && *k == meld.key && after < *cost),
        };
        if better {
            best = Some((total, meld.key, after, Play(meld.tiles)));
        }
        if full_trace {
            let left = table.fewest_of(hand_dealt ^ piece.dealt_mask);
            record(trace, Play(meld.tiles), total, &terms, left, Some(beaten));
        }
    }
    best.map(|b| b.3)
        .ok_or_else(|| PolicyError::Other("there is nothing to play".to_owned()))
}

fn record(
    trace: &mut Trace<Play, Meld>,
    decision: Play,
    total: i64,
    terms: &[i64; TERMS],
    left: u8,
    beaten: Option<Ppm>,
) {
    let mut facts = vec![("remaining", i64::from(left))];
    if let Some(p) = beaten {
        facts.push(("beaten_ppm", p.get()));
    }
    trace.candidates.push(Candidate {
        decision,
        total,
        terms: knobs::KNOBS.iter().map(|k| k.name).zip(*terms).collect(),
        facts,
    });
}

impl Position<'_> {
    fn total(&self, terms: &[i64; TERMS]) -> i64 {
        self.weights.iter().zip(terms).map(|(w, t)| w * t).sum()
    }

    #[inline]
    fn terms(&self, piece: Option<&Piece>, costs: &CostTable, beaten: Ppm) -> [i64; TERMS] {
        let mut t = [0; TERMS];
        let Some(piece) = piece else {
            t[knobs::HOLD] = ONE;
            return t;
        };
        let view = self.view;
        let tiles = piece.meld.tiles;
        let rest = view.hand - tiles;
        let after = costs.plan(self.full ^ piece.mask);
        let kept = beaten.not().get() / 1000;
        t[knobs::PLAN_GAIN] = self.before.milli() - after.milli();
        t[knobs::TILES_SHED] = ONE * i64::from(tiles.len());
        t[knobs::ORPHAN_SHED] = ONE * (self.before.orphans() - after.orphans());
        t[knobs::LEAD_RETENTION] = kept;
        t[knobs::ENDGAME_BLOCK] = kept * self.urgency / ONE;
        t[knobs::STRONG_TILE_COST] =
            -ONE * i64::from((tiles & self.strong).len()) / i64::from(tiles.len());
        t[knobs::TWO_DISPOSAL] = ONE * i64::from((tiles & TWOS).len());
        t[knobs::LEFTOVER_RISK] = (effective(view.hand) - effective(rest)) * self.urgency;
        t[knobs::FOLLOW_ROOM] = if self.weights[knobs::FOLLOW_ROOM] == 0 {
            0
        } else {
            hand_room(&self.pricing, rest) - hand_room(&self.pricing, view.hand)
        };
        t[knobs::LEAD_USE] = kept * after.needing_lead();
        t[knobs::EXPOSURE] = self.exposure(&piece.meld);
        t
    }

    /// Chance, in thousandths, that an opponent with just as many tiles goes out on it.
    fn exposure(&self, meld: &Meld) -> i64 {
        let finishers = self.view.opponents().filter(|&c| c == meld.size()).count() as i64;
        if finishers == 0 {
            return 0;
        }
        let one = match meld.category {
            Category::Single => ONE - self.pricing.single_room(meld.key),
            Category::Pair => 150,
            Category::Triple => 20,
            _ => 20,
        };
        finishers * one
    }
}

fn effective(hand: Cards) -> i64 {
    i64::from(hand.len()) << (hand & TWOS).len()
}

/// Lists the pieces of the present hand; the dealt hand's table is made once a round.
fn prepare(view: &View, hand: &mut HandMemo, hard: &mut HardMemo) {
    let orders = view.orders();
    let melds = hand.melds(view.dealt, orders);
    if hard.dealt.as_ref() != Some(&(view.dealt, *orders)) {
        hard.table.fill(view.dealt, melds);
        hard.dealt = Some((view.dealt, *orders));
    }
    let held = hard.table.index().mask(view.hand);
    let index = Index::new(view.hand);
    hard.pieces.clear();
    for (meld, &dealt_mask) in melds.iter().zip(hard.table.masks()) {
        if dealt_mask & !held == 0 {
            hard.pieces.push(Piece {
                meld: *meld,
                mask: index.mask(meld.tiles),
                dealt_mask,
            });
        }
    }
}

/// The pieces that may be played, by size, key and tiles.
fn legal<'a>(view: &View, pieces: &'a [Piece]) -> impl Iterator<Item = &'a Piece> {
    let field = view.field;
    pieces
        .iter()
        .filter(move |p| field.is_none_or(|f| p.meld.beats(&f)))
}

/// A play that nothing unseen beats and that starts a line of such plays ending with any meld.
fn sure(view: &View, hard: &mut HardMemo, tiles: usize, full: u16) -> Option<Play> {
    let unseen = view.unseen();
    let orders = view.orders();
    let most = view.opponents().max().unwrap_or(0);
    let safe = |m: &Meld| m.size() > most || !holds_beater(unseen, m, orders);
    if !legal(view, &hard.pieces).any(|p| safe(&p.meld)) {
        return None;
    }
    let HardMemo { pieces, sure, .. } = hard;
    sure.fill(
        tiles,
        pieces.iter().map(|p| {
            let price = crate::plan::Price {
                milli: u16::from(!safe(&p.meld)),
                needs_lead: false,
                orphan: false,
            };
            (p.mask, price)
        }),
    );
    legal(view, pieces)
        .find(|p| safe(&p.meld) && sure.plan(full ^ p.mask).milli() <= 1)
        .map(|p| Play(p.meld.tiles))
}
