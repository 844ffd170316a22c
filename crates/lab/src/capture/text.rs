//! Captures for people.

use super::ask::{Choice, Reason, reasons};
use super::{Capture, CapturesDoc, Slow, SlowestDoc};
use evenhand_artifact::Value;
use evenhand_stats::{fixed, supported};
use std::fmt::Write;

/// A figure: ppm as a probability, anything else as it is.
fn figure(name: &str, value: Option<i64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(ppm) if name.ends_with("_ppm") => {
            let text = fixed(ppm, 3);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Some(value) => value.to_string(),
    }
}

fn told(reason: &Reason) -> String {
    let figure = |value| figure(&reason.name, value);
    format!(
        "{} of {}: {} by A, {} by B",
        reason.name,
        reason.decision,
        figure(reason.a),
        figure(reason.b)
    )
}

pub(super) fn captures(doc: &CapturesDoc) -> String {
    let mut out = format!(
        "# Positions that A and B play differently\n\n{}, {} players, ruleset {}, {} exploration \
         seeds from {} against each opponent, {} rounds a match\n\n- A: {}\n- B: {}\n\n",
        doc.game,
        doc.players,
        doc.ruleset,
        doc.seeds,
        doc.first_seed,
        doc.rounds,
        doc.a.played_by,
        doc.b.played_by
    );
    let _ = writeln!(
        out,
        "A took {} free decisions; B would have taken {} of them differently.",
        doc.decisions, doc.differing
    );
    if doc.differing == 0 {
        out.push_str("No decision differs.\n");
        return out;
    }
    let mean = super::loss::mean_loss_micro(doc.loss_sum, doc.differing);
    let interval = doc.loss_interval_micro.map(|[low, high]| (low, high));
    let _ = writeln!(
        out,
        "B's points minus A's from there on, a differing decision: {}{}.\n",
        with_interval(mean, interval),
        match (interval, doc.more_seeds) {
            (_, Some(more)) => format!("; open, about {more} more seeds would settle it"),
            (None, _) => String::new(),
            (Some((low, high)), _) if low <= 0 && 0 <= high =>
                "; open, and no number of seeds in reach would settle it".to_owned(),
            (Some((low, _)), _) if low > 0 => "; B does better there".to_owned(),
            _ => "; A does better there".to_owned(),
        }
    );
    let kept = doc.worst.len() + doc.best.len();
    for input in &doc.inputs {
        let _ = writeln!(
            out,
            "- `{}` differs at {} of the {kept} kept positions; the farthest: {}",
            input.name,
            input.positions,
            told(&input.largest)
        );
    }
    if doc.inputs.is_empty() {
        out.push_str("- no input differs at the kept positions: the weights alone do\n");
    }
    for (title, list) in [
        ("Where A lost most", &doc.worst),
        ("Where A gained most", &doc.best),
    ] {
        let _ = writeln!(out, "\n## {title}");
        for (place, capture) in list.iter().enumerate() {
            position(&mut out, place + 1, capture);
        }
        if list.is_empty() {
            out.push_str("\nnowhere\n");
        }
    }
    out
}

fn position(out: &mut String, number: usize, capture: &Capture) {
    let interval = capture
        .redealt_interval_micro
        .map(|[low, high]| (low, high));
    let _ = writeln!(
        out,
        "\n### {number}. A {} points, B {} points\n\nseed {}, arrangement {}, round {}, seat {}, \
         against {}; B's points minus A's over re-deals of the unseen cards: {}\n",
        capture.points_a,
        capture.points_b,
        capture.seed,
        capture.arrangement,
        capture.round,
        capture.seat,
        capture.against,
        with_interval(capture.redealt_loss_micro, interval),
    );
    view(out, &capture.view);
    if !capture.unseen.is_empty() {
        let _ = writeln!(out, "    {:<12} {}", "unseen", capture.unseen);
    }
    let _ = writeln!(out, "    {:<12} {}\n", "legal", capture.legal.join(", "));
    for (side, choice) in [("A", &capture.a), ("B", &capture.b)] {
        let stage = match (&choice.fallback, choice.stage.as_str()) {
            (Some(cause), _) => format!(" (fallback: {cause})"),
            (None, "") => String::new(),
            (None, stage) => format!(" (stage {stage})"),
        };
        let _ = writeln!(out, "- {side} plays `{}`{stage}", choice.decision);
    }
    table(out, &capture.a, &capture.b);
    let mut others = reasons(&capture.a.candidates, &capture.b.candidates);
    others.retain(|r| {
        let shown = r.decision == capture.a.decision || r.decision == capture.b.decision;
        !shown && figure(&r.name, r.a) != figure(&r.name, r.b)
    });
    others.sort_by_key(|reason| std::cmp::Reverse(reason.distance()));
    for reason in others.iter().take(OTHERS) {
        let _ = writeln!(out, "- {}", told(reason));
    }
}

/// How many differing inputs of choices that neither takes are told.
const OTHERS: usize = 6;

fn with_interval(micro: i64, interval: Option<(i64, i64)>) -> String {
    let mean = supported(micro, interval);
    match interval {
        Some((low, high)) => format!(
            "{mean} [{}, {}]",
            supported(low, interval),
            supported(high, interval)
        ),
        None => format!("{mean} (interval undefined)"),
    }
}

fn view(out: &mut String, view: &Value) {
    let Value::Object(fields) = view else { return };
    for (name, value) in fields {
        let text = match value {
            Value::Text(text) => text.clone(),
            Value::Int(n) => n.to_string(),
            Value::Bool(b) => b.to_string(),
            Value::List(items) => {
                let items = items.iter().map(|item| match item {
                    Value::Int(n) => n.to_string(),
                    Value::Text(text) => text.clone(),
                    other => format!("{other:?}"),
                });
                items.collect::<Vec<_>>().join(" ")
            }
            Value::Object(_) => format!("{value:?}"),
        };
        let _ = writeln!(out, "    {name:<12} {text}");
    }
}

/// The term tables, for the two decisions alone: what speaks for either.
fn table(out: &mut String, a: &Choice, b: &Choice) {
    let mut names: Vec<&str> = Vec::new();
    for weighed in a.candidates.iter().chain(&b.candidates) {
        for figure in weighed.terms.iter().chain(&weighed.facts) {
            if !names.contains(&figure.name.as_str()) {
                names.push(&figure.name);
            }
        }
    }
    if names.is_empty() {
        return;
    }
    let _ = write!(out, "\n| by | choice | total |");
    for name in &names {
        let _ = write!(out, " {name} |");
    }
    let _ = writeln!(out, "\n|---|---|---|{}", "---|".repeat(names.len()));
    for (side, choice) in [("A", a), ("B", b)] {
        for decision in [&a.decision, &b.decision] {
            let Some(weighed) = choice.candidates.iter().find(|w| w.decision == *decision) else {
                continue;
            };
            let _ = write!(out, "| {side} | {decision} | {} |", weighed.total);
            for name in &names {
                let mut figures = weighed.terms.iter().chain(&weighed.facts);
                let value = figures.find(|f| f.name == *name).map(|f| f.value);
                let _ = write!(out, " {} |", figure(name, value));
            }
            out.push('\n');
        }
    }
    out.push('\n');
}

pub(super) fn slowest(doc: &SlowestDoc) -> String {
    let mut out = format!(
        "# The slowest positions\n\n{}, {} players, ruleset {}; {}; {} free decisions\n",
        doc.game, doc.players, doc.ruleset, doc.a.played_by, doc.decisions
    );
    let mut list = |title: &str, slow: &[Slow]| {
        let _ = writeln!(out, "\n## {title}\n");
        for one in slow {
            let _ = writeln!(
                out,
                "{} work units, {} us, {} legal, plays `{}`",
                one.work,
                fixed(
                    i64::try_from(one.nanos)
                        .unwrap_or(i64::MAX)
                        .saturating_mul(1_000),
                    1
                ),
                one.legal,
                one.decision
            );
            view(&mut out, &one.view);
        }
    };
    list("By work units", &doc.by_work);
    list("By wall time on this machine", &doc.by_time);
    out
}
