//! Golden facts of the rules page.

mod oracle;

use evenhand_contract::{Cards, Stream};
use evenhand_lexio::hand::HandMemo;
use evenhand_lexio::meld::{Category, Meld, RunOrders, classify};
use evenhand_lexio::rules::{Rules, TopRun};
use evenhand_lexio::tile::{deck, parse_tile, parse_tiles, runs, tile_text};
use std::collections::BTreeMap;

fn wrap12() -> Rules {
    Rules {
        top_run: TopRun::Wrap12,
        ..Rules::default()
    }
}

#[test]
fn ids_are_those_of_the_rules_page() {
    for (text, id) in [
        ("3C", 0),
        ("9S", 27),
        ("8S", 23),
        ("12D", 38),
        ("15C", 48),
        ("1C", 52),
        ("2S", 59),
    ] {
        assert_eq!(parse_tile(text, 5), Ok(id));
        assert_eq!(tile_text(id), text);
    }
    assert_eq!(deck(5), Cards((1 << 60) - 1));
    for (players, top) in [(3, "9S"), (4, "13S"), (5, "15S")] {
        let numbered = parse_tile(top, players).expect("the top number");
        let ids: Vec<u8> = deck(players).iter().collect();
        let expected: Vec<u8> = (0..=numbered).chain(52..60).collect();
        assert_eq!(ids, expected);
    }
    for (players, beyond) in [(3, "10C"), (4, "14C"), (5, "16C")] {
        assert!(parse_tile(beyond, players).is_err());
    }
}

#[test]
fn there_are_as_many_runs_as_the_rules_page_says() {
    for (players, count) in [(3, 6), (4, 10), (5, 12)] {
        assert_eq!(runs(players, Rules::default()).len(), count);
        assert_eq!(runs(players, wrap12()).len(), count + 1);
        for rules in [Rules::default(), wrap12()] {
            let plain = oracle::runs(players, rules.top_run == TopRun::Wrap12);
            let orders = RunOrders::get(players, rules);
            for (place, (numbers, _)) in plain.iter().enumerate() {
                let ranks = numbers.iter().fold(0u16, |mask, n| {
                    mask | 1
                        << oracle::Tile {
                            number: *n,
                            suit: 0,
                        }
                        .rank()
                });
                assert_eq!(orders.order(ranks), Some(place as u8));
            }
            assert_eq!(orders.masks().len(), plain.len());
        }
    }
    // 13-14-15-1-2 and 15-1-2-3-4 are no runs.
    let orders = RunOrders::get(5, Rules::default());
    for text in ["13C 14D 15C 1C 2C", "15C 1C 2C 3D 4C"] {
        let tiles = parse_tiles("tiles", text, 5).expect("tiles");
        assert_eq!(classify(tiles, orders), None);
    }
}

/// Visits every set of five of these ids.
fn fives(ids: &[u8], mut visit: impl FnMut(Cards)) {
    let n = ids.len();
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                for d in c + 1..n {
                    for e in d + 1..n {
                        visit([a, b, c, d, e].into_iter().map(|i| ids[i]).collect());
                    }
                }
            }
        }
    }
}

#[test]
fn five_tile_melds_of_the_small_deck_are_counted_by_category() {
    let ids: Vec<u8> = deck(3).iter().collect();
    let orders = RunOrders::get(3, Rules::default());
    let plain_runs = oracle::runs(3, false);
    let mut counts = [0u32; 5];
    let mut all = 0;
    fives(&ids, |tiles| {
        all += 1;
        let plain = oracle::meld(tiles, &plain_runs).map(|(_, key)| key[0]);
        let ours = classify(tiles, orders).map(|m| m.category as u32 - Category::Straight as u32);
        assert_eq!(ours, plain, "{tiles:?}");
        if let Some(category) = plain {
            counts[category as usize] += 1;
        }
    });
    assert_eq!(all, 376_992);
    // straight 6 (4^5 - 4), flush 4 (C(9,5) - 6), full house 9 C(4,3) 8 C(4,2), four 9 x 32,
    // straight flush 6 x 4.
    assert_eq!(counts, [6_120, 480, 1_728, 288, 24]);
}

/// Every five-tile meld of a deck, found without the crate's classifier: from shapes.
fn five_tile_melds(players: u8, rules: Rules) -> Vec<Meld> {
    let mut memo = HandMemo::default();
    let orders = RunOrders::get(players, rules);
    memo.sized(deck(players), orders, 5).to_vec()
}

#[test]
fn keys_order_all_melds_as_the_rules_page_does() {
    for (players, counts) in [(3, 8_640), (4, 19_716), (5, 30_132)] {
        let melds = five_tile_melds(players, Rules::default());
        // 1,020 straights a run, 4 (C(M,5) - runs) flushes, M x 4 x (M - 1) x 6 full houses,
        // M (4M - 4) fours, 4 straight flushes a run.
        assert_eq!(melds.len(), counts);
        order_agrees(&melds, &oracle::runs(players, false));
    }
    order_agrees(&five_tile_melds(4, wrap12()), &oracle::runs(4, true));
    let mut memo = HandMemo::default();
    let orders = RunOrders::get(5, Rules::default());
    for size in 1..=3 {
        let melds = memo.sized(deck(5), orders, size).to_vec();
        assert_eq!(melds.len(), [60, 90, 60][usize::from(size) - 1]);
        order_agrees(&melds, &oracle::runs(5, false));
    }
}

/// Our keys are equal where the plain ones are and rise where they rise, so they are a total
/// order; and no two melds of one key are disjoint.
fn order_agrees(melds: &[Meld], plain_runs: &[(Vec<u32>, u32)]) {
    let mut by_plain: BTreeMap<Vec<u32>, Vec<Meld>> = BTreeMap::new();
    for meld in melds {
        let (size, key) = oracle::meld(meld.tiles, plain_runs).expect("a meld");
        assert_eq!(size, usize::from(meld.size()));
        by_plain.entry(key).or_default().push(*meld);
    }
    let mut last = None;
    for group in by_plain.values() {
        let key = group[0].key;
        assert!(last < Some(key), "keys rise");
        last = Some(key);
        for (i, a) in group.iter().enumerate() {
            assert_eq!(a.key, key);
            assert!(group[..i].iter().all(|b| a.tiles.meets(b.tiles)), "{a:?}");
        }
    }
}

/// Share of random hands, in tenths of a percent, against the rules page; 20,000 hands have a
/// standard error of 0.35 points at most, and four of them are allowed.
#[test]
fn random_hands_hold_melds_as_often_as_the_rules_page_says() {
    const HANDS: u32 = 20_000;
    let orders = RunOrders::get(5, Rules::default());
    let mut stream = Stream::keyed("facts-test", &[]);
    let mut ids: Vec<u8> = deck(5).iter().collect();
    let mut memo = HandMemo::default();
    let (mut holds, mut any, mut keys) = ([0u32; 8], 0, 0);
    for _ in 0..HANDS {
        stream.shuffle(&mut ids);
        let melds = memo.melds(ids[..12].iter().copied().collect(), orders);
        for category in Category::ALL {
            holds[category as usize] += u32::from(melds.iter().any(|m| m.category == category));
        }
        any += u32::from(melds.iter().any(|m| m.size() == 5));
        let mut distinct: Vec<_> = melds.iter().map(|m| (m.size(), m.key)).collect();
        distinct.dedup();
        keys += distinct.len();
    }
    let expected = [
        (holds[Category::Straight as usize], 352),
        (holds[Category::Flush as usize], 509),
        (holds[Category::FullHouse as usize], 290),
        (holds[Category::Four as usize], 15),
        (holds[Category::StraightFlush as usize], 6),
        (any, 804),
    ];
    for (count, permille) in expected {
        // Variance of a share p over n hands is p (1 - p) / n; in per mille, squared.
        let off = i64::from(count) * 1000 - permille * i64::from(HANDS);
        let variance = permille * (1000 - permille) * i64::from(HANDS);
        // Half a tenth is the rounding of the page.
        let rounding = i64::from(HANDS) / 2;
        let beyond = (off.abs() - rounding).max(0);
        assert!(
            beyond * beyond <= 16 * variance,
            "{count} of {HANDS}, expected {permille} per mille"
        );
    }
    let mean_tenths = keys * 10 / HANDS as usize;
    assert!(
        (180..=182).contains(&mean_tenths),
        "{mean_tenths} tenths of a key a hand"
    );
}
