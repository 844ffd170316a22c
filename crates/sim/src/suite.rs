use crate::observe::{Decided, Observer, Place, Side};
use crate::quiet::quietly;
use crate::round::{Round, Seated, Workspace, play_round};
use crate::{PlayFailure, hex};
use evenhand_contract::{
    Border, BySeat, Game, Json, Policy, Purpose, SeedId, Setup, Split, Stream, Trace, TraceLevel,
    Work, decide,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Positions of the suite.
pub const SUITE_POSITIONS: usize = 2_000;

/// One in this many decisions of a round is taken, so that the suite spans many deals.
const EVERY: usize = 5;

/// Rounds of one match of the suite: what play of a round hands on is part of its positions.
const MATCH_ROUNDS: usize = 4;

/// A policy's decision in one position of the suite.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteDecision {
    /// The position, as the game's border writes views.
    pub view: Json,
    /// The decision, as the border writes it; `fallback:CAUSE` in front when the fallback made it.
    pub decision: String,
}

/// Keeps every [`EVERY`]th view with a choice.
struct Keep<G: Game> {
    views: Vec<G::View>,
    seen: usize,
}

impl<G: Game> Observer<G> for Keep<G> {
    fn decision(&mut self, _at: &Place, decided: &Decided<'_, G>) {
        self.seen += 1;
        if self.seen.is_multiple_of(EVERY) && self.views.len() < SUITE_POSITIONS {
            self.views.push(decided.view.clone());
        }
    }
}

/// The fixed suite of positions with a choice, from play of the game's styles without knobs
/// against each other on deals that belong to no split.
///
/// # Errors
/// When one of those styles fails.
pub fn suite<G: Border>(setup: &Setup<G>) -> Result<Vec<G::View>, Box<PlayFailure>> {
    let styles: Vec<Policy<G>> = G::policies()
        .iter()
        .filter(|row| row.purpose == Purpose::Play && row.knobs.is_empty())
        .map(Policy::defaults)
        .collect();
    let mut keep = Keep {
        views: Vec::new(),
        seen: 0,
    };
    let mut number = 0;
    let mut carry = G::Carry::default();
    // The bound is for games that hardly ever offer a choice.
    while keep.views.len() < SUITE_POSITIONS && number < 100 * SUITE_POSITIONS {
        let pick = |n: usize| &styles[n % styles.len()];
        let seated = Seated {
            setup,
            policies: [pick(number), pick(number + 1)],
            work_limit: G::WORK_LIMIT,
        };
        let mut stream = Stream::keyed(
            "suite",
            &[
                ("game", &G::NAME),
                ("players", &setup.players),
                ("round", &number),
            ],
        );
        let deal = G::deal(setup, &mut stream);
        let round = number % MATCH_ROUNDS;
        if round == 0 {
            carry = G::Carry::default();
        }
        let sides = BySeat::from_fn(setup.players, |seat| {
            Side::ALL[(usize::from(seat.0) + number / styles.len()) % 2]
        });
        let round = Round {
            at: Place {
                split: Split::Rehearsal,
                seed: SeedId::Number(number as u64),
                arrangement: 0,
                round: round as u32 + 1,
                sides,
            },
            deal: &deal,
            carry: &carry,
        };
        let mut workspace = Workspace::new(setup.players);
        carry = G::carry(play_round(&seated, &round, &mut workspace, &mut keep)?);
        number += 1;
    }
    Ok(keep.views)
}

/// The policy's decision in every position of the suite.
///
/// # Errors
/// When it panics, or a style that the suite is made of fails.
pub fn suite_decisions<G: Border>(
    policy: &Policy<G>,
    setup: &Setup<G>,
) -> Result<Vec<SuiteDecision>, Box<PlayFailure>> {
    let mut trace = Trace::new(TraceLevel::Off);
    let mut decisions = Vec::with_capacity(SUITE_POSITIONS);
    for (place, view) in suite(setup)?.into_iter().enumerate() {
        // Each position stands alone, so a fault of caches cannot hide in the fingerprint.
        let mut memo = G::Memo::default();
        let made = quietly(|| {
            let mut work = Work::units(G::WORK_LIMIT);
            decide(policy, &view, &mut memo, &mut work, &mut trace)
        });
        let json = G::view_json(&view);
        let fail = |reason: String| {
            Box::new(PlayFailure {
                reason: format!("position {place} of the suite: {reason}"),
                game: G::NAME.to_owned(),
                players: setup.players,
                ruleset: setup.rules.to_string(),
                split: "suite".to_owned(),
                seed: place.to_string(),
                arrangement: 0,
                round: 1,
                seat: None,
                policy: Some(policy.row.name.to_owned()),
                view: Some(json.to_string()),
            })
        };
        let outcome = match made {
            Err(panic) => return Err(fail(panic)),
            Ok(Err(error)) => return Err(fail(error.to_string())),
            Ok(Ok(outcome)) => outcome,
        };
        let text = G::decision_text(&outcome.decision);
        decisions.push(SuiteDecision {
            view: json,
            decision: match outcome.fallback {
                None => text,
                Some(cause) => format!("fallback:{} {text}", cause.name()),
            },
        });
    }
    Ok(decisions)
}

/// SHA-256, as hex text, of the policy's decisions over the suite: it moves when play changes.
///
/// # Errors
/// As [`suite_decisions`].
pub fn behaviour_fingerprint<G: Border>(
    policy: &Policy<G>,
    setup: &Setup<G>,
) -> Result<String, Box<PlayFailure>> {
    let mut hash = Sha256::new();
    hash.update(format!(
        "evenhand-behaviour/1\n{}\n{}\n{}\n",
        G::NAME,
        setup.players,
        setup.rules
    ));
    for made in suite_decisions(policy, setup)? {
        hash.update(format!("{}\n", made.decision));
    }
    Ok(hex(&hash.finalize()))
}
