//! Journal lines: what one evaluation found, and the knowledge that many of them add up to.

use crate::{Journal, Point};
use serde::{Deserialize, Serialize};

/// One evaluation: a point on a range of the common seeds, against each opponent of the pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The point, a value a knob in table order.
    pub point: Point,
    /// First seed index.
    pub from: usize,
    /// One past the last seed index.
    pub to: usize,
    /// Results against each opponent, in the order of the pool.
    pub against: Vec<Against>,
}

/// Results of a point against one opponent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Against {
    /// The point's settlement sum a seed, over all of its seat-rounds.
    pub sums: Vec<i64>,
    /// Digest of all tallies of these seeds.
    pub digest: String,
    /// Decisions with a choice that the point took.
    pub decisions: u64,
    /// Its fallbacks by cause, in the order of the contract's causes.
    pub fallbacks: [u64; 4],
    /// Work units of both sides.
    pub work: u64,
    /// Matches played.
    pub matches: u64,
    /// Rounds played.
    pub rounds: u64,
}

impl Entry {
    /// A text that is equal for equal tallies: two points with the same parts played alike.
    #[must_use]
    pub fn part(&self) -> String {
        let digests: Vec<&str> = self.against.iter().map(|a| a.digest.as_str()).collect();
        digests.join(" ")
    }
}

/// Why journal lines do not add up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("journal line {line}: {reason}")]
pub struct JournalError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// The objective a seed: the sum over the pool of share (percent) x settlement sum. Dividing by
/// 100 x the seat-rounds of a seed gives points a round.
#[must_use]
pub fn mixture(entry: &Entry, shares: &[i64]) -> Vec<i64> {
    let sums: Vec<&[i64]> = entry.against.iter().map(|a| &a.sums[..]).collect();
    mixture_of(&sums, shares)
}

/// [`mixture`] of bare sums, a list a seed for each opponent.
#[must_use]
pub fn mixture_of<L: AsRef<[i64]>>(against: &[L], shares: &[i64]) -> Vec<i64> {
    let seeds = against.first().map_or(0, |sums| sums.as_ref().len());
    let mut values = vec![0; seeds];
    for (sums, share) in against.iter().zip(shares) {
        for (value, sum) in values.iter_mut().zip(sums.as_ref()) {
            *value += share * sum;
        }
    }
    values
}

/// Adds up entries in the order in which they were made. Counts are taken from what is there,
/// never from what was handed out.
///
/// # Errors
/// When an entry does not continue its point, repeats it, or does not fit the pool.
pub fn gather(entries: &[Entry], shares: &[i64]) -> Result<Journal, JournalError> {
    let mut journal = Journal::new();
    for (place, entry) in entries.iter().enumerate() {
        let wrong = |reason: String| JournalError {
            line: place + 1,
            reason,
        };
        let known = journal.entry(entry.point.clone()).or_default();
        if entry.from != known.values.len() || entry.to <= entry.from {
            return Err(wrong(format!(
                "seeds {}..{} of a point with {} seeds",
                entry.from,
                entry.to,
                known.values.len()
            )));
        }
        let count = entry.to - entry.from;
        if entry.against.len() != shares.len()
            || entry.against.iter().any(|a| a.sums.len() != count)
        {
            return Err(wrong("results do not fit the pool or the seeds".to_owned()));
        }
        known.values.extend(mixture(entry, shares));
        known.parts.push(entry.part());
    }
    Ok(journal)
}
