//! The simulator, and the only user of threads.

mod par;

pub use par::par_map;
