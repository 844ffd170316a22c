//! Everything but one knob or one stage.

use super::ALPHA_PPM;
use super::also::Also;
use crate::field::{Field, Played};
use crate::wall::Stopwatch;
use evenhand_contract::{Border, Milli, Policy};
use evenhand_sim::{Control, Execution, Exploration, RunError, Seeds, a_sums};
use evenhand_stats::{
    Alpha, Estimate, Tail, differences, holm, mean_estimate, seeds_to_settle, t_test_p_ppm,
};
use serde::Serialize;

/// What was taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// A knob, set to zero (or as near as its bounds allow).
    Knob,
    /// A rule stage, switched off.
    Stage,
    /// A variant that was asked for: knobs set and stages switched off together.
    Also,
}

/// Why a difference is exactly zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unchanged {
    /// The knob stands there already; nothing was played.
    AlreadyThere,
    /// Along the full policy's play on all seeds it decides alike everywhere, so it would play the
    /// same rounds; nothing was played.
    SameMoves,
}

/// What a line came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// Without it the policy is weaker: it carries weight.
    Carries,
    /// Without it the policy is stronger: it harms.
    Harms,
    /// Neither is shown.
    Inconclusive,
    /// No decision changed.
    NoDecisionChanged,
}

/// A paired difference, first minus second, with its p value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Effect {
    /// Mean in millionths of a point a round, interval and spread over seeds.
    pub estimate: Estimate,
    /// Two-sided p value in ppm, of this line alone; undefined below two seeds.
    pub p_ppm: Option<u32>,
    /// The same, Holm-corrected over the list.
    pub holm_ppm: Option<u32>,
}

impl Effect {
    /// The difference of two lists over the same seeds. The corrected p value is filled in by
    /// [`correct`].
    pub(super) fn of(variant: &[i64], full: &[i64], whole: i64) -> Self {
        // Settlements of equal runs over equal seeds: the lengths agree and the numbers are small.
        let values = differences(variant, full).unwrap_or_default();
        Self {
            estimate: mean_estimate(&values, whole, ALPHA_PPM),
            p_ppm: t_test_p_ppm(&values, Tail::Both),
            holm_ppm: None,
        }
    }

    /// Whether it is shown, after correction, that the difference is not zero.
    #[must_use]
    pub fn shown(&self) -> bool {
        self.holm_ppm.is_some_and(|p| p <= ALPHA_PPM)
    }
}

/// Fills in the corrected p values of a list of tests.
pub(super) fn correct(effects: &mut [&mut Effect]) {
    let raw: Vec<Option<u32>> = effects.iter().map(|e| e.p_ppm).collect();
    for (effect, adjusted) in effects.iter_mut().zip(holm(&raw)) {
        effect.holm_ppm = adjusted;
    }
}

/// The policy without one thing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// Knob, stage, or a variant that was asked for.
    pub what: What,
    /// Its name; that of a variant is what was asked for.
    pub name: String,
    /// The knob's value in the full policy, in thousandths.
    pub value: Option<Milli>,
    /// The value that it was set to; 0 where that is within its bounds.
    pub set_to: Option<Milli>,
    /// Why nothing changed, if nothing did.
    pub unchanged: Option<Unchanged>,
    /// Variant minus full over the pool's mixture.
    pub difference: Effect,
    /// The same against each opponent apart; not corrected.
    pub by_opponent: Vec<Estimate>,
    /// The variant's secondary metrics in millionths a seat-round, in the game's order.
    pub metrics_micro: Vec<i64>,
    /// What the line came to.
    pub finding: Finding,
    /// About how many more seeds would settle it, if the difference is what it looks like.
    pub more_seeds: Option<u64>,
    /// About how many seconds those would take here.
    pub more_seconds: Option<u64>,
}

/// A policy and itself without each knob and stage.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ablation {
    /// The full policy's mean settlement a round over the pool's mixture.
    pub full: Estimate,
    /// Its secondary metrics in millionths a seat-round, in the game's order.
    pub metrics_micro: Vec<i64>,
    /// One line a knob and stage, the most harmful loss first.
    pub lines: Vec<Line>,
    /// Whether fallbacks of every run are within bounds.
    pub valid: bool,
}

/// A variant before it is played.
pub(super) struct Variant<G: Border> {
    pub(super) what: What,
    pub(super) name: String,
    pub(super) value: Option<Milli>,
    pub(super) set_to: Option<Milli>,
    pub(super) policy: Policy<G>,
}

fn variants<G: Border>(policy: &Policy<G>) -> Vec<Variant<G>> {
    let row = policy.row;
    let knobs = row.knobs.iter().enumerate().filter_map(|(place, knob)| {
        let set_to = 0.clamp(knob.low, knob.high);
        let weights = policy.weights.with(row.knobs, place, set_to).ok()?;
        Some(Variant {
            what: What::Knob,
            name: knob.name.to_owned(),
            value: Some(policy.weights.values()[place]),
            set_to: Some(set_to),
            policy: Policy {
                weights,
                ..policy.clone()
            },
        })
    });
    let stages = row.stages.iter().enumerate().map(|(place, name)| Variant {
        what: What::Stage,
        name: (*name).to_owned(),
        value: None,
        set_to: None,
        policy: Policy {
            stages_off: policy.stages_off | 1 << place,
            ..policy.clone()
        },
    });
    knobs.chain(stages).collect()
}

/// Plays the full policy and every variant against the pool on the same seeds: each knob and stage
/// alone, and those that were asked for beside.
///
/// # Errors
/// When a match fails or the run is interrupted.
pub fn ablation<G: Border>(
    field: &Field<G>,
    policy: &Policy<G>,
    also: &[Also<G>],
    seeds: &Seeds<Exploration>,
    execution: &Execution,
    control: &mut dyn Control,
) -> Result<Ablation, RunError> {
    let watch = Stopwatch::start();
    let mut all = variants(policy);
    all.extend(also.iter().map(Also::variant));
    let there = |v: &Variant<G>| {
        v.policy.weights == policy.weights && v.policy.stages_off == policy.stages_off
    };
    let asked: Vec<Policy<G>> = all
        .iter()
        .filter(|v| !there(v))
        .map(|v| v.policy.clone())
        .collect();
    let (full, differs) = field.play_asking(policy, &asked, seeds, execution, control)?;
    let mut differs = differs.into_iter();
    let mut valid = full.valid();
    let mut runs = 1;
    let mut lines = Vec::new();
    for variant in all {
        let played = if there(&variant) {
            Err(Unchanged::AlreadyThere)
        } else if differs.next() == Some(false) {
            Err(Unchanged::SameMoves)
        } else {
            runs += 1;
            Ok(field.play(&variant.policy, seeds, execution, control)?)
        };
        valid &= played.as_ref().map_or(true, Played::valid);
        lines.push(line(
            field,
            &full,
            &variant,
            played.as_ref().map_err(|u| *u),
        ));
    }
    let mut tested: Vec<&mut Effect> = lines
        .iter_mut()
        .filter(|line| line.unchanged != Some(Unchanged::AlreadyThere))
        .map(|line| &mut line.difference)
        .collect();
    let tests = tested.len() as u32;
    correct(&mut tested);
    let millis_a_seed = watch.millis() / (runs * seeds.len() as u64).max(1);
    for line in &mut lines {
        judge(line, tests, millis_a_seed);
    }
    lines.sort_by_key(|line| {
        let idle = line.unchanged.is_some();
        (idle, line.difference.estimate.mean_micro)
    });
    Ok(Ablation {
        full: mean_estimate(&field.mixture(&full), field.whole(), ALPHA_PPM),
        metrics_micro: field.metrics(&full),
        lines,
        valid,
    })
}

fn line<G: Border>(
    field: &Field<G>,
    full: &Played,
    variant: &Variant<G>,
    played: Result<&Played, Unchanged>,
) -> Line {
    let unchanged = played.err();
    let played = played.unwrap_or(full);
    let (base, values) = (field.mixture(full), field.mixture(played));
    let apart = full.against.iter().zip(&played.against);
    Line {
        what: variant.what,
        name: variant.name.clone(),
        value: variant.value,
        set_to: variant.set_to,
        unchanged,
        difference: Effect::of(&values, &base, field.whole()),
        by_opponent: apart
            .map(|(full, variant)| {
                Effect::of(&a_sums(variant), &a_sums(full), field.seat_rounds()).estimate
            })
            .collect(),
        metrics_micro: field.metrics(played),
        finding: Finding::Inconclusive,
        more_seeds: None,
        more_seconds: None,
    }
}

/// Says what a line came to, and what it would take where it came to nothing.
fn judge(line: &mut Line, tests: u32, millis_a_seed: u64) {
    let difference = &line.difference;
    line.finding = if line.unchanged.is_some() {
        Finding::NoDecisionChanged
    } else if !difference.shown() {
        Finding::Inconclusive
    } else if difference.estimate.mean_micro < 0 {
        Finding::Carries
    } else {
        Finding::Harms
    };
    if line.finding == Finding::Inconclusive {
        line.more_seeds = more_seeds(difference, tests);
        // The full policy has to play them as well.
        let seconds = |seeds: u64| seeds.saturating_mul(2 * millis_a_seed).div_ceil(1_000);
        line.more_seconds = line.more_seeds.map(seconds);
    }
}

/// About how many more seeds would show, with a chance of 80 %, which side of zero a difference
/// is on, as one of so many two-sided tests.
pub(super) fn more_seeds(difference: &Effect, tests: u32) -> Option<u64> {
    let alpha = Alpha::from_ppm(ALPHA_PPM / 2 / tests.max(1));
    let more = seeds_to_settle(&difference.estimate, 0, alpha, 800_000)?;
    Some(more.max(1))
}
