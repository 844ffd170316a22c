//! What a run leaves when it is killed, when the disk is full, when another one is at it, and when
//! an artifact was spoilt.

use super::chain::{lay, retune, stored};
use evenhand_artifact::{TableDoc, WeightsDoc, open};
use evenhand_tests::{bin_dir, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const KILLS: u32 = 50;

/// Moments that differ from run to run; printed by a failure, so that it can be looked into.
struct Moments(u64);

impl Moments {
    fn new() -> Self {
        use std::hash::{BuildHasher, Hasher};
        let seed = std::hash::RandomState::new().build_hasher().finish();
        println!("moments from {seed}");
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[test]
fn fifty_kills_at_random_moments_change_no_byte() {
    let calm = tempfile::tempdir().expect("a scratch folder");
    let spec = lay(calm.path());
    let start = Instant::now();
    let output = retune(calm.path(), &spec, "2").output().expect("it starts");
    let took = start.elapsed();
    assert!(output.status.success(), "{output:?}");
    let undisturbed = stored(calm.path());

    let mut moments = Moments::new();
    let storm = tempfile::tempdir().expect("a scratch folder");
    let spec = lay(storm.path());
    let (mut kills, mut runs) = (0, 0);
    while kills < KILLS {
        let workers = ["1", "2", "3", "5"][(moments.next() % 4) as usize];
        let mut child = retune(storm.path(), &spec, workers)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        // Within the time of a whole run at most, so that every step of it is met, and mostly early
        // enough that a run is cut several times.
        let share = moments.next() % 1000 * (moments.next() % 1000);
        let moment = took.mul_f64(share as f64 / 1e6);
        std::thread::sleep(moment);
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("killed");
            kills += 1;
            child.wait().expect("gone");
            continue;
        }
        // It came to its end before the moment did.
        assert!(child.wait().expect("gone").success());
        assert_eq!(stored(storm.path()), undisturbed, "after {kills} kills");
        fs::remove_dir_all(storm.path().join("a store")).expect("removed");
        runs += 1;
    }
    let last = retune(storm.path(), &spec, "2")
        .output()
        .expect("it starts");
    assert!(last.status.success(), "{last:?}");
    assert_eq!(stored(storm.path()), undisturbed, "after {kills} kills");
    println!("{kills} kills in {} runs of {took:?}", runs + 1);
}

#[test]
fn of_two_runs_at_once_the_second_leaves_at_once() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let spec = lay(folder.path());
    // More seeds than can be played before the second has left.
    let text = fs::read_to_string(&spec).expect("readable");
    let text = text.replace("seeds = 16", "seeds = 20000");
    let text = text.replace("first_seed = 1001", "first_seed = 100001");
    fs::write(&spec, text).expect("written");
    let mut first = retune(folder.path(), &spec, "1").spawn().expect("starts");
    let runs = folder.path().join("a store/runs");
    let held = || fs::read_dir(&runs).is_ok_and(|mut all| all.next().is_some());
    while !held() {
        assert!(first.try_wait().expect("a child").is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = first.id();
    // The table may still be in the making; both are runs that one process alone may hold.
    let start = Instant::now();
    let second = retune(folder.path(), &spec, "1").output().expect("it ends");
    let took = start.elapsed();
    assert!(first.try_wait().expect("a child").is_none(), "it goes on");
    first.kill().expect("killed");
    first.wait().expect("gone");
    let stderr = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success(), "{stderr}");
    assert!(stderr.contains(&format!("process {id} ")), "{stderr}");
    assert!(took < Duration::from_secs(5), "it waited {took:?}");
}

/// Runs a script in a mount namespace of its own, where `$SMALL` is a tmpfs of 1 MiB; `None` when
/// this system does not let us.
fn on_a_small_disk(script: &str, folder: &Path) -> Option<String> {
    let small = folder.join("small");
    fs::create_dir_all(&small).expect("a folder");
    let allowed = Command::new("unshare")
        .args(["--mount", "--map-root-user", "true"])
        .status();
    let flags: &[&str] = if allowed.is_ok_and(|s| s.success()) {
        &["--mount", "--map-root-user"]
    } else {
        &["--mount"]
    };
    let probe = "mount -t tmpfs -o size=1m tmpfs \"$SMALL\"";
    let run = |script: &str| {
        Command::new("unshare")
            .args(flags)
            .args(["sh", "-c", script])
            .env("SMALL", &small)
            .env("BIN", bin_dir())
            .env_remove("EVENHAND_STORE")
            .current_dir(folder)
            .output()
    };
    if !run(probe).is_ok_and(|o| o.status.success()) {
        return None;
    }
    let output = run(&format!("set -eu; {probe}; {script}")).expect("it starts");
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn a_full_disk_leaves_whole_files_and_the_run_resumes() {
    let calm = tempfile::tempdir().expect("a scratch folder");
    let spec = lay(calm.path());
    let output = retune(calm.path(), &spec, "2").output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let undisturbed = stored(calm.path());

    let folder = tempfile::tempdir().expect("a scratch folder");
    let spec = lay(folder.path());
    let spec = spec.strip_prefix(folder.path()).expect("below");
    // Room for nothing, for some objects, for nearly all.
    let script = format!(
        r#"
        for room in 0 8 40 120; do
            rm -rf "$SMALL"/*
            mkdir "$SMALL/store"
            head -c "$((1024 - room))k" /dev/zero >"$SMALL/filler" 2>/dev/null || true
            code=0
            "$BIN/retune" {spec} --workers 2 --store "$SMALL/store" >said 2>complaint || code=$?
            [ "$code" != 0 ] || {{ echo "room $room: it came to its end"; continue; }}
            echo "room $room: left with $code: $(tail -n 1 complaint)"
            ! grep -q panicked complaint || exit 1
            rm "$SMALL/filler"
            "$BIN/store" verify --store "$SMALL/store" || exit 1
            "$BIN/retune" {spec} --workers 3 --store "$SMALL/store" >/dev/null
        done
        rm -rf "a store"
        cp -r "$SMALL/store" "a store"
        "#,
        spec = spec.display()
    );
    let Some(said) = on_a_small_disk(&script, folder.path()) else {
        println!("NOT RUN: this system lets us mount nothing");
        return;
    };
    print!("{said}");
    assert!(said.matches("left with").count() >= 3, "{said}");
    assert!(
        said.contains("sound") && !said.contains("problems"),
        "{said}"
    );
    assert_eq!(stored(folder.path()), undisturbed);
}

/// A full run of a second, whose candidate never differs from what is frozen.
const FULL: &str = r#"
game = "lexio"
players = 3
policy = "hard"
kind = "full"
[calibrate]
seed = 1
situations = 300
samples = 40
[tune]
first_seed = 1
seeds = 4
rounds = 1
sweeps = 1
accept_t_milli = 9000
[[tune.pool]]
policy = "easy"
share = 100
[validate]
seeds = 48
rounds = [1]
head_to_head = 64
[freeze]
claim = "no-loss"
"#;

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.insert(path.clone(), fs::read(&path).expect("readable"));
        }
    }
    all
}

#[test]
fn a_freeze_onto_a_full_disk_keeps_the_old_artifacts() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let experiments = folder.path().join("experiments");
    fs::create_dir_all(&experiments).expect("a folder");
    fs::write(experiments.join("toy.toml"), FULL).expect("written");
    let script = r#"
        "$BIN/retune" experiments/toy.toml --store store --freeze >/dev/null
        cp -r experiments tables "$SMALL"
        home=$PWD
        cd "$SMALL"
        "$BIN/retune" experiments/toy.toml --store "$home/store" >"$home/said"
        grep -q "every gate holds" "$home/said"
        cp -r tables "$home/before"
        cat /dev/zero >filler 2>/dev/null || true
        code=0
        "$BIN/retune" experiments/toy.toml --store "$home/store" --freeze >/dev/null 2>"$home/complaint" || code=$?
        cp -r tables "$home/full"
        rm filler
        "$BIN/retune" experiments/toy.toml --store "$home/store" --freeze >/dev/null
        cp -r tables "$home/after"
        echo "left with $code: $(tail -n 1 "$home/complaint")"
    "#;
    let Some(said) = on_a_small_disk(script, folder.path()) else {
        println!("NOT RUN: this system lets us mount nothing");
        return;
    };
    print!("{said}");
    assert!(said.contains("left with") && !said.contains("left with 0"));
    assert!(!said.contains("panicked"), "{said}");
    let below = |name: &str| -> BTreeMap<PathBuf, Vec<u8>> {
        let top = folder.path().join(name);
        let short = |path: &Path| path.strip_prefix(&top).expect("below").to_owned();
        let all = files(&top).into_iter();
        all.map(|(path, bytes)| (short(&path), bytes)).collect()
    };
    let (before, full, after) = (below("before"), below("full"), below("after"));
    assert_eq!(full, before, "the old artifacts are untouched");
    let weights = Path::new("lexio/3p/weights.json");
    assert_ne!(after[weights], before[weights], "with room it is frozen");
    assert!(after.contains_key(Path::new("lexio/3p/previous/weights.json")));
}

#[test]
fn every_flipped_byte_of_every_frozen_artifact_is_refused_by_name() {
    let mut tried = 0;
    for (path, bytes) in files(&root().join("tables")) {
        let name = path.display().to_string();
        let refused = |bytes: &[u8]| -> Option<String> {
            let error = match path.file_name()?.to_str()? {
                "weights.json" => open::<WeightsDoc>(&name, bytes).err()?.to_string(),
                "safety.json" => open::<TableDoc>(&name, bytes).err()?.to_string(),
                _ => "another file".to_owned(),
            };
            Some(error)
        };
        if refused(&bytes).is_some() {
            continue;
        }
        for at in 0..bytes.len() {
            let mut spoilt = bytes.clone();
            spoilt[at] ^= 1 << (at % 8);
            let error = refused(&spoilt).unwrap_or_else(|| panic!("{name}: byte {at}"));
            assert!(error.contains(&name), "byte {at}: {error}");
            tried += 1;
        }
    }
    assert!(tried > 10_000, "{tried} bytes");
}
