//! Asks variants of a policy along its own play: one that decides alike at every decision would
//! play the very same rounds, so not a seed need be spent on it.

use crate::field::{Field, Moves, Played};
use evenhand_contract::{Border, Policy, Seat, SeedId, Trace, TraceLevel, Work, decide};
use evenhand_sim::{
    Control, Decided, Execution, Exploration, Observer, Place, RunError, Seeds, Side, run_observed,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Watches one seed.
struct Asking<'a, G: Border> {
    moves: Moves,
    variants: &'a [Policy<G>],
    /// Which of them are known to decide differently somewhere. Where first does not matter, so
    /// neither does the order in which threads find out.
    differs: &'a [AtomicBool],
    /// Memos by variant and seat.
    memos: Vec<Vec<G::Memo>>,
}

impl<G: Border> Observer<G> for Asking<'_, G> {
    fn moved(&mut self, at: &Place, seat: Seat, decision: &G::Decision) {
        self.moves.moved::<G>(at, seat, decision);
    }

    fn decision(&mut self, at: &Place, decided: &Decided<'_, G>) {
        if decided.side != Side::A {
            return;
        }
        let asked = self.variants.iter().zip(self.differs).zip(&mut self.memos);
        for ((variant, differs), memos) in asked {
            if differs.load(Ordering::Relaxed) {
                continue;
            }
            if memos.is_empty() {
                memos.resize_with(at.sides.as_slice().len(), G::Memo::default);
            }
            let memo = &mut memos[decided.seat.index()];
            let mut work = Work::units(G::WORK_LIMIT);
            let mut trace = Trace::new(TraceLevel::Off);
            let outcome = decide(variant, decided.view, memo, &mut work, &mut trace);
            if !outcome.is_ok_and(|o| o.decision == decided.outcome.decision) {
                differs.store(true, Ordering::Relaxed);
                *memos = Vec::new();
            }
        }
    }
}

impl<G: Border> Field<G> {
    /// Plays a policy against every opponent, and says of each variant whether it would have
    /// decided differently anywhere.
    ///
    /// # Errors
    /// When a match fails or the run is interrupted.
    pub fn play_asking(
        &self,
        policy: &Policy<G>,
        variants: &[Policy<G>],
        seeds: &Seeds<Exploration>,
        execution: &Execution,
        control: &mut dyn Control,
    ) -> Result<(Played, Vec<bool>), RunError> {
        let mut played = Played {
            against: Vec::new(),
            moves: Vec::new(),
        };
        let differs: Vec<AtomicBool> = variants.iter().map(|_| AtomicBool::new(false)).collect();
        for opponent in &self.pool {
            let plan = self.plan(policy, opponent)?;
            let make = |_: &SeedId| Asking::<G> {
                moves: Moves::default(),
                variants,
                differs: &differs,
                memos: variants.iter().map(|_| Vec::new()).collect(),
            };
            let mut moves = Vec::with_capacity(seeds.len());
            let mut keep = |watched: Asking<'_, G>| moves.push(watched.moves.finish());
            let tallies = run_observed(&plan, seeds, execution, control, make, &mut keep)?;
            played.against.push(tallies);
            played.moves.push(moves);
        }
        let differs = differs.into_iter().map(AtomicBool::into_inner).collect();
        Ok((played, differs))
    }
}
