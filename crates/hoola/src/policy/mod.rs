//! The one table of Hoola's policies.

mod greedy;
pub(crate) mod hard;
mod simple;
mod stop;

use crate::Hoola;
use evenhand_contract::{PolicyRow, Purpose};

/// Every policy; the first row is the fallback.
pub(crate) const POLICIES: &[PolicyRow<Hoola>] = &[
    PolicyRow {
        name: "easy",
        about: "registers and lays off all it can, discards its dearest loose card; no claim, no stop",
        purpose: Purpose::Play,
        knobs: &[],
        stages: &[],
        reads_table: false,
        decide: simple::easy,
    },
    PolicyRow {
        name: "eager",
        about: "easy that claims every discard it can and declares the stops that cannot fail",
        purpose: Purpose::Play,
        knobs: &[],
        stages: &[],
        reads_table: false,
        decide: simple::eager,
    },
    PolicyRow {
        name: "greedy",
        about: "eager that declares a plain stop when it is worth more than waiting",
        purpose: Purpose::Play,
        knobs: &[],
        stages: &[],
        reads_table: true,
        decide: greedy::greedy,
    },
    PolicyRow {
        name: "hard",
        about: "plans whole turns, claims turn against turn, stops by expected value",
        purpose: Purpose::Play,
        knobs: hard::knobs::KNOBS,
        stages: hard::STAGES,
        reads_table: true,
        decide: hard::hard,
    },
];
