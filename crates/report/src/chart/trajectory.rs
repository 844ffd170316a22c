//! The way of a search: every point tried, and the best so far.

use super::scale::Scale;
use super::svg::{Anchor, Svg};
use super::unit;
use crate::input::Move;
use evenhand_stats::fixed;

pub(crate) fn trajectory(id: &str, moves: &[Move]) -> Option<String> {
    let (first, last) = (moves.first()?, moves.last()?);
    let (width, height) = (360.0, 260.0);
    let (left, right, top, bottom) = (46.0, width - 8.0, 12.0, height - 38.0);
    let x = Scale::over([f64::from(first.index), f64::from(last.index)], left, right);
    // Far worse points would press the way itself flat: they are drawn at the lower edge, and counted below.
    let taken = || {
        moves
            .iter()
            .filter(|m| m.accepted || m.index == first.index)
            .map(|m| m.objective_micro)
    };
    let (worst, best) = (taken().min()?, taken().max()?);
    let floor = worst.saturating_sub(best.saturating_sub(worst).max(10_000));
    let y = Scale::over(
        moves.iter().map(|m| unit(m.objective_micro.max(floor))),
        bottom,
        top,
    );
    let below = moves.iter().filter(|m| m.objective_micro < floor).count();
    let mut svg = Svg::new(width, height);
    for (value, label) in y.ticks(5.0) {
        svg.line("grid", (left, y.at(value)), (right, y.at(value)));
        svg.text(
            "label",
            (left - 5.0, y.at(value) + 4.0),
            Anchor::End,
            &label,
        );
    }
    for pair in moves
        .windows(2)
        .filter(|p| p[0].sweep != p[1].sweep && p[1].sweep > 0)
    {
        let at = x.at(f64::midpoint(
            f64::from(pair[0].index),
            f64::from(pair[1].index),
        ));
        svg.line("sweep", (at, top), (at, bottom));
        svg.text(
            "label",
            (at + 3.0, bottom + 14.0),
            Anchor::Start,
            &format!("{}", pair[1].sweep),
        );
    }
    let mut axis = "evaluations; marks begin a sweep".to_owned();
    if below > 0 {
        axis += &format!("; {below} far worse at the edge");
    }
    svg.text(
        "label",
        (f64::midpoint(left, right), height - 6.0),
        Anchor::Middle,
        &axis,
    );
    let mut best: Option<(f64, f64)> = None;
    let mut stairs = Vec::new();
    for m in moves {
        let at = (
            x.at(f64::from(m.index)),
            y.at(unit(m.objective_micro.max(floor))),
        );
        svg.dot(
            if m.accepted { "hit" } else { "try" },
            at,
            if m.accepted { 3.5 } else { 2.0 },
        );
        if m.accepted {
            if let Some((_, level)) = best {
                stairs.push((at.0, level));
            }
            stairs.push(at);
            best = Some(at);
        }
    }
    if let Some((_, level)) = best {
        stairs.push((right, level));
    }
    svg.path(false, "stairs", &stairs);
    let accepted = moves.iter().filter(|m| m.accepted).count();
    let end = moves.iter().rev().find(|m| m.accepted).unwrap_or(first);
    let description = format!(
        "{} points tried, {accepted} of them taken (the first one included). The objective went from {} to {} points a round.",
        moves.len(),
        fixed(first.objective_micro, 3),
        fixed(end.objective_micro, 3),
    );
    Some(svg.finish(
        id,
        "Objective on the tuning seeds by evaluation",
        &description,
    ))
}
