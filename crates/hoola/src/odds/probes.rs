//! Positions and questions that meet every kind and branch of the estimator.

use super::{opponent_first, plain_wins};
use crate::card;
use crate::question::Question;
use crate::view::View;
use crate::{Hoola, Memo, view::Phase};
use evenhand_contract::{Ask, Choices, Game, Maps, Setup, Stream, Trace, TraceLevel, Work};

/// Rounds that are played for probes.
const ROUNDS: u32 = 24;
/// Of every so many turns one is asked about, beside those that could stop.
const EVERY: usize = 5;

/// Questions from rounds of the first simple style: at turns with a low hand what a stop would
/// bring, now and then who goes out first and which discard is claimed.
pub(super) fn probes(setup: &Setup<Hoola>) -> Vec<(View, Question)> {
    let mut probes = Vec::new();
    let mut memo = Memo::default();
    let mut trace = Trace::new(TraceLevel::Off);
    let maps = Maps::identity(0);
    let easy = &Hoola::policies()[0];
    let mut turns = 0_usize;
    for round in 0..ROUNDS {
        let players = setup.players;
        let mut stream = Stream::keyed("hoola-probes", &[("players", &players), ("round", &round)]);
        let deal = Hoola::deal(setup, &mut stream);
        let mut state = Hoola::start(setup, &deal, &Default::default());
        while let Some(seat) = Hoola::to_act(&state) {
            let view = Hoola::view(&state, seat);
            if view.phase == Phase::Start {
                turns += 1;
                if card::sum(view.hand) <= super::sums::MOST_SUM {
                    probes.push((view.clone(), plain_wins(&view)));
                    let sum = card::sum(view.hand) as u16;
                    let each = view
                        .opponents()
                        .map(|seat| Question::SumAbove { seat, sum });
                    probes.extend(each.map(|question| (view.clone(), question)));
                }
                if turns.is_multiple_of(EVERY) {
                    probes.push((view.clone(), opponent_first(&view)));
                }
            }
            if view.phase == Phase::Play && turns.is_multiple_of(EVERY) {
                let each = view.hand.iter().map(|card| Question::Claimed { card });
                probes.extend(each.map(|question| (view.clone(), question)));
            }
            let ask = Ask {
                view: &view,
                weights: &[],
                maps: &maps,
                stages_off: 0,
            };
            let decision = match Hoola::choices(&view, &mut memo) {
                Choices::Forced(only) => Ok(only),
                Choices::Free => {
                    (easy.decide)(&ask, &mut memo, &mut Work::units(u64::MAX), &mut trace)
                }
            };
            let applied = decision.map(|decision| Hoola::apply(&mut state, seat, &decision));
            if !matches!(applied, Ok(Ok(()))) {
                break;
            }
        }
    }
    probes
}
