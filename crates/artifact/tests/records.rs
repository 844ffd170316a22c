//! Weights, candidates, validations, summaries and specs: they come back as they were, and break
//! by name.

use evenhand_artifact::*;

fn knobs() -> Vec<KnobValue> {
    [("gain", 1200), ("shed", -40)]
        .map(|(name, value)| KnobValue {
            name: name.to_owned(),
            value,
        })
        .to_vec()
}

fn parents() -> Parents {
    Parents {
        tables: vec![digest_of("table")],
        incumbent: Some(digest_of("incumbent")),
    }
}

fn candidate_of(knobs: &[KnobValue]) -> String {
    let named = knobs.iter().map(|k| (k.name.as_str(), k.value));
    candidate_digest(
        "toy",
        3,
        "a=b,c=2",
        "smart",
        named,
        [digest_of("table").as_str()],
    )
    .hex()
}

fn tuning() -> TuningSummary {
    TuningSummary {
        first_seed: 9_007_199_254_740_990,
        seeds: 2,
        rounds: 5,
        sweeps: 1,
        accept_t_milli: 1000,
        out_of_budget: false,
        evaluations: 2,
        accepted: 1,
        start_micro: -5,
        end_micro: 7,
        tuning_gain_micro: 12,
        opponents: vec![OpponentGain {
            opponent: "easy".to_owned(),
            share: 100,
            start_micro: -5,
            end_micro: 7,
        }],
    }
}

fn flags() -> Vec<KnobFlags> {
    knobs()
        .into_iter()
        .map(|k| KnobFlags {
            name: k.name,
            start: 1000,
            value: k.value,
            step: 200,
            low: -5000,
            high: 5000,
            flat: false,
            at_bound: true,
            tie_break_only: false,
        })
        .collect()
}

fn step(index: u32) -> Evaluation {
    Evaluation {
        index,
        sweep: index,
        knob: (index > 0).then(|| "gain".to_owned()),
        value: (index > 0).then_some(1200),
        seeds: 2,
        objective_micro: 7,
        difference_micro: i64::MIN,
        interval_micro: (index > 0).then_some((i64::MIN, i64::MAX)),
        accepted: true,
        opponents: vec![OpponentChange {
            opponent: "easy".to_owned(),
            difference_micro: 12,
        }],
        tallies: Some(digest_of("tallies")),
    }
}

fn candidate() -> CandidateDoc {
    CandidateDoc {
        game: "toy".to_owned(),
        players: 3,
        ruleset: "a=b,c=2".to_owned(),
        policy: "smart".to_owned(),
        experiment: "toy-3p".to_owned(),
        run: RunKind::Full,
        spec: digest_of("spec"),
        knobs: knobs(),
        candidate: candidate_of(&knobs()),
        parents: parents(),
        tuning: tuning(),
        flags: flags(),
        trajectory: vec![step(0), step(1)],
        lines: Vec::new(),
        fallbacks: Fallbacks::default(),
        cost: CostSummary::default(),
    }
}

fn summary_of_cell() -> CellSummary {
    CellSummary {
        against: "easy".to_owned(),
        rounds: 3,
        claim: Claim::NoLoss,
        margin_micro: 50_000,
        estimate: Estimate {
            seeds: 1,
            mean_micro: 3,
            interval_micro: None,
            sd_micro: None,
        },
        verdict: Verdict::Inconclusive,
        tallies: digest_of("tallies"),
    }
}

fn weights() -> WeightsDoc {
    WeightsDoc {
        game: "toy".to_owned(),
        players: 3,
        ruleset: "a=b,c=2".to_owned(),
        policy: "smart".to_owned(),
        knobs: knobs(),
        generation: 1,
        behaviour: digest_of("behaviour"),
        candidate: candidate_of(&knobs()),
        parents: parents(),
        experiment: "toy-3p".to_owned(),
        claim: Claim::Gain,
        tuning: tuning(),
        validation: vec![summary_of_cell()],
        validation_record: digest_of("validation"),
        ledger: digest_of("ledger"),
    }
}

fn spec() -> SpecDoc {
    SpecDoc {
        game: "toy".to_owned(),
        players: 3,
        ruleset: "default".to_owned(),
        policy: "smart".to_owned(),
        kind: RunKind::Quick,
        calibrate: CalibrateSpec {
            seed: 7,
            situations: 10,
            samples: 10,
        },
        tune: TuneSpec {
            first_seed: 1,
            seeds: 16,
            rounds: 3,
            sweeps: 2,
            line_search: evenhand_artifact::LineSearch::Grid,
            plateau: 200,
            accept_t_milli: 1000,
            max_evaluations: None,
            pool: vec![
                PoolSpec {
                    policy: "easy".to_owned(),
                    share: 60,
                },
                PoolSpec {
                    policy: "incumbent".to_owned(),
                    share: 40,
                },
            ],
        },
        validate: ValidateSpec {
            seeds: 32,
            rounds: vec![3, 5],
            head_to_head: 32,
            first_seed: Some(17),
        },
        freeze: FreezeSpec::default(),
    }
}

fn validation() -> ValidationDoc {
    ValidationDoc {
        game: "toy".to_owned(),
        players: 3,
        ruleset: "a=b,c=2".to_owned(),
        policy: "smart".to_owned(),
        experiment: "toy-3p".to_owned(),
        run: RunKind::Full,
        spec: digest_of("spec"),
        knobs: knobs(),
        candidate: candidate_of(&knobs()),
        candidate_record: digest_of("candidate record"),
        parents: parents(),
        salt: "run 7".to_owned(),
        attempt: 2,
        alpha_ppb: alpha_ppb(2),
        intent: Some(digest_of("intent")),
        claim: Claim::NoLoss,
        cells: vec![CellResult {
            against: "easy".to_owned(),
            rounds: 3,
            claim: Claim::NoLoss,
            margin_micro: 50_000,
            estimate: summary_of_cell().estimate,
            verdict: Verdict::Inconclusive,
            seeds_to_settle: Some(900),
            plan: digest_of("plan"),
            tallies: digest_of("tallies"),
            matches: 6,
            rounds_played: 18,
            fallbacks: Fallbacks::default(),
            opponent_fallbacks: Fallbacks::default(),
            metrics: vec![Metric {
                name: "won".to_owned(),
                a_sum: -1,
                a_seat_rounds: 3,
                b_sum: 2,
                b_seat_rounds: 6,
            }],
            seats_micro: vec![-1, 0, 1],
            work_sum: 10,
            work_max: 3,
        }],
        gates: [Verdict::Holds, Verdict::Inconclusive]
            .map(|verdict| Gate {
                name: format!("gate that {verdict}"),
                verdict,
                reason: "\u{1f600} \"quoted\" \n".to_owned(),
            })
            .to_vec(),
        verdict: Verdict::Inconclusive,
        cell_disagreement_milli: Some(-100),
        deals_compared: 5,
        deals_shared: 0,
        behaviour: digest_of("behaviour"),
        decisions: vec!["pass".to_owned(), "12D".to_owned()],
        suite_changes: vec![],
        positions: vec![Position {
            place: "seed 1 round 2".to_owned(),
            view: [("hand", Value::from(vec!["12D", "3C"]))]
                .into_iter()
                .collect(),
            candidate: "pass".to_owned(),
            incumbent: "12D".to_owned(),
            gain: Some(-3),
        }],
        positions_found: 1,
    }
}

/// Reads back what was written, and refuses every flipped byte of it.
fn round_trip<D: Document + Clone + PartialEq + std::fmt::Debug>(doc: &D) {
    let text = encode(doc).expect("sound");
    assert_eq!(&decode::<D>("f", text.as_bytes()).expect("sound"), doc);
    let sealed = open::<D>("f", text.as_bytes()).expect("sound");
    assert_eq!(seal(sealed.doc().clone()).expect("sound"), sealed);
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        assert!(decode::<D>("f", &bytes).is_err(), "byte {at}");
    }
}

#[test]
fn documents_come_back_as_they_were() {
    round_trip(&candidate());
    round_trip(&weights());
    round_trip(&validation());
}

#[test]
fn another_kind_of_document_is_refused() {
    let text = encode(&weights()).expect("sound");
    let error = decode::<CandidateDoc>("w.json", text.as_bytes()).expect_err("other kind");
    assert!(matches!(error.fault, Fault::OtherFormat { .. }), "{error}");
}

#[test]
fn contradictions_are_refused_when_written_and_when_read() {
    let mut doc = weights();
    doc.knobs[0].value += 1;
    let error = encode(&doc).expect_err("the digest is of other knobs");
    assert!(error.to_string().contains("candidate"), "{error}");
    let mut doc = weights();
    doc.knobs[1] = doc.knobs[0].clone();
    assert!(
        encode(&doc)
            .expect_err("twice")
            .to_string()
            .contains("knobs[1].name")
    );
    let mut doc = weights();
    doc.ledger = "x".to_owned();
    assert!(
        encode(&doc)
            .expect_err("no digest")
            .to_string()
            .contains("ledger")
    );
    for (change, field) in [
        (
            (|d| d.tuning.evaluations = 3) as fn(&mut CandidateDoc),
            "tuning.evaluations",
        ),
        (
            |d| d.tuning.tuning_gain_micro = 14,
            "tuning.tuning_gain_micro",
        ),
        (|d| d.trajectory.swap(0, 1), "trajectory[0].index"),
        (|d| d.flags.swap(0, 1), "flags"),
        (|d| d.spec.push('0'), "spec"),
        (|d| d.players = 1, "players"),
        (|d| d.ruleset = "a=".to_owned(), "ruleset"),
    ] {
        let mut doc = candidate();
        change(&mut doc);
        let error = encode(&doc).expect_err(field);
        assert!(error.to_string().contains(field), "{error}");
    }
}

#[test]
fn a_validation_agrees_with_itself() {
    for (change, field) in [
        (
            (|d| d.verdict = Verdict::Holds) as fn(&mut ValidationDoc),
            "verdict",
        ),
        (|d| d.attempt = 0, "attempt"),
        (|d| d.intent = None, "intent"),
        (|d| d.run = RunKind::Quick, "attempt"),
        (|d| d.positions_found = 0, "positions_found"),
        (|d| d.cells.push(d.cells[0].clone()), "cells[1]"),
        (|d| d.cells[0].tallies.clear(), "cells[0].tallies"),
    ] {
        let mut doc = validation();
        change(&mut doc);
        let error = encode(&doc).expect_err(field);
        assert!(error.to_string().contains(field), "{error}");
    }
}

#[test]
fn weights_know_their_domain() {
    let doc = weights();
    doc.check_domain("toy", 3, "a=b,c=2", "smart")
        .expect("its own");
    for (game, players, ruleset, policy, part) in [
        ("toys", 3, "a=b,c=2", "smart", "game"),
        ("toy", 5, "a=b,c=2", "smart", "players"),
        ("toy", 3, "default", "smart", "ruleset"),
        ("toy", 3, "a=b,c=2", "easy", "policy"),
    ] {
        let error = doc
            .check_domain(game, players, ruleset, policy)
            .expect_err(part);
        assert!(error.to_string().contains(part), "{error}");
    }
    doc.check_table(Digest::of(b"table")).expect("its own");
    let error = doc
        .check_table(Digest::of(b"other"))
        .expect_err("another table");
    assert!(matches!(error, DomainError::Table { .. }));
}

#[test]
fn what_cannot_be_a_document_is_said() {
    assert!(
        to_value(&0.5_f64)
            .expect_err("a float")
            .to_string()
            .contains("floats")
    );
    assert!(
        to_value(&u64::MAX)
            .expect_err("large")
            .to_string()
            .contains("18446744073709551615")
    );
    assert!(to_value(&vec![None::<u8>]).is_err());
    let deep = (0..40).fold(Value::object(), |v, _| Value::List(vec![v]));
    assert!(to_value(&deep).is_err());
    let fields = [("a", Some(1)), ("b", None)]
        .into_iter()
        .collect::<std::collections::BTreeMap<_, _>>();
    assert_eq!(
        canonical::to_line(&to_value(&fields).expect("sound")),
        r#"{"a":1}"#
    );
}

#[test]
fn a_verdict_is_that_of_the_worst() {
    use Verdict::{Fails, Holds, Inconclusive, Invalid};
    assert_eq!(Verdict::all([Holds, Holds]), Holds);
    assert_eq!(Verdict::all([Holds, Inconclusive, Holds]), Inconclusive);
    assert_eq!(Verdict::all([Inconclusive, Fails]), Fails);
    assert_eq!(Verdict::all([Invalid, Fails, Holds]), Invalid);
    assert_eq!(Verdict::all([]), Holds);
}

#[test]
fn a_sound_spec_has_no_problems_and_each_broken_rule_is_named() {
    assert_eq!(spec().problems(), []);
    type Case = (fn(&mut SpecDoc), &'static str);
    let cases: [Case; 21] = [
        (|s| s.game.clear(), "game"),
        (|s| s.policy.clear(), "policy"),
        (|s| s.players = 1, "players"),
        (|s| s.ruleset = "x".to_owned(), "ruleset"),
        (|s| s.calibrate.seed = 1 << 53, "calibrate.seed"),
        (|s| s.calibrate.situations = 0, "calibrate.situations"),
        (|s| s.calibrate.samples = 0, "calibrate.samples"),
        (|s| s.tune.seeds = 0, "tune.seeds"),
        (|s| s.tune.rounds = 0, "tune.rounds"),
        (|s| s.tune.sweeps = 0, "tune.sweeps"),
        (|s| s.tune.first_seed = (1 << 53) - 15, "tune.first_seed"),
        (|s| s.tune.pool.clear(), "tune.pool"),
        (|s| s.tune.pool[0].share = 61, "tune.pool"),
        (
            |s| s.tune.pool[1].policy = "easy".to_owned(),
            "tune.pool[1].policy",
        ),
        (|s| s.validate.seeds = 0, "validate.seeds"),
        (|s| s.validate.head_to_head = 0, "validate.head_to_head"),
        (|s| s.validate.rounds.clear(), "validate.rounds"),
        (|s| s.validate.rounds[1] = 0, "validate.rounds[1]"),
        (|s| s.validate.rounds[1] = 3, "validate.rounds[1]"),
        (|s| s.validate.first_seed = Some(16), "validate.first_seed"),
        (|s| s.kind = RunKind::Full, "validate.first_seed"),
    ];
    for (change, key) in cases {
        let mut spec = spec();
        change(&mut spec);
        let keys: Vec<String> = spec.problems().into_iter().map(|p| p.key).collect();
        assert_eq!(keys, [key], "{:?}", spec.problems());
    }
    // All of them are listed, not only the first.
    let mut spec = spec();
    spec.tune.rounds = 0;
    spec.calibrate.samples = 0;
    spec.validate.seeds = 0;
    assert_eq!(spec.problems().len(), 3);
}

#[test]
fn ranges_that_touch_do_not_overlap() {
    for (first, sound) in [(17, true), (16, false), (0, false), (100, true)] {
        let mut spec = spec();
        spec.validate.first_seed = Some(first);
        assert_eq!(spec.problems().is_empty(), sound, "{first}");
    }
}

#[test]
fn the_meaning_of_a_spec_is_its_settings() {
    let base = spec().meaning_digest().expect("sound");
    let value = spec().meaning().expect("sound");
    assert!(canonical::to_text(&value).contains("\"format\": \"evenhand-spec/1\""));
    let changes: [fn(&mut SpecDoc); 6] = [
        |s| s.players = 4,
        |s| s.calibrate.seed = 8,
        |s| s.tune.pool[0].share = 59,
        |s| s.validate.rounds.push(10),
        |s| s.validate.first_seed = None,
        |s| s.freeze.claim = Some(Claim::Gain),
    ];
    for change in changes {
        let mut spec = spec();
        change(&mut spec);
        assert_ne!(spec.meaning_digest().expect("sound"), base);
    }
}

#[test]
fn numbers_of_a_spec_beyond_their_range_are_named_with_it() {
    let read = |key: &str, value: Value| {
        let Ok(Value::Object(mut fields)) = to_value(&spec()) else {
            panic!("an object");
        };
        fields.insert(key.to_owned(), value);
        from_value::<SpecDoc>(Value::Object(fields))
            .expect_err("refused")
            .to_string()
    };
    let calibrate = |seed: i64| -> Value {
        [("seed", seed), ("situations", 1), ("samples", 1)]
            .into_iter()
            .collect()
    };
    for seed in [-3, 1 << 53, i64::MAX] {
        let text = read("calibrate", calibrate(seed));
        assert!(
            text.contains("calibrate.seed") && text.contains(&seed.to_string()),
            "{text}"
        );
        assert!(text.contains("9007199254740991"), "{text}");
    }
    let text = read("players", 300.into());
    assert!(text.contains("players") && text.contains("255"), "{text}");
    let text = read("tunes", 1.into());
    assert!(
        text.contains("tunes: unknown field") && text.contains("validate"),
        "{text}"
    );
}
