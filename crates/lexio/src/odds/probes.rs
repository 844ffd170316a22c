//! The fixed probe set of the estimator's fingerprint.

use crate::hand::HandMemo;
use crate::meld::{Meld, RunOrders, classify};
use crate::tile::{RANKS, deck, rank_tiles};
use crate::{Lexio, Play, View};
use evenhand_contract::{Cards, Game, Setup, Stream};

/// Rounds that the probes are taken from.
const ROUNDS: u32 = 60;
/// Most probes of one kind.
const PER_KIND: usize = 100;

/// Views of rounds in play with melds to ask about: every kind, hands from full to nearly empty.
///
/// Play is random, on its own stream, so that no policy's change moves the probes.
pub(super) fn probes(setup: &Setup<Lexio>) -> Vec<(View, Meld)> {
    let mut stream = Stream::keyed(
        "probes",
        &[
            ("game", &Lexio::NAME),
            ("players", &setup.players),
            ("ruleset", &setup.rules),
        ],
    );
    let mut out = Vec::new();
    let mut memo = HandMemo::default();
    let mut per_kind = [0; 8];
    for _ in 0..ROUNDS {
        let deal = Lexio::deal(setup, &mut stream);
        let mut state = Lexio::start(setup, &deal, &Default::default());
        while let Some(seat) = Lexio::to_act(&state) {
            let view = state.view(seat);
            let orders = view.orders();
            let melds = memo.melds(view.hand, orders);
            // One meld of each kind that the hand has.
            for (kind, asked) in per_kind.iter_mut().enumerate() {
                let of_kind = || melds.iter().filter(|m| m.category as usize == kind);
                let count = of_kind().count();
                if count > 0 && *asked < PER_KIND {
                    *asked += 1;
                    let place = stream.below(count as u32) as usize;
                    out.extend(of_kind().nth(place).map(|m| (view, *m)));
                }
            }
            // The rarest kinds hardly ever lie in a random hand: ask about any, held or not.
            for meld in rare(setup.players, orders, &mut stream)
                .into_iter()
                .flatten()
            {
                let kind = meld.category as usize;
                if per_kind[kind] < PER_KIND && stream.below(4) == 0 {
                    per_kind[kind] += 1;
                    out.push((view, meld));
                }
            }
            let choices: Vec<Play> = melds
                .iter()
                .filter(|m| view.field.is_none_or(|field| m.beats(&field)))
                .map(|m| Play(m.tiles))
                .collect();
            let may_pass = view.field.is_some() && (choices.is_empty() || stream.below(3) == 0);
            let play = if may_pass {
                Play(Cards::EMPTY)
            } else {
                choices[stream.below(choices.len() as u32) as usize]
            };
            if state.apply(seat, play).is_err() {
                break;
            }
        }
    }
    out
}

/// A random four of a number with a tile, and a random run of one suit.
fn rare(players: u8, orders: &RunOrders, stream: &mut Stream) -> [Option<Meld>; 2] {
    let ids: Vec<u8> = deck(players).iter().collect();
    let draw = |stream: &mut Stream| ids[stream.below(ids.len() as u32) as usize];
    let (first, fifth) = (draw(stream), draw(stream));
    let runs = orders.masks();
    let ranks = runs[stream.below(runs.len() as u32) as usize];
    let suit = stream.below(4) as u8;
    let run = (0..RANKS)
        .filter(|r| ranks >> r & 1 == 1)
        .map(|r| 4 * r + suit)
        .collect();
    [
        classify(rank_tiles(first / 4) | Cards::one(fifth), orders),
        classify(run, orders),
    ]
}
