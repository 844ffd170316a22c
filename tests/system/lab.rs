//! The instruments on the frozen artifacts: they hold, and their words are understood.

use evenhand_tests::{command, refuse, root, succeed};

#[test]
fn the_doctor_finds_the_instrument_sound_at_every_table() {
    for players in ["3", "4", "5"] {
        let out = succeed("doctor", &["--game", "lexio", "--players", players]);
        assert!(out.contains("all hold"), "{out}");
        assert!(out.contains("as frozen"), "{out}");
    }
}

#[test]
fn capture_takes_frozen_defaults_files_and_policies_alike() {
    let file = root().join("tables/lexio/5p/weights.json");
    let file = file.to_str().expect("UTF-8");
    let capture = |a: &str, b: &str| {
        succeed(
            "capture",
            &[
                "experiments/lexio-5p.toml",
                "--a",
                a,
                "--b",
                b,
                "--seeds",
                "2",
            ],
        )
    };
    let by_name = capture("frozen", "defaults");
    assert!(by_name.contains("would have taken"), "{by_name}");
    assert_eq!(by_name, capture("hard", "defaults"));
    assert_eq!(by_name, capture(file, "defaults"));
    let stderr = refuse(
        "capture",
        &[
            "experiments/lexio-5p.toml",
            "--a",
            "frozne",
            "--b",
            "defaults",
            "--seeds",
            "2",
        ],
        3,
    );
    assert!(stderr.contains("frozne"), "{stderr}");
}

#[test]
fn a_knob_that_stands_at_zero_changes_no_decision() {
    let output = command("ablate", root())
        .args(["experiments/lexio-5p.toml", "--seeds", "2"])
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text
        .lines()
        .find(|line| line.starts_with("OrphanShed"))
        .expect("its line");
    assert!(
        line.contains("0 exactly") && line.contains("no decision changed"),
        "{line}"
    );
}
