use crate::publish::write_line;
use crate::{Digest, StoreError, read};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

/// Hex digits of a line's checksum.
const CHECK_DIGITS: usize = 16;

/// An append-only file of text lines, each with its own checksum that covers all lines before it.
///
/// A process may be killed at any byte: the torn last line is dropped (see [`Journal::dropped`])
/// and what it stood for is done again. Damage anywhere else - a changed byte, a line taken out,
/// swapped or brought in from another journal - is refused with file and line.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    lines: Vec<String>,
    last: Digest,
    dropped: Option<usize>,
}

impl Journal {
    /// Opens a journal, made when it is not there. `identity` says whose it is: a journal of
    /// another identity is refused.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] with the line; otherwise when it cannot be opened.
    pub fn open(path: &Path, identity: &str) -> Result<Self, StoreError> {
        let bytes = read(path)?.unwrap_or_default();
        let whole = bytes
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1);
        let (lines, last) = check(path, &bytes[..whole], identity)?;
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(|e| StoreError::io("open", path, e))?;
        let torn = bytes.len() - whole;
        if torn > 0 {
            file.set_len(whole as u64)
                .and_then(|()| file.sync_all())
                .map_err(|e| StoreError::io("mend", path, e))?;
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            lines,
            last,
            dropped: (torn > 0).then_some(torn),
        })
    }

    /// The lines, oldest first.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Bytes of a torn last line that was dropped when the journal was opened: to be said.
    #[must_use]
    pub const fn dropped(&self) -> Option<usize> {
        self.dropped
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line and makes it durable.
    ///
    /// # Errors
    /// When the line holds a line break or cannot be written.
    pub fn append(&mut self, line: &str) -> Result<(), StoreError> {
        if line.contains(['\n', '\r']) {
            return Err(StoreError::Line {
                path: self.path.clone(),
            });
        }
        let link = link(&self.last, line);
        let before = self.file.metadata().map(|m| m.len());
        let written = write_line(
            &mut self.file,
            &format!("{} {line}", &link.hex()[..CHECK_DIGITS]),
        );
        if let Err(e) = written {
            // Half a line followed by a whole one could not be told from damage.
            if let Ok(before) = before {
                let _ = self.file.set_len(before);
            }
            return Err(StoreError::io("append to", &self.path, e));
        }
        self.last = link;
        self.lines.push(line.to_owned());
        Ok(())
    }
}

fn start(identity: &str) -> Digest {
    Digest::of(format!("evenhand-journal/1\n{identity}\n").as_bytes())
}

fn link(last: &Digest, line: &str) -> Digest {
    Digest::of(format!("{last}\n{line}\n").as_bytes())
}

/// The lines of whole-line bytes and the last link.
pub(crate) fn check(
    path: &Path,
    bytes: &[u8],
    identity: &str,
) -> Result<(Vec<String>, Digest), StoreError> {
    let mut lines = Vec::new();
    let mut last = start(identity);
    let text = str::from_utf8(bytes).map_err(|e| {
        let line = 1 + bytes[..e.valid_up_to()]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        StoreError::damaged(path, format!("line {line} is not UTF-8 text"))
    })?;
    for (i, whole) in text.lines().enumerate() {
        let number = i + 1;
        let sound = whole.split_once(' ').and_then(|(check, line)| {
            let next = link(&last, line);
            (check.len() == CHECK_DIGITS && next.hex().starts_with(check)).then_some((line, next))
        });
        let Some((line, next)) = sound else {
            let why = if number == 1 {
                "does not fit its checksum, or belongs to another run"
            } else {
                "does not fit its checksum, or lines before it are missing"
            };
            return Err(StoreError::damaged(path, format!("line {number} {why}")));
        };
        lines.push(line.to_owned());
        last = next;
    }
    Ok((lines, last))
}
