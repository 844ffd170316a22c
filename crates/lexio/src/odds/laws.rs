//! Laws of the estimator, and its agreement with dealing.

use super::tests::{some, subsets, tiles, view_of};
use super::*;
use crate::Lexio;
use crate::beater::holds_beater;
use crate::hand::HandMemo;
use crate::meld::classify;
use crate::rules::TopRun;
use crate::tile::deck;
use evenhand_contract::{BySeat, Estimates, Game, Policy, Seat, Setup, Stream, TraceLevel, decide};

fn ask(view: &View, meld: &Meld) -> i64 {
    raw(
        view,
        meld,
        &mut OddsMemo::default(),
        &mut Work::units(u64::MAX),
    )
    .unwrap()
}

/// Views and melds from play of `easy`, at every stage of a round.
fn situations(players: u8, rounds: u32, name: &str) -> Vec<(View, Meld)> {
    let setup = Setup::<Lexio> {
        players,
        rules: Default::default(),
    };
    let mut stream = Stream::keyed("test/odds/situations", &[("n", &players), ("of", &name)]);
    let easy = Policy::<Lexio>::defaults(&Lexio::policies()[0]);
    let mut memo = crate::Memo::default();
    let mut melds = HandMemo::default();
    let mut trace = Trace::new(TraceLevel::Off);
    let mut out = Vec::new();
    for _ in 0..rounds {
        let deal = Lexio::deal(&setup, &mut stream);
        let mut state = Lexio::start(&setup, &deal, &Default::default());
        while let Some(seat) = Lexio::to_act(&state) {
            let view = Lexio::view(&state, seat);
            for &meld in melds.melds(view.hand, view.orders()) {
                if stream.below(6) == 0 {
                    out.push((view, meld));
                }
            }
            let outcome = decide(
                &easy,
                &view,
                &mut memo,
                &mut Work::units(1 << 40),
                &mut trace,
            );
            Lexio::apply(&mut state, seat, &outcome.unwrap().decision).unwrap();
        }
    }
    out
}

/// In how many of all deals of the unseen tiles somebody beats the meld, and of how many.
fn by_enumeration(view: &View, meld: &Meld) -> (u64, u64) {
    fn go(rest: Cards, hands: &[u8], lost: bool, meld: &Meld, view: &View) -> (u64, u64) {
        let Some((&n, hands)) = hands.split_first() else {
            return (u64::from(lost), 1);
        };
        let (mut beaten, mut all) = (0, 0);
        subsets(rest, u32::from(n), &mut |hand| {
            let lost = lost || holds_beater(hand, meld, view.orders());
            let (b, a) = go(rest - hand, hands, lost, meld, view);
            beaten += b;
            all += a;
        });
        (beaten, all)
    }
    let hands: Vec<u8> = view.opponents().collect();
    go(view.unseen(), &hands, false, meld, view)
}

/// Few ranks, so that groups abound: `n` unseen tiles, and one's own hand beside them.
fn crowded(stream: &mut Stream, players: u8, n: usize) -> (Cards, Cards) {
    let ranks = 4 + stream.below(3) as u8;
    let first = stream.below(u32::from(9 - ranks)) as u8;
    let from = (first..first + ranks).fold(Cards::EMPTY, |set, r| set | crate::tile::rank_tiles(r));
    let unseen = some(stream, from & deck(players), n);
    let left = (from & deck(players)) - unseen;
    let hand = some(stream, left, left.len().min(6) as usize);
    (unseen, hand)
}

#[test]
fn pairs_are_exact_and_triples_nearly_over_all_deals() {
    let mut stream = Stream::keyed("test/odds/deals", &[]);
    let mut asked = [0; 3];
    let mut worst = 0;
    for (players, counts) in [
        (3, &[4u8, 4][..]),
        (3, &[3, 5]),
        (3, &[7, 2]),
        (4, &[3, 3, 3]),
        (4, &[2, 3, 5]),
        (4, &[1, 4, 4]),
        (5, &[2, 2, 2, 3]),
        (5, &[3, 3, 2, 2]),
        (5, &[1, 2, 2, 4]),
        (5, &[2, 2, 2, 2]),
    ] {
        for _ in 0..6 {
            let total = counts.iter().map(|&n| usize::from(n)).sum();
            let (unseen, hand) = crowded(&mut stream, players, total);
            let view = view_of(players, hand, unseen, counts);
            let mut memo = OddsMemo::default();
            for meld in HandMemo::default().melds(hand, view.orders()) {
                if meld.size() == 5 {
                    continue;
                }
                let (beaten, all) = by_enumeration(&view, meld);
                let exact = (beaten as f64 / all as f64 * 1e6) as i64;
                let raw = raw(&view, meld, &mut memo, &mut Work::units(u64::MAX)).unwrap();
                let error = (raw - exact).abs();
                asked[usize::from(meld.size()) - 1] += 1;
                if meld.size() == 3 {
                    worst = worst.max(error);
                } else {
                    assert!(error <= 2, "{meld:?} in {view:?}: {raw} for {exact}");
                }
            }
        }
    }
    assert!(asked.iter().all(|&n| n >= 20), "{asked:?}");
    assert!(worst < 30_000, "triples: {worst}");
}

#[test]
fn two_hands_of_full_houses_agree_with_all_deals() {
    // Ranks alone decide: no five of one suit and no run can be dealt.
    let unseen = tiles("3C 3H 3D 4C 4H 4D 4S 6C 6H 6D 7H 7S 1D");
    let hand = tiles("3S 5C 5D 5H 6S");
    for counts in [[6, 7], [7, 6], [5, 8]] {
        let view = view_of(3, hand, unseen, &counts);
        for question in ["3S 3C 3D 9C 9D", "5C 5D 5H 9C 9D", "6S 6C 6D 9C 9D"] {
            let meld = classify(tiles(question), view.orders()).unwrap();
            let (beaten, all) = by_enumeration(&view, &meld);
            let exact = (beaten as f64 / all as f64 * 1e6) as i64;
            let raw = ask(&view, &meld);
            assert!((raw - exact).abs() <= 5, "{question}: {raw} for {exact}");
        }
    }
}

#[test]
fn every_kind_agrees_with_random_deals() {
    for players in [3, 4, 5] {
        let mut stream = Stream::keyed("test/odds/deal-again", &[("players", &players)]);
        let mut sums = [(0i64, 0i64, 0i64); 8];
        for (view, meld) in situations(players, 60, "deals") {
            let sum = &mut sums[kind(&meld)];
            if sum.0 >= 120 {
                continue;
            }
            let hits = redeal::count_true(&view, &meld, 1_000, &mut stream);
            let error = ask(&view, &meld) - i64::from(hits) * 1_000;
            // Six sigma of a thousand deals are at most 0.095; the rest is the estimate's own.
            let most = [
                0, 95_000, 110_000, 165_000, 140_000, 125_000, 110_000, 110_000,
            ];
            assert!(
                error.abs() <= most[kind(&meld)],
                "{error}: {meld:?} in {view:?}"
            );
            *sum = (sum.0 + 1, sum.1 + error, sum.2 + error.abs());
        }
        for (name, (n, error, size)) in KINDS.iter().zip(sums) {
            if n < 50 {
                continue;
            }
            assert!(
                (error / n).abs() < 9_000,
                "{players}, {name}: bias {}",
                error / n
            );
            assert!(size / n < 16_000, "{players}, {name}: error {}", size / n);
        }
    }
}

#[test]
fn fast_redeals_deal_like_the_rules() {
    // The same question by the generic way: re-deal the state, ask the truth.
    let setup = Setup::<Lexio> {
        players: 4,
        rules: Default::default(),
    };
    let mut stream = Stream::keyed("test/odds/fast", &[]);
    let deal = Lexio::deal(&setup, &mut stream);
    let state = Lexio::start(&setup, &deal, &Default::default());
    let seat = Lexio::to_act(&state).unwrap();
    let view = Lexio::view(&state, seat);
    let mut per_kind = [0; 8];
    for meld in HandMemo::default().melds(view.hand, view.orders()) {
        per_kind[kind(meld)] += 1;
        if per_kind[kind(meld)] > 3 {
            continue;
        }
        let fast = Lexio::count_true(&state, seat, meld, 4_000, &mut stream);
        let slow = (0..4_000)
            .filter(|_| {
                let dealt = Lexio::reshuffle(&state, seat, &mut stream);
                Lexio::resolve(&dealt, seat, meld) == Some(true)
            })
            .count() as u32;
        // Five sigma of the difference of two counts.
        assert!(fast.abs_diff(slow) <= 224, "{meld:?}: {fast} and {slow}");
    }
}

#[test]
fn fast_redeals_reach_every_deal_alike() {
    // Two pairs among six tiles, dealt two and four, or two each: exact chances.
    let unseen = tiles("6C 6H 7C 7H 8C 9C");
    let view = view_of(4, tiles("3C 3H"), unseen, &[2, 2, 2]);
    let meld = classify(view.hand, view.orders()).unwrap();
    let (beaten, all) = by_enumeration(&view, &meld);
    let mut stream = Stream::keyed("test/odds/alike", &[]);
    let hits = redeal::count_true(&view, &meld, 90_000, &mut stream);
    let expected = (90_000 * beaten / all) as u32;
    assert!(hits.abs_diff(expected) < 750, "{hits} for {expected}");
}

#[test]
fn a_stronger_meld_is_never_more_likely_beaten() {
    for players in [3, 4, 5] {
        let mut stream = Stream::keyed("test/odds/monotone", &[("players", &players)]);
        for (view, meld) in situations(players, 12, "monotone") {
            let mut memo = OddsMemo::default();
            let mut melds = HandMemo::default().melds(view.hand, view.orders()).to_vec();
            melds.retain(|m| m.size() == meld.size());
            melds.sort_by_key(|m| m.key);
            let mut before: Option<(Meld, i64)> = None;
            for m in melds {
                let raw = raw(&view, &m, &mut memo, &mut Work::units(u64::MAX)).unwrap();
                assert!((0..=1_000_000).contains(&raw));
                if let Some((weaker, value)) = before
                    && weaker.category == m.category
                {
                    assert!(raw <= value, "{weaker:?} {value}, {m:?} {raw} in {view:?}");
                }
                before = Some((m, raw));
            }
            if stream.below(4) == 0 {
                break;
            }
        }
    }
}

#[test]
fn only_unseen_tiles_and_hand_sizes_count_and_memos_change_nothing() {
    let mut memo = OddsMemo::default();
    for players in [3, 4, 5] {
        for (view, meld) in situations(players, 6, "same") {
            let expected = ask(&view, &meld);
            let mut work = Work::units(u64::MAX);
            // A memo that has answered other questions, the same again, and one turned elsewhere.
            for _ in 0..2 {
                assert_eq!(raw(&view, &meld, &mut memo, &mut work), Ok(expected));
            }
            assert_eq!(work.used(), 2 * price(&view, &meld));
            let mut turned = view;
            turned.dealt = view.hand;
            turned.field = None;
            turned.field_owner = None;
            turned.passes = 0;
            turned.counts = BySeat::from_fn(players, |s| {
                if s == view.seat {
                    view.counts[s]
                } else {
                    // The other seats' counts, turned by one.
                    let mut next = Seat((s.0 + 1) % players);
                    if next == view.seat {
                        next = Seat((next.0 + 1) % players);
                    }
                    view.counts[next]
                }
            });
            assert_eq!(raw(&turned, &meld, &mut memo, &mut work), Ok(expected));
            let price = price(&view, &meld);
            assert_eq!(
                raw(&view, &meld, &mut memo, &mut Work::units(price - 1)),
                Err(OutOfWork)
            );
            assert_eq!(
                raw(&view, &meld, &mut memo, &mut Work::units(price)),
                Ok(expected)
            );
        }
    }
}

#[test]
fn beliefs_go_through_the_map_and_into_the_trace() {
    use evenhand_contract::Map;
    let view = view_of(
        5,
        tiles("3C 3H 4C"),
        deck(5) - tiles("3C 3H 4C"),
        &[15, 14, 14, 14],
    );
    let meld = classify(tiles("3C 3H"), view.orders()).unwrap();
    let half = Map::new(&[
        (0, Ppm::clamped(400_000)),
        (1_000_000, Ppm::clamped(600_000)),
    ])
    .unwrap();
    let maps = Maps::new(vec![None, Some(half)]);
    let mut work = Work::units(u64::MAX);
    for (level, expected) in [(TraceLevel::Off, 0), (TraceLevel::Predictions, 1)] {
        let mut trace = Trace::<(), Meld>::new(level);
        let mut memo = OddsMemo::default();
        let believed = beaten(&view, &meld, &maps, &mut memo, &mut work, &mut trace).unwrap();
        assert_eq!(believed, Ppm::clamped(600_000));
        assert_eq!(trace.predictions.len(), expected);
    }
}

#[test]
fn two_hands_of_runs_and_full_houses_are_counted_exactly() {
    let mut stream = Stream::keyed("test/odds/both", &[]);
    let fits = |hand: Cards, runs: &[u16]| {
        let counts: Vec<u32> = (0..16)
            .map(|r| (hand.0 >> (4 * r) & 0xf).count_ones())
            .collect();
        let ranks = (0..16).fold(0u16, |m, r| m | u16::from(counts[r] > 0) << r);
        let at_least = |k| counts.iter().filter(|&&c| c >= k).count();
        at_least(4) == 0
            && (at_least(3) == 0 || at_least(2) == 1)
            && runs.iter().all(|run| ranks & run != *run)
    };
    let mut between = 0;
    for (players, n, m) in [(3, 7, 7), (3, 5, 8), (4, 7, 6), (5, 5, 5), (5, 6, 7)] {
        for _ in 0..6 {
            // Of all ranks and of a few neighbours, the numbers 1 and 2 among them.
            let from = if stream.below(3) == 0 {
                deck(players)
            } else {
                let low = 3 + stream.below(3) as u8;
                (0..16)
                    .filter(|r| *r < low || *r > 12 - low)
                    .fold(Cards::EMPTY, |set, r| set | crate::tile::rank_tiles(r))
                    & deck(players)
            };
            let unseen = some(&mut stream, from, n + m);
            for top_run in [TopRun::Wrap1, TopRun::Wrap12] {
                let mut view = view_of(players, Cards::EMPTY, unseen, &[n as u8, m as u8]);
                view.rules.top_run = top_run;
                let known = Unseen::of(&view);
                for order in [0, 1, 3, view.orders().masks().len() - 2] {
                    let runs = &view.orders().masks()[order..];
                    let (mut exact, mut all) = (0, 0);
                    subsets(unseen, n as u32, &mut |hand| {
                        all += 1;
                        exact += u64::from(fits(hand, runs) && fits(unseen - hand, runs));
                    });
                    assert_eq!(
                        both::neither(&known, order, 0, n),
                        exact,
                        "{order}: {view:?}"
                    );
                    between += u32::from(exact > 0 && exact < all);
                }
            }
        }
    }
    assert!(between > 60, "{between}");
}

#[test]
fn few_deals_are_looked_at_one_by_one() {
    let mut stream = Stream::keyed("test/odds/few", &[]);
    let mut asked = 0;
    for (players, counts) in [
        (3, &[5u8, 6][..]),
        (3, &[3, 8]),
        (4, &[7, 2, 2]),
        (4, &[2, 5, 4]),
        (5, &[1, 6, 1, 3]),
    ] {
        for _ in 0..4 {
            let total = counts.iter().map(|&n| usize::from(n)).sum();
            let (unseen, _) = crowded(&mut stream, players, total);
            let hand = some(&mut stream, deck(players) - unseen, 12);
            let view = view_of(players, hand, unseen, counts);
            for meld in HandMemo::default().melds(hand, view.orders()) {
                let known = Unseen::of(&view);
                if meld.size() < 5 || stream.below(6) > 0 {
                    continue;
                }
                let deals = few::deals(&known, meld.category).unwrap();
                assert_eq!(price(&view, meld), 500 + 15 * deals);
                let (beaten, all) = by_enumeration(&view, meld);
                let exact = (beaten as f64 / all as f64 * 1e6) as i64;
                assert!(
                    (ask(&view, meld) - exact).abs() <= 2,
                    "{meld:?} in {view:?}"
                );
                asked += 1;
            }
        }
    }
    assert!(asked > 20, "{asked}");
    // Too many: two hands of seven, and four of twelve.
    let known = |counts: &[u8], total: usize| {
        let unseen = deck(5).iter().take(total).collect();
        Unseen::of(&view_of(5, Cards::EMPTY, unseen, counts))
    };
    let sevens = known(&[7, 7, 0, 0], 14);
    assert_eq!(few::deals(&sevens, Category::Flush), Some(3_432));
    assert_eq!(few::deals(&sevens, Category::FullHouse), None);
    assert_eq!(few::deals(&known(&[12; 4], 48), Category::Straight), None);
}

/// Whether a hand has a full house or four of a number.
fn housed(hand: Cards) -> bool {
    let counts = (0..16).map(|r| (hand & crate::tile::rank_tiles(r)).len());
    let at_least = |k| counts.clone().filter(|&c| c >= k).count();
    at_least(4) > 0 || (at_least(3) > 0 && at_least(2) > 1)
}

#[test]
fn two_hands_of_suits_and_full_houses_are_counted_exactly() {
    let mut stream = Stream::keyed("test/odds/apart", &[]);
    let suited = |hand: Cards| (0..4).any(|s| (hand & crate::tile::suit_tiles(s)).len() >= 5);
    let mut between = 0;
    for (n, m) in [(7u8, 7u8), (5, 8), (6, 10), (5, 12)] {
        for case in 0..4 {
            let unseen = if case == 0 {
                some(&mut stream, deck(3), usize::from(n + m))
            } else {
                let from = deck(3) - crate::tile::rank_tiles(case) - crate::tile::rank_tiles(13);
                some(&mut stream, from, usize::from(n + m))
            };
            let view = view_of(3, Cards::EMPTY, unseen, &[n, m]);
            let known = Unseen::of(&view);
            let (mut exact, mut free, mut all) = (0, 0, 0);
            subsets(unseen, u32::from(n), &mut |hand| {
                let other = unseen - hand;
                all += 1;
                let no_house = !housed(hand) && !housed(other);
                free += u64::from(no_house);
                exact += u64::from(no_house && !suited(hand) && !suited(other));
            });
            let mut splits = apart::Splits::default();
            splits.fill(&known, n.into());
            let counted = splits.neither(0, &apart::any(&known)) >> 16;
            assert_eq!(counted, exact, "{view:?}");
            let whole = [[unseen::ONE; unseen::MAX_HAND + 1]; 4];
            assert_eq!(splits.neither(0, &whole) >> 16, free, "{view:?}");
            between += u32::from(exact > 0 && exact < free && free < all);
        }
    }
    assert!(between > 8, "{between}");
}

#[test]
fn triples_of_two_hands_are_exact() {
    let mut stream = Stream::keyed("test/odds/triples", &[]);
    let mut asked = 0;
    for counts in [[4u8, 4], [3, 7], [2, 9], [6, 5]] {
        for _ in 0..60 {
            let total = counts.iter().map(|&n| usize::from(n)).sum();
            let (unseen, hand) = crowded(&mut stream, 3, total);
            let view = view_of(3, hand, unseen, &counts);
            for meld in HandMemo::default().melds(hand, view.orders()) {
                if meld.size() == 3 {
                    let (beaten, all) = by_enumeration(&view, meld);
                    let exact = (beaten as f64 / all as f64 * 1e6) as i64;
                    assert!(
                        (ask(&view, meld) - exact).abs() <= 2,
                        "{meld:?} in {view:?}"
                    );
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 10, "{asked}");
}
