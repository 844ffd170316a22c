//! The response of one knob: what each value tried was worth against the point then current.

use super::scale::Scale;
use super::svg::{Anchor, Svg};
use super::unit;
use crate::input::Response;
use crate::text::milli;
use evenhand_stats::supported;
use std::fmt::Write as _;

pub(crate) fn response(id: &str, r: &Response) -> String {
    let (width, height) = (360.0, 210.0);
    let (left, right, top, bottom) = (52.0, width - 10.0, 12.0, height - 36.0);
    let at = |v: i64| v as f64 / 1e3;
    let x = Scale::over(
        r.points.iter().map(|p| at(p.value)).chain([at(r.value)]),
        left,
        right,
    );
    let ends = r.points.iter().flat_map(|p| {
        let (low, high) = p
            .interval_micro
            .unwrap_or((p.difference_micro, p.difference_micro));
        [low, high, p.difference_micro]
    });
    let y = Scale::over(ends.map(unit).chain([0.0]), bottom, top);
    let mut svg = Svg::new(width, height);
    for (value, label) in y.ticks(4.0) {
        svg.line(
            if value == 0.0 { "zero" } else { "grid" },
            (left, y.at(value)),
            (right, y.at(value)),
        );
        svg.text(
            "label",
            (left - 5.0, y.at(value) + 4.0),
            Anchor::End,
            &label,
        );
    }
    for (value, label) in x.ticks(6.0) {
        svg.text(
            "label",
            (x.at(value), bottom + 15.0),
            Anchor::Middle,
            &label,
        );
    }
    svg.line(
        "chosen",
        (x.at(at(r.value)), top),
        (x.at(at(r.value)), bottom),
    );
    svg.text(
        "label",
        (f64::midpoint(left, right), height - 5.0),
        Anchor::Middle,
        "value; dashed: chosen",
    );
    let mut said = format!(
        "{} values tried; {} was chosen.",
        r.points.len(),
        milli(r.value)
    );
    let mut points = r.points.clone();
    points.sort_by_key(|p| p.value);
    for p in &points {
        let px = x.at(at(p.value));
        if let Some((low, high)) = p.interval_micro {
            svg.line("whisker", (px, y.at(unit(low))), (px, y.at(unit(high))));
        }
        let class = if p.accepted { "hit" } else { "try" };
        svg.dot(
            class,
            (px, y.at(unit(p.difference_micro))),
            if p.accepted { 4.0 } else { 3.0 },
        );
        let taken = if p.accepted { " (taken)" } else { "" };
        let _ = write!(
            said,
            " {}: {}{taken}.",
            milli(p.value),
            supported(p.difference_micro, p.interval_micro)
        );
    }
    svg.finish(id, &format!("Response of {}", r.knob), &said)
}
