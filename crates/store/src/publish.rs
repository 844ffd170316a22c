//! Atomic publishing.

use crate::StoreError;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How temporary files end. They begin with a dot and bear the final name in between.
const TEMP_END: &str = ".evenhand-tmp";

/// How often a publisher starts again when another one's tidying took its temporary file.
const ATTEMPTS: u32 = 5;

/// What publishing did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Published {
    /// The file was not there.
    New,
    /// The file held these bytes already and was left alone.
    Same,
    /// The file held other bytes.
    Replaced,
}

/// Publishes bytes under a name, atomically, replacing what is there. Same as [`publish_replace`].
///
/// # Errors
/// When it cannot be written; the earlier file is then unchanged.
pub fn publish(path: &Path, bytes: &[u8]) -> Result<Published, StoreError> {
    publish_replace(path, bytes)
}

/// Publishes bytes under a name, atomically. A file that holds the same bytes is left alone.
///
/// # Errors
/// When it cannot be written; the earlier file is then unchanged.
pub fn publish_replace(path: &Path, bytes: &[u8]) -> Result<Published, StoreError> {
    let outcome = match existing(path)? {
        Some(found) if found == bytes => return Ok(Published::Same),
        Some(_) => Published::Replaced,
        None => Published::New,
    };
    write_whole(path, bytes)?;
    Ok(outcome)
}

/// Publishes bytes under a name that is not taken, atomically; what is there is compared, never
/// overwritten.
///
/// # Errors
/// [`StoreError::Differs`] when the file holds other bytes; otherwise when it cannot be written.
pub fn publish_new(path: &Path, bytes: &[u8]) -> Result<Published, StoreError> {
    match existing(path)? {
        Some(found) if found == bytes => Ok(Published::Same),
        Some(_) => Err(StoreError::Differs {
            path: path.to_owned(),
        }),
        None => {
            write_whole(path, bytes)?;
            Ok(Published::New)
        }
    }
}

/// The bytes of a file; `None` when it is not there.
///
/// # Errors
/// When it is there and cannot be read.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    existing(path)
}

/// Appends a line (given without its line break) and makes it durable. The file is made when it
/// is not there.
///
/// # Errors
/// When the line holds a line break or cannot be written.
pub fn append(path: &Path, line: &str) -> Result<(), StoreError> {
    if line.contains(['\n', '\r']) {
        return Err(StoreError::Line {
            path: path.to_owned(),
        });
    }
    let new = !path.exists();
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .map_err(|e| StoreError::io("open", path, e))?;
    write_line(&mut file, line).map_err(|e| StoreError::io("append to", path, e))?;
    if new {
        sync_folder(path)?;
    }
    Ok(())
}

/// Makes a folder and those above it.
///
/// # Errors
/// When it cannot be made.
pub fn create_dir(path: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(path).map_err(|e| StoreError::io("make the folder", path, e))
}

/// Removes a file; one that is not there is no error.
///
/// # Errors
/// When it is there and cannot be removed.
pub fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(StoreError::io("remove", path, e)),
        _ => Ok(()),
    }
}

/// A file in the making: written piece by piece, published as a whole by [`Draft::commit`], gone
/// without a trace when dropped.
#[derive(Debug)]
pub struct Draft {
    file: io::BufWriter<File>,
    temp: PathBuf,
    path: PathBuf,
}

impl Draft {
    /// Starts a file that will be published under this name.
    ///
    /// # Errors
    /// When its folder cannot be made or written to.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let folder = folder_of(path);
        create_dir(folder)?;
        tidy(folder);
        let temp = temp_name(path)?;
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temp)
            .map_err(|e| StoreError::io("write", path, e))?;
        // Held while it is written: tidying leaves it alone. Where locks do not exist, so be it.
        let _ = file.try_lock();
        Ok(Self {
            file: io::BufWriter::new(file),
            temp,
            path: path.to_owned(),
        })
    }

    /// Publishes what was written, replacing what is there.
    ///
    /// # Errors
    /// When it cannot be written or renamed; the earlier file is then unchanged.
    pub fn commit(mut self) -> Result<(), StoreError> {
        let path = self.path.clone();
        let fail = |e| StoreError::io("write", &path, e);
        self.file.flush().map_err(fail)?;
        self.file.get_ref().sync_all().map_err(fail)?;
        fs::rename(&self.temp, &self.path).map_err(fail)?;
        sync_folder(&self.path)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After a commit the name is gone and this does nothing.
        let _ = fs::remove_file(&self.temp);
    }
}

/// Writes a line and makes it durable.
pub(crate) fn write_line(file: &mut File, line: &str) -> io::Result<()> {
    // One write, so that a kill leaves all of it or none.
    file.write_all(format!("{line}\n").as_bytes())?;
    file.sync_data()
}

fn existing(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(StoreError::io("read", path, e)),
    }
}

fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut attempt = 1;
    loop {
        let mut draft = Draft::create(path)?;
        draft
            .write_all(bytes)
            .map_err(|e| StoreError::io("write", path, e))?;
        match draft.commit() {
            Err(StoreError::Io { source, .. })
                if source.kind() == io::ErrorKind::NotFound && attempt < ATTEMPTS =>
            {
                attempt += 1;
            }
            done => return done,
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn temp_name(path: &Path) -> Result<PathBuf, StoreError> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let Some(name) = path.file_name() else {
        return Err(StoreError::io(
            "write",
            path,
            io::Error::new(io::ErrorKind::InvalidInput, "names no file"),
        ));
    };
    let mut temp = OsString::from(".");
    temp.push(name);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    temp.push(format!(".{}.{count}{TEMP_END}", std::process::id()));
    Ok(folder_of(path).join(temp))
}

/// Whether this is the name of a temporary file.
pub(crate) fn is_temp(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") && name.ends_with(TEMP_END.as_bytes())
}

/// Removes temporary files that nobody writes any more. Best effort: what cannot be removed stays.
pub(crate) fn tidy(folder: &Path) -> u64 {
    let mut removed = 0;
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    for entry in entries.flatten() {
        if !is_temp(&entry.file_name()) {
            continue;
        }
        let free = File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if free && fs::remove_file(entry.path()).is_ok() {
            removed += 1;
        }
    }
    removed
}

fn sync_folder(path: &Path) -> Result<(), StoreError> {
    let folder = folder_of(path);
    // Elsewhere folders cannot be opened as files; the rename is as durable as the system makes it.
    if cfg!(unix) {
        File::open(folder)
            .and_then(|f| f.sync_all())
            .map_err(|e| StoreError::io("sync the folder", folder, e))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_device_has_its_own_error() {
        let full = Path::new("/dev/full");
        let error = append(full, "line").expect_err("nothing fits there");
        assert!(
            matches!(&error, StoreError::Full { path } if path == full),
            "{error:?}"
        );
        assert!(error.to_string().contains("no space left"), "{error}");
    }
}
