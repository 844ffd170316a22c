use super::*;
use crate::card::{DECK, SUIT_0};
use evenhand_contract::Stream;

#[test]
fn counts_are_those_of_the_groups() {
    let mut stream = Stream::keyed("count-test", &[]);
    for _ in 0..2_000 {
        let wide = |s: &mut Stream| u64::from(s.next_u32()) << 32 | u64::from(s.next_u32());
        let cards = Cards(wide(&mut stream)) & DECK;
        let counts = RankCounts::of(cards);
        for count in 0..8 {
            let expected = (0..RANKS).fold(0, |bits, rank| {
                let held = (cards & crate::card::rank_cards(rank)).len();
                bits | u64::from(held >= count) << (4 * rank)
            });
            assert_eq!(counts.at_least(count), expected);
        }
    }
}

#[test]
fn stairs_that_want_so_many_jokers() {
    let mut stream = Stream::keyed("stair-test", &[]);
    for _ in 0..500 {
        let thick = |s: &mut Stream| u64::from(s.next_u32() | s.next_u32());
        let cards = Cards(thick(&mut stream) << 32 | thick(&mut stream)) & NATURALS;
        for size in 0..=16 {
            let found = stair_bits(cards, size);
            for (jokers, found) in found.iter().enumerate() {
                let mut expected = 0u64;
                for start in 0..RANKS {
                    for suit in 0..4 {
                        let ends = u32::from(start) + size <= u32::from(RANKS);
                        if size < 3 || !ends {
                            continue;
                        }
                        let here = (u32::from(start)..u32::from(start) + size)
                            .filter(|rank| cards.has((4 * rank + suit) as u8))
                            .count();
                        let fits = here + jokers >= size as usize;
                        expected |= u64::from(fits) << (4 * u32::from(start) + suit);
                    }
                }
                assert_eq!(*found, expected, "{size} with {jokers}");
            }
        }
    }
    assert_eq!(RANK_BITS, SUIT_0);
}

#[test]
fn stronger_ranks_by_both_orders() {
    for revolution in [false, true] {
        for rank in 0..=JOKER_RANK {
            let expected = (0..RANKS)
                .filter(|&other| {
                    let place = |r| {
                        if revolution {
                            12 - i32::from(r)
                        } else {
                            i32::from(r)
                        }
                    };
                    rank < JOKER_RANK && place(other) > place(rank)
                })
                .fold(Cards::EMPTY, |all, r| all | crate::card::rank_cards(r));
            assert_eq!(Cards(stronger(rank, revolution)), expected);
        }
    }
}
