//! Searches the weights of a policy on tuning seeds, against a pool of opponents.

mod clear;
pub mod command;
mod document;
mod drive;
mod entry;
pub mod exact;
mod experiment;
mod pool;
mod search;
mod tuning;

pub use clear::Paired;
pub use document::{Heading, candidate_doc};
pub use drive::{Problem, drive};
pub use entry::{Against, Entry, JournalError, gather, mixture, mixture_of};
pub use experiment::{Experiment, INCUMBENT, Table, checksum_key};
pub use pool::{Field, Opponent, TuneError};
pub use search::{
    Axis, Curve, Journal, Known, Point, Probe, Proposal, Response, Rules, SCREEN_T_MILLI, Step,
    Walked, next_step,
};
pub use tuning::{How, Tuned, expected, find, pool, tune};
