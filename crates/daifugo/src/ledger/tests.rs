//! May-beat against every answer that the cards allow, listed one by one.

use super::*;
use crate::card::{DECK, cards_text};
use crate::legal::{follows, leads};
use evenhand_contract::Stream;

fn random(stream: &mut Stream, pool: Cards, count: u32) -> Cards {
    let mut ids: Vec<u8> = pool.iter().collect();
    stream.shuffle(&mut ids);
    ids.into_iter().take(count as usize).collect()
}

#[test]
fn may_beat_is_what_some_hand_can() {
    let mut stream = Stream::keyed("ledger-test", &[]);
    let (mut yes, mut tight) = (0, 0);
    for round in 0..3_000u32 {
        let pool = match round % 3 {
            0 => DECK,
            1 => JOKERS | span(2, 1, 8) | span(3, 3, 3),
            _ => JOKERS | Cards(0xffff << 16) | Cards::one(SPADE_3),
        };
        let field_hand = random(&mut stream, pool, 5);
        let mut fields = Vec::new();
        leads(field_hand, &mut fields);
        let sure_size = stream.below(4);
        let sure = random(&mut stream, pool - field_hand, sure_size);
        let maybe_size = stream.below(9);
        let maybe = random(&mut stream, pool - field_hand - sure, maybe_size);
        let free = stream.below(maybe.len() + 1);
        let holding = Holding { sure, maybe, free };
        for _ in 0..8 {
            let pick = fields[stream.below(fields.len() as u32) as usize];
            let field = pick.play().expect("valid").expect("a play");
            let revolution = stream.below(2) == 1;
            let mut answers = Vec::new();
            follows(sure | maybe, &field, revolution, &mut answers);
            let expected = answers.iter().any(|a| (a.cards() - sure).len() <= free);
            assert_eq!(
                holding.may_beat(&field, revolution),
                expected,
                "sure {}, {free} of {}, on {field:?}",
                cards_text(sure),
                cards_text(maybe),
            );
            yes += usize::from(expected);
            tight += usize::from(expected == answers.is_empty());
        }
    }
    assert!(yes > 2_000 && tight > 300, "{yes} {tight}");
}
