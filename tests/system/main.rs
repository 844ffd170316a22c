//! Whole-system tests: the built binaries, run as a person or a script runs them.
//!
//! | file | what it holds |
//! |---|---|
//! | `measure.rs` | the measuring tool: its JSON, its invariants, worker counts |
//! | `decide.rs` | views in, answers out |
//! | `bad_input.rs` | every kind of bad input: one message, the stated exit code |
//! | `referee.rs` | an independent referee that knows Lexio from its rules page alone |
//! | `contents.rs` | that no file of this folder is left off this list |

mod contents;
