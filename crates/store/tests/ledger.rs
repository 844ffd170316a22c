//! The ledger: attempts, links, merging, and what it refuses.
// Tests of the crate that writes files spoil files by hand.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use evenhand_artifact::{Entry, Event, Outcome, alpha_ppb, digest_of};
use evenhand_store::ledger::{Ledger, check, merge, record};
use evenhand_store::{Digest, StoreError};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn entry(game: &str, candidate: &str, salt: &str, event: Event) -> Entry {
    Entry {
        game: game.to_owned(),
        players: 3,
        ruleset: "default".to_owned(),
        policy: "smart".to_owned(),
        experiment: format!("{game}-3p"),
        candidate: digest_of(candidate),
        salt: salt.to_owned(),
        event,
    }
}

fn intent(path: &Path, game: &str, candidate: &str, salt: &str) -> (u32, Digest) {
    let event = Event::Intent {
        spec: digest_of("spec"),
    };
    let recorded = record(path, entry(game, candidate, salt, event)).expect("recorded");
    assert_eq!(recorded.line.alpha_ppb, alpha_ppb(recorded.line.attempt));
    (recorded.line.attempt, recorded.content)
}

fn outcome(path: &Path, game: &str, candidate: &str, intent: Digest, result: Outcome) -> Digest {
    let event = Event::Outcome {
        result,
        intent: intent.hex(),
        validation: Some(digest_of(format!("validation of {candidate}"))),
    };
    record(path, entry(game, candidate, "", event))
        .expect("recorded")
        .content
}

fn freeze(path: &Path, game: &str, candidate: &str, outcome: Digest) -> Result<Digest, StoreError> {
    let event = Event::Freeze {
        outcome: outcome.hex(),
        weights: digest_of("weights"),
    };
    record(path, entry(game, candidate, "", event)).map(|r| r.content)
}

fn ledger() -> (TempDir, PathBuf) {
    let dir = TempDir::new().expect("a folder");
    let path = dir.path().join("experiments").join("ledger.jsonl");
    (dir, path)
}

#[test]
fn attempts_count_since_the_games_last_freeze() {
    let (_dir, path) = ledger();
    let (first, a) = intent(&path, "toy", "a", "");
    assert_eq!(first, 1);
    outcome(&path, "toy", "a", a, Outcome::Failed);
    let (second, b) = intent(&path, "toy", "b", "");
    assert_eq!(second, 2);
    // The same candidate with the same salt is the same attempt; a new salt is a new one.
    assert_eq!(intent(&path, "toy", "a", ""), (1, a));
    assert_eq!(intent(&path, "toy", "b", "run 7").0, 3);
    // Another game counts for itself.
    assert_eq!(intent(&path, "other", "c", "").0, 1);
    let passed = outcome(&path, "toy", "b", b, Outcome::Passed);
    freeze(&path, "toy", "b", passed).expect("frozen");
    assert_eq!(intent(&path, "toy", "d", "").0, 1);
    assert_eq!(intent(&path, "other", "d", "").0, 2);
    let read = Ledger::read(&path).expect("sound");
    let (line, result) = read.outcome(&passed).expect("cited by content");
    assert_eq!((line.attempt, result), (2, Outcome::Passed));
    assert_eq!(
        read.text().expect("text"),
        fs::read_to_string(&path).expect("read")
    );
}

#[test]
fn the_same_content_is_recorded_once() {
    let (_dir, path) = ledger();
    let (_, a) = intent(&path, "toy", "a", "");
    outcome(&path, "toy", "a", a, Outcome::Passed);
    let before = fs::read(&path).expect("read");
    assert_eq!(intent(&path, "toy", "a", ""), (1, a));
    outcome(&path, "toy", "a", a, Outcome::Passed);
    assert_eq!(fs::read(&path).expect("read"), before);
}

#[test]
fn outcomes_need_their_intent_and_freezes_a_pass() {
    let (_dir, path) = ledger();
    let nothing = Digest::of(b"nothing");
    let event = Event::Outcome {
        result: Outcome::Passed,
        intent: nothing.hex(),
        validation: None,
    };
    assert!(record(&path, entry("toy", "a", "", event)).is_err());
    assert!(freeze(&path, "toy", "a", nothing).is_err());
    let (_, a) = intent(&path, "toy", "a", "");
    let failed = outcome(&path, "toy", "a", a, Outcome::Failed);
    assert!(freeze(&path, "toy", "a", failed).is_err());
    assert!(freeze(&path, "toy", "a", a).is_err());
    let (_, b) = intent(&path, "toy", "b", "");
    let passed = outcome(&path, "toy", "b", b, Outcome::Passed);
    // ... of the very candidate.
    assert!(freeze(&path, "toy", "a", passed).is_err());
    freeze(&path, "toy", "b", passed).expect("frozen");
}

fn sample(path: &Path) {
    let (_, a) = intent(path, "toy", "a", "");
    outcome(path, "toy", "a", a, Outcome::Failed);
    let (_, b) = intent(path, "toy", "b", "");
    let passed = outcome(path, "toy", "b", b, Outcome::Passed);
    freeze(path, "toy", "b", passed).expect("frozen");
}

#[test]
fn every_flipped_byte_and_lost_line_is_refused() {
    let (_dir, path) = ledger();
    sample(&path);
    let whole = fs::read(&path).expect("read");
    let refused = |bytes: &[u8]| {
        Ledger::parse(&path, bytes)
            .expect_err("refused")
            .to_string()
    };
    for at in 0..whole.len() - 1 {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        assert!(refused(&bytes).contains("ledger.jsonl"));
    }
    let lines: Vec<&[u8]> = whole.split_inclusive(|b| *b == b'\n').collect();
    for at in 0..lines.len() - 1 {
        let mut fewer = lines.clone();
        fewer.remove(at);
        let why = refused(&fewer.concat());
        assert!(
            why.contains(&format!("line {}", at + 1)) && why.contains("link"),
            "{why}"
        );
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        assert!(refused(&swapped.concat()).contains("line "));
    }
}

#[test]
fn a_torn_last_line_is_left_out_and_mended() {
    let (_dir, path) = ledger();
    let (_, a) = intent(&path, "toy", "a", "");
    let short = fs::read(&path).expect("read");
    outcome(&path, "toy", "a", a, Outcome::Passed);
    let whole = fs::read(&path).expect("read");
    for cut in (short.len()..whole.len()).step_by(7) {
        fs::write(&path, &whole[..cut]).expect("written");
        let read = Ledger::read(&path).expect("sound");
        assert_eq!((read.lines().len(), read.torn()), (1, cut - short.len()));
        outcome(&path, "toy", "a", a, Outcome::Passed);
        assert_eq!(fs::read(&path).expect("read"), whole);
    }
}

#[test]
fn merging_keeps_what_was_cited_and_counts_anew() {
    let (_dir, ours) = ledger();
    let (_, base) = intent(&ours, "toy", "base", "");
    outcome(&ours, "toy", "base", base, Outcome::Failed);
    let theirs = ours.with_file_name("theirs.jsonl");
    fs::copy(&ours, &theirs).expect("copied");
    let (ours_attempt, a) = intent(&ours, "toy", "a", "");
    let a = outcome(&ours, "toy", "a", a, Outcome::Passed);
    let (theirs_attempt, b) = intent(&theirs, "toy", "b", "");
    let b = outcome(&theirs, "toy", "b", b, Outcome::Passed);
    // Both branches looked at the same candidate: one attempt, recorded once.
    assert_eq!(intent(&ours, "toy", "both", "").0, 3);
    assert_eq!(intent(&theirs, "toy", "both", "").0, 3);
    assert_eq!((ours_attempt, theirs_attempt), (2, 2));

    let before = Ledger::read(&ours).expect("sound");
    assert_eq!(merge(&ours, &theirs).expect("merges"), 2);
    let merged = Ledger::read(&ours).expect("sound");
    check(&before, &merged).expect("only grew");
    assert_eq!(merged.outcome(&a).expect("cited").0.attempt, 2);
    // Judged at attempt 2 then; the merged count says 4.
    assert_eq!(merged.outcome(&b).expect("cited").0.attempt, 4);
    assert_eq!(merge(&ours, &theirs).expect("merges"), 0);
}

#[test]
fn the_check_against_a_base_says_what_happened() {
    let (_dir, path) = ledger();
    sample(&path);
    let base = Ledger::read(&path).expect("sound");
    intent(&path, "toy", "later", "");
    let grown = Ledger::read(&path).expect("sound");
    check(&base, &base).expect("the same");
    check(&base, &grown).expect("grown");
    let shorter = check(&grown, &base).expect_err("shorter").to_string();
    assert!(
        shorter.contains("shorter") && shorter.contains("line 6"),
        "{shorter}"
    );

    // Sound ledgers that tell another story.
    let other = path.with_file_name("other.jsonl");
    let (_, b) = intent(&other, "toy", "b", "");
    let rewritten = check(&base, &Ledger::read(&other).expect("sound")).expect_err("other");
    assert!(rewritten.to_string().contains("line 1"), "{rewritten}");
    let (_, a) = intent(&other, "toy", "a", "");
    outcome(&other, "toy", "a", a, Outcome::Failed);
    let passed = outcome(&other, "toy", "b", b, Outcome::Passed);
    freeze(&other, "toy", "b", passed).expect("frozen");
    let moved = check(&base, &Ledger::read(&other).expect("sound")).expect_err("moved");
    assert!(moved.to_string().contains("moved"), "{moved}");
}

#[test]
fn processes_take_turns() {
    let (_dir, path) = ledger();
    std::thread::scope(|scope| {
        for i in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for j in 0..4 {
                    intent(path, "toy", &format!("{i}-{j}"), "");
                }
            });
        }
    });
    let read = Ledger::read(&path).expect("sound");
    let attempts: Vec<u32> = read.lines().iter().map(|l| l.attempt).collect();
    assert_eq!(attempts, (1..=16).collect::<Vec<_>>());
}
