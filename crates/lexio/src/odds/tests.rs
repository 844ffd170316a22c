use super::count::beating;
use super::unseen::Unseen;
use super::*;
use crate::Lexio;
use crate::beater::holds_beater;
use crate::hand::HandMemo;
use crate::meld::{CATEGORY_SHIFT, RunOrders, classify};
use crate::rules::{Rules, TopRun};
use crate::tile::{deck, parse_tiles};
use evenhand_contract::{BySeat, Estimates, Seat, Setup, Stream};

/// Seat 0's view: its hand, the others' counts, and whatever else of the deck has been played.
pub(super) fn view_of(players: u8, hand: Cards, unseen: Cards, opponents: &[u8]) -> View {
    let mut counts = BySeat::filled(players, 0);
    counts[Seat(0)] = hand.len() as u8;
    for (i, &n) in opponents.iter().enumerate() {
        counts[Seat(i as u8 + 1)] = n;
    }
    View {
        players,
        rules: Rules::default(),
        seat: Seat(0),
        hand,
        dealt: hand,
        counts,
        field: None,
        field_owner: None,
        passes: 0,
        passed: 0,
        played: Cards(deck(players).0 & !hand.0 & !unseen.0),
    }
}

pub(super) fn tiles(text: &str) -> Cards {
    parse_tiles("test", text, 5).unwrap()
}

fn meld(text: &str, view: &View) -> Meld {
    classify(tiles(text), view.orders()).unwrap()
}

fn ask(view: &View, meld: &Meld) -> i64 {
    raw(
        view,
        meld,
        &mut OddsMemo::default(),
        &mut Work::units(u64::MAX),
    )
    .unwrap()
}

/// Every subset of `from` of `n` tiles.
pub(super) fn subsets(from: Cards, n: u32, found: &mut dyn FnMut(Cards)) {
    fn go(rest: Cards, n: u32, chosen: Cards, found: &mut dyn FnMut(Cards)) {
        if n == 0 {
            return found(chosen);
        }
        let mut rest = rest;
        while rest.len() >= n {
            let low = Cards::one(rest.lowest().unwrap());
            rest -= low;
            go(rest, n - 1, chosen | low, found);
        }
    }
    go(from, n, Cards::EMPTY, found);
}

/// A random set of n tiles.
pub(super) fn some(stream: &mut Stream, from: Cards, n: usize) -> Cards {
    let mut ids: Vec<u8> = from.iter().collect();
    stream.shuffle(&mut ids);
    ids[..n].iter().copied().collect()
}

/// Six random tiles of each suit.
fn six_a_suit(stream: &mut Stream, players: u8) -> Cards {
    (0..4).fold(Cards::EMPTY, |set, suit| {
        let suit = crate::tile::suit_tiles(suit) & deck(players);
        set | some(stream, suit, 6)
    })
}

#[test]
fn a_single_is_certain_either_way_and_the_independent_variant_is_not() {
    let hand = tiles("3C 4C 5D 6H 7S 8C 9D 10H 11S 12C 13D 2D");
    let unseen = deck(5) - hand;
    let view = view_of(5, hand, unseen, &[12, 12, 12, 12]);
    let two = meld("2D", &view);
    assert_eq!(ask(&view, &two), 1_000_000);
    // The closed form of the fault: 1 - (3/4)^4 = 0.68359375.
    let wrong = raw_independent(&view, &two, &mut Work::units(9)).unwrap();
    assert_eq!(wrong, 683_594);
    let view = view_of(5, hand, unseen - tiles("2S 2H"), &[12, 12, 11, 11]);
    assert_eq!(ask(&view, &two), 0);
    assert_eq!(raw_independent(&view, &two, &mut Work::units(9)), Ok(0));
}

#[test]
fn beating_combinations_are_counted_as_enumeration_counts_them() {
    let mut stream = Stream::keyed("test/odds/count", &[]);
    for (players, top_run) in [
        (3, TopRun::Wrap1),
        (4, TopRun::Wrap1),
        (5, TopRun::Wrap1),
        (4, TopRun::Wrap12),
        (5, TopRun::Wrap12),
    ] {
        for _ in 0..3 {
            let unseen = six_a_suit(&mut stream, players);
            let hand = some(&mut stream, deck(players) - unseen, 12);
            let mut view = view_of(players, hand, unseen, &[6; 4][..usize::from(players - 1)]);
            view.rules.top_run = top_run;
            let orders = view.orders();
            // Keys of all melds of the unseen tiles, by size.
            let mut keys: [Vec<u32>; 6] = Default::default();
            for size in [1, 2, 3, 5] {
                subsets(unseen, size, &mut |set| {
                    if let Some(meld) = classify(set, orders) {
                        keys[size as usize].push(meld.key);
                    }
                });
                keys[size as usize].sort_unstable();
            }
            // Ask about own melds, and about the unseen ones' own strength (every category).
            let mut questions = HandMemo::default().melds(hand, orders).to_vec();
            subsets(unseen, 5, &mut |set| {
                if stream.below(40) == 0 {
                    questions.extend(classify(set, orders));
                }
            });
            for question in &questions {
                let keys = &keys[usize::from(question.size())];
                let expected = keys.len() - keys.partition_point(|&k| k <= question.key);
                assert_eq!(
                    beating(&view, question),
                    expected as u64,
                    "{question:?} in {unseen:?}"
                );
            }
        }
    }
}

/// Every five-tile meld that exists in the deck, one of each key.
fn all_fives(players: u8, orders: &RunOrders) -> Vec<Meld> {
    let mut stream = Stream::keyed("test/odds/fives", &[]);
    let mut out = Vec::new();
    let mut memo = HandMemo::default();
    for _ in 0..60 {
        let hand = some(&mut stream, deck(players), 13);
        out.extend(memo.melds(hand, orders).iter().filter(|m| m.size() == 5));
    }
    // Fours and runs of one suit are rare.
    for rank in [0, 3, 4, 13, 14] {
        let four = crate::tile::rank_tiles(rank);
        let fifth = Cards::one(if rank == 0 { 4 } else { 0 });
        out.extend(classify(four | fifth, orders));
    }
    for suit in 0..4 {
        for &ranks in orders.masks() {
            let run = (0..15)
                .filter(|r| ranks >> r & 1 == 1)
                .map(|r| 4 * r + suit)
                .collect();
            out.extend(classify(run, orders));
        }
    }
    out.sort();
    out.dedup_by_key(|m| m.key);
    out
}

#[test]
fn one_hand_is_counted_as_enumeration_counts_it() {
    let mut stream = Stream::keyed("test/odds/hand", &[]);
    for (case, (players, top_run)) in [
        (5, TopRun::Wrap1),
        (4, TopRun::Wrap1),
        (3, TopRun::Wrap1),
        (4, TopRun::Wrap12),
        (3, TopRun::Wrap12),
    ]
    .into_iter()
    .cycle()
    .take(15)
    .enumerate()
    {
        // Few ranks and suits, so that everything happens often.
        let n = [5, 6, 7][case % 3];
        let mut from = deck(players);
        if case >= 5 {
            from -= crate::tile::rank_tiles(stream.below(6) as u8);
            from -= crate::tile::suit_tiles(stream.below(4) as u8);
        }
        let unseen = some(&mut stream, from, 18);
        let mut view = view_of(players, Cards::EMPTY, unseen, &[n as u8, 18 - n as u8]);
        view.rules.top_run = top_run;
        let orders = view.orders();
        let mut hands = Vec::new();
        subsets(unseen, n, &mut |hand| hands.push(hand));
        let mut memo = OddsMemo::default();
        memo.turn_to(&view);
        let parts = Unseen::of(&view);
        memo.house();
        memo.flush();
        memo.straight();
        let place = parts
            .sizes()
            .iter()
            .position(|s| u32::from(s.tiles) == n)
            .unwrap();
        let size = n as usize;
        let most_of_a_rank = |hand: Cards| {
            (0..15)
                .map(|r| (hand & crate::tile::rank_tiles(r)).len())
                .max()
        };
        let suited = |hand: Cards| (0..4).any(|s| (hand & crate::tile::suit_tiles(s)).len() >= 5);
        let without =
            |test: &dyn Fn(Cards) -> bool| hands.iter().filter(|&&h| !test(h)).count() as u64;
        assert_eq!(
            memo.flush.value.none(&parts, None).0[place],
            unseen::fraction(without(&suited), hands.len() as u64)
        );
        assert_eq!(
            memo.house.value.at_most_two(size),
            without(&|h| most_of_a_rank(h) > Some(2))
        );
        let mut seen = [false; 8];
        for question in all_fives(players, orders) {
            let low = question.key & ((1 << CATEGORY_SHIFT) - 1);
            let (counted, expected) = match question.category {
                Category::FullHouse => {
                    // What beats a full house, runs of one suit aside.
                    let beaten = |h: Cards| {
                        !suited(h) && holds_beater(h, &question, orders)
                            || suited(h) && {
                                let mut found = false;
                                subsets(h, 5, &mut |five| {
                                    found |= classify(five, orders).is_some_and(|m| {
                                        m.beats(&question) && m.category != Category::StraightFlush
                                    });
                                });
                                found
                            }
                    };
                    (
                        memo.house.value.without(low as usize + 1, size),
                        without(&beaten),
                    )
                }
                Category::Flush => {
                    let target = flush::Target::of_key(low);
                    let counted = memo.flush.value.none(&parts, Some(&target)).0[place];
                    let beaten = |h: Cards| {
                        (0..4).any(|s| {
                            let mut ranks = unseen::ranks_of_suit(h, s);
                            if ranks.count_ones() < 5 {
                                return false;
                            }
                            let mut key = 0;
                            for _ in 0..5 {
                                let top = 15 - ranks.leading_zeros();
                                key = key << 4 | top;
                                ranks &= !(1 << top);
                            }
                            key << 2 | s > low
                        })
                    };
                    (
                        counted,
                        unseen::fraction(without(&beaten), hands.len() as u64),
                    )
                }
                Category::Straight if low & 3 == 3 => {
                    let from = (low / 4) as usize + 1;
                    let house = &memo.house.value;
                    let counted = memo.straight.value.without(&parts, house, from)[place][0];
                    let beaten = |h: Cards| {
                        let ranks = crate::meld::ranks_of(h);
                        most_of_a_rank(h) > Some(2)
                            || orders.masks()[from..].iter().any(|m| ranks & m == *m)
                    };
                    (counted, without(&beaten))
                }
                Category::Four => {
                    let whole: Vec<u8> = (low as u8 + 1..15)
                        .filter(|&r| unseen.has_all(crate::tile::rank_tiles(r)))
                        .collect();
                    let beaten =
                        |h: Cards| whole.iter().any(|&r| h.has_all(crate::tile::rank_tiles(r)));
                    let share = no_four(&parts, whole.len(), size);
                    let expected = without(&beaten);
                    assert_eq!(share, unseen::fraction(expected, hands.len() as u64));
                    continue;
                }
                _ => continue,
            };
            seen[question.category as usize] = true;
            assert_eq!(
                counted, expected,
                "{question:?} in {unseen:?}, hands of {n}"
            );
        }
        assert!(seen[3] && seen[4] && seen[5]);
    }
}

#[test]
fn probes_meet_every_kind_and_are_the_same_every_time() {
    for players in [3, 4, 5] {
        let setup = Setup::<Lexio> {
            players,
            rules: Rules::default(),
        };
        let probes = Lexio::probes(&setup);
        for (kind, name) in KINDS.iter().enumerate() {
            let of_kind = probes
                .iter()
                .filter(|(_, m)| super::kind(m) == kind)
                .count();
            assert!(of_kind > 0, "{players} players: no probe of kind {name}");
        }
        assert_eq!(probes, Lexio::probes(&setup));
        assert_eq!(
            Lexio::estimator_fingerprint(&setup),
            Lexio::estimator_fingerprint(&setup)
        );
    }
}
