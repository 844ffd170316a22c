//! Situations: what a policy asked its estimator about in play.

use crate::audit::Resolutions;
use crate::{CalibrateError, Phase, Watch};
use evenhand_contract::{
    Border, BySeat, Estimates, Policy, Ppm, Prediction, Seat, SeedId, Setup, Split, Stream,
    TraceLevel,
};
use evenhand_sim::{
    Decided, Observer, Place, Resolved, Round, Seated, Side, Workspace, par_map, play_round,
};

/// Rounds of a match; what a game carries from round to round is in the situations.
const MATCH_ROUNDS: u32 = 5;
/// Matches between two looks at whether there are enough situations.
const WAVE: usize = 64;

/// Whose play situations are taken from, and from which deals.
pub struct Source<'a, G: Estimates + Border> {
    /// Table and ruleset.
    pub setup: &'a Setup<G>,
    /// The policy that asks.
    pub policy: &'a Policy<G>,
    /// The simple styles that it also meets.
    pub styles: &'a [Policy<G>],
    /// What the deals are for.
    pub split: Split,
    /// The seed that people give.
    pub seed: u64,
    /// Threads; no result depends on them.
    pub workers: usize,
}

/// How many situations are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Want {
    /// Kept of each kind at most.
    pub most: usize,
    /// Play goes on until each kind has as many ...
    pub least: usize,
    /// ... and at least so many rounds were played, so that situations come from many deals ...
    pub least_rounds: u32,
    /// ... but no longer than this many rounds: some kinds are rare.
    pub most_rounds: u32,
    /// Whether exact kinds are wanted as well.
    pub exact: bool,
}

/// A question, where it was asked, and what the policy believed.
#[derive(Clone)]
pub struct Situation<G: Estimates> {
    /// The whole truth at that moment.
    pub state: G::State,
    /// Who asked.
    pub seat: Seat,
    /// What was asked.
    pub question: G::Question,
    /// The estimator's raw output, as the policy saw it.
    pub raw: i64,
    /// What the policy believed.
    pub believed: Ppm,
    /// What came true in that round; `None` when it ended without an answer.
    pub truth: Option<bool>,
    /// Round, and the number of the question within it: the order of situations.
    at: (u32, u32),
}

impl<G: Estimates> Situation<G> {
    /// The round in which it was asked, counted through all matches from 1.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.at.0
    }
}

/// What play brought.
pub struct Collected<G: Estimates> {
    /// Situations of each kind, in the order of play.
    pub kinds: Vec<Vec<Situation<G>>>,
    /// How often each kind was asked about, each question once a decision.
    pub asked: Vec<u64>,
    /// Rounds played.
    pub rounds: u32,
    /// What became of every prediction, by kind.
    pub(crate) resolved: Vec<Resolutions>,
    /// The same of those that the decision staked on.
    pub(crate) staked: Vec<Resolutions>,
}

type Drawn<G> = (u64, Situation<G>);

/// Plays rounds until there are enough situations and keeps a uniform choice of what was asked.
///
/// Every other match has the policy in all seats, as when it is frozen and meets itself. The rest
/// are the arrangements of a measurement against each simple style in turn: the lone policy among
/// the style, then the lone style among the policy, the lone seat rotating. Each question draws a
/// number from the match's own stream, and the smallest numbers of each kind are kept, so that
/// every question that was asked is equally likely to be, whatever round it came from.
///
/// # Errors
/// When play fails, or [`Watch`] asks to stop.
pub fn collect<G: Estimates + Border>(
    source: &Source<'_, G>,
    want: &Want,
    watch: &mut dyn Watch,
) -> Result<Collected<G>, CalibrateError> {
    let kinds = G::KINDS.len();
    let wanted = |kind: usize| want.exact || !G::is_exact(kind);
    let mut kept: Vec<Vec<Drawn<G>>> = (0..kinds).map(|_| Vec::new()).collect();
    let mut asked = vec![0; kinds];
    let mut resolved = vec![Resolutions::default(); kinds];
    let mut staked = resolved.clone();
    let mut matches = 0_u32;
    loop {
        let rounds = matches * MATCH_ROUNDS;
        let enough = (0..kinds).all(|k| !wanted(k) || kept[k].len() >= want.least);
        if rounds >= want.most_rounds || (enough && rounds >= want.least_rounds) {
            break;
        }
        // The scarcest kind says how long it will take.
        let rounds_for = |kind: usize| match kept[kind].len() as u64 {
            _ if !wanted(kind) => 0,
            0 => u64::from(rounds) + 1,
            found => (u64::from(rounds) * want.least as u64).div_ceil(found),
        };
        let scarcest = (0..kinds).map(rounds_for).max().unwrap_or(0);
        let total = scarcest
            .max(want.least_rounds.into())
            .min(want.most_rounds.into());
        watch.phase(Phase::Play, rounds.into(), total);
        if watch.interrupted() {
            return Err(CalibrateError::Interrupted);
        }
        // A question whose number is above all that are kept need not be copied.
        let bars: Vec<u64> = (0..kinds)
            .map(|k| match kept[k].get(want.most.wrapping_sub(1)) {
                _ if !wanted(k) || want.most == 0 => 0,
                Some((draw, _)) => *draw,
                None => u64::MAX,
            })
            .collect();
        let scratch = || Tables::new(source);
        let wave = par_map(WAVE, source.workers, scratch, |tables, i| {
            tables.play(matches + i as u32, &bars)
        });
        for harvest in wave {
            let harvest = harvest?;
            for (kind, (found, count)) in harvest.kinds.into_iter().zip(harvest.asked).enumerate() {
                kept[kind].extend(found);
                asked[kind] += count;
            }
            for (into, from) in resolved.iter_mut().zip(harvest.resolved) {
                into.join(from);
            }
            for (into, from) in staked.iter_mut().zip(harvest.staked) {
                into.join(from);
            }
        }
        for kind in &mut kept {
            kind.sort_by_key(|(draw, situation)| (*draw, situation.at));
            kind.truncate(want.most);
        }
        matches += WAVE as u32;
    }
    let in_order = |kind: Vec<Drawn<G>>| {
        let mut situations: Vec<_> = kind.into_iter().map(|(_, situation)| situation).collect();
        situations.sort_by_key(|situation| situation.at);
        situations
    };
    Ok(Collected {
        kinds: kept.into_iter().map(in_order).collect(),
        asked,
        rounds: matches * MATCH_ROUNDS,
        resolved,
        staked,
    })
}

/// Who sits where in a match, and against which style.
fn seating(index: u32, players: u8, styles: usize) -> (BySeat<Side>, usize) {
    let all = BySeat::filled(players, Side::A);
    if index.is_multiple_of(2) || styles == 0 {
        return (all, 0);
    }
    let turn = index / 2;
    let players32 = u32::from(players);
    let lone = Seat((turn % players32) as u8);
    let lone_is_a = (turn / players32).is_multiple_of(2);
    let style = (turn / (2 * players32)) as usize % styles;
    let sides = BySeat::from_fn(players, |seat| match (seat == lone) == lone_is_a {
        true => Side::A,
        false => Side::B,
    });
    (sides, style)
}

/// What one thread plays at: a workspace for each pair of policies.
struct Tables<'a, G: Estimates + Border> {
    source: &'a Source<'a, G>,
    workspaces: Vec<Workspace<G>>,
}

/// What one match brought.
struct Harvest<G: Estimates> {
    kinds: Vec<Vec<Drawn<G>>>,
    asked: Vec<u64>,
    resolved: Vec<Resolutions>,
    staked: Vec<Resolutions>,
}

impl<'a, G: Estimates + Border> Tables<'a, G> {
    fn new(source: &'a Source<'a, G>) -> Self {
        let count = source.styles.len().max(1);
        Self {
            source,
            workspaces: (0..count)
                .map(|_| Workspace::new(source.setup.players))
                .collect(),
        }
    }

    fn play(&mut self, index: u32, bars: &[u64]) -> Result<Harvest<G>, CalibrateError> {
        let Source {
            setup,
            policy,
            styles,
            split,
            seed,
            ..
        } = *self.source;
        let (sides, style) = seating(index, setup.players, styles.len());
        let seated = Seated {
            setup,
            policies: [policy, styles.get(style).unwrap_or(policy)],
            work_limit: G::WORK_LIMIT,
        };
        let seed = SeedId::number(seed)?;
        let mut picker = Picker::<G> {
            bars,
            harvest: Harvest {
                kinds: bars.iter().map(|_| Vec::new()).collect(),
                asked: vec![0; bars.len()],
                resolved: vec![Resolutions::default(); bars.len()],
                staked: vec![Resolutions::default(); bars.len()],
            },
            open: Vec::new(),
            draws: Stream::keyed(
                "calibrate-pick",
                &[
                    ("game", &G::NAME),
                    ("players", &setup.players),
                    ("split", &split),
                    ("seed", &seed),
                    ("match", &index),
                ],
            ),
            number: 0,
        };
        let mut carry = G::Carry::default();
        for round in 1..=MATCH_ROUNDS {
            // Rounds count through all matches, so no two rounds share a deal.
            let round = index * MATCH_ROUNDS + round;
            let mut stream = Stream::deal(G::NAME, setup.players, split, seed, round);
            let deal = G::deal(setup, &mut stream);
            let round = Round {
                at: Place {
                    split,
                    seed,
                    arrangement: index,
                    round,
                    sides,
                },
                deal: &deal,
                carry: &carry,
            };
            let workspace = &mut self.workspaces[style];
            carry = G::carry(play_round(&seated, &round, workspace, &mut picker)?);
        }
        Ok(picker.harvest)
    }
}

/// Draws a number for each question and keeps the small ones.
struct Picker<'a, G: Estimates> {
    bars: &'a [u64],
    harvest: Harvest<G>,
    /// Predictions that have not met the truth yet, in the order in which they were made.
    open: Vec<Open<G>>,
    draws: Stream,
    number: u32,
}

/// A prediction whose truth is not known yet.
struct Open<G: Estimates> {
    seat: Seat,
    question: G::Question,
    /// Whether the decision staked on it.
    staked: bool,
    /// Its place among the situations of its kind, if it is kept.
    kept: Option<usize>,
}

impl<G: Estimates> Observer<G> for Picker<'_, G> {
    fn level(&self) -> TraceLevel {
        TraceLevel::Predictions
    }

    fn round_start(&mut self, _at: &Place, _start: &G::State) {
        self.open.clear();
    }

    fn decision(&mut self, at: &Place, decided: &Decided<'_, G>) {
        if decided.side != Side::A {
            return;
        }
        let predictions = &decided.trace.predictions;
        for (i, prediction) in predictions.iter().enumerate() {
            let question = prediction.question;
            let mut open = Open {
                seat: decided.seat,
                question,
                staked: false,
                kept: None,
            };
            if !predictions[..i].iter().any(|p| p.question == question) {
                open.staked = G::stakes(&question, &decided.outcome.decision);
                open.kept = self.keep(at, decided, prediction);
            }
            self.open.push(open);
        }
    }

    fn resolved(&mut self, _at: &Place, resolved: &Resolved<'_, G>) {
        if resolved.side != Side::A {
            return;
        }
        let p = resolved.prediction;
        let kind = G::kind(&p.question);
        self.harvest.resolved[kind].add(p.raw, p.believed, resolved.truth);
        // Equal questions of a seat have one truth and are answered in the order of asking.
        let asked = |open: &Open<G>| open.seat == resolved.seat && open.question == p.question;
        let Some(place) = self.open.iter().position(asked) else {
            return;
        };
        let open = self.open.remove(place);
        if open.staked {
            self.harvest.staked[kind].add(p.raw, p.believed, resolved.truth);
        }
        if let Some((_, situation)) = open
            .kept
            .and_then(|place| self.harvest.kinds[kind].get_mut(place))
        {
            situation.truth = resolved.truth;
        }
    }
}

impl<G: Estimates> Picker<'_, G> {
    /// Draws the question's number and keeps it where that is small; its place among those kept.
    fn keep(
        &mut self,
        at: &Place,
        decided: &Decided<'_, G>,
        prediction: &Prediction<G::Question>,
    ) -> Option<usize> {
        let question = prediction.question;
        let kind = G::kind(&question);
        let (high, low) = (self.draws.next_u32(), self.draws.next_u32());
        let draw = u64::from(high) << 32 | u64::from(low);
        self.harvest.asked[kind] += 1;
        self.number += 1;
        if draw >= self.bars[kind] {
            return None;
        }
        let situation = Situation {
            state: decided.state.clone(),
            seat: decided.seat,
            question,
            raw: prediction.raw,
            believed: prediction.believed,
            truth: None,
            at: (at.round, self.number),
        };
        let kept = &mut self.harvest.kinds[kind];
        kept.push((draw, situation));
        Some(kept.len() - 1)
    }
}
