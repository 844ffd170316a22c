//! The measuring tool: its JSON, its invariants, and an independent referee over its transcripts.

use crate::referee;
use evenhand_tests::{command, root, succeed};
use serde_json::Value;

fn measure(args: &[&str]) -> Value {
    let mut all = vec!["--game", "lexio", "--json"];
    all.extend(args);
    serde_json::from_str(&succeed("measure", &all)).expect("measure prints JSON")
}

#[test]
fn a_policy_against_itself_is_exactly_zero() {
    for policy in ["easy", "eager", "hard"] {
        let out = measure(&[
            "--players",
            "4",
            "--rounds",
            "2",
            "--a",
            policy,
            "--b",
            policy,
            "--seeds",
            "6",
        ]);
        assert_eq!(out["mean_micro"], 0, "{policy}");
        assert_eq!(
            out["interval95_micro"],
            serde_json::json!([0, 0]),
            "{policy}"
        );
        assert_eq!(out["valid"], true);
    }
}

#[test]
fn the_other_side_s_mean_is_the_negative() {
    let one = measure(&[
        "--players",
        "3",
        "--rounds",
        "2",
        "--a",
        "hard",
        "--b",
        "easy",
        "--seeds",
        "8",
    ]);
    let other = measure(&[
        "--players",
        "3",
        "--rounds",
        "2",
        "--a",
        "easy",
        "--b",
        "hard",
        "--seeds",
        "8",
    ]);
    let mean = |v: &Value| v["mean_micro"].as_i64().expect("an integer");
    assert_eq!(mean(&one), -mean(&other));
    assert_ne!(mean(&one), 0);
}

#[test]
fn workers_do_not_change_a_byte() {
    let with = |workers: &str| {
        succeed(
            "measure",
            &[
                "--game",
                "lexio",
                "--json",
                "--players",
                "5",
                "--rounds",
                "2",
                "--a",
                "hard",
                "--b",
                "eager",
                "--seeds",
                "24",
                "--first-seed",
                "1000",
                "--workers",
                workers,
            ],
        )
    };
    let one = with("1");
    for workers in ["2", "3", "5", "7", "8"] {
        assert_eq!(one, with(workers), "{workers} workers");
    }
}

#[test]
fn one_seed_has_no_interval() {
    let out = measure(&[
        "--players",
        "5",
        "--rounds",
        "1",
        "--a",
        "eager",
        "--b",
        "easy",
        "--seeds",
        "1",
    ]);
    assert_eq!(out["interval95_micro"], Value::Null);
}

#[test]
fn hard_beats_both_simple_styles_at_every_table() {
    for players in ["3", "4", "5"] {
        for style in ["easy", "eager"] {
            let out = measure(&[
                "--players",
                players,
                "--rounds",
                "3",
                "--a",
                "hard",
                "--b",
                style,
                "--seeds",
                "64",
                "--first-seed",
                "7000",
            ]);
            let low = out["interval95_micro"][0].as_i64().expect("an interval");
            assert!(low > 0, "{players} players against {style}: {out}");
        }
    }
}

#[test]
fn a_referee_that_knows_only_the_rules_page_agrees() {
    for players in [3_u64, 4, 5] {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("with a space.jsonl");
        let text = players.to_string();
        let out = measure(&[
            "--players",
            &text,
            "--rounds",
            "3",
            "--a",
            "hard",
            "--b",
            "easy",
            "--seeds",
            "4",
            "--first-seed",
            "50",
            "--transcript",
            path.to_str().expect("UTF-8"),
        ]);
        let lines = std::fs::read_to_string(&path).expect("the transcript is there");
        let mut sum = 0;
        let mut deals = std::collections::BTreeMap::new();
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).expect("a line is JSON");
            assert_eq!(line["format"], "evenhand-transcript/1");
            assert_eq!(line["split"], "exploration");
            let settlement = referee::replay(&line);
            // Every arrangement of a seed's round plays the same deal.
            let key = (line["seed"].as_u64(), line["round"].as_u64());
            assert_eq!(
                *deals.entry(key).or_insert_with(|| line["deal"].clone()),
                line["deal"]
            );
            // Below N the lone A sits at that seat, from N on the lone B.
            let arrangement = line["arrangement"].as_u64().expect("a number");
            let lone = (arrangement % players) as usize;
            for (seat, points) in settlement.iter().enumerate() {
                let is_a = (seat == lone) == (arrangement < players);
                assert_eq!(line["policies"][seat], if is_a { "hard" } else { "easy" });
                sum += if is_a { *points } else { 0 };
            }
        }
        let rounds = 4 * 2 * players * 3;
        assert_eq!(lines.lines().count() as u64, rounds);
        assert_eq!(out["rounds"], rounds);
        // Mean over A's seat-rounds: N x N a seed and round, both directions pooled.
        let seat_rounds = (4 * 3 * players * players) as i64;
        let doubled = 2 * sum * 1_000_000;
        let mean = (doubled + doubled.signum() * seat_rounds) / (2 * seat_rounds);
        assert_eq!(out["mean_micro"], mean);
    }
}

#[test]
fn an_interrupted_run_leaves_the_earlier_transcript_as_it_was() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("rounds.jsonl");
    std::fs::write(&path, "earlier\n").expect("written");
    let mut child = command("measure", root())
        .args([
            "--game",
            "lexio",
            "--players",
            "5",
            "--a",
            "easy",
            "--b",
            "eager",
        ])
        .args([
            "--seeds",
            "1000000",
            "--rounds",
            "20",
            "--workers",
            "1",
            "--force",
            "--transcript",
        ])
        .arg(&path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    // Play has begun when lines arrive in the file in the making.
    let begun = || {
        let entries = std::fs::read_dir(folder.path()).expect("readable");
        entries
            .flatten()
            .any(|e| e.path() != path && e.metadata().is_ok_and(|m| m.len() > 0))
    };
    while !begun() {
        assert!(
            child.try_wait().expect("a child").is_none(),
            "it ended before it played"
        );
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let asked = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(asked.success());
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(2), "interrupted");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("readable")
        .collect();
    assert_eq!(left.len(), 1, "no temporary file is left");
    assert_eq!(
        std::fs::read_to_string(&path).expect("readable"),
        "earlier\n"
    );
}
