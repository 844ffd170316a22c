//! For which values of a knob that prices the pieces of a plan a scored choice stays the same.
//!
//! A price is linear in the knob, so the price of a partition is; the cheapest plan A(S) of a
//! subset, the least over partitions, is concave in it. A choice leaves the subset S and is worth
//! `base - w A(S)`, with w the weight of `PlanGain` (what the whole hand costs is common to all).
//! Going k steps away from the value played, the chosen b stays ahead of a rival i while
//!
//! `D(k) = base_b - base_i - w (A_b(k) - A_i(k)) >= need`.
//!
//! For w >= 0 put the tangent `A_b(0) + k (A_b(1) - A_b(0))`, which lies above the concave A_b, in
//! its place: what results is concave in k and no more than D, so it holds at every step between
//! two where it holds. For w < 0 the rival gets the tangent. It takes a table of plans at one step
//! and one at the far end. Terms that count the pieces of the plan (its orphans and those that need
//! a lead) change only with the cheapest partition: where A is linear up to the far end, the
//! cheapest partitions are the same ones at every step between, so the counts at both ends and one
//! step in are all that occur.

use super::prices::{ONE, PARTS, PER_TILE, Pricing};
use super::{Piece, knobs};
use crate::plan::{CostTable, MAX_TILES, Plan};
use evenhand_contract::{Line, Milli};

/// A choice: what it leaves, and what of its worth does not depend on the prices.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) strength: (u8, u32),
    /// Its place among the choices.
    pub(super) place: usize,
    pub(super) left: u16,
    base: i64,
    /// What each piece of its plan that needs a lead adds, between these two.
    lead: (i64, i64),
}

impl Choice {
    /// The choice that takes `piece` (`None` passes) of the hand `full`; `fixed` is the sum of its
    /// other weighted terms, or the most it can be, and `kept` the least and the most of the
    /// chance that nobody beats it, in [`PARTS`] of a thousandth.
    pub(super) fn new(
        piece: Option<&Piece>,
        place: usize,
        full: u16,
        weights: &[Milli],
        fixed: i64,
        kept: (i64, i64),
    ) -> Self {
        let size = piece.map_or(0, |p| i64::from(p.meld.size()));
        let weight = weights[knobs::LeadUse];
        let (a, b) = (weight * kept.0, weight * kept.1);
        Self {
            strength: piece.map_or((0, 0), |p| (p.meld.size(), p.meld.key)),
            place,
            left: full ^ piece.map_or(0, |p| p.mask),
            base: fixed - weights[knobs::PlanGain] * PARTS * PER_TILE * size,
            lead: (a.min(b), a.max(b)),
        }
    }
}

/// Tables of plans one step along the line and at its far end.
#[derive(Default)]
pub(super) struct Tables {
    step: CostTable,
    far: CostTable,
}

/// One decision, ready to be certified.
pub(super) struct Priced<'a> {
    pub(super) tiles: usize,
    pub(super) pieces: &'a [Piece],
    pub(super) weights: &'a [Milli],
    pub(super) pricing: &'a Pricing,
    /// Plans at the value played.
    pub(super) here: &'a CostTable,
}

/// Halvings of the stretch between a step that is known to hold and one that is not.
const REFINE: u32 = 4;

impl Priced<'_> {
    /// Narrows the line to values for which `chosen` beats every rival.
    pub(super) fn hold(
        &self,
        line: &mut Line,
        chosen: &Choice,
        rivals: &[Choice],
        tables: &mut Tables,
    ) {
        let at = self.weights[line.place()];
        let (low, high) = (line.low(), line.high());
        let up = self.reach(line.place(), 1, high - at, chosen, rivals, tables);
        let down = self.reach(line.place(), -1, at - low, chosen, rivals, tables);
        line.within(at - down, at + up);
    }

    /// How many steps, `most` or less, the choice surely stands in one direction.
    fn reach(
        &self,
        knob: usize,
        sign: i64,
        most: i64,
        chosen: &Choice,
        rivals: &[Choice],
        tables: &mut Tables,
    ) -> i64 {
        if most <= 0 {
            return 0;
        }
        self.fill(&mut tables.step, knob, sign);
        let mut good = 0;
        let mut bad = most + 1;
        let mut next = most;
        let mut refined = 0;
        while next > good && next < bad {
            self.fill(&mut tables.far, knob, sign * next);
            if rivals.iter().all(|r| self.stands(chosen, r, next, tables)) {
                good = next;
            } else {
                bad = next;
            }
            if good > 0 {
                refined += 1;
                if refined > REFINE {
                    break;
                }
                next = good + (bad - good) / 2;
            } else {
                next = bad / 2;
            }
        }
        good
    }

    /// The places of rivals that the choice may not beat somewhere on the line.
    pub(super) fn binding(
        &self,
        line: &Line,
        chosen: &Choice,
        rivals: &[Choice],
        tables: &mut Tables,
    ) -> Vec<usize> {
        let at = self.weights[line.place()];
        let mut binding = Vec::new();
        for (sign, steps) in [(1, line.high() - at), (-1, at - line.low())] {
            if steps == 0 || rivals.is_empty() {
                continue;
            }
            self.fill(&mut tables.step, line.place(), sign);
            self.fill(&mut tables.far, line.place(), sign * steps);
            let fails = |r: &&Choice| !self.stands(chosen, r, steps, tables);
            binding.extend(rivals.iter().filter(fails).map(|r| r.place));
        }
        binding.sort_unstable();
        binding.dedup();
        binding
    }

    /// The plans with the knob moved by so much.
    fn fill(&self, table: &mut CostTable, knob: usize, by: i64) {
        let pricing = self.pricing.moved(knob, by);
        let prices = self.pieces.iter().map(|p| (p.mask, pricing.price(&p.meld)));
        table.fill(self.tiles, prices);
    }

    /// Whether the chosen choice beats a rival at each of `steps` steps.
    fn stands(&self, chosen: &Choice, rival: &Choice, steps: i64, tables: &Tables) -> bool {
        let (b, i) = (
            Ends::of(self, chosen.left, steps, tables),
            Ends::of(self, rival.left, steps, tables),
        );
        let weight = self.weights[knobs::PlanGain];
        // At one step, and at the last.
        let costs = if weight >= 0 {
            [b.step - i.step, b.tangent - i.far]
        } else {
            [b.step - i.step, b.far - i.tangent]
        };
        let spare =
            chosen.base - rival.base + self.counted(chosen, &b).0 - self.counted(rival, &i).1;
        let leads = costs.map(|cost| spare - weight * cost);
        let lead = leads[0].min(leads[1]);
        if chosen.strength != rival.strength {
            return lead >= i64::from(rival.strength < chosen.strength);
        }
        let cheaper = (i.step - b.step).min(i.far - b.tangent);
        lead >= 1 || lead >= 0 && cheaper >= i64::from(rival.place < chosen.place)
    }

    /// The least and the most that the counts of a choice's plan add on the way.
    fn counted(&self, choice: &Choice, ends: &Ends) -> (i64, i64) {
        let orphan = -self.weights[knobs::OrphanShed] * PARTS * ONE;
        if orphan == 0 && choice.lead == (0, 0) {
            return (0, 0);
        }
        let counts = ends.counts();
        let span = |per: (i64, i64), (few, many): (i64, i64)| {
            let all = [per.0 * few, per.0 * many, per.1 * few, per.1 * many];
            (
                all.iter().copied().min().unwrap_or(0),
                all.iter().copied().max().unwrap_or(0),
            )
        };
        let orphans = span((orphan, orphan), counts.0);
        let leads = span(choice.lead, counts.1);
        (orphans.0 + leads.0, orphans.1 + leads.1)
    }
}

/// The plans of one subset along the way.
struct Ends {
    plans: [Plan; 3],
    step: i64,
    far: i64,
    tangent: i64,
    tiles: i64,
}

impl Ends {
    fn of(priced: &Priced<'_>, left: u16, steps: i64, tables: &Tables) -> Self {
        let plans = [
            priced.here.plan(left),
            tables.step.plan(left),
            tables.far.plan(left),
        ];
        let [here, step, far] = plans.map(Plan::units);
        Self {
            plans,
            step,
            far,
            tangent: here + steps * (step - here),
            tiles: i64::from(left.count_ones()).min(MAX_TILES as i64),
        }
    }

    /// Fewest and most orphans, and pieces that need the lead.
    fn counts(&self) -> ((i64, i64), (i64, i64)) {
        if self.far != self.tangent {
            return ((0, self.tiles), (0, self.tiles));
        }
        let span = |of: fn(Plan) -> i64| {
            let [a, b, c] = self.plans.map(of);
            (a.min(b).min(c), a.max(b).max(c))
        };
        (span(Plan::orphans), span(Plan::needing_lead))
    }
}
