//! How wrong an estimator is on fresh situations, raw and calibrated.

use crate::collect::{Situation, Source, Want, collect};
use crate::redeal::{NoJournal, Redeals, count_true};
use crate::{CalibrateError, Watch};
use evenhand_cli::load::simple_styles;
use evenhand_contract::{Border, Estimates, Fit, Json, PPM_ONE, Policy, Ppm, SeedId, Setup, Split};
use evenhand_stats::{Alpha, Reliability, ReliabilityPoint, brier_ppm, reliability};
use serde::Serialize;
use std::collections::BTreeMap;

/// Probabilities at which a situation counts as open: above 0.02 and below 0.98.
pub const OPEN: (i64, i64) = (20_000, 980_000);

/// What people choose about an audit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuditSettings {
    /// Seed of the exploration split, below 2^53.
    pub seed: u64,
    /// Situations of each kind, where play offers as many.
    pub situations: u32,
    /// Re-deals of each.
    pub samples: u32,
}

/// Absolute errors of one set of beliefs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Errors {
    /// Their mean, in ppm; 0 without situations.
    pub mean_ppm: u64,
    /// The largest, in ppm.
    pub max_ppm: u64,
    /// Standard deviation of the audit's own sampling noise at the situation with the largest
    /// error, in ppm.
    pub max_noise_sd_ppm: u64,
}

/// Errors over some situations, with the audit's own noise beside them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ErrorTable {
    /// Situations.
    pub situations: u64,
    /// Of the estimator's raw output, taken as ppm.
    pub raw: Errors,
    /// Of what the policy believed.
    pub calibrated: Errors,
    /// Mean absolute error that a perfect belief would show, in ppm: the expected size of the
    /// sampling noise of the re-deals, sqrt(2 p (1 - p) / (pi n)) for a situation whose answer was
    /// true in a share p of n re-deals.
    pub noise_ppm: u64,
}

/// What self-play says about the beliefs of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Behaviour {
    /// Predictions that met the truth.
    pub predictions: u64,
    /// Predictions whose round ended without an answer.
    pub unanswered: u64,
    /// Mean belief, in ppm.
    pub believed_ppm: u64,
    /// How often it came true, in ppm.
    pub happened_ppm: u64,
    /// Brier score of the raw output, in ppm.
    pub raw_brier_ppm: Option<u32>,
    /// Brier score of the beliefs, their recalibrated score, and the reliability curve.
    pub reliability: Reliability,
}

/// The situation in which a policy was most wrong, with all that is needed to see why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Worst {
    /// What was believed, in ppm.
    pub believed_ppm: u64,
    /// In how many of the re-deals it was true, in ppm.
    pub true_ppm: u64,
    /// The question, as the game writes it.
    pub question: String,
    /// Who asked.
    pub seat: u8,
    /// Round of the audit's play.
    pub round: u32,
    /// What the seat had seen.
    pub view: Json,
}

/// The audit of one kind of question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KindAudit {
    /// The kind.
    pub kind: &'static str,
    /// Whether its raw answer claims to be exact.
    pub exact: bool,
    /// How often it was asked.
    pub asked: u64,
    /// Situations whose answer the hidden hands alone do not hold, because it hangs on later play:
    /// re-deals cannot judge them, the behaviour half does.
    pub later: u64,
    /// Errors over all situations that re-deals can judge.
    pub all: ErrorTable,
    /// Errors over the situations that are open by their re-deals (see [`OPEN`]).
    pub open: ErrorTable,
    /// Where the policy was most wrong by the re-deals; `None` where it was never wrong.
    pub worst: Option<Worst>,
    /// Beliefs against what really was true.
    pub behaviour: Behaviour,
    /// The same for beliefs that the decision staked on; `None` where no decision did.
    pub staked: Option<Behaviour>,
}

/// An audit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Audit {
    /// Rounds played for it.
    pub rounds: u32,
    /// Every kind, in the game's order.
    pub kinds: Vec<KindAudit>,
}

/// Judges the beliefs of a policy on fresh situations from its play.
///
/// *Model* error: each situation is dealt afresh `samples` times; left out in a game whose maps are
/// fitted on what came true in play, since re-deals do not answer its questions. *Behaviour* error:
/// what was believed against what came true in that play, since nobody plays at random.
///
/// # Errors
/// When play fails, settings are out of range, or the run is interrupted.
pub fn audit<G: Estimates + Border>(
    setup: &Setup<G>,
    policy: &Policy<G>,
    settings: &AuditSettings,
    workers: usize,
    watch: &mut dyn Watch,
) -> Result<Audit, CalibrateError> {
    SeedId::number(settings.seed)?;
    let styles: Vec<Policy<G>> = simple_styles(&policy.maps).collect();
    let source = Source {
        setup,
        policy,
        styles: &styles,
        split: Split::Exploration,
        seed: settings.seed,
        workers,
    };
    let most = settings.situations as usize;
    let want = Want {
        most,
        least: most,
        least_rounds: settings.situations,
        most_rounds: settings.situations.saturating_mul(60),
        exact: true,
    };
    let mut collected = collect(&source, &want, watch)?;
    let mut later = Vec::with_capacity(collected.kinds.len());
    for kind in &mut collected.kinds {
        let all = kind.len();
        kind.retain(|s| {
            G::FIT == Fit::ReDeals && G::resolve(&s.state, s.seat, &s.question).is_some()
        });
        later.push((all - kind.len()) as u64);
    }
    let situations: Vec<_> = collected.kinds.iter().flatten().collect();
    let redeals = Redeals {
        split: Split::Exploration,
        seed: settings.seed,
        samples: settings.samples,
        workers,
    };
    let hits = match G::FIT {
        Fit::ReDeals => count_true(setup, &situations, &redeals, watch, &mut NoJournal)?,
        Fit::SelfPlay => Vec::new(),
    };
    let mut hits = hits.into_iter();
    let mut kinds = Vec::with_capacity(collected.kinds.len());
    for (kind, situations) in collected.kinds.iter().enumerate() {
        let judged: Vec<Judged> = situations
            .iter()
            .zip(hits.by_ref())
            .map(|(situation, hits)| Judged {
                raw: Ppm::clamped(situation.raw),
                believed: situation.believed,
                hits: hits.into(),
                samples: settings.samples.max(1).into(),
            })
            .collect();
        let open: Vec<Judged> = judged.iter().filter(|j| j.is_open()).copied().collect();
        kinds.push(KindAudit {
            kind: G::KINDS[kind],
            exact: G::is_exact(kind),
            asked: collected.asked[kind],
            later: later[kind],
            worst: worst(situations, &judged),
            all: error_table(&judged),
            open: error_table(&open),
            behaviour: collected.resolved[kind].behaviour(),
            staked: collected.staked[kind]
                .any()
                .then(|| collected.staked[kind].behaviour()),
        });
    }
    Ok(Audit {
        rounds: collected.rounds,
        kinds,
    })
}

/// The situation with the largest error of the beliefs; of equal ones the first.
fn worst<G: Estimates + Border>(situations: &[Situation<G>], judged: &[Judged]) -> Option<Worst> {
    let wrong = |j: &Judged| j.error(j.believed);
    let most = judged.iter().map(wrong).max().filter(|&most| most > 0)?;
    let place = judged.iter().position(|j| wrong(j) == most)?;
    let (situation, judged) = (situations.get(place)?, judged[place]);
    let view = G::view(&situation.state, situation.seat);
    Some(Worst {
        believed_ppm: judged.believed.get().unsigned_abs(),
        true_ppm: Ppm::ratio(judged.hits, judged.samples).get().unsigned_abs(),
        question: G::question_text(&situation.question),
        seat: situation.seat.0,
        round: situation.round(),
        view: G::view_json(&view),
    })
}

/// A situation with its truth.
#[derive(Clone, Copy)]
struct Judged {
    raw: Ppm,
    believed: Ppm,
    hits: u64,
    samples: u64,
}

impl Judged {
    fn is_open(&self) -> bool {
        let ppm = Ppm::ratio(self.hits, self.samples).get();
        OPEN.0 < ppm && ppm < OPEN.1
    }

    /// |belief - hits / samples|, in ppm times samples.
    fn error(&self, belief: Ppm) -> u64 {
        let truth = self.hits as i64 * PPM_ONE;
        (belief.get() * self.samples as i64 - truth).unsigned_abs()
    }

    /// Standard deviation of hits / samples in thousandths of a ppm:
    /// 10^9 sqrt(h (n - h) / n^3), rounded down.
    fn noise_sd(&self) -> u64 {
        let (h, n) = (u128::from(self.hits), u128::from(self.samples));
        let square = h * (n - h) * 10_u128.pow(18) / (n * n * n);
        square.isqrt() as u64
    }
}

fn error_table(judged: &[Judged]) -> ErrorTable {
    let count = judged.len() as u64;
    let errors = |belief: fn(&Judged) -> Ppm| {
        let error = |j: &Judged| j.error(belief(j));
        let weight: u64 = judged.iter().map(|j| j.samples).sum();
        let sum: u64 = judged.iter().map(error).sum();
        // All situations have as many re-deals, so the largest numerator is the largest error.
        let worst = judged.iter().max_by_key(|j| error(j));
        Errors {
            mean_ppm: rounded(sum, weight),
            max_ppm: worst.map_or(0, |j| rounded(error(j), j.samples)),
            max_noise_sd_ppm: worst.map_or(0, |j| rounded(j.noise_sd(), 1_000)),
        }
    };
    // E|x| of a normal x is sd sqrt(2 / pi), and sqrt(2 / pi) = 0.7978846.
    let noise: u128 = judged.iter().map(|j| u128::from(j.noise_sd())).sum();
    let mean_noise = noise * 7_978_846 / (u128::from(count.max(1)) * 10_000_000);
    ErrorTable {
        situations: count,
        raw: errors(|j| j.raw),
        calibrated: errors(|j| j.believed),
        noise_ppm: rounded(mean_noise as u64, 1_000),
    }
}

/// part / whole to nearest; 0 when whole is.
pub(crate) const fn rounded(part: u64, whole: u64) -> u64 {
    if whole == 0 {
        0
    } else {
        ((2 * part as u128 + whole as u128) / (2 * whole as u128)) as u64
    }
}

/// Predictions of one kind, counted by what was believed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolutions {
    /// By belief in ppm: predictions, and those that came true.
    believed: BTreeMap<u32, (u64, u64)>,
    /// The same by raw output, taken as ppm.
    raw: BTreeMap<u32, (u64, u64)>,
    unanswered: u64,
}

impl Resolutions {
    pub(crate) fn add(&mut self, raw: i64, believed: Ppm, truth: Option<bool>) {
        let Some(truth) = truth else {
            self.unanswered += 1;
            return;
        };
        let count = |at: &mut BTreeMap<u32, (u64, u64)>, ppm: Ppm| {
            let entry = at.entry(ppm.get() as u32).or_default();
            entry.0 += 1;
            entry.1 += u64::from(truth);
        };
        count(&mut self.believed, believed);
        count(&mut self.raw, Ppm::clamped(raw));
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.unanswered += other.unanswered;
        for (into, from) in [
            (&mut self.believed, other.believed),
            (&mut self.raw, other.raw),
        ] {
            for (ppm, (count, hits)) in from {
                let entry = into.entry(ppm).or_default();
                entry.0 += count;
                entry.1 += hits;
            }
        }
    }

    /// Whether there is anything to judge.
    pub(crate) fn any(&self) -> bool {
        self.unanswered > 0 || !self.believed.is_empty()
    }

    /// Answered predictions, and those that came true.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let counts = self.believed.values();
        counts.fold((0, 0), |sum, (count, hits)| (sum.0 + count, sum.1 + hits))
    }

    /// Sum of the beliefs of answered predictions, in ppm.
    pub(crate) fn believed_sum(&self) -> u64 {
        let sums = self.believed.iter();
        sums.map(|(&ppm, (count, _))| u64::from(ppm) * count).sum()
    }

    pub(crate) fn behaviour(&self) -> Behaviour {
        let points = |at: &BTreeMap<u32, (u64, u64)>| -> Vec<ReliabilityPoint> {
            let point = |(&believed_ppm, &(count, hits))| ReliabilityPoint {
                believed_ppm,
                count,
                hits,
            };
            at.iter().map(point).collect()
        };
        let believed = points(&self.believed);
        let (predictions, hits) = self.counts();
        let sum = self.believed_sum();
        Behaviour {
            predictions,
            unanswered: self.unanswered,
            believed_ppm: rounded(sum, predictions),
            happened_ppm: Ppm::ratio(hits, predictions).get() as u64,
            raw_brier_ppm: brier_ppm(&points(&self.raw)),
            reliability: reliability(&believed, Alpha::FIVE_PERCENT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(raw: i64, believed: i64, hits: u64) -> Judged {
        Judged {
            raw: Ppm::clamped(raw),
            believed: Ppm::clamped(believed),
            hits,
            samples: 400,
        }
    }

    #[test]
    fn errors_by_hand() {
        let table = error_table(&[
            judged(1_000_000, 500_000, 200),
            judged(0, 0, 0),
            judged(250_000, 260_000, 100),
            judged(250_000, 239_000, 100),
        ]);
        assert_eq!(table.situations, 4);
        assert_eq!((table.raw.mean_ppm, table.raw.max_ppm), (125_000, 500_000));
        assert_eq!(table.raw.max_noise_sd_ppm, 25_000);
        let calibrated = table.calibrated;
        assert_eq!((calibrated.mean_ppm, calibrated.max_ppm), (5_250, 11_000));
        // sd .025, 0, .02165, .02165; mean .017075 times .79788
        assert_eq!(calibrated.max_noise_sd_ppm, 21_651);
        assert_eq!(table.noise_ppm, 13_624);
        assert_eq!(error_table(&[]), ErrorTable::default());
    }

    #[test]
    fn openness_is_judged_by_the_truth() {
        assert!(!judged(500_000, 500_000, 8).is_open());
        assert!(judged(0, 0, 9).is_open() && judged(0, 0, 391).is_open());
        assert!(!judged(500_000, 500_000, 392).is_open());
    }

    #[test]
    fn resolutions_add_up_in_any_order() {
        let mut one = Resolutions::default();
        let mut two = Resolutions::default();
        for (into, truth) in [(true, true), (false, false), (true, true), (false, true)] {
            let place = if into { &mut one } else { &mut two };
            place.add(2_000_000, Ppm::clamped(600_000), Some(truth));
        }
        two.add(5, Ppm::ZERO, None);
        let mut ab = one.clone();
        ab.join(two.clone());
        two.join(one);
        assert_eq!(ab.behaviour(), two.behaviour());
        let behaviour = ab.behaviour();
        assert_eq!((behaviour.predictions, behaviour.unanswered), (4, 1));
        assert_eq!(
            (behaviour.believed_ppm, behaviour.happened_ppm),
            (600_000, 750_000)
        );
        // Raw 1.0 against 3 of 4: 0.25. Believed 0.6: (3 x .16 + .36) / 4 = .21.
        assert_eq!(behaviour.raw_brier_ppm, Some(250_000));
        assert_eq!(behaviour.reliability.brier_ppm, Some(210_000));
    }
}
