//! Laws of whole matches, played at random.

use evenhand_contract::{BySeat, Cards, Choices, Game, Seat, SeedId, Setup, Split, Stream};
use evenhand_daifugo::card::{DECK, JOKERS};
use evenhand_daifugo::rules::Rules;
use evenhand_daifugo::state::{Carry, State};
use evenhand_daifugo::{Daifugo, Decision, Memo};
use proptest::prelude::*;

fn any_setup() -> impl Strategy<Value = Setup<Daifugo>> {
    (3u8..=6, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(players, e, s, f)| Setup {
        players,
        rules: Rules {
            foul_eight: e,
            foul_spade3: s,
            fall: f,
        },
    })
}

/// Every place together holds the deck, each card once, and the blind no joker.
fn conserved(state: &State) -> bool {
    let mut all = state.blind() | state.fall_pile();
    let mut count = state.blind().len() + state.fall_pile().len();
    for seat in Seat::all(state.players()) {
        let (hand, played) = (state.hands()[seat], state.played()[seat]);
        count += hand.len() + played.len();
        all |= hand | played;
    }
    all == DECK && count == DECK.len() && !state.blind().meets(JOKERS)
}

fn is_permutation(places: &BySeat<u8>) -> bool {
    let seen = places.as_slice().iter().fold(0u32, |bits, p| bits | 1 << p);
    seen == (2 << places.players()) - 2
}

fn first_state(setup: &Setup<Daifugo>, seed: u64, round: u32, carry: &Carry) -> State {
    let seed = SeedId::number(seed).expect("a small seed");
    let mut stream = Stream::deal(Daifugo::NAME, setup.players, Split::Rehearsal, seed, round);
    let deal = Daifugo::deal(setup, &mut stream);
    Daifugo::start(setup, &deal, carry)
}

/// Plays a match by uniform choice among legal decisions; passes are rarer than plays when `keen`.
fn play_out(
    setup: &Setup<Daifugo>,
    seed: u64,
    rounds: u32,
    keen: u32,
    mut visit: impl FnMut(&State, Seat, &[Decision]),
) -> Vec<State> {
    let mut choice = Stream::keyed("round-test", &[("seed", &seed)]);
    let (mut memo, mut legal) = (Memo::default(), Vec::new());
    let mut carry = Carry::default();
    let mut ends = Vec::new();
    for round in 1..=rounds {
        let mut state = first_state(setup, seed, round, &carry);
        while let Some(seat) = Daifugo::to_act(&state) {
            Daifugo::legal(&Daifugo::view(&state, seat), &mut memo, &mut legal);
            visit(&state, seat, &legal);
            let mut pick = choice.below(legal.len() as u32) as usize;
            if legal[pick] == Decision::Pass && legal.len() > 1 && choice.below(4) < keen {
                pick = 1 + choice.below(legal.len() as u32 - 1) as usize;
            }
            Daifugo::apply(&mut state, seat, &legal[pick]).expect("a listed decision is accepted");
        }
        carry = Daifugo::carry(&state);
        ends.push(state);
    }
    ends
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn cards_are_conserved_and_places_are_a_permutation(setup in any_setup(), seed in 0u64..1 << 40, keen in 0u32..=4) {
        let ends = play_out(&setup, seed, 4, keen, |state, seat, legal| {
            assert!(conserved(state));
            assert!(!legal.is_empty());
            let view = state.view(seat);
            assert!(view.is_active(seat) && view.passed >> seat.0 & 1 == 0, "a passed seat never acts");
            assert_eq!(u32::from(view.fall_pile()), state.fall_pile().len());
            if view.field.is_none() && view.due == 0 {
                assert!(legal.iter().all(|d| *d != Decision::Pass));
            }
        });
        for (place, end) in ends.iter().enumerate() {
            prop_assert!(conserved(end));
            let places = end.places();
            prop_assert!(is_permutation(&places), "{places:?}");
            let settlement = Daifugo::settlement(end);
            prop_assert_eq!(settlement.as_slice().iter().sum::<i64>(), 0);
            let fell = end.fallen();
            prop_assert!(fell.is_none() || setup.rules.fall && place > 0);
            if let Some(fallen) = fell {
                let before = ends[place - 1].places();
                prop_assert_eq!(before[fallen], 1);
                prop_assert_eq!(usize::from(places[fallen]), usize::from(setup.players) - end.fouls().as_slice().len());
            }
            let normal = end.normal().as_slice();
            for (rank, seat) in normal.iter().enumerate() {
                prop_assert_eq!(usize::from(places[*seat]), rank + 1);
            }
            let carry = Daifugo::carry(end);
            prop_assert_eq!(carry.rounds as usize, place + 1);
        }
    }

    #[test]
    fn choices_agree_with_legal(setup in any_setup(), seed in 0u64..1 << 40) {
        let mut memo = Memo::default();
        play_out(&setup, seed, 2, 2, |state, seat, legal| {
            let expected = match legal {
                [only] => Choices::Forced(*only),
                _ => Choices::Free,
            };
            assert_eq!(Daifugo::choices(&Daifugo::view(state, seat), &mut memo), expected);
        });
    }

    #[test]
    fn hidden_cards_swapped_leave_the_view_unchanged(setup in any_setup(), seed in 0u64..1 << 40) {
        let mut stream = Stream::keyed("swap-test", &[("seed", &seed)]);
        play_out(&setup, seed, 3, 3, |state, _, _| {
            for seat in Seat::all(setup.players) {
                let other = Daifugo::reshuffle(state, seat, &mut stream);
                assert!(conserved(&other));
                assert_eq!(other.to_act(), state.to_act());
                assert_eq!(Daifugo::view(&other, seat), Daifugo::view(state, seat));
                for mate in Seat::all(setup.players) {
                    assert_eq!(other.hands()[mate].len(), state.hands()[mate].len());
                }
                if let Some(exchange) = state.view(seat).exchange {
                    let partner = exchange.partner;
                    let kept = exchange.given - state.played()[partner];
                    let at = if state.fallen() == Some(partner) { other.fall_pile() } else { other.hands()[partner] };
                    assert!(at.has_all(kept), "own tribute stays with the partner");
                    if let Some(bound) = exchange.bound() {
                        let rest = other.hands()[partner] - exchange.given;
                        assert!(rest.highest().is_none_or(|top| top < bound));
                    }
                }
            }
        });
    }

    #[test]
    fn refused_decisions_leave_the_state_as_it_was(setup in any_setup(), seed in 0u64..1 << 40) {
        let mut stream = Stream::keyed("refusal-test", &[("seed", &seed)]);
        play_out(&setup, seed, 2, 3, |state, seat, legal| {
            for _ in 0..6 {
                let some = Cards(u64::from(stream.next_u32()) << 32 | u64::from(stream.next_u32()));
                let hand = state.hands()[seat];
                let cards = if stream.below(4) == 0 { some } else { hand & some };
                let decision = match stream.below(4) {
                    0 => Decision::Pass,
                    1 => Decision::Set(cards),
                    2 => Decision::Return(cards),
                    _ => Decision::Stair { cards, start: stream.below(15) as u8 },
                };
                let mut next = *state;
                let accepted = Daifugo::apply(&mut next, seat, &decision);
                assert_eq!(accepted.is_ok(), legal.contains(&decision), "{decision:?}");
                assert_eq!(accepted.is_ok(), next != *state);
                let out_of_turn = seat.next(setup.players);
                assert!(Daifugo::apply(&mut next.clone(), out_of_turn, &Decision::Pass).is_err() || accepted.is_ok());
            }
        });
    }
}

#[test]
fn the_round_after_is_the_same_as_in_a_fresh_process() {
    // A round that ended under revolution leaves nothing behind but places and their number.
    let setup = Setup::<Daifugo> {
        players: 4,
        rules: Rules::default(),
    };
    let mut turned = 0;
    for seed in 0..2_000 {
        let ends = play_out(&setup, seed, 2, 3, |_, _, _| {});
        turned += u32::from(ends[0].revolution());
        let carry = Carry {
            previous: Some(ends[0].places()),
            rounds: 1,
        };
        assert_eq!(Daifugo::carry(&ends[0]), carry);
        let fresh = first_state(&setup, seed, 2, &carry);
        assert!(!fresh.revolution() && fresh.passed() == 0 && fresh.field().is_none());
        assert_eq!(fresh.dealt(), ends[1].dealt());
        assert_eq!(fresh.leader(), ends[1].leader());
        assert_eq!(fresh.blind(), ends[1].blind());
    }
    assert!(turned > 20, "{turned} rounds ended under revolution");
}

#[test]
fn who_only_passes_ends_the_round_all_the_same() {
    // Followers never answer; leaders lead what they list first. Each lead shrinks a hand.
    for players in 3..=6 {
        let setup = Setup::<Daifugo> {
            players,
            rules: Rules::default(),
        };
        let mut carry = Carry::default();
        for round in 1..=20 {
            let mut state = first_state(&setup, 7, round, &carry);
            let (mut memo, mut legal) = (Memo::default(), Vec::new());
            let mut moves = 0;
            while let Some(seat) = Daifugo::to_act(&state) {
                Daifugo::legal(&state.view(seat), &mut memo, &mut legal);
                Daifugo::apply(&mut state, seat, &legal[0]).expect("legal");
                moves += 1;
                assert!(moves < 500);
            }
            carry = Daifugo::carry(&state);
            assert!(is_permutation(&state.places()));
        }
    }
}

#[test]
fn refusals_give_the_reason() {
    let setup = Setup::<Daifugo> {
        players: 4,
        rules: Rules::default(),
    };
    let start = first_state(&setup, 1, 1, &Carry::default());
    let leader = start.leader();
    let mut state = start;
    let reason = |state: &mut State, seat: Seat, decision: Decision| {
        Daifugo::apply(state, seat, &decision)
            .expect_err("illegal")
            .0
    };
    let low = start.hands()[leader].lowest().expect("cards");
    let single = Decision::Set(Cards::one(low));
    assert!(reason(&mut state, leader.next(4), single).contains("out of turn"));
    assert!(reason(&mut state, leader, Decision::Pass).contains("pass on the lead"));
    assert!(reason(&mut state, leader, Decision::Set(Cards::EMPTY)).contains("no set"));
    assert!(reason(&mut state, leader, Decision::Return(Cards::one(low))).contains("no tribute"));
    assert!(reason(&mut state, leader, Decision::Set(Cards::one(60))).contains("card id 60"));
    let other = start.hands()[leader.next(4)].lowest().expect("cards");
    assert!(
        reason(&mut state, leader, Decision::Set(Cards::one(other))).contains("not in the hand")
    );
    Daifugo::apply(&mut state, leader, &single).expect("a lead");
    let next = leader.next(4);
    let below = state.hands()[next].iter().find(|id| id / 4 <= low / 4);
    if let Some(id) = below {
        assert!(reason(&mut state, next, Decision::Set(Cards::one(id))).contains("does not beat"));
    }
    let carry = Carry {
        previous: Some(BySeat::from_fn(4, |seat| seat.0 + 1)),
        rounds: 1,
    };
    let mut state = first_state(&setup, 1, 2, &carry);
    let hand = state.hands()[Seat(0)];
    assert!(reason(&mut state, Seat(0), Decision::Set(Cards::one(0))).contains("first give 2"));
    let one = Decision::Return(Cards(hand.0 & hand.0.wrapping_neg()));
    assert!(reason(&mut state, Seat(0), one).contains("must give 2 cards back, not 1"));
}

#[test]
fn figures_of_a_round_are_those_counted_alongside() {
    let setup = Setup::<Daifugo> {
        players: 4,
        rules: Rules::default(),
    };
    let names: Vec<_> = Daifugo::METRICS.iter().map(|row| row.name).collect();
    assert_eq!(
        names,
        [
            "place",
            "foul",
            "fell",
            "first",
            "last",
            "could_follow",
            "held_back"
        ]
    );
    for seed in 0..60 {
        let mut carry = Carry::default();
        for round in 1..=3 {
            let mut state = first_state(&setup, seed, round, &carry);
            let mut choice = Stream::keyed("figures-test", &[("seed", &seed)]);
            let (mut memo, mut legal) = (Memo::default(), Vec::new());
            let mut counted = [[0i64; 2]; 4];
            while let Some(seat) = Daifugo::to_act(&state) {
                Daifugo::legal(&state.view(seat), &mut memo, &mut legal);
                let pick = legal[choice.below(legal.len() as u32) as usize];
                if state.field().is_some() && legal.len() > 1 {
                    counted[seat.index()][0] += 1;
                    counted[seat.index()][1] += i64::from(pick == Decision::Pass);
                }
                Daifugo::apply(&mut state, seat, &pick).expect("legal");
            }
            let places = state.places();
            for seat in Seat::all(4) {
                let mut sums = [10; 7];
                Daifugo::metrics(&state, seat, &mut sums);
                let place = i64::from(places[seat]);
                let [could, held] = counted[seat.index()];
                let expected = [
                    place,
                    i64::from(state.fouls().has(seat)),
                    i64::from(state.fallen() == Some(seat)),
                    i64::from(place == 1),
                    i64::from(place == 4),
                    could,
                    held,
                ];
                assert_eq!(sums, expected.map(|figure| 10 + figure));
            }
            carry = Daifugo::carry(&state);
        }
    }
}
