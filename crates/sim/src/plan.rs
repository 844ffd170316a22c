use crate::hex;
use crate::seeds::{Seeds, SplitKind};
use evenhand_contract::{DEAL_STREAM_VERSION, Game, Policy, RulesError, Setup};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// What is played on each seed: everything that decides the tallies, but for the seeds.
#[derive(Debug)]
pub struct MatchPlan<G: Game> {
    /// Table and ruleset.
    pub setup: Setup<G>,
    /// Rounds a match, at least 1.
    pub rounds: u32,
    /// The policy that is measured.
    pub a: Policy<G>,
    /// What it is measured against.
    pub b: Policy<G>,
    /// Work units that one decision may use.
    pub work_limit: u64,
}

/// A plan that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// The game does not seat that many.
    #[error("{game} is played by {allowed:?} players, not by {players}")]
    Players {
        /// The game.
        game: &'static str,
        /// Players asked for.
        players: u8,
        /// Those it seats.
        allowed: &'static [u8],
    },
    /// A match has at least one round, and rounds are counted in 32 bits.
    #[error("a match has 1 to 1000000 rounds, not {0}")]
    Rounds(u32),
    /// A ruleset that does not go with the player count.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

impl<G: Game> Clone for MatchPlan<G> {
    fn clone(&self) -> Self {
        Self {
            setup: self.setup,
            rounds: self.rounds,
            a: self.a.clone(),
            b: self.b.clone(),
            work_limit: self.work_limit,
        }
    }
}

impl<G: Game> MatchPlan<G> {
    /// A plan under the game's own work limit.
    ///
    /// # Errors
    /// When the game does not seat that many players, or the round count is out of range.
    pub fn new(
        setup: Setup<G>,
        rounds: u32,
        a: Policy<G>,
        b: Policy<G>,
    ) -> Result<Self, PlanError> {
        let plan = Self {
            setup,
            rounds,
            a,
            b,
            work_limit: G::WORK_LIMIT,
        };
        plan.check()?;
        Ok(plan)
    }

    /// Whether the plan can be played.
    ///
    /// # Errors
    /// As [`MatchPlan::new`].
    pub fn check(&self) -> Result<(), PlanError> {
        if !G::PLAYERS.contains(&self.setup.players) {
            return Err(PlanError::Players {
                game: G::NAME,
                players: self.setup.players,
                allowed: G::PLAYERS,
            });
        }
        G::check_setup(&self.setup)?;
        if self.rounds == 0 || self.rounds > 1_000_000 {
            return Err(PlanError::Rounds(self.rounds));
        }
        Ok(())
    }

    /// SHA-256, as hex text, of everything that decides the tallies of these seeds.
    #[must_use]
    pub fn digest<S: SplitKind>(&self, seeds: &Seeds<S>) -> String {
        let mut text = String::from("evenhand-plan/1\n");
        let setup = &self.setup;
        let _ = writeln!(text, "game={}", G::NAME);
        let _ = writeln!(text, "players={}", setup.players);
        let _ = writeln!(text, "ruleset={}", setup.rules);
        let _ = writeln!(text, "rounds={}", self.rounds);
        let _ = writeln!(text, "work_limit={}", self.work_limit);
        let _ = writeln!(text, "stream={DEAL_STREAM_VERSION}");
        describe(&mut text, "a", &self.a);
        describe(&mut text, "b", &self.b);
        let _ = writeln!(text, "split={}", S::SPLIT);
        for seed in seeds.ids() {
            let _ = writeln!(text, "seed={seed}");
        }
        hex(&Sha256::digest(text.as_bytes()))
    }
}

/// Everything that decides how a policy plays, one line a part.
fn describe<G: Game>(text: &mut String, side: &str, policy: &Policy<G>) {
    let _ = writeln!(text, "{side}.policy={}", policy.row.name);
    for (knob, value) in policy.row.knobs.iter().zip(policy.weights.values()) {
        let _ = writeln!(text, "{side}.knob.{}={value}", knob.name);
    }
    let _ = writeln!(text, "{side}.stages_off={}", policy.stages_off);
    if !policy.row.reads_table {
        return;
    }
    // Without values the estimator plays by its defaults, whatever the game calls them.
    for (place, value) in policy.maps.parameters().iter().enumerate() {
        let _ = writeln!(text, "{side}.parameter.{place}={value}");
    }
    for (kind, map) in policy.maps.kinds().iter().enumerate() {
        // An identity map reads as the absent one does, so it is left out.
        for (raw, calibrated) in map.iter().flat_map(|map| map.points()) {
            let _ = writeln!(text, "{side}.map.{kind}={raw}:{}", calibrated.get());
        }
    }
}
