//! Searches the weights of a policy on tuning seeds, against a pool of opponents.

mod clear;
mod search;

pub use clear::Paired;
pub use search::{
    Axis, Curve, Journal, Known, Move, Point, Proposal, Response, Rules, SCREEN_T_MILLI, Step,
    Walked, next_step,
};
