//! Bad input of every kind: one clear message on stderr, the stated exit code, nothing left behind.

use evenhand_tests::{command, refuse, root};
use std::fs;
use std::path::Path;

const MEASURE: [&str; 12] = [
    "--game",
    "lexio",
    "--players",
    "5",
    "--rounds",
    "1",
    "--a",
    "hard",
    "--b",
    "easy",
    "--seeds",
    "1",
];

fn measure_with(extra: &[&str]) -> Vec<String> {
    MEASURE
        .iter()
        .chain(extra)
        .map(|s| (*s).to_owned())
        .collect()
}

fn refuse_measure(extra: &[&str], named: &str) {
    let args = measure_with(extra);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let stderr = refuse("measure", &args, 3);
    assert!(
        stderr.contains(named),
        "{extra:?} should name {named}:\n{stderr}"
    );
}

#[test]
fn measure_names_what_is_wrong() {
    refuse_measure(&["--first-seed", "9007199254740992"], "9007199254740991");
    refuse_measure(&["--first-seed", "-3"], "-3");
    refuse_measure(&["--first-seed=-3"], "-3");
    refuse_measure(&["--ruleset", "pass=never"], "never");
    refuse_measure(&["--weights-a", "no/such/file.json"], "no/such/file.json");
    refuse_measure(&["--table-a", "no/such/file.json"], "no/such/file.json");
    refuse_measure(
        &["--transcript", "/no/such/folder/out.jsonl"],
        "/no/such/folder/out.jsonl",
    );
    refuse_measure(&["--workers", "-1"], "workers");
    for (players, policy, named) in [("6", "hard", "players"), ("5", "hrad", "hard")] {
        let args = [
            "--game",
            "lexio",
            "--players",
            players,
            "--rounds",
            "1",
            "--a",
            policy,
            "--b",
            "easy",
            "--seeds",
            "1",
        ];
        let stderr = refuse("measure", &args, 3);
        assert!(stderr.contains(named), "{stderr}");
    }
    let stderr = refuse("measure", &["--game", "lexoi"], 3);
    assert!(!stderr.is_empty());
}

/// Copies one frozen artifact, changes its text, and has `measure` read it.
fn refuse_artifact(name: &str, flag: &str, change: impl Fn(&str) -> String, named: &str) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join(name);
    let text = fs::read_to_string(root().join("tables/lexio/5p").join(name)).expect("frozen");
    let changed = change(&text);
    assert_ne!(changed, text, "the case must change something");
    fs::write(&path, changed).expect("written");
    let path = path.to_str().expect("UTF-8");
    let args = measure_with(&[flag, path]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let stderr = refuse("measure", &args, 3);
    assert!(stderr.contains(path), "the file is named:\n{stderr}");
    assert!(stderr.contains(named), "{named:?} is named:\n{stderr}");
}

#[test]
fn a_spoilt_artifact_is_refused_by_name() {
    for (name, flag) in [
        ("weights.json", "--weights-a"),
        ("safety.json", "--table-a"),
    ] {
        refuse_artifact(name, flag, |t| t.replace('\n', "\r\n"), "line ending");
        refuse_artifact(name, flag, |t| t.trim_end().to_owned(), "newline");
        refuse_artifact(name, flag, |t| t[..t.len() / 2].to_owned(), "");
        refuse_artifact(
            name,
            flag,
            |t| t.replacen("\"players\": 5", "\"players\": 4", 1),
            "checksum",
        );
        refuse_artifact(
            name,
            flag,
            |t| t.replacen("\"players\": 5", "\"players\": 5.0", 1),
            "players",
        );
        refuse_artifact(
            name,
            flag,
            |t| t.replacen("\"players\": 5", "\"players\": null", 1),
            "players",
        );
        refuse_artifact(
            name,
            flag,
            |t| t.replacen("\"players\": 5", "\"players\": 5,\n  \"players\": 5", 1),
            "players",
        );
    }
}

#[test]
fn an_artifact_of_another_table_is_refused() {
    for players in ["3p", "4p"] {
        for (name, flag) in [
            ("weights.json", "--weights-a"),
            ("safety.json", "--table-a"),
        ] {
            let path = root().join("tables/lexio").join(players).join(name);
            let args = measure_with(&[flag, path.to_str().expect("UTF-8")]);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let stderr = refuse("measure", &args, 3);
            assert!(stderr.contains("players"), "{stderr}");
        }
    }
    // Another ruleset has artifacts of its own: they are missed, and these are none.
    refuse_measure(&["--ruleset", "pass=hard"], "5p-pass=hard/weights.json");
    for (name, flags) in [
        ("weights.json", &["--weights-a"][..]),
        ("safety.json", &["--weights-a", "defaults", "--table-a"]),
    ] {
        let path = root().join("tables/lexio/5p").join(name);
        let path = path.to_str().expect("UTF-8");
        refuse_measure(
            &[&["--ruleset", "pass=hard"], flags, &[path]].concat(),
            "is for the ruleset \"default\", not \"pass=hard\"",
        );
    }
}

/// Writes the quick spec with one change and has `tune` read it.
fn refuse_spec(folder: &Path, change: impl Fn(&str) -> String, named: &[&str]) {
    let text = fs::read_to_string(root().join("experiments/lexio-quick.toml")).expect("the spec");
    let changed = change(&text);
    assert_ne!(changed, text, "the case must change something");
    let path = folder.join("spec.toml");
    fs::write(&path, &changed).expect("written");
    let output = command("tune", root())
        .args([path.to_str().expect("UTF-8"), "--store"])
        .arg(folder.join("store"))
        .output()
        .expect("tune starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{named:?}:\n{stderr}");
    for name in named {
        assert!(stderr.contains(name), "{name:?} is named:\n{stderr}");
    }
}

#[test]
fn a_spec_with_a_fault_names_line_and_key() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let folder = folder.path();
    let line_of = |text: &str, start: &str| {
        text.lines()
            .find(|l| l.trim_start().starts_with(start))
            .expect(start)
            .to_owned()
    };
    let change = |key: &'static str, to: &'static str| {
        move |text: &str| text.replacen(&line_of(text, key), to, 1)
    };
    refuse_spec(
        folder,
        change("sweeps", "sweps = 2"),
        &["sweps", "sweeps", "line"],
    );
    refuse_spec(
        folder,
        change("sweeps", "sweeps = nan"),
        &["sweeps", "line"],
    );
    refuse_spec(
        folder,
        change("sweeps", "sweeps = -0.0"),
        &["sweeps", "line"],
    );
    refuse_spec(folder, change("sweeps", "sweeps = 1e999"), &["line"]);
    refuse_spec(
        folder,
        change("first_seed", "first_seed = 9223372036854775808"),
        &["line"],
    );
    refuse_spec(
        folder,
        change("first_seed", "first_seed = 9007199254740992"),
        &["9007199254740991"],
    );
    for key in ["situations", "samples", "seeds", "rounds", "head_to_head"] {
        let to: &'static str = match key {
            "situations" => "situations = 4294967295",
            "samples" => "samples = 4294967295",
            "seeds" => "seeds = 4294967295",
            "rounds" => "rounds = 4294967295",
            _ => "head_to_head = 4294967295",
        };
        refuse_spec(folder, change(key, to), &[key, "out of range"]);
    }
    refuse_spec(
        folder,
        change("game", "game = \"lexoi\""),
        &["lexoi", "lexio"],
    );
    refuse_spec(folder, change("policy", "policy = \"hrad\""), &["hrad"]);
    refuse_spec(folder, |t| format!("{t}\n[tunee]\nx = 1\n"), &["tunee"]);
    assert!(
        !folder.join("store").exists(),
        "a refused spec leaves no store behind"
    );
}

#[test]
fn help_exits_with_0_and_shows_an_example() {
    for binary in [
        "measure",
        "calibrate",
        "tune",
        "validate",
        "freeze",
        "retune",
        "decide",
    ] {
        let output = command(binary, root())
            .arg("--help")
            .output()
            .expect("it starts");
        assert_eq!(output.status.code(), Some(0), "{binary}");
        let help = String::from_utf8_lossy(&output.stdout);
        assert!(help.contains(&format!("{binary} ")), "{binary}:\n{help}");
        assert!(
            help.to_lowercase().contains("example"),
            "{binary} --help shows an example"
        );
    }
}
