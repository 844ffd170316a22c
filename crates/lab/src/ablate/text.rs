//! Ablations and sweeps for people.

use super::{Ablation, Finding, Flag, Sweep, Unchanged, What};
use crate::field::Field;
use crate::wall::minutes;
use evenhand_contract::Border;
use evenhand_stats::{Estimate, fixed, shown, supported_decimals};
use std::fmt::Write;

/// A difference with the digits that its interval supports; exactly zero is said as such.
fn difference(estimate: &Estimate) -> String {
    match (estimate.mean_micro, estimate.interval_micro) {
        (0, Some((0, 0))) => "0 exactly".to_owned(),
        _ => shown(estimate),
    }
}

fn p_text(p_ppm: Option<u32>) -> String {
    match p_ppm {
        None => "-".to_owned(),
        Some(p) if p < 1_000 => "< 0.001".to_owned(),
        Some(p) => fixed(p.into(), 3),
    }
}

fn more(seeds: Option<u64>, seconds: Option<u64>) -> String {
    match (seeds, seconds) {
        (Some(seeds), Some(seconds)) => {
            format!("{seeds} more seeds would settle it ({})", minutes(seconds))
        }
        _ => "no number of seeds in reach would settle it".to_owned(),
    }
}

pub(super) fn ablation<G: Border>(field: &Field<G>, head: &str, found: &Ablation) -> String {
    let mut out = format!(
        "{head}full policy: {} points a round\n\n",
        shown(&found.full)
    );
    let _ = writeln!(
        out,
        "{:<24}{:>8}  {:<28}{:>9}  finding",
        "without", "weight", "difference (95 %)", "p (Holm)"
    );
    for line in &found.lines {
        let name = match line.what {
            What::Knob => line.name.clone(),
            What::Stage => format!("stage {}", line.name),
            What::Also => format!("also {}", line.name),
        };
        let weight = line.value.map_or("-".to_owned(), |v| fixed(v * 1_000, 3));
        let finding = match (line.finding, line.unchanged) {
            (_, Some(Unchanged::AlreadyThere)) => {
                "no decision changed: it stands there already".to_owned()
            }
            (_, Some(Unchanged::SameMoves)) => {
                format!("no decision changed on {} seeds", found.full.n)
            }
            (Finding::Carries, _) => "carries: weaker without it".to_owned(),
            (Finding::Harms, _) => "harms: stronger without it".to_owned(),
            _ if line.difference.estimate.interval_micro == Some((0, 0)) => {
                "inconclusive: moves changed, but no seed's sum did".to_owned()
            }
            _ => format!("inconclusive; {}", more(line.more_seeds, line.more_seconds)),
        };
        let _ = writeln!(
            out,
            "{name:<24}{weight:>8}  {:<28}{:>9}  {finding}",
            difference(&line.difference.estimate),
            p_text(line.difference.holm_ppm),
        );
        if let Some(set_to) = line.set_to.filter(|&v| v != 0) {
            let _ = writeln!(
                out,
                "{:<24}          set to {}: zero is out of its bounds",
                "",
                fixed(set_to * 1_000, 3)
            );
        }
    }
    let _ = writeln!(
        out,
        "\nagainst each opponent apart, and secondary metrics a seat-round:"
    );
    let mut heads: Vec<String> = field.pool.iter().map(|o| o.name.clone()).collect();
    heads.extend(G::METRICS.iter().map(|m| m.name.to_owned()));
    let widths: Vec<usize> = heads.iter().map(|h| h.len().max(8) + 2).collect();
    let mut row = |name: &str, cells: &[String]| {
        let _ = write!(out, "{name:<24}");
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(out, "{cell:>width$}");
        }
        out.push('\n');
    };
    row("", &heads);
    let metrics = |micro: &[i64]| micro.iter().map(|&m| fixed(m, 3)).collect::<Vec<_>>();
    let mut cells = vec![String::new(); field.pool.len()];
    cells.extend(metrics(&found.metrics_micro));
    row("full policy", &cells);
    for line in found.lines.iter().filter(|line| line.unchanged.is_none()) {
        let apart = line.by_opponent.iter().map(|e| {
            let places = supported_decimals(e.interval_micro);
            fixed(e.mean_micro, places)
        });
        let mut cells: Vec<String> = apart.collect();
        cells.extend(metrics(&line.metrics_micro));
        row(&line.name, &cells);
    }
    if !found.valid {
        out.push_str("\nINVALID: too many decisions fell back; these numbers say nothing\n");
    }
    out
}

pub(super) fn sweep(head: &str, found: &Sweep) -> String {
    let mut out = format!(
        "{head}{} from {} to {}, now {}\n\n",
        found.knob,
        fixed(found.bounds.0 * 1_000, 3),
        fixed(found.bounds.1 * 1_000, 3),
        fixed(found.present * 1_000, 3)
    );
    let _ = writeln!(
        out,
        "{:>10}  {:<28}{:<30}{:>9}",
        "value", "payoff (95 %)", "difference to now (95 %)", "p (Holm)"
    );
    for point in &found.points {
        let mark = match (point.value == found.present, point.value == found.best) {
            (true, true) => "  <- now, best",
            (true, false) => "  <- now",
            (false, true) => "  <- best",
            _ if point.same_moves => "  no decision changed",
            _ => "",
        };
        let _ = writeln!(
            out,
            "{:>10}  {:<28}{:<30}{:>9}{mark}",
            fixed(point.value * 1_000, 3),
            shown(&point.payoff),
            difference(&point.difference.estimate),
            p_text(point.difference.holm_ppm),
        );
    }
    let _ = writeln!(
        out,
        "\nfrom {} to {} nothing is shown to differ from the present value",
        fixed(found.level.0 * 1_000, 3),
        fixed(found.level.1 * 1_000, 3)
    );
    for flag in &found.flags {
        out.push_str(&match flag {
            Flag::NoDecisionChanged => "no decision changed: nothing reads this knob here\n".into(),
            Flag::Flat => format!(
                "flat: no value is shown to differ from the present one; {}\n",
                more(found.more_seeds, found.more_seconds)
            ),
            Flag::AtBound => "at bound: the best value is an end of the range\n".to_owned(),
            Flag::StepAtZeroOnly => {
                "step at zero only: all values of one sign do as well as each other, so the weight \
                 acts as a tie-break\n"
                    .to_owned()
            }
        });
    }
    if !found.valid {
        out.push_str("INVALID: too many decisions fell back; these numbers say nothing\n");
    }
    out
}
