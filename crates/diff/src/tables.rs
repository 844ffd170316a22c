//! What changed in calibration tables.

use crate::compare::Change;
use crate::play::Pair;
use crate::read::Kept;
use evenhand_artifact::{KindCell, Point, TableDoc};
use serde::Serialize;

/// Raw values at which two maps are compared, beside every point of either: 0 to 1,000,000 in these steps.
const GRID_STEP: i64 = 1_000;
const GRID_END: i64 = 1_000_000;

/// One table.
#[derive(Clone, Debug, Serialize)]
pub struct TableChange {
    /// Game, players and kind.
    pub table: String,
    /// What happened to it.
    pub change: Change,
    /// The files.
    pub file: Pair<String>,
    /// Checksums.
    pub checksum: Pair<String>,
    /// Game, players and ruleset.
    pub domain: Pair<String>,
    /// Fingerprint of the estimator whose output is mapped.
    pub estimator: Pair<String>,
    /// Generator and deal stream versions, seed, situations and samples.
    pub made_with: Pair<String>,
    /// Whose play the situations come from.
    pub input: Pair<String>,
    /// Kinds in the table's order; those of the base alone last.
    pub kinds: Vec<KindChange>,
}

/// One kind of question.
#[derive(Clone, Debug, Serialize)]
pub struct KindChange {
    /// Its name.
    pub kind: String,
    /// What happened to its map.
    pub change: Change,
    /// Points of the map; 0 is the identity.
    pub points: Pair<usize>,
    /// Situations behind it.
    pub situations: Pair<u64>,
    /// Largest move of the calibrated probability, millionths, with its sign.
    pub largest_ppm: Option<i64>,
    /// The raw value of that move.
    pub at_raw: Option<i64>,
}

impl TableChange {
    /// Compares two tables, of which at least one is there.
    pub(crate) fn of(
        table: &str,
        base: Option<&Kept<TableDoc>>,
        head: Option<&Kept<TableDoc>>,
    ) -> Self {
        let pair = |f: &dyn Fn(&Kept<TableDoc>) -> String| Pair {
            base: base.map(f),
            head: head.map(f),
        };
        let kinds =
            |side: Option<&Kept<TableDoc>>| side.map_or(Vec::new(), |t| t.doc.cells.clone());
        let checksum = pair(&|t| t.doc.checksum().hex());
        Self {
            table: table.to_owned(),
            change: Change::of(&checksum),
            file: pair(&|t| t.file.clone()),
            checksum,
            domain: pair(&|t| {
                format!(
                    "{}, {} players, {}",
                    t.doc.game, t.doc.players, t.doc.ruleset
                )
            }),
            estimator: pair(&|t| t.doc.estimator.clone()),
            made_with: pair(&|t| {
                format!(
                    "generator {}, deals {}, seed {}, {} situations, {} re-deals",
                    t.doc.generator, t.doc.deal_stream, t.doc.seed, t.doc.situations, t.doc.samples
                )
            }),
            input: pair(&|t| {
                format!(
                    "{}, generation {}",
                    t.doc.input.policy, t.doc.input.generation
                )
            }),
            kinds: kind_changes(&kinds(base), &kinds(head)),
        }
    }

    /// Kinds whose map is not the same.
    pub fn moved(&self) -> impl Iterator<Item = &KindChange> {
        self.kinds.iter().filter(|k| k.change != Change::Same)
    }

    /// The largest move of any kind: millionths, raw value, kind.
    #[must_use]
    pub fn largest(&self) -> Option<(i64, i64, &str)> {
        let moves = self
            .kinds
            .iter()
            .filter_map(|k| Some((k.largest_ppm?, k.at_raw?, k.kind.as_str())));
        moves.max_by_key(|m| m.0.abs())
    }
}

fn kind_changes(base: &[KindCell], head: &[KindCell]) -> Vec<KindChange> {
    let find = |cells: &'_ [KindCell], kind: &str| cells.iter().position(|c| c.kind == kind);
    let gone = base.iter().filter(|c| find(head, &c.kind).is_none());
    head.iter()
        .chain(gone)
        .map(|cell| {
            let old = find(base, &cell.kind).map(|i| &base[i]);
            let new = find(head, &cell.kind).map(|i| &head[i]);
            let largest = old
                .zip(new)
                .map(|(old, new)| largest_move(&old.points, &new.points));
            let change = match (old, new) {
                (Some(old), Some(new))
                    if old.exact == new.exact && largest.is_none_or(|l| l.0 == 0) =>
                {
                    Change::Same
                }
                (Some(_), Some(_)) => Change::Changed,
                (None, _) => Change::Added,
                (_, None) => Change::Removed,
            };
            let of = |f: fn(&KindCell) -> u64| Pair {
                base: old.map(f),
                head: new.map(f),
            };
            KindChange {
                kind: cell.kind.clone(),
                change,
                points: Pair {
                    base: old.map(|c| c.points.len()),
                    head: new.map(|c| c.points.len()),
                },
                situations: of(|c| c.situations),
                largest_ppm: largest.map(|l| l.0),
                at_raw: largest.map(|l| l.1),
            }
        })
        .collect()
}

/// The largest move between two maps and the raw value where it is. Both are straight between their points, so the
/// difference is largest at a point of one of them; the grid beside them serves the identity and rounding.
fn largest_move(old: &[Point], new: &[Point]) -> (i64, i64) {
    let points = old.iter().chain(new).map(|p| p.raw);
    let grid = (0..=GRID_END / GRID_STEP).map(|i| i * GRID_STEP);
    let mut raws: Vec<i64> = grid.chain(points).collect();
    raws.sort_unstable();
    raws.dedup();
    let moves = raws
        .into_iter()
        .map(|raw| (apply(new, raw) - apply(old, raw), raw));
    // The first of equals, so that the answer does not depend on how they are walked.
    moves.fold(
        (0, 0),
        |worst, m| if m.0.abs() > worst.0.abs() { m } else { worst },
    )
}

/// A map at a raw value: straight lines between points, rounded to nearest, constant beyond the ends; without points
/// the raw value itself, within 0 and 1,000,000.
fn apply(points: &[Point], raw: i64) -> i64 {
    let right = points.partition_point(|p| p.raw <= raw);
    match (right.checked_sub(1).map(|i| points[i]), points.get(right)) {
        (None, None) => raw.clamp(0, 1_000_000),
        (Some(end), None) => end.ppm.into(),
        (None, Some(end)) => end.ppm.into(),
        (Some(a), Some(b)) => {
            let width = i128::from(b.raw) - i128::from(a.raw);
            let rise =
                (i128::from(b.ppm) - i128::from(a.ppm)) * (i128::from(raw) - i128::from(a.raw));
            (i128::from(a.ppm) + (2 * rise + width) / (2 * width)) as i64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(i64, u32)]) -> Vec<Point> {
        let point = |&(raw, ppm): &(i64, u32)| Point {
            raw,
            ppm,
            situations: 0,
            hits: 0,
        };
        list.iter().map(point).collect()
    }

    #[test]
    fn maps_are_straight_between_points() {
        let map = points(&[(100, 10), (200, 20), (i64::MAX, 1_000_000)]);
        let at = |raw| apply(&map, raw);
        assert_eq!(
            [at(i64::MIN), at(100), at(144), at(145), at(200)],
            [10, 10, 14, 15, 20]
        );
        assert_eq!(at(i64::MAX), 1_000_000);
        assert_eq!(
            [-5, 7, 2_000_000].map(|raw| apply(&[], raw)),
            [0, 7, 1_000_000]
        );
    }

    #[test]
    fn the_largest_move_is_found_between_the_grid() {
        let old = points(&[(0, 0), (1_000_000, 1_000_000)]);
        let new = points(&[(0, 0), (500_500, 400_500), (1_000_000, 1_000_000)]);
        assert_eq!(largest_move(&old, &new), (-100_000, 500_500));
        assert_eq!(largest_move(&[], &new), (-100_000, 500_500));
        assert_eq!(largest_move(&old, &[]), (0, 0));
    }
}
