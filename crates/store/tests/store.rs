//! Objects, actions, publishing, journals, locks and upkeep of a store.
// Tests of the crate that writes files spoil files by hand.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use evenhand_artifact::{InputPolicy, KindCell, Point, TableDoc, digest_of, seal};
use evenhand_store::{
    ActionKey, Digest, Draft, Item, Journal, Lock, Published, Run, SOURCE_HASH, Store, StoreError,
    append, gc, lineage, list, publish, publish_new, publish_replace, roots_in, verify,
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

fn store() -> (TempDir, Store) {
    let dir = TempDir::new().expect("a folder");
    let store = Store::open(dir.path().join("st ore-한글")).expect("opens");
    (dir, store)
}

fn key(step: &str) -> ActionKey {
    ActionKey::new(step).part("spec", digest_of("spec"))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn objects_come_back_and_are_listed() {
    let (_dir, store) = store();
    let mut digests = BTreeSet::new();
    for i in 0..20_u8 {
        let digest = store.objects().put(&[i, 1, 2]).expect("put");
        assert_eq!(digest, Digest::of(&[i, 1, 2]));
        assert_eq!(store.objects().put(&[i, 1, 2]).expect("again"), digest);
        assert_eq!(
            store.objects().get(&digest).expect("get"),
            Some(vec![i, 1, 2])
        );
        digests.insert(digest);
    }
    assert_eq!(
        store.objects().list().expect("list"),
        digests.into_iter().collect::<Vec<_>>()
    );
    assert_eq!(
        store.objects().get(&Digest::of(b"none")).expect("get"),
        None
    );
}

#[test]
fn a_damaged_object_is_noticed_and_never_overwritten() {
    let (_dir, store) = store();
    let digest = store.objects().put(b"0123456789").expect("put");
    let path = store.objects().blobs().path(&digest);
    // One digit flipped, same size, same time of change.
    let before = fs::metadata(&path)
        .and_then(|m| m.modified())
        .expect("times");
    fs::write(&path, b"0123456788").expect("write");
    let file = fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .expect("open");
    file.set_modified(before).expect("times");
    assert!(matches!(
        store.objects().get(&digest),
        Err(StoreError::Damaged { .. })
    ));
    assert!(matches!(
        store.objects().put(b"0123456789"),
        Err(StoreError::Damaged { .. })
    ));
    assert_eq!(fs::read(&path).expect("read"), b"0123456788");
    let found = verify(&store).expect("verifies");
    assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
    assert!(found.problems[0].contains(&path.display().to_string()));
}

#[test]
fn action_keys_notice_what_matters_alone() {
    let base = ActionKey::new("tune").part("spec", "a").part("table", "b");
    assert_eq!(
        base,
        ActionKey::new("tune").part("table", "b").part("spec", "a")
    );
    let others = [
        ActionKey::new("validate")
            .part("spec", "a")
            .part("table", "b"),
        ActionKey::new("tune").part("spec", "b").part("table", "b"),
        ActionKey::new("tune").part("spec", "a"),
        ActionKey::with_source("tune", "other", "0.1.0")
            .part("spec", "a")
            .part("table", "b"),
        ActionKey::with_source("tune", SOURCE_HASH, "0.0.9")
            .part("spec", "a")
            .part("table", "b"),
        // Names and values are kept apart.
        ActionKey::new("tune").part("spec", "a\",\"table\":\"b"),
    ];
    for other in others {
        assert_ne!(base.digest(), other.digest(), "{}", other.text());
    }
    assert_eq!(SOURCE_HASH.len(), 64);
}

#[test]
fn an_action_has_one_result() {
    let (_dir, store) = store();
    assert!(store.result(&key("tune")).expect("reads").is_none());
    let digest = store.keep(&key("tune"), b"result").expect("keeps");
    assert_eq!(store.keep(&key("tune"), b"result").expect("keeps"), digest);
    assert_eq!(
        store.result(&key("tune")).expect("reads"),
        Some((digest, b"result".to_vec()))
    );
    let error = store.keep(&key("tune"), b"other").expect_err("refused");
    assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
    assert_eq!(
        store.result(&key("tune")).expect("reads"),
        Some((digest, b"result".to_vec()))
    );
    assert!(store.result(&key("validate")).expect("reads").is_none());
}

#[test]
fn publishing_replaces_or_compares() {
    let dir = TempDir::new().expect("a folder");
    let path = dir.path().join("-a b").join("f.json");
    assert_eq!(publish(&path, b"1").expect("new"), Published::New);
    assert_eq!(publish_replace(&path, b"1").expect("same"), Published::Same);
    assert_eq!(
        publish_replace(&path, b"2").expect("other"),
        Published::Replaced
    );
    assert_eq!(publish_new(&path, b"2").expect("same"), Published::Same);
    assert!(matches!(
        publish_new(&path, b"3"),
        Err(StoreError::Differs { .. })
    ));
    assert_eq!(fs::read(&path).expect("read"), b"2");
    assert_eq!(names(path.parent().expect("a folder")), ["f.json"]);
}

#[test]
fn a_draft_that_is_not_committed_leaves_nothing() {
    let dir = TempDir::new().expect("a folder");
    let path = dir.path().join("f");
    publish(&path, b"old").expect("published");
    let mut draft = Draft::create(&path).expect("begun");
    draft.write_all(b"half").expect("written");
    assert_eq!(names(dir.path()).len(), 2);
    assert_eq!(fs::read(&path).expect("read"), b"old");
    // Another publisher of the folder leaves a draft in the making alone.
    publish(&dir.path().join("g"), b"g").expect("published");
    assert_eq!(names(dir.path()).len(), 3);
    drop(draft);
    assert_eq!(names(dir.path()), ["f", "g"]);
    let mut draft = Draft::create(&path).expect("begun");
    draft.write_all(b"whole").expect("written");
    draft.commit().expect("committed");
    assert_eq!(fs::read(&path).expect("read"), b"whole");
    assert_eq!(names(dir.path()), ["f", "g"]);
}

#[test]
fn what_a_killed_publisher_left_is_tidied() {
    let dir = TempDir::new().expect("a folder");
    let path = dir.path().join("f");
    publish(&path, b"old").expect("published");
    let left = dir.path().join(".f.4242.0.evenhand-tmp");
    fs::write(&left, b"half of the n").expect("written");
    assert_eq!(fs::read(&path).expect("read"), b"old");
    publish(&path, b"new").expect("published");
    assert_eq!(names(dir.path()), ["f"]);
    assert_eq!(fs::read(&path).expect("read"), b"new");
}

#[test]
fn left_temporary_files_are_no_part_of_a_store() {
    let (_dir, store) = store();
    let digest = store.objects().put(b"x").expect("put");
    let folder = store.objects().blobs().path(&digest);
    let left = folder.with_file_name(".abc.1.1.evenhand-tmp");
    fs::write(&left, b"half").expect("written");
    assert_eq!(store.objects().list().expect("list"), [digest]);
    assert!(verify(&store).expect("verifies").problems.is_empty());
    gc(&store, &BTreeSet::from([digest]), false).expect("collects");
    assert!(!left.exists());
    assert_eq!(store.objects().list().expect("list"), [digest]);
}

#[test]
fn an_unwritable_folder_is_one_clear_error() {
    let dir = TempDir::new().expect("a folder");
    let file = dir.path().join("file");
    publish(&file, b"x").expect("published");
    // A file where a folder is needed: refused for every user, root too.
    let below = file.join("sub").join("f.json");
    for error in [
        publish(&below, b"1").map(|_| ()).expect_err("refused"),
        publish_new(&below, b"1").map(|_| ()).expect_err("refused"),
        append(&below, "1").expect_err("refused"),
        Store::open(&below).map(|_| ()).expect_err("refused"),
        Lock::take(&below).map(|_| ()).expect_err("refused"),
        Journal::open(&below, "x").map(|_| ()).expect_err("refused"),
    ] {
        let text = error.to_string();
        assert!(text.contains("file/sub") && !text.contains('\n'), "{text}");
    }
    assert_eq!(fs::read(&file).expect("read"), b"x");
}

#[test]
#[cfg(target_os = "linux")]
fn a_read_only_folder_leaves_the_old_file() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().expect("a folder");
    let path = dir.path().join("f");
    publish(&path, b"old").expect("published");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).expect("set");
    let result = publish(&path, b"new");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).expect("set");
    match result {
        // The superuser may write anywhere; then the new file is whole.
        Ok(_) => assert_eq!(fs::read(&path).expect("read"), b"new"),
        Err(error) => {
            assert!(
                error.to_string().contains(&path.display().to_string()),
                "{error}"
            );
            assert_eq!(fs::read(&path).expect("read"), b"old");
        }
    }
    assert_eq!(names(dir.path()), ["f"]);
    // A file system that takes no new files from anybody.
    let error = publish(Path::new("/proc/self/evenhand"), b"x").expect_err("refused");
    assert!(error.to_string().contains("/proc/self/evenhand"), "{error}");
}

fn filled(path: &Path) -> Vec<String> {
    let lines: Vec<String> = (0..4).map(|i| format!("{i} 한 {{}}")).collect();
    let mut journal = Journal::open(path, "run").expect("opens");
    for line in &lines {
        journal.append(line).expect("appends");
    }
    assert_eq!(journal.lines(), lines);
    lines
}

#[test]
fn a_journal_cut_at_any_byte_resumes() {
    let dir = TempDir::new().expect("a folder");
    let path = dir.path().join("journal");
    let lines = filled(&path);
    let whole = fs::read(&path).expect("read");
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).expect("written");
        let mut journal = Journal::open(&path, "run").expect("opens");
        let kept = journal.lines().len();
        assert_eq!(journal.lines(), &lines[..kept]);
        assert_eq!(kept, whole[..cut].iter().filter(|b| **b == b'\n').count());
        let torn = cut > 0 && whole[cut - 1] != b'\n';
        assert_eq!(journal.dropped().is_some(), torn, "cut at {cut}");
        for line in &lines[kept..] {
            journal.append(line).expect("appends");
        }
        drop(journal);
        assert_eq!(fs::read(&path).expect("read"), whole, "cut at {cut}");
    }
}

#[test]
fn a_journal_damaged_elsewhere_is_refused_by_name() {
    let dir = TempDir::new().expect("a folder");
    let path = dir.path().join("journal");
    filled(&path);
    let whole = fs::read(&path).expect("read");
    let refused = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).expect("written");
        let error = Journal::open(&path, "run").expect_err(what);
        assert!(
            matches!(error, StoreError::Damaged { .. }),
            "{what}: {error}"
        );
        assert!(
            error.to_string().contains(&path.display().to_string()),
            "{error}"
        );
        assert!(error.to_string().contains("line "), "{error}");
        // Looking at it changed nothing.
        assert_eq!(fs::read(&path).expect("read"), bytes, "{what}");
    };
    for at in 0..whole.len() - 1 {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        refused(&bytes, &format!("byte {at} flipped"));
        let mut bytes = whole.clone();
        bytes.remove(at);
        refused(&bytes, &format!("byte {at} taken out"));
    }
    let lines: Vec<&[u8]> = whole.split_inclusive(|b| *b == b'\n').collect();
    for at in 0..lines.len() - 1 {
        let mut fewer = lines.clone();
        fewer.remove(at);
        refused(&fewer.concat(), &format!("line {at} taken out"));
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        refused(&swapped.concat(), &format!("line {at} swapped"));
    }
    fs::write(&path, &whole).expect("written");
    assert!(Journal::open(&path, "another run").is_err());
    let mut journal = Journal::open(&path, "run").expect("sound again");
    assert!(matches!(
        journal.append("a\nb"),
        Err(StoreError::Line { .. })
    ));
}

#[test]
fn the_second_of_two_runs_leaves_and_names_the_holder() {
    let (_dir, store) = store();
    let first = Run::open(&store, &key("tune")).expect("opens");
    let error = Run::open(&store, &key("tune")).expect_err("held");
    let StoreError::Held { holder, .. } = &error else {
        panic!("{error}");
    };
    assert!(
        holder.contains(&format!("process {}", std::process::id())),
        "{holder}"
    );
    assert!(holder.contains("store"), "names the command: {holder}");
    let _other = Run::open(&store, &key("validate")).expect("another run is free");
    drop(first);
    let again = Run::open(&store, &key("tune")).expect("free again");
    assert!(Lock::is_held(&again.folder().join("lock")));
}

#[test]
fn a_stale_lock_is_taken_at_once() {
    let (_dir, store) = store();
    let folder = Run::open(&store, &key("tune"))
        .expect("opens")
        .folder()
        .to_owned();
    // What a killed holder leaves: its name, and no lock.
    fs::write(
        folder.join("lock"),
        "process 1 (evenhand tune of long ago, a longer name)\n",
    )
    .expect("written");
    let _run = Run::open(&store, &key("tune")).expect("taken over");
    let error = Run::open(&store, &key("tune")).expect_err("held");
    assert!(
        error.to_string().contains(&std::process::id().to_string()),
        "{error}"
    );
    assert!(!error.to_string().contains("long ago"), "{error}");
}

#[test]
fn a_stopped_run_resumes_to_the_same_result() {
    let (_dir, store) = store();
    let mut run = Run::open(&store, &key("tune")).expect("opens");
    run.journal.append("one").expect("appends");
    drop(run);
    let mut run = Run::open(&store, &key("tune")).expect("resumes");
    assert_eq!(run.journal.lines(), ["one"]);
    run.journal.append("two").expect("appends");
    let digest = run.finish(&store, b"one two").expect("finishes");
    assert_eq!(
        store.result(&key("tune")).expect("reads"),
        Some((digest, b"one two".to_vec()))
    );
    assert!(verify(&store).expect("verifies").problems.is_empty());
    let items = list(&store).expect("lists");
    assert!(items.iter().any(|i| matches!(
        i,
        Item::Run { held: false, result: Some(d), .. } if *d == digest
    )));
}

fn table(previous: Option<Digest>) -> TableDoc {
    TableDoc {
        kind: "safety".to_owned(),
        game: "toy".to_owned(),
        players: 3,
        ruleset: "default".to_owned(),
        generator: 1,
        deal_stream: 1,
        seed: 7,
        situations: 10,
        samples: 10,
        input: InputPolicy {
            policy: "smart".to_owned(),
            generation: u32::from(previous.is_some()),
            weights: None,
            table: previous.map(|d| d.hex()),
            behaviour: digest_of("behaviour"),
        },
        estimator: digest_of("estimator"),
        parameters: vec![],
        cells: vec![KindCell {
            kind: "pair".to_owned(),
            exact: false,
            situations: 10,
            points: vec![Point::from((0, 0, 10, 0))],
        }],
    }
}

#[test]
fn collection_keeps_what_is_reached() {
    let (dir, store) = store();
    let old = seal(table(None)).expect("sound");
    let new = seal(table(Some(old.checksum()))).expect("sound");
    // The old table is named by its checksum alone, which is not the digest of its bytes.
    let old_digest = store
        .keep(&key("calibrate"), old.text().as_bytes())
        .expect("kept");
    let new_digest = store
        .keep(&key("recalibrate"), new.text().as_bytes())
        .expect("kept");
    let lost = store
        .keep(&key("lost"), b"nobody names this")
        .expect("kept");
    let mut live = Run::open(&store, &key("live")).expect("opens");
    let held = store.objects().put(b"block").expect("put");
    live.journal
        .append(&format!("{{\"block\":\"{held}\"}}"))
        .expect("appends");
    let done = Run::open(&store, &key("done")).expect("opens");
    let done_digest = done.finish(&store, b"done").expect("finishes");

    let tables = dir.path().join("tables").join("toy");
    // The root names the new table alone; the old one is reached through what is stored.
    publish(&tables.join("cited"), new_digest.hex().as_bytes()).expect("published");
    let roots = roots_in(&dir.path().join("tables")).expect("roots");
    let before = list(&store).expect("lists");
    let dry = gc(&store, &roots, true).expect("dry run");
    assert_eq!(list(&store).expect("lists"), before);
    let wet = gc(&store, &roots, false).expect("collects");
    assert_eq!(dry, wet);
    assert!(wet.freed > 0);
    let left = store.objects().list().expect("lists");
    for kept in [old_digest, new_digest, held] {
        assert!(left.contains(&kept));
    }
    for gone in [lost, done_digest] {
        assert!(!left.contains(&gone));
    }
    assert!(store.result(&key("lost")).expect("reads").is_none());
    assert!(store.result(&key("calibrate")).expect("reads").is_some());
    assert!(verify(&store).expect("verifies").problems.is_empty());
    assert!(
        roots_in(&dir.path().join("nowhere"))
            .expect("none")
            .is_empty()
    );
    // What was collected can be done again.
    store
        .keep(&key("lost"), b"nobody names this")
        .expect("kept");
}

#[test]
fn lineage_leads_back_through_checksums_and_actions() {
    let (_dir, store) = store();
    let old = seal(table(None)).expect("sound");
    let new = seal(table(Some(old.checksum()))).expect("sound");
    store
        .keep(&key("calibrate"), old.text().as_bytes())
        .expect("kept");
    store.objects().put(new.text().as_bytes()).expect("put");
    let tree = lineage(&store, &[], &new.checksum()).expect("walks");
    assert_eq!(tree[0].digest, new.checksum());
    let parent = tree
        .iter()
        .find(|a| a.role == "input.table")
        .expect("the old table");
    assert_eq!((parent.depth, parent.digest), (1, old.checksum()));
    let what = parent.what.as_ref().expect("at hand");
    assert!(
        what.contains("evenhand-table/1") && what.contains("made by calibrate"),
        "{what}"
    );
    assert!(
        tree.iter()
            .any(|a| a.role == "calibrate <- spec" && a.what.is_none())
    );
    let nobody = lineage(&store, &[], &Digest::of(b"?")).expect("walks");
    assert_eq!((nobody.len(), &nobody[0].what), (1, &None));
}

#[test]
fn verification_names_what_is_wrong() {
    let (_dir, store) = store();
    store.keep(&key("tune"), b"result").expect("kept");
    let mut run = Run::open(&store, &key("run")).expect("opens");
    for line in ["one", "two"] {
        run.journal.append(line).expect("appends");
    }
    let journal = run.journal.path().to_owned();
    drop(run);
    assert_eq!(
        verify(&store).expect("verifies").problems,
        Vec::<String>::new()
    );
    let text = fs::read_to_string(&journal)
        .expect("read")
        .replace("one", "uno");
    fs::write(&journal, text).expect("written");
    let action = store.actions().path(&key("tune").digest());
    let broken = fs::read_to_string(&action)
        .expect("read")
        .replace("tune", "tone");
    fs::write(&action, broken).expect("written");
    fs::write(
        store
            .objects()
            .blobs()
            .path(&Digest::of(b"result"))
            .with_file_name("x"),
        b"",
    )
    .expect("written");
    let problems = verify(&store).expect("verifies").problems.join("\n");
    for part in ["journal is damaged", "checksum: mismatch", "stranger"] {
        assert!(problems.contains(part), "{part}: {problems}");
    }
    assert!(store.result(&key("tune")).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn journals_and_objects_give_back_what_they_took(
        lines in prop::collection::vec("[^\r\n]{0,40}", 0..6),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let (dir, store) = store();
        let digest = store.objects().put(&bytes).expect("put");
        prop_assert_eq!(store.objects().get(&digest).expect("get"), Some(bytes));
        let path = dir.path().join("journal");
        let mut journal = Journal::open(&path, "run").expect("opens");
        for line in &lines {
            journal.append(line).expect("appends");
        }
        let again = Journal::open(&path, "run").expect("opens");
        prop_assert_eq!(again.lines(), &lines[..]);
    }
}
