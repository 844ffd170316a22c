//! The written history of every format.

use std::fmt;

/// One version of a format and what changed with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The version, counted from 1.
    pub version: u32,
    /// What it added or changed.
    pub about: &'static str,
}

/// A document's format: family, and every version there has been. The last one is written, unless
/// a document says that an earlier one holds all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Family, such as `evenhand-table`.
    pub family: &'static str,
    /// The written history, oldest first.
    pub history: &'static [Change],
    /// Oldest version that this build still reads.
    pub oldest_read: u32,
}

impl Format {
    /// The latest version that this build writes.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.history[self.history.len() - 1].version
    }

    /// Whether this build reads that version.
    #[must_use]
    pub const fn reads(&self, version: u32) -> bool {
        version >= self.oldest_read && version <= self.version()
    }

    /// The `format` text of a version.
    #[must_use]
    pub fn text(&self, version: u32) -> String {
        format!("{}/{version}", self.family)
    }

    /// The version that a `format` text of this family names.
    #[must_use]
    pub fn version_in<'a>(&self, text: &'a str) -> Option<&'a str> {
        let (family, version) = text.rsplit_once('/')?;
        (family == self.family).then_some(version)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.family, self.version())
    }
}

const fn first(family: &'static str, history: &'static [Change; 1]) -> Format {
    Format {
        family,
        history,
        oldest_read: 1,
    }
}

/// Calibration tables.
pub const TABLE: Format = Format {
    family: "evenhand-table",
    history: &[
        Change {
            version: 1,
            about: "maps from raw estimates to probabilities, one cell a kind of question, with counts",
        },
        Change {
            version: 2,
            about: "parameters of the estimator beside the maps; a table without any stays version 1",
        },
    ],
    oldest_read: 1,
};
/// Frozen weights.
pub const WEIGHTS: Format = first(
    "evenhand-weights",
    &[Change {
        version: 1,
        about: "knobs in table order with their origin: parents, tuning, validation, ledger line",
    }],
);
/// What an experiment is to do, as a canonical text.
pub const SPEC: Format = first(
    "evenhand-spec",
    &[Change {
        version: 1,
        about: "the meaning of a spec: every setting with its value, comments and order left out",
    }],
);
/// What `tune` found.
pub const CANDIDATE: Format = first(
    "evenhand-candidate",
    &[Change {
        version: 1,
        about: "knobs, parents, every evaluation, per-knob flags, tuning gain by opponent",
    }],
);
/// What `validate` found.
pub const VALIDATION: Format = first(
    "evenhand-validation",
    &[Change {
        version: 1,
        about: "cells with estimates and intervals, gates, verdict, attempt, decisions, positions",
    }],
);
/// The kept record of an experiment.
pub const SUMMARY: Format = first(
    "evenhand-summary",
    &[Change {
        version: 1,
        about: "what was run on what, the verdict by cell, and the digests of the full records",
    }],
);
/// One line of the ledger.
pub const LEDGER: Format = first(
    "evenhand-ledger",
    &[Change {
        version: 1,
        about: "intent, outcome and freeze lines, chained by hash",
    }],
);
/// A stored action: what was computed, and where its result lies.
pub const ACTION: Format = first(
    "evenhand-action",
    &[Change {
        version: 1,
        about: "the step, its named inputs, and the digest of the result",
    }],
);
/// One block of finished seeds.
pub const BLOCK: Format = first(
    "evenhand-block",
    &[Change {
        version: 1,
        about: "plan digest, place and number of seeds, their tallies in seed order",
    }],
);

/// Every format there is.
pub const ALL_FORMATS: &[Format] = &[
    TABLE, WEIGHTS, SPEC, CANDIDATE, VALIDATION, SUMMARY, LEDGER, ACTION, BLOCK,
];

const _: () = {
    // Histories count 1, 2, 3, ...; what is written is read.
    let mut i = 0;
    while i < ALL_FORMATS.len() {
        let format = &ALL_FORMATS[i];
        let mut j = 0;
        while j < format.history.len() {
            assert!(format.history[j].version == j as u32 + 1);
            j += 1;
        }
        assert!(format.oldest_read >= 1 && format.reads(format.version()));
        i += 1;
    }
};
