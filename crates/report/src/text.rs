//! Text of every kind, escaped.

use evenhand_artifact::Verdict;
use evenhand_stats::fixed;

/// Escaped for HTML, in text and in quoted attributes. Control characters other than newlines become a visible mark.
pub(crate) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Escaped for Markdown, inside a paragraph or a table's cell: no markup, no line breaks.
pub(crate) fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '|' | '[' | ']' | '#' | '~' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A whole number with its thousands apart: `1 234 567` (with thin spaces that do not break).
#[must_use]
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}

/// Thousandths without needless zeros: `1.5`, `-0.25`, `3`.
#[must_use]
pub fn milli(value: i64) -> String {
    let text = fixed(value.saturating_mul(1_000), 3);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A p value in parts per million for people.
pub(crate) fn p_value(ppm: u32) -> String {
    if ppm < 100 {
        "< 0.0001".to_owned()
    } else {
        fixed(i64::from(ppm), 4)
    }
}

/// The sign that stands beside a verdict's word, so that colour is never the only carrier.
pub(crate) const fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "\u{2713}",
        Verdict::Fails => "\u{2717}",
        Verdict::Inconclusive => "?",
        Verdict::Invalid => "!",
    }
}

/// A share as text with its denominator: `3 of 1 000 (0.30 %)`.
#[must_use]
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return format!("{} of 0", grouped(part));
    }
    let micro = (u128::from(part) * 100_000_000 / u128::from(whole)) as i64;
    format!(
        "{} of {} ({} %)",
        grouped(part),
        grouped(whole),
        fixed(micro, 2)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_slips_through() {
        assert_eq!(
            html("<a href='x\">&\u{1b}"),
            "&lt;a href=&#39;x&quot;&gt;&amp;\u{fffd}"
        );
        assert_eq!(
            markdown("a|b\n<i>*_`[x](y)"),
            "a\\|b &lt;i&gt;\\*\\_\\`\\[x\\](y)"
        );
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(12), "12");
        assert_eq!(
            [1_500, -250, 3_000, 0].map(milli),
            ["1.5", "-0.25", "3", "0"]
        );
        assert_eq!(share(3, 1_000), "3 of 1\u{202f}000 (0.30 %)");
        assert_eq!(share(0, 0), "0 of 0");
        assert_eq!(p_value(12), "< 0.0001");
        assert_eq!(p_value(49_950), "0.0500");
    }
}
