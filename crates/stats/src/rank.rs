//! Orders in which the undefined has no place.

use std::cmp::Ordering;

/// Compares two numbers that may be undefined; with an undefined one there is no answer, least of all "equal".
pub fn compare(a: Option<i64>, b: Option<i64>) -> Option<Ordering> {
    Some(a?.cmp(&b?))
}

/// The rank of each value, the largest first: 1 for the best, equal values share a rank, and the next one counts them
/// all (1, 2, 2, 4). The undefined has no rank and does not move the others'.
pub fn rank(values: &[Option<i64>]) -> Vec<Option<u32>> {
    let above = |v: i64| values.iter().filter(|w| w.is_some_and(|w| w > v)).count() as u32;
    values.iter().map(|v| v.map(|v| 1 + above(v))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_undefined_in_each_place_leaves_the_others_alone() {
        let others = [7, 3, 9, 3];
        let alone = rank(&others.map(Some));
        assert_eq!(alone, [2, 3, 1, 3].map(Some));
        for place in 0..=others.len() {
            let mut with = others.map(Some).to_vec();
            with.insert(place, None);
            let mut ranks = rank(&with);
            assert_eq!(ranks.remove(place), None);
            assert_eq!(ranks, alone, "undefined at {place}");
        }
    }

    #[test]
    fn undefined_against_undefined_is_not_equal() {
        assert_eq!(compare(None, None), None);
        assert_eq!(compare(None, Some(i64::MIN)), None);
        assert_eq!(compare(Some(2), Some(2)), Some(Ordering::Equal));
    }
}
