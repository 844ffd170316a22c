//! Writes the report of a made-up run, as rich as a real one, and a results file with the extreme values of 64 bits.
//!
//! `cargo run --release -p evenhand-report --example sample -- FOLDER`

use evenhand_report::{parquet, render};
use std::error::Error;
use std::path::PathBuf;

#[path = "../tests/main/sample.rs"]
#[allow(
    dead_code,
    missing_docs,
    reason = "shared with the tests, which use all of it"
)]
mod sample;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name a folder")?);
    let mut input = sample::input();
    input.notes.push("A made-up run.".to_owned());
    render(&input)?.publish(&folder)?;
    let mut rows = sample::rows();
    rows.truncate(3);
    // What a float of 64 bits would round, at both ends.
    for (row, value) in rows.iter_mut().zip([i64::MIN, i64::MAX, (1 << 53) + 1]) {
        row.a.settlement = value;
        row.b.settlement = -(value + 1);
        row.a.work = u64::MAX;
        row.a.metrics[0].1 = value;
    }
    evenhand_store::publish(&folder.join("extremes.parquet"), &parquet(&rows)?)?;
    Ok(())
}
