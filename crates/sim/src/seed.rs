use crate::observe::{Observer, Place, Side};
use crate::quiet::quietly;
use crate::round::{Broken, Round, Seated, Workspace, play};
use crate::{MatchPlan, PlayFailure, SeedTally};
use evenhand_contract::{Border, BySeat, Game, Seat, SeedId, Split, Stream};

/// Arrangements of one seed: 2N matches on the same deals.
#[must_use]
pub const fn arrangements(players: u8) -> u32 {
    2 * players as u32
}

/// Which policy sits where: below N the lone A at that seat, from N on the lone B at `arrangement - N`.
#[must_use]
pub fn sides_of(players: u8, arrangement: u32) -> BySeat<Side> {
    let n = u32::from(players);
    let (lone, others, focal) = if arrangement < n {
        (Side::A, Side::B, arrangement)
    } else {
        (Side::B, Side::A, arrangement - n)
    };
    BySeat::from_fn(players, |seat: Seat| {
        if u32::from(seat.0) == focal {
            lone
        } else {
            others
        }
    })
}

/// Plays all arrangements of one seed.
///
/// Each round is dealt once and played in all arrangements before the next, so that caches of the
/// workspace serve them all; what a match carries between rounds is kept per arrangement.
///
/// # Errors
/// When a match fails. The workspace is not fit for play afterwards.
pub fn play_seed<G: Border, O: Observer<G> + ?Sized>(
    plan: &MatchPlan<G>,
    split: Split,
    seed: SeedId,
    workspace: &mut Workspace<G>,
    observer: &mut O,
) -> Result<SeedTally, Box<PlayFailure>> {
    let seated = Seated {
        setup: &plan.setup,
        policies: [&plan.a, &plan.b],
        work_limit: plan.work_limit,
    };
    workspace.set_level(observer.level());
    let played = quietly(|| play_all(plan, &seated, split, seed, workspace, observer));
    let reason = match played {
        Ok(Ok(())) => None,
        Ok(Err(Broken(reason))) => Some(reason),
        Err(panic) => Some(panic),
    };
    if let Some(reason) = reason {
        return Err(workspace.failure(&seated, reason));
    }
    let [a, b] = workspace.take_tallies(plan.setup.players);
    let matches = u64::from(arrangements(plan.setup.players));
    Ok(SeedTally {
        seed: seed.to_string(),
        matches,
        rounds: matches * u64::from(plan.rounds),
        a,
        b,
    })
}

fn play_all<G: Game, O: Observer<G> + ?Sized>(
    plan: &MatchPlan<G>,
    seated: &Seated<'_, G>,
    split: Split,
    seed: SeedId,
    workspace: &mut Workspace<G>,
    observer: &mut O,
) -> Result<(), Broken> {
    let players = plan.setup.players;
    let mut carries = vec![G::Carry::default(); arrangements(players) as usize];
    for round in 1..=plan.rounds {
        let mut stream = Stream::deal(G::NAME, players, split, seed, round);
        let deal = G::deal(&plan.setup, &mut stream);
        for (arrangement, carry) in (0..).zip(&mut carries) {
            let at = Place {
                split,
                seed,
                arrangement,
                round,
                sides: sides_of(players, arrangement),
            };
            let round = Round {
                at,
                deal: &deal,
                carry,
            };
            play(seated, &round, workspace, observer)?;
            if let Some(end) = workspace.state() {
                *carry = G::carry(end);
            }
        }
    }
    Ok(())
}
