//! Hashes the sources that decide how cards are played and measured, so that stored results of
//! other sources are not taken for current ones.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The measuring crates, and the documents that results are kept in. The games are those that the
/// bot crate stands on.
const CRATES: [&str; 7] = [
    "artifact",
    "calibrate",
    "contract",
    "sim",
    "stats",
    "tune",
    "validate",
];

fn main() {
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let crates = Path::new(&here).parent().expect("crates are in a folder");
    let lock = crates.parent().expect("in a workspace").join("Cargo.lock");
    let bot = crates.join("bot").join("Cargo.toml");
    let mut names: Vec<String> = CRATES.map(str::to_owned).to_vec();
    names.extend(games(
        &fs::read_to_string(&bot).expect("the bot's manifest"),
    ));
    names.sort_unstable();
    names.dedup();

    let mut files = BTreeMap::new();
    files.insert("Cargo.lock".to_owned(), text(&lock));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-changed={}", bot.display());
    for name in names {
        let folder = crates.join(&name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        gather(&folder, &format!("{name}/src"), &mut files);
    }

    let mut hash = Sha256::new();
    hash.update("evenhand-sources/1\n");
    for (path, text) in &files {
        hash.update(format!("{path} {}\n", text.len()));
        hash.update(text);
    }
    let hex: String = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
    println!("cargo::rustc-env=EVENHAND_SOURCE_HASH={hex}");
}

/// The crates that a manifest depends on, without the project's prefix.
fn games(manifest: &str) -> Vec<String> {
    manifest
        .lines()
        .filter_map(|line| line.trim().strip_prefix("evenhand-"))
        .filter_map(|rest| rest.split(['.', ' ', '=']).next())
        .map(str::to_owned)
        .collect()
}

/// A file's bytes with LF line endings, so that how git checked it out makes no difference.
fn text(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\r' || rest.peek() != Some(&b'\n') {
            out.push(byte);
        }
    }
    out
}

/// Files below a folder under relative paths with `/`, whatever the system writes.
fn gather(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let entry = entry.expect("a readable folder");
        let name = entry.file_name().into_string().expect("a UTF-8 file name");
        let path = entry.path();
        let relative = format!("{prefix}/{name}");
        if path.is_dir() {
            gather(&path, &relative, files);
        } else if name.ends_with(".rs") {
            files.insert(relative, text(&path));
        }
    }
}
