//! For which values of a weight a scored choice stays the same.
//!
//! A total is a sum of weight x term, so a rise of one weight by t adds t x term to it, and the
//! chosen play stays ahead of a rival while its lead does. Knobs that price the pieces of a plan
//! enter through a minimum and a rounding; for them nothing is certified.

use super::Best;
use super::knobs::{self, TERMS};
use super::terms::Terms;
use evenhand_contract::{Line, Milli};

/// Knobs whose term depends on what the estimator answers.
pub(super) const ASKED: [usize; 3] = [knobs::LeadRetention, knobs::EndgameBlock, knobs::LeadUse];

/// A choice as the certificate sees it: its total, its term on the line's knob, and how it ranks
/// among equal totals (the smaller wins).
#[derive(Clone, Copy)]
pub(super) struct Scored {
    total: Milli,
    slope: i64,
    rank: Rank,
}

type Rank = ((u8, u32), i64, usize);

/// A choice that was not scored, since its most falls short.
#[derive(Clone, Copy)]
pub(super) struct Unscored {
    /// Its place among the choices.
    pub(super) place: usize,
    most: Milli,
    /// The least and the most of its term on the line's knob.
    slopes: (i64, i64),
}

/// The choices of one decision, collected while it is made.
#[derive(Default)]
pub(super) struct Rivals {
    scored: Vec<Scored>,
    pub(super) unscored: Vec<Unscored>,
}

impl Rivals {
    /// Forgets the choices of an earlier decision.
    pub(super) fn clear(&mut self) {
        self.scored.clear();
        self.unscored.clear();
    }

    /// A choice that was scored; `place` counts the choices in their order.
    pub(super) fn score(
        &mut self,
        knob: usize,
        place: usize,
        total: Milli,
        terms: &Terms,
        strength: (u8, u32),
        left: i64,
    ) {
        self.scored.push(Scored {
            total,
            slope: terms[knob],
            rank: (strength, left, place),
        });
    }

    /// A choice whose total is at most `most`; `terms` are those of a play that nobody beats.
    pub(super) fn skip(&mut self, knob: usize, place: usize, most: Milli, terms: &Terms) {
        let term = terms[knob];
        let slopes = if ASKED.contains(&knob) {
            (term.min(0), term.max(0))
        } else {
            (term, term)
        };
        self.unscored.push(Unscored {
            place,
            most,
            slopes,
        });
    }

    /// The choice that was made, found among the scored ones.
    fn chosen(&self, best: &Best) -> Option<Scored> {
        let rank = |s: &Scored| (s.total, s.rank.0, s.rank.1);
        let of_best = (best.total, best.strength, best.left);
        let alike = self.scored.iter().filter(|s| rank(s) == of_best);
        alike.min_by_key(|s| s.rank.2).copied()
    }

    /// Narrows the line to the values for which the choice beats every scored rival.
    pub(super) fn hold(&self, line: &mut Line, best: &Best) {
        let Some(chosen) = self.chosen(best) else {
            return line.collapse();
        };
        for rival in &self.scored {
            if rival.rank != chosen.rank {
                chosen.against(line, rival);
            }
        }
    }

    /// Whether what is known of an unscored choice would narrow the line any further; if not, it
    /// cannot be chosen anywhere on it.
    pub(super) fn binds(&self, line: &Line, best: &Best, unscored: &Unscored) -> bool {
        let Some(chosen) = self.chosen(best) else {
            return true;
        };
        let mut narrowed = *line;
        let lead = chosen.total - unscored.most;
        narrowed.hold_up(lead, chosen.slope - unscored.slopes.1, 1);
        narrowed.hold_down(lead, chosen.slope - unscored.slopes.0, 1);
        narrowed != *line
    }
}

impl Scored {
    fn against(&self, line: &mut Line, rival: &Self) {
        let need = i64::from(rival.rank < self.rank);
        line.hold(self.total - rival.total, self.slope - rival.slope, need);
    }
}

/// Whether a knob enters totals as a weight of a term.
pub(super) const fn weighs(knob: usize) -> bool {
    knob < TERMS
}
