//! The simple styles against plain readings of their definitions, and the law that hidden cards
//! have no say.

use evenhand_contract::{
    BySeat, Cards, Game, Policy, Seat, SeedId, Setup, Split, Stream, Trace, TraceLevel, Work,
    decide, find_policy,
};
use evenhand_daifugo::card::JOKERS;
use evenhand_daifugo::rules::Rules;
use evenhand_daifugo::state::{Carry, State};
use evenhand_daifugo::{Daifugo, Decision, Kind, Memo, Play, View};

const STYLES: [&str; 2] = ["easy", "careful"];

fn ask(name: &str, view: &View) -> Decision {
    let policy = Policy::<Daifugo>::defaults(find_policy(name).expect("a policy"));
    let mut trace = Trace::new(TraceLevel::Off);
    let mut memo = Memo::default();
    let work = &mut Work::units(1_000_000);
    let outcome = decide(&policy, view, &mut memo, work, &mut trace).expect("a decision");
    assert_eq!(outcome.fallback, None);
    outcome.decision
}

/// Which of two equally good plays comes first: fewer jokers, then of stairs the lower suit, then
/// the lower cards.
fn tie(play: &Play) -> (u32, u8, Vec<u8>) {
    let ids: Vec<u8> = play.cards.iter().collect();
    let suit = if play.kind == Kind::Stair {
        ids[0] % 4
    } else {
        0
    };
    (play.jokers(), suit, ids)
}

/// What the definition picks from all legal decisions.
fn expected(name: &str, view: &View, legal: &[Decision]) -> Decision {
    let revolution = view.revolution;
    let plays: Vec<Play> = legal
        .iter()
        .filter_map(|d| d.play().expect("a legal play is valid"))
        .collect();
    let foul_end = |p: &Play| p.cards == view.hand && p.fouls(revolution, view.rules);
    let ends_well: Vec<Play> = plays.iter().copied().filter(|p| !foul_end(p)).collect();
    let kept = if ends_well.is_empty() {
        &plays
    } else {
        &ends_well
    };
    if view.field.is_some() {
        let Some(weakest) = kept.iter().min_by_key(|p| (p.strength(revolution), tie(p))) else {
            return Decision::Pass;
        };
        if name == "careful" && foul_end(weakest) {
            return Decision::Pass;
        }
        return weakest.decision();
    }
    let natural: Vec<Play> = kept.iter().copied().filter(|p| p.jokers() == 0).collect();
    // The weakest rank whole: of the sets of the weakest rank the largest.
    let set = natural
        .iter()
        .filter(|p| p.kind == Kind::Set)
        .min_by_key(|p| (p.strength(revolution), std::cmp::Reverse(p.size()), tie(p)));
    let stair = natural
        .iter()
        .filter(|p| p.kind == Kind::Stair)
        .min_by_key(|p| (std::cmp::Reverse(p.size()), p.strength(revolution), tie(p)));
    match (set, stair) {
        (Some(set), Some(stair)) if stair.size() > set.size() => stair.decision(),
        (Some(set), _) => set.decision(),
        _ => Decision::Set(Cards(
            (view.hand & JOKERS).0 & (view.hand & JOKERS).0.wrapping_neg(),
        )),
    }
}

/// Plays matches, half at random and half by the styles, and shows each position with a choice.
fn positions(
    players: u8,
    rules: Rules,
    seeds: std::ops::Range<u64>,
    mut visit: impl FnMut(&State, Seat, &[Decision]),
) {
    let setup = Setup::<Daifugo> { players, rules };
    let (mut memo, mut legal) = (Memo::default(), Vec::new());
    for seed in seeds {
        let mut carry = Carry::default();
        let id = SeedId::number(seed).expect("small");
        for round in 1..=3 {
            let mut stream = Stream::deal("daifugo", players, Split::Rehearsal, id, round);
            let deal = Daifugo::deal(&setup, &mut stream);
            let mut state = Daifugo::start(&setup, &deal, &carry);
            while let Some(seat) = Daifugo::to_act(&state) {
                let view = state.view(seat);
                Daifugo::legal(&view, &mut memo, &mut legal);
                if legal.len() > 1 {
                    visit(&state, seat, &legal);
                }
                let random = legal[stream.below(legal.len() as u32) as usize];
                let next = match (legal.len(), stream.below(8)) {
                    (1, _) | (_, 0) => random,
                    (_, 1..=3) => ask("careful", &view),
                    _ => ask("easy", &view),
                };
                Daifugo::apply(&mut state, seat, &next).expect("legal");
            }
            carry = Daifugo::carry(&state);
        }
    }
}

#[test]
fn styles_pick_what_their_definitions_say() {
    let (mut seen, mut fouls, mut turned) = (0, 0, 0);
    for (players, rules) in [
        (3, "fall=off"),
        (4, "default"),
        (5, "foul_eight=off"),
        (6, "foul_spade3=on"),
    ] {
        positions(
            players,
            rules.parse().expect("a ruleset"),
            0..60,
            |state, seat, legal| {
                let view = state.view(seat);
                if view.due > 0 {
                    let weakest: Cards = view.hand.iter().take(view.due.into()).collect();
                    assert_eq!(ask("easy", &view), Decision::Return(weakest));
                    assert!(legal.contains(&ask("careful", &view)));
                    return;
                }
                for name in STYLES {
                    let decision = ask(name, &view);
                    assert!(legal.contains(&decision));
                    assert_eq!(decision, expected(name, &view, legal), "{name}: {view:?}");
                }
                seen += 1;
                fouls += usize::from(ask("easy", &view) != ask("careful", &view));
                turned += usize::from(view.revolution);
            },
        );
    }
    assert!(
        seen > 8_000 && fouls > 20 && turned > 200,
        "{seen} {fouls} {turned}"
    );
}

#[test]
fn hidden_cards_have_no_say() {
    let mut stream = Stream::keyed("swap-law", &[]);
    let (mut seen, mut piles) = (0, 0);
    for players in 3..=6 {
        positions(players, Rules::default(), 0..60, |state, seat, _| {
            if seen > 2_600 * (i32::from(players) - 2) {
                return;
            }
            let view = state.view(seat);
            let swapped = Daifugo::reshuffle(state, seat, &mut stream);
            assert_eq!(swapped.view(seat), view);
            for name in STYLES {
                assert_eq!(ask(name, &swapped.view(seat)), ask(name, &view));
            }
            seen += 1;
            piles += u32::from(!state.fall_pile().is_empty());
        });
    }
    assert!(seen >= 10_000 && piles > 300, "{seen} {piles}");
}

/// The reshuffle deals what a seat has not seen evenly: over many draws every unseen card comes to
/// a place as often as the place's share of the cards that may lie there.
#[test]
fn reshuffled_cards_come_evenly() {
    let setup = Setup::<Daifugo> {
        players: 4,
        rules: Rules::default(),
    };
    let mut stream = Stream::keyed("even-test", &[("deal", &2)]);
    let deal = Daifugo::deal(&setup, &mut stream);
    let carry = Carry {
        previous: Some(BySeat::from_fn(4, |seat| seat.0 + 1)),
        rounds: 1,
    };
    let mut state = Daifugo::start(&setup, &deal, &carry);
    while let Some(seat) = Daifugo::to_act(&state).filter(|&s| state.view(s).due > 0) {
        let decision = ask("easy", &state.view(seat));
        Daifugo::apply(&mut state, seat, &decision).expect("legal");
    }
    // Seat 0 was first: it knows two cards of seat 3, and that the rest of it lies below.
    let seat = Seat(0);
    let exchange = state.view(seat).exchange.expect("tribute");
    let bound = exchange.bound().expect("seen from above");
    const DRAWS: u32 = 20_000;
    let mut at_partner = [0u32; 54];
    let mut in_blind = [0u32; 54];
    for _ in 0..DRAWS {
        let other = Daifugo::reshuffle(&state, seat, &mut stream);
        for id in other.hands()[Seat(3)] {
            at_partner[usize::from(id)] += 1;
        }
        for id in other.blind() {
            in_blind[usize::from(id)] += 1;
        }
    }
    let unseen = state.view(seat).unseen() - exchange.given;
    let below: Vec<u8> = unseen.iter().filter(|&id| id < bound).collect();
    let above: Vec<u8> = unseen.iter().filter(|&id| id >= bound).collect();
    assert!(above.len() >= 2, "the bound excludes something");
    // 11 of the cards below the bound go to the partner; 2 of the naturals left to the blind.
    let naturals = (unseen - JOKERS).len() - 11;
    for &id in &below {
        let share = 11.0 / below.len() as f64;
        near(at_partner[usize::from(id)], DRAWS, share);
        near(
            in_blind[usize::from(id)],
            DRAWS,
            (1.0 - share) * 2.0 / f64::from(naturals),
        );
    }
    for &id in &above {
        assert_eq!(at_partner[usize::from(id)], 0);
        let joker = JOKERS.has(id);
        near(
            in_blind[usize::from(id)],
            DRAWS,
            if joker {
                0.0
            } else {
                2.0 / f64::from(naturals)
            },
        );
    }
}

/// Within five standard errors.
fn near(count: u32, draws: u32, share: f64) {
    let error = (share * (1.0 - share) / f64::from(draws)).sqrt();
    let found = f64::from(count) / f64::from(draws);
    assert!((found - share).abs() <= 5.0 * error, "{found} {share}");
}
