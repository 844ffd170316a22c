//! Turns by hand, and going out against a search without shortcuts.

use super::{Boards, completing, draws_that_go_out, goes_out};
use crate::card::{DECK, parse_cards};
use crate::meld::{Kind, Meld, can_claim, can_register, each_register};
use crate::moves::Decision;
use crate::table::{Board, Table};
use evenhand_contract::{Cards, Seat, Work};
use proptest::prelude::*;

fn cards(text: &str) -> Cards {
    parse_cards("cards", text).expect("cards")
}

fn board(hand: &str, registered: bool, melds: &[(Kind, &str)]) -> Board {
    let mut table = Table::default();
    for (kind, text) in melds {
        table
            .add(Meld::new(*kind, cards(text), Seat(1)))
            .expect("room");
    }
    Board {
        seat: Seat(0),
        hand: cards(hand),
        table,
        registered,
    }
}

fn free() -> Work<'static> {
    Work::units(u64::MAX)
}

/// Every way to play on, nothing left out.
fn slowly(board: &Board) -> bool {
    if board.hand.len() <= 1 {
        return true;
    }
    let mut moves = Vec::new();
    each_register(board.hand, |cards, _| moves.push(Decision::Register(cards)));
    if board.registered {
        board.table.each_lay_off(board.hand, |cards, meld| {
            moves.push(Decision::LayOff { cards, meld });
        });
    }
    moves.iter().any(|decision| {
        let mut after = *board;
        after.play(decision).is_ok() && slowly(&after)
    })
}

#[test]
fn a_turn_s_boards_are_each_found_once() {
    let mut boards = Boards::default();
    let hand = board("5C 6C 7C 8C KD", false, &[]);
    let found = boards.find(hand, &mut free()).expect("free");
    let left: Vec<Cards> = found.iter().map(|r| r.board.hand).collect();
    assert!(left.contains(&cards("5C 6C 7C 8C KD")) && left.contains(&cards("KD")));
    assert!(left.contains(&cards("5C KD")) && left.contains(&cards("5C 6C 8C KD")));
    assert!(!left.contains(&cards("6C KD")), "5C alone is no meld");
    let ends = found.iter().filter(|r| r.board.hand == cards("KD")).count();
    assert_eq!(ends, 1, "a run of four, however it came to lie");
    assert_eq!(found[0].first, None);
    let moved = found.iter().skip(1).all(|r| {
        let mut replayed = hand;
        r.first.is_some_and(|first| replayed.play(&first).is_ok())
    });
    assert!(moved);
}

#[test]
fn going_out_by_hand() {
    let out = |b: &Board| goes_out(b, &mut free()).expect("free");
    assert!(out(&board("KD", false, &[])));
    assert!(!out(&board("KD QD", true, &[])));
    assert!(out(&board("KD QD 7C", true, &[(Kind::Run, "9D 10D JD")])));
    // Unregistered: the 7 first, and then the rest may be laid off.
    assert!(out(&board("KD QD 7C", false, &[(Kind::Run, "9D 10D JD")])));
    assert!(!out(&board("KD QD 2C", false, &[(Kind::Run, "9D 10D JD")])));
    assert!(out(&board("7C 7D 3S", true, &[(Kind::Seven, "7H")])));
    assert!(!out(&board("5C 6C 7C 8C 9C 10C KD KH", false, &[])));
    assert!(out(&board("5C 6C 7C 8C 9C 10C KD", false, &[])));
}

#[test]
fn draws_by_hand() {
    let count = |b: &Board| {
        let unseen = DECK - b.hand - b.table.cards();
        draws_that_go_out(b, unseen, &mut free()).expect("free")
    };
    // 8D, QD and the four 7s go out; the rest does not.
    assert_eq!(count(&board("2S", true, &[(Kind::Run, "9D 10D JD")])), 6);
    // The queen goes by itself.
    assert_eq!(count(&board("QD", true, &[(Kind::Run, "9D 10D JD")])), 48);
    // Two kings: a third king is a meld; nothing else empties them.
    assert_eq!(count(&board("KC KD", true, &[])), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn going_out_is_what_a_full_search_finds(
        bits in prop::collection::vec(0..52u8, 2..7),
        table in prop::collection::vec(0..13u8, 0..3),
        registered in any::<bool>(),
    ) {
        let mut lying = Table::default();
        let mut used = Cards::EMPTY;
        for (i, rank) in table.iter().enumerate() {
            let suit = i as u8;
            let run: Cards = (0..3).map(|k| 4 * ((rank + k) % 13) + suit).collect();
            if !used.meets(run) {
                used |= run;
                prop_assert!(lying.add(Meld::new(Kind::Run, run, Seat(1))).is_ok());
            }
        }
        let hand = bits.iter().copied().collect::<Cards>() - used;
        prop_assume!(!hand.is_empty());
        let board = Board { seat: Seat(0), hand, table: lying, registered };
        prop_assert_eq!(goes_out(&board, &mut free()).unwrap(), slowly(&board));
        let unseen = DECK - hand - used;
        let slow = unseen.iter().filter(|id| {
            let mut with = board;
            with.hand |= Cards::one(*id);
            slowly(&with)
        });
        prop_assert_eq!(
            draws_that_go_out(&board, unseen, &mut free()).unwrap(),
            slow.count() as u32
        );
    }

    #[test]
    fn completing_cards_are_those_that_could_be_claimed(bits in prop::collection::vec(0..52u8, 1..8)) {
        let hand: Cards = bits.into_iter().collect();
        let unseen = DECK - hand;
        let sevens = crate::card::SEVENS;
        for id in unseen - sevens {
            let with = hand | Cards::one(id);
            prop_assert_eq!(completing(hand, unseen).has(id), can_claim(id, hand));
            if can_claim(id, hand) {
                prop_assert!(can_register(with));
            }
        }
    }
}
