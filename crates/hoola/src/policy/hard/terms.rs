//! The terms by which the end of a turn is weighed, all in thousandths.

use super::knobs::{self, TERMS};
use crate::card::{self, SEVENS, lowered, raised};
use crate::odds::{self, Lows};
use crate::plan::{completing, draws_that_go_out};
use crate::table::Board;
use crate::view::View;
use crate::{Hoola, question::Question};
use evenhand_contract::{Ask, Cards, Estimates, Milli, OutOfWork, PPM_ONE, Ppm, Work};

/// One, in thousandths.
pub(super) const ONE: i64 = 1_000;

/// Hands above this many cards are not asked for draws with which they go out.
const MOST_TRIED: u32 = 4;

/// The value of each term for one end of a turn, in table order.
pub(super) type Terms = [i64; TERMS];

/// What every end of one turn is weighed with.
pub(super) struct Position<'a> {
    view: &'a View,
    /// Unseen before the turn; the own moves show nothing new.
    unseen: Cards,
    /// Single cards that fitted the table before the turn.
    next: Cards,
    /// Chance that an opponent goes out before the next turn.
    danger: Ppm,
    /// What a low sum is worth.
    lows: Lows,
    /// Chance that each card is claimed when it is discarded, in thousandths; asked for once.
    claims: [Option<i64>; card::DECK_SIZE as usize],
    ask: &'a Ask<'a, Hoola>,
}

impl<'a> Position<'a> {
    pub(super) fn new(ask: &'a Ask<'a, Hoola>, danger: Ppm, lows: Lows) -> Self {
        Self {
            view: ask.view,
            unseen: ask.view.unseen(),
            next: ask.view.table.next(),
            danger,
            lows,
            claims: [None; card::DECK_SIZE as usize],
            ask,
        }
    }

    /// The terms of ending the turn on this board with this discard, which is still in its hand.
    pub(super) fn end(
        &mut self,
        board: &Board,
        discard: u8,
        work: &mut Work<'_>,
    ) -> Result<Terms, OutOfWork> {
        let mut board = *board;
        board.hand -= Cards::one(discard);
        let hand = board.hand;
        let sum = i64::from(card::sum(hand));
        let count = i64::from(hand.len());
        let mut t = [0; TERMS];
        t[knobs::CardSum] = -ONE * sum / 10;
        t[knobs::CardCount] = -ONE * count;
        t[knobs::SevensHeld] = -ONE * i64::from((hand & SEVENS).len());
        let completing = completing(hand, self.unseen);
        t[knobs::MeldPotential] = ONE * i64::from(completing.len());
        let gathered = gathered(hand);
        t[knobs::OpponentNearOut] = -ONE * sum / 10 * self.danger.get() / PPM_ONE;
        t[knobs::OpponentLow] = -sum * self.lows.threat / 10;
        t[knobs::DiscardFeeds] = -self.claimed(discard, work)?;
        if board.registered {
            if sum <= i64::from(self.view.rules.plain_line()) {
                let win = self.lows.wins.get(sum as usize);
                t[knobs::StopChance] = win.copied().unwrap_or_default();
            }
            let next = board.table.next();
            // A held card beyond an unseen one that fits would fit behind it.
            let opened = next & self.unseen;
            let behind = hand & (raised(opened) | lowered(opened));
            t[knobs::Loose] = -ONE * i64::from((hand - gathered - behind - next).len());
            t[knobs::LayOffPotential] = ONE * i64::from((behind | hand & next).len());
            let fresh = (next - self.next) & self.unseen;
            t[knobs::TableOpens] = -ONE * i64::from(fresh.len()) / 4;
            if hand.len() <= MOST_TRIED {
                let draws = draws_that_go_out(&board, self.unseen, work)?;
                t[knobs::OutNext] = ONE * i64::from(draws) / i64::from(self.unseen.len().max(1));
            }
        } else {
            t[knobs::UnregisteredAtEnd] = -ONE;
            t[knobs::Loose] = -ONE * i64::from((hand - gathered).len());
            t[knobs::HoolaChance] = ONE * i64::from(gathered.len()) / count.max(1);
            t[knobs::Pursuit] = self.pursuit(sum);
        }
        Ok(t)
    }

    /// The chance, in thousandths, that the card is claimed when it is discarded, as it is believed.
    fn claimed(&mut self, discard: u8, work: &mut Work<'_>) -> Result<i64, OutOfWork> {
        if let Some(chance) = self.claims[usize::from(discard)] {
            return Ok(chance);
        }
        work.charge(1)?;
        let raw = odds::claimed(self.view, discard);
        let kind = Hoola::kind(&Question::Claimed { card: discard });
        let chance = self.ask.maps.apply(kind, raw).get() / ONE;
        self.claims[usize::from(discard)] = Some(chance);
        Ok(chance)
    }

    /// 1000 on the low or high line or beyond it, and the less the farther from the nearer one:
    /// nothing from 12 points on.
    fn pursuit(&self, sum: i64) -> i64 {
        const REACH: i64 = 12;
        let rules = self.view.rules;
        let low = rules.low_line().map(|line| sum - i64::from(line));
        let high = rules.high_line().map(|line| i64::from(line) - sum);
        let away = low.into_iter().chain(high).min();
        away.map_or(0, |away| ONE * (REACH - away.max(0)).max(0) / REACH)
    }
}

/// The cards that lie in a pair or beside or one apart from a card of their suit, and 7s.
fn gathered(hand: Cards) -> Cards {
    const LOWEST: u64 = 0x1_1111_1111_1111;
    let at = |suit: u32| hand.0 >> suit & LOWEST;
    let (c, d, h, s) = (at(0), at(1), at(2), at(3));
    let twice = (c & d) | (h & s) | ((c | d) & (h | s));
    let (up, down) = (raised(hand), lowered(hand));
    hand & (Cards(twice * 0xf) | up | down | raised(up) | lowered(down) | SEVENS)
}

/// Sum of weight x term; nothing is rounded after the multiplication.
#[inline]
pub(super) fn total(weights: &[Milli], terms: &Terms) -> i64 {
    weights.iter().zip(terms).map(|(w, t)| w * t).sum()
}
