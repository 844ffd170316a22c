//! Laws of whole rounds, played at random and by the simple policies.

use evenhand_contract::{Choices, Game, Seat, SeedId, Setup, Split, Stream};
use evenhand_lexio::legal::Play;
use evenhand_lexio::rules::Rules;
use evenhand_lexio::state::{Deal, State};
use evenhand_lexio::tile::{CLOUD_3, deck, hand_size};
use evenhand_lexio::{Lexio, Memo};
use proptest::prelude::*;

fn any_rules() -> impl Strategy<Value = Rules> {
    (
        prop::sample::select(vec!["effective", "payer_multiplier", "flat_double"]),
        prop::sample::select(vec!["wrap1", "wrap12"]),
        prop::sample::select(vec!["soft", "hard"]),
        prop::sample::select(vec!["cloud3", "winner"]),
    )
        .prop_map(|(twos, run, pass, lead)| {
            format!("twos={twos},top_run={run},pass={pass},lead={lead}")
                .parse()
                .expect("switches of the rules page")
        })
}

/// Every place together holds the deck, each tile once.
fn conserved(state: &State) -> bool {
    let mut all = state.played();
    let mut count = all.len();
    for (_, &hand) in state.hands().iter() {
        count += hand.len();
        all |= hand;
    }
    all == deck(state.players()) && count == all.len()
}

fn any_setup() -> impl Strategy<Value = Setup<Lexio>> {
    (3u8..=5, any_rules()).prop_map(|(players, rules)| Setup { players, rules })
}

fn deal(setup: &Setup<Lexio>, seed: u64) -> Deal {
    let seed = SeedId::number(seed).expect("a small seed");
    let mut stream = Stream::deal(Lexio::NAME, setup.players, Split::Rehearsal, seed, 1);
    Lexio::deal(setup, &mut stream)
}

/// Plays a round by uniform choice among legal decisions, passes rarer than plays when `keen`.
fn play_out(
    setup: &Setup<Lexio>,
    seed: u64,
    keen: u32,
    mut visit: impl FnMut(&State, Seat, &[Play]),
) -> State {
    let mut choice = Stream::keyed("round-test", &[("seed", &seed)]);
    let mut state = Lexio::start(setup, &deal(setup, seed), &Default::default());
    let (mut memo, mut legal) = (Memo::default(), Vec::new());
    while let Some(seat) = Lexio::to_act(&state) {
        Lexio::legal(&Lexio::view(&state, seat), &mut memo, &mut legal);
        visit(&state, seat, &legal);
        let mut play = legal[choice.below(legal.len() as u32) as usize];
        if play.is_pass() && legal.len() > 1 && choice.below(4) < keen {
            play = legal[1 + choice.below(legal.len() as u32 - 1) as usize];
        }
        Lexio::apply(&mut state, seat, &play).expect("a listed decision is accepted");
    }
    state
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn tiles_are_conserved_and_settlements_sum_to_zero(setup in any_setup(), seed in 0u64..1 << 40, keen in 0u32..=4) {
        let end = play_out(&setup, seed, keen, |state, _, _| assert!(conserved(state)));
        prop_assert!(conserved(&end));
        let settlement = Lexio::settlement(&end);
        prop_assert_eq!(settlement.as_slice().iter().sum::<i64>(), 0);
        let winner = end.winner().expect("the round ended");
        prop_assert!(end.hands()[winner].is_empty());
        prop_assert!(settlement.as_slice().iter().all(|&net| net <= settlement[winner]));
        prop_assert_eq!(Lexio::carry(&end).winner, Some(winner));
    }

    #[test]
    fn choices_agree_with_legal(setup in any_setup(), seed in 0u64..1 << 40) {
        let mut memo = Memo::default();
        play_out(&setup, seed, 2, |state, seat, legal| {
            let expected = match legal {
                [only] => Choices::Forced(*only),
                _ => Choices::Free,
            };
            assert_eq!(Lexio::choices(&Lexio::view(state, seat), &mut memo), expected);
        });
    }

    #[test]
    fn hidden_tiles_swapped_leave_the_view_unchanged(setup in any_setup(), seed in 0u64..1 << 40) {
        let mut stream = Stream::keyed("swap-test", &[("seed", &seed)]);
        play_out(&setup, seed, 3, |state, _, _| {
            for seat in Seat::all(setup.players) {
                let other = Lexio::reshuffle(state, seat, &mut stream);
                assert!(conserved(&other));
                assert_eq!(Lexio::view(&other, seat), Lexio::view(state, seat));
            }
        });
    }
}

#[test]
fn deals_give_each_tile_once_and_the_holder_of_cloud_3_leads() {
    for players in [3, 4, 5] {
        let setup = Setup::<Lexio> {
            players,
            rules: Rules::default(),
        };
        for seed in 0..200 {
            let dealt = deal(&setup, seed);
            let state = Lexio::start(&setup, &dealt, &Default::default());
            assert!(conserved(&state));
            assert!(
                dealt
                    .hands
                    .as_slice()
                    .iter()
                    .all(|h| h.len() == u32::from(hand_size(players)))
            );
            let leader = Lexio::to_act(&state).expect("somebody leads");
            assert!(dealt.hands[leader].has(CLOUD_3));
        }
    }
}
