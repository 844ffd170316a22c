//! The fixed probe set of the estimator's fingerprint.

use super::{KINDS, kind};
use crate::plan::{Index, pieces};
use crate::{Daifugo, Question, View};
use evenhand_contract::{Game, Setup, Stream};

/// Matches that the probes are taken from, and rounds of each: tribute is part of what is known.
const MATCHES: u32 = 20;
const ROUNDS: u32 = 3;
/// Most probes of one kind.
const PER_KIND: usize = 60;

/// Views of rounds in play with questions: every kind, hands from full to nearly empty.
///
/// Play is random, on its own stream, so that no policy's change moves the probes.
pub(super) fn probes(setup: &Setup<Daifugo>) -> Vec<(View, Question)> {
    let mut stream = Stream::keyed(
        "probes",
        &[
            ("game", &Daifugo::NAME),
            ("players", &setup.players),
            ("ruleset", &setup.rules),
        ],
    );
    let mut out = Vec::new();
    let mut per_kind = [0; KINDS.len()];
    let (mut legal, mut held) = (Vec::new(), Vec::new());
    let mut memo = crate::Memo::default();
    for _ in 0..MATCHES {
        let mut carry = Default::default();
        for _ in 0..ROUNDS {
            let deal = Daifugo::deal(setup, &mut stream);
            let mut state = Daifugo::start(setup, &deal, &carry);
            while let Some(seat) = Daifugo::to_act(&state) {
                let view = state.view(seat);
                if view.due == 0 {
                    pieces(&Index::new(view.hand), &mut held);
                    let others = view.others();
                    let mut ask = |question: Question| {
                        let asked = &mut per_kind[kind(&question.play, question.count)];
                        if *asked < PER_KIND {
                            *asked += 1;
                            out.push((view, question));
                        }
                    };
                    for other in others {
                        let play = held[stream.below(held.len() as u32) as usize].play;
                        let revolution = stream.below(8) == 0;
                        ask(Question {
                            seat: other,
                            play,
                            revolution,
                            count: view.counts[other],
                        });
                    }
                }
                Daifugo::legal(&view, &mut memo, &mut legal);
                let choice = legal[stream.below(legal.len() as u32) as usize];
                if state.apply(seat, choice).is_err() {
                    break;
                }
            }
            carry = Daifugo::carry(&state);
        }
    }
    out
}
