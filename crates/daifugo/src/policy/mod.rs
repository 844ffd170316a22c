//! The one table of Daifugo's policies.

mod simple;

use crate::game::Daifugo;
use evenhand_contract::{PolicyRow, Purpose};

/// Every policy; the first row is the fallback.
pub(crate) const POLICIES: &[PolicyRow<Daifugo>] = &[
    PolicyRow {
        name: "easy",
        about: "leads its weakest rank whole or a longer stair, follows with the weakest play that beats",
        purpose: Purpose::Play,
        knobs: &[],
        stages: &[],
        reads_table: false,
        decide: simple::easy,
    },
    PolicyRow {
        name: "careful",
        about: "easy, but passes rather than foul, and gives tribute back by its plan",
        purpose: Purpose::Play,
        knobs: &[],
        stages: &[],
        reads_table: false,
        decide: simple::careful,
    },
];
