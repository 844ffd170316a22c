//! What the statistics are held to.
//!
//! - `quantiles`: tails and quantiles against closed forms, published tables and 40-digit values
//! - `intervals`: t intervals, verdicts and comparisons against closed forms; the extremes
//! - `repeats`: chances of error over thousands of simulated repeats
//! - `flips`: the sign-flip test against brute force
//! - `curves`: isotonic fit against the min-max formula, reliability against definitions

mod curves;
mod flips;
mod intervals;
mod quantiles;
mod repeats;

/// A small deterministic stream for made-up samples (SplitMix64).
pub struct Noise(pub u64);

impl Noise {
    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// About normal with mean 0: the sum of twelve uniform numbers, sd about 1000.
    pub fn normal(&mut self) -> i64 {
        (0..12).map(|_| (self.word() % 1001) as i64 - 500).sum()
    }
}
