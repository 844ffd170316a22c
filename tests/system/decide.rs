//! Views in, answers out, as a game server in any language uses the bots.

use evenhand_tests::{command, root, succeed};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Output, Stdio};

/// The worked example of the bot page: a lead of 8S is to be followed.
fn example() -> Value {
    json!({
        "players": 5, "seat": 0,
        "hand": "5C 5D 9C 9S 10S 11H 12C 12D 12S 13S 15C 1C",
        "counts": [12, 12, 12, 12, 11],
        "field": "8S", "field_owner": 4, "passes": 0, "played": "8S",
    })
}

fn decide(args: &[&str], lines: &str) -> Output {
    let mut child = command("decide", root())
        .args(["--game", "lexio"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("decide starts");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(lines.as_bytes())
        .expect("decide reads");
    child.wait_with_output().expect("decide ends")
}

fn answers(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("an answer is JSON"))
        .collect()
}

#[test]
fn the_worked_example_comes_out() {
    let output = decide(
        &["--policy", "hard", "--explain"],
        &format!("{}\n", example()),
    );
    assert_eq!(output.status.code(), Some(0));
    let answer = &answers(&output)[0];
    assert_eq!(answer["play"], "12D");
    assert_eq!(answer["stage"], "score");
    assert_eq!(answer["fallback"], Value::Null);
    assert!(answer["work"].as_u64().is_some_and(|units| units > 0));
    assert_eq!(answer["plan"]["plays"], 4);
    let pieces = answer["plan"]["pieces"].as_array().expect("pieces");
    assert_eq!(pieces.len(), 4);
    let mut covered: Vec<&str> = pieces
        .iter()
        .flat_map(|p| p.as_str().expect("text").split(' '))
        .collect();
    covered.sort_unstable();
    let hand = example();
    let mut held: Vec<&str> = hand["hand"].as_str().expect("text").split(' ').collect();
    held.sort_unstable();
    assert_eq!(covered, held, "the pieces partition the hand");

    let left_after = [
        ("9C", 5),
        ("9S", 5),
        ("10S", 6),
        ("11H", 6),
        ("12C", 6),
        ("12D", 3),
        ("12S", 3),
        ("13S", 6),
        ("15C", 5),
        ("1C", 5),
        ("pass", 4),
    ];
    let candidates = answer["candidates"].as_array().expect("candidates");
    for (play, remaining) in left_after {
        let candidate = candidates
            .iter()
            .find(|c| c["play"] == play)
            .unwrap_or_else(|| panic!("{play}"));
        assert_eq!(candidate["remaining"], remaining, "{play}");
        let beaten = candidate["beaten_ppm"].as_i64();
        assert!(
            play == "pass" || beaten == Some(1_000_000),
            "{play}: {candidate}"
        );
    }
    assert_eq!(candidates.len(), left_after.len());
    assert_eq!(
        answer["legal"].as_array().expect("legal").len(),
        left_after.len()
    );

    let easy = decide(&["--policy", "easy"], &format!("{}\n", example()));
    assert_eq!(answers(&easy)[0]["play"], "9C");
}

#[test]
fn a_bad_line_is_answered_and_the_next_goes_on() {
    let mut tagged = example();
    tagged["id"] = json!("table 7");
    tagged["state_version"] = json!(41);
    let input = format!("not json\n{tagged}\n[]\n{}\n", example());
    let output = decide(&["--policy", "hard"], &input);
    assert_eq!(output.status.code(), Some(3));
    let all = answers(&output);
    assert_eq!(all.len(), 4);
    assert_eq!((&all[0]["line"], &all[2]["line"]), (&json!(1), &json!(3)));
    assert!(all[0]["error"].is_string() && all[2]["error"].is_string());
    assert_eq!(
        (&all[1]["id"], &all[1]["state_version"]),
        (&json!("table 7"), &json!(41))
    );
    assert_eq!(all[1]["play"], "12D");
    assert_eq!(all[3]["play"], "12D");
}

#[test]
fn a_view_that_does_not_add_up_is_refused_with_the_reason() {
    let spoilt = |key: &str, value: Value| {
        let mut view = example();
        view[key] = value;
        view
    };
    let cases = [
        (
            spoilt("hand", json!("5C 5C 9C 9S 10S 11H 12C 12D 12S 13S 15C 1C")),
            "5C",
        ),
        (
            spoilt("hand", json!("5X 5D 9C 9S 10S 11H 12C 12D 12S 13S 15C 1C")),
            "5X",
        ),
        (spoilt("counts", json!([12, 12, 12, 12, 12])), "counts"),
        (spoilt("counts", json!([12, 12, 12, 12])), "counts"),
        (spoilt("field", json!("8S 9H")), "field"),
        (spoilt("field_owner", json!(7)), "field_owner"),
        (spoilt("played", json!("-")), "played"),
        (spoilt("players", json!(6)), "players"),
        (spoilt("ruleset", json!("twos=none")), "twos"),
        (spoilt("hnad", json!(1)), "hnad"),
    ];
    for (view, named) in cases {
        let output = decide(&["--policy", "hard"], &format!("{view}\n"));
        assert_eq!(output.status.code(), Some(3), "{view}");
        let answer = &answers(&output)[0];
        let error = answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{view}: {answer}"));
        assert!(error.contains(named), "{view}: {error}");
    }
}

#[test]
fn the_list_is_in_a_fixed_order_and_hides_the_instruments() {
    let list = succeed("decide", &["--list"]);
    let place = |name: &str| {
        list.find(name)
            .unwrap_or_else(|| panic!("{name} is not listed:\n{list}"))
    };
    assert!(place("easy") < place("eager") && place("eager") < place("hard"));
    assert!(!list.contains("hard-independent"));
}

/// A policy is frozen for some tables. At another one it is refused, not replaced in silence.
#[test]
fn a_table_without_artifacts_is_refused() {
    let mut view = example();
    view["ruleset"] = json!("pass=hard");
    view["id"] = json!(5);
    let lines = format!("{view}\n{}\n{view}\n", example());
    let output = decide(&["--policy", "hard"], &lines);
    assert_eq!(output.status.code(), Some(3));
    let all = answers(&output);
    for (place, line) in [(0, 1), (2, 3)] {
        let error = all[place]["error"].as_str().expect("an error");
        assert!(
            error.contains("pass=hard") && error.contains("5p"),
            "{error}"
        );
        assert_eq!(
            (&all[place]["line"], &all[place]["id"]),
            (&json!(line), &json!(5))
        );
        assert!(all[place].get("play").is_none());
    }
    assert_eq!(all[1]["play"], "12D");
    // A simple style plays anywhere.
    let output = decide(&["--policy", "easy"], &format!("{view}\n"));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(answers(&output)[0]["play"], "9C");
}

#[test]
fn a_mark_before_the_first_view_is_no_part_of_it_and_no_view_is_said() {
    let output = decide(&["--policy", "hard"], &format!("\u{feff}{}\r\n", example()));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(answers(&output)[0]["play"], "12D");
    let output = decide(
        &["--policy", "hard"],
        &format!("{0}\n\u{feff}{0}\n", example()),
    );
    assert_eq!(output.status.code(), Some(3), "only before the first");
    let output = decide(&["--policy", "hard"], "");
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("standard input held no view"), "{said}");
}

#[test]
fn under_hard_passes_those_who_passed_are_out() {
    let mut view = example();
    view["ruleset"] = json!("pass=hard");
    view["passes"] = json!(3);
    for (passed, good) in [
        (json!([]), false),
        (json!([1, 2]), false),
        (json!([1, 2, 3]), true),
        (Value::Null, false),
    ] {
        view["passed"] = passed.clone();
        let output = decide(&["--policy", "easy"], &format!("{view}\n"));
        let answer = &answers(&output)[0];
        assert_eq!(answer.get("play").is_some(), good, "{passed}: {answer}");
        let error = answer["error"].as_str().unwrap_or("passed");
        assert!(error.starts_with("passed"), "{error}");
    }
}
