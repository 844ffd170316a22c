use crate::{Ask, Game, Knob, Maps, OutOfWork, Trace, Weights, Work};

/// Why a policy gave no decision.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PolicyError {
    /// The work budget or the deadline ran out.
    #[error(transparent)]
    OutOfWork(#[from] OutOfWork),
    /// Anything else, with the reason.
    #[error("{0}")]
    Other(String),
}

/// What a policy row is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Plays for real: listed, served, tuned, frozen.
    Play,
    /// A deliberately faulty policy that shows whether the instruments notice. Never listed to
    /// servers, tuned or frozen; only measuring tools accept it.
    Instrument,
}

/// A policy's one function: a view and a work budget in, one legal decision out. Deterministic;
/// draws no random numbers and keeps nothing but content-keyed caches in the memo.
pub type PolicyFn<G> = fn(
    &Ask<'_, G>,
    &mut <G as Game>::Memo,
    &mut Work<'_>,
    &mut Trace<<G as Game>::Decision, <G as Game>::Question>,
) -> Result<<G as Game>::Decision, PolicyError>;

/// One row of a game's policy table.
#[derive(Debug)]
pub struct PolicyRow<G: Game> {
    /// Name in commands, specs and artifacts.
    pub name: &'static str,
    /// One line on how it plays.
    pub about: &'static str,
    /// What the row is for.
    pub purpose: Purpose,
    /// Its tunables; empty for a style without weights.
    pub knobs: &'static [Knob],
    /// Its rule stages that can be switched off for an ablation, in the order of
    /// [`Ask::stages_off`]'s bits; empty where it has none.
    pub stages: &'static [&'static str],
    /// Whether it reads a calibration table.
    pub reads_table: bool,
    /// The function.
    pub decide: PolicyFn<G>,
}

/// A policy ready to play: its row with the parameters it plays by.
#[derive(Debug)]
pub struct Policy<G: Game> {
    /// The row.
    pub row: &'static PolicyRow<G>,
    /// Knob values.
    pub weights: Weights,
    /// Calibration maps; the identity plays the raw estimator.
    pub maps: Maps,
    /// Rule stages that are switched off, bit i for `row.stages[i]`; 0 outside ablations.
    pub stages_off: u32,
}

impl<G: Game> Clone for Policy<G> {
    fn clone(&self) -> Self {
        Self {
            row: self.row,
            weights: self.weights.clone(),
            maps: self.maps.clone(),
            stages_off: self.stages_off,
        }
    }
}

impl<G: Game> Policy<G> {
    /// Generation 0 of a row: default weights and the identity map.
    #[must_use]
    pub fn defaults(row: &'static PolicyRow<G>) -> Self {
        Self {
            row,
            weights: Weights::defaults(row.knobs),
            maps: Maps::identity(0),
            stages_off: 0,
        }
    }
}

/// The row of this name in a game's one policy table.
#[must_use]
pub fn find_policy<G: Game>(name: &str) -> Option<&'static PolicyRow<G>> {
    G::policies().iter().find(|row| row.name == name)
}
