//! Seats in the order in which something happened to them.

use evenhand_contract::{MAX_SEATS, Seat};

/// A list of distinct seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SeatList {
    seats: [Seat; MAX_SEATS],
    len: u8,
}

impl SeatList {
    /// The seats in order.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Seat] {
        &self.seats[..usize::from(self.len)]
    }

    /// Whether the list has no seat.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether this seat is in it.
    #[inline]
    #[must_use]
    pub fn has(&self, seat: Seat) -> bool {
        self.as_slice().contains(&seat)
    }

    /// Its seats, bit i for seat i.
    #[inline]
    #[must_use]
    pub fn bits(&self) -> u8 {
        self.as_slice().iter().fold(0, |bits, s| bits | 1 << s.0)
    }

    /// Appends a seat; one that is in the list stays where it is.
    #[inline]
    pub(crate) fn push(&mut self, seat: Seat) {
        if !self.has(seat) {
            self.seats[usize::from(self.len)] = seat;
            self.len += 1;
        }
    }
}

impl FromIterator<Seat> for SeatList {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut list = Self::default();
        for seat in seats {
            list.push(seat);
        }
        list
    }
}
