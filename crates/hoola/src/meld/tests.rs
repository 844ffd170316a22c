//! Melds against an oracle that shares nothing with them: ranks counted card by card, runs tried
//! from every first card.

use super::*;
use crate::card::{DECK, parse_cards};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn cards(text: &str) -> Cards {
    parse_cards("cards", text).expect("cards")
}

/// The runs of every first card and length, as lists of ids.
fn oracle_runs(shortest: u32) -> BTreeSet<u64> {
    let mut runs = BTreeSet::new();
    for suit in 0..4u32 {
        for first in 0..13u32 {
            for length in shortest..=13 {
                let ids = (0..length).map(|step| 4 * ((first + step) % 13) + suit);
                runs.insert(ids.fold(0, |bits, id| bits | 1u64 << id));
            }
        }
    }
    runs
}

fn oracle_sets(smallest: u32) -> BTreeSet<u64> {
    let mut sets = BTreeSet::new();
    for rank in 0..13 {
        for subset in 0..16u64 {
            if subset.count_ones() >= smallest {
                sets.insert(subset << (4 * rank));
            }
        }
    }
    sets
}

/// Everything that may be registered from a full deck: 4 sevens, 13 x 5 sets, 4 x (13 x 10 + 1)
/// runs.
fn oracle_melds() -> BTreeSet<u64> {
    let sevens = (24..28).map(|id| 1u64 << id);
    let mut all: BTreeSet<u64> = sevens.collect();
    all.extend(oracle_sets(3));
    all.extend(oracle_runs(3));
    assert_eq!(all.len(), 4 + 65 + 524);
    all
}

#[test]
fn the_full_deck_registers_every_meld_once() {
    let mut seen = Vec::new();
    each_register(DECK, |cards, kind| {
        assert_eq!(classify(cards), Some(kind));
        seen.push(cards.0);
    });
    let as_set: BTreeSet<u64> = seen.iter().copied().collect();
    assert_eq!(as_set.len(), seen.len());
    assert_eq!(as_set, oracle_melds());
}

#[test]
fn kinds_that_may_lie_on_the_table() {
    for (kind, text, may) in [
        (Kind::Run, "7H 8H", true),
        (Kind::Run, "8H 9H", false),
        (Kind::Run, "KS AS 2S", true),
        (Kind::Run, "7H", false),
        (Kind::Seven, "7H", true),
        (Kind::Seven, "8H", false),
        (Kind::Set, "8H 8C", false),
        (Kind::Set, "8H 8C 8S", true),
        (Kind::Set, "", false),
        (Kind::Run, "", false),
    ] {
        assert_eq!(kind.may_be(cards(text)), may, "{kind:?} {text}");
    }
}

/// With the whole rest of a suit in hand, the ends meet: each set of cards is listed once.
#[test]
fn the_rest_of_a_suit_is_laid_off_in_every_way_once() {
    for first in 0..13u8 {
        let arc =
            |length: u8| -> Cards { (0..length).map(|i| 4 * ((first + i) % 13) + 1).collect() };
        for length in 3..=13 {
            let on_table = arc(length);
            let mut seen = Vec::new();
            let meld = Meld::new(Kind::Run, on_table, Seat(0));
            meld.each_lay_off(DECK - on_table, |cards| seen.push(cards.0));
            let room = usize::from(13 - length);
            // i cards below and j above: any i + j < room, and the whole rest.
            let ways = if room == 0 { 0 } else { room * (room + 1) / 2 };
            let distinct: BTreeSet<u64> = seen.iter().copied().collect();
            assert_eq!((seen.len(), distinct.len()), (ways, ways), "{meld:?}");
        }
    }
}

/// A hand that holds melds more often than chance would.
fn hand() -> impl Strategy<Value = Cards> {
    let any = 0..1u64 << 52;
    let thin = (any.clone(), any.clone(), any.clone()).prop_map(|(a, b, c)| Cards(a & b & c));
    let suited = (any.clone(), any, 0u8..4)
        .prop_map(|(a, b, suit)| Cards((a & b) & 0xfff0_f000_f0f0) | Cards(a) & suit_cards(suit));
    prop_oneof![thin, suited]
}

proptest! {
    #[test]
    fn a_hand_registers_the_melds_within_it(hand in hand()) {
        let mut seen = Vec::new();
        each_register(hand, |cards, _| seen.push(cards.0));
        let expected: BTreeSet<u64> =
            oracle_melds().into_iter().filter(|m| m & !hand.0 == 0).collect();
        prop_assert_eq!(seen.len(), expected.len());
        prop_assert_eq!(can_register(hand), !expected.is_empty());
        prop_assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn a_card_is_claimed_with_the_melds_that_hold_it(hand in hand(), card in 0u8..52) {
        let hand = hand - Cards::one(card);
        let within = (hand | Cards::one(card)).0;
        let mut seen = Vec::new();
        each_claim(card, hand, |cards| seen.push(cards.0));
        let expected: BTreeSet<u64> = oracle_melds()
            .into_iter()
            .filter(|m| m & !within == 0 && m >> card & 1 == 1)
            .collect();
        prop_assert_eq!(can_claim(card, hand), !expected.is_empty());
        prop_assert_eq!(seen.len(), expected.len());
        prop_assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn lay_offs_are_the_subsets_that_make_a_meld(hand in hand(), pick in 0usize..593, cut in 0usize..13) {
        // A meld of the table: one that can be registered, or a run cut down to two with a 7.
        let melds: Vec<u64> = oracle_melds().into_iter().collect();
        let mut on_table = Cards(melds[pick]);
        let mut kind = classify(on_table).expect("a meld");
        if kind == Kind::Run && on_table.meets(SEVENS) && cut < 6 {
            on_table &= SEVENS;
            kind = Kind::Seven;
            if cut < 3 {
                on_table |= Cards::one(next_up(on_table.lowest().expect("a seven")));
                kind = Kind::Run;
            }
        }
        prop_assert!(kind.may_be(on_table));
        let meld = Meld::new(kind, on_table, Seat(3));
        prop_assert_eq!((meld.kind(), meld.cards(), meld.owner()), (kind, on_table, Seat(3)));
        let hand = hand - on_table;
        let mut seen = Vec::new();
        meld.each_lay_off(hand, |cards| seen.push(cards.0));
        // What may result, by the page: a set stays a set, a run a run, a seven becomes either.
        let results: BTreeSet<u64> = match kind {
            Kind::Set => oracle_sets(3),
            Kind::Run => oracle_runs(2),
            Kind::Seven => &oracle_sets(3) | &oracle_runs(2),
        };
        let expected: BTreeSet<u64> = results
            .into_iter()
            .filter(|all| on_table.0 & !all == 0 && *all != on_table.0)
            .map(|all| all & !on_table.0)
            .filter(|laid| laid & !hand.0 == 0)
            .collect();
        prop_assert_eq!(seen.len(), expected.len());
        let seen: BTreeSet<u64> = seen.into_iter().collect();
        prop_assert_eq!(&seen, &expected);
        for &laid in &seen {
            let after = meld.with(Cards(laid)).expect("legal");
            prop_assert!(after.kind().may_be(after.cards()));
            prop_assert_eq!(after.cards(), on_table | Cards(laid));
            prop_assert_eq!(after.owner(), Seat(3));
        }
        let singles = expected.iter().filter(|laid| laid.count_ones() == 1);
        let singles: Cards = singles.map(|laid| laid.trailing_zeros() as u8).collect();
        prop_assert_eq!(meld.next() & hand, singles);
    }

    #[test]
    fn a_lay_off_that_is_not_listed_is_refused(hand in hand(), pick in 0usize..593, subset: u64) {
        let melds: Vec<u64> = oracle_melds().into_iter().collect();
        let on_table = Cards(melds[pick]);
        let meld = Meld::new(classify(on_table).expect("a meld"), on_table, Seat(0));
        let hand = hand - on_table;
        let tried = Cards(subset) & hand;
        let mut listed = false;
        meld.each_lay_off(hand, |cards| listed |= cards == tried);
        prop_assert_eq!(meld.with(tried).is_some(), listed);
    }
}
