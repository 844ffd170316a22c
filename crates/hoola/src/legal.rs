//! What a seat may do, computed once by the rules and carried in the view.

use crate::card::{self, SEVENS};
use crate::meld::{can_register, each_claim, each_register};
use crate::moves::{Decision, Stop};
use crate::rules::Rules;
use crate::table::Table;
use evenhand_contract::{Cards, Choices};

/// Cards that may be laid off, and the meld.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayOff {
    /// The cards.
    pub cards: Cards,
    /// The meld's number.
    pub meld: u8,
}

/// A set of stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StopSet(u8);

impl StopSet {
    /// Whether it holds this stop.
    #[inline]
    #[must_use]
    pub const fn has(self, stop: Stop) -> bool {
        self.0 >> stop as u8 & 1 == 1
    }

    /// Its stops, the certain ones first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Stop> {
        Stop::ALL.into_iter().filter(move |&stop| self.has(stop))
    }
}

/// The legal decisions of a seat, by kind; one kind of phase at a time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// In a window: the melds that the top discard can be claimed into.
    pub claims: Vec<Cards>,
    /// In a window: whether the seat may let the discard lie.
    pub decline: bool,
    /// Before the draw: the stops that may be declared.
    pub stops: StopSet,
    /// Whether the seat may draw.
    pub draw: bool,
    /// After the draw or claim: what may be registered.
    pub registers: Vec<Cards>,
    /// After the draw or claim: what may be laid off.
    pub lay_offs: Vec<LayOff>,
    /// After the draw or claim: what may be discarded.
    pub discards: Cards,
}

impl Options {
    /// Those of a seat that is asked about a discard.
    #[inline]
    #[must_use]
    pub fn window(card: u8, hand: Cards) -> Self {
        let mut options = Self {
            decline: true,
            ..Self::default()
        };
        each_claim(card, hand, |cards| options.claims.push(cards));
        options
    }

    /// Those at the beginning of a turn.
    #[inline]
    #[must_use]
    pub fn start(rules: Rules, hand: Cards, registered: bool) -> Self {
        Self {
            stops: stops(rules, hand, registered),
            draw: true,
            ..Self::default()
        }
    }

    /// Those after the draw or claim.
    #[inline]
    #[must_use]
    pub fn play(hand: Cards, table: &Table, registered: bool) -> Self {
        let mut options = Self {
            discards: hand,
            ..Self::default()
        };
        if can_register(hand) {
            each_register(hand, |cards, _| options.registers.push(cards));
        }
        if registered {
            table.each_lay_off(hand, |cards, meld| {
                options.lay_offs.push(LayOff { cards, meld });
            });
        }
        options
    }

    /// How many legal decisions there are.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.claims.len()
            + usize::from(self.decline)
            + self.stops.0.count_ones() as usize
            + usize::from(self.draw)
            + self.registers.len()
            + self.lay_offs.len()
            + self.discards.len() as usize
    }

    /// The legal decisions, each once, in the order of their kinds.
    pub fn iter(&self) -> impl Iterator<Item = Decision> + '_ {
        let claims = self.claims.iter().map(|&cards| Decision::Claim(cards));
        let decline = self.decline.then_some(Decision::Decline);
        let stops = self.stops.iter().map(Decision::Stop);
        let draw = self.draw.then_some(Decision::Draw);
        let registers = self
            .registers
            .iter()
            .map(|&cards| Decision::Register(cards));
        let lay_offs = self.lay_offs.iter().map(|lay_off| Decision::LayOff {
            cards: lay_off.cards,
            meld: lay_off.meld,
        });
        claims
            .chain(decline)
            .chain(stops)
            .chain(draw)
            .chain(registers)
            .chain(lay_offs)
            .chain(self.discards.iter().map(Decision::Discard))
    }

    /// Whether there is a choice at all.
    #[inline]
    #[must_use]
    pub fn choices(&self) -> Choices<Decision> {
        if self.count() == 1
            && let Some(only) = self.iter().next()
        {
            Choices::Forced(only)
        } else {
            Choices::Free
        }
    }
}

/// The stops that a hand may declare before its draw.
#[inline]
#[must_use]
pub fn stops(rules: Rules, hand: Cards, registered: bool) -> StopSet {
    let sum = card::sum(hand);
    let mut set = 0;
    let mut add = |stop: Stop, may: bool| set |= u8::from(may) << stop as u8;
    if registered {
        add(Stop::Plain, sum <= rules.plain_line());
    } else {
        add(Stop::FourSevens, hand.has_all(SEVENS));
        add(Stop::Low, rules.low_line().is_some_and(|line| sum <= line));
        add(
            Stop::High,
            rules.high_line().is_some_and(|line| sum >= line),
        );
    }
    StopSet(set)
}
