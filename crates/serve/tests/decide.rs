//! The binary `decide`: lines in, lines out.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn decide(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_decide"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // It may leave before it reads, on wrong usage.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("UTF-8")
}

/// Answers to some lines, and the exit code.
fn answers(args: &[&str], lines: &[&str]) -> (Vec<Value>, Option<i32>) {
    let output = decide(args, lines.join("\n").as_bytes());
    let read = |line| serde_json::from_str(line).expect("each answer is one JSON line");
    let answers = text(&output.stdout).lines().map(read).collect();
    (answers, output.status.code())
}

const EASY: [&str; 4] = ["--game", "lexio", "--policy", "easy"];

fn view() -> Value {
    json!({
        "players": 5, "seat": 0, "hand": "5C 5D 9C 9S 10S 11H 12C 12D 12S 13S 15C 1C",
        "counts": [12, 12, 12, 12, 11], "field": "8S", "field_owner": 4, "passes": 0,
        "played": "8S",
    })
}

/// Seat 0 holds nothing above the field.
fn forced() -> Value {
    json!({
        "players": 5, "seat": 0, "hand": "3C 4C 4D", "counts": [3, 12, 12, 12, 12],
        "field": "2S", "field_owner": 4, "passes": 0,
        "played": "2S 3H 3D 3S 4H 4S 5C 5H 5D",
    })
}

#[test]
fn each_line_has_its_answer_in_order() {
    let (all, code) = answers(&EASY, &[&view().to_string(), &forced().to_string()]);
    assert_eq!(code, Some(0));
    assert_eq!(
        all,
        [
            json!({"play": "9C", "stage": "weakest", "fallback": null, "work": 0}),
            json!({"play": "pass", "stage": "forced", "fallback": null, "work": 0}),
        ]
    );
}

#[test]
fn marks_come_back_as_they_were_written() {
    let base = view().to_string();
    for mark in [
        "\"a\\u0062c\"",
        "7",
        "-1",
        "12345678901234567890123",
        "1.50",
    ] {
        let line = base.replacen(
            '{',
            &format!("{{\"id\": {mark}, \"state_version\":{mark},"),
            1,
        );
        let output = decide(&EASY, line.as_bytes());
        assert_eq!(output.status.code(), Some(0));
        let expected = format!("{{\"id\":{mark},\"state_version\":{mark},\"play\":\"9C\",");
        assert!(
            text(&output.stdout).starts_with(&expected),
            "{}",
            text(&output.stdout)
        );
    }
    let (all, code) = answers(
        &EASY,
        &[
            &base.replacen('{', "{\"id\": [1],", 1),
            &base.replacen('{', "{\"id\":9,\"sead\":1,", 1),
        ],
    );
    assert_eq!(code, Some(3));
    assert_eq!(
        all[0],
        json!({"error": "id: is [1]; it must be text or a number", "line": 1})
    );
    assert_eq!(all[1]["id"], json!(9));
    assert!(
        all[1]["error"]
            .as_str()
            .expect("text")
            .starts_with("sead: is no field of a view")
    );
}

#[test]
fn a_line_that_is_no_view_is_told_with_its_number_and_the_next_goes_on() {
    let good = view().to_string();
    let wrong_count = good.replace("[12,12,12,12,11]", "[12,12,12,12,12]");
    assert_ne!(good, wrong_count);
    let twice = good.replacen('{', "{\"seat\":0,", 1);
    let lines = [&good, "{", "", &wrong_count, "[]", &twice, &good];
    let (all, code) = answers(&EASY, &lines);
    assert_eq!(code, Some(3));
    assert_eq!(all.len(), lines.len());
    assert_eq!((&all[0], all[0]["play"].as_str()), (&all[6], Some("9C")));
    for (place, starts) in [
        (1, "not JSON: "),
        (2, "an empty line is no view"),
        (
            3,
            "counts: hand, played tiles and the other counts add up to 61",
        ),
        (4, "view: is no JSON object"),
        (5, "not JSON: the key \"seat\" stands twice"),
    ] {
        let error = all[place]["error"].as_str().expect("an error");
        assert!(error.starts_with(starts), "{error}");
        assert_eq!(all[place]["line"], json!(place + 1));
    }
    let output = decide(&EASY, b"\xff\xfe\n");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        text(&output.stdout),
        "{\"error\":\"not UTF-8 text\",\"line\":1}\n"
    );
}

#[test]
fn an_explained_answer_lists_plan_and_legal_plays() {
    let args = [&EASY[..], &["--explain"]].concat();
    let (all, code) = answers(&args, &[&view().to_string(), &forced().to_string()]);
    assert_eq!(code, Some(0));
    assert_eq!(
        all[0]["plan"],
        json!({"plays": 4, "pieces": ["5C 9C 12C 15C 1C", "9S 10S 11H 12S 13S", "5D", "12D"]})
    );
    assert_eq!(
        all[0]["legal"],
        json!([
            "pass", "9C", "9S", "10S", "11H", "12C", "12D", "12S", "13S", "15C", "1C"
        ])
    );
    assert_eq!(all[0]["candidates"], json!([]));
    assert_eq!(
        all[1]["plan"],
        json!({"plays": 2, "pieces": ["4C 4D", "3C"]})
    );
    assert_eq!(all[1]["legal"], json!(["pass"]));
}

#[test]
fn policies_are_listed_in_a_fixed_order() {
    let output = decide(&["--list"], b"");
    assert_eq!(output.status.code(), Some(0));
    let first = |line: &str| {
        line.split_whitespace()
            .take(2)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let listed: Vec<String> = text(&output.stdout).lines().map(first).collect();
    assert_eq!(listed[..2], ["lexio easy", "lexio eager"]);
    assert!(!text(&output.stdout).contains("hard-independent"));
    let json = decide(&["--list", "--json"], b"");
    let rows: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(rows.as_array().expect("a list").len(), listed.len());
    assert_eq!(rows[0]["policy"], json!("easy"));
}

#[test]
fn wrong_usage_exits_with_3_and_says_what_there_is() {
    let cases: [(&[&str], &str); 5] = [
        (
            &["--game", "lexoi", "--policy", "easy"],
            "did you mean \"lexio\"?",
        ),
        (
            &["--game", "lexio", "--policy", "esay"],
            "did you mean \"easy\"?",
        ),
        (
            &["--game", "lexio", "--policy", "hard-independent"],
            "there are: easy, eager",
        ),
        (&["--game", "lexio"], "--policy"),
        (&["--game", "lexio", "--policy", "easy", "--json"], "--list"),
    ];
    for (args, says) in cases {
        let output = decide(args, b"");
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        assert!(output.stdout.is_empty());
        assert!(
            text(&output.stderr).contains(says),
            "{}",
            text(&output.stderr)
        );
    }
}
