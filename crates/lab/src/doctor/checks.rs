//! The checks that play.

use super::record::{Difference, Kind, Record};
use evenhand_cli::interrupt;
use evenhand_contract::{Border, Cause, MAX_FALLBACK_PERCENT, Policy, SeedId, Setup};
use evenhand_sim::{
    BlockOrder, Control, Execution, Exploration, MatchPlan, PlayFailure, RunError, SeedTally,
    Seeds, Side, SplitKind, Totals, Workspace, digest, play_seed, run,
};
use serde::Serialize;

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Check {
    /// The policy that it was looked at with.
    pub policy: String,
    /// What was looked at.
    pub check: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// With figures, and with what is wrong.
    pub note: String,
    /// Where two accounts part first, if they do.
    pub difference: Option<Difference>,
}

/// How seeds are played: what is proven.
pub trait Instrument<G: Border> {
    /// The tallies of these seeds in order.
    ///
    /// # Errors
    /// As [`run`].
    fn run(
        &self,
        plan: &MatchPlan<G>,
        seeds: &Seeds<Exploration>,
        execution: &Execution,
    ) -> Result<Vec<SeedTally>, RunError>;

    /// Plays one seed under the eyes of `record`.
    ///
    /// # Errors
    /// As [`play_seed`].
    fn watch(
        &self,
        plan: &MatchPlan<G>,
        seed: SeedId,
        record: &mut Record<'_, G>,
    ) -> Result<(), Box<PlayFailure>>;
}

/// The simulator as every command uses it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simulator;

struct Stopper;

impl Control for Stopper {
    fn interrupted(&mut self) -> bool {
        interrupt::requested()
    }
}

impl<G: Border> Instrument<G> for Simulator {
    fn run(
        &self,
        plan: &MatchPlan<G>,
        seeds: &Seeds<Exploration>,
        execution: &Execution,
    ) -> Result<Vec<SeedTally>, RunError> {
        run(plan, seeds, execution, &mut Stopper)
    }

    fn watch(
        &self,
        plan: &MatchPlan<G>,
        seed: SeedId,
        record: &mut Record<'_, G>,
    ) -> Result<(), Box<PlayFailure>> {
        let mut workspace = Workspace::new(plan.setup.players);
        play_seed(plan, Exploration::SPLIT, seed, &mut workspace, record).map(|_| ())
    }
}

/// Workers, block sizes and block orders; the first is the one that the others are held to.
#[must_use]
pub fn executions() -> Vec<Execution> {
    let of = |workers, block, order| Execution {
        workers,
        block,
        order,
    };
    use BlockOrder::{Listed, Reversed, Shuffled};
    vec![
        of(1, 4, Listed),
        of(2, 4, Listed),
        of(3, 4, Listed),
        of(5, 4, Listed),
        of(7, 4, Listed),
        of(8, 4, Listed),
        of(1, 1, Reversed),
        of(2, 1, Listed),
        of(3, 7, Listed),
        of(1, 5, Shuffled(1)),
        of(5, 2, Shuffled(2)),
        of(8, 3, Shuffled(3)),
    ]
}

/// What is examined.
pub struct Subject<'a, G: Border> {
    /// Table and ruleset.
    pub setup: Setup<G>,
    /// Rounds a match.
    pub rounds: u32,
    /// The seeds.
    pub seeds: &'a Seeds<Exploration>,
    /// The policy.
    pub policy: &'a Policy<G>,
    /// Whom it plays where it does not play itself.
    pub opponent: &'a Policy<G>,
}

/// Most seeds that are looked at decision by decision.
const WATCHED: usize = 2;

impl<G: Border> Subject<'_, G> {
    fn plan(&self, a: &Policy<G>, b: &Policy<G>) -> Result<MatchPlan<G>, RunError> {
        Ok(MatchPlan::new(
            self.setup,
            self.rounds,
            a.clone(),
            b.clone(),
        )?)
    }

    fn check(&self, check: &'static str, found: Result<String, Wrong>) -> Check {
        let (holds, note, difference) = match found {
            Ok(note) => (true, note, None),
            Err(Wrong { note, difference }) => (false, note, difference.map(|d| *d)),
        };
        Check {
            policy: self.policy.row.name.to_owned(),
            check,
            holds,
            note,
            difference,
        }
    }

    /// Every check that plays.
    ///
    /// # Errors
    /// When the plan cannot be played or the run is interrupted; failed play is a check that does
    /// not hold.
    pub fn examine(&self, instrument: &dyn Instrument<G>) -> Result<Vec<Check>, RunError> {
        let looks: [Look<Self, dyn Instrument<G>>; 5] = [
            ("asked twice, decides alike", Self::steady),
            ("deals do not depend on who plays", Self::deals),
            ("A against A is exactly zero a seed", Self::zero),
            ("same bytes however it is run", Self::same),
            ("fallbacks", Self::fallbacks),
        ];
        let mut checks = Vec::new();
        for (name, look) in looks {
            let found = match look(self, instrument) {
                Ok(found) => found,
                Err(RunError::Play(failure)) => Err(Wrong::said(failure.to_string())),
                Err(other) => return Err(other),
            };
            checks.push(self.check(name, found));
        }
        Ok(checks)
    }

    fn record<'p>(
        &self,
        instrument: &dyn Instrument<G>,
        plan: &'p MatchPlan<G>,
        seed: SeedId,
    ) -> Result<Record<'p, G>, RunError> {
        let mut record = Record::new([&plan.a, &plan.b]);
        instrument.watch(plan, seed, &mut record)?;
        Ok(record)
    }

    fn watched(&self) -> impl Iterator<Item = SeedId> {
        self.seeds.ids().iter().copied().take(WATCHED)
    }

    fn steady(&self, instrument: &dyn Instrument<G>) -> Result<Found, RunError> {
        let plan = self.plan(self.policy, self.opponent)?;
        for seed in self.watched() {
            let record = self.record(instrument, &plan, seed)?;
            if let Some(difference) = record.first_unsteady(&seed.to_string()) {
                let note = "a policy is not a function of its view".to_owned();
                return Ok(Err(Wrong::at(note, difference)));
            }
        }
        Ok(Ok(format!(
            "{} seeds, every decision asked again with a fresh memo",
            self.watched().count()
        )))
    }

    fn deals(&self, instrument: &dyn Instrument<G>) -> Result<Found, RunError> {
        let one = self.plan(self.policy, self.opponent)?;
        let other = self.plan(self.opponent, self.opponent)?;
        for seed in self.watched() {
            let a = self.record(instrument, &one, seed)?;
            let b = self.record(instrument, &other, seed)?;
            if let Some(difference) = a.first_other_deal(&b, &seed.to_string()) {
                let note =
                    "the deals of a seed change with who plays: a bot draws from their stream";
                return Ok(Err(Wrong::at(note.to_owned(), difference)));
            }
        }
        Ok(Ok(format!("{} seeds", self.watched().count())))
    }

    fn zero(&self, instrument: &dyn Instrument<G>) -> Result<Found, RunError> {
        let plan = self.plan(self.policy, self.policy)?;
        let tallies = instrument.run(&plan, self.seeds, &executions()[0])?;
        let Some(place) = tallies.iter().position(|t| t.a.settlement != 0) else {
            return Ok(Ok(format!("{} seeds", tallies.len())));
        };
        let (seed, sum) = (self.seeds.ids()[place], tallies[place].a.settlement);
        let text = seed.to_string();
        let record = self.record(instrument, &plan, seed)?;
        let difference = record.first_uneven(&text).unwrap_or_else(|| {
            tally_difference(&text, "0 for A".to_owned(), format!("{sum} for A"))
        });
        let note = format!("A against itself came to {sum} on seed {text}");
        Ok(Err(Wrong::at(note, difference)))
    }

    fn same(&self, instrument: &dyn Instrument<G>) -> Result<Found, RunError> {
        let plan = self.plan(self.policy, self.opponent)?;
        let ways = executions();
        let base = instrument.run(&plan, self.seeds, &ways[0])?;
        let expected = digest(&base);
        for way in &ways[1..] {
            let tallies = instrument.run(&plan, self.seeds, way)?;
            if digest(&tallies) == expected {
                continue;
            }
            let note = format!(
                "with {} workers, blocks of {}, {:?}, the digest differs",
                way.workers, way.block, way.order
            );
            let difference = self.parted(instrument, &plan, &base, &tallies)?;
            return Ok(Err(Wrong::at(note, difference)));
        }
        Ok(Ok(format!(
            "workers 1, 2, 3, 5, 7, 8, blocks of 1 to 7, orders listed, reversed and shuffled: \
             digest {expected:.12}"
        )))
    }

    /// Where two runs of the same plan part first.
    fn parted(
        &self,
        instrument: &dyn Instrument<G>,
        plan: &MatchPlan<G>,
        base: &[SeedTally],
        other: &[SeedTally],
    ) -> Result<Difference, RunError> {
        let places = self.seeds.ids().iter().enumerate();
        for (place, &seed) in places {
            let (was, became) = (base.get(place), other.get(place));
            if was == became {
                continue;
            }
            let text = seed.to_string();
            let one = self.record(instrument, plan, seed)?;
            let again = self.record(instrument, plan, seed)?;
            if let Some(difference) = one.first_difference(&again, &text) {
                return Ok(difference);
            }
            let (was, became) = tally_parts(was, became);
            return Ok(tally_difference(&text, was, became));
        }
        Ok(tally_difference(
            "-",
            "equal".to_owned(),
            "equal".to_owned(),
        ))
    }

    fn fallbacks(&self, instrument: &dyn Instrument<G>) -> Result<Found, RunError> {
        let plan = self.plan(self.policy, self.opponent)?;
        let totals = Totals::of(&instrument.run(&plan, self.seeds, &executions()[0])?);
        let side = totals.side(Side::A);
        let mut note = format!("{} of {} decisions", side.all_fallbacks(), side.decisions);
        for cause in Cause::ALL {
            let count = side.fallbacks_by(cause);
            if count > 0 {
                note.push_str(&format!(", {count} by {}", cause.name()));
            }
        }
        note.push_str(&format!(
            "; the most that one used is {} of {} work units",
            side.work_max, plan.work_limit
        ));
        if side.valid() {
            return Ok(Ok(note));
        }
        note.push_str(&format!(
            "; above {MAX_FALLBACK_PERCENT} %, nothing measured counts"
        ));
        Ok(Err(Wrong::said(note)))
    }
}

/// What is looked at, and how.
type Look<T, I> = (&'static str, fn(&T, &I) -> Result<Found, RunError>);

/// A note when it holds, what is wrong when it does not.
type Found = Result<String, Wrong>;

struct Wrong {
    note: String,
    difference: Option<Box<Difference>>,
}

impl Wrong {
    fn said(note: String) -> Self {
        Self {
            note,
            difference: None,
        }
    }

    fn at(note: String, difference: Difference) -> Self {
        Self {
            note,
            difference: Some(Box::new(difference)),
        }
    }
}

fn tally_difference(seed: &str, was: String, became: String) -> Difference {
    Difference {
        kind: Kind::Tally,
        seed: seed.to_owned(),
        arrangement: None,
        round: None,
        seat: None,
        policy: None,
        view: None,
        was,
        became,
        term: None,
    }
}

/// The first field in which two tallies differ.
fn tally_parts(was: Option<&SeedTally>, became: Option<&SeedTally>) -> (String, String) {
    let fields = |tally: Option<&SeedTally>| -> Vec<String> {
        let Some(tally) = tally else {
            return vec!["no tally".to_owned()];
        };
        let mut fields = vec![
            format!("seed {}", tally.seed),
            format!("{} matches", tally.matches),
            format!("{} rounds", tally.rounds),
        ];
        for side in Side::ALL {
            let t = tally.side(side);
            let name = side.name();
            fields.extend([
                format!("{name}.settlement {}", t.settlement),
                format!("{name}.settlement_squares {}", t.settlement_squares),
                format!("{name}.seat_rounds {}", t.seat_rounds),
                format!("{name}.by_seat {:?}", t.by_seat),
                format!("{name}.metrics {:?}", t.metrics),
                format!("{name}.decisions {}", t.decisions),
                format!("{name}.fallbacks {:?}", t.fallbacks),
                format!("{name}.work {} at most {}", t.work_sum, t.work_max),
            ]);
        }
        fields
    };
    let (was, became) = (fields(was), fields(became));
    let parted = was.iter().zip(&became).find(|(x, y)| x != y);
    let (x, y) = parted.unwrap_or((&was[0], &became[0]));
    (x.clone(), y.clone())
}
