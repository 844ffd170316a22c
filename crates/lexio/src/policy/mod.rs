//! The one table of Lexio's policies.

pub(crate) mod hard;
mod simple;

use crate::Lexio;
use evenhand_contract::{PolicyRow, Purpose};

/// Every policy; the first row is the fallback.
pub(crate) const POLICIES: &[PolicyRow<Lexio>] = &[
    PolicyRow {
        name: "easy",
        about: "leads the most tiles that hold its weakest, follows with the weakest meld that beats",
        purpose: Purpose::Play,
        knobs: &[],
        stages: &[],
        reads_table: false,
        decide: simple::easy,
    },
    PolicyRow {
        name: "eager",
        about: "leads the largest meld in hand, weakest first; follows as easy",
        purpose: Purpose::Play,
        knobs: &[],
        stages: &[],
        reads_table: false,
        decide: simple::eager,
    },
    PolicyRow {
        name: "hard",
        about: "goes out when it can, else weighs plan, tiles, leads and risks of every choice",
        purpose: Purpose::Play,
        knobs: hard::knobs::KNOBS,
        stages: hard::STAGES,
        reads_table: true,
        decide: hard::hard,
    },
    PolicyRow {
        name: "hard-independent",
        about: "hard with an estimator that is wrong on purpose, to show that the instruments notice",
        purpose: Purpose::Instrument,
        knobs: hard::knobs::KNOBS,
        stages: hard::STAGES,
        reads_table: false,
        decide: hard::hard_independent,
    },
];
