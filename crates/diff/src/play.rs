//! What changed in how a policy plays: knobs, behaviour, results by cell, decisions, with where they come from.

use crate::compare::Change;
use crate::read::{Kept, Run, Snapshot};
use evenhand_artifact::{
    CellResult, CellSummary, Claim, CostSummary, Estimate, Fallbacks, KnobFlags, KnobValue,
    Parents, Position, ValidationDoc, Verdict, WeightsDoc,
};
use serde::Serialize;

/// Positions shown from either end of the ranking.
pub(crate) const SHOWN: usize = 10;

/// A value on both sides; absent where that side has none.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pair<T> {
    /// In the base.
    pub base: Option<T>,
    /// In the head.
    pub head: Option<T>,
}

/// One policy's weights, or where there are none the record of one experiment.
#[derive(Clone, Debug, Serialize)]
pub struct PlayChange {
    /// Game, players and policy; or the experiment.
    pub what: String,
    /// What happened to it.
    pub change: Change,
    /// The files.
    pub file: Pair<String>,
    /// Checksums.
    pub checksum: Pair<String>,
    /// Game, players, ruleset and policy.
    pub domain: Pair<String>,
    /// How many freezes led here.
    pub generation: Pair<u32>,
    /// Candidate digests.
    pub candidate: Pair<String>,
    /// Behaviour fingerprints over the fixed suite.
    pub behaviour: Pair<String>,
    /// The experiments that earned them.
    pub experiment: Pair<String>,
    /// What was claimed.
    pub claim: Pair<Claim>,
    /// Tables and incumbent that they stand on.
    pub parents: Pair<Parents>,
    /// Content digests of the ledger's lines of outcome.
    pub ledger: Pair<String>,
    /// Attempts since the game's last freeze, where the full record is at hand; 0 is a rehearsal.
    pub attempt: Pair<u32>,
    /// Levels at which the cells were judged, in billionths.
    pub alpha_ppb: Pair<i64>,
    /// Every knob, in the head's order; those of the base alone last.
    pub knobs: Vec<KnobChange>,
    /// Every cell, in the head's order; those of the base alone last.
    pub cells: Vec<CellChange>,
    /// What the runs cost.
    pub cost: Pair<CostSummary>,
    /// Decisions on the fixed suite, where both sides have them on record.
    pub decisions: Option<Decisions>,
    /// Why the decisions or positions could not be compared, or what to know about them.
    pub remarks: Vec<String>,
    /// Positions of the head's run in which the two play differently, of which some are shown.
    pub positions_found: u64,
    /// The best for the head, best first.
    pub best: Vec<Position>,
    /// The worst for the head, worst first.
    pub worst: Vec<Position>,
    /// Positions of the fixed suite that are played differently, where the head's run kept them.
    pub suite: Vec<Position>,
}

/// One knob, in thousandths.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KnobChange {
    /// Its name.
    pub name: String,
    /// Its values.
    pub value: Pair<i64>,
    /// First step of the search, where it is on record.
    pub step: Option<i64>,
    /// What the search noticed about it.
    pub flags: Vec<&'static str>,
}

impl KnobChange {
    /// Whether its value is not the same.
    #[must_use]
    pub fn moved(&self) -> bool {
        self.value.base != self.value.head
    }
}

/// One cell on both sides. Each side's seeds are its own, so the two are no paired comparison.
#[derive(Clone, Debug, Serialize)]
pub struct CellChange {
    /// The opponent.
    pub against: String,
    /// Rounds a match.
    pub rounds: u32,
    /// What was measured.
    pub result: Pair<CellFacts>,
}

/// One cell of one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CellFacts {
    /// Mean settlement a round, with its interval.
    pub estimate: Estimate,
    /// What it had to be above.
    pub margin_micro: i64,
    /// The verdict.
    pub verdict: Verdict,
    /// Fallbacks of the candidate, where the full record is at hand.
    pub fallbacks: Option<Fallbacks>,
}

/// Decisions on the fixed suite.
#[derive(Clone, Debug, Serialize)]
pub struct Decisions {
    /// Positions of the suite.
    pub compared: usize,
    /// Those that are decided differently, by rising index.
    pub changes: Vec<DecisionChange>,
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DecisionChange {
    /// Place in the suite, from 0.
    pub index: usize,
    /// The base's play.
    pub base: String,
    /// The head's play.
    pub head: String,
}

/// One side, from weights with the records that belong to them, or from records alone.
#[derive(Default)]
struct Side<'a> {
    file: String,
    checksum: String,
    domain: String,
    generation: Option<u32>,
    candidate: Option<&'a str>,
    behaviour: Option<&'a str>,
    experiment: &'a str,
    claim: Option<Claim>,
    parents: Option<&'a Parents>,
    ledger: Option<&'a str>,
    knobs: &'a [KnobValue],
    flags: &'a [KnobFlags],
    cells: Vec<(String, u32, CellFacts)>,
    cost: Option<CostSummary>,
    decisions: Option<&'a [String]>,
    validation: Option<&'a ValidationDoc>,
}

impl Snapshot {
    /// The records that weights come from: found by the checksum that they cite, in whatever folder.
    #[must_use]
    pub fn run_of(&self, weights: &Kept<WeightsDoc>) -> Option<&Run> {
        let cited = &weights.doc.validation_record;
        let validated = |run: &&Run| {
            let found = run.validation.as_ref().map(|v| v.doc.checksum().hex());
            found.as_ref() == Some(cited)
        };
        let summed = |run: &&Run| {
            let found = run
                .summary
                .as_ref()
                .and_then(|s| s.doc.records.get("validation"));
            found == Some(cited)
        };
        let mut runs = self.runs.values();
        runs.clone().find(validated).or_else(|| runs.find(summed))
    }
}

fn domain(game: &str, players: u8, ruleset: &str, policy: &str) -> String {
    format!("{game}, {players} players, {ruleset}, {policy}")
}

impl<'a> Side<'a> {
    fn of_weights(all: &'a Snapshot, weights: &'a Kept<WeightsDoc>) -> Self {
        let doc: &WeightsDoc = &weights.doc;
        let mut side = all
            .run_of(weights)
            .map(Self::of_records)
            .unwrap_or_default();
        side.file = weights.file.clone();
        side.checksum = weights.doc.checksum().hex();
        side.domain = domain(&doc.game, doc.players, &doc.ruleset, &doc.policy);
        side.generation = Some(doc.generation);
        side.candidate = Some(&doc.candidate);
        side.behaviour = Some(&doc.behaviour);
        side.experiment = &doc.experiment;
        side.claim = Some(doc.claim);
        side.parents = Some(&doc.parents);
        side.ledger = Some(&doc.ledger);
        side.knobs = &doc.knobs;
        if side.validation.is_none() {
            side.cells = doc.validation.iter().map(short).collect();
        }
        side
    }

    /// What the records say, the fullest of them first.
    fn of_records(run: &'a Run) -> Self {
        let mut side = Self {
            decisions: run.decisions.as_deref(),
            ..Self::default()
        };
        if let Some(kept) = &run.candidate {
            let c = kept.doc.doc();
            side.take(kept.file.clone(), kept.doc.checksum().hex());
            side.domain = domain(&c.game, c.players, &c.ruleset, &c.policy);
            (side.candidate, side.experiment) = (Some(c.candidate.as_str()), &c.experiment);
            (side.parents, side.knobs, side.flags) = (Some(&c.parents), &c.knobs, &c.flags);
            side.cost = Some(c.cost);
        }
        if let Some(kept) = &run.summary {
            let s = kept.doc.doc();
            side.take(kept.file.clone(), kept.doc.checksum().hex());
            side.domain = domain(&s.game, s.players, &s.ruleset, &s.policy);
            (side.candidate, side.experiment) = (Some(s.candidate.as_str()), &s.experiment);
            (side.parents, side.knobs, side.flags) = (Some(&s.parents), &s.knobs, &s.flags);
            (side.behaviour, side.claim) = (Some(s.behaviour.as_str()), Some(s.claim));
            (side.ledger, side.cost) = (s.ledger.as_deref(), Some(s.cost));
            side.cells = s.cells.iter().map(short).collect();
        }
        if let Some(kept) = &run.validation {
            let v = kept.doc.doc();
            side.take(kept.file.clone(), kept.doc.checksum().hex());
            side.domain = domain(&v.game, v.players, &v.ruleset, &v.policy);
            (side.candidate, side.experiment) = (Some(v.candidate.as_str()), &v.experiment);
            (side.parents, side.knobs) = (Some(&v.parents), &v.knobs);
            (side.behaviour, side.claim) = (Some(v.behaviour.as_str()), Some(v.claim));
            side.cells = v.cells.iter().map(full).collect();
            if run.summary.is_none() {
                side.cost = Some(cost(v, side.cost));
            }
            side.validation = Some(v);
        }
        side
    }

    fn take(&mut self, file: String, checksum: String) {
        (self.file, self.checksum) = (file, checksum);
    }
}

fn short(c: &CellSummary) -> (String, u32, CellFacts) {
    let facts = CellFacts {
        estimate: c.estimate.clone(),
        margin_micro: c.margin_micro,
        verdict: c.verdict,
        fallbacks: None,
    };
    (c.against.clone(), c.rounds, facts)
}

fn full(c: &CellResult) -> (String, u32, CellFacts) {
    let (against, rounds, mut facts) = short(&CellSummary::from(c));
    facts.fallbacks = Some(c.fallbacks);
    (against, rounds, facts)
}

/// The cost of validating, on top of that of tuning where it is known.
fn cost(v: &ValidationDoc, tuning: Option<CostSummary>) -> CostSummary {
    v.cells
        .iter()
        .fold(tuning.unwrap_or_default(), |mut cost, c| {
            let decisions = c
                .fallbacks
                .decisions
                .saturating_add(c.opponent_fallbacks.decisions);
            cost.matches = cost.matches.saturating_add(c.matches);
            cost.rounds = cost.rounds.saturating_add(c.rounds_played);
            cost.decisions = cost.decisions.saturating_add(decisions);
            cost.work = cost.work.saturating_add(c.work_sum);
            cost
        })
}

impl PlayChange {
    pub(crate) fn of_weights(
        what: &str,
        base: (&Snapshot, Option<&Kept<WeightsDoc>>),
        head: (&Snapshot, Option<&Kept<WeightsDoc>>),
    ) -> Self {
        let old = base.1.map(|w| Side::of_weights(base.0, w));
        let new = head.1.map(|w| Side::of_weights(head.0, w));
        Self::of(what, old.as_ref(), new.as_ref())
    }

    pub(crate) fn of_records(what: &str, base: Option<&Run>, head: Option<&Run>) -> Self {
        let (old, new) = (base.map(Side::of_records), head.map(Side::of_records));
        Self::of(what, old.as_ref(), new.as_ref())
    }

    fn of(what: &str, base: Option<&Side<'_>>, head: Option<&Side<'_>>) -> Self {
        fn pair<'a, T>(
            base: Option<&'a Side<'a>>,
            head: Option<&'a Side<'a>>,
            f: impl Fn(&'a Side<'a>) -> Option<T>,
        ) -> Pair<T> {
            Pair {
                base: base.and_then(&f),
                head: head.and_then(&f),
            }
        }
        let text = |t: Option<&str>| t.map(str::to_owned);
        let checksum = pair(base, head, |s| Some(s.checksum.clone()));
        let mut all = Self {
            what: what.to_owned(),
            change: Change::of(&checksum),
            file: pair(base, head, |s| Some(s.file.clone())),
            checksum,
            domain: pair(base, head, |s| Some(s.domain.clone())),
            generation: pair(base, head, |s| s.generation),
            candidate: pair(base, head, |s| text(s.candidate)),
            behaviour: pair(base, head, |s| text(s.behaviour)),
            experiment: pair(base, head, |s| Some(s.experiment.to_owned())),
            claim: pair(base, head, |s| s.claim),
            parents: pair(base, head, |s| s.parents.cloned()),
            ledger: pair(base, head, |s| text(s.ledger)),
            attempt: pair(base, head, |s| s.validation.map(|v| v.attempt)),
            alpha_ppb: pair(base, head, |s| s.validation.map(|v| v.alpha_ppb)),
            knobs: knobs(base, head),
            cells: cells(base, head),
            cost: pair(base, head, |s| s.cost),
            decisions: None,
            remarks: Vec::new(),
            positions_found: 0,
            best: Vec::new(),
            worst: Vec::new(),
            suite: Vec::new(),
        };
        if let (Some(base), Some(head)) = (base, head) {
            all.compare_decisions(base, head);
            all.take_positions(base, head);
        }
        all
    }

    fn compare_decisions(&mut self, base: &Side<'_>, head: &Side<'_>) {
        match (base.decisions, head.decisions) {
            (Some(old), Some(new)) if old.len() == new.len() && base.domain == head.domain => {
                let each = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
                self.decisions = Some(Decisions {
                    compared: new.len(),
                    changes: each
                        .map(|(index, (old, new))| DecisionChange {
                            index,
                            base: old.clone(),
                            head: new.clone(),
                        })
                        .collect(),
                });
            }
            (Some(old), Some(new)) => self.remarks.push(format!(
                "the fixed suites are not the same ({} and {} positions, {} and {}): decisions are not compared",
                old.len(),
                new.len(),
                base.domain,
                head.domain
            )),
            (old, new) => {
                let who = match (old, new) {
                    (None, None) => "either side",
                    (None, _) => "the base",
                    _ => "the head",
                };
                self.remarks.push(format!("no decisions on the fixed suite are on record for {who}"));
            }
        }
    }

    /// The ranking of the head's run compares with its incumbent, which is shown as that even where it is not the base.
    fn take_positions(&mut self, base: &Side<'_>, head: &Side<'_>) {
        let Some(v) = head.validation else {
            self.remarks.push(
                "the head's validation record is not at hand: no positions to show".to_owned(),
            );
            return;
        };
        if v.positions.is_empty() && v.suite_changes.is_empty() {
            self.remarks.push(match v.parents.incumbent {
                Some(_) => {
                    "the head's run met no position that it and its incumbent play differently"
                        .to_owned()
                }
                None => "the head's run had no incumbent, so it recorded no positions".to_owned(),
            });
            return;
        }
        if v.parents.incumbent.as_deref() != Some(base.checksum.as_str()) {
            self.remarks.push(
                "the positions compare the head with its own incumbent, which is not the base"
                    .to_owned(),
            );
        }
        // Ranked best first: no position is shown from both ends.
        let middle = v.positions.len().div_ceil(2);
        let (front, back) = v.positions.split_at(middle);
        self.best = front.iter().take(SHOWN).cloned().collect();
        self.worst = back.iter().rev().take(SHOWN).cloned().collect();
        self.suite = v.suite_changes.iter().take(SHOWN).cloned().collect();
        self.positions_found = v.positions_found;
    }
}

fn knobs(base: Option<&Side<'_>>, head: Option<&Side<'_>>) -> Vec<KnobChange> {
    let of = |side: Option<&Side<'_>>, name: &str| {
        side.and_then(|s| s.knobs.iter().find(|k| k.name == name).map(|k| k.value))
    };
    let names = |side: Option<&Side<'_>>| -> Vec<String> {
        side.map_or(Vec::new(), |s| {
            s.knobs.iter().map(|k| k.name.clone()).collect()
        })
    };
    let mut all = names(head);
    for name in names(base) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all.into_iter()
        .map(|name| {
            let noticed = head.and_then(|s| s.flags.iter().find(|f| f.name == name));
            let flags = noticed.map_or(Vec::new(), |f| {
                let all = [
                    (f.flat, "flat"),
                    (f.at_bound, "at bound"),
                    (f.tie_break_only, "tie-break only"),
                ];
                all.into_iter().filter(|f| f.0).map(|f| f.1).collect()
            });
            KnobChange {
                value: Pair {
                    base: of(base, &name),
                    head: of(head, &name),
                },
                step: noticed.map(|f| f.step),
                flags,
                name,
            }
        })
        .collect()
}

fn cells(base: Option<&Side<'_>>, head: Option<&Side<'_>>) -> Vec<CellChange> {
    let list = |side: Option<&Side<'_>>| side.map_or(Vec::new(), |s| s.cells.clone());
    let (old, new) = (list(base), list(head));
    let find = |cells: &[(String, u32, CellFacts)], against: &str, rounds: u32| {
        let cell = cells.iter().find(|c| c.0 == against && c.1 == rounds);
        cell.map(|c| c.2.clone())
    };
    let gone = old.iter().filter(|c| find(&new, &c.0, c.1).is_none());
    new.iter()
        .chain(gone)
        .map(|(against, rounds, _)| CellChange {
            against: against.clone(),
            rounds: *rounds,
            result: Pair {
                base: find(&old, against, *rounds),
                head: find(&new, against, *rounds),
            },
        })
        .collect()
}
