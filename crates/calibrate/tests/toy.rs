//! Tables and audits of the toy game: same bytes whatever the workers and interruptions, and
//! beliefs that become true.

use evenhand_artifact::{TableDoc, encode};
use evenhand_calibrate::{
    AuditSettings, BLOCK, CalibrateError, EarnSettings, Input, Journal, NoJournal, Phase, Settings,
    Unwatched, Watch, audit, earn, generate, stored_table,
};
use evenhand_cli::load::{Loaded, defaults, maps_of, simple_styles};
use evenhand_contract::{Map, Maps, Policy, Ppm, Weights};
use evenhand_sim::{Execution, Uncontrolled};
use evenhand_store::Store;
use evenhand_testkit::{PAIR, SINGLE, Toy, setup};

const SETTINGS: Settings = Settings {
    seed: 11,
    situations: 1_500,
    samples: 60,
};

fn smart() -> Loaded<Toy> {
    defaults("smart").expect("the toy has a smart policy")
}

fn input(players: u8) -> Input<Toy> {
    Input::new(&setup(players), &smart()).expect("smart plays")
}

fn made(players: u8, workers: usize) -> TableDoc {
    let table = setup(players);
    let (watch, journal) = (&mut Unwatched, &mut NoJournal);
    generate(&table, &input(players), &SETTINGS, workers, watch, journal).expect("a table")
}

#[test]
fn workers_change_no_byte() {
    let expected = encode(&made(3, 1)).expect("a sound table");
    for workers in [2, 3, 5, 7, 8] {
        assert_eq!(
            encode(&made(3, workers)).expect("sound"),
            expected,
            "{workers} workers"
        );
    }
    let other = Settings {
        seed: 12,
        ..SETTINGS
    };
    let (watch, journal) = (&mut Unwatched, &mut NoJournal);
    let other = generate(&setup(3), &input(3), &other, 1, watch, journal).expect("a table");
    assert_ne!(encode(&other).expect("sound"), expected);
}

#[test]
fn a_table_records_its_kinds_and_counts() {
    let table = made(4, 2);
    assert!(table.cells[SINGLE].exact && table.cells[SINGLE].points.is_empty());
    let pairs = &table.cells[PAIR];
    assert_eq!(pairs.situations, 1_500);
    let sum: u64 = pairs.points.iter().map(|p| p.situations).sum();
    assert_eq!(sum, 1_500);
    let hits: u64 = pairs.points.iter().map(|p| p.hits).sum();
    assert!(hits > 0 && hits < 1_500 * 60);
    assert_eq!(
        (table.input.policy.as_str(), table.input.generation),
        ("smart", 0)
    );
}

/// Stops the work once so many situations were dealt afresh.
struct StopAt(u64, bool);

impl Watch for StopAt {
    fn phase(&mut self, phase: Phase, done: u64, _total: u64) {
        self.1 = phase == Phase::Redeal && done >= self.0;
    }
    fn interrupted(&mut self) -> bool {
        self.1
    }
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let run = |workers, watch: &mut dyn Watch| {
        stored_table(&setup(3), &input(3), &SETTINGS, &store, workers, watch)
    };
    let expected = encode(&made(3, 1)).expect("a sound table");
    for (workers, blocks) in [(1, 1), (3, 2), (2, 4)] {
        let mut stop = StopAt((blocks * BLOCK) as u64, false);
        let stopped = run(workers, &mut stop);
        assert!(
            matches!(stopped, Err(CalibrateError::Interrupted)),
            "{stopped:?}"
        );
    }
    let table = run(5, &mut Unwatched).expect("the rest");
    assert_eq!(table.text(), expected);
    // Nothing is left to do: a watch that always stops is never asked.
    let again = run(1, &mut StopAt(0, true)).expect("it is stored");
    assert_eq!(again.text(), expected);
}

/// Holds one block.
struct OneBlock(Vec<u32>);

impl Journal for OneBlock {
    fn finished(&self, block: u64) -> Option<Vec<u32>> {
        (block == 0).then(|| self.0.clone())
    }
    fn keep(&mut self, _block: u64, _hits: &[u32]) -> Result<(), CalibrateError> {
        Ok(())
    }
}

#[test]
fn a_journal_is_believed_but_not_one_of_another_run() {
    let run = |block: Vec<u32>| {
        let journal = &mut OneBlock(block);
        generate(&setup(3), &input(3), &SETTINGS, 2, &mut Unwatched, journal)
    };
    let all = run(vec![SETTINGS.samples; BLOCK]).expect("a table");
    assert_ne!(
        encode(&all).expect("sound"),
        encode(&made(3, 2)).expect("sound")
    );
    for foreign in [vec![0; BLOCK - 1], vec![SETTINGS.samples + 1; BLOCK]] {
        assert!(matches!(run(foreign), Err(CalibrateError::Journal(_))));
    }
}

#[test]
fn calibrated_beliefs_are_nearer_to_the_truth_than_raw_ones() {
    let table = setup(3);
    let mut policy = smart().policy;
    policy.maps = maps_of(&made(3, 2)).expect("monotone maps");
    let settings = AuditSettings {
        seed: 5,
        situations: 400,
        samples: 2_000,
    };
    let found = audit(&table, &policy, &settings, 2, &mut Unwatched).expect("an audit");
    assert_eq!(
        found,
        audit(&table, &policy, &settings, 7, &mut Unwatched).expect("again")
    );
    let (single, pair) = (&found.kinds[SINGLE], &found.kinds[PAIR]);
    // Singles are exact, so the audit finds no error at all, noise included.
    assert_eq!(single.all.situations, 400);
    assert_eq!(
        (single.all.raw.max_ppm, single.all.calibrated.max_ppm),
        (0, 0)
    );
    assert_eq!(single.behaviour.reliability.brier_ppm, Some(0));
    // Pairs are overstated by design; the map mends the mean, and play agrees.
    assert!(pair.open.situations > 30, "{:?}", pair.open);
    assert!(
        pair.open.calibrated.mean_ppm * 2 < pair.open.raw.mean_ppm,
        "{:?}",
        pair.open
    );
    let believed = pair.behaviour.reliability.brier_ppm;
    assert!(
        believed < pair.behaviour.raw_brier_ppm,
        "{:?}",
        pair.behaviour
    );
}

#[test]
fn a_table_that_says_nothing_earns_nothing() {
    let settings = EarnSettings {
        first_seed: 1,
        seeds: 12,
        rounds: 2,
    };
    let table = setup(3);
    let mut policy = smart().policy;
    let styles: Vec<_> = simple_styles(&Maps::identity(0)).collect();
    let execution = Execution::with_workers(2);
    let run = |policy: &Policy<Toy>| {
        earn(
            &table,
            policy,
            &styles,
            &settings,
            &execution,
            &mut Uncontrolled,
        )
    };
    let same = run(&policy).expect("a comparison");
    assert_eq!(same.head_to_head.mean_micro, 0);
    assert_eq!(same.head_to_head.interval_micro, Some((0, 0)));
    assert!(!same.styles.is_empty() && same.valid);
    assert!(
        same.styles
            .iter()
            .all(|s| s.difference.mean_micro == Some(0))
    );
    assert!(same.styles.iter().any(|s| s.raw.mean_micro != 0));
    // A policy that weighs the chance plays otherwise under maps that turn it round.
    policy.weights = Weights::new(policy.row.knobs, &[-1_000, 4_000, 0, 0, 0]).expect("in bounds");
    let sure = Map::new(&[(0, Ppm::clamped(400_000))]).expect("a map");
    policy.maps = Maps::new(vec![Some(sure), None]);
    let other = run(&policy).expect("a comparison");
    assert_ne!(other.head_to_head.mean_micro, 0);
}
