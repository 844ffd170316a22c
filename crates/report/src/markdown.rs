//! `report.md`: the same as the page, for a terminal and for the body of a change.

use crate::input::{Ablation, Cell, Knob, Position, ReportInput, Tuning};
use crate::text::{grouped, mark, markdown as esc, milli, p_value, share};
use evenhand_artifact::Verdict;
use evenhand_stats::{Pairing, fixed, shown, supported};
use std::fmt::Write as _;

pub(crate) fn render(input: &ReportInput) -> String {
    let mut page = format!("# {}\n\n", esc(&input.title));
    if let Some(v) = input.verdict {
        let _ = writeln!(page, "**{}**\n", verdict(v));
    }
    if let Some(headline) = &input.headline {
        let _ = writeln!(page, "{}\n", esc(headline));
    }
    if let Some(warning) = &input.warning {
        let _ = writeln!(page, "> **Warning.** {}\n", esc(warning));
    }
    if !input.facts.is_empty() {
        page += &table(
            &["", ""],
            input
                .facts
                .iter()
                .map(|(name, value)| vec![esc(name), esc(value)]),
        );
    }
    if !input.gates.is_empty() {
        page += "## Gates\n\n";
        let rows = input
            .gates
            .iter()
            .map(|g| vec![esc(&g.name), verdict(g.verdict), esc(&g.reason)]);
        page += &table(&["gate", "verdict", "why"], rows);
    }
    page += &cells(&input.cells);
    page += &ablations(&input.ablations);
    if let Some(t) = &input.tuning {
        page += &tuning(t);
    }
    page += &knobs(&input.knobs);
    page += &responses(input);
    page += &curves(input);
    page += &positions(input);
    if !input.notes.is_empty() {
        page += "## Notes\n\n";
        for note in &input.notes {
            let _ = writeln!(page, "{}\n", esc(note));
        }
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

fn verdict(v: Verdict) -> String {
    format!("{} {}", mark(v), v.name())
}

/// A table; a heading that begins with `#` is a column of numbers. Cells are escaped already.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let names: Vec<&str> = head.iter().map(|h| h.trim_start_matches('#')).collect();
    let rules: Vec<&str> = head
        .iter()
        .map(|h| if h.starts_with('#') { "--:" } else { "---" })
        .collect();
    let mut out = format!("| {} |\n| {} |\n", names.join(" | "), rules.join(" | "));
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
    out + "\n"
}

fn cells(cells: &[Cell]) -> String {
    if cells.is_empty() {
        return String::new();
    }
    let row = |c: &Cell| {
        vec![
            esc(&c.opponent),
            c.rounds.to_string(),
            grouped(c.estimate.n),
            esc(&shown(&c.estimate)),
            c.verdict.map(verdict).unwrap_or_default(),
            c.more_seeds.map(grouped).unwrap_or_default(),
            share(c.fallbacks[0], c.decisions[0]),
            share(c.fallbacks[1], c.decisions[1]),
        ]
    };
    let head = [
        "against",
        "#rounds",
        "#seeds",
        "mean [interval]",
        "verdict",
        "#more seeds",
        "#fallbacks",
        "#theirs",
    ];
    let mut out = format!(
        "## Cells\n\nMean settlement of the candidate a round over all its seats, lone among opponents and with one \
         lone opponent pooled (N matches with one seat, N with N-1); the seed is the unit.\n\n{}",
        table(&head, cells.iter().map(row))
    );
    let metric = |v: Option<i64>| v.map_or_else(|| "undefined".to_owned(), |v| fixed(v, 4));
    let metrics: Vec<Vec<String>> = cells
        .iter()
        .flat_map(|c| {
            c.metrics.iter().map(|(name, a, b)| {
                vec![
                    esc(&c.opponent),
                    c.rounds.to_string(),
                    esc(name),
                    metric(*a),
                    metric(*b),
                ]
            })
        })
        .collect();
    if !metrics.is_empty() {
        out += "Secondary metrics, a seat-round:\n\n";
        out += &table(
            &["against", "#rounds", "metric", "#candidate", "#opponent"],
            metrics,
        );
    }
    out
}

fn ablations(list: &[Ablation]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let row = |a: &Ablation| {
        let pairing = if a.pairing == Pairing::Unpaired {
            " (unpaired)"
        } else {
            ""
        };
        vec![
            esc(&a.name),
            format!("{}{pairing}", esc(&shown(&a.estimate))),
            a.adjusted_p_ppm
                .map_or_else(|| "undefined".to_owned(), |p| esc(&p_value(p))),
            esc(&a.flags.join(", ")),
        ]
    };
    let head = [
        "switched off",
        "difference [interval]",
        "#p (Holm)",
        "noticed",
    ];
    format!("## Ablations\n\n{}", table(&head, list.iter().map(row)))
}

fn tuning(t: &Tuning) -> String {
    let gain = t.end_micro.saturating_sub(t.start_micro);
    let mut out = format!(
        "## Tuning\n\n{} points tried in {} sweeps on {} seeds of {} rounds, {} moves taken; the objective went from {} \
         to {} points a round. **The tuned gain of {} overstates by selection**: it was measured on the seeds that \
         chose the candidate. What counts is the gain on fresh seeds.\n\n",
        t.evaluations,
        t.sweeps,
        grouped(t.seeds),
        t.rounds,
        t.accepted,
        fixed(t.start_micro, 3),
        fixed(t.end_micro, 3),
        fixed(gain, 3),
    );
    if !t.opponents.is_empty() {
        let rows = t.opponents.iter().map(|o| {
            vec![
                esc(&o.name),
                o.share.to_string(),
                fixed(o.start_micro, 3),
                fixed(o.end_micro, 3),
            ]
        });
        out += &table(
            &["pool", "#share", "#before", "#after (tuning seeds)"],
            rows,
        );
    }
    out
}

/// A knob's change in steps of the search: `+3 steps`.
pub(crate) fn change(k: &Knob) -> String {
    let moved = k.value.saturating_sub(k.start);
    if k.step > 0 && moved % k.step == 0 {
        let steps = moved / k.step;
        return format!("{steps:+} step{}", if steps.abs() == 1 { "" } else { "s" });
    }
    format!("{}{}", if moved > 0 { "+" } else { "" }, milli(moved))
}

fn knobs(knobs: &[Knob]) -> String {
    if knobs.is_empty() {
        return String::new();
    }
    let rows = knobs.iter().map(|k| {
        vec![
            esc(&k.name),
            milli(k.start),
            milli(k.value),
            if k.value == k.start {
                "=".to_owned()
            } else {
                change(k)
            },
            format!("{} to {}", milli(k.low), milli(k.high)),
            esc(&k.flags.join(", ")),
        ]
    });
    let head = ["knob", "#before", "#now", "#change", "#allowed", "noticed"];
    format!("## Knobs\n\n{}", table(&head, rows))
}

fn responses(input: &ReportInput) -> String {
    if input.responses.is_empty() {
        return String::new();
    }
    let rows = input.responses.iter().map(|r| {
        let mut points = r.points.clone();
        points.sort_by_key(|p| p.value);
        let each = points.iter().map(|p| {
            let text = format!(
                "{}: {}",
                milli(p.value),
                supported(p.difference_micro, p.interval_micro)
            );
            if p.accepted {
                format!("**{text}**")
            } else {
                text
            }
        });
        vec![
            esc(&r.knob),
            each.collect::<Vec<_>>().join("; "),
            esc(&r.flags.join(", ")),
        ]
    });
    format!(
        "## Response of each knob\n\nDifference to the point then current, on the tuning seeds; bold: taken.\n\n{}",
        table(&["knob", "value: points a round", "noticed"], rows)
    )
}

fn curves(input: &ReportInput) -> String {
    if input.curves.is_empty() {
        return String::new();
    }
    let percent = |ppm: i64| fixed(ppm.saturating_mul(100), 1);
    let rows = input.curves.iter().map(|c| {
        let worst = c
            .points
            .iter()
            .max_by_key(|p| (p.happened_ppm.abs_diff(p.believed_ppm), p.believed_ppm));
        let worst = worst.map(|p| {
            let cases = grouped(p.count);
            format!(
                "{} % believed, {} % happened ({cases} cases)",
                percent(p.believed_ppm),
                percent(p.happened_ppm)
            )
        });
        vec![
            esc(&c.name),
            c.points.len().to_string(),
            worst.unwrap_or_default(),
            esc(&c.note),
        ]
    });
    format!(
        "## Reliability\n\n{}",
        table(
            &["question", "#levels", "farthest from the diagonal", "note"],
            rows
        )
    )
}

fn positions(input: &ReportInput) -> String {
    if input.positions.is_empty() {
        return String::new();
    }
    let found = input.positions_found.max(input.positions.len() as u64);
    let mut out = format!(
        "## Positions played differently\n\n{} of {} shown.\n\n",
        input.positions.len(),
        grouped(found)
    );
    input.positions.iter().for_each(|p| out += &position(p));
    out
}

pub(crate) fn position(p: &Position) -> String {
    let gain = p
        .gain
        .map(|g| format!(" ({g:+} points in that round)"))
        .unwrap_or_default();
    let mut out = format!("### {}{gain}\n\n", esc(&p.place));
    for (name, value) in &p.fields {
        let _ = writeln!(out, "- {}: {}", esc(name), esc(value));
    }
    let _ = writeln!(
        out,
        "- **candidate: {}**; incumbent: {}\n",
        esc(&p.candidate),
        esc(&p.incumbent)
    );
    out
}
