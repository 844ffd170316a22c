//! The one table of Daifugo's policies.

pub(crate) mod hard;
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
    PolicyRow {
        name: "hard",
        about: "finishes by a proved line when it can, else weighs plan, control and strong cards",
        purpose: Purpose::Play,
        knobs: hard::knobs::KNOBS,
        stages: hard::STAGES,
        reads_table: true,
        decide: hard::hard,
    },
];
