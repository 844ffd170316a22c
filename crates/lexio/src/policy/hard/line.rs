//! For which values of one knob a scored choice stays the same.

use super::estimator::Estimator;
use super::knobs::{self, TERMS};
use super::priced::{Choice, Priced, Tables};
use super::prices::Pricing;
use super::terms::{Position, Terms, total};
use super::{Best, Piece};
use crate::odds::OddsMemo;
use crate::plan::CostTable;
use crate::{Lexio, Play};
use evenhand_contract::{Ask, Line, Milli, OutOfWork, Ppm, Trace, Work};

/// Knobs whose term depends on what the estimator answers.
pub(super) const ASKED: [usize; 3] = [knobs::LeadRetention, knobs::EndgameBlock, knobs::LeadUse];

/// A choice as it was weighed.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// `None` for the pass.
    pub(super) piece: Option<Piece>,
    /// Its terms; where the estimator was not asked, those of a play that nobody beats.
    pub(super) terms: Terms,
    /// What it leaves costs this much.
    pub(super) left: i64,
    /// Whether the estimator was asked, or need not be.
    pub(super) asked: bool,
}

impl Seen {
    fn strength(&self) -> (u8, u32) {
        self.piece.map_or((0, 0), |p| (p.meld.size(), p.meld.key))
    }

    /// Its total, or the most that it can be.
    fn most(&self, weights: &[Milli]) -> i64 {
        let mut terms = self.terms;
        let mut more = 0;
        if !self.asked {
            for knob in ASKED {
                more += (weights[knob] * terms[knob]).max(0);
                terms[knob] = 0;
            }
        }
        total(weights, &terms) + more
    }

    /// The least and the most of its term on a knob.
    fn slopes(&self, knob: usize) -> (i64, i64) {
        let term = self.terms[knob];
        if self.asked || !ASKED.contains(&knob) {
            (term, term)
        } else {
            (term.min(0), term.max(0))
        }
    }
}

/// Buffers of the certificate.
#[derive(Default)]
pub(super) struct LineMemo {
    /// The choices of the decision, in their order.
    pub(super) seen: Vec<Seen>,
    choices: Vec<Choice>,
    tables: Tables,
}

/// What a certificate is made from.
pub(super) struct Decision<'a, 'b> {
    pub(super) ask: &'a Ask<'b, Lexio>,
    pub(super) position: &'a Position<'a>,
    pub(super) pricing: &'a Pricing,
    pub(super) costs: &'a CostTable,
    pub(super) pieces: &'a [Piece],
    pub(super) best: &'a Best,
}

impl Decision<'_, '_> {
    /// Narrows the trace's line. Choices that the decision did not ask the estimator about enter
    /// with the most that they can be worth, and are asked about when that would narrow the line.
    ///
    /// # Errors
    /// When the budget does not cover the questions.
    pub(super) fn certify<E: Estimator>(
        &self,
        memo: &mut LineMemo,
        odds: &mut OddsMemo,
        work: &mut Work<'_>,
        trace: &mut Trace<Play, crate::meld::Meld>,
    ) -> Result<(), OutOfWork> {
        let Some(mut line) = trace.line else {
            return Ok(());
        };
        line.state();
        let alike = |s: &&Seen| {
            let total = total(self.ask.weights, &s.terms);
            s.asked && (total, s.strength(), s.left) == self.best.rank()
        };
        let Some(chosen) = memo.seen.iter().position(|s| alike(&s)) else {
            line.collapse();
            trace.line = Some(line);
            return Ok(());
        };
        loop {
            let binding = if line.place() < TERMS {
                self.weighed(&mut line, memo, chosen)
            } else {
                self.priced(&mut line, memo, chosen)
            };
            if binding.is_empty() {
                break;
            }
            for place in binding {
                let Some(piece) = memo.seen[place].piece else {
                    continue;
                };
                let beaten = E::beaten(self.ask, &piece.meld, odds, work, trace)?;
                memo.seen[place].terms = self.position.play(&piece, beaten);
                memo.seen[place].asked = true;
            }
        }
        trace.line = Some(line);
        Ok(())
    }

    /// Along a weight: a rise by t adds t x term to a total. Returns the choices to ask about.
    fn weighed(&self, line: &mut Line, memo: &LineMemo, chosen: usize) -> Vec<usize> {
        let (weights, knob) = (self.ask.weights, line.place());
        let ours = &memo.seen[chosen];
        let (best, slope) = (ours.most(weights), ours.terms[knob]);
        let rank = (ours.strength(), ours.left, chosen);
        let hold = |line: &mut Line, place: usize, rival: &Seen| {
            let need = i64::from((rival.strength(), rival.left, place) < rank);
            let (lead, (least, most)) = (best - rival.most(weights), rival.slopes(knob));
            line.hold_up(lead, slope - most, need);
            line.hold_down(lead, slope - least, need);
        };
        let rivals = || memo.seen.iter().enumerate().filter(|(p, _)| *p != chosen);
        for (place, rival) in rivals().filter(|(_, s)| s.asked) {
            hold(line, place, rival);
        }
        let binds = |place: usize, rival: &Seen| {
            let mut narrowed = *line;
            hold(&mut narrowed, place, rival);
            narrowed != *line
        };
        let unasked = rivals().filter(|(_, s)| !s.asked);
        unasked
            .filter(|(p, s)| binds(*p, s))
            .map(|(p, _)| p)
            .collect()
    }

    /// Along a price. Returns the choices to ask about.
    fn priced(&self, line: &mut Line, memo: &mut LineMemo, chosen: usize) -> Vec<usize> {
        let weights = self.ask.weights;
        let priced = Priced {
            tiles: self.ask.view.hand.len() as usize,
            pieces: self.pieces,
            weights,
            pricing: self.pricing,
            here: self.costs,
        };
        let LineMemo {
            seen,
            choices,
            tables,
        } = memo;
        choices.clear();
        choices.extend(seen.iter().enumerate().map(|(place, s)| {
            let mut fixed = s.most(weights);
            for knob in [knobs::PlanGain, knobs::OrphanShed] {
                fixed -= weights[knob] * s.terms[knob];
            }
            let lead_use = weights[knobs::LeadUse] * s.terms[knobs::LeadUse];
            fixed -= if s.asked { lead_use } else { lead_use.max(0) };
            let kept = s.terms[knobs::LeadRetention];
            let kept = (if s.asked { kept } else { 0 }, kept);
            Choice::new(
                s.piece.as_ref(),
                place,
                self.position.full(),
                weights,
                fixed,
                kept,
            )
        }));
        let ours = choices[chosen];
        let is_rival = |c: &Choice| c.place != chosen;
        let asked: Vec<Choice> = (choices.iter().copied())
            .filter(|c| is_rival(c) && seen[c.place].asked)
            .collect();
        priced.hold(line, &ours, &asked, tables);
        let unasked: Vec<Choice> = (choices.iter().copied())
            .filter(|c| is_rival(c) && !seen[c.place].asked)
            .collect();
        priced.binding(line, &ours, &unasked, tables)
    }
}

/// The chance that enters a choice about which the estimator is not asked.
pub(super) const UNASKED: Ppm = Ppm::ZERO;
