//! An independent reading of the rules page, slow and plain: lists of numbers and suits, keys as
//! lists. Shares nothing with the crate but the text of tiles.
#![allow(dead_code, reason = "each test binary uses its part")]

use evenhand_contract::Cards;
use evenhand_lexio::tile::tiles_text;

/// A tile as the rules page writes it: number 1 to 15, suit 0 to 3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tile {
    pub number: u32,
    pub suit: u32,
}

impl Tile {
    pub fn rank(self) -> u32 {
        match self.number {
            1 => 13,
            2 => 14,
            k => k - 3,
        }
    }
}

pub fn tiles(set: Cards) -> Vec<Tile> {
    let text = tiles_text(set);
    text.split_whitespace()
        .map(|t| {
            let (number, suit) = t.split_at(t.len() - 1);
            Tile {
                number: number.parse().expect("a number"),
                suit: "CHDS".find(suit).expect("a suit") as u32,
            }
        })
        .collect()
}

/// The legal runs as sets of numbers, weakest first, each with the number that gives the suit.
pub fn runs(players: u8, wrap12: bool) -> Vec<(Vec<u32>, u32)> {
    let m = match players {
        3 => 9,
        4 => 13,
        _ => 15,
    };
    let mut runs: Vec<(Vec<u32>, u32)> =
        (3..=m - 4).map(|s| ((s..s + 5).collect(), s + 4)).collect();
    runs.push((vec![m - 3, m - 2, m - 1, m, 1], 1));
    runs.push((vec![2, 3, 4, 5, 6], 2));
    runs.push((vec![1, 2, 3, 4, 5], 2));
    if wrap12 {
        runs.push((vec![m - 2, m - 1, m, 1, 2], 2));
    }
    runs
}

/// Size and key of a meld, `None` for what is no meld. Five-tile keys begin with the category.
pub fn meld(set: Cards, runs: &[(Vec<u32>, u32)]) -> Option<(usize, Vec<u32>)> {
    let tiles = tiles(set);
    let same_number = |part: &[Tile]| part.windows(2).all(|w| w[0].number == w[1].number);
    let first = *tiles.first()?;
    match tiles.len() {
        1 => Some((1, vec![first.rank() * 4 + first.suit])),
        2 if same_number(&tiles) => {
            let suit = tiles.iter().map(|t| t.suit).max()?;
            Some((2, vec![first.rank(), suit]))
        }
        3 if same_number(&tiles) => Some((3, vec![first.rank()])),
        5 => five(&tiles, runs).map(|key| (5, key)),
        _ => None,
    }
}

fn five(tiles: &[Tile], runs: &[(Vec<u32>, u32)]) -> Option<Vec<u32>> {
    let one_suit = tiles.iter().all(|t| t.suit == tiles[0].suit);
    let run = runs
        .iter()
        .position(|(numbers, _)| numbers.iter().all(|&n| tiles.iter().any(|t| t.number == n)));
    let mut groups: Vec<(usize, u32)> = Vec::new();
    for t in tiles {
        match groups.iter_mut().find(|g| g.1 == t.rank()) {
            Some(group) => group.0 += 1,
            None => groups.push((1, t.rank())),
        }
    }
    groups.sort();
    let shape: Vec<usize> = groups.iter().map(|g| g.0).collect();
    if let (Some(order), true) = (run, one_suit) {
        return Some(vec![4, order as u32, tiles[0].suit]);
    }
    if shape == [1, 4] {
        return Some(vec![3, groups[1].1]);
    }
    if shape == [2, 3] {
        return Some(vec![2, groups[1].1]);
    }
    if one_suit {
        let mut key: Vec<u32> = tiles.iter().map(|t| t.rank()).collect();
        key.sort_by(|a, b| b.cmp(a));
        key.insert(0, 1);
        key.push(tiles[0].suit);
        return Some(key);
    }
    let order = run?;
    let top = tiles.iter().find(|t| t.number == runs[order].1)?;
    Some(vec![0, order as u32, top.suit])
}

/// Every subset of 1, 2, 3 or 5 tiles that is a meld, with size and key.
pub fn melds(hand: Cards, runs: &[(Vec<u32>, u32)]) -> Vec<(usize, Vec<u32>, Cards)> {
    let ids: Vec<u8> = hand.iter().collect();
    (1u32..1 << ids.len())
        .filter(|pick| matches!(pick.count_ones(), 1 | 2 | 3 | 5))
        .filter_map(|pick| {
            let set = (0..ids.len())
                .filter(|i| pick >> i & 1 == 1)
                .map(|i| ids[i])
                .collect();
            meld(set, runs).map(|(size, key)| (size, key, set))
        })
        .collect()
}
