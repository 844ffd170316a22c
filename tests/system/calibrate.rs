//! `calibrate`: tables made, found again, checked and refused, for the default ruleset and others.

use evenhand_tests::{command, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const VARIANT: [&str; 6] = [
    "--game",
    "lexio",
    "--players",
    "3",
    "--ruleset",
    "pass=hard",
];

/// Lays the frozen tables of three players into a scratch folder.
fn lay() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (from, to) = (root().join("tables/lexio/3p"), at(&folder, "3p"));
    fs::create_dir_all(&to).expect("a folder");
    fs::create_dir_all(to.join("previous")).expect("a folder");
    for file in ["safety.json", "weights.json"] {
        for file in [file.to_owned(), format!("previous/{file}")] {
            fs::copy(from.join(&file), to.join(&file)).expect("copied");
        }
    }
    folder
}

fn at(folder: &tempfile::TempDir, label: &str) -> PathBuf {
    folder.path().join("tables/lexio").join(label)
}

fn run_in(folder: &Path, binary: &str, args: &[&str]) -> Output {
    let mut command = command(binary, folder);
    command.args(args).output().expect("the binary starts")
}

fn expect(output: &Output, code: i32, named: &[&str]) {
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    for name in named {
        let found = out.contains(name) || err.contains(name);
        assert!(found, "{name:?} is named:\n{out}{err}");
    }
}

/// Another ruleset goes the whole way beside the default one.
#[test]
fn a_ruleset_has_a_folder_of_its_own() {
    let folder = lay();
    let default = fs::read(at(&folder, "3p").join("safety.json")).expect("readable");
    let run = |binary, args: &[&str]| run_in(folder.path(), binary, args);
    let small = ["--situations", "300", "--samples", "50"];
    let generate = [&["generate"], &VARIANT[..], &small[..]].concat();
    let place = "tables/lexio/3p-pass=hard/safety.json";

    let measure = [
        &VARIANT[..],
        &["--a", "hard", "--b", "easy", "--seeds", "2"],
    ]
    .concat();
    let command = "calibrate generate --game lexio --players 3 --ruleset pass=hard";
    let unweighted = [&measure[..], &["--weights-a", "defaults"]].concat();
    expect(&run("measure", &unweighted), 3, &[place, command]);
    expect(&run("calibrate", &generate), 0, &[place, "written"]);
    expect(&run("calibrate", &generate), 0, &[place, "unchanged"]);
    expect(&run("measure", &unweighted), 0, &["pass=hard"]);
    let weights = "tables/lexio/3p-pass=hard/weights.json";
    expect(&run("measure", &measure), 3, &[weights, "retune"]);
    expect(
        &run("calibrate", &["check"]),
        0,
        &[place, "3p/weights.json"],
    );
    let mut audit = vec!["audit", "--situations", "60", "--samples", "20"];
    audit.extend(VARIANT);
    expect(&run("calibrate", &audit), 0, &["pair"]);
    let after = fs::read(at(&folder, "3p").join("safety.json")).expect("readable");
    assert_eq!(default, after, "the default ruleset's table stays");

    // Tuned on it, by a spec that names the ruleset.
    let spec = fs::read_to_string(root().join("experiments/lexio-quick.toml")).expect("the spec");
    let spec = spec.replacen("ruleset = \"default\"", "ruleset = \"pass=hard\"", 1);
    let spec = spec.replacen("players = 5", "players = 3", 1);
    fs::write(folder.path().join("hard pass.toml"), spec).expect("written");
    let retune = run("retune", &["hard pass.toml"]);
    expect(&retune, 0, &["calibrate: made now", "not frozen"]);
}

/// A folder whose name is no table of the game, or another table's than its files are for.
#[test]
fn check_walks_every_folder() {
    let folder = lay();
    let check = || run_in(folder.path(), "calibrate", &["check"]);
    let lexio = folder.path().join("tables/lexio");
    let mut last = "3p";
    for (label, named) in [
        ("3p-pass=hard", "ruleset"),
        ("4p", "players"),
        ("3p-default", "folders are named"),
        ("7p", "folders are named"),
        ("three", "folders are named"),
    ] {
        fs::rename(lexio.join(last), lexio.join(label)).expect("renamed");
        expect(&check(), 3, &[&format!("tables/lexio/{label}"), named]);
        last = label;
    }
    fs::rename(lexio.join(last), lexio.join("3p")).expect("renamed");
    expect(&check(), 0, &["tables/lexio/3p/safety.json"]);
    fs::rename(&lexio, folder.path().join("tables/lexoi")).expect("renamed");
    expect(&check(), 3, &["lexoi"]);
}

/// Maps and parameter of a game whose beliefs are held to what came true in play: the same bytes for
/// any number of workers, again when made again, and beliefs nearer to the truth than the raw ones.
#[test]
fn a_table_fitted_on_play_has_its_parameter_and_is_made_again_alike() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let run = |args: &[&str]| run_in(folder.path(), "calibrate", args);
    let game = ["--game", "hoola", "--players", "2"];
    let small = ["--situations", "1200", "--seed", "3"];
    let place = folder.path().join("tables/hoola/2p/safety.json");
    let mut texts = Vec::new();
    for workers in ["1", "3"] {
        let store = format!("store-{workers}");
        let more = ["--workers", workers, "--store", &store];
        let generate = [&["generate"], &game[..], &small[..], &more[..]].concat();
        expect(&run(&generate), 0, &["tables/hoola/2p/safety.json"]);
        texts.push(fs::read_to_string(&place).expect("a table"));
    }
    assert_eq!(texts[0], texts[1], "workers change nothing");
    let table: serde_json::Value = serde_json::from_str(&texts[0]).expect("JSON");
    assert_eq!(table["format"], "evenhand-table/2");
    assert_eq!(
        (&table["samples"], &table["parameters"][0]["name"]),
        (&1.into(), &"tilt".into())
    );
    let tilt = table["parameters"][0]["value"].as_i64().expect("a value");
    assert!(0 < tilt && tilt <= 4_000 && tilt % 200 == 0, "{tilt}");
    expect(
        &run(&["check", "--deep"]),
        0,
        &["the same bytes when made again"],
    );

    let audit = |more: &[&str]| {
        let base = ["--weights", "defaults", "--json"];
        let output = run(&[&["audit"], &game[..], &base[..], more].concat());
        expect(&output, 0, &[]);
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let found = audit(&["--situations", "200"]);
    let kinds = found["kinds"].as_array().expect("kinds");
    let stop = &kinds[0];
    assert!(
        stop["behaviour"]["predictions"].as_u64() > Some(200),
        "{stop}"
    );
    assert!(stop["staked"]["predictions"].as_u64() > Some(50), "{stop}");
    assert!(stop["staked"]["predictions"].as_u64() < stop["behaviour"]["predictions"].as_u64());

    let sweep = audit(&[
        "--sweep",
        "tilt",
        "--sweep-rounds",
        "320",
        "--sweep-seeds",
        "2",
    ]);
    let rows = sweep["rows"].as_array().expect("rows");
    assert_eq!(
        rows.len(),
        22,
        "0 to 4,000 by 200, then the policy as given"
    );
    let number = |row: usize, field: &str| rows[row][field].as_i64().expect("a number");
    assert_eq!(number(20, "value"), 4_000);
    assert!(rows[21]["value"].is_null() && number(21, "penalties") <= number(21, "declared"));
    let overstated = |row| number(row, "chance_believed_ppm") - number(row, "chance_actual_ppm");
    assert!(
        overstated(0) > overstated(21).abs(),
        "without tilt beliefs are off: {} against {}",
        overstated(0),
        overstated(21)
    );
    let output = run(&[
        &["audit"],
        &game[..],
        &["--weights", "defaults", "--sweep", "tlit"],
    ]
    .concat());
    expect(&output, 3, &["tlit", "tilt"]);
}
