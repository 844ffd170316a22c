//! The whole chain on a small spec: it can be killed and resumed, it skips what is done, and two
//! runs do not meet.

use evenhand_artifact::{ValidationDoc, decode, encode};
use evenhand_tests::{command, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Writes a spec of a second or so into `folder`, and the frozen tables beside it.
pub(crate) fn lay(folder: &Path) -> PathBuf {
    let text = fs::read_to_string(root().join("experiments/lexio-quick.toml")).expect("the spec");
    let smaller = |text: &str, key: &str, value: &str| {
        let line = text
            .lines()
            .find(|l| l.starts_with(&format!("{key} =")))
            .expect(key)
            .to_owned();
        text.replacen(&line, &format!("{key} = {value}"), 1)
    };
    let text = smaller(&text, "situations", "300");
    let text = smaller(&text, "samples", "50");
    let text = smaller(&text, "rounds", "1");
    let text = smaller(&text, "sweeps", "1");
    let experiments = folder.join("experiments");
    fs::create_dir_all(&experiments).expect("a folder");
    let spec = experiments.join("small.toml");
    fs::write(&spec, text).expect("written");
    copy(&root().join("tables"), &folder.join("tables"));
    spec
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("readable") {
        let entry = entry.expect("an entry");
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &target);
        } else {
            fs::write(&target, fs::read(&source).expect("readable")).expect("written");
        }
    }
}

pub(crate) fn retune(folder: &Path, spec: &Path, workers: &str) -> Command {
    let mut command = command("retune", folder);
    command
        .arg(spec)
        .args(["--workers", workers, "--store"])
        .arg(folder.join("a store"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Every stored object and action with its bytes.
pub(crate) fn stored(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn gather(root: &Path, folder: &Path, into: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                gather(root, &path, into);
            } else {
                let name = path.strip_prefix(root).expect("below the root").to_owned();
                into.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    let mut all = BTreeMap::new();
    for part in ["objects", "actions"] {
        let root = folder.join("a store");
        gather(&root, &root.join(part), &mut all);
    }
    all
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes_and_a_finished_one_does_nothing() {
    let calm = tempfile::tempdir().expect("a scratch folder");
    let spec = lay(calm.path());
    let output = retune(calm.path(), &spec, "2").output().expect("it starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let undisturbed = stored(calm.path());
    assert!(undisturbed.len() > 4);

    // A second run finds everything.
    let again = retune(calm.path(), &spec, "1").output().expect("it starts");
    assert!(again.status.success());
    assert_eq!(stored(calm.path()), undisturbed);
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(!said.contains("made now"), "nothing is made twice:\n{said}");

    let storm = tempfile::tempdir().expect("a scratch folder");
    let spec = lay(storm.path());
    let mut kills = 0;
    for (moment, workers) in (1..).zip(["1", "2", "3", "1", "2", "3"]) {
        let mut child = retune(storm.path(), &spec, workers)
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(90 * moment));
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("killed");
            kills += 1;
        }
        child.wait().expect("it ends");
    }
    assert!(kills > 0, "the spec is too small to be killed in");
    let last = retune(storm.path(), &spec, "2")
        .output()
        .expect("it starts");
    assert!(
        last.status.success(),
        "{}",
        String::from_utf8_lossy(&last.stderr)
    );
    assert_eq!(stored(storm.path()), undisturbed, "after {kills} kills");
}

#[test]
fn of_two_runs_at_once_one_wins_and_the_other_names_the_holder() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let spec = lay(folder.path());
    let runs: Vec<_> = (0..2)
        .map(|_| {
            retune(folder.path(), &spec, "1")
                .spawn()
                .expect("it starts")
        })
        .collect();
    let outputs: Vec<_> = runs
        .into_iter()
        .map(|run| run.wait_with_output().expect("ends"))
        .collect();
    let failed: Vec<_> = outputs.iter().filter(|o| !o.status.success()).collect();
    assert_eq!(failed.len(), 1, "exactly one leaves");
    let stderr = String::from_utf8_lossy(&failed[0].stderr);
    assert!(
        stderr.contains("process") || stderr.contains("pid"),
        "the holder is named:\n{stderr}"
    );
}

#[test]
fn a_quick_run_can_never_be_frozen() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let spec = lay(folder.path());
    let before = fs::read(folder.path().join("tables/lexio/5p/weights.json")).expect("readable");
    let output = retune(folder.path(), &spec, "2")
        .arg("--freeze")
        .output()
        .expect("it starts");
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let after = fs::read(folder.path().join("tables/lexio/5p/weights.json")).expect("readable");
    assert_eq!(before, after);
    assert!(
        !folder.path().join("experiments/ledger.jsonl").exists(),
        "no line for a rehearsal"
    );
}

/// Whether a run found everything in the store.
fn nothing_new(folder: &Path, spec: &Path, workers: &str) -> bool {
    let output = retune(folder, spec, workers)
        .arg("--json")
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    said["nothing_new"].as_bool().expect("a word on it")
}

#[test]
fn what_was_done_is_found_again_whatever_does_not_matter_and_not_when_it_does() {
    let outer = tempfile::tempdir().expect("a scratch folder");
    let first = outer.path().join("first");
    fs::create_dir(&first).expect("a folder");
    let spec = lay(&first);
    assert!(!nothing_new(&first, &spec, "2"));

    // Another folder name, other file times, a comment, another order of keys, other workers.
    let second = outer.path().join("another name");
    fs::rename(&first, &second).expect("renamed");
    let spec = second.join("experiments/small.toml");
    let text = fs::read_to_string(&spec).expect("readable");
    let same = text.replacen(
        "game = \"lexio\"\nplayers = 5\n",
        "players = 5\n# a word\ngame = 'lexio'\n",
        1,
    );
    assert_ne!(same, text);
    fs::write(&spec, format!("# Another comment.\n{same}")).expect("written");
    copy(&root().join("tables"), &second.join("tables"));
    // The best of three, since a busy machine says nothing about the command.
    let quickest = (0..3).map(|_| {
        let start = std::time::Instant::now();
        assert!(nothing_new(&second, &spec, "3"));
        start.elapsed()
    });
    let quickest = quickest.min().expect("three");
    assert!(quickest < Duration::from_secs(2), "{quickest:?}");

    // The spec's meaning, down to what only the last step reads.
    for (old, new) in [
        ("share = 35", "share = 34"),
        ("seeds = 32", "seeds = 33"),
        ("samples = 50", "samples = 51"),
        ("claim = \"gain\"", "claim = \"no-loss\""),
    ] {
        let mut other = text.replacen(old, new, 1);
        if old == "share = 35" {
            other = other.replacen("share = 30", "share = 31", 1);
        }
        assert_ne!(other, text, "{old}");
        fs::write(&spec, other).expect("written");
        assert!(!nothing_new(&second, &spec, "2"), "{new}");
    }
    // The frozen policy that is tuned against: without it another one plays.
    fs::write(&spec, &text).expect("written");
    assert!(nothing_new(&second, &spec, "2"));
    fs::remove_dir_all(second.join("tables/lexio/5p")).expect("removed");
    assert!(!nothing_new(&second, &spec, "2"));
}

/// Lays the frozen six-player Daifugo table with its record into a folder, one cell's digest
/// changed by `forge`, and replays it.
fn replayed(forge: bool, cells: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for file in [
        "tables/daifugo/6p/safety.json",
        "tables/daifugo/6p/weights.json",
        "experiments/daifugo-6p.toml",
        "experiments/daifugo-6p/validation.json",
    ] {
        let to = folder.path().join(file);
        fs::create_dir_all(to.parent().expect("it has a parent")).expect("created");
        fs::copy(root().join(file), to).expect("copied");
    }
    if forge {
        let file = folder.path().join("experiments/daifugo-6p/validation.json");
        let bytes = fs::read(&file).expect("readable");
        let mut record: ValidationDoc = decode("validation.json", &bytes).expect("a record");
        for cell in &mut record.cells {
            let other = if cell.tallies.starts_with('0') {
                "1"
            } else {
                "0"
            };
            cell.tallies.replace_range(..1, other);
        }
        fs::write(&file, encode(&record).expect("canonical")).expect("written");
    }
    let output = command("validate", folder.path())
        .args(["experiments/daifugo-6p.toml", "--replay"])
        .args(cells)
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text)
}

#[test]
fn a_record_that_play_does_not_give_is_found_by_replaying_a_cell() {
    let (code, text) = replayed(false, &["--one-cell"]);
    assert_eq!((code, text.lines().count()), (Some(0), 1), "{text}");
    assert!(text.contains(" as recorded"), "{text}");
    let (code, text) = replayed(true, &["--one-cell"]);
    assert_eq!((code, text.lines().count()), (Some(1), 1), "{text}");
    assert!(text.contains(" NOT as recorded"), "{text}");
}
