//! Numbers of subsets, and chances as fractions of 2^30.

use evenhand_contract::PPM_ONE;

/// Most cards that a hand is drawn from.
pub const MOST: usize = 54;
/// Most cards that are drawn into a hand.
pub const DRAWN: usize = 13;

/// `CHOOSE[n][k]`: how many subsets of k of n cards, for k up to [`DRAWN`]; all below 2^41.
pub static CHOOSE: [[u64; DRAWN + 1]; MOST + 1] = choose();

const fn choose() -> [[u64; DRAWN + 1]; MOST + 1] {
    let mut table = [[0; DRAWN + 1]; MOST + 1];
    let mut n = 0;
    while n <= MOST {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= DRAWN {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Certainty, as a fraction of 2^30.
pub const ONE: u64 = 1 << 30;

/// The chance that both of two independent events happen.
#[inline]
pub const fn times(a: u64, b: u64) -> u64 {
    (a * b + ONE / 2) >> 30
}

/// `part / whole` in ppm, rounded to nearest, but 0 and certain only where they are exact. The
/// whole is above 0 and below 2^43, the part at most the whole.
#[inline]
pub const fn ppm(part: u64, whole: u64) -> i64 {
    if part == 0 {
        return 0;
    }
    if part >= whole {
        return PPM_ONE;
    }
    let share = ((part * PPM_ONE as u64 + whole / 2) / whole) as i64;
    if share == 0 {
        1
    } else if share == PPM_ONE {
        PPM_ONE - 1
    } else {
        share
    }
}
