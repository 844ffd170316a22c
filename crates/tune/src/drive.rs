//! The driver: carries out what the pure search asks for, one journal line an evaluation.

use crate::{Axis, Entry, JournalError, Point, Proposal, Rules, Step, Walked, gather, next_step};

/// A search problem with its fixed start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The knobs.
    pub axes: Vec<Axis>,
    /// How to search.
    pub rules: Rules,
    /// Where to start.
    pub start: Point,
    /// Share of each opponent of the pool in percent; they sum to 100.
    pub shares: Vec<i64>,
}

/// Walks to the end. `entries` are what a journal holds already; what is missing is played by
/// `play` and handed to `keep` before anything is concluded from it.
///
/// # Errors
/// Those of `play` and `keep`, and entries that do not fit the problem.
pub fn drive<E: From<JournalError>>(
    problem: &Problem,
    entries: &mut Vec<Entry>,
    mut play: impl FnMut(&Proposal) -> Result<Entry, E>,
    mut keep: impl FnMut(&Entry) -> Result<(), E>,
) -> Result<Walked, E> {
    let mut journal = gather(entries, &problem.shares)?;
    loop {
        match next_step(&problem.axes, &problem.rules, &problem.start, &journal) {
            Step::Done(walked) => return Ok(*walked),
            Step::Evaluate(proposal) => {
                let entry = play(&proposal)?;
                keep(&entry)?;
                journal_add(&mut journal, &entry, &problem.shares);
                entries.push(entry);
            }
        }
    }
}

fn journal_add(journal: &mut crate::Journal, entry: &Entry, shares: &[i64]) {
    let known = journal.entry(entry.point.clone()).or_default();
    known.values.extend(crate::entry::mixture(entry, shares));
    known.parts.push(entry.part());
}
