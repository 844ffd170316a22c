//! The search as a pure function of what is known: [`next_step`] replays the whole walk from its
//! start over the evaluations made so far and says which one it misses, or that it is done.
//!
//! Nothing is kept between calls, so a killed run, a run with another worker count and an
//! undisturbed one take the same walk: the order of proposals depends on earlier results alone.

use crate::Paired;
use std::collections::{BTreeMap, BTreeSet};

/// A place in the space: one value a knob, in table order, in thousandths.
pub type Point = Vec<i64>;

/// One knob as the search sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The knob's name.
    pub name: String,
    /// Lowest value allowed.
    pub low: i64,
    /// Highest value allowed.
    pub high: i64,
    /// Step of the first sweep; halves per sweep, never below 1.
    pub step: i64,
}

impl Axis {
    /// The axis of a knob.
    #[must_use]
    pub fn of(knob: &evenhand_contract::Knob) -> Self {
        Self {
            name: knob.name.to_owned(),
            low: knob.low,
            high: knob.high,
            step: knob.step,
        }
    }
}

/// How to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Sweeps over all knobs with halving steps; the response sweep follows them.
    pub sweeps: u32,
    /// A move needs a t statistic of at least this many thousandths.
    pub accept_t_milli: u32,
    /// Common seeds; every full evaluation plays all of them.
    pub seeds: usize,
    /// The first seeds on which a probe is screened before the rest is played.
    pub screen: usize,
    /// Distinct points in all, those of earlier sittings of a resumed run included.
    pub max_evaluations: Option<usize>,
}

/// A probe that is worse by this t statistic (thousandths) on the screening seeds is dropped there.
pub const SCREEN_T_MILLI: u32 = 1_000;

/// What is known of a point: results on a prefix of the seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The objective a seed, in seed order.
    pub values: Vec<i64>,
    /// A digest of all tallies of each part played: the screening seeds, then the rest.
    pub parts: Vec<String>,
}

/// Every evaluation made so far.
pub type Journal = BTreeMap<Point, Known>;

/// What the search wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Play this point on seeds `from..to` (indices into the common seeds).
    Evaluate(Proposal),
    /// Nothing more to play.
    Done(Box<Walked>),
}

/// An evaluation that the search misses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The point.
    pub point: Point,
    /// First seed index.
    pub from: usize,
    /// One past the last seed index.
    pub to: usize,
}

/// What the walk looked at, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Sweep, from 1; 0 for the start. The response sweep is the last.
    pub sweep: u32,
    /// Place of the knob that was moved; `None` for the start and for a pattern move.
    pub place: Option<usize>,
    /// The point looked at.
    pub point: Point,
    /// The current point it was compared with.
    pub current: Point,
    /// The comparison, over the seeds that the probe was played on.
    pub paired: Paired,
    /// Whether the search had not asked for the point before.
    pub fresh: bool,
    /// Whether it became the current point.
    pub accepted: bool,
}

/// One value of a knob's response, the other knobs held at the point the sweep had reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The knob's value.
    pub value: i64,
    /// Paired sums against the sweep's base point.
    pub paired: Paired,
    /// Digests of its parts.
    parts: Vec<String>,
}

/// What the response sweep saw of one knob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// Value of the base point.
    pub base: i64,
    /// Responses by rising value, the base among them.
    pub responses: Vec<Response>,
}

/// A finished walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked {
    /// Where it started.
    pub start: Point,
    /// Where it ended.
    pub best: Point,
    /// Everything looked at, in order; the start first.
    pub probes: Vec<Probe>,
    /// A curve a knob; empty when the budget ended the walk before the response sweep reached it.
    pub curves: Vec<Curve>,
    /// A knob's entry says that it was probed and that no probe of it in the whole search changed
    /// a tally.
    pub flat: Vec<bool>,
    /// Distinct points evaluated.
    pub evaluations: usize,
    /// Whether the budget ended the walk.
    pub out_of_budget: bool,
}

/// The next evaluation, or the end, given everything evaluated so far.
#[must_use]
pub fn next_step(axes: &[Axis], rules: &Rules, start: &[i64], journal: &Journal) -> Step {
    let mut walk = Walk {
        axes,
        rules,
        journal,
        asked: BTreeSet::new(),
        current: start.to_vec(),
        probes: Vec::new(),
        changed: vec![false; axes.len()],
        probed: vec![false; axes.len()],
        curves: Vec::new(),
    };
    let out_of_budget = match walk.run() {
        Ok(()) => false,
        Err(Stop::Missing(proposal)) => return Step::Evaluate(proposal),
        Err(Stop::Budget) => true,
    };
    let flat = walk.probed.iter().zip(&walk.changed);
    let flat = flat.map(|(probed, changed)| *probed && !changed).collect();
    Step::Done(Box::new(Walked {
        start: start.to_vec(),
        best: walk.current,
        probes: walk.probes,
        curves: walk.curves,
        flat,
        evaluations: walk.asked.len(),
        out_of_budget,
    }))
}

impl Curve {
    /// Whether the knob steps only at zero: all values of one sign play alike, and yet the
    /// response is not flat. Such a weight breaks ties and weighs nothing. At least one sign must
    /// have shown two values or more.
    #[must_use]
    pub fn steps_only_at_zero(&self) -> bool {
        let side = |sign: i64| -> Vec<&Response> {
            self.responses
                .iter()
                .filter(|r| r.value.signum() == sign)
                .collect()
        };
        let alike = |a: &Response, b: &Response| a.parts.iter().zip(&b.parts).all(|(x, y)| x == y);
        let (below, zero, above) = (side(-1), side(0), side(1));
        let constant = |side: &[&Response]| side.windows(2).all(|w| alike(w[0], w[1]));
        let crosses = below
            .iter()
            .chain(&above)
            .any(|r| zero.iter().any(|z| !alike(r, z)))
            || below.iter().any(|b| above.iter().any(|a| !alike(a, b)));
        constant(&below) && constant(&above) && (below.len() > 1 || above.len() > 1) && crosses
    }
}

enum Stop {
    Missing(Proposal),
    Budget,
}

struct Walk<'a> {
    axes: &'a [Axis],
    rules: &'a Rules,
    journal: &'a Journal,
    asked: BTreeSet<Point>,
    current: Point,
    probes: Vec<Probe>,
    /// Whether a probe of this knob ever changed a tally.
    changed: Vec<bool>,
    /// Whether the knob was ever probed.
    probed: Vec<bool>,
    curves: Vec<Curve>,
}

impl<'a> Walk<'a> {
    fn run(&mut self) -> Result<(), Stop> {
        let start = self.current.clone();
        let known = self.known(&start, self.rules.seeds)?;
        self.probes.push(Probe {
            sweep: 0,
            place: None,
            point: start.clone(),
            current: start,
            paired: Paired::of(&known.values, &known.values),
            fresh: true,
            accepted: true,
        });
        for sweep in 0..self.rules.sweeps {
            let from = self.current.clone();
            for place in 0..self.axes.len() {
                self.line(sweep, place)?;
            }
            self.pattern(sweep, &from)?;
        }
        for place in 0..self.axes.len() {
            self.respond(place)?;
        }
        Ok(())
    }

    /// Searches along one knob: one step up and one down; a success is followed on with doubling
    /// strides, and where both fail the first two sweeps look four steps away.
    fn line(&mut self, sweep: u32, place: usize) -> Result<(), Stop> {
        let step = (self.axes[place].step >> sweep.min(62)).max(1);
        let at = self.current[place];
        let mut direction = self.best_of(sweep, place, &[at + step, at - step])?;
        if direction.is_none() && sweep < 2 {
            direction = self.best_of(sweep, place, &[at + 4 * step, at - 4 * step])?;
        }
        let Some(sign) = direction else {
            return Ok(());
        };
        let mut stride = 2 * step;
        loop {
            let next = self.current[place] + sign * stride;
            if self.best_of(sweep, place, &[next])?.is_none() {
                return Ok(());
            }
            stride *= 2;
        }
    }

    /// Moves to the best of these values of a knob that is clearly better than the current point;
    /// returns the direction of the move. Equal gains go to the value named first.
    fn best_of(&mut self, sweep: u32, place: usize, values: &[i64]) -> Result<Option<i64>, Stop> {
        let at = self.current[place];
        let mut best: Option<(i128, Point)> = None;
        for &value in values {
            let value = value.clamp(self.axes[place].low, self.axes[place].high);
            if value == at {
                continue;
            }
            let mut point = self.current.clone();
            point[place] = value;
            let (paired, _) = self.probe(sweep, &point, Some(place))?;
            if self.accepts(&paired) && best.as_ref().is_none_or(|(sum, _)| paired.sum > *sum) {
                best = Some((paired.sum, point));
            }
        }
        let Some((_, point)) = best else {
            return Ok(None);
        };
        let sign = (point[place] - at).signum();
        self.go(point);
        Ok(Some(sign))
    }

    /// Repeats the move of a whole sweep once (Hooke and Jeeves), for valleys that run askew.
    fn pattern(&mut self, sweep: u32, from: &[i64]) -> Result<(), Stop> {
        let point: Point = self
            .axes
            .iter()
            .zip(self.current.iter().zip(from))
            .map(|(axis, (now, then))| (2 * now - then).clamp(axis.low, axis.high))
            .collect();
        let moved = self
            .current
            .iter()
            .zip(from)
            .filter(|(a, b)| a != b)
            .count();
        if point == self.current || moved < 2 {
            return Ok(());
        }
        let (paired, _) = self.probe(sweep, &point, None)?;
        if self.accepts(&paired) {
            self.go(point);
        }
        Ok(())
    }

    /// Looks at a knob's response near zero and one first step around the current point, and
    /// moves when one of these is clearly better.
    fn respond(&mut self, place: usize) -> Result<(), Stop> {
        let axis = &self.axes[place];
        let at = self.current[place];
        let values: BTreeSet<i64> = [-1, 0, 1, at - axis.step, at + axis.step]
            .into_iter()
            .filter(|v| (axis.low..=axis.high).contains(v) && *v != at)
            .collect();
        let base = self.known(&self.current.clone(), self.rules.seeds)?;
        let mut responses = vec![Response {
            value: at,
            paired: Paired::of(&base.values, &base.values),
            parts: base.parts.clone(),
        }];
        for &value in &values {
            let mut point = self.current.clone();
            point[place] = value;
            let (paired, known) = self.probe(self.rules.sweeps, &point, Some(place))?;
            responses.push(Response {
                value,
                paired,
                parts: known.parts.clone(),
            });
        }
        responses.sort_by_key(|r| r.value);
        self.curves.push(Curve {
            base: at,
            responses,
        });
        let values: Vec<i64> = values.into_iter().collect();
        self.best_of(self.rules.sweeps, place, &values)?;
        Ok(())
    }

    /// Compares a point with the current one: on the screening seeds, and unless it is clearly
    /// worse there, on all.
    fn probe(
        &mut self,
        sweep: u32,
        point: &Point,
        place: Option<usize>,
    ) -> Result<(Paired, &'a Known), Stop> {
        let fresh = !self.asked.contains(point);
        let current = self.known(&self.current.clone(), self.rules.seeds)?;
        let mut known = self.known(point, self.rules.screen)?;
        let first = &known.values[..self.rules.screen];
        if !Paired::of(first, &current.values).worse(SCREEN_T_MILLI) {
            known = self.known(point, self.rules.seeds)?;
        }
        if let Some(place) = place {
            self.probed[place] = true;
            let same = known.parts.iter().zip(&current.parts).all(|(a, b)| a == b);
            self.changed[place] |= !same;
        }
        let paired = Paired::of(&known.values, &current.values);
        self.probes.push(Probe {
            sweep: sweep + 1,
            place,
            point: point.clone(),
            current: self.current.clone(),
            paired,
            fresh,
            accepted: false,
        });
        Ok((paired, known))
    }

    /// What is known of a point on at least `seeds` seeds, or what is missing.
    fn known(&mut self, point: &Point, seeds: usize) -> Result<&'a Known, Stop> {
        if !self.asked.contains(point) {
            if self
                .rules
                .max_evaluations
                .is_some_and(|max| self.asked.len() >= max)
            {
                return Err(Stop::Budget);
            }
            self.asked.insert(point.clone());
        }
        let have = self.journal.get(point).map_or(0, |k| k.values.len());
        if have < seeds {
            let to = if have < self.rules.screen {
                self.rules.screen
            } else {
                self.rules.seeds
            };
            return Err(Stop::Missing(Proposal {
                point: point.clone(),
                from: have,
                to,
            }));
        }
        Ok(&self.journal[point])
    }

    /// A move needs every seed: what was screened out has too few.
    fn accepts(&self, paired: &Paired) -> bool {
        paired.seeds == self.rules.seeds as i64 && paired.better(self.rules.accept_t_milli)
    }

    fn go(&mut self, to: Point) {
        if let Some(probe) = self.probes.iter_mut().rev().find(|p| p.point == to) {
            probe.accepted = true;
        }
        self.current = to;
    }
}
