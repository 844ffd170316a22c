//! An audit for people.

use crate::{Audit, Behaviour, ErrorTable};
use evenhand_contract::Fit;
use evenhand_stats::Band;
use std::fmt::Write;

/// ppm as a decimal fraction.
pub(super) fn decimal(ppm: u64) -> String {
    format!("{}.{:06}", ppm / 1_000_000, ppm % 1_000_000)
}

/// ppm as a decimal fraction of three digits, rounded half up.
fn short(ppm: u64) -> String {
    let thousandths = (ppm + 500) / 1_000;
    format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000)
}

/// The audit, after a line that says what was audited.
pub(super) fn audit(head: &str, audit: &Audit, samples: u32, fit: Fit) -> String {
    let mut out = head.to_owned();
    if fit == Fit::ReDeals {
        model(&mut out, audit, samples);
    }
    behaviour(&mut out, audit);
    reliability(&mut out, audit);
    out
}

fn model(out: &mut String, audit: &Audit, samples: u32) {
    let _ = writeln!(
        out,
        "Model error: believed against {samples} re-deals of each situation ({} rounds played).\n\
         `noise` is the mean error that a perfect belief would show; `sd` that of the worst situation.\n",
        audit.rounds
    );
    for (title, table) in [
        (
            "all situations",
            (|k| &k.all) as fn(&crate::KindAudit) -> &ErrorTable,
        ),
        ("open ones, 0.02 < p < 0.98", |k| &k.open),
    ] {
        let _ = writeln!(
            out,
            "{title:28} {:>6}  {:>8} {:>8}  {:>8} {:>8} {:>8}  {:>8}",
            "count", "raw mean", "raw max", "cal mean", "cal max", "sd", "noise"
        );
        for kind in &audit.kinds {
            let table = table(kind);
            let exact = if kind.exact { " (exact)" } else { "" };
            let _ = writeln!(
                out,
                "{:28} {:>6}  {:>8} {:>8}  {:>8} {:>8} {:>8}  {:>8}",
                format!("  {}{exact}", kind.kind),
                table.situations,
                decimal(table.raw.mean_ppm),
                decimal(table.raw.max_ppm),
                decimal(table.calibrated.mean_ppm),
                decimal(table.calibrated.max_ppm),
                decimal(table.calibrated.max_noise_sd_ppm),
                decimal(table.noise_ppm),
            );
        }
        out.push('\n');
    }
    out.push_str("The most wrong belief of each kind:\n");
    for kind in &audit.kinds {
        let Some(worst) = &kind.worst else {
            let _ = writeln!(out, "  {}: none is wrong", kind.kind);
            continue;
        };
        let _ = writeln!(
            out,
            "  {}: {} believed, {} true: {}, asked about by seat {} in round {} on {}",
            kind.kind,
            short(worst.believed_ppm),
            short(worst.true_ppm),
            worst.question,
            worst.seat,
            worst.round,
            worst.view,
        );
    }
    for kind in audit.kinds.iter().filter(|kind| kind.later > 0) {
        let _ = writeln!(
            out,
            "  {}: {} situations hang on later play and are judged below only",
            kind.kind, kind.later
        );
    }
    out.push('\n');
}

fn behaviour(out: &mut String, audit: &Audit) {
    out.push_str(
        "Behaviour: what was believed in play against what came true.\n\
         Brier scores: of the raw output, of the beliefs, and after an ideal recalibration.\n\n",
    );
    let _ = writeln!(
        out,
        "{:28} {:>9} {:>9}  {:>8} {:>8}  {:>8} {:>8} {:>8}",
        "kind", "count", "no answer", "believed", "happened", "raw", "beliefs", "ideal"
    );
    for kind in &audit.kinds {
        line(out, kind.kind, &kind.behaviour);
        if let Some(staked) = &kind.staked {
            line(out, &format!("{}, declared", kind.kind), staked);
        }
    }
}

fn line(out: &mut String, name: &str, b: &Behaviour) {
    let score = |ppm: Option<u32>| ppm.map_or("-".to_owned(), |p| decimal(p.into()));
    let _ = writeln!(
        out,
        "{:28} {:>9} {:>9}  {:>8} {:>8}  {:>8} {:>8} {:>8}",
        format!("  {name}"),
        b.predictions,
        b.unanswered,
        decimal(b.believed_ppm),
        decimal(b.happened_ppm),
        score(b.raw_brier_ppm),
        score(b.reliability.brier_ppm),
        score(b.reliability.recalibrated_ppm),
    );
}

/// The share of a kind's predictions, in percent, that a level must hold to be shown.
const SHOWN_PERCENT: u64 = 2;

/// The reliability curves: levels of the isotonic fit with their bands, the large ones.
fn reliability(out: &mut String, audit: &Audit) {
    let _ = writeln!(
        out,
        "\nReliability by isotonic fit, 95 % bands; levels that hold at least {SHOWN_PERCENT} % of a \
         kind's predictions\n(--json has all). `off`: the level's mean belief lies outside its band."
    );
    for kind in &audit.kinds {
        let curve = &kind.behaviour.reliability;
        let large = |band: &&Band| band.step.weight * 100 >= curve.count * SHOWN_PERCENT;
        let off =
            |band: &Band| band.believed_ppm < band.low_ppm || band.believed_ppm > band.high_ppm;
        let astray: u64 = (curve.bands.iter())
            .filter(|band| off(band))
            .map(|band| band.step.weight)
            .sum();
        let _ = writeln!(
            out,
            "\n{}: {} levels; off are those of {astray} of {} predictions",
            kind.kind,
            curve.bands.len(),
            curve.count
        );
        if curve.bands.is_empty() {
            continue;
        }
        let _ = writeln!(
            out,
            "  {:>17} {:>9}  {:>9}  {:>8}  {:>17}",
            "believed", "mean", "count", "happened", "band"
        );
        for band in curve.bands.iter().filter(large) {
            let belief = |ppm: i64| short(ppm.unsigned_abs());
            let _ = writeln!(
                out,
                "  {:>17} {:>9}  {:>9}  {:>8}  {:>17}{}",
                format!(
                    "{} to {}",
                    belief(band.step.x_low),
                    belief(band.step.x_high)
                ),
                short(band.believed_ppm.into()),
                band.step.weight,
                short(band.rate_ppm.into()),
                format!(
                    "{} to {}",
                    short(band.low_ppm.into()),
                    short(band.high_ppm.into())
                ),
                if off(band) { "  off" } else { "" },
            );
        }
    }
}
