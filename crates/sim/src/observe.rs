use evenhand_contract::{
    BySeat, Game, Outcome, Prediction, Seat, SeedId, Split, Trace, TraceLevel,
};
use serde::{Deserialize, Serialize};

/// The policy that is measured, or the one it is measured against.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The measured policy.
    #[default]
    A,
    /// The other.
    B,
}

impl Side {
    /// Both, in the order of every pair of figures.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The name in JSON output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }
}

/// Which round is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// What the seed is for.
    pub split: Split,
    /// The seed.
    pub seed: SeedId,
    /// 0 .. 2N-1: below N the lone A sits at that seat, from N on the lone B at this minus N.
    pub arrangement: u32,
    /// From 1.
    pub round: u32,
    /// Which policy sits where.
    pub sides: BySeat<Side>,
}

/// A decision with a choice, right before it is carried out.
pub struct Decided<'a, G: Game> {
    /// Who decides.
    pub seat: Seat,
    /// By which policy.
    pub side: Side,
    /// The whole truth.
    pub state: &'a G::State,
    /// What the seat has seen.
    pub view: &'a G::View,
    /// What it decided and how.
    pub outcome: &'a Outcome<G::Decision>,
    /// What was recorded at the observer's level.
    pub trace: &'a Trace<G::Decision, G::Question>,
    /// Wall time of the decision in nanoseconds; only where [`Observer::timed`] asks for it.
    pub nanos: Option<u64>,
}

/// A prediction with what came true.
pub struct Resolved<'a, G: Game> {
    /// Who believed it.
    pub seat: Seat,
    /// By which policy.
    pub side: Side,
    /// The question, the raw output and what was believed.
    pub prediction: &'a Prediction<G::Question>,
    /// What is true; `None` when the round ended without an answer.
    pub truth: Option<bool>,
}

/// Watches play without having a say in it. Every method does nothing by default, and what is not
/// asked for costs nothing.
pub trait Observer<G: Game> {
    /// How much policies record while they decide.
    fn level(&self) -> TraceLevel {
        TraceLevel::Off
    }
    /// Whether the wall time of decisions is wanted.
    fn timed(&self) -> bool {
        false
    }
    /// A round begins.
    fn round_start(&mut self, _at: &Place, _start: &G::State) {}
    /// A policy decided where it had a choice.
    fn decision(&mut self, _at: &Place, _decided: &Decided<'_, G>) {}
    /// Any move, forced ones included, was carried out.
    fn moved(&mut self, _at: &Place, _seat: Seat, _decision: &G::Decision) {}
    /// A prediction met the truth, or the round's end.
    fn resolved(&mut self, _at: &Place, _resolved: &Resolved<'_, G>) {}
    /// A round ended.
    fn round_end(&mut self, _at: &Place, _end: &G::State, _settlement: &BySeat<i64>) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<G: Game> Observer<G> for NoObserver {}
