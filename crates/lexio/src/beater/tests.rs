use super::*;
use crate::hand::HandMemo;
use crate::rules::{Rules, TopRun};
use crate::tile::{deck, parse_tiles};
use evenhand_contract::Stream;

/// The slow truth: some subset of the hand is a meld that beats it.
fn brute(memo: &mut HandMemo, hand: Cards, meld: &Meld, orders: &RunOrders) -> bool {
    memo.melds(hand, orders).iter().any(|m| m.beats(meld))
}

/// Every meld of `targets` against every one of `hands`.
fn check(hands: &[Cards], targets: &[Meld], orders: &RunOrders) {
    let mut memo = HandMemo::default();
    for &hand in hands {
        for meld in targets {
            assert_eq!(
                holds_beater(hand, meld, orders),
                brute(&mut memo, hand, meld, orders),
                "{hand:?} against {meld:?}"
            );
        }
    }
}

fn sample(stream: &mut Stream, from: Cards, size: u32) -> Cards {
    let mut ids: Vec<u8> = from.iter().collect();
    stream.shuffle(&mut ids);
    ids.into_iter().take(size as usize).collect()
}

fn all_rules() -> [Rules; 2] {
    [TopRun::Wrap1, TopRun::Wrap12].map(|top_run| Rules {
        top_run,
        ..Rules::default()
    })
}

#[test]
fn it_agrees_with_the_listed_melds_on_random_hands() {
    let mut stream = Stream::keyed("beater-test", &[]);
    for players in [3, 4, 5] {
        for rules in all_rules() {
            let orders = RunOrders::get(players, rules);
            for _ in 0..60 {
                let size = 1 + stream.below(14);
                let own = sample(&mut stream, deck(players), 12);
                let hands = [(); 6].map(|()| sample(&mut stream, deck(players) - own, size));
                let mut memo = HandMemo::default();
                check(&hands, memo.melds(own, orders), orders);
                // Hands that overlap the meld: the answer is by keys alone.
                let mut other = HandMemo::default();
                check(&[own], other.melds(hands[0] | own, orders), orders);
            }
        }
    }
}

/// Hands crowded with five-tile melds, each against every meld of the others.
#[test]
fn it_agrees_on_crowded_hands() {
    let texts = [
        "3C 4C 5C 6C 7C 8C 9C 10C 11C",
        "3H 4H 5H 6H 7H 12H 13H 14H 15H",
        "1H 2H 3H 4H 5H 6H 9D",
        "1D 2D 3D 4D 5D 6S",
        "11D 12D 13D 14D 15D 1S 2S",
        "11S 12S 13S 14S 15S 1D 2D 1C 1H",
        "3D 3S 4D 4S 5S 5D",
        "7D 7S 7H 8C 8D 8H 8S",
        "9C 9H 9D 9S 10H",
        "9C 9H 9D 9S",
        "10C 10H 10D 10S 2C",
        "13C 13D 13H 2D 2S",
        "3C 4D 5H 6S 7H",
        "5C 6D 7H 8S 9C",
    ];
    for rules in all_rules() {
        let orders = RunOrders::get(5, rules);
        let hands = texts.map(|t| parse_tiles("hand", t, 5).expect("a fixed hand"));
        for &own in &hands {
            let mut memo = HandMemo::default();
            check(&hands, memo.melds(own, orders), orders);
        }
    }
}
