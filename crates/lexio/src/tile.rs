//! Tiles: id = 4r + suit, in the order of their strength as single tiles; the same ids for every
//! player count.

use crate::rules::{Rules, TopRun};
use evenhand_contract::{Cards, ViewError};

/// Rank indices 0 to 14; number 1 is index 13 and number 2 is index 14.
pub const RANKS: u8 = 15;
/// Rank index of the number 1.
pub const RANK_OF_1: u8 = 13;
/// Rank index of the number 2.
pub const RANK_OF_2: u8 = 14;
/// All four tiles of the number 2.
pub const TWOS: Cards = rank_tiles(RANK_OF_2);
/// The weakest tile, whose holder leads.
pub const CLOUD_3: u8 = 0;
/// Every tile of one suit, for suit 0; shift left by the suit.
pub const SUIT_0: u64 = 0x0111_1111_1111_1111;

const SUIT_LETTERS: &[u8; 4] = b"CHDS";

/// The four tiles of one rank.
#[inline]
#[must_use]
pub const fn rank_tiles(rank: u8) -> Cards {
    Cards(0xf << (4 * rank))
}

/// The tiles of one suit (0 cloud, 1 star, 2 moon, 3 sun).
#[inline]
#[must_use]
pub const fn suit_tiles(suit: u8) -> Cards {
    Cards(SUIT_0 << suit)
}

/// Rank index of a number 1 ..= 15.
#[inline]
#[must_use]
pub const fn rank_of_number(number: u8) -> u8 {
    if number >= 3 { number - 3 } else { number + 12 }
}

/// Number of a rank index.
#[inline]
#[must_use]
pub const fn number_of_rank(rank: u8) -> u8 {
    if rank >= RANK_OF_1 {
        rank - 12
    } else {
        rank + 3
    }
}

/// Highest number in play with this many players: 9, 13, 15 for 3, 4, 5.
#[inline]
#[must_use]
pub const fn highest_number(players: u8) -> u8 {
    match players {
        3 => 9,
        4 => 13,
        _ => 15,
    }
}

/// Tiles dealt to each seat: 12, 13, 12 for 3, 4, 5 players.
#[inline]
#[must_use]
pub const fn hand_size(players: u8) -> u8 {
    if players == 4 { 13 } else { 12 }
}

/// Every tile in play.
#[must_use]
pub const fn deck(players: u8) -> Cards {
    let top = highest_number(players) - 3;
    let numbered = (1u64 << (4 * (top + 1))) - 1;
    Cards(numbered | rank_tiles(RANK_OF_1).0 | rank_tiles(RANK_OF_2).0)
}

/// The legal runs, weakest first: each a list of five rank indices in run order, the rank whose
/// tile gives the suit being the highest index.
///
/// s..s+4 for s = 3 .. M-4; (M-3, .., M, 1); (2, .., 6); (1, .., 5); and under `top_run=wrap12`
/// (M-2, M-1, M, 1, 2) on top.
#[must_use]
pub fn runs(players: u8, rules: Rules) -> Vec<[u8; 5]> {
    let top = highest_number(players);
    let run = |numbers: [u8; 5]| numbers.map(rank_of_number);
    let mut runs: Vec<_> = (3..=top - 4)
        .map(|s| run([s, s + 1, s + 2, s + 3, s + 4]))
        .collect();
    runs.push(run([top - 3, top - 2, top - 1, top, 1]));
    runs.push(run([2, 3, 4, 5, 6]));
    runs.push(run([1, 2, 3, 4, 5]));
    if rules.top_run == TopRun::Wrap12 {
        runs.push(run([top - 2, top - 1, top, 1, 2]));
    }
    runs
}

/// A tile's text: number, then C, H, D, S for cloud, star, moon, sun.
#[must_use]
pub fn tile_text(id: u8) -> String {
    let number = number_of_rank(id / 4);
    format!("{number}{}", char::from(SUIT_LETTERS[usize::from(id % 4)]))
}

/// A set's text: tiles by rising strength, separated by spaces; empty for the empty set.
#[must_use]
pub fn tiles_text(tiles: Cards) -> String {
    let texts: Vec<_> = tiles.iter().map(tile_text).collect();
    texts.join(" ")
}

/// Reads one tile of the deck of `players`.
///
/// # Errors
/// A reason that names the token.
pub fn parse_tile(token: &str, players: u8) -> Result<u8, String> {
    let bad = |why: &str| format!("{token:?} is no tile: {why}");
    let Some((last, number)) = token.as_bytes().split_last() else {
        return Err("an empty token is no tile".to_owned());
    };
    let Some(suit) = SUIT_LETTERS.iter().position(|l| l == last) else {
        return Err(bad("the last letter must be one of C, H, D, S"));
    };
    let digits = !number.is_empty() && number[0] != b'0' && number.iter().all(u8::is_ascii_digit);
    let top = highest_number(players);
    let number = str::from_utf8(number)
        .ok()
        .filter(|_| digits)
        .and_then(|n| n.parse().ok());
    match number {
        Some(n @ 1..) if n <= top => Ok(4 * rank_of_number(n) + suit as u8),
        _ => Err(bad(&format!(
            "the number must be 1 to {top} with {players} players"
        ))),
    }
}

/// Reads a space-separated list of tiles; the empty text and `-` are the empty set.
///
/// # Errors
/// [`ViewError`] under `field`, naming the token: no tile of this deck, or one listed twice.
pub fn parse_tiles(field: &str, text: &str, players: u8) -> Result<Cards, ViewError> {
    let error = |reason| ViewError {
        field: field.to_owned(),
        reason,
    };
    let mut tiles = Cards::EMPTY;
    if text == "-" {
        return Ok(tiles);
    }
    for token in text.split_ascii_whitespace() {
        let id = parse_tile(token, players).map_err(error)?;
        if tiles.has(id) {
            return Err(error(format!("{token:?} is listed twice")));
        }
        tiles |= Cards::one(id);
    }
    Ok(tiles)
}
