//! Random re-deals of the unseen tiles, counted fast: only what a question needs is dealt.

use crate::View;
use crate::beater::holds_beater;
use crate::meld::{Category, Meld};
use evenhand_contract::{Cards, Stream};

/// In how many of `samples` uniform re-deals of what this view has not seen some opponent holds a
/// meld that beats `meld`.
pub(super) fn count_true(view: &View, meld: &Meld, samples: u32, stream: &mut Stream) -> u32 {
    let unseen = view.unseen();
    if meld.category == Category::Single {
        // Whoever holds the tile.
        let beaten = holds_beater(unseen, meld, view.orders());
        return if beaten { samples } else { 0 };
    }
    let mut tiles = [0u8; 64];
    let mut total = 0;
    for id in unseen {
        tiles[total] = id;
        total += 1;
    }
    let tiles = &mut tiles[..total];
    let mut sizes = [0usize; 5];
    let mut seats = 0;
    for n in view.opponents() {
        // A hand too small for the question need not be dealt.
        if n >= meld.size() {
            sizes[seats] = usize::from(n);
            seats += 1;
        }
    }
    // Small hands first: what is left for the last, largest hand needs no drawing.
    sizes[..seats].sort_unstable();
    let dealt: usize = sizes[..seats].iter().sum();
    let last_takes_rest = dealt == total;
    let mut found = 0;
    for _ in 0..samples {
        let mut left = total;
        let mut rest = unseen;
        for (place, &n) in sizes[..seats].iter().enumerate() {
            let hand = if place + 1 == seats && last_takes_rest {
                rest
            } else {
                draw(tiles, &mut left, n, stream)
            };
            rest -= hand;
            if holds_beater(hand, meld, view.orders()) {
                found += 1;
                break;
            }
        }
    }
    found
}

/// Draws n tiles from the first `left`, without replacement.
#[inline]
fn draw(tiles: &mut [u8], left: &mut usize, n: usize, stream: &mut Stream) -> Cards {
    let mut hand = Cards::EMPTY;
    for _ in 0..n {
        let place = stream.below(*left as u32) as usize;
        *left -= 1;
        hand |= Cards::one(tiles[place]);
        tiles.swap(place, *left);
    }
    hand
}
