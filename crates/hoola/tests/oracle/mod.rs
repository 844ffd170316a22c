//! The rules told once more, slowly and from lists: what the engine is held to.
#![allow(dead_code, reason = "each test binary uses its share")]

use evenhand_contract::{BySeat, Cards, Seat, Setup, Stream};
use evenhand_hoola::card::{rank, suit};
use evenhand_hoola::deal::{Carry, Deal};
use evenhand_hoola::meld::Kind;
use evenhand_hoola::moves::{Decision, Stop};
use evenhand_hoola::rules::{HandSize, Rules, Stops};
use evenhand_hoola::state::State;
use evenhand_hoola::{Hoola, Phase};

/// Every table that can be dealt.
pub fn setups() -> Vec<Setup<Hoola>> {
    let tables = (2..=5).flat_map(|players| Rules::all().map(move |rules| (players, rules)));
    tables
        .filter(|(players, rules)| rules.serves(*players))
        .map(|(players, rules)| Setup { players, rules })
        .collect()
}

/// A round of this table, started by nobody's earlier win.
pub fn dealt(setup: &Setup<Hoola>, stream: &mut Stream) -> State {
    let deal = Deal::draw(setup.rules, setup.players, stream);
    State::start(setup.rules, &deal, &Carry::default())
}

pub fn value(id: u8) -> u32 {
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13][usize::from(rank(id))]
}

pub fn sum(cards: Cards) -> u32 {
    cards.iter().map(value).sum()
}

fn is_seven(id: u8) -> bool {
    rank(id) == 6
}

/// Whether some first rank makes these cards the consecutive ranks of one suit on the cycle.
fn is_run(cards: &[u8], shortest: usize) -> bool {
    let n = cards.len();
    if n < shortest || n > 13 || cards.iter().any(|&id| suit(id) != suit(cards[0])) {
        return false;
    }
    (0..13).any(|first| {
        (0..n as u8).all(|step| cards.iter().any(|&id| rank(id) == (first + step) % 13))
    })
}

fn is_set(cards: &[u8]) -> bool {
    (3..=4).contains(&cards.len()) && cards.iter().all(|&id| rank(id) == rank(cards[0]))
}

/// What registering these cards makes.
pub fn register(cards: Cards) -> Option<Kind> {
    let ids: Vec<u8> = cards.iter().collect();
    match ids[..] {
        [] => None,
        [id] => is_seven(id).then_some(Kind::Seven),
        _ if is_set(&ids) => Some(Kind::Set),
        _ => is_run(&ids, 3).then_some(Kind::Run),
    }
}

/// What laying these cards off on such a meld makes.
pub fn lay_off(kind: Kind, on: Cards, cards: Cards) -> Option<Kind> {
    if cards.is_empty() || cards.meets(on) {
        return None;
    }
    let ids: Vec<u8> = (on | cards).iter().collect();
    match kind {
        Kind::Set => is_set(&ids).then_some(Kind::Set),
        Kind::Run => is_run(&ids, 2).then_some(Kind::Run),
        Kind::Seven if is_run(&ids, 2) => Some(Kind::Run),
        Kind::Seven => is_set(&ids).then_some(Kind::Set),
    }
}

pub fn may_stop(rules: Rules, hand: Cards, registered: bool, stop: Stop) -> bool {
    let sevens = hand.iter().filter(|&id| is_seven(id)).count();
    let seven_cards = rules.hand_size == HandSize::Seven;
    let (low, high, plain) = match rules.stops {
        Stops::High => (20, 78, 15),
        Stops::Standard => (18, 80, 10),
    };
    match stop {
        Stop::Plain => registered && sum(hand) <= plain,
        Stop::FourSevens => !registered && sevens == 4,
        Stop::Low => !registered && seven_cards && sum(hand) <= low,
        Stop::High => !registered && seven_cards && sum(hand) >= high,
    }
}

/// Every set of cards of a hand that is at most 14 cards.
pub fn subsets(hand: Cards) -> impl Iterator<Item = Cards> {
    let ids: Vec<u8> = hand.iter().collect();
    (0..1u32 << ids.len()).map(move |pick| {
        let held = ids.iter().enumerate();
        held.filter(|(place, _)| pick >> place & 1 == 1)
            .map(|(_, &id)| id)
            .collect()
    })
}

/// Every decision that could be thought of here, and those of them that the rules allow.
pub fn decisions(state: &State, seat: Seat) -> (Vec<Decision>, Vec<Decision>) {
    let hand = state.hands()[seat];
    let registered = state.registered()[seat];
    let (mut all, mut legal) = (Vec::new(), Vec::new());
    let mut put = |decision: Decision, is_legal: bool| {
        all.push(decision);
        if is_legal {
            legal.push(decision);
        }
    };
    let (window, start, play) = match state.phase() {
        Phase::Window => (true, false, false),
        Phase::Start => (false, true, false),
        Phase::Play => (false, false, true),
    };
    let top = state.pile().ids().last().copied();
    put(Decision::Decline, window);
    put(Decision::Draw, start);
    for stop in Stop::ALL {
        let may = may_stop(state.rules(), hand, registered, stop);
        put(Decision::Stop(stop), start && may);
    }
    for cards in subsets(hand) {
        if let Some(card) = top {
            let meld = cards | Cards::one(card);
            put(Decision::Claim(meld), window && register(meld).is_some());
        }
        put(Decision::Claim(cards), false);
        put(Decision::Register(cards), play && register(cards).is_some());
        for (number, meld) in (0..).zip(state.table().melds()) {
            let may = lay_off(meld.kind(), meld.cards(), cards).is_some();
            let decision = Decision::LayOff {
                cards,
                meld: number,
            };
            put(decision, play && registered && may);
        }
        let beyond = state.table().melds().len() as u8;
        put(
            Decision::LayOff {
                cards,
                meld: beyond,
            },
            false,
        );
    }
    for card in 0..=u8::MAX {
        let held = hand.iter().any(|id| id == card);
        put(Decision::Discard(card), play && held);
    }
    (all, legal)
}

/// The settlement of the page, told by hand: `declarer` of a failed plain stop, or `feeder` whose
/// discard was claimed and went out.
pub fn settlement(
    hands: &BySeat<Cards>,
    registered: &BySeat<bool>,
    winner: Seat,
    e: i64,
    declarer: Option<Seat>,
    feeder: Option<Seat>,
) -> Vec<i64> {
    let n = hands.players();
    let mut order: Vec<Seat> = Seat::all(n)
        .filter(|&s| s != winner && Some(s) != declarer)
        .collect();
    order.sort_by_key(|&s| {
        let distance = (s.0 + n - winner.0) % n;
        (!registered[s], sum(hands[s]), hands[s].len(), distance)
    });
    let sevens = |s: Seat| 2i64.pow(hands[s].iter().filter(|&id| is_seven(id)).count() as u32);
    let mut shares = vec![0; usize::from(n)];
    for (place, &seat) in order.iter().enumerate() {
        let rung = if registered[seat] {
            place as i64 + 1
        } else {
            i64::from(n) - 1
        };
        let doubled = if registered[seat] { 1 } else { 2 };
        shares[seat.index()] = rung * e * doubled * sevens(seat);
    }
    if let Some(seat) = declarer {
        shares[seat.index()] = (i64::from(n) - 1) * sevens(seat);
    }
    let total: i64 = shares.iter().sum();
    let mut points = match declarer.or(feeder) {
        None => shares.iter().map(|share| -share).collect(),
        Some(alone) => {
            let mut points = vec![0; usize::from(n)];
            points[alone.index()] = -total;
            points
        }
    };
    points[winner.index()] = total;
    points
}
