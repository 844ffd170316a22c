//! The commands as they are run: exit codes, records, the same bytes whatever the workers.

use evenhand_artifact::canonical;
use evenhand_lab::capture::{load_fixture, replay};
use evenhand_lexio::Lexio;
use evenhand_store::{ActionKey, Store, publish};
use std::path::Path;
use std::process::{Command, Output};

fn command(folder: &Path, program: &str, words: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.current_dir(folder).args(words);
    command.env_remove("EVENHAND_STORE").output().unwrap()
}

fn ends(output: &Output, code: i32) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{text}\n{errors}");
    text
}

const STORE: &str = env!("CARGO_BIN_EXE_store");
const ABLATE: &str = env!("CARGO_BIN_EXE_ablate");
const CAPTURE: &str = env!("CARGO_BIN_EXE_capture");
const DOCTOR: &str = env!("CARGO_BIN_EXE_doctor");

const SPEC: &str = r#"
game = "lexio"
players = 3
policy = "hard"
kind = "quick"
[calibrate]
seed = 1
situations = 100
samples = 10
[tune]
first_seed = 1
seeds = 4
rounds = 2
sweeps = 1
[[tune.pool]]
policy = "easy"
share = 60
[[tune.pool]]
policy = "incumbent"
share = 40
[validate]
seeds = 4
rounds = [2]
head_to_head = 4
first_seed = 1000
"#;

fn spec() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    publish(&folder.path().join("a spec.toml"), SPEC.as_bytes()).unwrap();
    folder
}

fn bytes(path: &Path) -> Vec<u8> {
    evenhand_store::read(path).unwrap().unwrap()
}

#[test]
fn ablate_writes_a_canonical_record_that_workers_do_not_change() {
    let folder = spec();
    let mut records = Vec::new();
    for workers in ["1", "3"] {
        let out = format!("ablation {workers}.json");
        let words = [
            "a spec.toml",
            "--seeds",
            "6",
            "--workers",
            workers,
            "--out",
            &out,
        ];
        let output = command(folder.path(), ABLATE, &words);
        // Six seeds leave something open.
        let text = ends(&output, 2);
        assert!(text.contains("more seeds would settle it"), "{text}");
        assert!(
            text.contains("no decision changed: it stands there already"),
            "{text}"
        );
        records.push(bytes(&folder.path().join(out)));
    }
    assert_eq!(records[0], records[1]);
    let record = canonical::parse("record", &records[0]).unwrap();
    assert_eq!(
        record.get("format").and_then(|f| f.as_text()),
        Some("evenhand-ablation/1")
    );
    assert!(!String::from_utf8_lossy(&records[0]).contains("seconds"));
    let words = [
        "a spec.toml",
        "--sweep",
        "OrphanShed",
        "--seeds",
        "2",
        "--json",
    ];
    let text = ends(&command(folder.path(), ABLATE, &words), 0);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["sweep"]["knob"], "OrphanShed");
    assert!(json["sweep"]["points"].as_array().unwrap().len() > 15);
}

#[test]
fn captures_are_fixtures_that_replay() {
    let folder = spec();
    let words = |workers, out| {
        let side = ["a spec.toml", "--a", "hard-independent", "--b", "hard"];
        let rest = [
            "--seeds",
            "8",
            "--redeals",
            "5",
            "--workers",
            workers,
            "--out",
            out,
        ];
        [&side[..], &rest[..]].concat()
    };
    for (workers, out) in [("1", "one"), ("3", "-three")] {
        let text = ends(&command(folder.path(), CAPTURE, &words(workers, out)), 0);
        let kept = bytes(&folder.path().join(out).join("captures.md"));
        assert!(text.as_bytes().starts_with(&kept));
    }
    let file = folder.path().join("one/captures.json");
    assert_eq!(
        bytes(&file),
        bytes(&folder.path().join("-three/captures.json"))
    );
    let doc = load_fixture(&file).unwrap();
    assert!(doc.differing > 0);
    assert_eq!(replay::<Lexio>(&doc).unwrap(), Vec::<String>::new());
    let slow = [
        "a spec.toml",
        "--a",
        "defaults",
        "--slowest",
        "3",
        "--seeds",
        "2",
        "--json",
    ];
    let text = ends(&command(folder.path(), CAPTURE, &slow), 0);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["by_work"].as_array().unwrap().len(), 3);
}

#[test]
fn doctor_holds_on_the_real_game() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "--game",
        "lexio",
        "--players",
        "3",
        "--seeds",
        "6",
        "--json",
    ];
    let text = ends(&command(folder.path(), DOCTOR, &words), 0);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["holds"], true);
    let checks = json["checks"].as_array().unwrap();
    for policy in ["easy", "eager", "hard"] {
        assert_eq!(checks.iter().filter(|c| c["policy"] == policy).count(), 7);
    }
}

#[test]
fn wrong_input_is_named_and_exits_with_3() {
    let folder = spec();
    for (program, words, named) in [
        (
            ABLATE,
            &["a spec.toml", "--sweep", "Leed"][..],
            "LeadRetention",
        ),
        (ABLATE, &["missing.toml"], "missing.toml"),
        (ABLATE, &["a spec.toml", "--seeds", "-3"], "'-3'"),
        (CAPTURE, &["a spec.toml", "--a", "hard"], "--b"),
        (
            CAPTURE,
            &["a spec.toml", "--a", "hart", "--b", "hard"],
            "did you mean \"hard\"",
        ),
        (
            CAPTURE,
            &["a spec.toml", "--a", "hard", "--b", "no/such.json"],
            "no/such.json",
        ),
        (DOCTOR, &["--game", "lexi", "--players", "5"], "lexio"),
        (STORE, &["ls"], "no store"),
    ] {
        let output = command(folder.path(), program, words);
        ends(&output, 3);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(named), "{words:?}: {errors}");
    }
}

#[test]
fn the_store_is_listed_explained_verified_and_collected() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join(".evenhand")).unwrap();
    let key = |step: &str| ActionKey::new(step).part("what", "a test");
    let kept = store
        .keep(&key("kept"), b"kept by an experiment\n")
        .unwrap();
    let lost = store.keep(&key("lost"), b"reached by nothing\n").unwrap();
    let note = folder.path().join("experiments/e/notes.md");
    evenhand_store::create_dir(note.parent().unwrap()).unwrap();
    publish(&note, format!("see {kept}\n").as_bytes()).unwrap();
    let run = |words: &[&str], code| ends(&command(folder.path(), STORE, words), code);
    let list = run(&["ls"], 0);
    assert!(
        list.contains(&kept.hex()) && list.contains("lost ->"),
        "{list}"
    );
    assert_eq!(
        run(&["show", &kept.hex()[..12]], 0),
        "kept by an experiment\n"
    );
    run(&["show", "zz"], 3);
    run(&["show", &"0".repeat(64)], 3);
    assert!(run(&["lineage", &kept.hex()], 0).contains("made by kept"));
    assert!(run(&["verify"], 0).contains("sound"));
    let dry = run(&["gc", "--dry-run"], 0);
    assert!(
        dry.contains("would go") && dry.contains("1 objects are reached"),
        "{dry}"
    );
    assert!(store.objects().get(&lost).unwrap().is_some());
    run(&["gc"], 0);
    assert!(store.objects().get(&lost).unwrap().is_none());
    assert!(store.objects().get(&kept).unwrap().is_some());
    let path = store.objects().blobs().path(&kept);
    publish(&path, b"KEPT by an experiment\n").unwrap();
    let found = run(&["verify", "--json"], 1);
    assert!(found.contains("damaged"), "{found}");
}
