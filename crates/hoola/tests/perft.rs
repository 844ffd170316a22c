//! Legal decisions from fixed deals, counted to a fixed depth and held in `cases/hoola.perft`: one
//! line a deal, `PLAYERS RULESET SEED: paths of 1 decision, of 2, ...`.
//!
//! `listed_is_legal_is_accepted` says that the lists are right; this says at once when one moves.

use evenhand_contract::{Game, SeedId, Setup, Split, Stream};
use evenhand_hoola::Hoola;
use evenhand_hoola::state::State;

const EXPECTED: &str = include_str!("cases/hoola.perft");

/// Paths of `depth` decisions; a round that ends earlier has none.
fn paths(state: &State, depth: u32) -> u64 {
    let Some(seat) = state.to_act() else {
        return 0;
    };
    let options = state.view(seat).options;
    if depth == 1 {
        return options.count() as u64;
    }
    options
        .iter()
        .map(|decision| {
            let mut after = *state;
            after.apply(seat, decision).expect("listed as legal");
            paths(&after, depth - 1)
        })
        .sum()
}

#[test]
fn paths_of_fixed_deals() {
    let lines: Vec<&str> = EXPECTED.lines().filter(|l| !l.starts_with('#')).collect();
    assert!(lines.len() >= 5);
    for line in lines {
        let (deal, _) = line.split_once(": ").expect("a colon");
        let words: Vec<&str> = deal.split(' ').collect();
        let setup = Setup::<Hoola> {
            players: words[0].parse().expect("players"),
            rules: words[1].parse().expect("a ruleset"),
        };
        let seed = SeedId::Number(words[2].parse().expect("a seed"));
        let mut stream = Stream::deal("hoola", setup.players, Split::Rehearsal, seed, 1);
        let deal_of = Hoola::deal(&setup, &mut stream);
        let state = Hoola::start(&setup, &deal_of, &Default::default());
        let counts: Vec<String> = (1..=7).map(|d| paths(&state, d).to_string()).collect();
        assert_eq!(format!("{deal}: {}", counts.join(" ")), line);
    }
}
