//! The command `diff`.

use crate::{DiffError, Difference, Snapshot, compare, page, render};
use clap::{Parser, ValueEnum};
use evenhand_artifact::Verdict;
use evenhand_cli::{Exit, print, print_json};
use std::path::{Path, PathBuf};

/// Says what changed between two checkouts, folders or single artifacts, from their records alone.
///
/// Nothing is played: weights, tables, behaviour, results by cell with intervals and verdicts, fallbacks, cost,
/// lineage, and the positions that are now played differently are what both sides have on record. Of a checkout the
/// folders `tables` and `experiments` are read; a folder `previous` is left out, since the base has it at its place.
///
/// Exits with 0 when nothing changed or every verdict on record holds, 1 when the record of something that changed
/// does not hold or is missing, 2 when it is inconclusive, 3 when an input is missing or spoilt, 4 when a run on
/// record is invalid.
#[derive(Parser, Clone, Debug)]
#[command(
    name = "diff",
    version,
    after_help = "Example:\n  diff ../main . --format markdown\n  diff old/weights.json new/weights.json"
)]
pub struct Args {
    /// What was: a checkout, a folder or an artifact
    #[arg(allow_hyphen_values = true)]
    pub base: PathBuf,
    /// What is: a checkout, a folder or an artifact
    #[arg(allow_hyphen_values = true)]
    pub head: PathBuf,
    /// How to say it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How a difference is said.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For a terminal
    Text,
    /// For a comment on a change
    Markdown,
    /// One offline page
    Html,
    /// For machines: every decision and position on record
    Json,
}

/// Runs the command.
///
/// # Errors
/// When an input is missing, spoilt or not to be compared.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let difference = of(&args.base, &args.head)?;
    if args.format == Format::Json {
        print_json(&serde_json::to_value(&difference)?)?;
    } else {
        print(&text(&difference, args.format))?;
    }
    Ok(exit(&difference))
}

/// Reads and compares two states.
///
/// # Errors
/// As [`run`].
pub fn of(base: &Path, head: &Path) -> Result<Difference, DiffError> {
    compare(&Snapshot::read(base)?, &Snapshot::read(head)?)
}

/// A difference for people; one line when there is none, but for HTML, which is a page always.
#[must_use]
pub fn text(difference: &Difference, format: Format) -> String {
    match format {
        Format::Html => render(difference).html(),
        _ if !difference.changed => page::no_change(difference) + "\n",
        Format::Markdown => render(difference).markdown(),
        Format::Text | Format::Json => render(difference).text(),
    }
}

/// The exit code of a difference.
#[must_use]
pub fn exit(difference: &Difference) -> Exit {
    match difference.worst() {
        Verdict::Holds => Exit::Holds,
        Verdict::Fails => Exit::Fails,
        Verdict::Inconclusive => Exit::Inconclusive,
        Verdict::Invalid => Exit::Invalid,
    }
}
