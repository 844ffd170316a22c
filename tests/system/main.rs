//! Whole-system tests: the built binaries, run as a person or a script runs them.
//!
//! | file | what it holds |
//! |---|---|
//! | `measure.rs` | the measuring tool: its JSON, its invariants, worker counts, the referee's agreement |
//! | `decide.rs` | views in, answers out |
//! | `calibrate.rs` | tables made, found, checked and refused, for any ruleset |
//! | `chain.rs` | the whole chain on a small spec: kills, resumes, skipped steps, locks, a full disk |
//! | `founding.rs` | the README's story of a wrong number, command by command |
//! | `chain.rs` | the whole chain on a small spec: kills, resumes, skipped steps, locks |
//! | `crash.rs` | what is left by kills at random moments, a full disk, a second run, a spoilt byte |
//! | `lab.rs` | the instruments on the frozen artifacts |
//! | `bad_input.rs` | every kind of bad input: one message, the stated exit code |
//! | `outputs.rs` | what output options may replace: nothing without --force, nothing under tables/ |
//! | `referee.rs` | an independent referee that knows Lexio from its rules page alone |
//! | `daifugo.rs` | Daifugo's transcripts under an independent referee, its views answered |
//! | `hoola.rs` | Hoola's transcripts under an independent referee, its views answered |
//! | `contents.rs` | that no file of this folder is left off this list |

#![allow(
    clippy::disallowed_methods,
    reason = "tests lay scratch files for the binaries to meet"
)]

mod bad_input;
mod calibrate;
mod chain;
mod contents;
mod crash;
mod daifugo;
mod decide;
mod founding;
mod hoola;
mod lab;
mod measure;
mod outputs;
mod referee;
