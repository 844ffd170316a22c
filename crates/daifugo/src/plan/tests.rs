use super::*;
use crate::card::{JOKERS, cards_text, parse_cards, rank_cards, suit_cards};
use crate::play::{JOKER_RANK, Kind, Play};
use crate::rules::Rules;
use evenhand_contract::Stream;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The default rules with two switches.
fn rules(foul_eight: bool, foul_spade3: bool) -> Rules {
    Rules {
        foul_eight,
        foul_spade3,
        ..Rules::default()
    }
}

fn cards(text: &str) -> Cards {
    parse_cards("hand", text).expect("cards")
}

fn all(hand: Cards) -> (Index, Vec<Piece>) {
    let index = Index::new(hand);
    let mut out = Vec::new();
    pieces(&index, &mut out);
    (index, out)
}

/// The plays that a set of cards can be, from the wording of the rules.
fn plays_of(cards: Cards) -> BTreeSet<Play> {
    let naturals = cards - JOKERS;
    let size = cards.len() as u8;
    let mut plays = BTreeSet::new();
    let mut add = |kind, rank| plays.insert(Play { kind, rank, cards });
    if naturals.is_empty() {
        if size > 0 {
            add(Kind::Set, JOKER_RANK);
        }
        return plays;
    }
    let ranks: BTreeSet<u8> = naturals.iter().map(|id| id / 4).collect();
    let suits: BTreeSet<u8> = naturals.iter().map(|id| id % 4).collect();
    if ranks.len() == 1 {
        add(Kind::Set, *ranks.first().expect("one"));
    }
    if size >= 3 && suits.len() == 1 {
        for start in 0..=13 - size.min(13) {
            // Jokers fill whatever of the window is not there.
            if ranks.iter().all(|r| (start..start + size).contains(r)) {
                add(Kind::Stair, start);
            }
        }
    }
    plays
}

fn subsets(hand: Cards) -> impl Iterator<Item = Cards> {
    let ids: Vec<u8> = hand.iter().collect();
    (0..1u32 << ids.len()).map(move |mask| {
        (0..ids.len())
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| ids[i])
            .collect()
    })
}

/// Whether a last play is a normal finish, from the wording of the rules.
fn normal(play: Play, revolution: bool, rules: Rules) -> bool {
    let cards = play.cards;
    let top = if revolution { 0 } else { 12 };
    let of_top = cards.iter().any(|id| id < 52 && id / 4 == top);
    let eights = play.kind == Kind::Set && play.rank == 5;
    let spade3 = cards == Cards::one(3);
    !(cards.meets(JOKERS) || of_top || eights && rules.foul_eight || spade3 && rules.foul_spade3)
}

/// Tries every order of every play. Knows nothing of partitions.
struct Oracle<F: Fn(&Play) -> i16> {
    rules: Rules,
    price: F,
    last: i16,
    known: BTreeMap<(Cards, bool), i16>,
}

impl<F: Fn(&Play) -> i16> Oracle<F> {
    fn new(rules: Rules, last: i16, price: F) -> Self {
        Self {
            rules,
            price,
            last,
            known: BTreeMap::new(),
        }
    }

    fn least(&mut self, hand: Cards, revolution: bool) -> i16 {
        if hand.is_empty() {
            return NO_FINISH;
        }
        if let Some(&known) = self.known.get(&(hand, revolution)) {
            return known;
        }
        let mut least = NO_FINISH;
        for cards in subsets(hand) {
            for play in plays_of(cards) {
                let rest = hand - cards;
                let turned = revolution != (play.kind == Kind::Set && cards.len() >= 4);
                let cost = if !rest.is_empty() {
                    (self.price)(&play).saturating_add(self.least(rest, turned))
                } else if normal(play, revolution, self.rules) {
                    self.last
                } else {
                    NO_FINISH
                };
                least = least.min(cost.min(NO_FINISH));
            }
        }
        self.known.insert((hand, revolution), least);
        least
    }
}

fn table(
    hand: Cards,
    rules: Rules,
    last: i16,
    revolution: bool,
    price: impl Fn(&Play) -> i16,
) -> (Index, Table) {
    let (index, pieces) = all(hand);
    let parts: Vec<_> = pieces
        .iter()
        .map(|p| p.part(price(&p.play), rules))
        .collect();
    let mut table = Table::default();
    let twin = hand.has_all(JOKERS);
    table.fill(hand.len() as usize, last, twin, revolution, &parts);
    (index, table)
}

/// A hand from few ranks and suits, so that sets, stairs and revolutions are common.
fn crowded(stream: &mut Stream, most: u32) -> Cards {
    let pools = [
        (rank_cards(0) | rank_cards(1) | rank_cards(5) | rank_cards(12) | JOKERS).0,
        (suit_cards(3) | JOKERS | rank_cards(7)).0,
        (rank_cards(0) | rank_cards(12) | Cards(0x11_1111)).0,
        (1 << 54) - 1,
    ];
    let mut ids: Vec<u8> = Cards(pools[stream.below(4) as usize]).iter().collect();
    stream.shuffle(&mut ids);
    let count = 1 + stream.below(most) as usize;
    ids.into_iter().take(count).collect()
}

#[test]
fn pieces_are_the_plays_of_the_rules() {
    let mut stream = Stream::keyed("test", &[("what", &"pieces")]);
    for _ in 0..300 {
        let hand = crowded(&mut stream, 9);
        let (index, found) = all(hand);
        let mut listed: Vec<_> = found.iter().map(|p| p.play).collect();
        listed.sort_unstable();
        let mut expected: Vec<_> = subsets(hand).flat_map(plays_of).collect();
        expected.sort_unstable();
        assert_eq!(listed, expected, "{}", cards_text(hand));
        for piece in found {
            assert_eq!(piece.mask, index.mask(piece.play.cards));
            for revolution in [false, true] {
                for (eight, spade3) in [(false, false), (true, false), (false, true), (true, true)]
                {
                    let rules = rules(eight, spade3);
                    assert_eq!(
                        !piece.play.fouls(revolution, rules),
                        normal(piece.play, revolution, rules),
                        "{} {revolution} {rules:?}",
                        cards_text(piece.play.cards)
                    );
                }
            }
        }
    }
}

/// Every subset of a hand against every order of plays; with `turn` the switches vary.
fn agrees(hand: Cards, rules: Rules, last: i16, price: impl Fn(&Play) -> i16 + Copy) {
    let tables = [false, true].map(|revolution| table(hand, rules, last, revolution, price));
    let mut oracle = Oracle::new(rules, last, price);
    for sub in subsets(hand) {
        if hand.has_all(JOKERS) && sub.has(53) && !sub.has(52) {
            continue;
        }
        for (revolution, (index, table)) in [false, true].into_iter().zip(&tables) {
            let mask = index.mask(sub);
            assert_eq!(
                table.finish(mask, revolution),
                oracle.least(sub, revolution),
                "{} of {}, revolution {revolution}",
                cards_text(sub),
                cards_text(hand)
            );
        }
    }
}

#[test]
fn fewest_plays_agree_with_every_order_of_plays() {
    let mut stream = Stream::keyed("test", &[("what", &"fewest")]);
    for round in 0..60 {
        let hand = crowded(&mut stream, 7);
        let rules = rules(round % 3 != 0, round % 4 == 0);
        agrees(hand, rules, 1, |_| 1);
    }
}

#[test]
fn least_sums_agree_with_every_order_of_plays() {
    let mut stream = Stream::keyed("test", &[("what", &"sums")]);
    for round in 0..60 {
        let hand = crowded(&mut stream, 7);
        let rules = rules(round % 3 != 0, round % 4 == 0);
        let price = |play: &Play| {
            let mixed = u32::from(play.rank) * 77 + play.size() * 131 + play.kind as u32 * 57;
            (mixed * 2_654_435 % 1_201) as i16
        };
        agrees(hand, rules, 0, price);
    }
}

#[test]
fn known_plans() {
    let fewest = |text: &str, revolution: bool| {
        let hand = cards(text);
        let (index, table) = table(hand, Rules::default(), 1, revolution, |_| 1);
        table.finish(index.mask(hand), revolution)
    };
    // Nothing left that finishes normally: jokers, twos, eights alone.
    assert_eq!(fewest("2H *1", false), NO_FINISH);
    assert_eq!(fewest("8C 8D", false), NO_FINISH);
    assert_eq!(fewest("2H *1", true), 2, "the joker, then the two");
    assert_eq!(fewest("3C", true), NO_FINISH);
    assert_eq!(fewest("KS 2H *1", false), 2, "2 with the joker, then K");
    assert_eq!(fewest("8C 8D 2C 2D 2H KC", false), 3);
    // A hand's own revolution lets a two end, and keeps a three from it.
    assert_eq!(fewest("4C 4D 4H 4S 2C", false), 2);
    assert_eq!(fewest("4C 4D 4H 4S 3C", false), 2, "the three first");
    assert_eq!(fewest("3C 3D 3H 3S", true), NO_FINISH);
    assert_eq!(fewest("3C 3D 3H *1 2C", false), 2);
    // The set of four is judged by the order before it.
    assert_eq!(fewest("4C 4D 4H 4S", false), 1);
    assert_eq!(fewest("2C 2D 2H 2S", false), NO_FINISH);
    assert_eq!(fewest("2C 2D 2H 2S", true), 1);
    // Stairs: one with an eight may end, one with a two may not.
    assert_eq!(fewest("7C 8C 9C", false), 1);
    assert_eq!(fewest("KC AC 2C", false), 3);
    assert_eq!(fewest("KC AC 2C", true), 1);
    assert_eq!(fewest("3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2C", false), 2);
}

#[test]
fn without_a_finish_the_plain_count_is_there() {
    let hand = cards("2H 8C 8D *1");
    let (index, table) = table(hand, Rules::default(), 1, false, |_| 1);
    assert_eq!(table.finish(index.mask(hand), false), NO_FINISH);
    assert_eq!(table.plain(index.mask(hand)), 2);
}

#[test]
fn a_table_is_made_anew_each_time() {
    let (first, second) = (cards("4C 4D 4H 4S 2C"), cards("2C"));
    let mut table = Table::default();
    for hand in [first, second] {
        let (index, pieces) = all(hand);
        let parts: Vec<_> = pieces.iter().map(|p| p.part(1, Rules::default())).collect();
        table.fill(hand.len() as usize, 1, false, false, &parts);
        let expected = if hand == first { 2 } else { NO_FINISH };
        assert_eq!(table.finish(index.full(), false), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn one_card_more_costs_at_most_one_play_more(seed in 0u64..1 << 40) {
        let mut stream = Stream::keyed("test", &[("plain", &seed)]);
        let hand = crowded(&mut stream, 13);
        let tables = [false, true].map(|r| table(hand, Rules::default(), 1, r, |_| 1));
        let twins = hand.has_all(JOKERS);
        let sub: Cards = hand.iter().filter(|_| stream.below(2) == 0).collect();
        for card in hand - sub {
            let more = sub | Cards::one(card);
            let left_out = |set: Cards| twins && set.has(53) && !set.has(52);
            if left_out(more) || left_out(sub) {
                continue;
            }
            for (revolution, (index, table)) in [false, true].into_iter().zip(&tables) {
                let before = table.finish(index.mask(sub), revolution);
                let after = table.finish(index.mask(more), revolution);
                prop_assert!(after <= before.saturating_add(1).min(NO_FINISH));
                prop_assert!(table.plain(index.mask(more)) <= table.plain(index.mask(sub)) + 1);
            }
        }
    }
}
