//! The exact counts against every hand, and the chances by hand.

use super::sums::{MOST_SUM, above, by_rank, by_sum, weights};
use super::{claim, claimed};
use crate::card::{DECK, parse_cards, rank, sum};
use evenhand_contract::{Cards, PPM_ONE};
use proptest::prelude::*;

fn cards(text: &str) -> Cards {
    parse_cards("cards", text).expect("cards")
}

/// What [`by_sum`] says of hands with at most this sum.
fn at_most(unseen: Cards, size: usize, most: u32, weights: &[u64; 13]) -> (u128, u128) {
    let (part, whole) = by_sum(&by_rank(unseen), size, weights);
    (part[..=most as usize].iter().sum(), whole)
}

/// The weight of every hand of `size` cards out of `unseen` by listing them.
fn listed(unseen: Cards, size: u32, most: u32, weights: &[u64; 13]) -> (u128, u128) {
    let ids: Vec<u8> = unseen.iter().collect();
    let (mut part, mut whole) = (0, 0);
    for mask in 0..1u32 << ids.len() {
        if mask.count_ones() != size {
            continue;
        }
        let held = (0..ids.len())
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| ids[i]);
        let hand: Cards = held.collect();
        let weight: u128 = hand
            .iter()
            .map(|id| u128::from(weights[usize::from(rank(id))]))
            .product();
        whole += weight;
        if sum(hand) <= most {
            part += weight;
        }
    }
    (part, whole)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn counts_are_those_of_every_hand(
        bits in 0..1u64 << 52,
        low in any::<bool>(),
        size in 0..8u32,
        most in 0..=MOST_SUM,
        tilt in 0..=4_000_i64,
        turns in 0..12u8,
    ) {
        // A dozen cards at most; half of the time low ones, so that small sums occur.
        let from = if low { Cards(bits & 0xff_ffff) } else { Cards(bits) };
        let unseen: Cards = from.iter().take(12).collect();
        let weights = weights(tilt, turns);
        let counted = at_most(unseen, size as usize, most, &weights);
        prop_assert_eq!(counted, listed(unseen, size, most, &weights));
    }
}

#[test]
fn weights_by_the_formula() {
    assert_eq!(weights(0, 9), [256; 13]);
    assert_eq!(weights(1_000, 0), [256; 13]);
    let full = weights(1_000, 8);
    // 1 + (7 - v) / 6: an ace weighs 2, a 7 weighs 1, a king 0 and so the least.
    assert_eq!((full[0], full[6], full[12]), (512, 256, 5));
    assert_eq!(full, weights(1_000, 40));
    let half = weights(1_000, 4);
    assert_eq!((half[0], half[12]), (384, 128));
    assert_eq!(weights(500, 8)[0], 384);
}

#[test]
fn nothing_overflows_where_most_hands_are_likeliest() {
    let all = by_rank(DECK);
    for size in 0..=13 {
        let (part, whole) = at_most(DECK, size, MOST_SUM, &weights(4_000, 20));
        assert!(part <= whole, "{size}");
        let chance = above(&all, size, MOST_SUM, &weights(4_000, 20)).get();
        if size > 9 {
            assert_eq!(chance, PPM_ONE, "{size} cards are above every line");
        }
    }
    // One card of 52: 13 ranks, of which A to 10 are at most 10; uniform 12 / 52 above.
    let above_ten = above(&all, 1, 10, &weights(0, 5)).get();
    assert_eq!(above_ten, 230_769);
    // Tilted, a single card is lower.
    assert!(above(&all, 1, 10, &weights(400, 5)).get() < above_ten);
    // Not so many unseen cards: certain.
    assert_eq!(
        above(&by_rank(cards("AC 2C")), 3, 15, &weights(0, 0)).get(),
        PPM_ONE
    );
}

#[test]
fn pairs_that_make_a_meld_of_three() {
    let all = |card: &str| claim::pairs(DECK, cards(card).lowest().expect("a card"));
    // Three mates are three pairs, and three runs hold any card of a whole suit.
    assert_eq!([all("AC"), all("7H"), all("KS")], [6, 6, 6]);
    let king = cards("KS").lowest().expect("a card");
    assert_eq!(claim::pairs(cards("QS AS"), king), 1);
    assert_eq!(claim::pairs(cards("AS 2S"), king), 1);
    assert_eq!(claim::pairs(cards("JS QS KS"), king), 1);
    assert_eq!(claim::pairs(cards("KC KD"), king), 1);
    assert_eq!(claim::pairs(cards("KC QS JD"), king), 0);
}

mod seen {
    use super::*;
    use crate::deal::Carry;
    use crate::odds::{every_sum_above, opponent_out, sum_above};
    use crate::rules::Rules;
    use crate::state::{Position, State};
    use crate::view::View;
    use evenhand_contract::{BySeat, Seat};

    /// Seat 0 to move, with these hands, the rest of the deck face down.
    fn view(hands: &[&str], registered: &[bool], melds: Vec<crate::meld::Meld>) -> View {
        let players = hands.len() as u8;
        let mut rest = DECK;
        for hand in hands {
            rest -= cards(hand);
        }
        for meld in &melds {
            rest -= meld.cards();
        }
        let position = Position {
            rules: Rules::default(),
            hands: BySeat::from_fn(players, |seat| cards(hands[seat.index()])),
            registered: BySeat::from_fn(players, |seat| registered[seat.index()]),
            melds,
            pile: vec![],
            discarder: None,
            deck: rest.iter().collect(),
            turn: Seat(0),
        };
        State::set_up(&position).expect("a position").view(Seat(0))
    }

    #[test]
    fn a_seven_is_always_claimable_and_a_card_without_partners_never() {
        let here = view(&["7C KC", "2D 3D", "9H 9S"], &[false; 3], vec![]);
        let card = |text: &str| cards(text).lowest().expect("a card");
        assert_eq!(claimed(&here, card("7C")), PPM_ONE);
        let king = claimed(&here, card("KC"));
        assert!(0 < king && king < 100_000, "{king}");
        let mut full = here.clone();
        full.counts = BySeat::filled(3, 7);
        assert!(claimed(&full, card("KC")) > 5 * king);
        full.counts = BySeat::filled(3, 1);
        assert_eq!(claimed(&full, card("KC")), 0, "one card is no pair");
        let _ = Carry::default();
    }

    #[test]
    fn the_chance_of_all_is_the_product_over_opponents() {
        let here = view(&["AC 2C", "2D 3D", "9H"], &[true; 3], vec![]);
        let unseen = by_rank(here.unseen());
        for line in [0, 3, 9, 15] {
            let one = |seat| sum_above(&here, &unseen, Seat(seat), line, 300).get();
            let product = one(1) * one(2) / PPM_ONE;
            assert!((every_sum_above(&here, line, 300) - product).abs() <= 1);
        }
        assert!(every_sum_above(&here, 3, 300) > every_sum_above(&here, 9, 300));
    }

    #[test]
    fn fewer_cards_and_a_register_make_going_out_likelier() {
        let chance = |theirs: &str, registered: bool| {
            opponent_out(&view(&["AC 2C", theirs], &[true, registered], vec![]))
        };
        assert!(chance("9H", true) > chance("9H 5D", true));
        assert!(chance("9H 5D", true) > chance("9H 5D 2S QC", true));
        assert!(chance("9H 5D 2S QC", true) > chance("9H 5D 2S QC", false));
        let two = opponent_out(&view(&["AC", "9H", "5D"], &[true; 3], vec![]));
        let one = opponent_out(&view(&["AC", "9H"], &[true; 2], vec![]));
        assert!(two > one);
    }
}

/// The chance that two hands are both above a sum, with the cards dealt over both at once.
mod joint {
    use crate::card::RANKS;
    use crate::odds::sums::{self, Weights};
    use crate::odds::{PARAMETERS, TILT, every_sum_above};
    use crate::view::{Phase, View};
    use crate::{Hoola, Memo, card};
    use evenhand_contract::{
        Choices, Game, PPM_ONE, Policy, SeedId, Setup, Split, Stream, Trace, TraceLevel, Work,
        decide, find_policy,
    };
    use std::collections::BTreeMap;

    /// A seat's part of the unseen cards: how many, and their sum where that is asked.
    type Share = (usize, usize);

    /// The weight of all ways to deal two hands of these sizes, each with a sum of at most its
    /// bound where it has one: a card goes to the first, the second, or neither.
    fn weight(
        unseen: &[u8; RANKS as usize],
        sizes: [usize; 2],
        weights: &[Weights; 2],
        bounds: [Option<usize>; 2],
    ) -> u128 {
        let mut ways: BTreeMap<[Share; 2], u128> = BTreeMap::from([([(0, 0); 2], 1)]);
        for (rank, &count) in unseen.iter().enumerate() {
            for _ in 0..count {
                let mut next = ways.clone();
                for (held, way) in &ways {
                    for hand in 0..2 {
                        let mut with = *held;
                        with[hand].0 += 1;
                        if let Some(bound) = bounds[hand] {
                            with[hand].1 += rank + 1;
                            if with[hand].1 > bound {
                                continue;
                            }
                        }
                        if with[hand].0 <= sizes[hand] {
                            *next.entry(with).or_default() += way * u128::from(weights[hand][rank]);
                        }
                    }
                }
                ways = next;
            }
        }
        let full = |held: &[Share; 2]| held[0].0 == sizes[0] && held[1].0 == sizes[1];
        ways.iter()
            .filter(|(held, _)| full(held))
            .map(|(_, way)| way)
            .sum()
    }

    /// In ppm: 1 - P(first at or below) - P(second) + P(both).
    fn both_above(view: &View, sum: u32, tilt: i64) -> i64 {
        let unseen = sums::by_rank(view.unseen());
        let seats: Vec<_> = view.opponents().collect();
        let sizes = [0, 1].map(|i| usize::from(view.counts[seats[i]]));
        let weights = [0, 1].map(|i| sums::weights(tilt, view.turns[seats[i]]));
        let bound = Some(sum as usize);
        let of = |bounds| weight(&unseen, sizes, &weights, bounds);
        let whole = of([None, None]);
        let below = of([bound, None]) + of([None, bound]) - of([bound, bound]);
        PPM_ONE - (below / (whole / 1_000_000)) as i64
    }

    /// Stop chances of the third style with three players, opponents with few cards.
    fn chances(count: usize) -> Vec<View> {
        let setup = Setup::<Hoola> {
            players: 3,
            rules: Default::default(),
        };
        let greedy = Policy::defaults(find_policy::<Hoola>("greedy").expect("a style"));
        let mut memo = Memo::default();
        let mut found = Vec::new();
        for round in 1.. {
            let seed = SeedId::number(9).expect("a seed");
            let mut stream = Stream::deal("hoola", 3, Split::Rehearsal, seed, round);
            let deal = Hoola::deal(&setup, &mut stream);
            let mut state = Hoola::start(&setup, &deal, &Default::default());
            while let Some(seat) = Hoola::to_act(&state) {
                let view = Hoola::view(&state, seat);
                let asked = view.phase == Phase::Start
                    && card::sum(view.hand) <= view.rules.plain_line()
                    && view.opponents().map(|s| view.counts[s]).sum::<u8>() <= 8;
                if asked {
                    found.push(view.clone());
                    if found.len() == count {
                        return found;
                    }
                }
                let decision = match Hoola::choices(&view, &mut memo) {
                    Choices::Forced(only) => only,
                    Choices::Free => {
                        let mut trace = Trace::new(TraceLevel::Off);
                        let mut work = Work::units(Hoola::WORK_LIMIT);
                        decide(&greedy, &view, &mut memo, &mut work, &mut trace)
                            .expect("a decision")
                            .decision
                    }
                };
                Hoola::apply(&mut state, seat, &decision).expect("legal");
            }
        }
        found
    }

    #[test]
    fn seats_are_nearly_independent() {
        let tilt = PARAMETERS[TILT].default;
        let (mut off, mut signed, mut worst) = (0, 0, 0);
        let views = chances(30);
        for view in &views {
            let sum = card::sum(view.hand);
            let product = every_sum_above(view, sum, tilt);
            let difference = product - both_above(view, sum, tilt);
            off += difference.abs();
            signed += difference;
            worst = worst.max(difference.abs());
        }
        let count = views.len() as i64;
        println!(
            "product against joint, ppm: mean {}, mean absolute {}, worst {worst}",
            signed / count,
            off / count
        );
        // Far below what the tilt moves, and within what the calibration maps take up.
        assert!(off / count < 20_000, "{}", off / count);
        let tilted: i64 = views
            .iter()
            .map(|view| {
                let sum = card::sum(view.hand);
                every_sum_above(view, sum, 0) - every_sum_above(view, sum, tilt)
            })
            .sum();
        assert!(
            tilted > 4 * off,
            "the tilt moves {tilted}, dependence {off}"
        );
    }
}
