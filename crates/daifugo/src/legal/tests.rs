//! The list against an oracle that tries every set of cards as every play.

use super::*;
use crate::card::{DECK, cards_text, parse_cards};
use evenhand_contract::Stream;

/// Every play that any set of the hand's cards makes, by trying them all.
fn oracle(hand: Cards, field: Option<&Play>, revolution: bool) -> Vec<Decision> {
    let mut found = Vec::new();
    for cards in subsets(hand.0).map(Cards) {
        let stairs = (0..RANKS).map(|start| Play::stair(cards, start));
        for play in stairs.chain([Play::set(cards)]).flatten() {
            if field.is_none_or(|field| play.beats(field, revolution)) {
                found.push(play.decision());
            }
        }
    }
    found.sort();
    found
}

fn random(stream: &mut Stream, pool: Cards, count: u32) -> Cards {
    let mut ids: Vec<u8> = pool.iter().collect();
    stream.shuffle(&mut ids);
    ids.into_iter().take(count as usize).collect()
}

#[test]
fn leads_and_follows_are_those_of_the_oracle() {
    let mut stream = Stream::keyed("legal-test", &[]);
    let mut answered = 0;
    for round in 0..400u32 {
        // Few ranks and suits make stairs and large sets frequent; the whole deck makes them rare.
        let pool = match round % 4 {
            0 => DECK,
            1 => JOKERS | span(2, 1, 9) | span(3, 3, 3),
            2 => JOKERS | Cards(0xfff << 16),
            _ => JOKERS | span(0, 0, 13),
        };
        let size = 1 + stream.below(9);
        let hand = random(&mut stream, pool, size);
        let mut listed = Vec::new();
        leads(hand, &mut listed);
        let mut sorted = listed.clone();
        sorted.sort();
        assert_eq!(sorted, oracle(hand, None, false), "{}", cards_text(hand));
        let others = random(&mut stream, pool, 8);
        let mut fields = Vec::new();
        leads(others, &mut fields);
        for _ in 0..6 {
            let pick = fields[stream.below(fields.len() as u32) as usize];
            let field = pick.play().expect("valid").expect("a play");
            for revolution in [false, true] {
                let mut listed = Vec::new();
                follows(hand, &field, revolution, &mut listed);
                let beats = holds_beater(hand, &field, revolution);
                assert_eq!(
                    beats,
                    !listed.is_empty(),
                    "{} on {field:?}",
                    cards_text(hand)
                );
                answered += usize::from(beats);
                listed.sort();
                assert_eq!(listed, oracle(hand, Some(&field), revolution));
            }
        }
    }
    assert!(answered > 500, "{answered}");
}

#[test]
fn the_order_is_the_same_every_time() {
    let hand = parse_cards("hand", "3S 5C 5D 6C 7C *1 *2").expect("cards");
    let mut first = Vec::new();
    leads(hand, &mut first);
    assert_eq!(first[0], Decision::Set(Cards::one(crate::card::SPADE_3)));
    let jokers_alone = Decision::Set(JOKERS);
    let at = first.iter().position(|d| *d == jokers_alone);
    let stairs = first
        .iter()
        .position(|d| matches!(d, Decision::Stair { .. }));
    assert_eq!(
        at.map(|at| at + 1),
        stairs,
        "sets, jokers alone last, then stairs"
    );
    let mut again = Vec::new();
    leads(hand, &mut again);
    assert_eq!(first, again);
}

#[test]
fn the_longest_list_of_a_hand() {
    let mut listed = Vec::new();
    leads(JOKERS | span(1, 0, 11), &mut listed);
    let mut distinct = listed.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), listed.len());
    assert_eq!(distinct, oracle(JOKERS | span(1, 0, 11), None, false));
}

#[test]
fn returns_are_every_choice_of_so_many() {
    let hand = parse_cards("hand", "3S 5C 5D *1").expect("cards");
    let mut listed = Vec::new();
    returns(hand, 2, &mut listed);
    assert_eq!(listed.len(), 6);
    assert!(
        listed
            .iter()
            .all(|d| d.cards().len() == 2 && hand.has_all(d.cards()))
    );
    listed.clear();
    returns(hand, 1, &mut listed);
    assert_eq!(listed.len(), 4);
}
