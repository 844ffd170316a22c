//! Estimates with intervals under one another: the cells' forest plot and the ablations' bars.

use super::scale::Scale;
use super::svg::{Anchor, Svg};
use super::unit;
use evenhand_artifact::Verdict;
use evenhand_stats::{Estimate, shown};
use std::fmt::Write as _;

/// One line of the plot.
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) estimate: Estimate,
    pub(crate) verdict: Option<Verdict>,
    /// A mark that the estimate is compared with; drawn when it is not zero.
    pub(crate) margin_micro: i64,
}

/// The plot; with `bars`, each mean is a bar from zero.
pub(crate) fn forest(id: &str, title: &str, rows: &[Row], bars: bool) -> Option<String> {
    if rows.is_empty() {
        return None;
    }
    let (width, pitch, top) = (360.0, 38.0, 6.0);
    let (left, right, bottom) = (10.0, width - 10.0, top + pitch * rows.len() as f64);
    let ends = rows.iter().flat_map(|r| {
        let (low, high) = r
            .estimate
            .interval_micro
            .unwrap_or((r.estimate.mean_micro, r.estimate.mean_micro));
        [low, high, r.estimate.mean_micro, r.margin_micro]
    });
    let x = Scale::over(ends.map(unit).chain([0.0]), left, right);
    let mut svg = Svg::new(width, bottom + 34.0);
    for (value, label) in x.ticks(5.0) {
        // A piece in each lane, so that no line runs through a name.
        for lane in (0..rows.len()).map(|i| top + pitch * i as f64) {
            let class = if value == 0.0 { "zero" } else { "grid" };
            svg.line(
                class,
                (x.at(value), lane + 19.0),
                (x.at(value), lane + 35.0),
            );
        }
        svg.text(
            "label",
            (x.at(value), bottom + 14.0),
            Anchor::Middle,
            &label,
        );
    }
    svg.text(
        "label",
        (width / 2.0, bottom + 30.0),
        Anchor::Middle,
        "points a round",
    );
    let mut said = String::new();
    for (i, row) in rows.iter().enumerate() {
        let (base, middle) = (top + pitch * i as f64, top + pitch * i as f64 + 27.0);
        let class = match row.verdict {
            Some(Verdict::Holds) => "good",
            Some(Verdict::Fails | Verdict::Invalid) => "bad",
            Some(Verdict::Inconclusive) | None => "open",
        };
        let mean = x.at(unit(row.estimate.mean_micro));
        let defined = row.estimate.mean().is_some();
        if bars && defined {
            let (from, to) = (mean.min(x.at(0.0)), mean.max(x.at(0.0)));
            svg.rect(
                &format!("bar {class}"),
                (from, middle - 6.0),
                ((to - from).max(0.5), 12.0),
            );
        }
        if row.margin_micro != 0 {
            let at = x.at(unit(row.margin_micro));
            svg.line("chosen", (at, middle - 8.0), (at, middle + 8.0));
        }
        if let Some((low, high)) = row.estimate.interval_micro {
            let (low, high) = (x.at(unit(low)), x.at(unit(high)));
            svg.line(&format!("interval {class}"), (low, middle), (high, middle));
            for end in [low, high] {
                svg.line(
                    &format!("interval {class}"),
                    (end, middle - 4.0),
                    (end, middle + 4.0),
                );
            }
        }
        if !bars && defined {
            svg.dot(&format!("mean {class}"), (mean, middle), 4.0);
        }
        svg.text("name", (left, base + 14.0), Anchor::Start, &row.label);
        svg.text(
            "value",
            (right, base + 14.0),
            Anchor::End,
            &shown(&row.estimate),
        );
        let word = row
            .verdict
            .map(|v| format!(", {}", v.name()))
            .unwrap_or_default();
        let _ = write!(said, "{}: {}{word}. ", row.label, shown(&row.estimate));
    }
    Some(svg.finish(id, title, said.trim_end()))
}
