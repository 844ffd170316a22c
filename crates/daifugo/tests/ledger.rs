//! The ledger against the truth: what it proves holds in every world that a view admits.

use evenhand_contract::{Game, Seat, SeedId, Setup, Split, Stream};
use evenhand_daifugo::beater::holds_beater;
use evenhand_daifugo::ledger::Ledger;
use evenhand_daifugo::rules::Rules;
use evenhand_daifugo::state::{Carry, State};
use evenhand_daifugo::{Daifugo, Memo, Play};

/// Whether some seat that may answer holds an answer to a play by `seat`.
fn answered(state: &State, seat: Seat, play: &Play) -> bool {
    let view = state.view(seat);
    let revolution = view.revolution ^ play.turns_order();
    !play.clears(view.field.as_ref())
        && Seat::all(state.players())
            .filter(|other| view.answering() >> other.0 & 1 == 1)
            .any(|other| holds_beater(state.hands()[other], play, revolution))
}

#[test]
fn what_is_proved_holds_in_every_world() {
    let (mut memo, mut legal) = (Memo::default(), Vec::new());
    let mut draws = Stream::keyed("ledger-law", &[]);
    let (mut proved, mut by_tribute, mut open) = (0, 0, 0);
    for players in 3..=6 {
        let setup = Setup::<Daifugo> {
            players,
            rules: Rules::default(),
        };
        for seed in 0..40 {
            let id = SeedId::number(seed).expect("small");
            let mut carry = Carry::default();
            for round in 1..=3 {
                let mut stream = Stream::deal("daifugo", players, Split::Rehearsal, id, round);
                let deal = Daifugo::deal(&setup, &mut stream);
                let mut state = Daifugo::start(&setup, &deal, &carry);
                while let Some(seat) = Daifugo::to_act(&state) {
                    let view = state.view(seat);
                    Daifugo::legal(&view, &mut memo, &mut legal);
                    let ledger = Ledger::of(&view);
                    let mut unaware = view;
                    unaware.exchange = None;
                    let unaware = Ledger::of(&unaware);
                    let others = Daifugo::reshuffle(&state, seat, &mut draws);
                    for world in [&state, &others] {
                        for other in Seat::all(players).filter(|&s| s != seat) {
                            let (held, told) = (world.hands()[other], ledger.holding(other));
                            assert!((told.sure | told.maybe).has_all(held));
                            assert!(held.has_all(told.sure));
                            assert_eq!(held.len(), told.sure.len() + told.free);
                            // What one seat holds for certain, no other may hold.
                            for third in Seat::all(players).filter(|&s| s != seat) {
                                let may = ledger.holding(third).maybe;
                                assert!(!may.meets(told.sure));
                            }
                        }
                    }
                    let plays = legal.iter().filter_map(|d| d.play().expect("valid"));
                    for play in plays.filter(|_| view.due == 0) {
                        if ledger.holds(&play) {
                            proved += 1;
                            by_tribute += u32::from(!unaware.holds(&play));
                            for world in [&state, &others] {
                                assert!(!answered(world, seat, &play), "{play:?} in {view:?}");
                            }
                        } else {
                            open += u32::from(answered(&others, seat, &play));
                        }
                    }
                    let pick = stream.below(legal.len() as u32) as usize;
                    Daifugo::apply(&mut state, seat, &legal[pick]).expect("legal");
                }
                carry = Daifugo::carry(&state);
            }
        }
    }
    assert!(
        proved > 5_000 && by_tribute > 20 && open > 5_000,
        "{proved} {by_tribute} {open}"
    );
}
