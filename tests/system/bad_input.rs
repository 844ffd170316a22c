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
    for (binary, more) in [
        ("tune", &[][..]),
        ("validate", &[]),
        ("freeze", &["--dry-run"]),
        ("retune", &[]),
    ] {
        let output = command(binary, root())
            .args([path.to_str().expect("UTF-8"), "--store"])
            .arg(folder.join("store"))
            .args(more)
            .output()
            .expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(3),
            "{binary}, {named:?}:\n{stderr}"
        );
        for name in named {
            assert!(
                stderr.contains(name),
                "{binary}: {name:?} is named:\n{stderr}"
            );
        }
    }
    for (binary, more) in [
        ("ablate", &[][..]),
        ("capture", &["--a", "easy", "--b", "eager"]),
    ] {
        let mut command = command(binary, root());
        let output = command.arg(&path).args(more).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(3),
            "{binary}, {named:?}:\n{stderr}"
        );
        for name in named {
            assert!(
                stderr.contains(name),
                "{binary}: {name:?} is named:\n{stderr}"
            );
        }
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
    let line = |start: &str| {
        let text = fs::read_to_string(root().join("experiments/lexio-quick.toml")).expect("there");
        let place = text
            .lines()
            .position(|l| l.starts_with(start))
            .expect(start);
        format!("spec.toml, line {}: ", place + 1)
    };
    for (start, to, key, named) in [
        ("game", "game = \"lexoi\"", "game", "did you mean \"lexio\""),
        ("players", "players = 7", "players", "3, 4, 5"),
        (
            "ruleset",
            "ruleset = \"pass=never\"",
            "ruleset",
            "soft, hard",
        ),
        ("ruleset", "ruleset = \"hard\"", "ruleset", "name=value"),
        (
            "policy",
            "policy = \"hrad\"",
            "policy",
            "did you mean \"hard\"",
        ),
        ("policy", "policy = \"easy\"", "policy", "nothing to tune"),
        (
            "policy = \"easy\"",
            "policy = \"esy\"",
            "tune.pool[0].policy",
            "easy",
        ),
        (
            "policy = \"easy\"",
            "policy = \"hard\"",
            "tune.pool[0].policy",
            "simple style",
        ),
    ] {
        let (at, key) = (line(start), format!("`{key}`: "));
        refuse_spec(folder, change(start, to), &[&at, &key, named]);
    }
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
        "diff",
        "ablate",
        "capture",
        "doctor",
        "store",
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
        assert_eq!(help.matches("Exit codes: ").count(), 1, "{binary}:\n{help}");
    }
    let output = command("calibrate", root())
        .args(["generate", "--help"])
        .output()
        .expect("it starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Exit codes: "));
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_printed_is_no_success() {
    for args in [&["--help"][..], &["ls", "--help"], &["--version"]] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("it is there");
        let output = command("store", root())
            .args(args)
            .stdout(full)
            .output()
            .expect("it starts");
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("standard output"),
            "{args:?}"
        );
    }
}

#[test]
fn counts_are_bounded() {
    for (option, most) in [("--seeds", "1000000"), ("--rounds", "1000")] {
        for wrong in [
            "0",
            "1000001",
            "4294967295",
            "99999999999999999999",
            "-1",
            "1e3",
        ] {
            let stderr = refuse("measure", &["--game", "lexio", option, wrong], 3);
            assert!(stderr.contains(option) && stderr.contains(most), "{stderr}");
        }
    }
    for (verb, option, most) in [
        ("generate", "--situations", "1000000"),
        ("generate", "--samples", "100000"),
        ("audit", "--situations", "1000000"),
        ("audit", "--samples", "100000"),
        ("earn", "--rounds", "1000"),
        ("earn", "--seeds", "1000000"),
    ] {
        for wrong in ["0", "1000001", "4294967295"] {
            let stderr = refuse("calibrate", &[verb, option, wrong], 3);
            assert!(stderr.contains(option) && stderr.contains(most), "{stderr}");
        }
    }
}

/// Each message says a thing once, and names what it is about.
#[test]
fn messages_about_stores_and_files_are_plain() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("a file");
    fs::write(&file, "text").expect("written");
    let file = file.to_str().expect("UTF-8");
    let spec = root().join("experiments/lexio-quick.toml");
    let spec = spec.to_str().expect("UTF-8");
    let stderr = refuse("tune", &[spec, "--store", file], 3);
    assert_eq!(stderr.matches("directory").count(), 1, "{stderr}");
    let other = folder.path().to_str().expect("UTF-8");
    for (binary, args) in [
        ("tune", &[spec, "--store", other][..]),
        ("store", &["ls", "--store", other]),
    ] {
        let stderr = refuse(binary, args, 3);
        assert!(
            stderr.contains(other) && stderr.contains("no store"),
            "{stderr}"
        );
    }
    assert_eq!(
        fs::read_dir(other).expect("readable").count(),
        1,
        "nothing was laid there"
    );
    let weights = root().join("tables/lexio/5p/weights.json");
    let weights = weights.to_str().expect("UTF-8");
    let store = folder.path().join("store");
    let store = store.to_str().expect("UTF-8");
    let stderr = refuse(
        "validate",
        &[spec, "--candidate", weights, "--store", store],
        3,
    );
    for named in ["tune --out", weights, "evenhand-weights/1"] {
        assert!(stderr.contains(named), "{stderr}");
    }
    let lineage = evenhand_tests::succeed("store", &["lineage", weights, "--store", store]);
    assert!(lineage.contains("tables/lexio/5p/safety.json"), "{lineage}");
    let stderr = refuse("store", &["lineage", "nothing", "--store", store], 3);
    assert!(stderr.contains("neither a digest"), "{stderr}");
}

/// An object of the store that was spoilt is named with what helps, and that does help.
#[test]
fn a_damaged_object_can_be_removed_and_is_made_again() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let store = folder.path().join("store");
    let generate = |out: &str| {
        command("calibrate", folder.path())
            .args([
                "generate",
                "--game",
                "lexio",
                "--players",
                "3",
                "--situations",
                "100",
            ])
            .args(["--samples", "10", "--store", "store", "--out", out])
            .output()
            .expect("it starts")
    };
    assert!(generate("a.json").status.success());
    let mut objects = Vec::new();
    for part in fs::read_dir(store.join("objects")).expect("readable") {
        for object in fs::read_dir(part.expect("an entry").path()).expect("readable") {
            objects.push(object.expect("an entry").path());
        }
    }
    for object in &objects {
        let mut bytes = fs::read(object).expect("readable");
        bytes[0] ^= 1;
        fs::write(object, bytes).expect("written");
    }
    let output = generate("b.json");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(
        stderr.contains("is damaged") && stderr.contains("remove it"),
        "{stderr}"
    );
    let named = objects.iter().find(|object| {
        let name = object
            .strip_prefix(folder.path())
            .expect("below")
            .display()
            .to_string();
        stderr.contains(&name)
    });
    fs::remove_file(named.expect("the object is named")).expect("removed");
    assert!(generate("b.json").status.success());
    let read = |name: &str| fs::read(folder.path().join(name)).expect("readable");
    assert_eq!(read("a.json"), read("b.json"));
}

/// From the first moment on an interruption ends with its exit code, whatever the command does.
#[test]
fn an_early_interruption_is_no_signal_death() {
    for wait in [30, 60, 120, 240] {
        for (binary, args) in [
            ("measure", &MEASURE[..10]),
            ("decide", &["--game", "lexio", "--policy", "easy"]),
        ] {
            let mut child = command(binary, root());
            child.args(args);
            if binary == "measure" {
                child.args(["--seeds", "1000000"]);
            }
            let mut child = child
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .expect("it starts");
            std::thread::sleep(std::time::Duration::from_millis(wait));
            let id = child.id().to_string();
            let asked = std::process::Command::new("kill")
                .args(["-INT", &id])
                .status();
            assert!(asked.expect("kill runs").success());
            // Waiting would close the pipe, at which a reader ends by itself.
            let pipe = child.stdin.take();
            let status = child.wait().expect("it ends");
            drop(pipe);
            assert_eq!(status.code(), Some(2), "{binary} after {wait} ms: {status}");
        }
    }
}
