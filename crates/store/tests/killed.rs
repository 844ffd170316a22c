//! Processes that are killed while they hold a lock, write a journal or publish.
//!
//! Each test starts this test binary again with one of the `child_` tests below, which do nothing
//! unless they are told a folder.
// Tests of the crate that writes files spoil files by hand.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use evenhand_store::{ActionKey, Lock, Run, Store, StoreError, ledger, publish, verify};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const FOLDER: &str = "EVENHAND_TEST_FOLDER";

fn told() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// Starts a child test and waits until it says that it is at work.
fn start(child: &str, folder: &Path) -> Child {
    let mut process = Command::new(std::env::current_exe().expect("this binary"))
        .args(["--exact", child, "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let out = BufReader::new(process.stdout.take().expect("piped"));
    let ready = out
        .lines()
        .map_while(Result::ok)
        .any(|line| line.contains("at work"));
    assert!(ready, "{child} never came to work");
    process
}

fn kill(mut process: Child) {
    process.kill().expect("killed");
    process.wait().expect("gone");
}

fn key() -> ActionKey {
    ActionKey::new("toy").part("spec", "s")
}

#[test]
fn child_holds_a_run() {
    let Some(folder) = told() else { return };
    let store = Store::open(&folder).expect("opens");
    let _run = Run::open(&store, &key()).expect("opens");
    println!("at work");
    std::thread::sleep(Duration::from_secs(60));
}

#[test]
fn child_writes_without_end() {
    let Some(folder) = told() else { return };
    let store = Store::open(&folder).expect("opens");
    let mut run = Run::open(&store, &key()).expect("opens");
    println!("at work");
    for i in run.journal.lines().len().. {
        run.journal.append(&format!("line {i}")).expect("appends");
        store
            .objects()
            .put(format!("object {i}").as_bytes())
            .expect("put");
        let text = format!("{i}\n").repeat(20_000);
        publish(&folder.join("published"), text.as_bytes()).expect("published");
    }
}

#[test]
fn a_killed_holder_is_named_and_its_lock_recovers_at_once() {
    let dir = TempDir::new().expect("a folder");
    let store = Store::open(dir.path()).expect("opens");
    let child = start("child_holds_a_run", dir.path());
    let error = Run::open(&store, &key()).expect_err("held");
    let StoreError::Held { holder, path } = &error else {
        panic!("{error}");
    };
    assert!(
        holder.contains(&format!("process {} ", child.id())),
        "{holder}"
    );
    assert!(
        holder.contains("child_holds_a_run"),
        "names the command: {holder}"
    );
    assert!(Lock::is_held(path));
    kill(child);
    let run = Run::open(&store, &key()).expect("free at once");
    assert_eq!(run.journal.dropped(), None);
}

#[test]
fn a_writer_killed_at_any_moment_leaves_whole_files() {
    let dir = TempDir::new().expect("a folder");
    let mut lines = 0;
    for round in 0..12_u64 {
        let child = start("child_writes_without_end", dir.path());
        std::thread::sleep(Duration::from_micros(700 * round * round));
        kill(child);
        let store = Store::open(dir.path()).expect("opens");
        let run = Run::open(&store, &key()).expect("free at once");
        for (i, line) in run.journal.lines().iter().enumerate() {
            assert_eq!(line, &format!("line {i}"));
        }
        assert!(
            run.journal.lines().len() >= lines,
            "nothing durable is lost"
        );
        lines = run.journal.lines().len();
        let found = verify(&store).expect("verifies");
        assert_eq!(found.problems, Vec::<String>::new());
        if let Ok(text) = fs::read_to_string(dir.path().join("published")) {
            assert_eq!(text.lines().count(), 20_000);
            let first = text.lines().next().expect("a line");
            assert!(text.lines().all(|line| line == first));
        }
    }
    assert!(lines > 0, "the writer never came to write");
    // The next publisher of the folder tidies what the killed ones left.
    publish(&dir.path().join("published"), b"x").expect("published");
    let left = fs::read_dir(dir.path()).expect("a folder").flatten();
    assert!(
        left.into_iter()
            .all(|e| !e.file_name().to_string_lossy().starts_with('.'))
    );
    // An empty ledger is no ledger at all.
    let none = ledger::Ledger::read(&dir.path().join("ledger.jsonl")).expect("sound");
    assert!(none.lines().is_empty());
}
