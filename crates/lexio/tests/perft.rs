//! Perft: how many sequences of legal decisions there are from fixed deals to fixed depths. The
//! file holds one line a count; a changed rule or a lost play shows as a changed count.

use evenhand_contract::{Game, SeedId, Setup, Split, Stream};
use evenhand_lexio::{Lexio, Memo};
use std::fmt::Write;

type State = <Lexio as Game>::State;

/// Sequences of `depth` decisions; a round that ends sooner counts as one.
fn count(state: &State, depth: u32, memo: &mut [Memo]) -> u64 {
    let Some(seat) = Lexio::to_act(state).filter(|_| depth > 0) else {
        return 1;
    };
    let mut legal = Vec::new();
    Lexio::legal(
        &Lexio::view(state, seat),
        &mut memo[seat.index()],
        &mut legal,
    );
    if depth == 1 {
        return legal.len() as u64;
    }
    legal
        .iter()
        .map(|play| {
            let mut next = *state;
            Lexio::apply(&mut next, seat, play).expect("a listed decision is accepted");
            count(&next, depth - 1, memo)
        })
        .sum()
}

#[test]
fn counts_are_those_of_the_file() {
    let file = include_str!("lexio.perft");
    let mut found = String::new();
    for line in file.lines() {
        if line.starts_with('#') {
            writeln!(found, "{line}").expect("a string takes text");
            continue;
        }
        let fields: Vec<&str> = line.split_whitespace().collect();
        let players: u8 = fields[0].parse().expect("players");
        let rules = fields[1].parse().expect("a ruleset");
        let seed: u64 = fields[2].parse().expect("a seed");
        let depths = fields.len() - 3;
        let setup = Setup::<Lexio> { players, rules };
        let id = SeedId::number(seed).expect("a small seed");
        let deal = Lexio::deal(
            &setup,
            &mut Stream::deal("lexio", players, Split::Rehearsal, id, 1),
        );
        let state = Lexio::start(&setup, &deal, &Default::default());
        let mut memo: Vec<Memo> = (0..players).map(|_| Memo::default()).collect();
        write!(found, "{players} {rules} {seed}").expect("a string takes text");
        for depth in 1..=depths {
            write!(found, " {}", count(&state, depth as u32, &mut memo))
                .expect("a string takes text");
        }
        found.push('\n');
    }
    assert_eq!(found, file, "left: counted now; right: the file");
}
