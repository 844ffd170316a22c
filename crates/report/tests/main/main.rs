//! What reports are held to.
//!
//! - `page`: structure of the HTML page and of the Markdown, escaping, what is left out
//! - `frames`: Parquet bytes and sums, over fresh processes and thread counts; cut files

mod frames;
mod page;
mod sample;
