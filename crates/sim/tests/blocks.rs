//! Blocks: handed over once each, taken back whole, refused when they do not fit; interruption
//! and resumption give the uninterrupted bytes.

use evenhand_sim::{
    Block, BlockOrder, Control, Execution, MatchPlan, MergeError, Rehearsal, RunError, SeedTally,
    Seeds, Uncontrolled, digest, merge, resume, run,
};
use evenhand_testkit::{Toy, policy, setup};
use proptest::prelude::*;
use std::error::Error;

fn plan() -> MatchPlan<Toy> {
    MatchPlan::new(setup(3), 2, policy("smart"), policy("easy")).unwrap()
}

fn seeds(count: u64) -> Seeds<Rehearsal> {
    Seeds::range(1000, count).unwrap()
}

/// Keeps blocks, and asks to stop once it holds enough.
#[derive(Default)]
struct Journal {
    blocks: Vec<Block>,
    counts: Vec<(usize, usize)>,
    stop_after: Option<usize>,
    full_after: Option<usize>,
}

impl Control for Journal {
    fn block(
        &mut self,
        block: &Block,
        finished: usize,
        total: usize,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self
            .full_after
            .is_some_and(|most| self.blocks.len() >= most)
        {
            return Err("the disk is full".into());
        }
        self.blocks.push(block.clone());
        self.counts.push((finished, total));
        Ok(())
    }
    fn interrupted(&mut self) -> bool {
        self.stop_after
            .is_some_and(|most| self.blocks.len() >= most)
    }
}

fn execution(workers: usize, block: usize, order: BlockOrder) -> Execution {
    Execution {
        workers,
        block,
        order,
    }
}

#[test]
fn each_block_is_handed_over_once_and_counted_when_finished() {
    let (plan, seeds) = (plan(), seeds(23));
    for workers in [1, 4] {
        let mut journal = Journal::default();
        let run = run(
            &plan,
            &seeds,
            &execution(workers, 4, BlockOrder::Shuffled(1)),
            &mut journal,
        );
        let tallies = run.unwrap();
        assert_eq!(journal.blocks.len(), 6);
        let mut counted = 0;
        for (block, &(finished, total)) in journal.blocks.iter().zip(&journal.counts) {
            counted += block.tallies.len();
            assert_eq!((finished, total), (counted, 23));
        }
        assert_eq!(
            merge(&plan.digest(&seeds), &seeds, journal.blocks),
            Ok(tallies)
        );
    }
}

#[test]
fn an_interrupted_run_resumes_to_the_same_bytes_under_any_execution() {
    let (plan, seeds) = (plan(), seeds(30));
    let whole = run(
        &plan,
        &seeds,
        &Execution::with_workers(1),
        &mut Uncontrolled,
    )
    .unwrap();
    for (workers, block, stop_after) in [(1, 4, 0), (1, 4, 3), (3, 1, 7), (2, 5, 1), (8, 2, 20)] {
        let mut journal = Journal {
            stop_after: Some(stop_after),
            ..Journal::default()
        };
        let stopped = run(
            &plan,
            &seeds,
            &execution(workers, block, BlockOrder::Shuffled(2)),
            &mut journal,
        );
        let kept: usize = journal.blocks.iter().map(|b| b.tallies.len()).sum();
        match stopped {
            Err(RunError::Interrupted { finished, total }) => {
                assert_eq!((finished, total), (kept, 30));
            }
            // Blocks in play are finished, and they may have been the last ones.
            Ok(tallies) => assert_eq!(tallies, whole),
            Err(other) => panic!("{other}"),
        }
        let mut rest = Journal::default();
        let again = execution(3, 3, BlockOrder::Reversed);
        let resumed = resume(&plan, &seeds, journal.blocks.clone(), &again, &mut rest).unwrap();
        assert_eq!(resumed, whole);
        assert_eq!(digest(&resumed), digest(&whole));
        let played: usize = rest.blocks.iter().map(|b| b.tallies.len()).sum();
        assert_eq!(played + kept, 30, "nothing is played twice");
    }
}

#[test]
fn interruption_before_the_first_block_plays_nothing() {
    let mut journal = Journal {
        stop_after: Some(0),
        ..Journal::default()
    };
    let stopped = run(
        &plan(),
        &seeds(5),
        &Execution::with_workers(2),
        &mut journal,
    );
    assert!(matches!(
        stopped,
        Err(RunError::Interrupted {
            finished: 0,
            total: 5
        })
    ));
}

#[test]
fn a_caller_that_cannot_keep_a_block_ends_the_run() {
    for workers in [1, 3] {
        let mut journal = Journal {
            full_after: Some(2),
            ..Journal::default()
        };
        let ended = run(
            &plan(),
            &seeds(20),
            &execution(workers, 1, BlockOrder::Listed),
            &mut journal,
        );
        match ended {
            Err(RunError::Control(error)) => assert_eq!(error.to_string(), "the disk is full"),
            other => panic!("{other:?}"),
        }
        assert_eq!(journal.blocks.len(), 2);
    }
}

fn blocks_of(plan: &MatchPlan<Toy>, seeds: &Seeds<Rehearsal>, size: usize) -> Vec<Block> {
    let mut journal = Journal::default();
    run(
        plan,
        seeds,
        &execution(1, size, BlockOrder::Listed),
        &mut journal,
    )
    .unwrap();
    journal.blocks
}

#[test]
fn what_does_not_fit_is_refused() {
    let (plan, seeds) = (plan(), seeds(12));
    let digest = plan.digest(&seeds);
    let good = blocks_of(&plan, &seeds, 4);
    let merged = |blocks: Vec<Block>| merge(&digest, &seeds, blocks);
    assert!(merged(good.clone()).is_ok());

    assert_eq!(merged(good[1..].to_vec()), Err(MergeError::Gap(0)));
    assert_eq!(
        merged(vec![good[0].clone(), good[2].clone()]),
        Err(MergeError::Gap(4))
    );
    assert_eq!(merged(good[..2].to_vec()), Err(MergeError::Gap(8)));
    assert_eq!(merged(Vec::new()), Err(MergeError::Gap(0)));

    let twice = [good.clone(), vec![good[1].clone()]].concat();
    assert_eq!(merged(twice), Err(MergeError::Overlap(4)));
    let other_size = blocks_of(&plan, &seeds, 3);
    let overlapping = [good.clone(), vec![other_size[1].clone()]].concat();
    assert!(matches!(merged(overlapping), Err(MergeError::Overlap(_))));

    let mut foreign = plan.clone();
    foreign.rounds = 3;
    let mixed = [
        good[..2].to_vec(),
        blocks_of(&foreign, &seeds, 4)[2..].to_vec(),
    ]
    .concat();
    assert!(matches!(
        merged(mixed),
        Err(MergeError::ForeignPlan { first: 8, .. })
    ));

    let mut empty = good.clone();
    empty[1].tallies.clear();
    assert_eq!(merged(empty), Err(MergeError::Empty(4)));
    let mut cut = good.clone();
    cut[1].tallies.pop();
    assert_eq!(merged(cut), Err(MergeError::Gap(7)));
    let mut late = good.clone();
    late[2].first = 9;
    assert!(matches!(merged(late), Err(MergeError::Beyond { .. })));
    let mut far = good.clone();
    far[2].first = u64::MAX;
    assert!(matches!(merged(far), Err(MergeError::Beyond { .. })));
    let mut swapped = good.clone();
    swapped[1].tallies.swap(0, 1);
    assert!(matches!(
        merged(swapped),
        Err(MergeError::Seed { place: 4, .. })
    ));

    let refused = resume(
        &plan,
        &seeds,
        vec![good[0].clone(), good[0].clone()],
        &Execution::with_workers(1),
        &mut Uncontrolled,
    );
    assert!(matches!(
        refused,
        Err(RunError::Merge(MergeError::Overlap(0)))
    ));
}

#[test]
fn a_block_reads_back_from_its_text() {
    let (plan, seeds) = (plan(), seeds(5));
    for block in blocks_of(&plan, &seeds, 2) {
        let text = serde_json::to_string(&block).unwrap();
        assert_eq!(serde_json::from_str::<Block>(&text).unwrap(), block);
        assert!(!text.contains('.'), "whole numbers only: {text}");
        let unknown = text.replacen("\"first\"", "\"fist\"", 1);
        assert!(serde_json::from_str::<Block>(&unknown).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn blocks_merge_in_any_order_and_sizes(
        sizes in proptest::collection::vec(1..5_usize, 12),
        turn in 0..12_usize,
    ) {
        let (plan, seeds) = (plan(), seeds(12));
        let all: Vec<SeedTally> =
            run(&plan, &seeds, &Execution::with_workers(1), &mut Uncontrolled).unwrap();
        let digest = plan.digest(&seeds);
        let (mut blocks, mut from) = (Vec::new(), 0);
        for size in sizes {
            let to = all.len().min(from + size);
            if from < to {
                blocks.push(Block {
                    plan: digest.clone(),
                    first: from as u64,
                    tallies: all[from..to].to_vec(),
                });
            }
            from = to;
        }
        let count = blocks.len();
        blocks.rotate_left(turn % count);
        prop_assert_eq!(merge(&digest, &seeds, blocks), Ok(all));
    }
}
