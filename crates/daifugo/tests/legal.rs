//! Listed as legal, accepted as legal, and legal by a plain reading of the rules page: the three
//! agree on small hands. The reading below tries every set of cards in every way to play it and
//! shares nothing with the engine but the ids.

use evenhand_contract::{BySeat, Cards, Game, Seat, Stream};
use evenhand_daifugo::deal::Deal;
use evenhand_daifugo::rules::Rules;
use evenhand_daifugo::state::{Carry, State};
use evenhand_daifugo::{Daifugo, Decision, Memo};

/// A natural's rank from 3 = 0 to 2 = 12 and its suit; `None` for a joker.
fn natural(id: u8) -> Option<(i32, i32)> {
    (id < 52).then(|| (i32::from(id) / 4, i32::from(id) % 4))
}

/// How a way of playing cards compares: whether a stair, how many cards, and what they are worth.
type Worth = (bool, usize, i32);

/// What the cards are worth in this way under this order; `None` when they cannot be played so.
fn worth(ids: &[u8], start: Option<i32>, revolution: bool) -> Option<Worth> {
    let naturals: Vec<(i32, i32)> = ids.iter().filter_map(|&id| natural(id)).collect();
    let value = |rank: i32| if revolution { 12 - rank } else { rank };
    let Some(start) = start else {
        let same = naturals.windows(2).all(|pair| pair[0].0 == pair[1].0);
        let rank = naturals.first().map_or(99, |first| value(first.0));
        return (same && !ids.is_empty()).then_some((false, ids.len(), rank));
    };
    let places: Vec<i32> = (start..start + ids.len() as i32).collect();
    let one_suit = naturals.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let all_in = naturals.iter().all(|card| places.contains(&card.0));
    let weakest = places.iter().map(|&rank| value(rank)).min()?;
    let fits = ids.len() >= 3 && places.iter().all(|rank| (0..13).contains(rank));
    (fits && one_suit && all_in && !naturals.is_empty()).then_some((true, ids.len(), weakest))
}

/// Every way to play cards of a hand on a field.
fn expected(hand: &[u8], field: Option<(&[u8], Worth)>, revolution: bool) -> Vec<Decision> {
    let mut found = Vec::new();
    for pick in 1u32..1 << hand.len() {
        let ids: Vec<u8> = (0..hand.len())
            .filter(|i| pick >> i & 1 == 1)
            .map(|i| hand[i])
            .collect();
        let cards: Cards = ids.iter().copied().collect();
        for start in [None].into_iter().chain((0..13).map(Some)) {
            let Some(mine) = worth(&ids, start, revolution) else {
                continue;
            };
            let beats = field.is_none_or(|(on, theirs)| {
                let spade_3 = ids == [3] && on.len() == 1 && on[0] >= 52;
                (mine.0, mine.1) == (theirs.0, theirs.1) && (mine.2 > theirs.2 || spade_3)
            });
            if beats {
                found.push(match start {
                    None => Decision::Set(cards),
                    Some(start) => Decision::Stair {
                        cards,
                        start: start as u8,
                    },
                });
            }
        }
    }
    if field.is_some() {
        found.push(Decision::Pass);
    }
    found.sort();
    found
}

fn listed(state: &State, seat: Seat) -> Vec<Decision> {
    let mut list = Vec::new();
    Daifugo::legal(&state.view(seat), &mut Memo::default(), &mut list);
    list.sort();
    list
}

/// Every decision over the hand's cards that the engine accepts.
fn accepted(state: &State, seat: Seat, hand: &[u8]) -> Vec<Decision> {
    let mut found = Vec::new();
    for pick in 0u32..1 << hand.len() {
        let cards: Cards = (0..hand.len())
            .filter(|i| pick >> i & 1 == 1)
            .map(|i| hand[i])
            .collect();
        let stairs = (0..15).map(|start| Decision::Stair { cards, start });
        for decision in stairs.chain([Decision::Set(cards), Decision::Return(cards)]) {
            if Daifugo::apply(&mut state.clone(), seat, &decision).is_ok() {
                found.push(decision);
            }
        }
    }
    if Daifugo::apply(&mut state.clone(), seat, &Decision::Pass).is_ok() {
        found.push(Decision::Pass);
    }
    found.sort();
    found
}

#[test]
fn three_readings_agree_on_small_hands() {
    let mut stream = Stream::keyed("three-readings", &[]);
    let (mut stairs, mut answers) = (0, 0);
    for round in 0..250u32 {
        // Near ranks and few suits, so that stairs, large sets and answers are frequent.
        let mut pool: Vec<u8> = match round % 3 {
            0 => (0..54).collect(),
            1 => (8..32).filter(|id| id % 4 < 2).chain([3, 52, 53]).collect(),
            _ => (36..54).collect(),
        };
        stream.shuffle(&mut pool);
        let hands = BySeat::from_fn(3, |seat| {
            let from = 4 * seat.index() + usize::from(seat.0 > 1);
            pool[from..(from + 4 + usize::from(seat.0 == 1)).min(pool.len())]
                .iter()
                .copied()
                .collect::<Cards>()
        });
        let deal = Deal {
            hands,
            blind: Cards::EMPTY,
            leader: Seat(0),
        };
        for revolution in [false, true] {
            let state = State::in_play(Rules::default(), &deal, &Carry::default(), revolution);
            let lead: Vec<u8> = hands[Seat(0)].iter().collect();
            let leads = expected(&lead, None, revolution);
            assert_eq!(listed(&state, Seat(0)), leads);
            assert_eq!(accepted(&state, Seat(0), &lead), leads);
            for decision in leads {
                stairs += u32::from(matches!(decision, Decision::Stair { .. }));
                let mut next = state;
                Daifugo::apply(&mut next, Seat(0), &decision).expect("legal");
                let on: Vec<u8> = decision.cards().iter().collect();
                let start = match decision {
                    Decision::Stair { start, .. } => Some(i32::from(start)),
                    _ => None,
                };
                let Some(seat) = next.to_act().filter(|seat| *seat != Seat(0)) else {
                    continue;
                };
                let hand: Vec<u8> = next.hands()[seat].iter().collect();
                let theirs = worth(&on, start, next.revolution()).expect("a play");
                let field = next.field().map(|_| (&on[..], theirs));
                let follows = expected(&hand, field, next.revolution());
                assert_eq!(listed(&next, seat), follows);
                assert_eq!(accepted(&next, seat, &hand), follows);
                answers += follows.len() - 1;
            }
        }
    }
    assert!(stairs > 200 && answers > 5_000, "{stairs} {answers}");
}
