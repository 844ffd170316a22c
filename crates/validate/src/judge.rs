//! From tallies to cells, gates and a verdict.

use crate::cells::Cell;
use evenhand_artifact::{CellResult, Claim, Estimate, Fallbacks, Gate, Metric, Verdict};
use evenhand_contract::{Border, fallback_rate_is_valid};
use evenhand_sim::{SeedTally, SideTally, Totals, a_sums, denominator, digest};
use evenhand_stats::{Alpha, Sums, judge, seeds_to_settle};

/// The chance with which the stated number of further seeds would settle a cell.
const POWER_PPM: u32 = 800_000;

/// A cell that was played.
pub struct Played<G: Border> {
    /// The cell.
    pub cell: Cell<G>,
    /// Digest of its plan and seeds.
    pub plan: String,
    /// Its tallies in seed order.
    pub tallies: Vec<SeedTally>,
}

/// A verdict of the statistics in the words of a record.
const fn word(verdict: evenhand_stats::Verdict) -> Verdict {
    match verdict {
        evenhand_stats::Verdict::Holds => Verdict::Holds,
        evenhand_stats::Verdict::Fails => Verdict::Fails,
        evenhand_stats::Verdict::Inconclusive => Verdict::Inconclusive,
    }
}

fn record(estimate: &evenhand_stats::Estimate) -> Estimate {
    Estimate {
        seeds: estimate.n,
        mean_micro: estimate.mean_micro,
        interval_micro: estimate.interval_micro,
        sd_micro: estimate.sd_micro,
    }
}

fn fallbacks(side: &SideTally) -> Fallbacks {
    let [unknown, error, work, deadline] = side.fallbacks;
    Fallbacks {
        decisions: side.decisions,
        out_of_work: work + deadline,
        error: unknown + error,
        illegal: 0,
    }
}

fn is_valid(fallbacks: &Fallbacks) -> bool {
    fallback_rate_is_valid(fallbacks.total(), fallbacks.decisions)
}

/// What a cell shows at the given level.
#[must_use]
pub fn result<G: Border>(players: u8, played: &Played<G>, alpha: Alpha) -> CellResult {
    let Played {
        cell,
        plan,
        tallies,
    } = played;
    let sums = Sums::of(&a_sums(tallies));
    let denominator = denominator(players, cell.rounds);
    let estimate = evenhand_stats::Estimate::of(sums, denominator, Alpha::FIVE_PERCENT);
    let totals = Totals::of(tallies);
    let (a, b) = (fallbacks(&totals.a), fallbacks(&totals.b));
    let verdict = if is_valid(&a) && is_valid(&b) {
        word(judge(sums, denominator, cell.floor_micro, alpha))
    } else {
        Verdict::Invalid
    };
    let seat_rounds = i64::from(players) * i64::from(cell.rounds) * tallies.len() as i64;
    let seat = |sum: &i64| Sums::of(&[*sum]).mean_micro(seat_rounds).unwrap_or(0);
    let metrics = G::METRICS.iter().enumerate().map(|(i, row)| Metric {
        name: row.name.to_owned(),
        a_sum: totals.a.metrics[i],
        a_seat_rounds: totals.a.seat_rounds,
        b_sum: totals.b.metrics[i],
        b_seat_rounds: totals.b.seat_rounds,
    });
    CellResult {
        against: cell.against.clone(),
        rounds: cell.rounds,
        claim: cell.claim,
        margin_micro: -cell.floor_micro,
        verdict,
        seeds_to_settle: (verdict == Verdict::Inconclusive)
            .then(|| seeds_to_settle(&estimate, cell.floor_micro, alpha, POWER_PPM))
            .flatten(),
        estimate: record(&estimate),
        plan: plan.clone(),
        tallies: digest(tallies),
        matches: totals.matches,
        rounds_played: totals.rounds,
        fallbacks: a,
        opponent_fallbacks: b,
        metrics: metrics.collect(),
        seats_micro: totals.a.by_seat.iter().map(seat).collect(),
        work_sum: totals.a.work_sum,
        work_max: totals.a.work_max,
    }
}

/// The estimate over several cells of one opponent, each seed weighing alike: values are brought
/// to the least common multiple of the match lengths, so that everything stays exact.
fn pooled<G: Border>(players: u8, cells: &[&Played<G>]) -> (Sums, i64) {
    let multiple = cells
        .iter()
        .fold(1, |m, p| lcm(m, i64::from(p.cell.rounds)));
    let mut values = Vec::new();
    for played in cells {
        let scale = multiple / i64::from(played.cell.rounds);
        values.extend(a_sums(&played.tallies).iter().map(|v| v * scale));
    }
    let seat_matches = i64::from(players) * i64::from(players);
    (Sums::of(&values), seat_matches * multiple)
}

fn lcm(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// The gates that validation decides.
#[must_use]
pub fn gates<G: Border>(
    players: u8,
    played: &[Played<G>],
    results: &[CellResult],
    incumbent: &str,
    alpha: Alpha,
    shared_deals: u64,
) -> Vec<Gate> {
    let mut gates = Vec::new();
    for cell in results.iter().filter(|c| c.against != incumbent) {
        gates.push(Gate {
            name: format!("beats {} at {} rounds", cell.against, cell.rounds),
            verdict: cell.verdict,
            reason: shown(&cell.estimate),
        });
    }
    let heads: Vec<&Played<G>> = played
        .iter()
        .filter(|p| p.cell.against == incumbent)
        .collect();
    if let Some(first) = heads.first() {
        let (sums, denominator) = pooled(players, &heads);
        let estimate = evenhand_stats::Estimate::of(sums, denominator, Alpha::FIVE_PERCENT);
        gates.push(Gate {
            name: match first.cell.claim {
                Claim::NoLoss => format!("not worse than the {incumbent}, all cells together"),
                _ => format!("beats the {incumbent}, all cells together"),
            },
            verdict: word(judge(sums, denominator, first.cell.floor_micro, alpha)),
            reason: shown(&record(&estimate)),
        });
    }
    let all = || {
        results
            .iter()
            .flat_map(|c| [&c.fallbacks, &c.opponent_fallbacks])
    };
    let decisions: u64 = all().map(|f| f.decisions).sum();
    let total: u64 = all().map(Fallbacks::total).sum();
    gates.push(Gate {
        name: "fallbacks are rare".to_owned(),
        verdict: if all().all(is_valid) {
            Verdict::Holds
        } else {
            Verdict::Invalid
        },
        reason: format!("{total} of {decisions} decisions fell back"),
    });
    gates.push(Gate {
        name: "no deal of the tuning is met again".to_owned(),
        verdict: if shared_deals == 0 {
            Verdict::Holds
        } else {
            Verdict::Invalid
        },
        reason: format!("{shared_deals} deals in common"),
    });
    gates
}

fn shown(estimate: &Estimate) -> String {
    let mean = evenhand_tune::command::points(estimate.mean_micro);
    let interval = estimate.interval_micro.map_or_else(
        || "interval undefined".to_owned(),
        |(low, high)| {
            let points = evenhand_tune::command::points;
            format!("95 % interval {} to {}", points(low), points(high))
        },
    );
    format!(
        "{mean} points a round, {interval}, {} seeds",
        estimate.seeds
    )
}

/// The largest difference between two cells of one opponent, in thousandths of its standard
/// error. Where rounds are independent deals all of them estimate one thing, so a large figure
/// says that the instrument is off.
#[must_use]
pub fn disagreement_milli(results: &[CellResult]) -> Option<i64> {
    let mut largest = None;
    for (i, one) in results.iter().enumerate() {
        for other in &results[..i] {
            if one.against != other.against {
                continue;
            }
            // sd^2 / n of each, in millionths squared.
            let variance = |e: &Estimate| {
                let sd = i128::from(e.sd_micro?);
                Some(sd * sd / i128::from(e.seeds.max(1)))
            };
            let sum = variance(&one.estimate)? + variance(&other.estimate)?;
            let gap = i128::from(one.estimate.mean_micro) - i128::from(other.estimate.mean_micro);
            if sum > 0 {
                let milli = (gap * gap * 1_000_000 / sum).unsigned_abs().isqrt();
                largest = largest.max(i64::try_from(milli).ok());
            }
        }
    }
    largest
}
