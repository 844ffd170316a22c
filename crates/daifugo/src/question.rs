//! What an estimator is asked about hidden cards.

use crate::play::Play;
use evenhand_contract::Seat;

/// Can this seat beat that play with the cards that it holds now?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Question {
    /// The other seat.
    pub seat: Seat,
    /// The play on the field.
    pub play: Play,
    /// The order in force when it is to be beaten: after the play, should the play turn it.
    pub revolution: bool,
    /// How many cards the seat has: kinds of question differ by it.
    pub count: u8,
}
