//! What is hidden, in the form that counting wants, and the arithmetic shared by the counts.

use crate::View;
use crate::meld::RunOrders;
use crate::rules::TopRun;
use crate::tile::SUIT_0;
use evenhand_contract::Cards;

/// Most tiles that one hand holds.
pub(super) const MAX_HAND: usize = 13;
/// Coefficients by number of tiles, 0 to [`MAX_HAND`]. Every coefficient counts subsets of at most
/// 48 unseen tiles, so it is at most C(48, 13) < 2^38.
pub(super) type Poly = [u64; MAX_HAND + 1];
/// Certainty, as a fixed-point number of 30 bits.
pub(super) const ONE: u64 = 1 << 30;

/// The polynomial 1.
pub(super) const UNIT: Poly = {
    let mut p = [0; MAX_HAND + 1];
    p[0] = 1;
    p
};

/// `CHOOSE[n][k]`: ways to take k of n tiles.
pub(super) static CHOOSE: [Poly; 61] = {
    let mut table = [[0; MAX_HAND + 1]; 61];
    let mut n = 0;
    while n < 61 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MAX_HAND && k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// n over k; 0 outside the table's range and where k exceeds n.
#[inline]
pub(super) fn choose(n: u8, k: usize) -> u64 {
    if k > MAX_HAND {
        0
    } else {
        CHOOSE[usize::from(n)][k]
    }
}

/// `part / whole` as a fixed-point number; both below 2^38.
#[inline]
pub(super) fn fraction(part: u64, whole: u64) -> u64 {
    // 26 bits keep the shifted part within 64 bits; the last four bits of ONE are not needed.
    if whole == 0 {
        return ONE;
    }
    ((part << 26) / whole) << 4
}

/// Product of two fixed-point numbers.
#[inline]
pub(super) const fn times(a: u64, b: u64) -> u64 {
    (a * b) >> 30
}

/// Coefficient `n` of a product.
#[inline]
pub(super) fn coefficient(a: &Poly, b: &Poly, n: usize) -> u64 {
    a[..=n]
        .iter()
        .zip(b[..=n].iter().rev())
        .map(|(x, y)| x * y)
        .sum()
}

/// The product up to degree `top`.
pub(super) fn product(a: &Poly, b: &Poly, top: usize) -> Poly {
    let mut out = [0; MAX_HAND + 1];
    for (n, c) in out.iter_mut().enumerate().take(top + 1) {
        *c = coefficient(a, b, n);
    }
    out
}

/// A hand size that occurs among the opponents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Size {
    /// Tiles in hand.
    pub(super) tiles: u8,
    /// How many opponents hold so many.
    pub(super) seats: u8,
}

/// The unseen tiles and the opponents' hand sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unseen {
    /// The unseen tiles: all of them are in the opponents' hands.
    pub(super) tiles: Cards,
    /// How many they are.
    pub(super) total: u8,
    /// Player count.
    pub(super) players: u8,
    /// Highest legal run.
    pub(super) top_run: TopRun,
    /// Unseen tiles by rank.
    pub(super) by_rank: [u8; 16],
    /// Unseen ranks by suit, bit r for rank index r.
    pub(super) by_suit: [u16; 4],
    sizes: [Size; 5],
    distinct: u8,
}

impl Default for Unseen {
    fn default() -> Self {
        Self {
            tiles: Cards::EMPTY,
            total: 0,
            players: 0,
            top_run: TopRun::Wrap1,
            by_rank: [0; 16],
            by_suit: [0; 4],
            sizes: [Size::default(); 5],
            distinct: 0,
        }
    }
}

impl Unseen {
    pub(super) fn of(view: &View) -> Self {
        let tiles = view.unseen();
        let mut out = Self {
            tiles,
            total: tiles.len() as u8,
            players: view.players,
            top_run: view.rules.top_run,
            ..Self::default()
        };
        for (rank, count) in out.by_rank.iter_mut().enumerate() {
            *count = (tiles.0 >> (4 * rank) & 0xf).count_ones() as u8;
        }
        for (suit, ranks) in out.by_suit.iter_mut().enumerate() {
            *ranks = ranks_of_suit(tiles, suit as u32);
        }
        let mut counts = [0u8; 5];
        let mut seats = 0;
        for (place, count) in counts.iter_mut().zip(view.opponents()) {
            *place = count.min(out.total).min(MAX_HAND as u8);
            seats += 1;
        }
        // Largest first, so that the order of seats cannot matter.
        counts[..seats].sort_unstable_by(|a, b| b.cmp(a));
        for &tiles in &counts[..seats] {
            match out.sizes[..usize::from(out.distinct)].last_mut() {
                Some(last) if last.tiles == tiles => last.seats += 1,
                _ => {
                    out.sizes[usize::from(out.distinct)] = Size { tiles, seats: 1 };
                    out.distinct += 1;
                }
            }
        }
        out
    }

    /// The hand sizes that occur, largest first.
    #[inline]
    pub(super) fn sizes(&self) -> &[Size] {
        &self.sizes[..usize::from(self.distinct)]
    }

    /// The largest hand.
    #[inline]
    pub(super) fn largest(&self) -> usize {
        usize::from(self.sizes[0].tiles)
    }

    /// The legal runs.
    pub(super) fn orders(&self) -> &'static RunOrders {
        let rules = crate::rules::Rules {
            top_run: self.top_run,
            ..Default::default()
        };
        RunOrders::get(self.players, rules)
    }

    /// The two hands' sizes when there are just two and both can hold five tiles that beat.
    pub(super) fn two_hands(&self) -> Option<(usize, usize)> {
        let (first, second) = match *self.sizes() {
            [one] if one.seats == 2 => (one.tiles, one.tiles),
            [one, other] if one.seats == 1 && other.seats == 1 => (one.tiles, other.tiles),
            _ => return None,
        };
        let whole = first + second == self.total && second >= 5;
        whole.then_some((usize::from(first), usize::from(second)))
    }

    /// The tiles of either hand when there are just two.
    pub(super) fn two_hands_tiles(&self) -> [usize; 2] {
        let sizes = self.sizes();
        [0, sizes.len() - 1].map(|i| usize::from(sizes[i].tiles))
    }

    /// How many of a suit are unseen.
    #[inline]
    pub(super) fn in_suit(&self, suit: usize) -> usize {
        self.by_suit[suit].count_ones() as usize
    }

    /// How many hands one can deal to a seat of `n` tiles.
    #[inline]
    pub(super) fn hands(&self, n: usize) -> u64 {
        CHOOSE[usize::from(self.total)][n]
    }
}

/// Ranks held in one suit.
#[inline]
pub(super) const fn ranks_of_suit(tiles: Cards, suit: u32) -> u16 {
    let any = tiles.0 >> suit & SUIT_0;
    // Gather every fourth bit.
    let a = (any | any >> 3) & 0x0303_0303_0303_0303;
    let b = (a | a >> 6) & 0x000f_000f_000f_000f;
    let c = (b | b >> 12) & 0x0000_00ff_0000_00ff;
    ((c | c >> 24) & 0xffff) as u16
}
