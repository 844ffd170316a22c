//! Questions about hidden cards and what comes of them.

use evenhand_contract::Seat;

/// What an estimator is asked. The truth of each is told by the round's state,
/// whenever it is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Would a plain stop by the asker succeed: is every opponent's sum strictly greater than the
    /// asker's? Known at once.
    PlainWins {
        /// How much of the deck was left.
        third: DeckThird,
    },
    /// Is the sum of this seat strictly greater than `sum`? Known at once.
    SumAbove {
        /// The opponent.
        seat: Seat,
        /// The sum to exceed.
        sum: u16,
    },
    /// Does an opponent go out before the asker's next turn begins? `turns` are the turns that the
    /// asker has begun when it asks, the present one included. Settled by the asker's next turn
    /// (drawn or claimed) or by the end of the round; a round that ends in any other way, by a stop
    /// or an empty deck, answers no.
    OpponentOut {
        /// Turns that the asker has begun.
        turns: u8,
    },
    /// Is this discard claimed? To be asked of the card that is discarded; settled when its window
    /// has closed.
    Claimed {
        /// The discard.
        card: u8,
    },
}

/// How far the deck is used up: beliefs are held to truth in each third on its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DeckThird {
    /// More than two thirds are left.
    First,
    /// More than one third is left.
    Second,
    /// At most one third is left.
    Last,
}

impl DeckThird {
    /// The third in which a deck of `left` cards is that had `dealt` after the deal.
    #[must_use]
    pub const fn of(left: u8, dealt: u8) -> Self {
        let (left, dealt) = (left as u32, dealt as u32);
        if 3 * left > 2 * dealt {
            Self::First
        } else if 3 * left > dealt {
            Self::Second
        } else {
            Self::Last
        }
    }
}
