//! What a policy decides in a position, and why.

use evenhand_contract::{Border, Game, Policy, PolicyError, Trace, TraceLevel, Work, decide};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A named figure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i64,
}

/// One choice that was weighed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighed {
    /// The choice.
    pub decision: String,
    /// Sum of weight x term.
    pub total: i64,
    /// Terms before their weights.
    pub terms: Vec<Figure>,
    /// Further figures.
    pub facts: Vec<Figure>,
}

/// A decision with its reasons.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// What is decided.
    pub decision: String,
    /// The stage that decided; empty when the policy has none.
    pub stage: String,
    /// Why the fallback decided, if it did.
    #[serde(default)]
    pub fallback: Option<String>,
    /// The term table.
    pub candidates: Vec<Weighed>,
}

/// A figure of one candidate that two policies, or two askings, see differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The candidate.
    pub decision: String,
    /// The term, the fact, or `total`.
    pub name: String,
    /// Its value on the first side; absent where that side has none.
    #[serde(default)]
    pub a: Option<i64>,
    /// Its value on the second side.
    #[serde(default)]
    pub b: Option<i64>,
}

impl Reason {
    /// How far apart the values are.
    #[must_use]
    pub fn distance(&self) -> u64 {
        match (self.a, self.b) {
            (Some(a), Some(b)) => a.abs_diff(b),
            _ => u64::MAX,
        }
    }
}

/// Asks a policy with a fresh memo, so that nothing it saw before can matter.
///
/// # Errors
/// When the fallback gives no decision.
pub fn ask<G: Border>(policy: &Policy<G>, view: &G::View) -> Result<Choice, PolicyError> {
    let mut memo = G::Memo::default();
    let mut trace = Trace::new(TraceLevel::Full);
    let mut work = Work::units(G::WORK_LIMIT);
    let outcome = decide(policy, view, &mut memo, &mut work, &mut trace)?;
    Ok(Choice {
        decision: G::decision_text(&outcome.decision),
        stage: trace.decided_by().to_owned(),
        fallback: outcome.fallback.map(|cause| cause.name().to_owned()),
        candidates: weighed::<G>(&trace),
    })
}

/// The term table of a trace.
pub(crate) fn weighed<G: Border>(trace: &Trace<G::Decision, G::Question>) -> Vec<Weighed> {
    let figures = |list: &[(&'static str, i64)]| -> Vec<Figure> {
        let figure = |&(name, value): &(&'static str, i64)| Figure {
            name: name.to_owned(),
            value,
        };
        list.iter().map(figure).collect()
    };
    let weighed = trace.candidates.iter().map(|candidate| Weighed {
        decision: G::decision_text(&candidate.decision),
        total: candidate.total,
        terms: figures(&candidate.terms),
        facts: figures(&candidate.facts),
    });
    weighed.collect()
}

/// Every legal decision, as text.
#[must_use]
pub fn legal<G: Border>(view: &G::View) -> Vec<String> {
    let mut legal = Vec::new();
    <G as Game>::legal(view, &mut G::Memo::default(), &mut legal);
    legal.iter().map(G::decision_text).collect()
}

/// The terms and facts that two term tables give differently, candidate by candidate in the order
/// of the first; with none of these, the totals that differ.
#[must_use]
pub fn reasons(a: &[Weighed], b: &[Weighed]) -> Vec<Reason> {
    let mut found = Vec::new();
    let mut totals = Vec::new();
    for one in a {
        let Some(other) = b.iter().find(|w| w.decision == one.decision) else {
            continue;
        };
        let reason = |name: &str, a, b| Reason {
            decision: one.decision.clone(),
            name: name.to_owned(),
            a,
            b,
        };
        for (mine, theirs) in [(&one.terms, &other.terms), (&one.facts, &other.facts)] {
            let value =
                |list: &[Figure], name: &str| list.iter().find(|f| f.name == name).map(|f| f.value);
            let names: BTreeSet<&String> = mine.iter().chain(theirs).map(|f| &f.name).collect();
            for name in names {
                let (a, b) = (value(mine, name), value(theirs, name));
                if a != b {
                    found.push(reason(name, a, b));
                }
            }
        }
        if one.total != other.total {
            totals.push(reason("total", Some(one.total), Some(other.total)));
        }
    }
    if found.is_empty() { totals } else { found }
}
