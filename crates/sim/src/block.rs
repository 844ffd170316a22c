use crate::SeedTally;
use crate::seeds::{Seeds, SplitKind};
use serde::{Deserialize, Serialize};

/// A finished stretch of seeds: the unit that is computed, cached and merged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Digest of the plan with its seeds ([`MatchPlan::digest`](crate::MatchPlan::digest)).
    pub plan: String,
    /// Place of the first seed in the run's list, from 0.
    pub first: u64,
    /// The tallies of the seeds from there on, in order.
    pub tallies: Vec<SeedTally>,
}

/// Blocks that do not make up a run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MergeError {
    /// A block of another plan.
    #[error("block at seed {first} belongs to plan {found}, not to {expected}")]
    ForeignPlan {
        /// Where the block begins.
        first: u64,
        /// Its plan's digest.
        found: String,
        /// The digest of the plan at hand.
        expected: String,
    },
    /// A block without seeds.
    #[error("block at seed {0} is empty")]
    Empty(u64),
    /// A block that reaches beyond the run's seeds.
    #[error("block at seed {first} ends at {end}, beyond the run's {seeds} seeds")]
    Beyond {
        /// Where the block begins.
        first: u64,
        /// Where it ends.
        end: u64,
        /// Seeds of the run.
        seeds: u64,
    },
    /// Two blocks hold the same seed (the same block twice included).
    #[error("blocks overlap: seed {0} of the run is in two of them")]
    Overlap(u64),
    /// No block holds a seed.
    #[error("gap between blocks: seed {0} of the run is in none")]
    Gap(u64),
    /// A tally that names another seed than stands there.
    #[error("seed {place} of the run is {expected}, but its tally names {found}")]
    Seed {
        /// Place in the run's list.
        place: u64,
        /// The seed there.
        expected: String,
        /// The seed named.
        found: String,
    },
}

/// Puts blocks in seed order after checking that they belong to the plan and do not overlap.
pub(crate) fn sorted<S: SplitKind>(
    plan: &str,
    seeds: &Seeds<S>,
    mut blocks: Vec<Block>,
) -> Result<Vec<Block>, MergeError> {
    blocks.sort_by_key(|block| block.first);
    let total = seeds.len() as u64;
    let mut next = 0;
    for block in &blocks {
        let first = block.first;
        if block.plan != plan {
            return Err(MergeError::ForeignPlan {
                first,
                found: block.plan.clone(),
                expected: plan.to_owned(),
            });
        }
        if block.tallies.is_empty() {
            return Err(MergeError::Empty(first));
        }
        let end = first.saturating_add(block.tallies.len() as u64);
        if end > total {
            return Err(MergeError::Beyond {
                first,
                end,
                seeds: total,
            });
        }
        if first < next {
            return Err(MergeError::Overlap(first));
        }
        next = end;
        for (place, tally) in (first..).zip(&block.tallies) {
            let expected = seeds.ids()[place as usize].to_string();
            if tally.seed != expected {
                return Err(MergeError::Seed {
                    place,
                    expected,
                    found: tally.seed.clone(),
                });
            }
        }
    }
    Ok(blocks)
}

/// The tallies of a whole run in seed order, from its blocks in any order.
///
/// # Errors
/// When a block belongs to another plan, is empty, overlaps another or reaches beyond the run, or
/// when a seed is in no block.
pub fn merge<S: SplitKind>(
    plan: &str,
    seeds: &Seeds<S>,
    blocks: Vec<Block>,
) -> Result<Vec<SeedTally>, MergeError> {
    let mut tallies = Vec::with_capacity(seeds.len());
    for block in sorted(plan, seeds, blocks)? {
        if block.first > tallies.len() as u64 {
            return Err(MergeError::Gap(tallies.len() as u64));
        }
        tallies.extend(block.tallies);
    }
    if tallies.len() < seeds.len() {
        return Err(MergeError::Gap(tallies.len() as u64));
    }
    Ok(tallies)
}
