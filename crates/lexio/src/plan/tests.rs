use super::*;
use crate::hand::HandMemo;
use crate::meld::RunOrders;
use crate::rules::Rules;
use crate::tile::{deck, hand_size, parse_tiles, tiles_text};
use evenhand_contract::Stream;
use std::collections::BTreeMap;

const EXAMPLE: &str = "5C 5D 9C 9S 10S 11H 12C 12D 12S 13S 15C 1C";

fn tiles(text: &str) -> Cards {
    parse_tiles("hand", text, 5).expect("fixed tiles")
}

fn table(hand: Cards, players: u8) -> (PlanTable, Vec<Meld>) {
    let orders = RunOrders::get(players, Rules::default());
    let melds = HandMemo::default().melds(hand, orders).to_vec();
    (PlanTable::new(hand, &melds), melds)
}

fn random_hand(stream: &mut Stream, players: u8, size: usize) -> Cards {
    let mut ids: Vec<u8> = deck(players).iter().collect();
    stream.shuffle(&mut ids);
    ids[..size].iter().copied().collect()
}

/// Exact partition by plain recursion on the lowest tile, sharing no code with the table.
fn solve(sub: Cards, melds: &[Meld], price: &dyn Fn(&Meld) -> u32) -> u32 {
    let Some(low) = sub.lowest() else { return 0 };
    melds
        .iter()
        .filter(|m| m.tiles.lowest() == Some(low) && sub.has_all(m.tiles))
        .map(|m| price(m) + solve(sub - m.tiles, melds, price))
        .min()
        .expect("a single always fits")
}

/// Largest first: fives, threes, twos, ones; each time the combination of the id-sorted rest that
/// comes first when ids are compared from the weakest up.
fn greedy(mut sub: Cards, melds: &[Meld]) -> u8 {
    let mut plays = 0;
    while !sub.is_empty() {
        let first = melds
            .iter()
            .filter(|m| sub.has_all(m.tiles))
            .min_by_key(|m| (5 - m.size(), m.tiles.iter().collect::<Vec<_>>()))
            .expect("a single always fits");
        sub -= first.tiles;
        plays += 1;
    }
    plays
}

#[test]
fn the_example_hand_takes_four_plays_and_greedy_seven() {
    let hand = tiles(EXAMPLE);
    let (table, melds) = table(hand, 5);
    assert_eq!(table.fewest(hand), 4);
    let pieces: Vec<_> = table
        .partition(hand, &melds)
        .iter()
        .map(|m| tiles_text(m.tiles))
        .collect();
    assert_eq!(
        pieces,
        ["5C 9C 12C 15C 1C", "9S 10S 11H 12S 13S", "12D", "5D"]
    );
    assert_eq!(greedy(hand, &melds), 7);
}

#[test]
fn what_is_left_after_following_a_single() {
    let hand = tiles(EXAMPLE);
    let (table, _) = table(hand, 5);
    let expected = [
        ("9C", 5),
        ("9S", 5),
        ("10S", 6),
        ("11H", 6),
        ("12C", 6),
        ("12D", 3),
        ("12S", 3),
        ("13S", 6),
        ("15C", 5),
        ("1C", 5),
    ];
    for (tile, left) in expected {
        assert_eq!(table.fewest(hand - tiles(tile)), left, "{tile}");
    }
}

#[test]
fn every_subset_agrees_with_plain_recursion() {
    let mut stream = Stream::keyed("plan-test", &[]);
    for players in [3, 4, 5] {
        for _ in 0..12 {
            let hand = random_hand(&mut stream, players, usize::from(hand_size(players)));
            let (table, melds) = table(hand, players);
            for _ in 0..60 {
                let sub =
                    hand & Cards(u64::from(stream.next_u32()) << 32 | u64::from(stream.next_u32()));
                let sub = if sub.len() > 9 {
                    sub.without_lowest()
                } else {
                    sub
                };
                assert_eq!(u32::from(table.fewest(sub)), solve(sub, &melds, &|_| 1));
                let pieces = table.partition(sub, &melds);
                assert_eq!(pieces.len(), usize::from(table.fewest(sub)));
                let union = pieces.iter().fold(Cards::EMPTY, |all, m| {
                    assert!(!all.meets(m.tiles), "pieces are disjoint");
                    all | m.tiles
                });
                assert_eq!(union, sub);
            }
        }
    }
}

#[test]
fn crowded_hands_agree_with_plain_recursion() {
    for text in [
        "3C 4C 5C 6C 7C 8C 9C 10C 11C 12C 13C 14C",
        "3C 3H 3D 3S 4C 4H 4D 4S 5C 5H 5D 5S",
        "1C 1H 2C 2H 3C 3H 4C 4H 5C 5D 6C 6D",
    ] {
        let hand = tiles(text);
        let (table, melds) = table(hand, 5);
        assert_eq!(
            u32::from(table.fewest(hand)),
            solve(hand, &melds, &|_| 1),
            "{text}"
        );
    }
}

fn price(stream: &mut Stream) -> Price {
    Price {
        units: stream.below(Price::MOST_A_TILE + 1),
        needs_lead: stream.below(2) == 1,
        orphan: stream.below(2) == 1,
    }
}

#[test]
fn priced_tables_agree_with_plain_recursion() {
    let mut stream = Stream::keyed("price-test", &[]);
    let mut costs = CostTable::default();
    for _ in 0..40 {
        let hand = random_hand(&mut stream, 5, 10);
        let (table, melds) = table(hand, 5);
        let prices: BTreeMap<Cards, Price> = melds
            .iter()
            .map(|m| (m.tiles, price(&mut stream)))
            .collect();
        let masks = table.masks().iter().zip(&melds);
        costs.fill(10, masks.map(|(&mask, m)| (mask, prices[&m.tiles])));
        for _ in 0..20 {
            let sub =
                hand & Cards(u64::from(stream.next_u32()) << 32 | u64::from(stream.next_u32()));
            // Price first, then pieces that need the lead, then orphans.
            let expected = solve(sub, &melds, &|m| {
                let p = prices[&m.tiles];
                p.units * 256 + u32::from(p.needs_lead) * 16 + u32::from(p.orphan)
            });
            let plan = costs.plan(table.index().mask(sub));
            assert_eq!(plan.units(), i64::from(expected / 256));
            assert_eq!(plan.needing_lead(), i64::from(expected / 16 % 16));
            assert_eq!(plan.orphans(), i64::from(expected % 16));
        }
    }
}

#[test]
fn the_dearest_prices_do_not_overflow() {
    let hand: Cards = (0..13).collect();
    let (table, _) = table(hand, 4);
    let dearest = Price {
        units: Price::MOST_A_TILE,
        needs_lead: true,
        orphan: true,
    };
    let mut costs = CostTable::default();
    costs.fill(13, table.masks()[..13].iter().map(|&m| (m, dearest)));
    let plan = costs.plan((1 << 13) - 1);
    assert_eq!(plan.units(), 13 * i64::from(Price::MOST_A_TILE));
    assert_eq!((plan.needing_lead(), plan.orphans()), (13, 13));
}

/// Figures over random hands of twelve of the sixty tiles, as published: mean minimum 6.95 with
/// the shares below, greedy 7.23 on average and worse than the minimum on 19.2 % of hands. The
/// bounds are four standard errors of 20,000 hands (both samples have that size, hence the root of
/// two).
#[test]
fn the_distribution_over_random_hands() {
    let n = 20_000u32;
    let mut stream = Stream::keyed("plan-distribution", &[]);
    let mut counts = [0u32; 13];
    let (mut sum, mut greedy_sum, mut worse) = (0u32, 0u32, 0u32);
    for _ in 0..n {
        let hand = random_hand(&mut stream, 5, 12);
        let (table, melds) = table(hand, 5);
        let fewest = table.fewest(hand);
        let by_greedy = greedy(hand, &melds);
        counts[usize::from(fewest)] += 1;
        sum += u32::from(fewest);
        greedy_sum += u32::from(by_greedy);
        worse += u32::from(by_greedy > fewest);
        assert!(by_greedy >= fewest);
        assert!(
            fewest < 9 || by_greedy == fewest,
            "equal from nine pieces on"
        );
    }
    // Shares in thousandths with four standard errors, rounded up.
    let expected = [
        (3, 9, 4),
        (4, 87, 12),
        (5, 19, 6),
        (6, 246, 18),
        (7, 321, 19),
        (8, 172, 16),
        (9, 86, 12),
        (10, 53, 10),
        (11, 6, 4),
    ];
    for (pieces, share, within) in expected {
        let found = counts[pieces] * 1000 / n;
        assert!(
            found.abs_diff(share) <= within,
            "{pieces}: {found} against {share}"
        );
    }
    let hundredths = |sum: u32| sum * 100 / n;
    assert!(
        hundredths(sum).abs_diff(695) <= 7,
        "mean {}",
        hundredths(sum)
    );
    assert!(
        hundredths(greedy_sum).abs_diff(723) <= 7,
        "greedy {}",
        hundredths(greedy_sum)
    );
    let worse = worse * 1000 / n;
    assert!(worse.abs_diff(192) <= 16, "worse on {worse}");
}
