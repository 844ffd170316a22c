//! The estimator done wrong on purpose, so that the instruments can be shown to notice.

use super::{count, price};
use crate::View;
use crate::meld::Meld;
use evenhand_contract::{OutOfWork, PPM_ONE, Work};

/// As [`super::raw`], with two faults: seats are combined as if one given combination could lie in
/// several hands at once, `1 - prod(1 - p_i)` instead of `sum p_i`, and combinations as if they
/// had nothing to do with each other. Gives 0.68 for a 2D at the round's start when 2S is unseen,
/// where the truth is 1.
///
/// # Errors
/// [`OutOfWork`] when the budget does not cover it.
pub fn raw_independent(view: &View, meld: &Meld, work: &mut Work<'_>) -> Result<i64, OutOfWork> {
    work.charge(price(view, meld))?;
    const ONE: u128 = 1 << 62;
    let size = u64::from(meld.size());
    let total = u64::from(view.unseen().len());
    let falling = |n: u64| {
        (0..size)
            .map(|i| u128::from(n.saturating_sub(i)))
            .product::<u128>()
    };
    let whole = falling(total).max(1);
    let mut misses = ONE;
    for n in view.opponents() {
        let here = falling(u64::from(n).min(total)) * ONE / whole;
        misses = (misses * (ONE - here)) >> 62;
    }
    let (mut none, mut factor, mut left) = (ONE, misses, count::beating(view, meld));
    while left > 0 {
        if left & 1 == 1 {
            none = (none * factor) >> 62;
        }
        factor = (factor * factor) >> 62;
        left >>= 1;
    }
    Ok((((ONE - none) * PPM_ONE as u128 + ONE / 2) >> 62) as i64)
}
