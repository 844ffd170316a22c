//! Every meld within a hand, each tile choice apart.
//!
//! The melds of a dealt hand serve the whole round: a later hand's melds are those that it still
//! holds wholly, in the same order.

use crate::meld::{CATEGORY_SHIFT, Category, Meld, RunOrders, ranks_of};
use crate::tile::{RANKS, SUIT_0, rank_tiles, suit_tiles};
use evenhand_contract::Cards;

/// The melds of the hand that was asked for last.
#[derive(Clone, Debug, Default)]
pub struct HandMemo {
    key: Option<(Cards, RunOrders)>,
    melds: Vec<Meld>,
    /// Where sizes 2, 3 and 5 start.
    starts: [usize; 3],
}

impl HandMemo {
    /// Every meld within `dealt`, each choice of tiles apart, by rising (size, key, tiles).
    #[inline]
    pub fn melds(&mut self, dealt: Cards, orders: &RunOrders) -> &[Meld] {
        self.prepare(dealt, orders);
        &self.melds
    }

    /// Those of [`HandMemo::melds`] that have `size` tiles; none for a size without melds.
    #[inline]
    pub fn sized(&mut self, dealt: Cards, orders: &RunOrders, size: u8) -> &[Meld] {
        self.prepare(dealt, orders);
        let [two, three, five] = self.starts;
        match size {
            1 => &self.melds[..two],
            2 => &self.melds[two..three],
            3 => &self.melds[three..five],
            5 => &self.melds[five..],
            _ => &[],
        }
    }

    #[inline]
    fn prepare(&mut self, dealt: Cards, orders: &RunOrders) {
        if self.key.as_ref() != Some(&(dealt, *orders)) {
            self.key = Some((dealt, *orders));
            self.melds.clear();
            self.starts = list(dealt, orders, &mut self.melds);
        }
    }
}

/// Appends every meld within `hand` to the empty `out` in order; tells where sizes 2, 3, 5 start.
fn list(hand: Cards, orders: &RunOrders, out: &mut Vec<Meld>) -> [usize; 3] {
    for id in hand {
        push(out, Category::Single, u32::from(id), Cards::one(id));
    }
    let two = out.len();
    let counts: [u8; RANKS as usize] =
        std::array::from_fn(|r| (hand & rank_tiles(r as u8)).len() as u8);
    for rank in (0..RANKS).filter(|&r| counts[usize::from(r)] >= 2) {
        pairs(hand, rank, |tiles, suit| {
            push(
                out,
                Category::Pair,
                u32::from(rank) * 4 + u32::from(suit),
                tiles,
            );
        });
    }
    let three = out.len();
    for rank in (0..RANKS).filter(|&r| counts[usize::from(r)] >= 3) {
        triples(hand, rank, |tiles| {
            push(out, Category::Triple, u32::from(rank), tiles);
        });
    }
    let five = out.len();
    let ranks = ranks_of(hand);
    straights(hand, ranks, orders, out);
    flushes(hand, orders, out);
    if three < five {
        full_houses(hand, &counts, out);
    }
    straight_flushes(hand, orders, out);
    [two, three, five]
}

#[inline]
fn push(out: &mut Vec<Meld>, category: Category, key: u32, tiles: Cards) {
    out.push(Meld {
        category,
        key,
        tiles,
    });
}

/// Every pair of one rank with its higher suit, by rising (higher suit, tiles).
#[inline]
fn pairs(hand: Cards, rank: u8, mut found: impl FnMut(Cards, u8)) {
    let held = hand & rank_tiles(rank);
    for high in held {
        let lower = held & Cards((1 << high) - 1);
        for low in lower {
            found(Cards::one(low) | Cards::one(high), high % 4);
        }
    }
}

/// Every triple of one rank by rising tiles.
#[inline]
fn triples(hand: Cards, rank: u8, mut found: impl FnMut(Cards)) {
    let held = hand & rank_tiles(rank);
    if held.len() == 3 {
        found(held);
    } else if held.len() == 4 {
        for suit in (0..4).rev() {
            found(held - Cards::one(4 * rank + suit));
        }
    }
}

fn straights(hand: Cards, ranks: u16, orders: &RunOrders, out: &mut Vec<Meld>) {
    for (order, &run) in (0u32..).zip(orders.masks()) {
        if run & !ranks == 0 {
            straight_choices(hand, run, Cards::EMPTY, order, out);
        }
    }
}

/// Extends `taken` by a tile of each rank of `run`, the highest rank first, so that choices come
/// by rising (suit of the top tile, tiles).
fn straight_choices(hand: Cards, run: u16, taken: Cards, order: u32, out: &mut Vec<Meld>) {
    if run == 0 {
        if let Some(top) = taken.highest()
            && !suit_tiles(top % 4).has_all(taken)
        {
            push(
                out,
                Category::Straight,
                order * 4 + u32::from(top % 4),
                taken,
            );
        }
        return;
    }
    let rank = 15 - run.leading_zeros();
    for id in hand & rank_tiles(rank as u8) {
        straight_choices(hand, run & !(1 << rank), taken | Cards::one(id), order, out);
    }
}

fn flushes(hand: Cards, orders: &RunOrders, out: &mut Vec<Meld>) {
    let start = out.len();
    let mut suits = 0;
    for suit in 0..4 {
        let held = hand & suit_tiles(suit);
        if held.len() < 5 {
            continue;
        }
        suits += 1;
        let ranks = ranks_of(held);
        let may_run = orders.masks().iter().any(|run| run & !ranks == 0);
        let mut of_suit = [0u32; RANKS as usize];
        for (slot, id) in of_suit.iter_mut().zip(held) {
            *slot = u32::from(id / 4);
        }
        five_of(&of_suit[..held.len() as usize], |[a, b, c, d, e]| {
            let set = 1u16 << a | 1 << b | 1 << c | 1 << d | 1 << e;
            if may_run && orders.order(set).is_some() {
                return;
            }
            let packed = e << 16 | d << 12 | c << 8 | b << 4 | a;
            let tiles = 1u64 << (4 * a) | 1 << (4 * b) | 1 << (4 * c) | 1 << (4 * d) | 1 << (4 * e);
            let key = 1 << CATEGORY_SHIFT | packed << 2 | u32::from(suit);
            push(out, Category::Flush, key, Cards(tiles << suit));
        });
    }
    if suits > 1 {
        out[start..].sort_unstable_by_key(|m| m.key);
    }
}

/// Every five of the rising `items`, in the order of their highest, then second highest, and so on.
#[inline]
fn five_of(items: &[u32], mut found: impl FnMut([u32; 5])) {
    for e in 4..items.len() {
        for d in 3..e {
            for c in 2..d {
                for b in 1..c {
                    for a in 0..b {
                        found([items[a], items[b], items[c], items[d], items[e]]);
                    }
                }
            }
        }
    }
}

/// Full houses, then fours with any fifth tile.
fn full_houses(hand: Cards, counts: &[u8; RANKS as usize], out: &mut Vec<Meld>) {
    for rank in (0..RANKS).filter(|&r| counts[usize::from(r)] >= 3) {
        let start = out.len();
        let key = 2 << CATEGORY_SHIFT | u32::from(rank);
        triples(hand, rank, |triple| {
            for other in (0..RANKS).filter(|&r| r != rank && counts[usize::from(r)] >= 2) {
                pairs(hand, other, |pair, _| {
                    push(out, Category::FullHouse, key, triple | pair);
                });
            }
        });
        out[start..].sort_unstable_by_key(|m| m.tiles);
    }
    for rank in (0..RANKS).filter(|&r| counts[usize::from(r)] == 4) {
        let four = rank_tiles(rank);
        for fifth in hand - four {
            let key = 3 << CATEGORY_SHIFT | u32::from(rank);
            push(out, Category::Four, key, four | Cards::one(fifth));
        }
    }
}

fn straight_flushes(hand: Cards, orders: &RunOrders, out: &mut Vec<Meld>) {
    let mut by_suit = [0u16; 4];
    let mut any = false;
    for (suit, ranks) in (0..).zip(&mut by_suit) {
        let held = hand & suit_tiles(suit);
        if held.len() >= 5 {
            *ranks = ranks_of(held);
            any = true;
        }
    }
    if !any {
        return;
    }
    for (order, &run) in (0u32..).zip(orders.masks()) {
        for (suit, ranks) in (0u32..).zip(by_suit) {
            if run & !ranks == 0 {
                let key = 4 << CATEGORY_SHIFT | order << 2 | suit;
                push(
                    out,
                    Category::StraightFlush,
                    key,
                    Cards(spread(run) << suit),
                );
            }
        }
    }
}

/// The tile of suit 0 for each rank of a set.
#[inline]
fn spread(ranks: u16) -> u64 {
    let a = u64::from(ranks);
    let b = (a | a << 24) & 0x0000_00ff_0000_00ff;
    let c = (b | b << 12) & 0x000f_000f_000f_000f;
    let d = (c | c << 6) & 0x0303_0303_0303_0303;
    (d | d << 3) & SUIT_0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meld::classify;
    use crate::rules::{Rules, TopRun};
    use crate::tile::{deck, hand_size, parse_tiles};
    use evenhand_contract::Stream;

    /// Every subset of at most five tiles that the classifier takes for a meld.
    fn brute(hand: Cards, orders: &RunOrders) -> Vec<Meld> {
        let ids: Vec<u8> = hand.iter().collect();
        let mut melds: Vec<Meld> = (1u32..1 << ids.len())
            .filter(|set| set.count_ones() <= 5)
            .filter_map(|set| {
                let tiles = (0..ids.len()).filter(|i| set >> i & 1 == 1).map(|i| ids[i]);
                classify(tiles.collect(), orders)
            })
            .collect();
        melds.sort_by_key(|m| (m.size(), m.key, m.tiles));
        melds
    }

    fn check(memo: &mut HandMemo, hand: Cards, players: u8, rules: Rules) {
        let orders = RunOrders::get(players, rules);
        let expected = brute(hand, orders);
        assert_eq!(memo.melds(hand, orders), expected, "{hand:?}");
        for size in 0..=6 {
            let of_size: Vec<_> = expected
                .iter()
                .filter(|m| m.size() == size)
                .copied()
                .collect();
            assert_eq!(memo.sized(hand, orders, size), of_size);
        }
    }

    #[test]
    fn random_hands_agree_with_every_subset() {
        let mut stream = Stream::keyed("hand-test", &[]);
        let mut memo = HandMemo::default();
        for players in [3, 4, 5] {
            for top_run in [TopRun::Wrap1, TopRun::Wrap12] {
                let rules = Rules {
                    top_run,
                    ..Rules::default()
                };
                for _ in 0..40 {
                    let mut ids: Vec<u8> = deck(players).iter().collect();
                    stream.shuffle(&mut ids);
                    let size = stream.below(u32::from(hand_size(players))) as usize + 1;
                    let hand = ids[..size].iter().copied().collect();
                    check(&mut memo, hand, players, rules);
                }
            }
        }
    }

    #[test]
    fn crowded_hands_agree_with_every_subset() {
        let mut memo = HandMemo::default();
        for text in [
            "3C 4C 5C 6C 7C 8C 9C 10C 11C 12C 13C 14C",
            "3C 5C 7C 9C 11C 13C 3D 5D 7D 9D 11D 13D",
            "3C 3H 3D 3S 4C 4H 4D 4S 5C 5H 5D 5S",
            "1C 1H 2C 2H 3C 3H 4C 4H 5C 5D 6C 6D",
            "1C 2C 3C 4C 5C 6C 12C 13C 14C 15C 1H 2H",
            "2C",
            "",
        ] {
            let hand = parse_tiles("hand", text, 5).expect("a fixed hand");
            for top_run in [TopRun::Wrap1, TopRun::Wrap12] {
                let rules = Rules {
                    top_run,
                    ..Rules::default()
                };
                check(&mut memo, hand, 5, rules);
            }
        }
    }

    #[test]
    fn the_memo_notices_other_runs_for_the_same_hand() {
        let hand = parse_tiles("hand", "7C 8H 9D 1C 2S", 3).expect("a fixed hand");
        let mut memo = HandMemo::default();
        let plain = memo
            .sized(hand, RunOrders::get(3, Rules::default()), 5)
            .len();
        let wrap12 = Rules {
            top_run: TopRun::Wrap12,
            ..Rules::default()
        };
        let more = memo.sized(hand, RunOrders::get(3, wrap12), 5).len();
        assert_eq!((plain, more), (0, 1));
    }
}
