//! The simple policies and the list of legal plays, against plain readings of their definitions.

mod oracle;

use evenhand_contract::{
    Cards, Game, Policy, Seat, SeedId, Setup, Split, Stream, Trace, TraceLevel, Work, decide,
    find_policy,
};
use evenhand_lexio::legal::Play;
use evenhand_lexio::rules::{Rules, TopRun};
use evenhand_lexio::{Lexio, Memo, View};

type Found = (usize, Vec<u32>, Cards);

/// What the definition of a simple policy picks, from all melds of the hand.
fn expected(name: &str, view: &View, melds: &[Found], runs: &[(Vec<u32>, u32)]) -> Play {
    let ids = |set: Cards| set.iter().collect::<Vec<u8>>();
    if let Some(field) = &view.field {
        let (size, key) = oracle::meld(field.tiles, runs).expect("the field is a meld");
        let weakest = melds
            .iter()
            .filter(|m| m.0 == size && m.1 > key)
            .min_by_key(|m| (m.1.clone(), ids(m.2)));
        return weakest.map_or(Play::PASS, |m| Play(m.2));
    }
    let weakest_tile = view.hand.lowest().expect("tiles");
    let pick = melds
        .iter()
        .filter(|m| name == "eager" || m.2.has(weakest_tile))
        .min_by_key(|m| (std::cmp::Reverse(m.0), m.1.clone(), ids(m.2)));
    Play(pick.expect("a single at least").2)
}

/// Plays rounds at random, and at each turn compares policies and legal plays to the oracle.
fn compare(players: u8, rules: Rules, seeds: std::ops::Range<u64>) {
    let setup = Setup::<Lexio> { players, rules };
    let runs = oracle::runs(players, rules.top_run == TopRun::Wrap12);
    let policies = ["easy", "eager"].map(|name| {
        (
            name,
            Policy::<Lexio>::defaults(find_policy(name).expect("a policy")),
            Memo::default(),
        )
    });
    let mut policies = policies;
    for seed in seeds {
        let id = SeedId::number(seed).expect("small");
        let mut stream = Stream::deal("lexio", players, Split::Rehearsal, id, 1);
        let deal = Lexio::deal(&setup, &mut stream);
        let mut state = Lexio::start(&setup, &deal, &Default::default());
        let (mut memo, mut legal) = (Memo::default(), Vec::new());
        while let Some(seat) = Lexio::to_act(&state) {
            let view = Lexio::view(&state, seat);
            let melds = oracle::melds(view.hand, &runs);
            Lexio::legal(&view, &mut memo, &mut legal);
            check_legal(&state, seat, &view, &melds, &runs, &legal);
            for (name, policy, memo) in &mut policies {
                let outcome = decide(
                    policy,
                    &view,
                    memo,
                    &mut Work::units(0),
                    &mut Trace::new(TraceLevel::Off),
                );
                let outcome = outcome.expect("a decision");
                assert_eq!(
                    outcome.decision,
                    expected(name, &view, &melds, &runs),
                    "{name}: {view:?}"
                );
                assert_eq!(outcome.fallback, None);
            }
            let choice = legal[stream.below(legal.len() as u32) as usize];
            Lexio::apply(&mut state, seat, &choice).expect("legal");
        }
    }
}

/// The list is what the oracle allows, each once, and `apply` accepts exactly that.
fn check_legal(
    state: &<Lexio as Game>::State,
    seat: Seat,
    view: &View,
    melds: &[Found],
    runs: &[(Vec<u32>, u32)],
    legal: &[Play],
) {
    let beats = |m: &&Found| match &view.field {
        None => true,
        Some(field) => {
            let (size, key) = oracle::meld(field.tiles, runs).expect("a meld");
            m.0 == size && m.1 > key
        }
    };
    let mut allowed: Vec<Play> = melds.iter().filter(beats).map(|m| Play(m.2)).collect();
    if view.field.is_some() {
        allowed.push(Play::PASS);
    }
    allowed.sort();
    let mut listed = legal.to_vec();
    listed.sort();
    assert_eq!(listed, allowed);
    let ids: Vec<u8> = view.hand.iter().collect();
    for pick in 0u32..1 << ids.len() {
        // Every set up to six tiles is tried when the hand is small, else every fifth.
        if pick.count_ones() > 6 || ids.len() > 8 && pick % 5 != 0 {
            continue;
        }
        let set: Cards = (0..ids.len())
            .filter(|i| pick >> i & 1 == 1)
            .map(|i| ids[i])
            .collect();
        let mut next = *state;
        let accepted = Lexio::apply(&mut next, seat, &Play(set)).is_ok();
        assert_eq!(
            accepted,
            allowed.binary_search(&Play(set)).is_ok(),
            "{set:?} in {view:?}"
        );
        assert_eq!(
            accepted,
            next != *state,
            "a refused play leaves the state as it was"
        );
    }
}

#[test]
fn five_players() {
    compare(5, Rules::default(), 0..12);
}

#[test]
fn four_players_with_the_higher_wrap() {
    compare(
        4,
        Rules {
            top_run: TopRun::Wrap12,
            ..Rules::default()
        },
        0..6,
    );
}

#[test]
fn three_players() {
    compare(3, Rules::default(), 0..8);
    compare(
        3,
        "pass=hard,top_run=wrap12".parse().expect("a ruleset"),
        0..8,
    );
}
