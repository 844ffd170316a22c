//! A memo belongs to one seat and one policy: nobody else's notes are in it.

use evenhand_contract::{
    Ask, Game, Knob, Policy, PolicyError, PolicyRow, Purpose, SeedId, Split, Trace, Weights, Work,
};
use evenhand_sim::{
    Execution, Exploration, MatchPlan, NoObserver, Seeds, Uncontrolled, Workspace, play_seed, run,
};
use evenhand_testkit::{Memo, Play, Toy, setup};

/// Who a policy is, by its one knob.
const NAME: &[Knob] = &[Knob {
    name: "Name",
    about: "tells policies apart",
    default: 0,
    low: 0,
    high: 9,
    step: 1,
}];

/// Notes in its memo who it is, and fails where somebody else's note stands there already.
fn noting(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    _: &mut Work<'_>,
    _: &mut Trace<Play, Play>,
) -> Result<Play, PolicyError> {
    let own = (ask.weights[0], ask.view.seat);
    if let Some((name, seat)) = memo.notes.iter().find(|note| **note != own) {
        panic!(
            "policy {} in seat {} has the memo of policy {name} in seat {seat}",
            own.0, own.1
        );
    }
    memo.notes.push(own);
    let mut legal = Vec::new();
    Toy::legal(ask.view, memo, &mut legal);
    legal
        .last()
        .copied()
        .ok_or_else(|| PolicyError::Other("nothing is legal".to_owned()))
}

static NOTING: PolicyRow<Toy> = PolicyRow {
    name: "noting",
    about: "watches over its memo",
    purpose: Purpose::Instrument,
    knobs: NAME,
    stages: &[],
    reads_table: false,
    decide: noting,
};

fn named(name: i64) -> Policy<Toy> {
    Policy {
        weights: Weights::new(NAME, &[name]).unwrap(),
        ..Policy::defaults(&NOTING)
    }
}

#[test]
fn memos_are_shared_neither_between_policies_nor_between_seats() {
    for players in [2, 3, 4] {
        let plan = MatchPlan::new(setup(players), 2, named(1), named(2)).unwrap();
        let seeds = Seeds::<Exploration>::range(0, 6).unwrap();
        for workers in [1, 3] {
            let execution = Execution::with_workers(workers);
            if let Err(error) = run(&plan, &seeds, &execution, &mut Uncontrolled) {
                panic!("{players} players, {workers} workers: {error}");
            }
        }
    }
}

#[test]
fn the_watch_would_notice() {
    // Memos that served one policy and serve another next: what a shared memo looks like.
    let mut workspace = Workspace::new(3);
    let seed = SeedId::number(1).unwrap();
    let mut play = |a| {
        let plan = MatchPlan::new(setup(3), 1, named(a), named(2)).unwrap();
        play_seed(
            &plan,
            Split::Exploration,
            seed,
            &mut workspace,
            &mut NoObserver,
        )
    };
    assert!(play(1).is_ok());
    let error = play(3).err().unwrap().to_string();
    assert!(error.contains("has the memo of policy 1"), "{error}");
}
