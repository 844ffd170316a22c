//! `diff` on small checkouts made of documents of a toy game: in the library and as the built program.

use evenhand_artifact::*;
use evenhand_diff::command::{Format, exit, of, text};
use evenhand_diff::{Change, Difference};
use evenhand_store::ledger::{Ledger, record};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

mod state;
use state::{State, base, gained, put};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Checkouts of two states; the head's ledger goes on from the base's.
fn two(old: &State, new: &State) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let dir = folder();
    let (base, head) = (dir.path().join("base"), dir.path().join("head"));
    old.write(&base);
    let ledger = "experiments/ledger.jsonl";
    if let Some(bytes) = evenhand_store::read(&base.join(ledger)).unwrap() {
        put(&head.join(ledger), &String::from_utf8(bytes).unwrap());
    }
    new.write(&head);
    (dir, base, head)
}

fn between(old: &State, new: &State) -> Difference {
    let (_dir, base, head) = two(old, new);
    of(&base, &head).unwrap()
}

fn diff(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_diff"))
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn nothing_changed_is_one_line() {
    let (_dir, base_dir, head) = two(&base(), &base());
    let same = of(&base_dir, &head).unwrap();
    assert!(!same.changed && same.verdict.is_none() && same.findings.is_empty());
    for format in [Format::Text, Format::Markdown] {
        let text = text(&same, format);
        assert!(
            text.starts_with("no change: ") && text.lines().count() == 1,
            "{text}"
        );
        assert!(
            text.contains("same 2 artifacts and the records of 1 experiments"),
            "{text}"
        );
    }
    assert_eq!(exit(&same).code(), 0);
}

#[test]
fn changed_weights_are_told_with_their_record() {
    let d = between(&base(), &gained());
    assert_eq!(d.verdict, Some(Verdict::Holds), "{:#?}", d.findings);
    assert_eq!((d.weights.len(), d.tables.len(), d.runs.len()), (1, 0, 1));
    assert!(d.runs[0].frozen && d.ledger_lines.head == Some(6));
    let w = &d.weights[0];
    assert_eq!(w.change, Change::Changed);
    let gain = &w.knobs[0];
    assert_eq!(
        (gain.value.base, gain.value.head, gain.step),
        (Some(1200), Some(1600), Some(200))
    );
    assert!(gain.moved() && !w.knobs[1].moved() && w.knobs[1].flags == ["flat"]);
    let decisions = w.decisions.as_ref().unwrap();
    assert_eq!((decisions.compared, decisions.changes.len()), (3, 1));
    let one = &decisions.changes[0];
    assert_eq!(
        (one.index, one.base.as_str(), one.head.as_str()),
        (1, "pass", "5C")
    );
    // Tuning's cost and that of the one cell.
    let cost = w.cost.head.unwrap();
    assert_eq!(
        (cost.matches, cost.rounds, cost.decisions, cost.work),
        (246, 750, 1100, 1005)
    );
    let page = text(&d, Format::Text);
    for part in [
        "gain    1.2    1.6    +0.4           +2",
        "+1.81 [+1.77, +1.86]",
        "3 of 1\u{202f}000 (0.30 %)",
        "1 of 3 (33.33 %) positions are played differently",
        "1 of 2 knobs kept their value",
        "(the base)",
        "the run: matches  246 ",
        "1, at a level of 2.5 %",
    ] {
        assert!(page.contains(part), "{part} in:\n{page}");
    }
}

#[test]
fn verdicts_of_the_record_decide() {
    for (verdict, code) in [
        (Verdict::Holds, 0),
        (Verdict::Fails, 1),
        (Verdict::Inconclusive, 2),
        (Verdict::Invalid, 4),
    ] {
        let state = State {
            verdict,
            ..gained()
        };
        let (dir, base_dir, head) = two(&base(), &state);
        let d = of(&base_dir, &head).unwrap();
        // The ledger of a run that did not pass does not say that it did.
        let cells: Vec<_> = d
            .findings
            .iter()
            .filter(|f| f.claim == "every cell holds")
            .collect();
        assert_eq!(cells[0].verdict, verdict);
        if verdict == Verdict::Inconclusive {
            // Weights alone: no ledger to ask.
            let out = diff(
                &[
                    "base/tables/toy/3p/weights.json",
                    "head/tables/toy/3p/weights.json",
                ],
                dir.path(),
            );
            assert_eq!(out.status.code(), Some(code));
        } else {
            assert_eq!(i32::from(exit(&d).code()), code, "{:#?}", d.findings);
        }
    }
}

#[test]
fn a_rehearsal_and_a_missing_record_hold_nothing_up() {
    let quick = State {
        run: RunKind::Quick,
        ..gained()
    };
    let d = between(&base(), &quick);
    assert_eq!(d.verdict, Some(Verdict::Fails));
    assert!(
        d.findings.iter().any(|f| f.reason.contains("rehearsal")),
        "{:#?}",
        d.findings
    );

    let (_dir, base_dir, head) = two(&base(), &gained());
    std::fs::remove_file(head.join("experiments/toy-3p/validation.json")).unwrap();
    let d = of(&base_dir, &head).unwrap();
    assert_eq!(d.verdict, Some(Verdict::Fails));
    let (_dir, base_dir, head) = two(&base(), &base());
    std::fs::remove_dir_all(head.join("experiments/toy-3p")).unwrap();
    let d = of(&base_dir, &head).unwrap();
    assert!(
        d.weights.is_empty() && d.verdict == Some(Verdict::Fails),
        "same weights, record gone"
    );
}

#[test]
fn a_ledger_that_was_shortened_or_misses_the_line_does_not_hold() {
    let (_dir, base_dir, head) = two(&base(), &gained());
    let path = head.join("experiments/ledger.jsonl");
    let lines = Ledger::read(&path).unwrap().text().unwrap();
    let cut: String = lines.split_inclusive('\n').take(4).collect();
    put(&path, &cut);
    let d = of(&base_dir, &head).unwrap();
    let open: Vec<_> = d
        .findings
        .iter()
        .filter(|f| f.verdict != Verdict::Holds)
        .collect();
    assert_eq!(open.len(), 1, "{open:#?}");
    assert_eq!(open[0].claim, "the ledger says that it passed");
    let cut: String = lines.split_inclusive('\n').take(1).collect();
    put(&path, &cut);
    let d = of(&base_dir, &head).unwrap();
    assert!(
        d.findings
            .iter()
            .any(|f| f.claim == "only grows" && f.verdict == Verdict::Fails)
    );
}

#[test]
fn a_changed_table_says_where_it_moved() {
    let moved = State {
        middle_ppm: 400_500,
        ..gained()
    };
    let d = between(&base(), &moved);
    assert_eq!(d.verdict, Some(Verdict::Holds), "{:#?}", d.findings);
    let table = &d.tables[0];
    assert_eq!(table.moved().count(), 1);
    assert_eq!(table.largest(), Some((-100_000, 500_500, "pair")));
    let page = text(&d, Format::Markdown);
    assert!(
        page.contains("The estimator is the same. 1 of 2 cells moved."),
        "{page}"
    );
    assert!(
        page.contains("-100000 ppm, of pair at the raw value 500500"),
        "{page}"
    );

    let other = State {
        estimator: "another",
        ..gained()
    };
    let d = between(&base(), &other);
    assert_eq!(d.tables[0].moved().count(), 0);
    assert!(text(&d, Format::Text).contains("The estimator CHANGED"));
}

#[test]
fn a_table_that_nothing_validated_stands_on_does_not_hold() {
    let (_dir, base_dir, head) = two(&base(), &base());
    let other = State {
        middle_ppm: 400_500,
        ..base()
    };
    put(
        &head.join("tables/toy/3p/safety.json"),
        other.table().text(),
    );
    let d = of(&base_dir, &head).unwrap();
    assert_eq!((d.weights.len(), d.tables.len()), (0, 1));
    let claims: Vec<_> = d
        .findings
        .iter()
        .filter(|f| f.verdict != Verdict::Holds)
        .map(|f| f.claim.as_str())
        .collect();
    assert_eq!(
        claims,
        ["its tables are there", "validated weights stand on it"]
    );
    assert_eq!(exit(&d).code(), 1);
}

#[test]
fn what_one_side_lacks_is_added_or_removed() {
    let (_dir, base_dir, head) = two(&base(), &gained());
    let empty = base_dir.parent().unwrap().join("empty");
    evenhand_store::create_dir(&empty.join("tables")).unwrap();
    let added = of(&empty, &head).unwrap();
    assert_eq!(
        (added.weights[0].change, added.tables[0].change),
        (Change::Added, Change::Added)
    );
    assert_eq!(added.verdict, Some(Verdict::Holds), "{:#?}", added.findings);
    let removed = of(&head, &empty).unwrap();
    assert_eq!(
        (removed.weights[0].change, removed.tables[0].change),
        (Change::Removed, Change::Removed)
    );
    assert_eq!(removed.verdict, Some(Verdict::Fails));
    assert!(text(&removed, Format::Html).contains("taken out; no record says why"));
    let error = of(&empty, &empty).unwrap_err().to_string();
    assert!(
        error.contains("neither") && error.contains("empty"),
        "{error}"
    );
}

#[test]
fn ten_best_and_ten_worst_are_shown_as_hands() {
    let position = |i: i64| Position {
        place: format!("seed {i}"),
        view: Value::Object([("hand".to_owned(), Value::Text("3C 12D".to_owned()))].into()),
        candidate: "3C".to_owned(),
        incumbent: "pass".to_owned(),
        gain: Some(25 - i),
    };
    let state = State {
        positions: (0..50).map(position).collect(),
        ..gained()
    };
    let d = between(&base(), &state);
    let places = |list: &[Position]| list.iter().map(|p| p.place.clone()).collect::<Vec<_>>();
    let w = &d.weights[0];
    let named = |range: Vec<i64>| {
        range
            .iter()
            .map(|i| format!("seed {i}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(places(&w.best), named((0..10).collect()));
    assert_eq!(places(&w.worst), named((40..50).rev().collect()));
    assert!(w.remarks.is_empty(), "{:?}", w.remarks);
    let html = text(&d, Format::Html);
    assert!(html.matches("aria-label=\"3C 12D\"").count() == 20);
    assert!(text(&d, Format::Text).contains("hand: 3C 12D"));
    // One position is shown once.
    let state = State {
        positions: vec![position(0)],
        incumbent: Some(digest_of("another")),
        ..gained()
    };
    let w = between(&base(), &state).weights.remove(0);
    assert_eq!((w.best.len(), w.worst.len()), (1, 0));
    assert!(w.remarks[0].contains("which is not the base"));
}

#[test]
fn folders_of_records_and_single_files_compare() {
    let inconclusive = State {
        verdict: Verdict::Inconclusive,
        ..gained()
    };
    let (dir, ..) = two(&base(), &inconclusive);
    let out = diff(
        &["base/experiments/toy-3p", "head/experiments/toy-3p"],
        dir.path(),
    );
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    let page = String::from_utf8(out.stdout).unwrap();
    assert!(
        page.contains("toy-3p changed (1 of 2 knobs, 1 of 3 decisions"),
        "{page}"
    );
    let same = diff(
        &[
            "base/tables/toy/3p/safety.json",
            "head/tables/toy/3p/safety.json",
        ],
        dir.path(),
    );
    assert_eq!(same.status.code(), Some(0));
    let kinds = diff(
        &[
            "base/tables/toy/3p/safety.json",
            "head/tables/toy/3p/weights.json",
        ],
        dir.path(),
    );
    assert_eq!(kinds.status.code(), Some(3));
    assert!(
        String::from_utf8(kinds.stderr)
            .unwrap()
            .contains("a file of a table cannot be compared")
    );
}

#[test]
fn the_generation_before_is_left_out_unless_it_is_asked_for() {
    let dir = folder();
    let own = dir.path().join("5p");
    put(&own.join("weights.json"), gained().weights().text());
    put(&own.join("previous/weights.json"), base().weights().text());
    let d = of(&own.join("previous"), &own).unwrap();
    assert_eq!((d.artifacts, d.weights.len()), ([1, 1], 1));
    assert_eq!(d.weights[0].knobs[0].value.base, Some(1200));
    // No records were given to ask: the weights' own cells decide.
    assert_eq!(d.verdict, Some(Verdict::Holds));
}

#[test]
fn a_later_attempt_needs_its_own_level() {
    let (_dir, base_dir, head) = two(&base(), &gained());
    let ledger = head.join("experiments/ledger.jsonl");
    let lines = Ledger::read(&ledger).unwrap().text().unwrap();
    put(
        &ledger,
        &lines.split_inclusive('\n').take(3).collect::<String>(),
    );
    let failed = State {
        gain: 1700,
        verdict: Verdict::Fails,
        ..gained()
    };
    record(&ledger, failed.intent()).unwrap();
    record(&ledger, failed.outcome()).unwrap();
    for entry in [gained().intent(), gained().outcome()] {
        record(&ledger, entry).unwrap();
    }
    let d = of(&base_dir, &head).unwrap();
    let open: Vec<_> = d
        .findings
        .iter()
        .filter(|f| f.verdict != Verdict::Holds)
        .collect();
    assert_eq!(open.len(), 1, "{open:#?}");
    assert!(
        open[0]
            .reason
            .contains("attempt 2 by now, judged at 8333333")
    );
}

#[test]
fn what_instruments_left_beside_the_records_is_passed_over() {
    let (_dir, base_dir, head) = two(&base(), &gained());
    let before = of(&base_dir, &head).unwrap();
    let ablation = "{\n  \"format\": \"evenhand-ablation/1\"\n}\n";
    put(&head.join("experiments/toy-3p/ablation.json"), ablation);
    put(
        &base_dir.join("experiments/toy-3p/captures/captures.json"),
        ablation,
    );
    let after = of(&base_dir, &head).unwrap();
    assert_eq!(text(&before, Format::Text), text(&after, Format::Text));
    // By itself it is nothing to compare.
    let error = of(&head.join("experiments/toy-3p/ablation.json"), &head).unwrap_err();
    assert!(error.to_string().contains("no artifact"), "{error}");
}

#[test]
fn json_is_whole() {
    let (dir, ..) = two(&base(), &gained());
    let out = diff(&["base", "head", "--format", "json"], dir.path());
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let value: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(value["verdict"], "holds");
    assert_eq!(value["weights"][0]["knobs"][0]["value"]["head"], 1600);
    assert_eq!(value["weights"][0]["decisions"]["changes"][0]["index"], 1);
}

#[test]
fn spoilt_and_missing_inputs_are_named() {
    let (dir, base_dir, head) = two(&base(), &gained());
    let file = head.join("tables/toy/3p/weights.json");
    let good = gained().weights().text().to_owned();
    for (bad, says) in [
        (good.replace("1600", "1601"), "checksum"),
        (good.replace('\n', "\r\n"), "line endings"),
        (good[..good.len() - 1].to_owned(), "final newline"),
        (
            good.replace("evenhand-weights/1", "evenhand-weights/9"),
            "version",
        ),
        ("{\n  \"a\": 1\n}\n".to_owned(), "no artifact"),
    ] {
        put(&file, &bad);
        let out = diff(&["base", "head"], dir.path());
        let error = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(3), "{error}");
        assert!(
            error.contains("weights.json") && error.contains(says),
            "{says}: {error}"
        );
        assert!(out.stdout.is_empty());
    }
    put(&file, &good);
    put(
        &head.join("experiments/toy-3p/decisions.txt"),
        "3C\r\n5C\r\n4C 4D\r\n",
    );
    let error = of(&base_dir, &head).unwrap_err().to_string();
    assert!(
        error.contains("decisions.txt") && error.contains("line endings"),
        "{error}"
    );
    put(&head.join("experiments/toy-3p/decisions.txt"), "3C\n");
    let error = of(&base_dir, &head).unwrap_err().to_string();
    assert!(
        error.contains("decisions.txt: not the decisions"),
        "{error}"
    );
    put(
        &head.join("experiments/toy-3p/decisions.txt"),
        "3C\n5C\n4C 4D\n",
    );
    let ledger = head.join("experiments/ledger.jsonl");
    let lines = Ledger::read(&ledger).unwrap().text().unwrap();
    put(&ledger, &lines.replacen("toy-3p", "toy-4p", 1));
    let error = of(&base_dir, &head).unwrap_err().to_string();
    assert!(
        error.contains("ledger.jsonl") && error.contains("line 1"),
        "{error}"
    );
    let out = diff(&["base", "nowhere"], dir.path());
    assert_eq!(out.status.code(), Some(3));
    assert!(
        String::from_utf8(out.stderr)
            .unwrap()
            .contains("nowhere: no such file or folder")
    );
}

#[test]
fn two_files_for_one_place_are_refused() {
    let dir = folder();
    for name in ["a", "b"] {
        put(
            &dir.path().join(name).join("weights.json"),
            base().weights().text(),
        );
    }
    let error = of(dir.path(), dir.path()).unwrap_err().to_string();
    assert!(
        error.contains("a/weights.json") && error.contains("b/weights.json"),
        "{error}"
    );
}

#[test]
fn any_path_will_do() {
    let dir = folder();
    for (name, state) in [("-base dir", base()), ("한글 head", gained())] {
        state.write(&dir.path().join(name));
    }
    for args in [
        ["-base dir", "한글 head", "--format=text"],
        ["--format=text", "-base dir", "한글 head"],
        ["-base dir", "--format=text", "./한글 head"],
    ] {
        let out = diff(&args, dir.path());
        let page = String::from_utf8(out.stdout).unwrap();
        assert!(page.contains("knobs kept their value"), "{args:?}: {page}");
    }
}

#[test]
fn help_has_an_example() {
    let out = diff(&["--help"], Path::new("."));
    assert_eq!(out.status.code(), Some(0));
    let help = String::from_utf8(out.stdout).unwrap();
    assert!(
        help.contains("Example:\n  diff ../main . --format markdown"),
        "{help}"
    );
    assert_eq!(diff(&["one"], Path::new(".")).status.code(), Some(3));
}
