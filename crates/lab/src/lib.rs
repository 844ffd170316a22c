//! The lab: why a bot is weak, not only that it is.
//!
//! [`measure`] plays two policies against each other on duplicate deals.

pub mod measure;
