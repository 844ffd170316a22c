//! Follows a knob's line against every opponent of the pool.

use super::{LineEntry, best_plateau};
use crate::{Field, TuneError};
use evenhand_contract::Border;
use evenhand_sim::{LineSeed, SplitKind, lines};
use std::collections::BTreeMap;

impl<G: Border, S: SplitKind> Field<G, S> {
    /// The objective at every value of the knob at `place`, the others held at `point`, and the
    /// centre of its best plateau of this width.
    ///
    /// # Errors
    /// When a match fails or `interrupted` stops the run; nothing of the line is then kept.
    pub fn follow(
        &self,
        point: &[i64],
        place: usize,
        plateau: i64,
        workers: usize,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<LineEntry, TuneError> {
        let knob = &self.row.knobs[place];
        let range = (knob.low, knob.high);
        let mut against: Vec<Vec<LineSeed>> = Vec::with_capacity(self.pool.len());
        for opponent in &self.pool {
            let plan = self.plan(point, opponent)?;
            let found = lines(&plan, place, range, &self.seeds, workers, interrupted)?;
            against.push(found);
        }
        let mut steps: BTreeMap<i64, i64> = BTreeMap::new();
        for (opponent, seeds) in self.pool.iter().zip(&against) {
            let share = i64::from(opponent.share);
            for seed in seeds {
                let mut last = 0;
                for piece in &seed.pieces {
                    *steps.entry(piece.low).or_default() += share * (piece.sum - last);
                    last = piece.sum;
                }
            }
        }
        let curve = summed(&steps);
        let at = point[place];
        let found = best_plateau(&curve, knob.high, at, plateau);
        let centre = found.map_or(at, |p| p.centre);
        let at_value = |value: i64| -> Vec<Vec<i64>> {
            let of = |seed: &LineSeed| seed.at(value).unwrap_or(0);
            let sums = |seeds: &Vec<LineSeed>| seeds.iter().map(of).collect();
            against.iter().map(sums).collect()
        };
        // Compared by their neighbourhoods, so that neither gains by a lucky spike.
        let window = |value: i64| {
            let half = plateau / 2;
            ((value - half).max(knob.low), (value + half).min(knob.high))
        };
        let smooth = |value: i64| -> (Vec<i64>, i64) {
            let (from, to) = window(value);
            let mut sums = vec![0; self.seeds.len()];
            for (opponent, seeds) in self.pool.iter().zip(&against) {
                for (sum, seed) in sums.iter_mut().zip(seeds) {
                    *sum += i64::from(opponent.share) * seed.over(from, to);
                }
            }
            (sums, to - from + 1)
        };
        let ((here, ours), (there, theirs)) = (smooth(at), smooth(centre));
        let gains = here.iter().zip(&there);
        let gains = gains.map(|(here, there)| there * ours - here * theirs);
        let all = || against.iter().flatten();
        let mut fallbacks = [0; 4];
        for seed in all() {
            for (sum, count) in fallbacks.iter_mut().zip(seed.fallbacks) {
                *sum += count;
            }
        }
        let breaks = || all().flat_map(|seed| seed.pieces.iter().skip(1).map(|p| p.low));
        Ok(LineEntry {
            point: point.to_vec(),
            place,
            curve,
            centre,
            plateau: found.map_or((0, 0), |p| (p.sum, p.values)),
            gains: gains.collect(),
            here: at_value(at),
            there: at_value(centre),
            // A step between -1 and 0 begins at 0, one between 0 and 1 at 1.
            tie_break_only: breaks().next().is_some() && breaks().all(|b| b == 0 || b == 1),
            units: all().map(|s| s.units).sum(),
            rollouts: all().map(|s| s.rollouts).sum(),
            rounds: all().map(|s| s.rounds).sum(),
            decisions: all().map(|s| s.decisions).sum(),
            fallbacks,
            work: all().fold(0, |sum, s| sum.saturating_add(s.work)),
        })
    }
}

/// First value and height of each stretch of equal height.
fn summed(steps: &BTreeMap<i64, i64>) -> Vec<(i64, i64)> {
    let mut curve: Vec<(i64, i64)> = Vec::new();
    let mut height = 0;
    for (&value, step) in steps {
        height += step;
        if curve.last().is_none_or(|last| last.1 != height) {
            curve.push((value, height));
        }
    }
    curve
}
