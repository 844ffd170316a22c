//! Documents that outlive a process: calibration tables, weights, specs and the records of runs.
//!
//! Every document is canonical JSON (see [`canonical`]): sorted keys, LF, two-space indent, whole
//! numbers only, one value a line, a final newline. Its `checksum` line is the SHA-256 of the
//! canonical bytes without that line. Loading recomputes it and refuses anything else than the
//! one right form, each fault with its own message that names file and field ([`Fault`]).
//!
//! The parser is our own: which numbers, orders and duplicates it admits cannot change with the
//! features that another crate of the build enables in a JSON library.
#![deny(clippy::float_arithmetic)]

pub mod canonical;
mod de;
mod digest;
mod doc;
mod error;
pub mod format;
mod parse;
mod seal;
mod ser;
mod value;

pub use de::from_value;
pub use digest::{Digest, DigestError, candidate_digest, digest_of};
pub use doc::*;
pub use error::{ArtifactError, DomainError, Fault};
pub use format::{Change, Format};
pub use seal::{Document, Sealed, decode, encode, open, seal};
pub use ser::{SerError, to_value};
pub use value::Value;

/// The largest seed that people may write: 2^53 - 1, which every JSON and TOML reader keeps.
pub const MAX_WRITTEN_SEED: u64 = (1 << 53) - 1;
