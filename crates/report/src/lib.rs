//! Reports: result frames and Parquet, Markdown, and one offline HTML page with inline plots.
//!
//! A report is a pure function of a [`ReportInput`]: the same input gives the same bytes, whatever the machine, its
//! clock or its threads. Everything that is summed is a whole number; floats appear only where something is drawn.
//! This crate shows and compares records; it sees neither a simulator nor a game: cards are drawn from their text.

mod chart;
mod frame;
mod html;
mod input;
mod instruments;
mod markdown;
mod page;
mod records;
mod text;
mod tiles;

pub use frame::{GroupSums, ReportError, parquet, sums};
pub use input::{
    Ablation, Cell, Curve, CurvePoint, Gate, Knob, Move, Position, ReportInput, Response,
    ResponsePoint, SeedRow, SideSums, Tuning, TuningOpponent,
};
pub use instruments::ablations;
pub use page::{Block, Page, verdict_text};
pub use records::{Records, estimate, estimate_text, position};
pub use text::{grouped, milli, share};

use evenhand_store::StoreError;
use std::path::Path;

/// The three files of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// `report.md`.
    pub markdown: String,
    /// `report.html`: one file, no script, nothing to fetch.
    pub html: String,
    /// `results.parquet`: one row a cell and seed, in the order given.
    pub parquet: Vec<u8>,
}

impl Rendered {
    /// Publishes the three files in a folder, each atomically; a file that is the same already is left alone.
    ///
    /// # Errors
    /// When a file cannot be written; those before it are then in place, each of them whole.
    pub fn publish(&self, folder: &Path) -> Result<(), StoreError> {
        evenhand_store::create_dir(folder)?;
        for (name, bytes) in [
            ("report.md", self.markdown.as_bytes()),
            ("report.html", self.html.as_bytes()),
            ("results.parquet", &self.parquet),
        ] {
            evenhand_store::publish(&folder.join(name), bytes)?;
        }
        Ok(())
    }
}

/// Renders a report.
///
/// # Errors
/// When the rows do not fit into one frame (see [`parquet`]).
pub fn render(input: &ReportInput) -> Result<Rendered, ReportError> {
    Ok(Rendered {
        markdown: markdown::render(input),
        html: html::render(input),
        parquet: parquet(&input.rows)?,
    })
}
