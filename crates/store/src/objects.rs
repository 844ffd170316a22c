use crate::publish::is_temp;
use crate::{Digest, Published, StoreError, publish_new, read};
use std::fs;
use std::path::{Path, PathBuf};

/// Where bytes lie by digest: the narrow interface that a remote store will have to offer.
pub trait Blobs {
    /// The bytes under a digest, unchecked; `None` when they are not there.
    ///
    /// # Errors
    /// When they are there and cannot be read.
    fn get(&self, digest: &Digest) -> Result<Option<Vec<u8>>, StoreError>;

    /// Stores bytes under a digest unless something is there; tells whether it was absent.
    ///
    /// # Errors
    /// When they cannot be written, or other bytes are there.
    fn put_if_absent(&self, digest: &Digest, bytes: &[u8]) -> Result<bool, StoreError>;

    /// Every digest there is, ascending.
    ///
    /// # Errors
    /// When the place cannot be listed.
    fn list(&self) -> Result<Vec<Digest>, StoreError>;

    /// Where a blob lies, for messages.
    fn place(&self, digest: &Digest) -> PathBuf {
        format!("object {digest}").into()
    }
}

/// Blobs in a folder, spread over 256 folders by the digest's first byte.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Blobs in this folder.
    #[must_use]
    pub const fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Where a blob lies.
    #[must_use]
    pub fn path(&self, digest: &Digest) -> PathBuf {
        let hex = digest.hex();
        self.root.join(&hex[..2]).join(&hex[2..])
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

impl Blobs for Folder {
    fn get(&self, digest: &Digest) -> Result<Option<Vec<u8>>, StoreError> {
        read(&self.path(digest))
    }

    fn put_if_absent(&self, digest: &Digest, bytes: &[u8]) -> Result<bool, StoreError> {
        let path = self.path(digest);
        match publish_new(&path, bytes) {
            Ok(published) => Ok(published == Published::New),
            Err(StoreError::Differs { path }) => Err(StoreError::damaged(
                &path,
                "its bytes do not match its name",
            )),
            Err(other) => Err(other),
        }
    }

    fn place(&self, digest: &Digest) -> PathBuf {
        self.path(digest)
    }

    fn list(&self) -> Result<Vec<Digest>, StoreError> {
        let mut found = Vec::new();
        for folder in entries(&self.root)? {
            if !folder.is_dir() {
                continue;
            }
            for file in entries(&folder)? {
                if let Some(digest) = digest_of_path(&folder, &file) {
                    found.push(digest);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }
}

/// The digest that a file's folder and name spell; `None` for strangers.
fn digest_of_path(folder: &Path, file: &Path) -> Option<Digest> {
    let head = folder.file_name()?.to_str()?;
    let tail = file.file_name()?.to_str()?;
    format!("{head}{tail}").parse().ok()
}

/// What a folder holds, sorted by name, temporary files left out; nothing when it is not there.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let fail = |e| StoreError::io("list", folder, e);
    let list = match fs::read_dir(folder) {
        Ok(list) => list,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(fail(e)),
    };
    let mut paths = Vec::new();
    for entry in list {
        let entry = entry.map_err(fail)?;
        if !is_temp(&entry.file_name()) {
            paths.push(entry.path());
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// Content-addressed objects: bytes under their own SHA-256, checked whenever they are read.
#[derive(Clone, Debug)]
pub struct Objects<B> {
    blobs: B,
}

impl<B: Blobs> Objects<B> {
    /// Objects over these blobs.
    pub const fn new(blobs: B) -> Self {
        Self { blobs }
    }

    /// The blobs underneath.
    pub const fn blobs(&self) -> &B {
        &self.blobs
    }

    /// Stores bytes; an object that is there already is compared, never overwritten.
    ///
    /// # Errors
    /// When they cannot be written, or the object that is there is damaged.
    pub fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = Digest::of(bytes);
        self.blobs.put_if_absent(&digest, bytes)?;
        Ok(digest)
    }

    /// The bytes of a digest, hashed again; `None` when they are not there.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when they are not what they were.
    pub fn get(&self, digest: &Digest) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(bytes) = self.blobs.get(digest)? else {
            return Ok(None);
        };
        let found = Digest::of(&bytes);
        if found != *digest {
            return Err(StoreError::Damaged {
                path: self.blobs.place(digest),
                reason: format!("its bytes hash to {found}"),
            });
        }
        Ok(Some(bytes))
    }

    /// Every object, ascending.
    ///
    /// # Errors
    /// When the place cannot be listed.
    pub fn list(&self) -> Result<Vec<Digest>, StoreError> {
        self.blobs.list()
    }
}
