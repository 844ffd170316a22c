//! A reliability curve: believed against happened.

use super::scale::Scale;
use super::svg::{Anchor, Svg};
use crate::input::{Curve, CurvePoint};
use crate::text::grouped;
use evenhand_stats::fixed;

pub(crate) fn curve(id: &str, c: &Curve) -> String {
    let side = 300.0;
    let (left, right, top, bottom) = (42.0, side - 10.0, 10.0, side - 38.0);
    let x = Scale::exact(0.0, 1e6, left, right);
    let y = Scale::exact(0.0, 1e6, bottom, top);
    let mut svg = Svg::new(side, side);
    for quarter in 0..=4 {
        let value = f64::from(quarter) * 250_000.0;
        let label = format!("{}", quarter * 25);
        svg.line("grid", (left, y.at(value)), (right, y.at(value)));
        svg.line("grid", (x.at(value), top), (x.at(value), bottom));
        svg.text(
            "label",
            (left - 5.0, y.at(value) + 4.0),
            Anchor::End,
            &label,
        );
        svg.text(
            "label",
            (x.at(value), bottom + 15.0),
            Anchor::Middle,
            &label,
        );
    }
    svg.text(
        "label",
        (f64::midpoint(left, right), side - 5.0),
        Anchor::Middle,
        "believed %, against happened %",
    );
    svg.line("ideal", (left, bottom), (right, top));
    let xy = |p: &CurvePoint, v: i64| (x.at(p.believed_ppm as f64), y.at(v as f64));
    let banded: Vec<_> = c
        .points
        .iter()
        .filter_map(|p| Some((p, p.band_ppm?)))
        .collect();
    if banded.len() > 1 {
        let upper = banded.iter().map(|(p, band)| xy(p, band.1));
        let lower = banded.iter().rev().map(|(p, band)| xy(p, band.0));
        svg.path(true, "band", &upper.chain(lower).collect::<Vec<_>>());
    }
    for (p, (low, high)) in &banded {
        svg.line("whisker", xy(p, *low), xy(p, *high));
    }
    svg.path(
        false,
        "curve",
        &c.points
            .iter()
            .map(|p| xy(p, p.happened_ppm))
            .collect::<Vec<_>>(),
    );
    for p in &c.points {
        svg.dot("hit", xy(p, p.happened_ppm), 2.5);
    }
    let worst = c
        .points
        .iter()
        .max_by_key(|p| (p.happened_ppm.abs_diff(p.believed_ppm), p.believed_ppm));
    let said = worst.map_or_else(
        || "No points: the answer is exact.".to_owned(),
        |p| {
            format!(
                "{} levels. Farthest from the diagonal: {} % believed, {} % happened, in {} cases.",
                c.points.len(),
                fixed(p.believed_ppm.saturating_mul(100), 1),
                fixed(p.happened_ppm.saturating_mul(100), 1),
                grouped(p.count),
            )
        },
    );
    svg.finish(id, &format!("Reliability of {}", c.name), &said)
}
