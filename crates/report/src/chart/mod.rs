//! Plots as inline SVG with a title and a description that says what a reader of the picture would see.

mod curve;
mod forest;
mod response;
mod scale;
mod svg;
mod trajectory;

pub(crate) use curve::curve;
pub(crate) use forest::{Row, forest};
pub(crate) use response::response;
pub(crate) use trajectory::trajectory;

/// Millionths as a float, to be drawn.
fn unit(micro: i64) -> f64 {
    micro as f64 / 1e6
}
