//! The toy keeps the laws that every game must keep.

use evenhand_contract::{
    Border, Cards, Choices, Estimates, Game, Purpose, Seat, Setup, Split, Stream, Trace,
    TraceLevel, Work, decide,
};
use evenhand_testkit::{Lead, Memo, Pay, Play, State, Toy, policy, setup};

fn stream(name: &str, players: u8) -> Stream {
    Stream::keyed("toy-laws", &[("name", &name), ("players", &players)])
}

/// Calls `f` with every state of some rounds in which each seat plays any legal decision.
fn walk(players: u8, mut f: impl FnMut(&State, Seat, &mut Stream)) {
    let mut stream = stream("walk", players);
    let (mut memo, mut legal) = (Memo::default(), Vec::new());
    for _ in 0..50 {
        let deal = Toy::deal(&setup(players), &mut stream);
        let mut state = Toy::start(&setup(players), &deal, &Default::default());
        while let Some(seat) = Toy::to_act(&state) {
            f(&state, seat, &mut stream);
            Toy::legal(&Toy::view(&state, seat), &mut memo, &mut legal);
            let pick = stream.below(legal.len() as u32) as usize;
            Toy::apply(&mut state, seat, &legal[pick]).unwrap();
        }
        assert_eq!(Toy::settlement(&state).as_slice().iter().sum::<i64>(), 0);
    }
}

#[test]
fn listed_as_legal_is_accepted_as_legal() {
    for &players in Toy::PLAYERS {
        walk(players, |state, seat, stream| {
            let view = Toy::view(state, seat);
            let (mut memo, mut legal) = (Memo::default(), Vec::new());
            Toy::legal(&view, &mut memo, &mut legal);
            match Toy::choices(&view, &mut memo) {
                Choices::Forced(only) => assert_eq!(legal, [only]),
                Choices::Free => assert!(legal.len() > 1),
            }
            let noise = Play(Cards(u64::from(stream.next_u32()) & state.hands[seat].0));
            for play in legal.iter().copied().chain([Play::PASS, noise]) {
                let accepted = Toy::apply(&mut state.clone(), seat, &play).is_ok();
                assert_eq!(accepted, legal.contains(&play), "{play:?} of {view:?}");
            }
        });
    }
}

#[test]
fn no_policy_sees_hidden_cards() {
    for &players in Toy::PLAYERS {
        walk(players, |state, seat, stream| {
            let view = Toy::view(state, seat);
            let other = Toy::reshuffle(state, seat, stream);
            assert_eq!(Toy::view(&other, seat), view);
            let all = |s: &State| Seat::all(players).fold(0, |sum, q| sum + s.hands[q].0);
            assert_eq!(all(&other), all(state));
        });
    }
}

#[test]
fn singles_are_exact_and_pairs_are_not() {
    let mut wrong = 0;
    walk(3, |state, seat, _| {
        let view = Toy::view(state, seat);
        let (mut memo, mut legal) = (Memo::default(), Vec::new());
        Toy::legal(&view, &mut memo, &mut legal);
        for play in legal.iter().filter(|p| !p.is_pass()) {
            let raw = Toy::raw(&view, play, &[], &mut memo, &mut Work::units(1_000)).unwrap();
            let truth = Toy::resolve(state, seat, play).unwrap();
            if Toy::is_exact(Toy::kind(play)) {
                assert_eq!(raw == 1_000_000, truth);
                assert!(raw == 0 || raw == 1_000_000);
            } else {
                wrong += u32::from((raw > 500_000) != truth);
            }
        }
    });
    assert!(wrong > 0, "the inexact kind is never wrong");
}

#[test]
fn views_and_decisions_cross_the_border_unchanged() {
    walk(4, |state, seat, _| {
        let view = Toy::view(state, seat);
        assert_eq!(Toy::parse_view(&Toy::view_json(&view)), Ok(view));
        let (mut memo, mut legal) = (Memo::default(), Vec::new());
        Toy::legal(&view, &mut memo, &mut legal);
        for play in legal {
            assert_eq!(Toy::parse_decision(&Toy::decision_text(&play)), Ok(play));
        }
    });
}

#[test]
fn sound_policies_are_legal_and_say_why() {
    for row in Toy::policies() {
        if row.purpose == Purpose::Instrument {
            continue;
        }
        let policy = policy(row.name);
        walk(3, |state, seat, _| {
            let view = Toy::view(state, seat);
            let mut trace = Trace::new(TraceLevel::Full);
            let mut work = Work::units(Toy::WORK_LIMIT);
            let made = decide(&policy, &view, &mut Memo::default(), &mut work, &mut trace).unwrap();
            assert_eq!(made.fallback, None);
            Toy::apply(&mut state.clone(), seat, &made.decision).unwrap();
            if row.name == "smart" {
                assert!(!trace.decided_by().is_empty());
            }
        });
    }
}

#[test]
fn deals_hold_each_card_once() {
    for seed in 0..20 {
        let seed = evenhand_contract::SeedId::number(seed).unwrap();
        let mut stream = Stream::deal(Toy::NAME, 4, Split::Rehearsal, seed, 1);
        let deal = Toy::deal(&setup(4), &mut stream).0;
        let all = deal.iter().fold(Cards::EMPTY, |all, (_, &hand)| {
            assert!(!all.meets(hand) && hand.len() == 7);
            all | hand
        });
        assert_eq!(all, evenhand_testkit::deck(4));
    }
}

#[test]
fn rulesets_read_back_from_their_text() {
    for text in [
        "default",
        "pay=flat",
        "pay=leak",
        "lead=winner",
        "pay=flat,lead=winner",
        "pay=leak,lead=winner",
    ] {
        let rules: evenhand_testkit::Rules = text.parse().unwrap();
        assert_eq!(rules.to_string(), text);
    }
    for wrong in ["", "pay", "pay=none", "default,pay=flat"] {
        assert!(wrong.parse::<evenhand_testkit::Rules>().is_err(), "{wrong}");
    }
}

#[test]
fn a_table_and_its_label_belong_together() {
    let mut table = setup(3);
    assert_eq!(table.label(), "3p");
    assert_eq!(Setup::<Toy>::from_label("3p"), Some(table));
    table.rules.lead = Lead::Winner;
    assert_eq!(table.label(), "3p-lead=winner");
    assert_eq!(Setup::<Toy>::from_label("3p-lead=winner"), Some(table));
    table.rules.pay = Pay::Flat;
    assert_eq!(table.label(), "3p-pay=flat,lead=winner");
    assert_eq!(
        Setup::<Toy>::from_label("3p-pay=flat,lead=winner"),
        Some(table)
    );
    for wrong in [
        "",
        "p",
        "3",
        "3q",
        "9p",
        "03p",
        "+3p",
        "3P",
        "3p-",
        "3p ",
        "3p-default",
        "3p-lead=lowest",
        "3p-lead=winner,pay=flat",
        "3p-lead=loser",
        "previous",
    ] {
        assert_eq!(Setup::<Toy>::from_label(wrong), None, "{wrong:?}");
    }
}
