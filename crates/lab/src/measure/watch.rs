use super::times::Times;
use anyhow::Context;
use evenhand_cli::Progress;
use evenhand_cli::args::ForceArg;
use evenhand_contract::{Border, BySeat, Seat};
use evenhand_sim::{Block, Control, Decided, MatchPlan, Observer, Place, TranscriptLines};
use evenhand_store::Draft;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What is watched of one seed.
pub(super) struct Watch<'a, G: Border> {
    lines: Option<TranscriptLines<'a, G>>,
    times: Option<[Times; 2]>,
}

impl<'a, G: Border> Watch<'a, G> {
    pub(super) fn new(plan: &'a MatchPlan<G>, transcript: bool, timed: bool) -> Self {
        let lines = || TranscriptLines::new(&plan.setup, &plan.a, &plan.b);
        Self {
            lines: transcript.then(lines),
            times: timed.then(Default::default),
        }
    }
}

impl<G: Border> Observer<G> for Watch<'_, G> {
    fn timed(&self) -> bool {
        self.times.is_some()
    }
    fn round_start(&mut self, at: &Place, start: &G::State) {
        if let Some(lines) = &mut self.lines {
            lines.round_start(at, start);
        }
    }
    fn decision(&mut self, _at: &Place, decided: &Decided<'_, G>) {
        if let (Some(times), Some(nanos)) = (&mut self.times, decided.nanos) {
            times[decided.side as usize].add(nanos);
        }
    }
    fn moved(&mut self, at: &Place, seat: Seat, decision: &G::Decision) {
        if let Some(lines) = &mut self.lines {
            lines.moved(at, seat, decision);
        }
    }
    fn round_end(&mut self, at: &Place, end: &G::State, settlement: &BySeat<i64>) {
        if let Some(lines) = &mut self.lines {
            lines.round_end(at, end, settlement);
        }
    }
}

/// The moves of each arrangement of one seed, hashed.
#[derive(Default)]
pub(super) struct Alike(BTreeMap<u32, DefaultHasher>);

impl Alike {
    /// Whether they are the same in all arrangements.
    pub(super) fn alike(&self) -> bool {
        let mut hashes = self.0.values().map(DefaultHasher::finish);
        let first = hashes.next();
        hashes.all(|hash| Some(hash) == first)
    }
}

impl<G: Border> Observer<G> for Alike {
    fn moved(&mut self, at: &Place, seat: Seat, decision: &G::Decision) {
        let hasher = self.0.entry(at.arrangement).or_default();
        (at.round, seat, decision).hash(hasher);
    }
}

/// Where transcript lines go: a stream of whole lines in seed order. Not an artifact, and perhaps
/// a pipe, so it is written in place.
pub(super) struct Sink {
    path: PathBuf,
    out: Out,
}

/// A regular file appears whole when the run is done, or not at all; what is there and is none (a
/// pipe, a terminal) takes lines as they come.
enum Out {
    Draft(Draft),
    Stream(BufWriter<File>),
}

impl Out {
    fn lines(&mut self) -> &mut dyn Write {
        match self {
            Self::Draft(draft) => draft,
            Self::Stream(stream) => stream,
        }
    }
}

impl Sink {
    /// Opens the file before anything is played.
    pub(super) fn open(path: &Path, force: ForceArg) -> anyhow::Result<Self> {
        let shown = || format!("cannot write the transcript {}", path.display());
        let is_other = path.metadata().is_ok_and(|found| !found.is_file());
        let out = if is_other {
            let file = File::options().write(true).open(path);
            Out::Stream(BufWriter::new(file.with_context(shown)?))
        } else {
            force.check(path)?;
            // A misspelt folder is an error, not a folder to be made.
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder {
                folder.metadata().with_context(shown)?;
            }
            Out::Draft(Draft::create(path)?)
        };
        Ok(Self {
            path: path.to_owned(),
            out,
        })
    }
}

/// The run's control while seeds are watched: progress, and a stop when lines cannot be written.
pub(super) struct Watching {
    progress: Progress,
    path: Option<PathBuf>,
    shared: Rc<RefCell<Shared>>,
}

struct Shared {
    out: Option<Out>,
    error: Option<io::Error>,
}

impl Watching {
    pub(super) fn new(sink: Option<Sink>, progress: Progress) -> Self {
        let (path, out) = sink.map(|sink| (sink.path, sink.out)).unzip();
        Self {
            progress,
            path,
            shared: Rc::new(RefCell::new(Shared { out, error: None })),
        }
    }

    /// Takes what was watched of each seed, in seed order.
    pub(super) fn receiver<'t, G: Border>(
        &self,
        times: &'t mut [Times; 2],
    ) -> impl FnMut(Watch<'_, G>) + use<'t, G> {
        let shared = Rc::clone(&self.shared);
        move |watch| {
            for (sum, part) in times.iter_mut().zip(watch.times.iter().flatten()) {
                sum.merge(part);
            }
            let mut shared = shared.borrow_mut();
            let Shared { out, error } = &mut *shared;
            if let (Some(out), Some(lines), None) = (out, watch.lines, &error) {
                *error = out.lines().write_all(lines.text.as_bytes()).err();
            }
        }
    }

    /// Writes out what is left; a file appears only when the run is `whole`.
    pub(super) fn finish(&self, whole: bool) -> anyhow::Result<()> {
        self.progress.finish();
        let mut shared = self.shared.borrow_mut();
        if let Some(error) = shared.error.take() {
            return Err(self.unwritten(error));
        }
        match shared.out.take() {
            Some(Out::Draft(draft)) if whole => Ok(draft.commit()?),
            None | Some(Out::Draft(_)) => Ok(()),
            Some(Out::Stream(mut stream)) => stream.flush().map_err(|e| self.unwritten(e)),
        }
    }

    fn unwritten(&self, error: io::Error) -> anyhow::Error {
        let path = self.path.as_deref().unwrap_or(Path::new("-"));
        anyhow::Error::new(error).context(format!("cannot write the transcript {}", path.display()))
    }
}

impl Control for Watching {
    fn block(
        &mut self,
        block: &Block,
        finished: usize,
        total: usize,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let error = self.shared.borrow_mut().error.take();
        match error {
            Some(error) => Err(self.unwritten(error).into()),
            None => self.progress.block(block, finished, total),
        }
    }

    fn interrupted(&mut self) -> bool {
        self.progress.interrupted()
    }
}
