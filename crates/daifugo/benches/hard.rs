//! Fixed inputs, the worst known positions among them. `cargo bench -p evenhand-daifugo`.
#![allow(missing_docs)]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use evenhand_contract::{
    BySeat, Cards, Choices, Game, Policy, Seat, SeedId, Setup, Split, Stream, Trace, TraceLevel,
    Work, decide, find_policy,
};
use evenhand_daifugo::card::{JOKERS, parse_cards};
use evenhand_daifugo::deal::Deal;
use evenhand_daifugo::plan::{Index, Table, pieces};
use evenhand_daifugo::rules::Rules;
use evenhand_daifugo::{Daifugo, Memo, SeatList, View};
use std::hint::black_box;

const HANDS: [(&str, &str); 4] = [
    ("example", "3C 4D 5C 5H 6S 8C 9D 9H JC QD KS AC 2H"),
    // The most plays that a hand can hold.
    (
        "eleven-of-a-suit",
        "3C 4C 5C 6C 8C 9C 10C JC QC KC 2C *1 *2",
    ),
    ("four-and-jokers", "5C 5D 5H 5S 8C 8D 9H 9S 9D KC KD *1 *2"),
    ("three-stairs", "3C 4C 5C 6C 6D 7D 8D 9D 9H 10H JH QH *1"),
];

const SETUP: Setup<Daifugo> = Setup {
    players: 4,
    rules: Rules {
        foul_eight: true,
        foul_spade3: false,
        fall: true,
    },
};

fn cards(text: &str) -> Cards {
    parse_cards("hand", text).expect("fixed cards")
}

/// The lead of a round with nothing played.
fn lead(hand: Cards) -> View {
    View {
        players: 4,
        rules: SETUP.rules,
        seat: Seat(0),
        round: 1,
        hand,
        counts: BySeat::filled(4, 13),
        field: None,
        field_owner: None,
        revolution: false,
        played: BySeat::new(4),
        passed: 0,
        normal: SeatList::default(),
        fouls: SeatList::default(),
        fallen: None,
        previous: None,
        due: 0,
        exchange: None,
    }
}

fn tables(c: &mut Criterion) {
    for (name, hand) in HANDS {
        let hand = cards(hand);
        let index = Index::new(hand);
        let (mut list, mut table) = (Vec::new(), Table::default());
        c.bench_function(&format!("pieces/{name}"), |b| {
            b.iter(|| {
                pieces(black_box(&index), &mut list);
                black_box(list.len());
            });
        });
        let parts: Vec<_> = list.iter().map(|p| p.part(1, SETUP.rules)).collect();
        c.bench_function(&format!("plan/{name}"), |b| {
            b.iter(|| {
                table.fill(13, 1, hand.has_all(JOKERS), false, black_box(&parts));
                black_box(table.finish(index.full(), false));
            });
        });
    }
}

fn decisions(c: &mut Criterion) {
    let hard = policy("hard");
    for (name, hand) in HANDS {
        let view = lead(cards(hand));
        c.bench_function(&format!("hard-decision/{name}"), |b| {
            // A fresh memo each time: nothing is known of the position.
            b.iter_batched_ref(
                Memo::default,
                |memo| {
                    let mut work = Work::units(Daifugo::WORK_LIMIT);
                    let mut trace = Trace::new(TraceLevel::Off);
                    decide(&hard, black_box(&view), memo, &mut work, &mut trace)
                },
                BatchSize::SmallInput,
            );
        });
    }
}

fn policy(name: &str) -> Policy<Daifugo> {
    Policy::defaults(find_policy(name).expect("a policy of the table"))
}

fn rounds(c: &mut Criterion) {
    let stream = |seed| Stream::deal("daifugo", 4, Split::Rehearsal, SeedId::Number(seed), 1);
    let deals: Vec<Deal> = (0..64)
        .map(|seed| Daifugo::deal(&SETUP, &mut stream(seed)))
        .collect();
    for name in ["easy", "careful", "hard"] {
        let policy = policy(name);
        let mut memos: Vec<_> = (0..4).map(|_| Memo::default()).collect();
        c.bench_function(&format!("sixty-four-rounds/{name}"), |b| {
            b.iter(|| {
                for deal in &deals {
                    play(&policy, deal, &mut memos);
                }
            });
        });
    }
}

fn play(policy: &Policy<Daifugo>, deal: &Deal, memos: &mut [Memo]) {
    let mut state = Daifugo::start(&SETUP, deal, &Default::default());
    let mut trace = Trace::new(TraceLevel::Off);
    while let Some(seat) = Daifugo::to_act(&state) {
        let view = Daifugo::view(&state, seat);
        let memo = &mut memos[seat.index()];
        let play = match Daifugo::choices(&view, memo) {
            Choices::Forced(play) => play,
            Choices::Free => {
                let mut work = Work::units(Daifugo::WORK_LIMIT);
                let outcome = decide(policy, &view, memo, &mut work, &mut trace);
                outcome.expect("a decision").decision
            }
        };
        Daifugo::apply(&mut state, seat, &play).expect("a legal decision");
    }
    black_box(Daifugo::settlement(&state));
}

criterion_group!(benches, tables, decisions, rounds);
criterion_main!(benches);
