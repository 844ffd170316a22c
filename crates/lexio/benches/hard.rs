//! Fixed inputs, the worst known positions among them. `cargo bench -p evenhand-lexio`.
#![allow(missing_docs)]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use evenhand_contract::{
    BySeat, Cards, Choices, Game, Policy, Seat, SeedId, Setup, Split, Stream, Trace, TraceLevel,
    Work, decide, find_policy,
};
use evenhand_lexio::hand::HandMemo;
use evenhand_lexio::meld::RunOrders;
use evenhand_lexio::plan::{CostTable, PlanTable, Price};
use evenhand_lexio::rules::Rules;
use evenhand_lexio::state::Deal;
use evenhand_lexio::tile::parse_tiles;
use evenhand_lexio::{Lexio, Memo, View};
use std::hint::black_box;

const HANDS: [(&str, &str); 4] = [
    ("example", "5C 5D 9C 9S 10S 11H 12C 12D 12S 13S 15C 1C"),
    (
        "eleven-of-a-suit",
        "3C 4C 6C 7C 8C 9C 11C 12C 13C 14C 1C 2S",
    ),
    (
        "twelve-of-a-suit",
        "3C 4C 5C 6C 7C 8C 9C 10C 11C 12C 13C 14C",
    ),
    ("many-straights", "6C 6H 7D 7S 8C 8H 9D 9S 10C 10H 11D 11S"),
];

const SETUP: Setup<Lexio> = Setup {
    players: 5,
    rules: Rules {
        twos: evenhand_lexio::rules::Twos::Effective,
        top_run: evenhand_lexio::rules::TopRun::Wrap1,
        pass: evenhand_lexio::rules::Pass::Soft,
        lead: evenhand_lexio::rules::Lead::Cloud3,
    },
};

fn tiles(text: &str) -> Cards {
    parse_tiles("hand", text, 5).expect("fixed tiles")
}

fn policy(name: &str) -> Policy<Lexio> {
    Policy::defaults(find_policy(name).expect("a policy of the table"))
}

/// The lead of a round with nothing played.
fn lead(hand: Cards) -> View {
    View {
        players: 5,
        rules: SETUP.rules,
        seat: Seat(0),
        hand,
        dealt: hand,
        counts: BySeat::filled(5, 12),
        field: None,
        field_owner: None,
        passes: 0,
        passed: 0,
        played: Cards::EMPTY,
    }
}

fn deals(count: u64) -> Vec<Deal> {
    let seeds = (0..count).map(SeedId::Number);
    let stream = |seed| Stream::deal("lexio", 5, Split::Rehearsal, seed, 1);
    seeds
        .map(|seed| Lexio::deal(&SETUP, &mut stream(seed)))
        .collect()
}

fn tables(c: &mut Criterion) {
    let orders = RunOrders::get(5, Rules::default());
    let random: Vec<Cards> = deals(64).iter().map(|d| d.hands[Seat(0)]).collect();
    let mut hands: Vec<_> = HANDS.iter().map(|(n, h)| (*n, vec![tiles(h)])).collect();
    hands.push(("sixty-four-random", random));
    for (name, hands) in hands {
        let mut memos = [HandMemo::default(), HandMemo::default()];
        let mut turn = 0;
        c.bench_function(&format!("melds/{name}"), |b| {
            b.iter(|| {
                for &hand in &hands {
                    turn ^= 1;
                    // A hand of its own in between, so that the cache does not answer.
                    let hand = if hands.len() == 1 && turn == 1 {
                        hand.without_lowest()
                    } else {
                        hand
                    };
                    black_box(memos[0].melds(black_box(hand), orders).len());
                }
            });
        });
        let melds: Vec<_> = (hands.iter())
            .map(|&hand| memos[1].melds(hand, orders).to_vec())
            .collect();
        let mut table = PlanTable::default();
        c.bench_function(&format!("plan/{name}"), |b| {
            b.iter(|| {
                for (&hand, melds) in hands.iter().zip(&melds) {
                    table.fill(black_box(hand), melds);
                    black_box(table.fewest(hand));
                }
            });
        });
        let priced: Vec<Vec<_>> = (hands.iter().zip(&melds))
            .map(|(&hand, melds)| {
                let index = PlanTable::new(hand, melds);
                let price = |size: u8| Price {
                    units: 7000 + 300 * u32::from(size),
                    needs_lead: size == 5,
                    orphan: size == 1,
                };
                (index.masks().iter().zip(melds))
                    .map(|(&mask, meld)| (mask, price(meld.size())))
                    .collect()
            })
            .collect();
        let mut costs = CostTable::default();
        c.bench_function(&format!("priced-plan/{name}"), |b| {
            b.iter(|| {
                for pieces in &priced {
                    costs.fill(12, black_box(pieces).iter().copied());
                    black_box(costs.plan(0xfff));
                }
            });
        });
    }
}

fn decisions(c: &mut Criterion) {
    let hard = policy("hard");
    for (name, hand) in HANDS {
        let view = lead(tiles(hand));
        c.bench_function(&format!("hard-decision/{name}"), |b| {
            // A fresh memo each time: nothing is known of the position.
            b.iter_batched_ref(
                Memo::default,
                |memo| {
                    let mut work = Work::units(Lexio::WORK_LIMIT);
                    let mut trace = Trace::new(TraceLevel::Off);
                    decide(&hard, black_box(&view), memo, &mut work, &mut trace)
                },
                BatchSize::SmallInput,
            );
        });
    }
}

fn rounds(c: &mut Criterion) {
    let deals = deals(64);
    for name in ["easy", "eager", "hard"] {
        let policy = policy(name);
        let mut memos: Vec<_> = (0..5).map(|_| Memo::default()).collect();
        c.bench_function(&format!("sixty-four-rounds/{name}"), |b| {
            b.iter(|| {
                for deal in &deals {
                    play(&policy, deal, &mut memos);
                }
            });
        });
    }
}

fn play(policy: &Policy<Lexio>, deal: &Deal, memos: &mut [Memo]) {
    let mut state = Lexio::start(&SETUP, deal, &Default::default());
    let mut trace = Trace::new(TraceLevel::Off);
    while let Some(seat) = Lexio::to_act(&state) {
        let view = Lexio::view(&state, seat);
        let memo = &mut memos[seat.index()];
        let play = match Lexio::choices(&view, memo) {
            Choices::Forced(play) => play,
            Choices::Free => {
                let mut work = Work::units(Lexio::WORK_LIMIT);
                let outcome = decide(policy, &view, memo, &mut work, &mut trace);
                outcome.expect("a decision").decision
            }
        };
        Lexio::apply(&mut state, seat, &play).expect("a legal decision");
    }
    black_box(Lexio::settlement(&state));
}

criterion_group!(benches, tables, decisions, rounds);
criterion_main!(benches);
