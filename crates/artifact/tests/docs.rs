//! Laws of the other documents: round trips, digests, ledger lines, specs.
use evenhand_artifact::{
    Digest, Entry, Event, LedgerLine, Outcome, Value, alpha_ppb, candidate_digest, canonical,
    digest_of,
};
use proptest::prelude::*;

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<String>().prop_map(Value::Text),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(Value::Object),
        ]
    })
}

proptest! {
    #[test]
    fn text_and_line_round_trip(value in any_value()) {
        let text = canonical::to_text(&value);
        prop_assert_eq!(canonical::parse("t", text.as_bytes()), Ok(value.clone()));
        let line = canonical::to_line(&value);
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(canonical::parse_line("t", line.as_bytes()), Ok(value.clone()));
        prop_assert_eq!(canonical::parse_any("t", text.as_bytes()), Ok(value));
    }

    /// An independent reader agrees with ours on what the text means.
    #[test]
    fn another_reader_reads_the_same(value in any_value()) {
        let text = canonical::to_text(&value);
        let read: Value = serde_json::from_str(&text).expect("valid JSON");
        prop_assert_eq!(&read, &value);
        // ... and what another writer wrote in its own layout is read alike.
        let other = serde_json::to_string(&value).expect("valid JSON");
        prop_assert_eq!(canonical::parse_any("t", other.as_bytes()), Ok(value));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = canonical::parse("t", &bytes);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[\\[\\]{}\",:\\\\u0-9a-fnulltrue.+\\-é \n]{0,60}") {
        let ours = canonical::parse_any("t", text.as_bytes());
        // What we accept is JSON.
        if let Ok(value) = ours {
            let read: Value = serde_json::from_str(&text).expect("accepted, so valid JSON");
            prop_assert_eq!(read, value);
        }
    }
}

fn entry(event: Event) -> Entry {
    Entry {
        game: "toy".to_owned(),
        players: 3,
        ruleset: "default".to_owned(),
        policy: "smart".to_owned(),
        experiment: "toy-3p".to_owned(),
        candidate: digest_of("candidate"),
        salt: String::new(),
        event,
    }
}

#[test]
fn ledger_lines_round_trip_and_link() {
    let intent = entry(Event::Intent {
        spec: digest_of("spec"),
    });
    let outcome = entry(Event::Outcome {
        result: Outcome::Passed,
        intent: intent.content_digest().expect("plain").hex(),
        validation: Some(digest_of("v")),
    });
    let first = LedgerLine::linked(intent, 1, None).expect("plain");
    let second = LedgerLine::linked(outcome, 1, Some(first.chain)).expect("plain");
    for line in [&first, &second] {
        let text = line.text().expect("plain");
        assert_eq!(LedgerLine::parse("l", text.as_bytes()).as_ref(), Ok(line));
    }
    assert!(first.fits(None) && second.fits(Some(first.chain)));
    assert!(!second.fits(None) && !first.fits(Some(second.chain)));
    // The content digest forgets attempt and level, the link does not.
    let later = LedgerLine::linked(first.entry.clone(), 2, None).expect("plain");
    assert_eq!(later.entry.content_digest(), first.entry.content_digest());
    assert_ne!(later.chain, first.chain);
}

#[test]
fn every_flipped_byte_of_a_ledger_line_is_noticed() {
    let line = LedgerLine::linked(
        entry(Event::Intent {
            spec: digest_of("spec"),
        }),
        1,
        None,
    )
    .expect("plain");
    let text = line.text().expect("plain").into_bytes();
    for at in 0..text.len() {
        let mut bytes = text.clone();
        bytes[at] ^= 1;
        let noticed = LedgerLine::parse("l", &bytes).map_or(true, |read| !read.fits(None));
        assert!(noticed, "byte {at}");
    }
}

#[test]
fn levels_of_all_attempts_stay_under_five_percent() {
    assert_eq!(alpha_ppb(1), 25_000_000);
    assert_eq!(alpha_ppb(2), 8_333_333);
    assert_eq!(alpha_ppb(3), 4_166_666);
    let sum: i64 = (1..100_000).map(alpha_ppb).sum();
    assert!(sum <= 50_000_000);
    assert_eq!(alpha_ppb(u32::MAX), 0);
}

#[test]
fn candidate_digest_covers_its_parts_and_no_order_of_tables() {
    let base = |game, players, rules, policy, a, tables: [&'static str; 2]| {
        candidate_digest(game, players, rules, policy, [("x", a), ("y", 2)], tables)
    };
    let first = base("toy", 3, "default", "smart", 1, ["s", "t"]);
    assert_eq!(first, base("toy", 3, "default", "smart", 1, ["t", "s"]));
    let others = [
        base("toz", 3, "default", "smart", 1, ["s", "t"]),
        base("toy", 4, "default", "smart", 1, ["s", "t"]),
        base("toy", 3, "a=b", "smart", 1, ["s", "t"]),
        base("toy", 3, "default", "smarter", 1, ["s", "t"]),
        base("toy", 3, "default", "smart", -1, ["s", "t"]),
        base("toy", 3, "default", "smart", 1, ["s", "u"]),
    ];
    assert!(others.iter().all(|other| *other != first));
    // Pinned: frozen artifacts cite it.
    let pinned = r#"{"candidate":1,"game":"toy","knobs":[["x",1],["y",2]],"players":3,"policy":"smart","ruleset":"default","tables":["s","t"]}"#;
    assert_eq!(first, Digest::of(pinned.as_bytes()));
}
