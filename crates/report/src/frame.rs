//! Rows as a frame, the frame as Parquet, and Parquet back to sums.

use crate::{SeedRow, SideSums};
use polars::prelude::{
    Column, DataFrame, IntoColumn, NamedFrom, ParquetCompression, ParquetReader, ParquetWriter,
    PolarsError, SerReader, Series,
};
use std::collections::BTreeMap;
use std::io::Cursor;

/// Why a frame could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Rows of one report bear the same metrics.
    #[error("row {row} of the report names other metrics than the first row")]
    Metrics {
        /// The row, from 0.
        row: usize,
    },
    /// The library's answer.
    #[error("{what}: {source}")]
    Frame {
        /// What was tried, on which file.
        what: String,
        /// The cause.
        source: PolarsError,
    },
    /// A column of another type, or a missing value.
    #[error("{file}: column `{column}` is not what a results file holds")]
    Column {
        /// The file.
        file: String,
        /// The column.
        column: String,
    },
    /// A sum passes 64 bits.
    #[error("{file}: the sum of column `{column}` does not fit into 64 bits")]
    Overflow {
        /// The file.
        file: String,
        /// The column.
        column: String,
    },
}

const ROWS_A_GROUP: usize = 1 << 16;

/// The rows as Parquet bytes: 64-bit integers and text, no nulls, no floats; columns in a fixed order, each side's
/// prefixed `a_` and `b_`, metrics last as `a_metric_NAME`. The same rows give the same bytes on any number of threads.
///
/// # Errors
/// When rows name different metrics, or the library refuses.
pub fn parquet(rows: &[SeedRow]) -> Result<Vec<u8>, ReportError> {
    let mut frame = frame(rows)?;
    let mut bytes = Vec::new();
    let writer = ParquetWriter::new(&mut bytes)
        .with_compression(ParquetCompression::Snappy)
        .with_row_group_size(Some(ROWS_A_GROUP))
        .set_parallel(false);
    writer
        .finish(&mut frame)
        .map_err(|source| ReportError::Frame {
            what: "writing Parquet".to_owned(),
            source,
        })?;
    Ok(bytes)
}

fn frame(rows: &[SeedRow]) -> Result<DataFrame, ReportError> {
    let names = |side: &SideSums| side.metrics.iter().map(|m| m.0.clone()).collect::<Vec<_>>();
    let metrics = rows.first().map(|r| names(&r.a)).unwrap_or_default();
    for (row, r) in rows.iter().enumerate() {
        if names(&r.a) != metrics || names(&r.b) != metrics {
            return Err(ReportError::Metrics { row });
        }
    }
    let mut columns = vec![
        text("game", rows, |r| &r.game),
        whole("players", rows, |r| u64::from(r.players)),
        text("ruleset", rows, |r| &r.ruleset),
        text("cell", rows, |r| &r.cell),
        text("policy", rows, |r| &r.policy),
        text("opponent", rows, |r| &r.opponent),
        whole("rounds_per_match", rows, |r| u64::from(r.rounds_per_match)),
        text("seed", rows, |r| &r.seed),
        whole("matches", rows, |r| r.matches),
        whole("rounds", rows, |r| r.rounds),
    ];
    type Side = fn(&SeedRow) -> &SideSums;
    let sides: [(&str, Side); 2] = [("a", |r| &r.a), ("b", |r| &r.b)];
    for (name, side) in sides {
        columns.push(signed(format!("{name}_settlement"), rows, |r| {
            side(r).settlement
        }));
        columns.push(whole(&format!("{name}_seat_rounds"), rows, |r| {
            side(r).seat_rounds
        }));
        columns.push(whole(&format!("{name}_decisions"), rows, |r| {
            side(r).decisions
        }));
        columns.push(whole(&format!("{name}_fallbacks"), rows, |r| {
            side(r).fallbacks
        }));
        columns.push(whole(&format!("{name}_work"), rows, |r| side(r).work));
        columns.push(whole(&format!("{name}_work_max"), rows, |r| {
            side(r).work_max
        }));
        for (i, metric) in metrics.iter().enumerate() {
            columns.push(signed(format!("{name}_metric_{metric}"), rows, |r| {
                side(r).metrics[i].1
            }));
        }
    }
    DataFrame::new(rows.len(), columns).map_err(|source| ReportError::Frame {
        what: "building a frame".to_owned(),
        source,
    })
}

fn text<'a>(name: &str, rows: &'a [SeedRow], get: impl Fn(&'a SeedRow) -> &'a String) -> Column {
    let values: Vec<&str> = rows.iter().map(|r| get(r).as_str()).collect();
    Series::new(name.into(), values).into_column()
}

fn whole(name: &str, rows: &[SeedRow], get: impl Fn(&SeedRow) -> u64) -> Column {
    Series::new(name.into(), rows.iter().map(get).collect::<Vec<u64>>()).into_column()
}

fn signed(name: String, rows: &[SeedRow], get: impl Fn(&SeedRow) -> i64) -> Column {
    Series::new(
        name.as_str().into(),
        rows.iter().map(get).collect::<Vec<i64>>(),
    )
    .into_column()
}

/// The sums of one cell as read back from a results file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSums {
    /// Seeds (rows).
    pub seeds: u64,
    /// Sum of every 64-bit column but the cell's own numbers, by name. Maxima are left out.
    pub sums: BTreeMap<String, i64>,
}

/// Sums a results file by (cell, opponent), in integers, whatever the number of threads.
///
/// # Errors
/// When the bytes are not a whole Parquet file (a cut one is refused), or hold a null or another type; `file` is the
/// name used in messages.
pub fn sums(
    file: &str,
    bytes: &[u8],
) -> Result<BTreeMap<(String, String), GroupSums>, ReportError> {
    let failed = |source| ReportError::Frame {
        what: file.to_owned(),
        source,
    };
    let frame = ParquetReader::new(Cursor::new(bytes))
        .finish()
        .map_err(failed)?;
    let wrong = |column: &str| ReportError::Column {
        file: file.to_owned(),
        column: column.to_owned(),
    };
    let texts = |name: &str| -> Result<Vec<String>, ReportError> {
        let column = frame.column(name).map_err(|_| wrong(name))?;
        let values = column.str().map_err(|_| wrong(name))?;
        values
            .iter()
            .map(|v| v.map(str::to_owned).ok_or_else(|| wrong(name)))
            .collect()
    };
    let keys: Vec<(String, String)> = texts("cell")?.into_iter().zip(texts("opponent")?).collect();
    let mut groups = BTreeMap::<(String, String), GroupSums>::new();
    for key in &keys {
        groups.entry(key.clone()).or_default().seeds += 1;
    }
    for column in frame.columns() {
        let name = column.name().as_str();
        if ["players", "rounds_per_match"].contains(&name)
            || name.ends_with("_work_max")
            || column.str().is_ok()
        {
            continue;
        }
        let values: Vec<i128> = if let Ok(values) = column.i64() {
            values
                .iter()
                .map(|v| v.map(i128::from).ok_or_else(|| wrong(name)))
                .collect::<Result<_, _>>()?
        } else if let Ok(values) = column.u64() {
            values
                .iter()
                .map(|v| v.map(i128::from).ok_or_else(|| wrong(name)))
                .collect::<Result<_, _>>()?
        } else {
            return Err(wrong(name));
        };
        let mut by_key = BTreeMap::<&(String, String), i128>::new();
        for (key, value) in keys.iter().zip(values) {
            *by_key.entry(key).or_default() += value;
        }
        for (key, sum) in by_key {
            let overflow = |_| ReportError::Overflow {
                file: file.to_owned(),
                column: name.to_owned(),
            };
            let group = groups.entry(key.clone()).or_default();
            group
                .sums
                .insert(name.to_owned(), i64::try_from(sum).map_err(overflow)?);
        }
    }
    Ok(groups)
}
