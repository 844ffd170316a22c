//! Deciding for a server: the policy, then the guard rail, then whatever is legal.

use crate::artifacts::{LoadError, load};
use crate::games::Served;
use evenhand_contract::{
    Cause, Choices, Fallbacks, Outcome, Policy, Setup, Trace, TraceLevel, Work, decide,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What one decision may use.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// Work units; `None` is the game's own limit, by which experiments run.
    pub work: Option<u64>,
    /// Whether the time is up; asked whenever work is charged.
    pub expired: Option<&'a dyn Fn() -> bool>,
}

/// A legal decision and how it came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<D> {
    /// What to do.
    pub decision: D,
    /// The policy's stage that decided; `forced` when there was no choice.
    pub stage: &'static str,
    /// Set when the fallback decided.
    pub fallback: Option<Cause>,
    /// Work units that the policy used.
    pub work: u64,
}

/// The view allows no legal decision: the round is over, or the view does not add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the view allows no legal decision")]
pub struct NoDecision;

/// One decision that the fallback made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fallback<'a> {
    /// The policy that was asked for.
    pub policy: &'a str,
    /// Why it did not decide.
    pub cause: Cause,
    /// The reason in words.
    pub why: &'a str,
}

/// Called for every decision that the fallback makes.
pub type Hook = Box<dyn FnMut(Fallback<'_>) + Send>;

/// Decisions with two or more legal choices, and those of them that the fallback made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Decisions with a choice.
    pub decisions: u64,
    /// Fallbacks by cause.
    pub fallbacks: Fallbacks,
    /// Most work units that one decision used.
    pub most_work: u64,
}

impl Tally {
    /// Adds another count.
    pub fn add(&mut self, other: &Self) {
        self.decisions += other.decisions;
        self.fallbacks.add(&other.fallbacks);
        self.most_work = self.most_work.max(other.most_work);
    }
}

/// One policy at one table. It may serve every seat: it remembers nothing but caches.
pub struct Bot<G: Served> {
    setup: Setup<G>,
    name: String,
    policy: Result<Policy<G>, (Cause, String)>,
    easy: Policy<G>,
    memo: G::Memo,
    legal: Vec<G::Decision>,
    tally: Tally,
    hook: Option<Hook>,
}

/// What a policy came to: an outcome, or why there is none.
type Attempt<G> = Result<Outcome<<G as evenhand_contract::Game>::Decision>, (Cause, String)>;

impl<G: Served> Bot<G> {
    /// The frozen policy of this name.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load(setup: Setup<G>, name: &str) -> Result<Self, LoadError> {
        load(&setup, name).map(|policy| Self::with_policy(setup, policy))
    }

    /// The frozen policy of this name; where it cannot be loaded, the fallback plays in its place
    /// and every decision with a choice counts as one fallback.
    #[must_use]
    pub fn load_or_fall_back(setup: Setup<G>, name: &str) -> Self {
        let policy = load(&setup, name).map_err(|error| {
            let cause = match &error {
                LoadError::UnknownPolicy { .. } => Cause::UnknownPolicy,
                _ => Cause::PolicyError,
            };
            (cause, error.to_string())
        });
        Self::assemble(setup, name, policy)
    }

    /// A policy with parameters of the caller's own.
    #[must_use]
    pub fn with_policy(setup: Setup<G>, policy: Policy<G>) -> Self {
        let name = policy.row.name;
        Self::assemble(setup, name, Ok(policy))
    }

    fn assemble(setup: Setup<G>, name: &str, policy: Result<Policy<G>, (Cause, String)>) -> Self {
        Self {
            setup,
            name: name.to_owned(),
            policy,
            easy: Policy::defaults(&G::policies()[0]),
            memo: G::Memo::default(),
            legal: Vec::new(),
            tally: Tally::default(),
            hook: None,
        }
    }

    /// Has every fallback reported.
    #[must_use]
    pub fn on_fallback(mut self, hook: Hook) -> Self {
        self.hook = Some(hook);
        self
    }

    /// The table that it plays at.
    #[must_use]
    pub const fn setup(&self) -> &Setup<G> {
        &self.setup
    }

    /// Decisions and fallbacks so far.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Why the policy cannot play, when it cannot.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.policy.as_ref().err().map(|(_, why)| why.as_str())
    }

    /// Decides.
    ///
    /// # Errors
    /// [`NoDecision`] when nothing is legal.
    pub fn decide(
        &mut self,
        view: &G::View,
        limits: &Limits<'_>,
    ) -> Result<Answer<G::Decision>, NoDecision> {
        self.decide_traced(view, limits, &mut Trace::new(TraceLevel::Off))
    }

    /// Decides, and records why as far as the trace's level goes.
    ///
    /// # Errors
    /// As [`Bot::decide`].
    pub fn decide_traced(
        &mut self,
        view: &G::View,
        limits: &Limits<'_>,
        trace: &mut Trace<G::Decision, G::Question>,
    ) -> Result<Answer<G::Decision>, NoDecision> {
        trace.clear();
        let (memo, legal) = (&mut self.memo, &mut self.legal);
        let choices = catch_unwind(AssertUnwindSafe(|| {
            G::legal(view, memo, legal);
            G::choices(view, memo)
        }));
        match choices {
            Err(_) => {
                self.memo = G::Memo::default();
                return Err(NoDecision);
            }
            Ok(_) if self.legal.is_empty() => return Err(NoDecision),
            Ok(Choices::Forced(decision)) => {
                return Ok(Answer {
                    decision,
                    stage: "forced",
                    fallback: None,
                    work: 0,
                });
            }
            Ok(Choices::Free) => {}
        }
        self.tally.decisions += 1;
        let units = limits.work.unwrap_or(G::WORK_LIMIT);
        let mut work = match limits.expired {
            Some(expired) => Work::with_deadline(units, expired),
            None => Work::units(units),
        };
        let outcome = self.ask(view, &mut work, trace);
        self.tally.most_work = self.tally.most_work.max(work.used());
        let (decision, fallback) = match outcome {
            Ok(Outcome {
                decision, fallback, ..
            }) => {
                if let Some(cause) = fallback {
                    self.count(cause, "the policy gave no decision");
                }
                (decision, fallback)
            }
            Err((cause, why)) => {
                self.count(cause, &why);
                (self.fall_back(view, trace), Some(cause))
            }
        };
        Ok(Answer {
            decision,
            stage: trace.decided_by(),
            fallback,
            work: work.used(),
        })
    }

    /// Asks the policy; a panic and an illegal decision are errors of the policy.
    fn ask(
        &mut self,
        view: &G::View,
        work: &mut Work<'_>,
        trace: &mut Trace<G::Decision, G::Question>,
    ) -> Attempt<G> {
        if G::setup_of(view) != self.setup {
            let why = "the view was seen at another table than this bot plays at";
            return Err((Cause::PolicyError, why.to_owned()));
        }
        let policy = self.policy.as_ref().map_err(Clone::clone)?;
        attempt(policy, view, &mut self.memo, work, trace, &self.legal)
    }

    /// The guard rail: `easy`, and should that fail too, the first legal decision.
    #[cold]
    fn fall_back(
        &mut self,
        view: &G::View,
        trace: &mut Trace<G::Decision, G::Question>,
    ) -> G::Decision {
        trace.clear();
        let mut work = Work::units(u64::MAX);
        let memo = &mut self.memo;
        match attempt(&self.easy, view, memo, &mut work, trace, &self.legal) {
            Ok(outcome) => outcome.decision,
            Err(_) => {
                trace.clear();
                trace.stage("first_legal");
                self.legal[0]
            }
        }
    }

    #[cold]
    fn count(&mut self, cause: Cause, why: &str) {
        self.tally.fallbacks.count(cause);
        if let Some(hook) = &mut self.hook {
            hook(Fallback {
                policy: &self.name,
                cause,
                why,
            });
        }
    }
}

fn attempt<G: Served>(
    policy: &Policy<G>,
    view: &G::View,
    memo: &mut G::Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<G::Decision, G::Question>,
    legal: &[G::Decision],
) -> Attempt<G> {
    let error = |why: String| Err((Cause::PolicyError, why));
    match catch_unwind(AssertUnwindSafe(|| decide(policy, view, memo, work, trace))) {
        Ok(Ok(outcome)) if legal.contains(&outcome.decision) => Ok(outcome),
        Ok(Ok(outcome)) => error(format!(
            "{} is not legal here",
            G::decision_text(&outcome.decision)
        )),
        Ok(Err(e)) => error(e.to_string()),
        Err(panic) => {
            // What a panic left half written is not kept.
            *memo = G::Memo::default();
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            error(format!("panicked: {}", text.unwrap_or("without a message")))
        }
    }
}

/// One policy at any table of a game: a [`Bot`] for each table size and ruleset that views come
/// from, made when the first one comes.
pub struct Bots<G: Served> {
    name: String,
    bots: Vec<Bot<G>>,
}

impl<G: Served> Bots<G> {
    /// The frozen policy of this name, wherever it can play; elsewhere the fallback plays.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            bots: Vec::new(),
        }
    }

    /// The bot of the table at which a view was seen.
    pub fn at(&mut self, view: &G::View) -> &mut Bot<G> {
        let setup = G::setup_of(view);
        let place = self.bots.iter().position(|bot| bot.setup == setup);
        let place = place.unwrap_or_else(|| {
            self.bots.push(Bot::load_or_fall_back(setup, &self.name));
            self.bots.len() - 1
        });
        &mut self.bots[place]
    }

    /// Decides as the bot of the view's table.
    ///
    /// # Errors
    /// [`NoDecision`] when nothing is legal.
    pub fn decide(
        &mut self,
        view: &G::View,
        limits: &Limits<'_>,
    ) -> Result<Answer<G::Decision>, NoDecision> {
        self.at(view).decide(view, limits)
    }

    /// Decisions and fallbacks at all tables so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.bots.iter().fold(Tally::default(), |mut sum, bot| {
            sum.add(&bot.tally);
            sum
        })
    }
}

#[cfg(test)]
mod tests;
