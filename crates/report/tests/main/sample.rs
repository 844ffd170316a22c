//! A made-up run, as rich as a real one.

use evenhand_artifact::{
    CandidateDoc, CellResult, Claim, CostSummary, Estimate, Evaluation, Fallbacks, Gate,
    InputPolicy, KindCell, KnobFlags, KnobValue, Metric, OpponentChange, OpponentGain, Parents,
    Point, Position, RunKind, TableDoc, TuningSummary, ValidationDoc, Value, Verdict,
};
use evenhand_report::{Ablation, Records, ReportInput, SeedRow, SideSums};
use evenhand_stats::Pairing;
use std::collections::BTreeMap;

const KNOBS: [&str; 9] = [
    "plays_left",
    "safe_lead",
    "keep_pairs",
    "beat_cost",
    "twos_kept",
    "tempo",
    "short_hand",
    "wide_follow",
    "tie",
];

fn hex(c: char) -> String {
    c.to_string().repeat(64)
}

pub fn candidate() -> CandidateDoc {
    let mut trajectory = vec![Evaluation {
        index: 0,
        sweep: 0,
        knob: None,
        value: None,
        seeds: 256,
        objective_micro: 1_412_000,
        difference_micro: 0,
        interval_micro: Some((0, 0)),
        accepted: true,
        opponents: vec![],
        tallies: Some(hex('a')),
    }];
    let mut current = 1_412_000i64;
    for sweep in 1..=4u32 {
        for (k, knob) in KNOBS.iter().enumerate() {
            for sign in [-1i64, 1] {
                let step = 800 >> sweep;
                let difference = match k {
                    8 => 0,
                    4 if sign < 0 && sweep == 4 => -3_100_000,
                    _ => {
                        (sign * ((k as i64 * 7_919) % 41 - 20) * 2_400 - 9_000 * i64::from(sweep))
                            / i64::from(sweep)
                    }
                };
                let accepted = difference > 4_000;
                let objective = current + difference;
                if accepted {
                    current = objective;
                }
                trajectory.push(Evaluation {
                    index: trajectory.len() as u32,
                    sweep,
                    knob: Some((*knob).to_owned()),
                    value: Some(1_000 + k as i64 * 150 + sign * step),
                    seeds: 256,
                    objective_micro: objective,
                    difference_micro: difference,
                    interval_micro: Some((difference - 21_000, difference + 21_000)),
                    accepted,
                    opponents: vec![OpponentChange {
                        opponent: "easy".into(),
                        difference_micro: difference,
                    }],
                    tallies: (k != 8).then(|| hex('b')),
                });
            }
        }
    }
    let flags = KNOBS.iter().enumerate().map(|(k, name)| KnobFlags {
        name: (*name).to_owned(),
        start: 1_000 + k as i64 * 150,
        value: 1_000 + k as i64 * 150 + if k % 3 == 0 { 400 } else { 0 },
        step: 400,
        low: -2_000,
        high: 4_000,
        flat: k == 8,
        at_bound: k == 5,
        tie_break_only: k == 7,
    });
    let opponent = |name: &str, share, start, end| OpponentGain {
        opponent: name.into(),
        share,
        start_micro: start,
        end_micro: end,
    };
    CandidateDoc {
        game: "lexio".into(),
        players: 5,
        ruleset: "default".into(),
        policy: "hard".into(),
        experiment: "lexio-5p".into(),
        run: RunKind::Full,
        spec: hex('1'),
        knobs: KNOBS
            .iter()
            .map(|n| KnobValue {
                name: (*n).to_owned(),
                value: 1_000,
            })
            .collect(),
        candidate: hex('c'),
        parents: Parents {
            tables: vec![hex('d')],
            incumbent: Some(hex('e')),
        },
        tuning: TuningSummary {
            first_seed: 1,
            seeds: 256,
            rounds: 5,
            sweeps: 4,
            accept_t_milli: 2_000,
            out_of_budget: true,
            evaluations: trajectory.len() as u32,
            accepted: trajectory.iter().filter(|e| e.accepted).count() as u32 - 1,
            start_micro: 1_412_000,
            end_micro: current,
            tuning_gain_micro: current - 1_412_000,
            opponents: vec![
                opponent("easy", 2, 1_650_000, 1_842_000),
                opponent("eager", 1, 1_300_000, 1_500_000),
                opponent("incumbent", 1, 0, 120_000),
            ],
        },
        flags: flags.collect(),
        trajectory,
        lines: Vec::new(),
        fallbacks: Fallbacks {
            decisions: 9_876_543,
            ..Fallbacks::default()
        },
        cost: CostSummary {
            matches: 186_880,
            rounds: 934_400,
            decisions: 9_876_543,
            work: 987_654_321,
        },
    }
}

fn cell(against: &str, rounds: u32, mean: i64, half: i64, verdict: Verdict) -> CellResult {
    CellResult {
        against: against.into(),
        rounds,
        claim: Claim::Gain,
        margin_micro: if against == "released" { -50_000 } else { 0 },
        estimate: Estimate {
            seeds: 1_024,
            mean_micro: mean,
            interval_micro: Some((mean - half, mean + half)),
            sd_micro: Some(half * 16),
        },
        verdict,
        seeds_to_settle: (verdict == Verdict::Inconclusive).then_some(5_321),
        plan: hex('7'),
        tallies: hex('8'),
        matches: 10_240,
        rounds_played: 51_200,
        fallbacks: Fallbacks {
            decisions: 1_234_567,
            ..Fallbacks::default()
        },
        opponent_fallbacks: Fallbacks {
            decisions: 1_100_000,
            out_of_work: 3,
            error: 0,
            illegal: 0,
        },
        metrics: vec![Metric {
            name: "tiles_left".into(),
            a_sum: 123_456,
            a_seat_rounds: 51_200,
            b_sum: 223_456,
            b_seat_rounds: 51_200,
        }],
        seats_micro: vec![mean; 5],
        work_sum: 987_654_321,
        work_max: 4_321,
    }
}

fn position(place: &str, gain: Option<i64>, candidate: &str, incumbent: &str) -> Position {
    let text = |t: &str| Value::Text(t.into());
    let counts = [7, 3, 12, 9, 1].map(Value::Int).to_vec();
    let view = BTreeMap::from([
        ("players".to_owned(), Value::Int(5)),
        ("seat".to_owned(), Value::Int(0)),
        ("hand".to_owned(), text("5C 5D 9S 10S 11H 12D 2S")),
        ("counts".to_owned(), Value::List(counts)),
        ("field".to_owned(), text("8S")),
        ("passes".to_owned(), Value::Int(2)),
        (
            "played".to_owned(),
            text(
                "3C 3D 4C 4D 6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8S 9C 10C 10D 11C 12C 13C 13D 14C 1C 1D 2C",
            ),
        ),
    ]);
    Position {
        place: place.into(),
        view: Value::Object(view),
        candidate: candidate.into(),
        incumbent: incumbent.into(),
        gain,
    }
}

pub fn validation() -> ValidationDoc {
    use Verdict::{Holds, Inconclusive};
    ValidationDoc {
        game: "lexio".into(),
        players: 5,
        ruleset: "default".into(),
        policy: "hard".into(),
        experiment: "lexio-5p".into(),
        run: RunKind::Full,
        spec: hex('1'),
        knobs: vec![],
        candidate: hex('c'),
        candidate_record: hex('3'),
        parents: Parents { tables: vec![hex('d')], incumbent: Some(hex('e')) },
        salt: "run-817".into(),
        attempt: 2,
        alpha_ppb: 8_333_333,
        intent: Some(hex('9')),
        claim: Claim::Gain,
        cells: vec![
            cell("easy", 3, 1_842_345, 43_210, Holds),
            cell("easy", 5, 1_856_345, 38_210, Holds),
            cell("easy", 10, 1_831_345, 29_210, Holds),
            cell("eager", 3, 1_502_345, 46_210, Holds),
            cell("eager", 5, 1_533_345, 41_210, Holds),
            cell("eager", 10, 1_519_345, 31_210, Holds),
            cell("incumbent", 5, 21_345, 26_210, Inconclusive),
            cell("released", 5, 41_345, 26_210, Holds),
        ],
        gates: vec![
            Gate { name: "simple styles".into(), verdict: Holds, reason: "above 0 in each of 6 cells".into() },
            Gate {
                name: "incumbent".into(),
                verdict: Inconclusive,
                reason: "+0.02 [-0.00, +0.05] against the incumbent; about 5,321 more seeds would settle it".into(),
            },
        ],
        verdict: Inconclusive,
        cell_disagreement_milli: Some(1_240),
        deals_compared: 92_160,
        deals_shared: 0,
        behaviour: hex('f'),
        decisions: vec![],
        suite_changes: vec![position("suite 118", None, "pass", "2S")],
        positions: vec![
            position("seed 4f00…, arrangement 3, round 2", Some(18), "9S 10S 11H 12D 2S", "12D"),
            position("seed 91aa…, arrangement 7, round 1", Some(-23), "2S", "pass"),
        ],
        positions_found: 4_711,
    }
}

pub fn table() -> TableDoc {
    let kind = |kind: &str, bend: i64| KindCell {
        kind: kind.into(),
        exact: false,
        situations: 21 * 300,
        points: (0..=20i64)
            .map(|i| {
                let raw = i * 50_000;
                let rate = (raw + bend * (i * (20 - i)) * 1_000 / 2).clamp(0, 1_000_000) as u64;
                Point {
                    raw,
                    ppm: rate as u32,
                    situations: 300,
                    hits: rate * 300 * 800 / 1_000_000,
                }
            })
            .collect(),
    };
    TableDoc {
        kind: "safety".into(),
        game: "lexio".into(),
        players: 5,
        ruleset: "default".into(),
        generator: 1,
        deal_stream: 1,
        seed: 20_260_806,
        situations: 40_000,
        samples: 800,
        input: InputPolicy {
            policy: "hard".into(),
            generation: 0,
            weights: None,
            table: None,
            behaviour: hex('f'),
        },
        estimator: hex('2'),
        parameters: vec![],
        cells: vec![
            KindCell {
                kind: "single".into(),
                exact: true,
                situations: 12_000,
                points: vec![],
            },
            kind("pair", 0),
            kind("triple", 1),
            kind("straight", 3),
            kind("flush", -2),
            kind("full house", 2),
        ],
    }
}

pub fn rows() -> Vec<SeedRow> {
    let side = |k: i64| SideSums {
        settlement: k,
        seat_rounds: 125,
        decisions: 900 + k.unsigned_abs() % 7,
        fallbacks: 0,
        work: u64::MAX / 4_096 - k.unsigned_abs() % 1_000,
        work_max: 4_321,
        metrics: vec![
            ("tiles_left".into(), i64::MAX / 4_096 - k % 1_000),
            ("wins".into(), k % 25),
        ],
    };
    let cells = [("easy", 3), ("easy", 5), ("incumbent", 5)];
    cells
        .iter()
        .flat_map(|(opponent, rounds)| {
            (0..400i64).map(move |i| SeedRow {
                game: "lexio".into(),
                players: 5,
                ruleset: "default".into(),
                cell: format!("5p-{rounds}r"),
                policy: hex('c'),
                opponent: (*opponent).to_owned(),
                rounds_per_match: *rounds,
                seed: format!("{:064x}", i.wrapping_mul(0x1234_5678_9abc_def1)),
                matches: 10,
                rounds: 50,
                a: side(i * 37 % 401 - 150),
                b: side(150 - i * 37 % 401),
            })
        })
        .collect()
}

pub fn input() -> ReportInput {
    let (candidate, validation, tables) = (candidate(), validation(), [table()]);
    let mut input = ReportInput::of(&Records {
        candidate: Some(&candidate),
        validation: Some(&validation),
        tables: &tables,
    });
    let ablation = |name: &str, mean: i64, half: i64, p, flag: &str| Ablation {
        name: name.into(),
        estimate: evenhand_stats::Estimate {
            n: 512,
            mean_micro: mean,
            interval_micro: Some((mean - half, mean + half)),
            sd_micro: Some(half * 11),
        },
        pairing: Pairing::Paired,
        adjusted_p_ppm: Some(p),
        flags: if flag.is_empty() {
            vec![]
        } else {
            vec![flag.into()]
        },
    };
    input.ablations = vec![
        ablation("plays_left = 0", -812_000, 41_000, 1, ""),
        ablation("playing out", -211_000, 33_000, 1, ""),
        ablation("safe_lead = 0", -96_000, 30_000, 12, ""),
        ablation("keep_pairs = 0", -21_000, 27_000, 430_000, ""),
        ablation("tie = 0", 0, 0, 1_000_000, "no decision changed"),
        ablation("tempo = 0", 18_000, 25_000, 520_000, ""),
    ];
    input.rows = rows();
    input.notes = vec!["Repeat this run: retune experiments/lexio-5p.toml --salt run-817".into()];
    input
}
