//! The tool on the toy game; the built binary on a real one is a system test.

use super::*;
use evenhand_testkit::Toy;

fn args(words: &str) -> Args {
    let fixed = "measure --game toy --rounds 2 --weights-a defaults --table-a raw";
    let fixed = fixed.split(' ').chain(words.split(' '));
    Args::try_parse_from(fixed).unwrap()
}

fn outcome(words: &str) -> Outcome<Toy> {
    measure(&args(words)).unwrap()
}

#[test]
fn the_json_agrees_with_itself_and_not_with_the_workers() {
    let words = "--players 3 --a smart --b easy --seeds 10 --first-seed 5";
    let json = outcome(&format!("{words} --workers 1")).json();
    assert_eq!(json, outcome(&format!("{words} --workers 3")).json());
    assert_eq!(json["matches"], 10 * 6);
    assert_eq!(json["rounds"], 10 * 6 * 2);
    let seats = json["settlement_by_seat"]["a"].as_array().unwrap();
    let sum: i64 = seats.iter().map(|n| n.as_i64().unwrap()).sum();
    let seat_rounds = 10 * 3 * 3 * 2;
    let nearest = (sum as i128 * 2_000_000 + i128::from(seat_rounds * sum.signum()))
        / i128::from(2 * seat_rounds);
    assert_eq!(json["mean_micro"].as_i64().map(i128::from), Some(nearest));
    // Each round has one winner among three seats, half of all seat-rounds are A's.
    let won = |side: &str| json["metrics"][side]["won"].as_i64().unwrap();
    assert!((won("a") + won("b") - 666_667).abs() <= 1);
    let decisions = &json["decisions_by_side"];
    let both = decisions["a"].as_u64().unwrap() + decisions["b"].as_u64().unwrap();
    assert_eq!(json["decisions"], both);
    assert_eq!(json["valid"], true);
    let back = outcome(
        "--players 3 --a easy --b smart --seeds 10 --first-seed 5 --weights-b defaults --table-b raw",
    );
    let mirrored = back.json()["mean_micro"].as_i64().unwrap();
    assert_eq!(mirrored, -json["mean_micro"].as_i64().unwrap());
}

#[test]
fn one_policy_against_itself_is_zero_and_one_seed_has_no_interval() {
    let json = outcome("--players 2 --a eager --b eager --seeds 6").json();
    assert_eq!(json["mean_micro"], 0);
    assert_eq!(json["interval95_micro"], serde_json::json!([0, 0]));
    let one = outcome("--players 2 --a eager --b easy --seeds 1");
    assert_eq!(one.json()["interval95_micro"], serde_json::Value::Null);
    assert!(one.text().contains("an interval needs two seeds"));
}

#[test]
fn a_run_of_fallbacks_is_invalid_and_says_so() {
    let broken = outcome("--players 2 --a broken --b easy --seeds 3");
    assert!(!broken.valid());
    let json = broken.json();
    assert_eq!(json["valid"], false);
    assert_eq!(
        json["fallbacks"]["a"]["policy_error"],
        json["decisions_by_side"]["a"]
    );
    assert_eq!(json["fallbacks"]["b"]["policy_error"], 0);
    let text = broken.text();
    assert!(
        text.contains("INVALID") && text.contains("(100.00 %)"),
        "{text}"
    );
    assert!(
        !outcome("--players 2 --a eager --b easy --seeds 3")
            .text()
            .contains("INVALID")
    );
}

#[test]
fn a_failed_match_is_an_error_that_names_the_place() {
    let failed = measure::<Toy>(&args("--players 3 --a panics --b easy --seeds 300"));
    let text = format!("{:#}", failed.err().unwrap());
    for part in [
        "cannot bear",
        "seed",
        "arrangement",
        "round",
        "seat",
        "view {",
    ] {
        assert!(text.contains(part), "{part:?} is missing in {text}");
    }
}

#[test]
fn transcripts_change_no_number_and_are_the_same_for_any_workers() {
    let folder = tempfile::tempdir().unwrap();
    let words = "--players 2 --a smart --b easy --seeds 9";
    let plain = outcome(words).json();
    let mut texts = Vec::new();
    for workers in [1, 4] {
        let path = folder.path().join(format!("{workers} workers.jsonl"));
        let mut args = args(&format!("{words} --workers {workers} --time"));
        args.transcript = Some(path.clone());
        let mut json = measure::<Toy>(&args).unwrap().json();
        let times = json.as_object_mut().unwrap().remove("time_ns").unwrap();
        assert!(times["a"]["max"].as_u64() >= times["a"]["p50"].as_u64());
        assert_eq!(json, plain);
        texts.push(std::fs::read_to_string(path).unwrap());
    }
    assert_eq!(texts[0], texts[1]);
    assert_eq!(
        texts[0].lines().count() as u64,
        plain["rounds"].as_u64().unwrap()
    );
}

#[test]
fn an_unwritable_transcript_is_refused_before_play() {
    // A policy that panics at once would fail the run, were it played.
    let mut args = args("--players 3 --a cheat --b easy --seeds 3");
    args.transcript = Some("/no/such/folder/out.jsonl".into());
    let text = format!("{:#}", measure::<Toy>(&args).err().unwrap());
    assert!(text.contains("/no/such/folder/out.jsonl"), "{text}");
}

#[test]
fn a_no_op_candidate_is_no_decision_changed_and_never_a_gain() {
    let both = "--weights-b defaults --table-b raw --seeds 9";
    // No decision reads Idle.
    let words = format!("--players 3 --a smart --b smart {both} --set a.Idle=3");
    let found = outcome(&words);
    assert_eq!(found.json()["unchanged"], true);
    assert_eq!(found.json()["mean_micro"], 0);
    assert_eq!(found.json()["interval95_micro"], serde_json::json!([0, 0]));
    assert_eq!(found.json()["more_seeds"], serde_json::Value::Null);
    let text = found.text();
    assert!(
        text.contains("no decision changed on 9 seeds: the difference is exactly 0"),
        "{text}"
    );
    assert!(
        text.contains("set by hand: Idle 3") && !text.contains("A is the"),
        "{text}"
    );
    // One that is read.
    let other = format!("--players 3 --a smart --b smart {both} --set a.Shed=1");
    assert_eq!(outcome(&other).json()["unchanged"], false);
}

#[test]
fn one_sided_results_end_with_the_right_side_named() {
    for seeds in [2, 20, 2_000] {
        // Who passes whenever it may never wins; every loser pays one point.
        let words = format!("--players 2 --ruleset pay=flat --seeds {seeds}");
        let better = outcome(&format!("{words} --a easy --b passer"));
        let json = better.json();
        assert_eq!(json["mean_micro"], 1_000_000, "{seeds} seeds");
        assert_eq!(
            json["interval95_micro"],
            serde_json::json!([1_000_000, 1_000_000])
        );
        assert!(
            better.text().contains("A is the stronger"),
            "{}",
            better.text()
        );
        let worse = outcome(&format!("{words} --a passer --b easy"));
        assert!(worse.text().contains("A is the weaker"), "{}", worse.text());
        // With spread as well: by cards left.
        let words = format!("--players 3 --seeds {}", seeds.max(20));
        let better = outcome(&format!("{words} --a easy --b passer"));
        assert!(
            better.text().contains("A is the stronger"),
            "{}",
            better.text()
        );
    }
}

#[test]
fn an_inconclusive_result_says_how_many_seeds_and_how_long() {
    let found = outcome("--players 3 --a easy --b eager --seeds 3");
    let more = found.json()["more_seeds"].as_u64();
    let text = found.text();
    match more {
        Some(more) => assert!(
            text.contains(&format!(
                "inconclusive; about {more} more seeds would settle it ("
            )),
            "{text}"
        ),
        None => panic!("three seeds settle nothing here: {text}"),
    }
    let open = Outcome {
        millis: 90_000,
        ..found
    };
    assert!(
        open.text().contains(" min)") || open.text().contains(" h)"),
        "{}",
        open.text()
    );
}
