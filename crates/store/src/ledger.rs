//! The record of every look at held-out results: `experiments/ledger.jsonl`.
//!
//! One canonical JSON line an entry, append-only, each linked to its predecessor by hash. A line of
//! *intent* is written before the first held-out match, a line of *outcome* after the last, a line
//! of *freeze* when the candidate was frozen. The same candidate with the same salt is the same
//! attempt; other attempts of the game since its last freeze count up, and attempt k is judged at
//! 0.05 / (k (k + 1)).

use crate::{Digest, StoreError, read};
use evenhand_artifact::{Entry, Event, LedgerLine, Outcome};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A ledger that was read and found sound.
#[derive(Clone, Debug)]
pub struct Ledger {
    path: PathBuf,
    lines: Vec<LedgerLine>,
    contents: Vec<Digest>,
    torn: usize,
}

/// What [`record`] did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The line on record.
    pub line: LedgerLine,
    /// Its content digest, by which it is cited.
    pub content: Digest,
    /// Whether it was added now; the same content is recorded once.
    pub new: bool,
}

impl Ledger {
    /// Reads a ledger; one that is not there is empty. Forms, links, attempts and levels are
    /// checked; a torn last line is left out (see [`Ledger::torn`]).
    ///
    /// # Errors
    /// When it cannot be read or breaks a rule, with the line.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        Self::parse(path, &read(path)?.unwrap_or_default())
    }

    /// As [`Ledger::read`], from bytes; `path` names them in messages.
    ///
    /// # Errors
    /// When they break a rule, with the line.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, StoreError> {
        let whole = bytes
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1);
        let mut ledger = Self {
            path: path.to_owned(),
            lines: Vec::new(),
            contents: Vec::new(),
            torn: bytes.len() - whole,
        };
        for (i, text) in bytes[..whole].split_inclusive(|b| *b == b'\n').enumerate() {
            let at = format!("{}: line {}", path.display(), i + 1);
            let line = LedgerLine::parse(&at, &text[..text.len() - 1])?;
            let refuse = |reason: &str| ledger.refuse(format!("line {}: {reason}", i + 1));
            if !line.fits(ledger.last_link()) {
                return Err(refuse(
                    "its link does not fit: a line was changed, moved or taken out",
                ));
            }
            let expected = ledger.linked(line.entry.clone())?;
            if expected != line {
                return Err(refuse(&format!(
                    "says attempt {} at {} billionths, but it is attempt {} at {}",
                    line.attempt, line.alpha_ppb, expected.attempt, expected.alpha_ppb
                )));
            }
            ledger.push(line)?;
        }
        Ok(ledger)
    }

    fn refuse(&self, reason: String) -> StoreError {
        StoreError::Ledger {
            path: self.path.clone(),
            reason,
        }
    }

    fn last_link(&self) -> Option<Digest> {
        self.lines.last().map(|line| line.chain)
    }

    fn push(&mut self, line: LedgerLine) -> Result<(), StoreError> {
        self.contents.push(line.entry.content_digest()?);
        self.lines.push(line);
        Ok(())
    }

    /// The lines, oldest first.
    #[must_use]
    pub fn lines(&self) -> &[LedgerLine] {
        &self.lines
    }

    /// Bytes of a torn last line, which is not among the lines; the next [`record`] removes it.
    #[must_use]
    pub const fn torn(&self) -> usize {
        self.torn
    }

    /// What people should be told of a torn last line.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        (self.torn > 0).then(|| {
            format!(
                "{}: its last line is torn ({} bytes without a line end) and is dropped; a killed \
                 command left it",
                self.path.display(),
                self.torn
            )
        })
    }

    /// The line of this content.
    #[must_use]
    pub fn find(&self, content: &Digest) -> Option<&LedgerLine> {
        let place = self.contents.iter().position(|c| c == content)?;
        self.lines.get(place)
    }

    /// The line of this content, when it is one of outcome; with the outcome.
    #[must_use]
    pub fn outcome(&self, content: &Digest) -> Option<(&LedgerLine, Outcome)> {
        let line = self.find(content)?;
        match line.entry.event {
            Event::Outcome { result, .. } => Some((line, result)),
            _ => None,
        }
    }

    /// The attempt that an entry belongs to: that of the same candidate and salt where they are on
    /// record, else one more than the attempts of the game since its last freeze.
    #[must_use]
    pub fn attempt(&self, entry: &Entry) -> u32 {
        if let Some(line) = self.lines.iter().find(|l| l.entry.same_attempt(entry)) {
            return line.attempt;
        }
        let of_game = |line: &&LedgerLine| line.entry.game == entry.game;
        let mut seen: Vec<(&str, &str)> = Vec::new();
        for line in self.lines.iter().filter(of_game) {
            let one = (line.entry.candidate.as_str(), line.entry.salt.as_str());
            match line.entry.event {
                Event::Freeze { .. } => seen.clear(),
                Event::Intent { .. } if !seen.contains(&one) => seen.push(one),
                _ => {}
            }
        }
        u32::try_from(seen.len())
            .unwrap_or(u32::MAX)
            .saturating_add(1)
    }

    /// The line that an entry would make at the ledger's end.
    fn linked(&self, entry: Entry) -> Result<LedgerLine, StoreError> {
        let known = |content: &str| content.parse().ok().and_then(|d| self.find(&d));
        match &entry.event {
            Event::Intent { .. } => {}
            Event::Outcome { intent, .. } => {
                let fits = known(intent).is_some_and(|line| {
                    matches!(line.entry.event, Event::Intent { .. })
                        && line.entry.same_attempt(&entry)
                });
                if !fits {
                    return Err(self.refuse(format!(
                        "an outcome of {} without its line of intent ({intent})",
                        entry.experiment
                    )));
                }
            }
            Event::Freeze { outcome, .. } => {
                let fits = known(outcome).is_some_and(|line| {
                    matches!(
                        line.entry.event,
                        Event::Outcome {
                            result: Outcome::Passed,
                            ..
                        }
                    ) && line.entry.same_attempt(&entry)
                });
                if !fits {
                    return Err(self.refuse(format!(
                        "a freeze of {} without its line of a passed outcome ({outcome})",
                        entry.experiment
                    )));
                }
            }
        }
        let attempt = self.attempt(&entry);
        Ok(LedgerLine::linked(entry, attempt, self.last_link())?)
    }

    /// Adds an entry unless its content is there.
    fn add(&mut self, entry: Entry) -> Result<Recorded, StoreError> {
        let content = entry.content_digest()?;
        if let Some(line) = self.find(&content) {
            return Ok(Recorded {
                line: line.clone(),
                content,
                new: false,
            });
        }
        let line = self.linked(entry)?;
        self.push(line.clone())?;
        Ok(Recorded {
            line,
            content,
            new: true,
        })
    }

    /// The ledger's text.
    ///
    /// # Errors
    /// Never for a ledger that was read.
    pub fn text(&self) -> Result<String, StoreError> {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(&line.text()?);
            text.push('\n');
        }
        Ok(text)
    }
}

/// Puts an entry on record, durably, before this returns. The same content is recorded once. Other
/// processes wait for each other.
///
/// # Errors
/// When the ledger is not sound, an outcome lacks its intent, a freeze lacks its passed outcome,
/// or the file cannot be written.
pub fn record(path: &Path, entry: Entry) -> Result<Recorded, StoreError> {
    extend(path, |ledger| ledger.add(entry))
}

/// Adds lines to a ledger file while no other process does; all of them are written at once.
fn extend<T>(
    path: &Path,
    change: impl FnOnce(&mut Ledger) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if let Some(folder) = path.parent() {
        crate::create_dir(folder)?;
    }
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
        .map_err(|e| StoreError::io("open", path, e))?;
    // Held until the file is dropped; nobody holds it for longer than one writing takes.
    file.lock().map_err(|e| StoreError::io("lock", path, e))?;
    let mut ledger = Ledger::read(path)?;
    let before = ledger.lines.len();
    let result = change(&mut ledger)?;
    let mut new = String::new();
    for line in &ledger.lines[before..] {
        new.push_str(&line.text()?);
        new.push('\n');
    }
    if new.is_empty() {
        return Ok(result);
    }
    let fail = |e| StoreError::io("append to", path, e);
    let length = file.metadata().map_err(fail)?.len();
    let sound = length - ledger.torn as u64;
    if ledger.torn > 0 {
        file.set_len(sound).map_err(fail)?;
    }
    // One write: a kill leaves all of it or nothing.
    let written = file
        .write_all(new.as_bytes())
        .and_then(|()| file.sync_data());
    if let Err(e) = written {
        let _ = file.set_len(sound);
        return Err(fail(e));
    }
    Ok(result)
}

/// Merges the ledger of another branch into ours: our lines stay as they are, the other branch's
/// own lines follow in their order, with links, attempts and levels as they now are. What is cited
/// by content stays cited; an attempt that counts higher now is judged at its new level.
///
/// # Errors
/// When either is not sound.
pub fn merged(ours: &Ledger, theirs: &Ledger) -> Result<Ledger, StoreError> {
    for ledger in [ours, theirs] {
        if ledger.torn > 0 {
            return Err(ledger.refuse("its last line is torn".to_owned()));
        }
    }
    let mut merged = ours.clone();
    for line in &theirs.lines {
        merged.add(line.entry.clone())?;
    }
    Ok(merged)
}

/// Merges the ledger file of another branch into ours, in place. Returns the lines added.
///
/// # Errors
/// When either is not sound, or ours cannot be written.
pub fn merge(ours: &Path, theirs: &Path) -> Result<usize, StoreError> {
    let theirs = Ledger::read(theirs)?;
    extend(ours, |ledger| {
        let before = ledger.lines.len();
        *ledger = merged(ledger, &theirs)?;
        Ok(ledger.lines.len() - before)
    })
}

/// Checks that `head` only adds lines to `base`, and that both are sound.
///
/// # Errors
/// With what happened to the first line that did not stay: changed, moved, or taken out.
pub fn check(base: &Ledger, head: &Ledger) -> Result<(), StoreError> {
    if head.torn > 0 {
        return Err(head.refuse("its last line is torn".to_owned()));
    }
    for (i, line) in base.lines.iter().enumerate() {
        if head.lines.get(i) == Some(line) {
            continue;
        }
        let number = i + 1;
        let what = match head.find(&base.contents[i]) {
            Some(_) => "was moved or linked anew",
            None if i >= head.lines.len() => "was taken out: the ledger got shorter",
            None => "was rewritten or taken out",
        };
        return Err(head.refuse(format!(
            "line {number} of the base ({} of {}) {what}; a ledger only grows",
            name(&line.entry.event),
            line.entry.experiment
        )));
    }
    Ok(())
}

const fn name(event: &Event) -> &'static str {
    match event {
        Event::Intent { .. } => "intent",
        Event::Outcome { .. } => "outcome",
        Event::Freeze { .. } => "freeze",
    }
}
