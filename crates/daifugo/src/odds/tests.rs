use super::*;
use crate::card::{DECK, JOKERS, NATURALS, cards_text, parse_cards, rank_cards, suit_cards};
use crate::plan::{Index, Piece, pieces};
use evenhand_contract::Stream;

/// Whether a hand holds a play that beats, by listing all its plays.
fn beats(hand: Cards, play: &Play, revolution: bool, list: &mut Vec<Piece>) -> bool {
    pieces(&Index::new(hand), list);
    list.iter().any(|piece| piece.play.beats(play, revolution))
}

/// Rounded to nearest, in ppm.
fn ppm(hits: u64, all: u64) -> i64 {
    ((u128::from(hits) * 2_000_000 + u128::from(all)) / (2 * u128::from(all.max(1)))) as i64
}

fn cards(text: &str) -> Cards {
    parse_cards("cards", text).expect("cards")
}

/// In how many of all deals of the pool over hand, blind and the rest the hand beats, and all.
fn exhaustive(holder: &Holder, play: &Play, revolution: bool) -> (u64, u64) {
    let ids: Vec<u8> = holder.pool.iter().collect();
    let (mut all, mut hits) = (0u64, 0u64);
    let mut list = Vec::new();
    for mask in 0..1u32 << ids.len() {
        if mask.count_ones() != u32::from(holder.drawn) {
            continue;
        }
        let drawn: Cards = (0..ids.len())
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| ids[i])
            .collect();
        // In so many ways are the blind cards among the naturals that are left.
        let left = ((holder.pool - drawn) & NATURALS).len() as usize;
        let ways = count::CHOOSE[left][usize::from(holder.blind)];
        all += ways;
        hits += ways * u64::from(beats(holder.known | drawn, play, revolution, &mut list));
    }
    (hits, all)
}

/// A random play of few ranks or one suit, and what a seat may hold of the rest.
fn situation(stream: &mut Stream, kind: Kind, most: usize) -> Option<(Holder, Play, bool)> {
    let revolution = stream.below(2) == 0;
    let some = match stream.below(3) {
        0 => rank_cards(3) | rank_cards(6) | rank_cards(12) | rank_cards(0) | JOKERS,
        1 => suit_cards(1) | rank_cards(4) | JOKERS,
        _ => DECK,
    };
    let mut ids: Vec<u8> = some.iter().collect();
    stream.shuffle(&mut ids);
    let mine: Cards = ids.iter().take(6).copied().collect();
    let mut plays = Vec::new();
    pieces(&Index::new(mine), &mut plays);
    plays.retain(|piece| piece.play.kind == kind);
    if plays.is_empty() {
        return None;
    }
    let play = plays[stream.below(plays.len() as u32) as usize].play;
    let known = stream.below(3) as usize;
    let pool = stream.below((most - known) as u32 + 1) as usize;
    let others: Vec<u8> = ids.into_iter().skip(6).collect();
    let known: Cards = others.iter().take(known).copied().collect();
    let pool: Cards = others
        .iter()
        .skip(known.len() as usize)
        .take(pool)
        .copied()
        .collect();
    let blind = stream.below(3).min((pool & NATURALS).len());
    let drawn = stream.below((pool.len() - blind).min(8) + 1) as u8;
    Some((
        Holder {
            pool,
            known,
            drawn,
            blind: blind as u8,
            ..Holder::default()
        },
        play,
        revolution,
    ))
}

#[test]
fn sets_agree_with_every_hand() {
    let mut stream = Stream::keyed("test", &[("what", &"sets")]);
    let mut memo = HolderMemo::default();
    let mut between = 0;
    for _ in 0..1500 {
        let Some((holder, play, revolution)) = situation(&mut stream, Kind::Set, 12) else {
            continue;
        };
        let (hits, all) = exhaustive(&holder, &play, revolution);
        between += u32::from(hits > 0 && hits < all);
        let error = chance(&holder, &play, revolution, &mut memo) - ppm(hits, all);
        assert!(
            error.abs() <= 1,
            "off by {error}: {} by {holder:?}, revolution {revolution}: {hits} of {all}",
            cards_text(play.cards)
        );
    }
    assert!(
        between > 100,
        "only {between} situations with both outcomes"
    );
}

#[test]
fn stairs_come_close_to_every_hand() {
    let mut stream = Stream::keyed("test", &[("what", &"stairs")]);
    let mut memo = HolderMemo::default();
    let (mut sum, mut count, mut worst) = (0, 0, 0);
    for _ in 0..3000 {
        let Some((holder, play, revolution)) = situation(&mut stream, Kind::Stair, 13) else {
            continue;
        };
        let (hits, all) = exhaustive(&holder, &play, revolution);
        let (found, truth) = (
            chance(&holder, &play, revolution, &mut memo),
            ppm(hits, all),
        );
        let error = (found - truth).abs();
        if truth == 0 {
            assert_eq!(found, 0, "{} by {holder:?}", cards_text(play.cards));
        }
        if hits > 0 && hits < all {
            sum += error;
            count += 1;
            worst = worst.max(error);
        }
    }
    println!("{count} between, mean error {}, worst {worst}", sum / count);
    assert!(count > 50, "only {count}");
    assert!(sum / count < 25_000, "mean error {}", sum / count);
}

#[test]
fn a_single_window_is_exact() {
    // 4D 5D 6D are the only ones that can beat 3C 4C 5C.
    let play = Play::stair(cards("3C 4C 5C"), 0).expect("a stair");
    let holder = Holder {
        pool: cards("4D 5D 6D 8C 9H JH QS KS 2C"),
        known: Cards::EMPTY,
        drawn: 5,
        ..Holder::default()
    };
    let (hits, all) = exhaustive(&holder, &play, false);
    assert_eq!((hits, all), (15, 126));
    let found = chance(&holder, &play, false, &mut HolderMemo::default());
    assert!((found - ppm(hits, all)).abs() <= 2, "{found}");
}

#[test]
fn only_the_three_of_spades_beats_a_joker() {
    let joker = Play::set(cards("*1")).expect("a set");
    let mut memo = HolderMemo::default();
    let mut asked = |pool: &str, known: &str| {
        let holder = Holder {
            pool: cards(pool),
            known: cards(known),
            drawn: 2,
            ..Holder::default()
        };
        chance(&holder, &joker, false, &mut memo)
    };
    assert_eq!(asked("3S 4S 5S 6S *2", ""), 400_000);
    assert_eq!(asked("3H 4S 5S 6S *2", "2S"), 0);
    assert_eq!(asked("3H 4S 5S 6S *2", "3S"), PPM_ONE);
    let both = Play::set(cards("*1 *2")).expect("a set");
    let holder = Holder {
        pool: cards("3S 2S 2H 2D"),
        known: Cards::EMPTY,
        drawn: 3,
        ..Holder::default()
    };
    assert_eq!(chance(&holder, &both, false, &mut memo), 0);
}

#[test]
fn what_tribute_tells_agrees_with_dealing_afresh() {
    use crate::{Daifugo, Memo, Question};
    use evenhand_contract::{Estimates, Game, Setup};
    let setup = Setup::<Daifugo> {
        players: 4,
        rules: Default::default(),
    };
    let mut stream = Stream::keyed("test", &[("what", &"tribute")]);
    let (mut memo, mut legal, mut list) = (Memo::default(), Vec::new(), Vec::new());
    let (mut sum, mut count) = (0, 0);
    for _ in 0..12 {
        let mut carry = Default::default();
        for _ in 0..3 {
            let deal = Daifugo::deal(&setup, &mut stream);
            let mut state = Daifugo::start(&setup, &deal, &carry);
            while let Some(seat) = Daifugo::to_act(&state) {
                let view = Daifugo::view(&state, seat);
                let other = view.others().nth(stream.below(2) as usize);
                let bounded = view.exchange.is_some_and(|e| !e.low);
                if let Some(other) = other.filter(|_| bounded && stream.below(4) == 0) {
                    pieces(&Index::new(view.hand), &mut list);
                    let question = Question {
                        seat: other,
                        play: list[stream.below(list.len() as u32) as usize].play,
                        revolution: view.revolution,
                        count: view.counts[other],
                    };
                    let raw = raw(
                        &view,
                        &question,
                        &mut OddsMemo::default(),
                        &mut Work::units(9999),
                    );
                    let hits = Daifugo::count_true(&state, seat, &question, 1000, &mut stream);
                    let truth = i64::from(hits) * 1000;
                    sum += (raw.expect("within the budget") - truth).abs();
                    count += 1;
                }
                Daifugo::legal(&view, &mut memo, &mut legal);
                let choice = legal[stream.below(legal.len() as u32) as usize];
                Daifugo::apply(&mut state, seat, &choice).expect("a legal decision");
            }
            carry = Daifugo::carry(&state);
        }
    }
    assert!(count > 60, "{count} questions");
    // A thousand re-deals alone are off by 13,000 ppm at even chances.
    assert!(
        sum / count < 12_000,
        "mean error {} of {count}",
        sum / count
    );
}
