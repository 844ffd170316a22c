//! From records to what a report shows.

use evenhand_stats::{Estimate, Verdict};

/// An estimate of a record.
pub fn estimate(
    seeds: u64,
    mean_micro: i64,
    interval_micro: Option<(i64, i64)>,
    sd_micro: Option<i64>,
) -> Estimate {
    Estimate {
        n: seeds,
        mean_micro,
        interval_micro,
        sd_micro,
    }
}

/// The verdict of a word in a record; a run that is invalid shows nothing.
pub fn verdict(word: &str) -> Verdict {
    match word {
        "holds" => Verdict::Holds,
        "fails" => Verdict::Fails,
        _ => Verdict::Inconclusive,
    }
}
