//! The whole truth of a round: dealing, the turn, settlement.

use crate::legal::Play;
use crate::meld::{Meld, RunOrders, classify};
use crate::rules::{Lead, Pass, Rules, Twos};
use crate::tile::{CLOUD_3, TWOS, deck, hand_size, tile_text, tiles_text};
use crate::view::View;
use evenhand_contract::{BySeat, Cards, Illegal, Seat, Stream};

/// Hands as dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The tiles of each seat.
    pub hands: BySeat<Cards>,
}

impl Deal {
    /// Shuffles the deck and gives each seat its share in turn: the first tiles to seat 0.
    #[must_use]
    pub fn draw(players: u8, stream: &mut Stream) -> Self {
        let mut tiles = Tiles::of(deck(players));
        stream.shuffle(tiles.as_mut_slice());
        let mut rest = tiles.as_mut_slice().iter();
        let hands = BySeat::from_fn(players, |_| take(&mut rest, hand_size(players)));
        Self { hands }
    }
}

/// The ids of a set on the stack, to be shuffled.
struct Tiles {
    ids: [u8; 60],
    len: usize,
}

impl Tiles {
    fn of(set: Cards) -> Self {
        let mut tiles = Self {
            ids: [0; 60],
            len: set.len() as usize,
        };
        for (slot, id) in tiles.ids.iter_mut().zip(set) {
            *slot = id;
        }
        tiles
    }

    fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.ids[..self.len]
    }
}

fn take(rest: &mut std::slice::Iter<'_, u8>, count: u8) -> Cards {
    rest.by_ref().take(usize::from(count)).copied().collect()
}

/// What a match carries from round to round: who won the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Carry {
    /// The winner of the round before; `None` before the first.
    pub winner: Option<Seat>,
}

/// A round in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    rules: Rules,
    hands: BySeat<Cards>,
    /// Each seat's hand and own plays: the hand as dealt.
    dealt: BySeat<Cards>,
    /// Tiles in each hand.
    counts: BySeat<u8>,
    /// Melds that each seat has played.
    plays: BySeat<u8>,
    played: Cards,
    field: Option<Meld>,
    field_owner: Option<Seat>,
    turn: Seat,
    passes: u8,
    /// Seats out of the trick, bit i for seat i; stays empty unless `pass=hard`.
    passed: u8,
    winner: Option<Seat>,
}

impl State {
    /// The first state of a round.
    #[must_use]
    pub fn start(rules: Rules, deal: &Deal, carry: &Carry) -> Self {
        let players = deal.hands.players();
        let holder = deal.hands.iter().find(|(_, hand)| hand.has(CLOUD_3));
        let turn = match (rules.lead, carry.winner) {
            (Lead::Winner, Some(winner)) => winner,
            _ => holder.map_or(Seat(0), |(seat, _)| seat),
        };
        Self {
            rules,
            hands: deal.hands,
            dealt: deal.hands,
            counts: BySeat::from_fn(players, |s| deal.hands[s].len() as u8),
            plays: BySeat::new(players),
            played: Cards::EMPTY,
            field: None,
            field_owner: None,
            turn,
            passes: 0,
            passed: 0,
            winner: None,
        }
    }

    /// How many sit at the table.
    #[must_use]
    pub const fn players(&self) -> u8 {
        self.hands.players()
    }

    /// The ruleset.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The tiles in each hand.
    #[must_use]
    pub const fn hands(&self) -> &BySeat<Cards> {
        &self.hands
    }

    /// Each seat's hand as it was dealt.
    #[must_use]
    pub const fn dealt(&self) -> &BySeat<Cards> {
        &self.dealt
    }

    /// Every tile played so far.
    #[must_use]
    pub const fn played(&self) -> Cards {
        self.played
    }

    /// The meld to beat and who played it.
    #[must_use]
    pub fn field(&self) -> Option<(Meld, Seat)> {
        self.field.zip(self.field_owner)
    }

    /// Who emptied the hand; `None` while the round goes on.
    #[must_use]
    pub const fn winner(&self) -> Option<Seat> {
        self.winner
    }

    /// Who decides next; `None` when the round is over.
    #[inline]
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        match self.winner {
            None => Some(self.turn),
            Some(_) => None,
        }
    }

    /// What `seat` has seen.
    #[inline]
    #[must_use]
    pub fn view(&self, seat: Seat) -> View {
        View {
            players: self.players(),
            rules: self.rules,
            seat,
            hand: self.hands[seat],
            dealt: self.dealt[seat],
            counts: self.counts,
            field: self.field,
            field_owner: self.field_owner,
            passes: self.passes,
            passed: self.passed,
            played: self.played,
        }
    }

    /// Carries a decision out.
    ///
    /// # Errors
    /// [`Illegal`] with the reason; the state is then unchanged.
    pub fn apply(&mut self, seat: Seat, play: Play) -> Result<(), Illegal> {
        match self.to_act() {
            None => return Err(Illegal("the round is over".to_owned())),
            Some(turn) if turn != seat => {
                return Err(Illegal(format!(
                    "seat {seat} is out of turn: seat {turn} acts"
                )));
            }
            Some(_) => {}
        }
        if play.is_pass() {
            self.pass(seat)
        } else {
            let meld = self.check(seat, play.0)?;
            self.play(seat, meld);
            Ok(())
        }
    }

    fn pass(&mut self, seat: Seat) -> Result<(), Illegal> {
        let Some((_, owner)) = self.field() else {
            return Err(Illegal(
                "a pass on the lead: the leader must play a meld".to_owned(),
            ));
        };
        self.passes += 1;
        let out = if self.rules.pass == Pass::Hard {
            self.passed |= 1 << seat.0;
            self.passed.count_ones() as u8
        } else {
            self.passes
        };
        if out == self.players() - 1 {
            self.field = None;
            self.field_owner = None;
            self.passes = 0;
            self.passed = 0;
            self.turn = owner;
        } else {
            self.advance(seat);
        }
        Ok(())
    }

    /// Tells the meld that these tiles make, or why they may not be played.
    fn check(&self, seat: Seat, tiles: Cards) -> Result<Meld, Illegal> {
        let hand = self.hands[seat];
        if let Some(missing) = (tiles - hand).lowest() {
            let text = if deck(self.players()).has(missing) {
                format!("{} is not in the hand of seat {seat}", tile_text(missing))
            } else {
                format!("tile id {missing} is not in this deck")
            };
            return Err(Illegal(text));
        }
        let orders = RunOrders::get(self.players(), self.rules);
        let Some(meld) = classify(tiles, orders) else {
            return Err(Illegal(format!("{} is no meld", tiles_text(tiles))));
        };
        match &self.field {
            Some(field) if meld.size() != field.size() => Err(Illegal(format!(
                "{} has {} tiles, the field has {}",
                tiles_text(tiles),
                meld.size(),
                field.size()
            ))),
            Some(field) if !meld.beats(field) => Err(Illegal(format!(
                "{} does not beat {}",
                tiles_text(tiles),
                tiles_text(field.tiles)
            ))),
            _ => Ok(meld),
        }
    }

    fn play(&mut self, seat: Seat, meld: Meld) {
        self.hands[seat] -= meld.tiles;
        self.counts[seat] -= meld.size();
        self.plays[seat] += 1;
        self.played |= meld.tiles;
        self.field = Some(meld);
        self.field_owner = Some(seat);
        self.passes = 0;
        if self.hands[seat].is_empty() {
            self.winner = Some(seat);
        } else {
            self.advance(seat);
        }
    }

    /// Gives the turn to the next seat that is not out of the trick.
    fn advance(&mut self, from: Seat) {
        let players = self.players();
        let mut seat = from.next(players);
        while self.passed >> seat.0 & 1 == 1 {
            seat = seat.next(players);
        }
        self.turn = seat;
    }

    /// The effective count e of a seat's hand: c x 2^t, under `twos=flat_double` 2c with any two.
    ///
    /// Under `twos=payer_multiplier` no single count decides the settlement; c x 2^t is told then
    /// too, since that is what the seat pays for against an empty hand.
    #[must_use]
    pub fn effective_count(&self, seat: Seat) -> i64 {
        let count = i64::from(self.hands[seat].len());
        let twos = self.twos_of(seat);
        match self.rules.twos {
            Twos::FlatDouble => count << twos.min(1),
            Twos::Effective | Twos::PayerMultiplier => count << twos,
        }
    }

    fn twos_of(&self, seat: Seat) -> u32 {
        (self.hands[seat] & TWOS).len()
    }

    /// Points of each seat, were the round to end now: for each pair, the one with the larger
    /// count pays the difference to the other. Sums to zero.
    #[must_use]
    pub fn settlement(&self) -> BySeat<i64> {
        let players = self.players();
        if self.rules.twos == Twos::PayerMultiplier {
            let mut net = BySeat::new(players);
            for a in Seat::all(players) {
                for b in Seat::all(players) {
                    // Each ordered pair in which `a` holds more: `a` pays.
                    let more = i64::from(self.hands[a].len()) - i64::from(self.hands[b].len());
                    if more > 0 {
                        let paid = more << self.twos_of(a);
                        net[a] -= paid;
                        net[b] += paid;
                    }
                }
            }
            return net;
        }
        // sum over j of (e_j - e_i), over all j
        let all: i64 = Seat::all(players).map(|s| self.effective_count(s)).sum();
        BySeat::from_fn(players, |s| {
            all - i64::from(players) * self.effective_count(s)
        })
    }

    /// What the next round takes over.
    #[must_use]
    pub const fn carry(&self) -> Carry {
        Carry {
            winner: self.winner,
        }
    }

    /// Adds a seat's figures of the finished round, in the order of the game's metric rows:
    /// effective count, ended holding a two, melds played, won.
    pub(crate) fn metrics(&self, seat: Seat, sums: &mut [i64]) {
        let figures = [
            self.effective_count(seat),
            i64::from(self.twos_of(seat) > 0),
            i64::from(self.plays[seat]),
            i64::from(self.winner == Some(seat)),
        ];
        for (sum, figure) in sums.iter_mut().zip(figures) {
            *sum += figure;
        }
    }

    /// The same state with the tiles in the other hands dealt afresh among those hands.
    #[must_use]
    pub fn reshuffle(&self, seat: Seat, stream: &mut Stream) -> Self {
        let others = || Seat::all(self.players()).filter(move |&s| s != seat);
        let unseen = others().fold(Cards::EMPTY, |all, s| all | self.hands[s]);
        let mut tiles = Tiles::of(unseen);
        stream.shuffle(tiles.as_mut_slice());
        let mut rest = tiles.as_mut_slice().iter();
        let mut state = *self;
        for other in others() {
            let hand = take(&mut rest, self.counts[other]);
            state.dealt[other] = (self.dealt[other] - self.hands[other]) | hand;
            state.hands[other] = hand;
        }
        state
    }
}
