//! The exact search: coordinate descent where each step knows a knob's payoff at every value.
//!
//! Like the search by a grid it is a pure function of what is known: [`next_line`] replays the
//! walk over the lines followed so far and says which one it misses, or that it is done. The order
//! is that of the knob table, sweep by sweep; a sweep that moves nothing ends the search, since the
//! next one would look at the same lines.

mod document;
mod follow;
mod plateau;

pub use document::exact_doc;
pub use plateau::{Plateau, best_plateau};

use crate::{Axis, Paired, Point, mixture_of};
use serde::{Deserialize, Serialize};

/// How to search by lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRules {
    /// Sweeps over all knobs at most.
    pub sweeps: u32,
    /// A move needs this t statistic, in thousandths, of the paired difference between the mean
    /// objective over the plateau and that around the current point.
    pub accept_t_milli: u32,
    /// Width of the plateau whose centre is chosen, in thousandths.
    pub plateau: i64,
    /// Lines in all, those of earlier sittings of a resumed run included.
    pub max_lines: Option<usize>,
}

/// What following one knob's line from a point found: a journal line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineEntry {
    /// The point that the line goes through.
    pub point: Point,
    /// Place of the knob.
    pub place: usize,
    /// First value and objective sum (over seeds, shares in percent) of each stretch of equal sums,
    /// by rising value; the first begins at the knob's lower bound.
    pub curve: Vec<(i64, i64)>,
    /// Centre of the best plateau.
    pub centre: i64,
    /// Objective sum over the plateau's values, and their number.
    pub plateau: (i64, i64),
    /// How much the objective's mean around the centre exceeds that around the point, a seed, up to
    /// a common positive factor.
    pub gains: Vec<i64>,
    /// Settlement sums a seed against each opponent, at the point.
    pub here: Vec<Vec<i64>>,
    /// The same with the knob at the centre.
    pub there: Vec<Vec<i64>>,
    /// Whether the payoff of a seed changes nowhere but from below zero to zero or from zero to
    /// above, and does so on some seed: the knob then breaks ties.
    pub tie_break_only: bool,
    /// Units over all seeds and opponents.
    pub units: u64,
    /// Units played, each value of each counted.
    pub rollouts: u64,
    /// Rounds played.
    pub rounds: u64,
    /// Decisions with a choice that the policy took.
    pub decisions: u64,
    /// Its fallbacks by cause, in the order of the contract's causes.
    pub fallbacks: [u64; 4],
    /// Work units of both sides.
    pub work: u64,
}

impl LineEntry {
    /// Whether no decision on any seed reads the knob: each unit was played once.
    #[must_use]
    pub const fn flat(&self) -> bool {
        self.rollouts == self.units
    }
}

/// A step of the walk: a line, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// Sweep, from 1.
    pub sweep: u32,
    /// The entry's place in the journal.
    pub entry: usize,
    /// The plateau's centre itself against the current point.
    pub paired: Paired,
    /// Whether the search moved there.
    pub accepted: bool,
}

/// A finished walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineWalk {
    /// Where it started.
    pub start: Point,
    /// Where it ended.
    pub best: Point,
    /// Every line, in order.
    pub followed: Vec<Followed>,
    /// Whether the budget ended the walk.
    pub out_of_budget: bool,
}

/// What the search wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineStep {
    /// Follow this knob's line through this point.
    Follow {
        /// The point.
        point: Point,
        /// Place of the knob.
        place: usize,
    },
    /// Nothing more to play.
    Done(Box<LineWalk>),
}

/// Journal lines that are not those of this search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("journal line {line}: {reason}")]
pub struct LineJournalError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// The next line, or the end, given everything followed so far.
///
/// # Errors
/// When an entry is not the one that the walk comes to.
pub fn next_line(
    axes: &[Axis],
    rules: &LineRules,
    start: &[i64],
    shares: &[i64],
    entries: &[LineEntry],
) -> Result<LineStep, LineJournalError> {
    let mut walk = LineWalk {
        start: start.to_vec(),
        best: start.to_vec(),
        followed: Vec::new(),
        out_of_budget: false,
    };
    let mut next = 0;
    for sweep in 1..=rules.sweeps {
        let from = walk.best.clone();
        for place in 0..axes.len() {
            if rules.max_lines.is_some_and(|most| next >= most) {
                walk.out_of_budget = true;
                return Ok(LineStep::Done(Box::new(walk)));
            }
            let Some(entry) = entries.get(next) else {
                return Ok(LineStep::Follow {
                    point: walk.best,
                    place,
                });
            };
            if entry.point != walk.best || entry.place != place || entry.here.len() != shares.len()
            {
                return Err(LineJournalError {
                    line: next + 1,
                    reason: "follows another line than the search comes to".to_owned(),
                });
            }
            let there = mixture_of(&entry.there, shares);
            let here = mixture_of(&entry.here, shares);
            let paired = Paired::of(&there, &here);
            let moves = entry.centre != entry.point[place];
            let none = vec![0; entry.gains.len()];
            let clear = Paired::of(&entry.gains, &none).better(rules.accept_t_milli);
            let accepted = moves && clear;
            walk.followed.push(Followed {
                sweep,
                entry: next,
                paired,
                accepted,
            });
            if accepted {
                walk.best[place] = entry.centre;
            }
            next += 1;
        }
        if walk.best == from {
            break;
        }
    }
    Ok(LineStep::Done(Box::new(walk)))
}
