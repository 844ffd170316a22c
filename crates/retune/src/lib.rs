//! The whole chain in one command: calibrate, tune, validate, judge the freeze, report. A step
//! whose inputs did not change is taken from the store.

mod chain;
pub mod command;

pub use chain::{Chain, Found, Steps, find, retune};
