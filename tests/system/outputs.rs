//! Output options never replace in silence what they did not make.

use evenhand_tests::{command, root};
use std::fs;
use std::path::Path;
use std::process::Output;

const SIDES: [&str; 12] = [
    "--game",
    "lexio",
    "--players",
    "3",
    "--a",
    "easy",
    "--b",
    "eager",
    "--seeds",
    "1",
    "--rounds",
    "1",
];

/// Lays a spec, the frozen tables and a ledger into a scratch folder.
fn lay() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let put = |file: &str| {
        let to = folder.path().join(file);
        fs::create_dir_all(to.parent().expect("a folder")).expect("made");
        fs::copy(root().join(file), to).expect("copied");
    };
    for file in [
        "tables/lexio/3p/safety.json",
        "tables/lexio/3p/weights.json",
        "tables/lexio/3p/previous/safety.json",
        "tables/lexio/3p/previous/weights.json",
        "experiments/ledger.jsonl",
        "experiments/lexio-3p/summary.json",
    ] {
        put(file);
    }
    let spec = fs::read_to_string(root().join("experiments/lexio-quick.toml")).expect("the spec");
    let mut small = spec.replacen("players = 5", "players = 3", 1);
    for (key, value) in [("situations", "200"), ("samples", "20"), ("sweeps", "1")] {
        let line = small.lines().find(|l| l.starts_with(&format!("{key} =")));
        let line = line.expect(key).to_owned();
        small = small.replacen(&line, &format!("{key} = {value}"), 1);
    }
    fs::write(folder.path().join("small.toml"), small).expect("written");
    folder
}

fn run(folder: &Path, line: &[&str], out: &str) -> Output {
    let mut command = command(line[0], folder);
    command.args(&line[1..]).arg(out);
    command.output().expect("the binary starts")
}

#[test]
fn what_is_there_stays_unless_forced() {
    let folder = lay();
    let measure = [&["measure"], &SIDES[..], &["--transcript"]].concat();
    let generate = [
        "calibrate",
        "generate",
        "--game",
        "lexio",
        "--players",
        "3",
        "--situations",
        "100",
        "--samples",
        "10",
        "--out",
    ];
    let tune = ["tune", "small.toml", "--out"];
    let ablate = ["ablate", "small.toml", "--seeds", "2", "--out"];
    let capture = [
        "capture",
        "small.toml",
        "--a",
        "easy",
        "--b",
        "eager",
        "--seeds",
        "1",
        "--out",
    ];
    let summary = "experiments/lexio-3p/summary.json";
    let kept = fs::read(folder.path().join(summary)).expect("readable");
    let ledger = fs::read(folder.path().join("experiments/ledger.jsonl")).expect("readable");
    for command in [&measure[..], &generate, &tune, &ablate] {
        for (out, force, named) in [
            (summary, false, "--force"),
            ("experiments/ledger.jsonl", false, "ledger"),
            ("experiments/ledger.jsonl", true, "ledger"),
            ("tables/lexio/3p/weights.json", false, "tables/"),
            ("tables/lexio/3p/weights.json", true, "tables/"),
            ("./tables/../tables/lexio/9p/new.json", true, "tables/"),
            ("experiments", true, "folder"),
        ] {
            let mut line = command.to_vec();
            if force {
                line.insert(line.len() - 1, "--force");
            }
            let output = run(folder.path(), &line, out);
            let stderr = String::from_utf8_lossy(&output.stderr);
            // A folder is no place for lines either, but that is for the system to say.
            let named = if command[0] == "measure" && out == "experiments" {
                ""
            } else {
                named
            };
            assert_eq!(output.status.code(), Some(3), "{line:?} {out}:\n{stderr}");
            assert!(stderr.contains(named), "{line:?} {out}:\n{stderr}");
            assert!(stderr.contains(out), "{line:?} {out}:\n{stderr}");
        }
        // A new name is free, the same name again is not, and --force replaces.
        let out = format!("new {}", command[0]);
        for (force, code) in [(false, 0), (false, 3), (true, 0)] {
            let mut line = command.to_vec();
            if force {
                line.insert(line.len() - 1, "--force");
                fs::write(folder.path().join(&out), "other").expect("written");
            }
            let output = run(folder.path(), &line, &out);
            let stderr = String::from_utf8_lossy(&output.stderr);
            let ended = output.status.code();
            // Two seeds may leave an ablation inconclusive.
            let done = ended == Some(code) || (code == 0 && ended == Some(2));
            assert!(done, "{line:?}: {ended:?}\n{stderr}");
        }
        assert_ne!(fs::read(folder.path().join(&out)).expect("there"), b"other");
    }
    for (code, force) in [(0, ""), (3, ""), (0, "--force")] {
        let mut line = capture.to_vec();
        if !force.is_empty() {
            line.insert(2, force);
        }
        let output = run(folder.path(), &line, "captures");
        assert_eq!(output.status.code(), Some(code), "capture {force}");
    }
    assert_eq!(fs::read(folder.path().join(summary)).expect("there"), kept);
    let now = fs::read(folder.path().join("experiments/ledger.jsonl")).expect("there");
    assert_eq!(now, ledger);
}

/// The table in its own place: other settings need --force while weights stand on it, and a stale
/// one is made again by the command that `calibrate check` prints.
#[test]
fn a_frozen_table_is_replaced_only_when_it_is_stale() {
    let folder = lay();
    let place = folder.path().join("tables/lexio/3p/safety.json");
    let before = fs::read_to_string(&place).expect("readable");
    let small = [
        "calibrate",
        "generate",
        "--game",
        "lexio",
        "--players",
        "3",
        "--situations",
        "100",
        "--samples",
    ];
    let refused = run(folder.path(), &small, "10");
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{stderr}");
    assert!(
        stderr.contains("is current") && stderr.contains("--force"),
        "{stderr}"
    );
    assert_eq!(fs::read_to_string(&place).expect("there"), before);

    // Without weights on it, it is nobody's.
    let weights = folder.path().join("tables/lexio/3p/weights.json");
    let away = folder.path().join("weights.json");
    fs::rename(&weights, &away).expect("moved");
    let made = run(folder.path(), &small, "10");
    assert_eq!(made.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&made.stdout).contains("replaced"));
    assert_ne!(fs::read_to_string(&place).expect("there"), before);

    // The next generation's and generation 0's tables have no place of their own here.
    let frozen = [&small[..], &["10", "--input"]].concat();
    assert_eq!(run(folder.path(), &frozen, "frozen").status.code(), Some(3));
    assert_eq!(
        run(folder.path(), &frozen, "defaults").status.code(),
        Some(3)
    );
}
