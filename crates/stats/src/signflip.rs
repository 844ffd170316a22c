//! The sign-flip test: is a mean of paired differences more than chance, without assuming a distribution?

/// Which way a difference counts as extreme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// As large or larger.
    Upper,
    /// As far from zero or farther.
    Both,
}

/// What the sign-flip test found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignFlip {
    /// The p value in parts per million, rounded up.
    pub p_ppm: u32,
    /// Whether every assignment of signs was tried.
    pub exact: bool,
    /// How many assignments were looked at.
    pub assignments: u64,
}

/// Up to so many values that are not zero, all 2^n assignments are tried.
pub const EXACT_LIMIT: usize = 20;
/// Above that, so many assignments are drawn from a stream that is fixed (the same answer every time).
pub const SAMPLED_DRAWS: u64 = 99_999;

/// The sign-flip test of per-unit differences: if nothing but chance is at work, each might as well have had the other
/// sign; p is the share of the 2^n assignments of signs whose sum is as extreme as the one observed. Sums are compared
/// as integers. Zeros have no sign and are left out; with nothing but zeros p is 1. `None` without values.
///
/// With more than [`EXACT_LIMIT`] values, [`SAMPLED_DRAWS`] assignments are drawn and the observed one is counted in:
/// p = (1 + extreme) / (1 + draws), which never claims more than it saw. The draws come from a fixed stream, keyed by
/// the number of values, so the order of the values matters a little (by the noise of the draws) and nothing else does.
pub fn sign_flip(values: &[i64], tail: Tail) -> Option<SignFlip> {
    if values.is_empty() {
        return None;
    }
    let values: Vec<i64> = values.iter().copied().filter(|&v| v != 0).collect();
    let observed: i128 = values.iter().map(|&v| i128::from(v)).sum();
    let extreme = |sum: i128| match tail {
        Tail::Upper => sum >= observed,
        Tail::Both => sum.abs() >= observed.abs(),
    };
    let exact = values.len() <= EXACT_LIMIT;
    let (hits, assignments) = if exact {
        enumerate(&values, observed, extreme)
    } else {
        sample(&values, observed, extreme)
    };
    Some(SignFlip {
        p_ppm: (hits * 1_000_000).div_ceil(assignments) as u32,
        exact,
        assignments,
    })
}

/// The p value of [`sign_flip`] alone.
pub fn sign_flip_p_ppm(values: &[i64], tail: Tail) -> Option<u32> {
    Some(sign_flip(values, tail)?.p_ppm)
}

/// Walks all assignments in Gray code order: each step flips one sign, so costs one addition.
fn enumerate(values: &[i64], observed: i128, extreme: impl Fn(i128) -> bool) -> (u64, u64) {
    let count = 1u64 << values.len();
    let mut sum = observed;
    let mut flipped = 0u32;
    let mut hits = u64::from(extreme(sum));
    for i in 1..count {
        let bit = i.trailing_zeros();
        let value = 2 * i128::from(values[bit as usize]);
        sum += if flipped >> bit & 1 == 0 {
            -value
        } else {
            value
        };
        flipped ^= 1 << bit;
        hits += u64::from(extreme(sum));
    }
    (hits, count)
}

/// Draws assignments; the observed one counts as one of them.
fn sample(values: &[i64], observed: i128, extreme: impl Fn(i128) -> bool) -> (u64, u64) {
    let mut state = 0x6576_656e_6861_6e64 ^ values.len() as u64;
    let mut hits = 1;
    for _ in 0..SAMPLED_DRAWS {
        // The sum of the values whose sign is flipped, taken off twice.
        let mut flipped = 0i128;
        for word in values.chunks(64) {
            let bits = split_mix(&mut state);
            for (i, &v) in word.iter().enumerate() {
                flipped += i128::from(v & (bits >> i & 1).wrapping_neg() as i64);
            }
        }
        hits += u64::from(extreme(observed - 2 * flipped));
    }
    (hits, SAMPLED_DRAWS + 1)
}

/// SplitMix64: the next word of the stream.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
