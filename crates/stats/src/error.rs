//! What can be wrong with what was handed over.

/// Why a statistic cannot be computed from its input at all (as opposed to being undefined).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatsError {
    /// A paired comparison needs the same units on both sides.
    #[error("a paired comparison needs equally many values on both sides, got {a} and {b}")]
    UnequalLengths {
        /// Values on the first side.
        a: usize,
        /// Values on the second side.
        b: usize,
    },
    /// A difference of two values does not fit into 64 bits.
    #[error("the difference at position {at} does not fit into 64 bits")]
    DifferenceTooLarge {
        /// Position of the pair.
        at: usize,
    },
    /// Clusters of so many different sizes that their means have no common integer denominator.
    #[error(
        "the clusters' sizes differ so much that their means have no common 64-bit denominator"
    )]
    UnevenClusters,
}
