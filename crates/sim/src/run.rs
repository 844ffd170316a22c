use crate::block::{Block, merge, sorted};
use crate::observe::{NoObserver, Observer};
use crate::seeds::{Seeds, SplitKind};
use crate::{MatchPlan, PlayFailure, RunError, SeedTally, Workspace, play_seed};
use evenhand_contract::{Border, SeedId, Stream};
use std::collections::BTreeMap;
use std::error::Error;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// In which order blocks are handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockOrder {
    /// As the seeds are listed.
    #[default]
    Listed,
    /// The last first.
    Reversed,
    /// In an order that this number draws.
    Shuffled(u64),
}

/// How a run is carried out. Nothing of it can change a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Execution {
    /// Threads; 0 counts as 1.
    pub workers: usize,
    /// Seeds a block; 0 counts as 1. Interruption and journaling happen between blocks.
    pub block: usize,
    /// The order of blocks.
    pub order: BlockOrder,
}

impl Execution {
    /// This many threads, with blocks of four seeds.
    #[must_use]
    pub const fn with_workers(workers: usize) -> Self {
        Self {
            workers,
            block: 4,
            order: BlockOrder::Listed,
        }
    }
}

impl Default for Execution {
    /// One thread a core.
    fn default() -> Self {
        Self::with_workers(std::thread::available_parallelism().map_or(1, NonZero::get))
    }
}

/// What the caller of a run is told and asked. All calls come on the caller's own thread.
pub trait Control {
    /// A block is finished, `finished` of `total` seeds now are. Blocks come in any order, each
    /// once; those that the run resumed from are not repeated.
    ///
    /// # Errors
    /// Whatever keeps the caller from keeping the block; it ends the run.
    fn block(
        &mut self,
        _block: &Block,
        _finished: usize,
        _total: usize,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }
    /// Whether to stop: blocks in play are finished first.
    fn interrupted(&mut self) -> bool {
        false
    }
}

/// Listens to nothing and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uncontrolled;

impl Control for Uncontrolled {}

/// Plays every seed and returns the tallies in seed order.
///
/// # Errors
/// When the plan cannot be played, a match fails, or the run is interrupted.
pub fn run<G: Border, S: SplitKind>(
    plan: &MatchPlan<G>,
    seeds: &Seeds<S>,
    execution: &Execution,
    control: &mut dyn Control,
) -> Result<Vec<SeedTally>, RunError> {
    resume(plan, seeds, Vec::new(), execution, control)
}

/// Plays the seeds that `done` does not hold and returns all tallies in seed order.
///
/// # Errors
/// As [`run`], and when `done` holds blocks of another plan or overlapping ones.
pub fn resume<G: Border, S: SplitKind>(
    plan: &MatchPlan<G>,
    seeds: &Seeds<S>,
    done: Vec<Block>,
    execution: &Execution,
    control: &mut dyn Control,
) -> Result<Vec<SeedTally>, RunError> {
    let make = |_: &SeedId| NoObserver;
    carry_out(plan, seeds, done, execution, control, &make, &mut |_| {})
}

/// Plays every seed, each watched by an observer of its own, which `sink` receives in seed order.
///
/// # Errors
/// As [`run`].
pub fn run_observed<G: Border, S: SplitKind, O: Observer<G> + Send>(
    plan: &MatchPlan<G>,
    seeds: &Seeds<S>,
    execution: &Execution,
    control: &mut dyn Control,
    make: impl Fn(&SeedId) -> O + Sync,
    sink: &mut dyn FnMut(O),
) -> Result<Vec<SeedTally>, RunError> {
    carry_out(plan, seeds, Vec::new(), execution, control, &make, sink)
}

type Played<O> = Result<(Vec<SeedTally>, Vec<O>), Box<PlayFailure>>;

/// What workers share: the blocks to play, the next one to hand out, and whether to stop.
struct Queue {
    ranges: Vec<Range<usize>>,
    order: Vec<usize>,
    next: AtomicUsize,
    stop: AtomicBool,
}

impl Queue {
    fn new(seeds: usize, done: &[Block], execution: &Execution) -> Self {
        let size = execution.block.max(1);
        let mut ranges = Vec::new();
        let mut cut = |gap: Range<usize>| {
            ranges.extend(
                gap.clone()
                    .step_by(size)
                    .map(|from| from..gap.end.min(from + size)),
            );
        };
        let mut from = 0;
        for block in done {
            let first = block.first as usize;
            cut(from..first);
            from = first + block.tallies.len();
        }
        cut(from..seeds);
        let mut order: Vec<usize> = (0..ranges.len()).collect();
        match execution.order {
            BlockOrder::Listed => {}
            BlockOrder::Reversed => order.reverse(),
            BlockOrder::Shuffled(by) => {
                Stream::keyed("block-order", &[("by", &by)]).shuffle(&mut order);
            }
        }
        Self {
            ranges,
            order,
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        }
    }

    /// The place of the next block to play.
    fn take(&self) -> Option<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        self.order.get(turn).copied()
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Receives finished blocks on the caller's thread.
struct Collector<'a, O> {
    plan: String,
    queue: &'a Queue,
    blocks: Vec<Block>,
    finished: usize,
    total: usize,
    control: &'a mut dyn Control,
    sink: &'a mut dyn FnMut(O),
    watched: BTreeMap<usize, Vec<O>>,
    next_watched: usize,
    interrupted: bool,
    failure: Option<(usize, Box<PlayFailure>)>,
    refusal: Option<Box<dyn Error + Send + Sync>>,
}

impl<O> Collector<'_, O> {
    fn accept(&mut self, place: usize, played: Played<O>) {
        match played {
            Err(failure) => {
                self.queue.stop();
                // Which worker fails first is chance; the earliest failing seed is not.
                if self
                    .failure
                    .as_ref()
                    .is_none_or(|(first, _)| place < *first)
                {
                    self.failure = Some((place, failure));
                }
            }
            Ok((tallies, observers)) => {
                let block = Block {
                    plan: self.plan.clone(),
                    first: self.queue.ranges[place].start as u64,
                    tallies,
                };
                self.finished += block.tallies.len();
                if self.refusal.is_none()
                    && let Err(error) = self.control.block(&block, self.finished, self.total)
                {
                    self.queue.stop();
                    self.refusal = Some(error);
                }
                self.blocks.push(block);
                self.watched.insert(place, observers);
                while let Some(ready) = self.watched.remove(&self.next_watched) {
                    self.next_watched += 1;
                    ready.into_iter().for_each(&mut *self.sink);
                }
            }
        }
        self.poll();
    }

    fn poll(&mut self) {
        if !self.interrupted && self.control.interrupted() {
            self.interrupted = true;
            self.queue.stop();
        }
    }
}

fn carry_out<G: Border, S: SplitKind, O: Observer<G> + Send>(
    plan: &MatchPlan<G>,
    seeds: &Seeds<S>,
    done: Vec<Block>,
    execution: &Execution,
    control: &mut dyn Control,
    make: &(impl Fn(&SeedId) -> O + Sync),
    sink: &mut dyn FnMut(O),
) -> Result<Vec<SeedTally>, RunError> {
    plan.check()?;
    let digest = plan.digest(seeds);
    let done = sorted(&digest, seeds, done)?;
    let queue = Queue::new(seeds.len(), &done, execution);
    let workers = execution.workers.max(1).min(queue.ranges.len().max(1));
    let mut collector = Collector {
        plan: digest.clone(),
        queue: &queue,
        finished: done.iter().map(|block| block.tallies.len()).sum(),
        blocks: done,
        total: seeds.len(),
        control,
        sink,
        watched: BTreeMap::new(),
        next_watched: 0,
        interrupted: false,
        failure: None,
        refusal: None,
    };
    let play_block = |place: usize, workspace: &mut Workspace<G>| -> Played<O> {
        let ids = &seeds.ids()[queue.ranges[place].clone()];
        let mut tallies = Vec::with_capacity(ids.len());
        let mut observers = Vec::with_capacity(ids.len());
        for id in ids {
            let mut observer = make(id);
            let tally = play_seed(plan, S::SPLIT, *id, workspace, &mut observer)?;
            tallies.push(tally);
            observers.push(observer);
        }
        Ok((tallies, observers))
    };
    collector.poll();
    if workers == 1 {
        let mut workspace = Workspace::new(plan.setup.players);
        while let Some(place) = queue.take() {
            let played = play_block(place, &mut workspace);
            collector.accept(place, played);
        }
    } else {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(workers)
            .build()
            .map_err(|error| RunError::Workers {
                workers,
                reason: error.to_string(),
            })?;
        let (sender, receiver) = channel();
        pool.in_place_scope(|scope| {
            for _ in 0..workers {
                let sender = sender.clone();
                let (queue, play_block) = (&queue, &play_block);
                scope.spawn(move |_| {
                    let mut workspace = Workspace::new(plan.setup.players);
                    while let Some(place) = queue.take() {
                        let played = play_block(place, &mut workspace);
                        if sender.send((place, played)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(Duration::from_millis(50)) {
                    Ok((place, played)) => collector.accept(place, played),
                    Err(RecvTimeoutError::Timeout) => collector.poll(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
    }
    if let Some((_, failure)) = collector.failure {
        return Err(RunError::Play(failure));
    }
    if let Some(refusal) = collector.refusal {
        return Err(RunError::Control(refusal));
    }
    if collector.interrupted && collector.finished < collector.total {
        return Err(RunError::Interrupted {
            finished: collector.finished,
            total: collector.total,
        });
    }
    Ok(merge(&digest, seeds, collector.blocks)?)
}
