//! The lab: why a bot is weak, not only that it is.
//!
//! [`doctor`] proves the instrument before it is read. [`measure`] plays two policies against each
//! other on duplicate deals. [`ablate`] takes knobs and rule stages away one at a time, or sweeps
//! one knob. [`capture`] keeps the positions that two policies play differently, with both their
//! reasons. [`upkeep`] looks after the store.

pub mod ablate;
mod asked;
pub mod branches;
pub mod capture;
pub mod doctor;
pub mod field;
pub mod measure;
pub mod upkeep;
mod wall;
