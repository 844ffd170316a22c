//! Numbers of subsets, and chances as fractions of 2^30.

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

/// `part / whole` of [`ONE`], to nearest, no more than that. 0 when the whole is 0.
#[inline]
pub const fn share(part: u64, whole: u64) -> u64 {
    if whole == 0 {
        return 0;
    }
    if part >= whole {
        return ONE;
    }
    // 33 bits are left of the larger one: the error is below 2^-30 of it.
    let spare = 31
        - if whole.leading_zeros() < 31 {
            whole.leading_zeros()
        } else {
            31
        };
    let (part, whole) = (part >> spare, whole >> spare);
    ((part << 30) + whole / 2) / whole
}
