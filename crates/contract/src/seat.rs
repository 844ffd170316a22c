use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Index, IndexMut};

/// The most seats any game of this project has.
pub const MAX_SEATS: usize = 6;

/// A place at the table, counted from 0; play goes in increasing order, modulo the player count.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat's index into a [`BySeat`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat that follows this one at a table of `players`.
    #[inline]
    #[must_use]
    pub const fn next(self, players: u8) -> Self {
        if self.0 + 1 >= players {
            Self(0)
        } else {
            Self(self.0 + 1)
        }
    }

    /// All seats of a table of `players`, in order.
    pub fn all(players: u8) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..players).map(Self)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One value for each seat of a table; as long as the table has players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BySeat<T> {
    items: [T; MAX_SEATS],
    players: u8,
}

impl<T: Copy + Default> BySeat<T> {
    /// `value` for each of `players` seats.
    ///
    /// # Panics
    /// When `players` exceeds [`MAX_SEATS`]; player counts from outside are checked by the games.
    #[must_use]
    pub fn filled(players: u8, value: T) -> Self {
        assert!(
            usize::from(players) <= MAX_SEATS,
            "at most {MAX_SEATS} seats"
        );
        let mut items = [T::default(); MAX_SEATS];
        items[..usize::from(players)].fill(value);
        Self { items, players }
    }

    /// The default value for each of `players` seats.
    #[must_use]
    pub fn new(players: u8) -> Self {
        Self::filled(players, T::default())
    }

    /// A value computed for each seat in order.
    #[must_use]
    pub fn from_fn(players: u8, mut f: impl FnMut(Seat) -> T) -> Self {
        let mut out = Self::new(players);
        for seat in Seat::all(players) {
            out[seat] = f(seat);
        }
        out
    }
}

impl<T> BySeat<T> {
    /// How many seats the table has.
    #[inline]
    #[must_use]
    pub const fn players(&self) -> u8 {
        self.players
    }

    /// The values in seat order.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.items[..usize::from(self.players)]
    }

    /// The values in seat order, each with its seat.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        Seat::all(self.players).zip(self.as_slice())
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        debug_assert!(seat.0 < self.players);
        &self.items[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        debug_assert!(seat.0 < self.players);
        &mut self.items[seat.index()]
    }
}
