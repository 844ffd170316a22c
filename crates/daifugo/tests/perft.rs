//! Perft: how many sequences of legal decisions there are from fixed deals to fixed depths, in the
//! first round of a match and in the second, which tribute opens. The file holds one line a count;
//! a changed rule or a lost play shows as a changed count.

use evenhand_contract::{BySeat, Game, SeedId, Setup, Split, Stream};
use evenhand_daifugo::state::{Carry, State};
use evenhand_daifugo::{Daifugo, Memo};
use std::fmt::Write;

/// Sequences of `depth` decisions; a round that ends sooner counts as one.
fn count(state: &State, depth: u32) -> u64 {
    let Some(seat) = Daifugo::to_act(state).filter(|_| depth > 0) else {
        return 1;
    };
    let mut legal = Vec::new();
    Daifugo::legal(&state.view(seat), &mut Memo::default(), &mut legal);
    if depth == 1 {
        return legal.len() as u64;
    }
    legal
        .iter()
        .map(|decision| {
            let mut next = *state;
            Daifugo::apply(&mut next, seat, decision).expect("a listed decision is accepted");
            count(&next, depth - 1)
        })
        .sum()
}

#[test]
fn counts_are_those_of_the_file() {
    let file = include_str!("cases/daifugo.perft");
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
        let round: u32 = fields[3].parse().expect("a round");
        let setup = Setup::<Daifugo> { players, rules };
        let id = SeedId::number(seed).expect("a small seed");
        let mut stream = Stream::deal("daifugo", players, Split::Rehearsal, id, round);
        let deal = Daifugo::deal(&setup, &mut stream);
        let carry = Carry {
            previous: (round > 1).then(|| BySeat::from_fn(players, |seat| players - seat.0)),
            rounds: round - 1,
        };
        let state = Daifugo::start(&setup, &deal, &carry);
        write!(found, "{players} {rules} {seed} {round}").expect("a string takes text");
        for depth in 1..=fields.len() - 4 {
            write!(found, " {}", count(&state, depth as u32)).expect("a string takes text");
        }
        found.push('\n');
    }
    assert_eq!(found, file, "left: counted now; right: the file");
}
