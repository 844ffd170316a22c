//! Golden vectors of the stream that every deal comes from.
//!
//! They were computed by an independent implementation (SHA-256 of the key text, ChaCha8 with a
//! 64-bit counter and zero nonce, Lemire's bounded numbers, Fisher-Yates from the last place down).
//! Should one of these fail, deals have moved: every frozen artifact names the old stream, so
//! either mend the stream or raise its version and regenerate everything.

use evenhand_contract::{DEAL_STREAM_VERSION, MAX_WRITTEN_SEED, SeedId, Split, Stream};

#[test]
fn the_version_is_the_one_that_these_vectors_are_of() {
    assert_eq!(DEAL_STREAM_VERSION, 1);
}

#[test]
fn words_come_in_the_order_of_the_cipher() {
    let mut stream = Stream::keyed("golden", &[("n", &1)]);
    let words: Vec<u32> = (0..70).map(|_| stream.next_u32()).collect();
    // The first block, and what lies across the ends of the first and of the fourth block.
    assert_eq!(words[..4], [0xa96a3109, 0xbfd057d, 0xd024add9, 0x4205c760]);
    assert_eq!(
        words[14..18],
        [0xc8ab26b6, 0x4417ab25, 0xe2121607, 0xb13535e6]
    );
    assert_eq!(
        words[62..66],
        [0x694452b3, 0xbf88b59b, 0x494a8a80, 0x9375ec51]
    );
}

#[test]
fn bounded_numbers_are_pinned() {
    let mut stream = Stream::keyed("golden", &[("n", &2)]);
    let bounds = [1, 2, 3, 6, 52, 60, 1000, 2147483649, 4294967295];
    let found = bounds.map(|bound| stream.below(bound));
    assert_eq!(found, [0, 1, 0, 4, 44, 32, 314, 332144946, 1951722273]);
    // A bound of three quarters of the range rejects every fourth word.
    let mut stream = Stream::keyed("golden", &[("n", &3)]);
    let found = [(); 12].map(|()| stream.below(3 << 30));
    assert_eq!(
        found,
        [
            3093058993, 2947046050, 3024737183, 1195011933, 813999096, 349956370, 652795057,
            1844165592, 735650434, 1094019175, 2343322868, 1906784896
        ]
    );
}

/// The order into which a deal's stream shuffles sixty cards.
fn order(game: &str, players: u8, split: Split, seed: SeedId, round: u32) -> Vec<u8> {
    let mut cards: Vec<u8> = (0..60).collect();
    Stream::deal(game, players, split, seed, round).shuffle(&mut cards);
    cards
}

#[test]
fn golden_deals_of_three_seeds() {
    let mut minted = [0; 32];
    minted[31] = 0xff;
    let seeds = [
        SeedId::Number(0),
        SeedId::Minted(minted),
        SeedId::Number(MAX_WRITTEN_SEED),
    ];
    assert_eq!(
        order("lexio", 5, Split::Tuning, seeds[0], 1),
        [
            11, 27, 8, 42, 58, 26, 10, 59, 34, 13, 22, 14, 52, 18, 28, 19, 45, 24, 49, 1, 35, 32,
            6, 21, 54, 37, 38, 7, 40, 55, 23, 56, 12, 46, 43, 30, 39, 5, 47, 44, 3, 25, 9, 17, 36,
            51, 4, 15, 57, 53, 48, 29, 33, 41, 50, 2, 0, 16, 20, 31
        ]
    );
    assert_eq!(
        order("lexio", 5, Split::HeldOut, seeds[1], 1),
        [
            40, 46, 18, 32, 49, 43, 7, 45, 59, 20, 28, 21, 2, 42, 6, 16, 34, 1, 11, 50, 4, 29, 0,
            39, 55, 58, 53, 31, 51, 44, 23, 30, 19, 12, 25, 38, 27, 17, 14, 26, 8, 9, 22, 56, 52,
            41, 36, 15, 57, 37, 24, 33, 47, 10, 35, 5, 54, 3, 48, 13
        ]
    );
    assert_eq!(
        order("toy", 3, Split::Rehearsal, seeds[2], 7),
        [
            34, 24, 22, 6, 43, 48, 32, 0, 58, 30, 57, 4, 18, 9, 29, 21, 52, 51, 47, 25, 56, 35, 59,
            37, 20, 55, 1, 33, 31, 53, 10, 12, 38, 16, 15, 7, 2, 41, 40, 5, 28, 3, 19, 42, 11, 44,
            27, 45, 17, 36, 46, 50, 8, 39, 26, 13, 49, 54, 23, 14
        ]
    );
}

#[test]
fn every_part_of_a_deal_s_name_moves_it() {
    let of = |game: &str, players, split, seed, round| {
        order(game, players, split, SeedId::Number(seed), round)
    };
    let deals = [
        of("lexio", 5, Split::Tuning, 1, 1),
        of("hoola", 5, Split::Tuning, 1, 1),
        of("lexio", 4, Split::Tuning, 1, 1),
        of("lexio", 5, Split::HeldOut, 1, 1),
        of("lexio", 5, Split::Calibration, 1, 1),
        of("lexio", 5, Split::Exploration, 1, 1),
        of("lexio", 5, Split::Rehearsal, 1, 1),
        of("lexio", 5, Split::Tuning, 2, 1),
        of("lexio", 5, Split::Tuning, 1, 2),
    ];
    for (i, some) in deals.iter().enumerate() {
        for other in &deals[..i] {
            assert_ne!(some, other);
        }
    }
}

#[test]
fn a_bounded_number_is_even_over_its_range() {
    // 60,000 draws below 6: each count has mean 10,000 and standard deviation 91.
    let mut stream = Stream::keyed("even", &[]);
    let mut counts = [0_i32; 6];
    for _ in 0..60_000 {
        counts[stream.below(6) as usize] += 1;
    }
    assert!(
        counts.iter().all(|n| (n - 10_000).abs() < 460),
        "{counts:?}"
    );
}

#[test]
fn each_order_is_equally_likely() {
    // 24,000 shuffles of four cards: each of the 24 orders has mean 1,000, deviation 31.
    let mut stream = Stream::keyed("orders", &[]);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..24_000 {
        let mut cards = [0, 1, 2, 3];
        stream.shuffle(&mut cards);
        *counts.entry(cards).or_insert(0_i32) += 1;
    }
    assert_eq!(counts.len(), 24);
    assert!(
        counts.values().all(|n| (n - 1_000).abs() < 160),
        "{counts:?}"
    );
}
