//! `report.html`: one page, no script, nothing fetched; light and dark, narrow and wide.

use crate::input::{Ablation, Cell, Knob, Position, ReportInput, Tuning};
use crate::text::{grouped, html as esc, mark, milli, p_value, share};
use crate::{chart, tiles};
use evenhand_artifact::Verdict;
use evenhand_stats::{Pairing, fixed, shown, supported};
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");
/// What the page may load: nothing. Its own style is inline.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The end of every page.
pub(crate) const CLOSING: &str = "</main>\n</body>\n</html>\n";

/// A page up to its heading.
pub(crate) fn opening(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <main>\n<h1>{title}</h1>\n",
        title = esc(title)
    )
}

pub(crate) fn render(input: &ReportInput) -> String {
    let mut page = opening(&input.title);
    if let Some(verdict) = input.verdict {
        let _ = writeln!(page, "<p>{}</p>", badge(verdict));
    }
    if let Some(headline) = &input.headline {
        let _ = writeln!(page, "<p class=\"headline\">{}</p>", esc(headline));
    }
    if let Some(warning) = &input.warning {
        let _ = writeln!(
            page,
            "<p class=\"warning\" role=\"alert\">{}</p>",
            esc(warning)
        );
    }
    if !input.facts.is_empty() {
        let rows = input
            .facts
            .iter()
            .map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>\n", esc(name), esc(value)));
        let _ = writeln!(
            page,
            "<dl class=\"facts\">\n{}</dl>",
            rows.collect::<String>()
        );
    }
    for part in [
        gates(input),
        cells(&input.cells),
        ablations(&input.ablations),
        tuning(input),
        knobs(&input.knobs),
        responses(input),
        curves(input),
        positions(input),
    ] {
        page += &part;
    }
    if !input.notes.is_empty() {
        page += "<h2>Notes</h2>\n";
        for note in &input.notes {
            let _ = writeln!(page, "<p>{}</p>", esc(note));
        }
    }
    page + CLOSING
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "good",
        Verdict::Fails | Verdict::Invalid => "bad",
        Verdict::Inconclusive => "open",
    }
}

pub(crate) fn badge(verdict: Verdict) -> String {
    format!(
        "<span class=\"badge {}\">{} {}</span>",
        class(verdict),
        mark(verdict),
        verdict.name()
    )
}

/// A table; a heading that begins with `#` is a column of numbers, one with `=` a column whose texts do not break.
/// Cells are HTML.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let class = |i: usize| match head[i].as_bytes().first() {
        Some(b'#') => " class=\"n\"",
        Some(b'=') => " class=\"k\"",
        _ => "",
    };
    let mut out = "<div class=\"scroll\"><table class=\"words\">\n<thead><tr>".to_owned();
    for (i, name) in head.iter().enumerate() {
        let name = esc(name.trim_start_matches(['#', '=']));
        let _ = write!(out, "<th scope=\"col\"{}>{name}</th>", class(i));
    }
    out += "</tr></thead>\n<tbody>\n";
    for row in rows {
        out += "<tr>";
        for (i, cell) in row.iter().enumerate() {
            let _ = write!(out, "<td{}>{cell}</td>", class(i));
        }
        out += "</tr>\n";
    }
    out + "</tbody>\n</table></div>\n"
}

/// A picture beside its table where the page is wide, above it where it is narrow.
fn pair(figure: &str, table: &str) -> String {
    format!("<div class=\"pair\">\n{figure}<div>{table}</div></div>\n")
}

fn figure(small: bool, heading: Option<&str>, svg: &str, caption: &str) -> String {
    let heading = heading
        .map(|h| format!("<h3>{}</h3>", esc(h)))
        .unwrap_or_default();
    let caption = if caption.is_empty() {
        String::new()
    } else {
        format!("<figcaption>{}</figcaption>", esc(caption))
    };
    let small = if small { " class=\"small\"" } else { "" };
    format!("<figure{small}>{heading}{svg}{caption}</figure>\n")
}

fn gates(input: &ReportInput) -> String {
    if input.gates.is_empty() {
        return String::new();
    }
    let rows = input
        .gates
        .iter()
        .map(|g| vec![esc(&g.name), badge(g.verdict), esc(&g.reason)]);
    format!(
        "<h2>Gates</h2>\n{}",
        table(&["gate", "verdict", "why"], rows)
    )
}

/// What would settle an inconclusive cell.
fn more(c: &Cell) -> String {
    c.more_seeds
        .map(|n| format!("<br>{} more seeds", grouped(n)))
        .unwrap_or_default()
}

fn cells(cells: &[Cell]) -> String {
    let rows = cells.iter().map(|c| chart::Row {
        label: format!("{}, {} rounds", c.opponent, c.rounds),
        estimate: c.estimate,
        verdict: c.verdict,
        margin_micro: c.margin_micro,
    });
    let title = "Held-out settlement a round by cell";
    let Some(plot) = chart::forest("cells", title, &rows.collect::<Vec<_>>(), false) else {
        return String::new();
    };
    let mut out =
        "<h2>Cells</h2>\n<p>Mean settlement of the candidate a round over all its seats, lone among opponents and with \
         one lone opponent pooled (N matches with one seat, N with N-1); the seed is the unit.</p>\n"
        .to_owned();
    let plot = figure(
        false,
        None,
        &plot,
        "Dashed: the margin to stay above, where it is not zero.",
    );
    let row = |c: &Cell| {
        vec![
            esc(&c.opponent),
            c.rounds.to_string(),
            grouped(c.estimate.n),
            esc(&shown(&c.estimate)),
            c.verdict.map(badge).unwrap_or_default() + &more(c),
            esc(&share(c.fallbacks[0], c.decisions[0])),
            esc(&share(c.fallbacks[1], c.decisions[1])),
        ]
    };
    let head = [
        "against",
        "#rounds",
        "#seeds",
        "=mean [interval]",
        "verdict",
        "#fallbacks",
        "#theirs",
    ];
    out += &pair(&plot, &table(&head, cells.iter().map(row)));
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
        let body = table(
            &["against", "#rounds", "metric", "#candidate", "#opponent"],
            metrics,
        );
        let _ = write!(
            out,
            "<details><summary>Secondary metrics, a seat-round</summary>\n{body}</details>\n"
        );
    }
    out
}

fn ablations(list: &[Ablation]) -> String {
    // A bar is red when its absence is shown to hurt after the correction for the whole list.
    let judged = |a: &Ablation| match a.adjusted_p_ppm {
        Some(p) if p <= 50_000 && a.estimate.mean_micro < 0 => Some(Verdict::Fails),
        Some(p) if p <= 50_000 && a.estimate.mean_micro > 0 => Some(Verdict::Holds),
        _ => None,
    };
    let rows = list.iter().map(|a| chart::Row {
        label: a.name.clone(),
        estimate: a.estimate,
        verdict: judged(a),
        margin_micro: 0,
    });
    let title = "Difference to the full policy with one part switched off";
    let Some(plot) = chart::forest("ablations", title, &rows.collect::<Vec<_>>(), true) else {
        return String::new();
    };
    let row = |a: &Ablation| {
        let pairing = if a.pairing == Pairing::Unpaired {
            " (unpaired)"
        } else {
            ""
        };
        vec![
            esc(&a.name),
            esc(&format!("{}{pairing}", shown(&a.estimate))),
            a.adjusted_p_ppm
                .map_or_else(|| "undefined".to_owned(), |p| esc(&p_value(p))),
            esc(&a.flags.join(", ")),
        ]
    };
    let head = [
        "switched off",
        "=difference [interval]",
        "#p (Holm)",
        "noticed",
    ];
    format!(
        "<h2>Ablations</h2>\n{}",
        pair(
            &figure(false, None, &plot, ""),
            &table(&head, list.iter().map(row))
        )
    )
}

fn tuning(input: &ReportInput) -> String {
    let caption = "Filled: taken as the current point. Hollow: tried and left.";
    let plot = chart::trajectory("trajectory", &input.moves)
        .map(|plot| figure(false, None, &plot, caption));
    match (&input.tuning, plot) {
        (None, None) => String::new(),
        (None, Some(plot)) => format!("<h2>Tuning</h2>\n{plot}"),
        (Some(t), plot) => {
            let (text, pool) = tuning_text(t);
            format!(
                "<h2>Tuning</h2>\n{text}{}",
                pair(&plot.unwrap_or_default(), &pool)
            )
        }
    }
}

/// The sentence about the tuning, and the table of the pool.
fn tuning_text(t: &Tuning) -> (String, String) {
    let gain = t.end_micro.saturating_sub(t.start_micro);
    let text = format!(
        "<p>{} points tried in {} sweeps on {} seeds of {} rounds, {} moves taken; the objective went \
         from {} to {} points a round. <strong>The tuned gain of {} overstates by selection</strong>: it was measured \
         on the seeds that chose the candidate. What counts is the gain on fresh seeds.</p>\n",
        t.evaluations,
        t.sweeps,
        grouped(t.seeds),
        t.rounds,
        t.accepted,
        fixed(t.start_micro, 3),
        fixed(t.end_micro, 3),
        fixed(gain, 3),
    );
    if t.opponents.is_empty() {
        return (text, String::new());
    }
    let rows = t.opponents.iter().map(|o| {
        vec![
            esc(&o.name),
            o.share.to_string(),
            fixed(o.start_micro, 3),
            fixed(o.end_micro, 3),
        ]
    });
    (
        text,
        table(
            &["pool", "#share", "#before", "#after (tuning seeds)"],
            rows,
        ),
    )
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
                crate::markdown::change(k)
            },
            format!("{} to {}", milli(k.low), milli(k.high)),
            esc(&k.flags.join(", ")),
        ]
    });
    let head = ["knob", "#before", "#now", "#change", "#allowed", "noticed"];
    format!("<h2>Knobs</h2>\n{}", table(&head, rows))
}

fn responses(input: &ReportInput) -> String {
    if input.responses.is_empty() {
        return String::new();
    }
    let plots = input.responses.iter().enumerate().map(|(i, r)| {
        figure(
            true,
            Some(&r.knob),
            &chart::response(&format!("response-{i}"), r),
            &r.flags.join(", "),
        )
    });
    format!(
        "<h2>Response of each knob</h2>\n<p>What each value tried was worth on the tuning seeds, in points a round, \
         against the point that was current when it was tried; with paired intervals.</p>\n<div class=\"plots\">\n{}</div>\n",
        plots.collect::<String>()
    )
}

fn curves(input: &ReportInput) -> String {
    if input.curves.is_empty() {
        return String::new();
    }
    let drawn = input
        .curves
        .iter()
        .enumerate()
        .filter(|(_, c)| !c.points.is_empty());
    let plots = drawn.map(|(i, c)| {
        figure(
            true,
            Some(&c.name),
            &chart::curve(&format!("curve-{i}"), c),
            &c.note,
        )
    });
    let others: Vec<String> = input
        .curves
        .iter()
        .filter(|c| c.points.is_empty())
        .map(|c| format!("{} ({})", c.name, c.note))
        .collect();
    let others = if others.is_empty() {
        String::new()
    } else {
        format!("<p>Not drawn: {}.</p>\n", esc(&others.join(", ")))
    };
    format!(
        "<h2>Reliability</h2>\n<p>What the estimator believes against what happened; on the diagonal it is right.</p>\n\
         {others}<div class=\"plots\">\n{}</div>\n",
        plots.collect::<String>()
    )
}

fn positions(input: &ReportInput) -> String {
    if input.positions.is_empty() {
        return String::new();
    }
    let found = input.positions_found.max(input.positions.len() as u64);
    format!(
        "<h2>Positions played differently</h2>\n<p>{} of {} shown.</p>\n<div class=\"positions\">\n{}</div>\n",
        input.positions.len(),
        grouped(found),
        input.positions.iter().map(position).collect::<String>()
    )
}

pub(crate) fn position(p: &Position) -> String {
    let mut out = format!(
        "<section class=\"position\"><h3>{}</h3>",
        tiles::place(&p.place)
    );
    if let Some(gain) = p.gain {
        let class = if gain > 0 {
            "good"
        } else if gain < 0 {
            "bad"
        } else {
            "open"
        };
        let gain = supported(
            gain.saturating_mul(1_000_000),
            Some((-2_000_000, 2_000_000)),
        );
        let _ = write!(out, "<p class=\"{class}\">{gain} points in that round</p>");
    }
    out += "<dl>";
    let played = [("candidate", &p.candidate), ("incumbent", &p.incumbent)];
    let fields = p.fields.iter().map(|(name, text)| (name.as_str(), text));
    for (name, value) in fields.chain(played) {
        let _ = write!(out, "<dt>{}</dt><dd>{}</dd>", esc(name), tiles::html(value));
    }
    out + "</dl></section>\n"
}
