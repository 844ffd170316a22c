//! Judges a candidate on held-out seeds that are minted from it.
mod mint;
pub use mint::minted;
