//! An independent referee of Lexio: reads transcripts as text and knows the rules from the rules
//! page alone. It shares no code with the engine, on purpose, and works on numbers and letters.

use serde_json::Value;
use std::collections::BTreeSet;

/// A tile as (rank index, suit).
pub type Tile = (u8, u8);

/// Reads `12D`.
pub fn tile(text: &str) -> Tile {
    let (number, suit) = text.split_at(text.len() - 1);
    let number: u8 = number.parse().expect("a number");
    let suit = "CHDS".find(suit).expect("a suit letter") as u8;
    (if number >= 3 { number - 3 } else { number + 12 }, suit)
}

/// Reads a list of tiles.
pub fn tiles(text: &str) -> Vec<Tile> {
    let mut list: Vec<_> = text.split_whitespace().map(tile).collect();
    list.sort_unstable();
    list
}

/// The numbers of the legal runs as rank sets, weakest first, under `top_run=wrap1`.
fn runs(players: usize) -> Vec<BTreeSet<u8>> {
    let top = [9, 13, 15][players - 3];
    let mut list: Vec<[u8; 5]> = (3..=top - 4)
        .map(|s| [s, s + 1, s + 2, s + 3, s + 4])
        .collect();
    list.extend([
        [top - 3, top - 2, top - 1, top, 1],
        [2, 3, 4, 5, 6],
        [1, 2, 3, 4, 5],
    ]);
    let rank = |n: u8| if n >= 3 { n - 3 } else { n + 12 };
    list.iter()
        .map(|run| run.iter().map(|&n| rank(n)).collect())
        .collect()
}

/// The strength of a meld as a list that compares like the rules page's key; `None` for no meld.
pub fn strength(meld: &[Tile], players: usize) -> Option<Vec<u8>> {
    let mut ranks: Vec<u8> = meld.iter().map(|t| t.0).collect();
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    let top = *meld.iter().max()?;
    let same = ranks.iter().all(|r| *r == ranks[0]);
    match meld.len() {
        1 => Some(vec![top.0, top.1]),
        2 if same => Some(vec![top.0, top.1]),
        3 if same => Some(vec![top.0]),
        5 => {
            let set: BTreeSet<u8> = ranks.iter().copied().collect();
            let order = runs(players)
                .iter()
                .position(|run| *run == set)
                .map(|i| i as u8);
            let one_suit = meld.iter().all(|t| t.1 == top.1);
            let count = |r: u8| ranks.iter().filter(|x| **x == r).count();
            let of = |n: usize| ranks.iter().copied().find(|r| count(*r) == n);
            if let (Some(order), true) = (order, one_suit) {
                Some(vec![4, order, top.1])
            } else if let Some(r) = of(4) {
                Some(vec![3, r])
            } else if let (Some(r), Some(_)) = (of(3), of(2)) {
                Some(vec![2, r])
            } else if one_suit {
                let mut key = vec![1];
                key.extend(&ranks);
                key.push(top.1);
                Some(key)
            } else {
                order.map(|order| vec![0, order, top.1])
            }
        }
        _ => None,
    }
}

/// Replays one transcript line under the default rules, checking every move, the settlement and
/// that hands and plays together stay the deck; returns the settlement per seat.
pub fn replay(line: &Value) -> Vec<i64> {
    let players = line["players"].as_u64().expect("players") as usize;
    let mut hands: Vec<Vec<Tile>> = line["deal"]["hands"]
        .as_array()
        .expect("hands")
        .iter()
        .map(|hand| tiles(hand.as_str().expect("a hand is text")))
        .collect();
    assert_eq!(hands.len(), players);
    let all: BTreeSet<Tile> = hands.iter().flatten().copied().collect();
    let size = [12, 13, 12][players - 3];
    assert_eq!(
        all.len(),
        players * size,
        "the deck is dealt, each tile once"
    );
    assert!(hands.iter().all(|hand| hand.len() == size));

    let mut turn = hands
        .iter()
        .position(|hand| hand.contains(&(0, 0)))
        .expect("somebody has 3C");
    let mut field: Option<(usize, Vec<u8>, usize)> = None;
    let mut passes = 0;
    let moves = line["moves"].as_array().expect("moves");
    for (n, played) in moves.iter().enumerate() {
        assert!(
            hands.iter().all(|hand| !hand.is_empty()),
            "move {n} after the round's end"
        );
        assert_eq!(
            played["seat"].as_u64(),
            Some(turn as u64),
            "move {n} is out of turn"
        );
        let text = played["play"].as_str().expect("a play is text");
        if text == "pass" {
            let (_, _, owner) = field.clone().expect("a leader may not pass");
            passes += 1;
            turn = (turn + 1) % players;
            if passes == players - 1 {
                assert_eq!(turn, owner, "the owner leads after all have passed");
                field = None;
            }
            continue;
        }
        let meld = tiles(text);
        let key = strength(&meld, players).unwrap_or_else(|| panic!("move {n}: {text} is no meld"));
        if let Some((size, old, _)) = &field {
            assert!(
                meld.len() == *size && key > *old,
                "move {n}: {text} does not beat the field"
            );
        }
        for t in &meld {
            let place = hands[turn]
                .iter()
                .position(|x| x == t)
                .expect("a played tile is held");
            hands[turn].remove(place);
        }
        field = Some((meld.len(), key, turn));
        passes = 0;
        turn = (turn + 1) % players;
    }
    assert_eq!(
        hands.iter().filter(|hand| hand.is_empty()).count(),
        1,
        "one seat is out"
    );
    let effective: Vec<i64> = hands
        .iter()
        .map(|hand| (hand.len() as i64) << hand.iter().filter(|t| t.0 == 14).count())
        .collect();
    let total: i64 = effective.iter().sum();
    let settlement: Vec<i64> = effective
        .iter()
        .map(|e| total - players as i64 * e)
        .collect();
    let recorded: Vec<i64> = line["settlement"]
        .as_array()
        .expect("settlement")
        .iter()
        .map(|v| v.as_i64().expect("integers"))
        .collect();
    assert_eq!(recorded, settlement);
    settlement
}
