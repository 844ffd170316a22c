//! Calibration tables.

mod fit;

pub use fit::{Knot, Observed, fit};
