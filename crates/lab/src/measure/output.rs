use super::times::Times;
use crate::wall::minutes;
use evenhand_cli::knobs::set_text;
use evenhand_cli::load::Loaded;
use evenhand_contract::{Border, Cause, Estimates, Json, MAX_FALLBACK_PERCENT};
use evenhand_sim::{MatchPlan, SeedTally, Side, SideTally, Totals, a_sums, denominator, digest};
use evenhand_stats::{Alpha, Estimate, fixed, mean_estimate, seeds_to_settle, shown};
use serde_json::{Map, json};
use std::fmt::Write;

/// What was played and what came of it.
pub(super) struct Outcome<G: Estimates + Border> {
    pub(super) plan: MatchPlan<G>,
    pub(super) plan_digest: String,
    pub(super) first_seed: u64,
    pub(super) loaded: [Loaded<G>; 2],
    pub(super) tallies: Vec<SeedTally>,
    pub(super) times: Option<[Times; 2]>,
    /// How long play took, in milliseconds.
    pub(super) millis: u64,
    /// Whether A and B made the same moves throughout.
    pub(super) unchanged: bool,
}

/// `part / whole` in millionths, rounded to nearest, halves away from zero; 0 of nothing.
fn ratio_micro(part: i64, whole: u64) -> i64 {
    if whole == 0 {
        return 0;
    }
    let (part, whole) = (i128::from(part) * 1_000_000, i128::from(whole));
    let rounded = (part.abs() + whole / 2) / whole * part.signum();
    i64::try_from(rounded).unwrap_or(i64::MAX)
}

impl<G: Estimates + Border> Outcome<G> {
    fn estimate(&self) -> Estimate {
        let sums = a_sums(&self.tallies);
        let whole = denominator(self.plan.setup.players, self.plan.rounds);
        mean_estimate(&sums, whole, 50_000)
    }

    /// Where the interval holds zero: about how many more seeds would show, with a chance of 80 %,
    /// which side of it A is on. `None` where nothing differs.
    fn more_seeds(&self) -> Option<u64> {
        let estimate = self.estimate();
        let (low, high) = estimate.interval_micro?;
        if low > 0 || high < 0 || self.unchanged {
            return None;
        }
        Some(seeds_to_settle(&estimate, 0, Alpha::from_ppm(25_000), 800_000)?.max(1))
    }

    /// What the headline comes to, in words.
    fn finding(&self) -> String {
        let estimate = self.estimate();
        let seeds = estimate.n;
        match (estimate.interval_micro, self.more_seeds()) {
            _ if self.unchanged => {
                format!("no decision changed on {seeds} seeds: the difference is exactly 0")
            }
            (None, _) => "one seed settles nothing".to_owned(),
            (Some((low, _)), _) if low > 0 => "A is the stronger".to_owned(),
            (Some((_, high)), _) if high < 0 => "A is the weaker".to_owned(),
            (_, Some(more)) => {
                let seconds = (self.millis.saturating_mul(more) / seeds.max(1)).div_ceil(1_000);
                format!(
                    "inconclusive; about {more} more seeds would settle it ({})",
                    minutes(seconds)
                )
            }
            _ => "inconclusive; no number of seeds in reach would settle it".to_owned(),
        }
    }

    /// Whether few enough decisions fell back.
    pub(super) fn valid(&self) -> bool {
        Totals::of(&self.tallies).valid()
    }

    pub(super) fn json(&self) -> Json {
        let totals = Totals::of(&self.tallies);
        let estimate = self.estimate();
        let by_side = |of: &dyn Fn(Side) -> Json| {
            let sides = Side::ALL.map(|side| (side.name().to_owned(), of(side)));
            Json::Object(sides.into_iter().collect())
        };
        let mut out = json!({
            "game": G::NAME,
            "players": self.plan.setup.players,
            "ruleset": self.plan.setup.rules.to_string(),
            "split": "exploration",
            "first_seed": self.first_seed,
            "seeds": totals.seeds,
            "rounds_per_match": self.plan.rounds,
            "matches": totals.matches,
            "rounds": totals.rounds,
            "mean_micro": estimate.mean_micro,
            "interval95_micro": estimate.interval_micro.map(|(low, high)| [low, high]),
            "sd_micro": estimate.sd_micro,
            "unchanged": self.unchanged,
            "more_seeds": self.more_seeds(),
            "decisions": totals.a.decisions + totals.b.decisions,
            "decisions_by_side": by_side(&|side| json!(totals.side(side).decisions)),
            "fallbacks": by_side(&|side| fallbacks(totals.side(side))),
            "metrics": by_side(&|side| self.metrics(totals.side(side))),
            "settlement_by_seat": by_side(&|side| json!(totals.side(side).by_seat)),
            "work": by_side(&|side| json!({
                "limit": self.plan.work_limit,
                "max": totals.side(side).work_max,
                "sum": totals.side(side).work_sum,
            })),
            "policies": by_side(&|side| self.policy(side)),
            "plan": self.plan_digest,
            "digest": digest(&self.tallies),
            "valid": totals.valid(),
        });
        if let (Some(times), Some(fields)) = (&self.times, out.as_object_mut()) {
            let told = by_side(&|side| {
                let times = &times[side as usize];
                json!({
                    "mean": times.mean(),
                    "p50": times.percentile(50),
                    "p99": times.percentile(99),
                    "max": times.max(),
                })
            });
            fields.insert("time_ns".to_owned(), told);
        }
        out
    }

    fn metrics(&self, side: &SideTally) -> Json {
        let mut metrics = Map::new();
        for (row, &sum) in G::METRICS.iter().zip(&side.metrics) {
            metrics.insert(
                row.name.to_owned(),
                json!(ratio_micro(sum, side.seat_rounds)),
            );
        }
        Json::Object(metrics)
    }

    fn policy(&self, side: Side) -> Json {
        let loaded = &self.loaded[side as usize];
        let set: Map<String, Json> = (loaded.set.iter())
            .map(|&(knob, value)| (knob.to_owned(), json!(value)))
            .collect();
        json!({
            "name": loaded.policy.row.name,
            "generation": loaded.generation(),
            "weights": loaded.weights.as_ref().map(|sealed| sealed.checksum().hex()),
            "table": loaded.table.as_ref().map(|sealed| sealed.checksum().hex()),
            "set": set,
        })
    }

    pub(super) fn text(&self) -> String {
        let totals = Totals::of(&self.tallies);
        let estimate = self.estimate();
        let plan = &self.plan;
        let [a, b] = [&self.loaded[0], &self.loaded[1]].map(played);
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{}, {} players, ruleset {}, {} rounds a match\nA: {a}\nB: {b}\n\
             {} exploration seeds from {}: {} matches, {} rounds\n",
            G::NAME,
            plan.setup.players,
            plan.setup.rules,
            plan.rounds,
            totals.seeds,
            self.first_seed,
            totals.matches,
            totals.rounds,
        );
        let interval = match estimate.interval_micro {
            Some(_) => " points, with the 95 % interval over seeds",
            None => " points; an interval needs two seeds",
        };
        let _ = writeln!(
            out,
            "A's mean settlement a round: {}{interval}",
            shown(&estimate)
        );
        let n = plan.setup.players;
        let _ = writeln!(
            out,
            "  = sum of A's settlements / (seeds x {n} x {n} x rounds a match): every seat-round of \
             A, lone A and lone B matches pooled\n{}\n",
            self.finding()
        );
        let mut row = |name: &str, a: String, b: String| {
            let _ = writeln!(out, "{name:<22}{a:>18}{b:>18}");
        };
        row("a seat-round", "A".to_owned(), "B".to_owned());
        for (place, metric) in G::METRICS.iter().enumerate() {
            let mean =
                |side: &SideTally| fixed(ratio_micro(side.metrics[place], side.seat_rounds), 3);
            row(metric.name, mean(&totals.a), mean(&totals.b));
        }
        row("settlement, sd", deviation(&totals.a), deviation(&totals.b));
        let count = |n: u64| n.to_string();
        row(
            "decisions",
            count(totals.a.decisions),
            count(totals.b.decisions),
        );
        for cause in Cause::ALL {
            let [a, b] = [&totals.a, &totals.b].map(|side| side.fallbacks_by(cause));
            row(
                &format!("  fell back: {}", short(cause)),
                rate(a, &totals.a),
                rate(b, &totals.b),
            );
        }
        let share = |side: &SideTally| {
            let used = i64::try_from(side.work_max).unwrap_or(i64::MAX);
            format!(
                "{} %",
                fixed(ratio_micro(used, plan.work_limit).saturating_mul(100), 2)
            )
        };
        row("most of the budget", share(&totals.a), share(&totals.b));
        if let Some(times) = &self.times {
            let micros = |nanos: u64| format!("{} us", fixed(nanos as i64 * 1_000, 2));
            let mut time = |name: &str, of: &dyn Fn(&Times) -> u64| {
                row(name, micros(of(&times[0])), micros(of(&times[1])));
            };
            time("decision time, mean", &Times::mean);
            time("  p50", &|times| times.percentile(50));
            time("  p99", &|times| times.percentile(99));
            time("  longest", &Times::max);
        }
        let _ = writeln!(
            out,
            "\nbudget of a decision: {} work units\ndigest {}",
            plan.work_limit,
            digest(&self.tallies)
        );
        if !totals.valid() {
            let _ = writeln!(
                out,
                "INVALID: more than {MAX_FALLBACK_PERCENT} % of a side's decisions fell back; \
                 these numbers say nothing about its policy"
            );
        }
        out
    }
}

/// A policy with the artifacts that it plays by.
fn played<G: Estimates>(loaded: &Loaded<G>) -> String {
    let row = loaded.policy.row;
    let mut text = row.name.to_owned();
    if !row.knobs.is_empty() {
        match &loaded.weights {
            Some(sealed) => {
                let _ = write!(
                    text,
                    ", weights {:.12} (generation {})",
                    sealed.checksum().hex(),
                    loaded.generation()
                );
            }
            None => text.push_str(", default weights"),
        }
    }
    text.push_str(&set_text(loaded));
    if row.reads_table {
        match &loaded.table {
            Some(sealed) => {
                let _ = write!(text, ", table {:.12}", sealed.checksum().hex());
            }
            None => text.push_str(", raw estimates"),
        }
    }
    text
}

fn short(cause: Cause) -> &'static str {
    match cause {
        Cause::UnknownPolicy => "unknown",
        Cause::PolicyError => "error",
        Cause::OutOfWork => "work",
        Cause::Deadline => "deadline",
    }
}

fn rate(part: u64, side: &SideTally) -> String {
    let share = ratio_micro(i64::try_from(part).unwrap_or(i64::MAX), side.decisions);
    format!("{part} ({} %)", fixed(share.saturating_mul(100), 2))
}

fn fallbacks(side: &SideTally) -> Json {
    let causes = Cause::ALL.map(|cause| (cause.name().to_owned(), json!(side.fallbacks_by(cause))));
    Json::Object(causes.into_iter().collect())
}

/// The standard deviation of one seat-round's settlement, from exact sums: the root of
/// mean of squares minus square of mean, in thousandths and rounded down.
fn deviation(side: &SideTally) -> String {
    let n = i128::from(side.seat_rounds.max(1));
    let (sum, squares) = (
        i128::from(side.settlement),
        i128::from(side.settlement_squares),
    );
    // n^2 x variance = n x squares - sum^2, a whole number and never negative.
    let scaled = (n * squares - sum * sum) * 1_000_000 / (n * n);
    fixed(
        i64::try_from(scaled.isqrt())
            .unwrap_or(i64::MAX)
            .saturating_mul(1_000),
        3,
    )
}
