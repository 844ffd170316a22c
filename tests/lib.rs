//! What the system tests share: the built binaries, a scratch folder, and how to run one in the
//! other.
//!
//! The binaries are built once per test run, by cargo, so a test can never meet a stale file that
//! happens to lie in the target folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The repository's root.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests folder has a parent")
}

/// The folder of the freshly built binaries.
///
/// # Panics
/// When the build fails.
pub fn bin_dir() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let output = Command::new(env!("CARGO"))
            .args([
                "build",
                "--release",
                "--workspace",
                "--bins",
                "--message-format=json",
            ])
            .current_dir(root())
            .output()
            .expect("cargo runs");
        assert!(
            output.status.success(),
            "building the binaries failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        // Cargo names each executable that it has just built or found fresh.
        let text = String::from_utf8_lossy(&output.stdout);
        let executable = text
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
            .find(|path| path.file_stem().is_some_and(|name| name == "measure"))
            .expect("cargo names the binary `measure`");
        executable
            .parent()
            .expect("an executable lies in a folder")
            .to_owned()
    })
}

/// A command for one of our binaries, run from `folder`.
#[must_use]
pub fn command(binary: &str, folder: &Path) -> Command {
    let mut command = Command::new(bin_dir().join(binary));
    command
        .current_dir(folder)
        .env_remove("EVENHAND_STORE")
        .env("NO_COLOR", "1");
    command
}

/// Runs one of our binaries from the repository's root.
///
/// # Panics
/// When it cannot be started.
pub fn run(binary: &str, args: &[&str]) -> Output {
    command(binary, root())
        .args(args)
        .output()
        .expect("the binary starts")
}

/// Runs a binary that must succeed, and returns what it printed.
///
/// # Panics
/// When it exits with anything but 0, with its stderr.
pub fn succeed(binary: &str, args: &[&str]) -> String {
    let output = run(binary, args);
    assert!(
        output.status.success(),
        "{binary} {args:?} exited with {:?}:\n{}",
        output.status.code(),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// Runs a binary that must fail with this exit code and one clear message, and returns stderr.
///
/// # Panics
/// When it exits otherwise, panics, or says nothing.
pub fn refuse(binary: &str, args: &[&str], code: i32) -> String {
    let output = run(binary, args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{binary} {args:?}:\n{stderr}"
    );
    assert!(
        !stderr.trim().is_empty(),
        "{binary} {args:?} fails silently"
    );
    assert!(
        !stderr.contains("panicked at"),
        "{binary} {args:?} shows a panic:\n{stderr}"
    );
    stderr
}
