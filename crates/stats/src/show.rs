//! Numbers as their interval supports them.

use crate::Estimate;

/// How many decimals an interval supports (0 to 6): down to the first digit of its half-width, and one more where that
/// digit is 1 (so that rounding moves a number by at most a quarter of what is unknown anyway). All six without width.
/// An undefined interval supports one.
pub fn supported_decimals(interval_micro: Option<(i64, i64)>) -> u32 {
    let Some((low, high)) = interval_micro else {
        return 1;
    };
    let half = high.abs_diff(low).div_ceil(2);
    let Some(exponent) = half.checked_ilog10() else {
        return 6;
    };
    let leading = half / 10u64.pow(exponent);
    (6 + u32::from(leading == 1))
        .saturating_sub(exponent)
        .min(6)
}

/// Millionths as a decimal number with so many decimals (at most 6), rounded half away from zero: `1.81`, `-0.05`.
/// A number that rounds to zero has no sign.
pub fn fixed(micro: i64, decimals: u32) -> String {
    let decimals = decimals.min(6);
    let unit = 10u64.pow(6 - decimals);
    let rounded = (micro.unsigned_abs() + unit / 2) / unit;
    let scale = 10u64.pow(decimals);
    let sign = if micro < 0 && rounded > 0 { "-" } else { "" };
    match decimals {
        0 => format!("{sign}{rounded}"),
        _ => format!(
            "{sign}{}.{:0width$}",
            rounded / scale,
            rounded % scale,
            width = decimals as usize
        ),
    }
}

/// [`fixed`] with as many decimals as the interval supports and always a sign (unless zero): `+1.81`.
pub fn supported(micro: i64, interval_micro: Option<(i64, i64)>) -> String {
    signed(micro, supported_decimals(interval_micro))
}

/// An estimate for people: `+1.81 [+1.77, +1.85]`; `+0.25 (no spread)` where every unit had that very value;
/// `+1.8 (interval undefined)`; or `undefined` without units.
pub fn shown(estimate: &Estimate) -> String {
    let Some(mean) = estimate.mean() else {
        return "undefined".to_owned();
    };
    let decimals = supported_decimals(estimate.interval_micro);
    match estimate.interval_micro {
        Some((low, high)) if low == high => {
            let exact = signed(mean, 6);
            format!(
                "{} (no spread)",
                exact.trim_end_matches('0').trim_end_matches('.')
            )
        }
        Some((low, high)) => {
            format!(
                "{} [{}, {}]",
                signed(mean, decimals),
                signed(low, decimals),
                signed(high, decimals)
            )
        }
        None => format!("{} (interval undefined)", signed(mean, decimals)),
    }
}

fn signed(micro: i64, decimals: u32) -> String {
    let text = fixed(micro, decimals);
    if text.starts_with('-') || text.bytes().all(|b| matches!(b, b'0' | b'.')) {
        text
    } else {
        format!("+{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_half_width() {
        let shown = |mean, low, high| {
            super::shown(&Estimate {
                n: 9,
                mean_micro: mean,
                interval_micro: Some((low, high)),
                sd_micro: Some(1),
            })
        };
        assert_eq!(
            shown(1_812_345, 1_769_345, 1_855_345),
            "+1.81 [+1.77, +1.86]"
        );
        assert_eq!(
            shown(1_812_345, 1_799_345, 1_825_345),
            "+1.812 [+1.799, +1.825]"
        );
        assert_eq!(shown(-345, -40_000, 39_310), "0.00 [-0.04, +0.04]");
        assert_eq!(shown(12_345_678, 2_000_000, 22_691_356), "+12 [+2, +23]");
        assert_eq!(shown(0, 0, 0), "0 (no spread)");
        assert_eq!(shown(-250_000, -250_000, -250_000), "-0.25 (no spread)");
        assert_eq!(shown(40_000_000, 40_000_000, 40_000_000), "+40 (no spread)");
        assert_eq!(
            shown(5_000_000, i64::MIN, i64::MAX),
            "+5 [-9223372036855, +9223372036855]"
        );
    }

    #[test]
    fn undefined_is_a_word() {
        let none = Estimate {
            n: 0,
            mean_micro: 0,
            interval_micro: None,
            sd_micro: None,
        };
        assert_eq!(super::shown(&none), "undefined");
        assert_eq!(
            super::shown(&Estimate {
                n: 1,
                mean_micro: 1_250_000,
                ..none
            }),
            "+1.3 (interval undefined)"
        );
    }

    #[test]
    fn fixed_rounds_half_away_and_never_writes_minus_zero() {
        assert_eq!(fixed(1_500_000, 0), "2");
        assert_eq!(fixed(-1_500_000, 0), "-2");
        assert_eq!(fixed(-4, 5), "0.00000");
        assert_eq!(fixed(-5, 5), "-0.00001");
        assert_eq!(fixed(i64::MIN, 6), "-9223372036854.775808");
        assert_eq!(fixed(999_999, 2), "1.00");
    }
}
