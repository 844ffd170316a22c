//! Seeds, typed by what they are for: code that is given one split's seeds cannot play another's.

use evenhand_contract::{MAX_WRITTEN_SEED, SeedError, SeedId, Split};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::marker::PhantomData;

/// What seeds are for, as a type.
pub trait SplitKind: Copy + Debug + Send + Sync + 'static {
    /// The split that keys the deals.
    const SPLIT: Split;
}

macro_rules! splits {
    ($($(#[$about:meta])* $name:ident),*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;
        impl SplitKind for $name {
            const SPLIT: Split = Split::$name;
        }
    )*};
}

splits! {
    /// Weights are searched on these.
    Tuning,
    /// Verdicts come from these; minted from the candidate's digest.
    HeldOut,
    /// Situations of the calibration tables.
    Calibration,
    /// Measuring, ablating, auditing and capturing.
    Exploration,
    /// Quick specs and tests; nothing made with these can be frozen.
    Rehearsal
}

/// The most seeds of one run; far beyond what an experiment needs, and what memory holds.
pub const MAX_SEEDS: u64 = 10_000_000;

/// Seeds of one split, none twice, in the order in which results are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds<S: SplitKind> {
    ids: Vec<SeedId>,
    split: PhantomData<S>,
}

/// Seeds that no run can be made of.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeedsError {
    /// There is none.
    #[error("no seeds: at least one is needed")]
    Empty,
    /// A seed stands twice.
    #[error("seed {0} stands twice: each seed is played once")]
    Duplicate(String),
    /// Two ranges share seeds.
    #[error("seed ranges overlap: {first} + {count} and {other} + {others} share seed {shared}")]
    Overlap {
        /// First seed of one range.
        first: u64,
        /// Its length.
        count: u64,
        /// First seed of the other.
        other: u64,
        /// Its length.
        others: u64,
        /// The lowest seed in both.
        shared: u64,
    },
    /// A seed is 2^53 or more.
    #[error(transparent)]
    Seed(#[from] SeedError),
    /// More than [`MAX_SEEDS`].
    #[error("{0} seeds are too many: at most {MAX_SEEDS}")]
    TooMany(u64),
}

impl<S: SplitKind> Seeds<S> {
    /// `count` seeds from `first` up.
    ///
    /// # Errors
    /// When `count` is 0 or too many, or a seed would be 2^53 or more.
    pub fn range(first: u64, count: u64) -> Result<Self, SeedsError> {
        Self::ranges(&[(first, count)])
    }

    /// The seeds of several (first, count) ranges, one range after the other.
    ///
    /// # Errors
    /// When there is none, a range is empty, two overlap or a seed would be 2^53 or more.
    pub fn ranges(ranges: &[(u64, u64)]) -> Result<Self, SeedsError> {
        let mut total = 0_u64;
        for (place, &(first, count)) in ranges.iter().enumerate() {
            total = total.saturating_add(count);
            if count == 0 {
                return Err(SeedsError::Empty);
            }
            if total > MAX_SEEDS {
                return Err(SeedsError::TooMany(total));
            }
            let last = first.saturating_add(count - 1);
            if last > MAX_WRITTEN_SEED {
                return Err(SeedError::TooLarge(last.to_string()).into());
            }
            for &(other, others) in &ranges[..place] {
                let shared = first.max(other);
                if shared <= last && shared < other.saturating_add(others) {
                    return Err(SeedsError::Overlap {
                        first: other,
                        count: others,
                        other: first,
                        others: count,
                        shared,
                    });
                }
            }
        }
        let ids = ranges
            .iter()
            .flat_map(|&(first, count)| first..first + count)
            .map(SeedId::Number)
            .collect();
        Self::list(ids)
    }

    /// These seeds, in this order.
    ///
    /// # Errors
    /// When there is none or one stands twice, or a number is 2^53 or more.
    pub fn list(ids: Vec<SeedId>) -> Result<Self, SeedsError> {
        if ids.is_empty() {
            return Err(SeedsError::Empty);
        }
        if ids.len() as u64 > MAX_SEEDS {
            return Err(SeedsError::TooMany(ids.len() as u64));
        }
        let mut known = BTreeSet::new();
        for id in &ids {
            if let SeedId::Number(number) = *id {
                SeedId::number(number)?;
            }
            if !known.insert(*id) {
                return Err(SeedsError::Duplicate(id.to_string()));
            }
        }
        Ok(Self {
            ids,
            split: PhantomData,
        })
    }

    /// The seeds in order.
    #[must_use]
    pub fn ids(&self) -> &[SeedId] {
        &self.ids
    }

    /// How many there are; at least one.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "seeds are never empty")]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// What they are for.
    #[must_use]
    pub const fn split(&self) -> Split {
        S::SPLIT
    }

    /// The first `count` of them, all when there are fewer.
    ///
    /// # Errors
    /// When `count` is 0.
    pub fn first(&self, count: usize) -> Result<Self, SeedsError> {
        Self::list(self.ids[..count.min(self.ids.len())].to_vec())
    }
}
