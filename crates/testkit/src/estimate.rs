use crate::game::{Memo, State, Toy, View};
use crate::play::{Play, beats, plays_of};
use evenhand_contract::{Choices, Estimates, Game, OutOfWork, PPM_ONE, Seat, Setup, Stream, Work};

/// Kind of question: does anybody hold a stronger single.
pub const SINGLE: usize = 0;
/// Kind of question: does anybody hold a stronger pair.
pub const PAIR: usize = 1;
/// The names of the kinds.
pub const KINDS: &[&str] = &["single", "pair"];

/// Raw chance, in ppm, that somebody beats `play`.
///
/// Exact for a single, since every unseen card is in somebody's hand. For a pair: the expected
/// number of beating pairs that lie together in one hand, capped at 1 - too high, because pairs
/// overlap, which is what the calibration map is there to mend.
///
/// # Errors
/// When the budget does not cover one unit a beating pair.
pub fn raw(
    view: &View,
    play: Play,
    memo: &mut Memo,
    work: &mut Work<'_>,
) -> Result<i64, OutOfWork> {
    work.charge(1)?;
    let unseen = view.unseen();
    if play.size() == 1 {
        let beaten = unseen.highest().is_some_and(|top| top > play.top());
        return Ok(if beaten { PPM_ONE } else { 0 });
    }
    plays_of(unseen, view.players, &mut memo.plays);
    let beating = memo.plays.iter().filter(|&&p| beats(p, play)).count() as i64;
    work.charge(beating as u64)?;
    let cards = i64::from(unseen.len());
    let together: i64 = view
        .counts
        .iter()
        .filter(|&(seat, _)| seat != view.seat)
        .map(|(_, &count)| i64::from(count) * (i64::from(count) - 1))
        .sum();
    Ok((beating * together * PPM_ONE / (cards * (cards - 1)).max(1)).min(PPM_ONE))
}

impl Estimates for Toy {
    const KINDS: &'static [&'static str] = KINDS;

    fn kind(question: &Play) -> usize {
        if question.size() == 2 { PAIR } else { SINGLE }
    }

    fn is_exact(kind: usize) -> bool {
        kind == SINGLE
    }

    fn raw(
        view: &View,
        question: &Play,
        _parameters: &[i64],
        memo: &mut Memo,
        work: &mut Work<'_>,
    ) -> Result<i64, OutOfWork> {
        raw(view, *question, memo, work)
    }

    fn probes(setup: &Setup<Self>) -> Vec<(View, Play)> {
        let mut stream = Stream::keyed("toy-probes", &[("players", &setup.players)]);
        let mut memo = Memo::default();
        let mut probes = Vec::new();
        let mut legal = Vec::new();
        for _ in 0..20 {
            let deal = Self::deal(setup, &mut stream);
            let mut state: State = Self::start(setup, &deal, &Default::default());
            while let Some(seat) = Self::to_act(&state) {
                let view = Self::view(&state, seat);
                Self::legal(&view, &mut memo, &mut legal);
                let asked = legal.iter().filter(|play| !play.is_pass());
                probes.extend(asked.map(|&play| (view, play)));
                // The last one listed is the strongest: a pass only where nothing else is legal.
                let decision = match Self::choices(&view, &mut memo) {
                    Choices::Forced(only) => only,
                    Choices::Free => legal[legal.len() - 1],
                };
                if Self::apply(&mut state, seat, &decision).is_err() {
                    break;
                }
            }
        }
        probes
    }
}

/// Seats other than this one.
pub(crate) fn opponents(view: &View) -> impl Iterator<Item = Seat> + '_ {
    Seat::all(view.players).filter(|&seat| seat != view.seat)
}
