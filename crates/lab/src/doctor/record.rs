//! What happened on a seed, decision by decision, and where two accounts of it part.

use crate::capture::ask::{Choice, Reason, Weighed, ask, reasons, weighed};
use evenhand_contract::{Border, Policy, TraceLevel};
use evenhand_sim::{Decided, Observer, Place, Side};
use serde::Serialize;

/// One decision.
struct Step {
    seat: u8,
    side: Side,
    view: String,
    decision: String,
    candidates: Vec<Weighed>,
    /// The same question asked again with a fresh memo; `None` when the fallback failed.
    again: Option<Choice>,
    fell_back: bool,
}

/// One round of one arrangement.
struct RoundLog {
    arrangement: u32,
    round: u32,
    deal: String,
    steps: Vec<Step>,
}

/// The account of one seed.
pub struct Record<'a, G: Border> {
    policies: [&'a Policy<G>; 2],
    rounds: Vec<RoundLog>,
}

/// What differs first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The cards, before anybody decided.
    Deal,
    /// What a seat has seen, after the same decisions.
    View,
    /// What a policy decided on the same view.
    Decision,
    /// What it decided by, though not what it decided.
    Term,
    /// The sums, though no decision.
    Tally,
}

/// The first difference, with all that is needed to find it again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// What differs.
    pub kind: Kind,
    /// The seed.
    pub seed: String,
    /// Arrangement of the duplicate schedule.
    pub arrangement: Option<u32>,
    /// Round of the match, from 1.
    pub round: Option<u32>,
    /// Who was to decide.
    pub seat: Option<u8>,
    /// By which policy.
    pub policy: Option<String>,
    /// The view's text (of a deal: its cards).
    pub view: Option<String>,
    /// What it was.
    pub was: String,
    /// What it became.
    pub became: String,
    /// The term that differs, where the policy records terms and one does.
    pub term: Option<Reason>,
}

impl Difference {
    /// In words.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("seed {}", self.seed);
        for (name, value) in [
            ("arrangement", self.arrangement),
            ("round", self.round),
            ("seat", self.seat.map(u32::from)),
        ] {
            if let Some(value) = value {
                out.push_str(&format!(", {name} {value}"));
            }
        }
        if let Some(policy) = &self.policy {
            out.push_str(&format!(", {policy}"));
        }
        let what = match self.kind {
            Kind::Deal => "the deal",
            Kind::View => "the view after the same decisions",
            Kind::Decision => "the decision on the same view",
            Kind::Term => "a term, though not the decision",
            Kind::Tally => "the sums, though no decision",
        };
        out.push_str(&format!(
            ": {what} was {}, became {}",
            self.was, self.became
        ));
        match (&self.term, &self.kind) {
            (Some(term), _) => {
                let value = |v: Option<i64>| v.map_or("nothing".to_owned(), |v| v.to_string());
                out.push_str(&format!(
                    "; term {} of {} was {}, became {}",
                    term.name,
                    term.decision,
                    value(term.a),
                    value(term.b)
                ));
            }
            (None, Kind::Decision) => out.push_str("; no recorded term differs"),
            (None, _) => {}
        }
        if let Some(view) = &self.view {
            out.push_str(&format!("\n    view {view}"));
        }
        out
    }
}

impl<'a, G: Border> Record<'a, G> {
    /// Nothing yet, for matches of these two.
    #[must_use]
    pub fn new(policies: [&'a Policy<G>; 2]) -> Self {
        Self {
            policies,
            rounds: Vec::new(),
        }
    }

    /// The first difference to another account of the same seed and schedule.
    pub(super) fn first_difference(&self, other: &Self, seed: &str) -> Option<Difference> {
        let pairs = self.rounds.iter().zip(&other.rounds);
        pairs.filter_map(|(a, b)| self.between(a, b, seed)).next()
    }

    /// The first arrangement that went otherwise than the first one of the same round. The same
    /// policy in all seats must play all of them alike.
    pub(super) fn first_uneven(&self, seed: &str) -> Option<Difference> {
        self.rounds.iter().find_map(|log| {
            let first = self.rounds.iter().find(|r| r.round == log.round)?;
            self.between(first, log, seed)
        })
    }

    /// The first decision that came out otherwise when asked again on the spot.
    pub(super) fn first_unsteady(&self, seed: &str) -> Option<Difference> {
        self.rounds.iter().find_map(|log| {
            log.steps.iter().find_map(|step| {
                let again = step.again.as_ref()?;
                let differs = again.decision != step.decision
                    || again.fallback.is_some() != step.fell_back
                    || again.candidates != step.candidates;
                let mut found =
                    differs.then(|| self.at(log, step, seed, &step.decision, &again.decision))?;
                found.term = reasons(&step.candidates, &again.candidates)
                    .into_iter()
                    .next();
                if again.decision == step.decision {
                    found.kind = Kind::Term;
                }
                Some(found)
            })
        })
    }

    fn at(&self, log: &RoundLog, step: &Step, seed: &str, was: &str, became: &str) -> Difference {
        Difference {
            kind: Kind::Decision,
            seed: seed.to_owned(),
            arrangement: Some(log.arrangement),
            round: Some(log.round),
            seat: Some(step.seat),
            policy: Some(self.policies[step.side as usize].row.name.to_owned()),
            view: Some(step.view.clone()),
            was: was.to_owned(),
            became: became.to_owned(),
            term: None,
        }
    }

    fn between(&self, a: &RoundLog, b: &RoundLog, seed: &str) -> Option<Difference> {
        if a.deal != b.deal {
            return Some(Difference {
                kind: Kind::Deal,
                seed: seed.to_owned(),
                arrangement: Some(b.arrangement),
                round: Some(b.round),
                seat: None,
                policy: None,
                view: None,
                was: a.deal.clone(),
                became: b.deal.clone(),
                term: None,
            });
        }
        for (x, y) in a.steps.iter().zip(&b.steps) {
            if x.view != y.view {
                return Some(Difference {
                    kind: Kind::View,
                    ..self.at(b, y, seed, &x.view, &y.view)
                });
            }
            let term = reasons(&x.candidates, &y.candidates).into_iter().next();
            if x.decision != y.decision {
                return Some(Difference {
                    term,
                    ..self.at(b, y, seed, &x.decision, &y.decision)
                });
            }
            if term.is_some() {
                return Some(Difference {
                    kind: Kind::Term,
                    term,
                    ..self.at(b, y, seed, &x.decision, &y.decision)
                });
            }
        }
        None
    }

    /// The first deal that is not the same in another account, whoever played there.
    pub(super) fn first_other_deal(&self, other: &Self, seed: &str) -> Option<Difference> {
        let mut pairs = self.rounds.iter().zip(&other.rounds);
        let (a, b) = pairs.find(|(a, b)| a.deal != b.deal)?;
        self.between(a, b, seed)
    }
}

impl<G: Border> Observer<G> for Record<'_, G> {
    fn level(&self) -> TraceLevel {
        TraceLevel::Full
    }

    fn round_start(&mut self, at: &Place, start: &G::State) {
        self.rounds.push(RoundLog {
            arrangement: at.arrangement,
            round: at.round,
            deal: G::deal_json(start).to_string(),
            steps: Vec::new(),
        });
    }

    fn decision(&mut self, at: &Place, decided: &Decided<'_, G>) {
        let policy = self.policies[at.sides[decided.seat] as usize];
        let step = Step {
            seat: decided.seat.0,
            side: decided.side,
            view: G::view_json(decided.view).to_string(),
            decision: G::decision_text(&decided.outcome.decision),
            candidates: weighed::<G>(decided.trace),
            again: ask(policy, decided.view).ok(),
            fell_back: decided.outcome.fallback.is_some(),
        };
        if let Some(log) = self.rounds.last_mut() {
            log.steps.push(step);
        }
    }
}
