//! Checkouts of a toy game, each document made through its type.

use evenhand_artifact::*;
use evenhand_store::ledger::record;
use evenhand_store::publish_replace;
use std::path::Path;

/// A state of the records: what differs between the checkouts of these tests.
#[derive(Clone)]
pub struct State {
    pub gain: i64,
    /// Calibrated value of the raw 500,500.
    pub middle_ppm: u32,
    pub estimator: &'static str,
    pub verdict: Verdict,
    pub run: RunKind,
    pub decisions: [&'static str; 3],
    pub incumbent: Option<String>,
    pub positions: Vec<Position>,
}

pub fn base() -> State {
    State {
        gain: 1200,
        middle_ppm: 500_500,
        estimator: "estimator",
        verdict: Verdict::Holds,
        run: RunKind::Full,
        decisions: ["3C", "pass", "4C 4D"],
        incumbent: None,
        positions: Vec::new(),
    }
}

fn domain() -> (String, u8, String) {
    ("toy".to_owned(), 3, "default".to_owned())
}

impl State {
    pub fn table(&self) -> Sealed<TableDoc> {
        let (game, players, ruleset) = domain();
        let point = |raw, ppm| Point {
            raw,
            ppm,
            situations: 10,
            hits: 10,
        };
        let cell = |kind: &str, points: Vec<Point>| KindCell {
            kind: kind.to_owned(),
            exact: points.is_empty(),
            situations: 10 * points.len() as u64,
            points,
        };
        seal(TableDoc {
            kind: "safety".to_owned(),
            game,
            players,
            ruleset,
            generator: 1,
            deal_stream: 1,
            seed: 7,
            situations: 30,
            samples: 2,
            input: InputPolicy {
                policy: "smart".to_owned(),
                generation: 0,
                weights: None,
                table: None,
                behaviour: digest_of("input"),
            },
            estimator: digest_of(self.estimator),
            parameters: vec![],
            cells: vec![
                cell("single", Vec::new()),
                cell(
                    "pair",
                    vec![
                        point(0, 0),
                        point(500_500, self.middle_ppm),
                        point(1_000_000, 1_000_000),
                    ],
                ),
            ],
        })
        .unwrap()
    }

    fn knobs(&self) -> Vec<KnobValue> {
        [("gain", self.gain), ("shed", -40)]
            .map(|(name, value)| KnobValue {
                name: name.to_owned(),
                value,
            })
            .to_vec()
    }

    fn parents(&self) -> Parents {
        Parents {
            tables: vec![self.table().checksum().hex()],
            incumbent: self.incumbent.clone(),
        }
    }

    fn digest(&self) -> String {
        let (game, players, ruleset) = domain();
        let knobs = self.knobs();
        let named = knobs.iter().map(|k| (k.name.as_str(), k.value));
        let tables = self.parents().tables;
        candidate_digest(
            &game,
            players,
            &ruleset,
            "smart",
            named,
            tables.iter().map(String::as_str),
        )
        .hex()
    }

    fn tuning() -> TuningSummary {
        TuningSummary {
            first_seed: 1,
            seeds: 2,
            rounds: 5,
            sweeps: 1,
            accept_t_milli: 1000,
            out_of_budget: false,
            evaluations: 0,
            accepted: 0,
            start_micro: 0,
            end_micro: 0,
            tuning_gain_micro: 0,
            opponents: Vec::new(),
        }
    }

    pub fn candidate(&self) -> Sealed<CandidateDoc> {
        let (game, players, ruleset) = domain();
        let flag = |k: KnobValue| KnobFlags {
            flat: k.name == "shed",
            name: k.name,
            start: 1000,
            value: k.value,
            step: 200,
            low: -5000,
            high: 5000,
            at_bound: false,
            tie_break_only: false,
        };
        seal(CandidateDoc {
            game,
            players,
            ruleset,
            policy: "smart".to_owned(),
            experiment: "toy-3p".to_owned(),
            run: self.run,
            spec: digest_of("spec"),
            knobs: self.knobs(),
            candidate: self.digest(),
            parents: self.parents(),
            tuning: Self::tuning(),
            flags: self.knobs().into_iter().map(flag).collect(),
            trajectory: Vec::new(),
            lines: Vec::new(),
            fallbacks: Fallbacks::default(),
            cost: CostSummary {
                matches: 6,
                rounds: 30,
                decisions: 100,
                work: 1000,
            },
        })
        .unwrap()
    }

    fn entry(&self, event: Event) -> Entry {
        let (game, players, ruleset) = domain();
        Entry {
            game,
            players,
            ruleset,
            policy: "smart".to_owned(),
            experiment: "toy-3p".to_owned(),
            candidate: self.digest(),
            salt: String::new(),
            event,
        }
    }

    pub fn intent(&self) -> Entry {
        self.entry(Event::Intent {
            spec: digest_of("spec"),
        })
    }

    pub fn validation(&self) -> Sealed<ValidationDoc> {
        let (game, players, ruleset) = domain();
        let full = self.run == RunKind::Full;
        seal(ValidationDoc {
            game,
            players,
            ruleset,
            policy: "smart".to_owned(),
            experiment: "toy-3p".to_owned(),
            run: self.run,
            spec: digest_of("spec"),
            knobs: self.knobs(),
            candidate: self.digest(),
            candidate_record: self.candidate().checksum().hex(),
            parents: self.parents(),
            salt: String::new(),
            attempt: full.into(),
            alpha_ppb: alpha_ppb(1),
            intent: full.then(|| self.intent().content_digest().unwrap().hex()),
            claim: Claim::First,
            cells: vec![CellResult {
                against: "easy".to_owned(),
                rounds: 3,
                claim: Claim::First,
                margin_micro: 0,
                estimate: Estimate {
                    seeds: 40,
                    mean_micro: 1_812_345,
                    interval_micro: Some((1_769_345, 1_855_345)),
                    sd_micro: Some(1),
                },
                verdict: self.verdict,
                seeds_to_settle: None,
                plan: digest_of("plan"),
                tallies: digest_of("tallies"),
                matches: 240,
                rounds_played: 720,
                fallbacks: Fallbacks {
                    decisions: 1000,
                    out_of_work: 3,
                    error: 0,
                    illegal: 0,
                },
                opponent_fallbacks: Fallbacks::default(),
                metrics: Vec::new(),
                seats_micro: Vec::new(),
                work_sum: 5,
                work_max: 1,
            }],
            gates: vec![Gate {
                name: "beats easy".to_owned(),
                verdict: self.verdict,
                reason: "as measured".to_owned(),
            }],
            verdict: self.verdict,
            cell_disagreement_milli: None,
            deals_compared: 0,
            deals_shared: 0,
            behaviour: digest_of(self.decisions.join("\n")),
            decisions: self.decisions.map(str::to_owned).to_vec(),
            suite_changes: Vec::new(),
            positions_found: self.positions.len() as u64,
            positions: self.positions.clone(),
        })
        .unwrap()
    }

    pub fn outcome(&self) -> Entry {
        self.entry(Event::Outcome {
            result: if self.verdict == Verdict::Holds {
                Outcome::Passed
            } else {
                Outcome::Failed
            },
            intent: self.intent().content_digest().unwrap().hex(),
            validation: Some(self.validation().checksum().hex()),
        })
    }

    pub fn freeze(&self) -> Entry {
        self.entry(Event::Freeze {
            outcome: self.outcome().content_digest().unwrap().hex(),
            weights: self.weights().checksum().hex(),
        })
    }

    pub fn weights(&self) -> Sealed<WeightsDoc> {
        let (game, players, ruleset) = domain();
        let validation = self.validation();
        seal(WeightsDoc {
            game,
            players,
            ruleset,
            policy: "smart".to_owned(),
            knobs: self.knobs(),
            generation: 1 + u32::from(self.incumbent.is_some()),
            behaviour: validation.behaviour.clone(),
            candidate: self.digest(),
            parents: self.parents(),
            experiment: "toy-3p".to_owned(),
            claim: Claim::First,
            tuning: Self::tuning(),
            validation: validation.cells.iter().map(CellSummary::from).collect(),
            validation_record: validation.checksum().hex(),
            ledger: self.outcome().content_digest().unwrap().hex(),
        })
        .unwrap()
    }

    /// Writes a whole checkout; the ledger's lines are added to those that are there.
    pub fn write(&self, root: &Path) {
        let tables = root.join("tables/toy/3p");
        let kept = root.join("experiments/toy-3p");
        put(&tables.join("safety.json"), self.table().text());
        put(&tables.join("weights.json"), self.weights().text());
        put(&kept.join("candidate.json"), self.candidate().text());
        put(&kept.join("validation.json"), self.validation().text());
        put(
            &kept.join("decisions.txt"),
            &(self.decisions.join("\n") + "\n"),
        );
        if self.run == RunKind::Full {
            let ledger = root.join("experiments/ledger.jsonl");
            record(&ledger, self.intent()).unwrap();
            record(&ledger, self.outcome()).unwrap();
            if self.verdict == Verdict::Holds {
                record(&ledger, self.freeze()).unwrap();
            }
        }
    }
}

/// Writes a file and the folders above it.
pub fn put(path: &Path, text: &str) {
    evenhand_store::create_dir(path.parent().unwrap()).unwrap();
    publish_replace(path, text.as_bytes()).unwrap();
}

/// The base with one knob moved and one decision changed, tuned against it.
pub fn gained() -> State {
    State {
        gain: 1600,
        decisions: ["3C", "5C", "4C 4D"],
        incumbent: Some(base().weights().checksum().hex()),
        ..base()
    }
}
