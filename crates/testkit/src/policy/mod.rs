//! The toy's one policy table: simple styles, a tunable one, and faulty ones.

mod faulty;
mod simple;
mod smart;

use crate::game::Toy;
use evenhand_contract::{PolicyFn, PolicyRow, Purpose};
pub use faulty::{calls, reset_calls};

const fn row(
    name: &'static str,
    about: &'static str,
    purpose: Purpose,
    decide: PolicyFn<Toy>,
) -> PolicyRow<Toy> {
    PolicyRow {
        name,
        about,
        purpose,
        knobs: &[],
        stages: &[],
        reads_table: false,
        decide,
    }
}

pub(crate) const ROWS: &[PolicyRow<Toy>] = &[
    row(
        "easy",
        "weakest play that is legal, pairs kept together",
        Purpose::Play,
        simple::easy,
    ),
    row(
        "eager",
        "leads its strongest pair first",
        Purpose::Play,
        simple::eager,
    ),
    PolicyRow {
        name: "smart",
        about: "scores every legal play",
        purpose: Purpose::Play,
        knobs: smart::KNOBS,
        stages: smart::STAGES,
        reads_table: true,
        decide: smart::smart,
    },
    PolicyRow {
        name: "scatter",
        about: "any legal play, by a hash that the knob salts: all values are equally strong",
        purpose: Purpose::Instrument,
        knobs: simple::SALT,
        stages: &[],
        reads_table: false,
        decide: simple::scatter,
    },
    row(
        "passer",
        "passes whenever it may",
        Purpose::Instrument,
        simple::passer,
    ),
    row(
        "counter",
        "reads a counter: not a function of its view",
        Purpose::Instrument,
        faulty::counter,
    ),
    row(
        "tenth",
        "errors on every tenth call of a thread",
        Purpose::Instrument,
        faulty::tenth,
    ),
    row(
        "broken",
        "errors always",
        Purpose::Instrument,
        faulty::broken,
    ),
    row(
        "greedy",
        "never has enough work",
        Purpose::Instrument,
        faulty::greedy,
    ),
    row(
        "panics",
        "panics when it leads from certain hands",
        Purpose::Instrument,
        faulty::panics,
    ),
    row(
        "cheat",
        "plays the strongest card whether legal or not",
        Purpose::Instrument,
        faulty::cheat,
    ),
];
