//! Freezes a validated candidate: checks every gate from records, and plays nothing.

pub mod command;
mod files;
mod gates;

pub use files::{Frozen, write};
pub use gates::{Records, gates};
