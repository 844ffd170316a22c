use crate::{StoreError, create_dir};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A lock on a file, held by this process until dropped or until the process ends, however it
/// ends: the operating system releases it, so a killed holder never blocks the next one.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock at once or names the holder.
    ///
    /// # Errors
    /// [`StoreError::Held`] with process and command of the holder; otherwise when the file cannot
    /// be opened.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent() {
            create_dir(folder)?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|e| StoreError::io("open the lock", path, e))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Held {
                    path: path.to_owned(),
                    holder: holder(&mut file),
                });
            }
            Err(TryLockError::Error(e)) => return Err(StoreError::io("lock", path, e)),
        }
        // What a killed holder left is cleared before we write who we are.
        let named = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(our_name().as_bytes()));
        named.map_err(|e| StoreError::io("write the lock", path, e))?;
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// Whether somebody holds the lock right now; no file, no holder.
    #[must_use]
    pub fn is_held(path: &Path) -> bool {
        File::open(path).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// The lock's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The name goes before the lock does, so that nobody reads a holder that is none.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

fn our_name() -> String {
    let command: Vec<String> = std::env::args_os()
        .map(|arg| arg.to_string_lossy().replace(char::is_control, " "))
        .collect();
    format!("process {} ({})\n", std::process::id(), command.join(" "))
}

/// Who holds the lock. The holder may be writing its name just now: wait for it a little.
fn holder(file: &mut File) -> String {
    for _ in 0..20 {
        let mut name = String::new();
        let whole = file.rewind().and_then(|()| file.read_to_string(&mut name));
        if whole.is_ok() && name.ends_with('\n') {
            return name.trim_end().to_owned();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    "another process".to_owned()
}
