//! Tables: the canonical bytes, and every way in which they are refused.

use evenhand_artifact::{
    Fault, InputPolicy, KindCell, ParameterValue, Point, TableDoc, Value, canonical, decode,
    digest_of, open, seal,
};

fn table() -> TableDoc {
    TableDoc {
        kind: "safety".to_owned(),
        game: "toy".to_owned(),
        players: 3,
        ruleset: "default".to_owned(),
        generator: 1,
        deal_stream: 1,
        seed: 20_260_806,
        situations: 30,
        samples: 10,
        input: InputPolicy {
            policy: "smart".to_owned(),
            generation: 0,
            weights: None,
            table: None,
            behaviour: digest_of("behaviour"),
        },
        estimator: digest_of("estimator"),
        parameters: vec![],
        cells: vec![
            KindCell {
                kind: "single".to_owned(),
                exact: true,
                situations: 10,
                points: vec![],
            },
            KindCell {
                kind: "pair".to_owned(),
                exact: false,
                situations: 20,
                points: [(0, 0, 10, 0), (500_000, 430_000, 10, 43)]
                    .map(Point::from)
                    .to_vec(),
            },
        ],
    }
}

fn text() -> String {
    seal(table()).expect("a sound table").text().to_owned()
}

fn fault(bytes: &[u8]) -> Fault {
    let error = decode::<TableDoc>("a/safety.json", bytes).expect_err("must be refused");
    assert_eq!(error.file, "a/safety.json");
    assert!(error.to_string().starts_with("a/safety.json: "), "{error}");
    error.fault
}

/// A text whose values were changed, with a checksum that fits it again.
fn resealed(change: impl Fn(&mut Value)) -> String {
    let mut value = canonical::parse("t", text().as_bytes()).expect("sound");
    change(&mut value);
    let Value::Object(fields) = &mut value else {
        panic!("an object");
    };
    fields.remove("checksum");
    let sum = digest_of(canonical::to_text(&value));
    let Value::Object(fields) = &mut value else {
        panic!("an object");
    };
    fields.insert("checksum".to_owned(), sum.into());
    canonical::to_text(&value)
}

fn set(value: &mut Value, name: &str, to: Value) {
    let Value::Object(fields) = value else {
        panic!("an object");
    };
    fields.insert(name.to_owned(), to);
}

#[test]
fn canonical_text_is_pinned() {
    let expected = include_str!("table.golden.json");
    assert_eq!(text(), expected);
    let read = open::<TableDoc>("t", expected.as_bytes()).expect("sound");
    assert_eq!(*read.doc(), table());
    assert_eq!(read.text(), expected);
}

#[test]
fn checksum_is_over_the_bytes_without_its_line() {
    let text = text();
    let without: String = text
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("  \"checksum\": "))
        .collect();
    assert!(text.contains(&digest_of(without)));
}

#[test]
fn every_flipped_byte_is_refused() {
    let sound = text().into_bytes();
    for at in 0..sound.len() {
        for mask in [1, 2, 0x20, 0x80, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] ^= mask;
            fault(&bytes);
        }
    }
}

#[test]
fn every_cut_is_refused() {
    let sound = text().into_bytes();
    for len in 0..sound.len() {
        match fault(&sound[..len]) {
            Fault::Empty => assert_eq!(len, 0),
            Fault::NoFinalNewline => assert_eq!(len, sound.len() - 1),
            Fault::Truncated { .. } => {}
            other => panic!("cut at {len}: {other:?}"),
        }
    }
}

#[test]
fn each_fault_has_its_own_message() {
    let sound = text();
    let with = |from: &str, to: &str| {
        assert!(sound.contains(from), "{from}");
        sound.replacen(from, to, 1)
    };
    let seed = "\"seed\": 20260806";
    for float in ["1.0", "1e3", "-0.0", "1E3", "0.5", "-0", "1e999", "NaN"] {
        let fault = fault(with(seed, &format!("\"seed\": {float}")).as_bytes());
        assert!(
            matches!(&fault, Fault::Float { field, text, .. } if field == "seed" && text == float),
            "{float}: {fault:?}"
        );
    }
    for big in [
        "9223372036854775808",
        "-9223372036854775809",
        "123456789012345678901234567890",
    ] {
        let fault = fault(with(seed, &format!("\"seed\": {big}")).as_bytes());
        assert!(
            matches!(&fault, Fault::IntegerRange { field, .. } if field == "seed"),
            "{fault:?}"
        );
    }
    let null = fault(with(seed, "\"seed\": null").as_bytes());
    assert!(
        matches!(&null, Fault::Null { field, .. } if field == "seed"),
        "{null:?}"
    );
    let deep_null = fault(with("\"generation\": 0", "\"generation\": null").as_bytes());
    assert!(matches!(&deep_null, Fault::Null { field, .. } if field == "input.generation"));
    let twice = fault(
        with(
            "\"generation\": 0",
            "\"generation\": 0,\n    \"generation\": 0",
        )
        .as_bytes(),
    );
    assert!(matches!(&twice, Fault::DuplicateKey { field, .. } if field == "input.generation"));
    // The same key written with an escape is the same key.
    let hidden = with(
        "\"generation\": 0",
        "\"generation\": 0,\n    \"g\\u0065neration\": 0",
    );
    assert!(matches!(
        fault(hidden.as_bytes()),
        Fault::DuplicateKey { .. }
    ));
    let crlf = fault(sound.replace('\n', "\r\n").as_bytes());
    assert!(matches!(crlf, Fault::LineEndings { line: 1 }));
    assert!(crlf.to_string().contains("line endings"), "{crlf}");
    assert!(matches!(
        fault(format!("\u{feff}{sound}").as_bytes()),
        Fault::Bom
    ));
    assert!(matches!(
        fault(sound.trim_end().as_bytes()),
        Fault::NoFinalNewline
    ));
    assert!(matches!(
        fault(format!("{sound}\n").as_bytes()),
        Fault::NotCanonical { .. }
    ));
    assert!(matches!(
        fault(format!("{sound}{{}}\n").as_bytes()),
        Fault::Syntax { .. }
    ));
    assert!(matches!(
        fault(with(seed, "\"seed\":  20260806").as_bytes()),
        Fault::NotCanonical { .. }
    ));
    assert!(matches!(
        fault(with(seed, "\"seed\": 020260806").as_bytes()),
        Fault::Syntax { .. }
    ));
    let changed = fault(with(seed, "\"seed\": 20260807").as_bytes());
    assert!(matches!(changed, Fault::Checksum { .. }), "{changed:?}");
    let deep = format!("{}{}\n", "[".repeat(10_000), "]".repeat(10_000));
    assert!(matches!(fault(deep.as_bytes()), Fault::TooDeep { .. }));
    assert!(matches!(
        fault(b"{\n  \"a\": \"\xff\"\n}\n"),
        Fault::NotUtf8 { line: 2 }
    ));
}

#[test]
fn key_order_is_part_of_the_form() {
    let sound = text();
    let swapped = sound.replacen("  \"kind\": \"safety\",\n", "", 1).replacen(
        "  \"game\": ",
        "  \"kind\": \"safety\",\n  \"game\": ",
        1,
    );
    assert_ne!(swapped, sound);
    assert!(matches!(
        fault(swapped.as_bytes()),
        Fault::NotCanonical { .. }
    ));
}

#[test]
fn sound_checksums_do_not_excuse_fields() {
    let unknown = fault(resealed(|v| set(v, "extra", 1.into())).as_bytes());
    assert!(
        matches!(&unknown, Fault::UnknownField { field, .. } if field == "extra"),
        "{unknown:?}"
    );
    let deep = fault(
        resealed(|v| {
            let mut input = v.get("input").cloned().expect("there");
            set(&mut input, "weight", "x".into());
            set(v, "input", input);
        })
        .as_bytes(),
    );
    assert!(
        matches!(&deep, Fault::UnknownField { field, .. } if field == "input.weight"),
        "{deep:?}"
    );
    let missing = fault(
        resealed(|v| {
            let Value::Object(fields) = v else { return };
            fields.remove("seed");
        })
        .as_bytes(),
    );
    assert!(
        matches!(&missing, Fault::MissingField { field } if field == "seed"),
        "{missing:?}"
    );
    let negative = fault(resealed(|v| set(v, "seed", (-1).into())).as_bytes());
    assert!(
        matches!(&negative, Fault::BadValue { field, .. } if field == "seed"),
        "{negative:?}"
    );
    let falling = resealed(|v| {
        let cells = v
            .get("cells")
            .and_then(Value::as_list)
            .expect("there")
            .to_vec();
        let mut cell = cells[1].clone();
        let points = vec![vec![0, 9, 10, 0], vec![5, 3, 10, 43]];
        set(&mut cell, "points", points.into());
        set(v, "cells", Value::List(vec![cells[0].clone(), cell]));
    });
    let falling = fault(falling.as_bytes());
    assert!(
        matches!(&falling, Fault::Rule { field, .. } if field == "cells[1].points[1]"),
        "{falling:?}"
    );
    let long = resealed(|v| {
        let cells = v
            .get("cells")
            .and_then(Value::as_list)
            .expect("there")
            .to_vec();
        let mut cell = cells[1].clone();
        set(&mut cell, "points", vec![vec![0, 9, 10, 0, 1]].into());
        set(v, "cells", Value::List(vec![cells[0].clone(), cell]));
    });
    let long = fault(long.as_bytes());
    assert!(
        matches!(&long, Fault::BadValue { field, .. } if field == "cells[1].points[0]"),
        "{long:?}"
    );
}

#[test]
fn formats_are_told_apart() {
    let with = |name: &str| fault(resealed(|v| set(v, "format", name.into())).as_bytes());
    assert!(matches!(
        with("evenhand-table/3"),
        Fault::UnknownVersion { .. }
    ));
    // Version 2 only says that there are parameters, and here are none.
    assert!(matches!(
        with("evenhand-table/2"),
        Fault::Rule { field, .. } if field == "format"
    ));
    assert!(matches!(
        with("evenhand-table/01"),
        Fault::UnknownVersion { .. }
    ));
    assert!(matches!(
        with("evenhand-table/0"),
        Fault::UnknownVersion { .. }
    ));
    assert!(matches!(
        with("evenhand-weights/1"),
        Fault::OtherFormat { .. }
    ));
    assert!(matches!(with(""), Fault::OtherFormat { .. }));
    let none = resealed(|v| {
        let Value::Object(fields) = v else { return };
        fields.remove("format");
    });
    assert!(matches!(fault(none.as_bytes()), Fault::NoFormat { .. }));
    let unsealed = text()
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("  \"checksum\": "))
        .collect::<String>();
    assert!(matches!(fault(unsealed.as_bytes()), Fault::NoChecksum));
}

#[test]
fn domain_is_checked() {
    let table = table();
    let estimator = digest_of("estimator");
    assert!(table.check_domain("toy", 3, "default", &estimator).is_ok());
    for (game, players, ruleset, estimator, word) in [
        ("lexio", 3, "default", estimator.as_str(), "game"),
        ("toy", 4, "default", estimator.as_str(), "players"),
        ("toy", 3, "a=b", estimator.as_str(), "ruleset"),
        ("toy", 3, "default", "other", "estimator"),
    ] {
        let error = table
            .check_domain(game, players, ruleset, estimator)
            .expect_err(word);
        assert!(error.to_string().contains(word), "{error}");
    }
    assert!(table.check_kinds(&["single", "pair"]).is_ok());
    assert!(table.check_kinds(&["pair", "single"]).is_err());
}

/// The table with parameters of its estimator.
fn with_parameters(values: &[(&str, i64)]) -> TableDoc {
    let value = |&(name, value): &(&str, i64)| ParameterValue {
        name: name.to_owned(),
        value,
    };
    TableDoc {
        parameters: values.iter().map(value).collect(),
        ..table()
    }
}

#[test]
fn parameters_are_kept_and_raise_the_version() {
    let doc = with_parameters(&[("slope", -250), ("bend", 3)]);
    let sealed = seal(doc.clone()).expect("a sound table");
    assert!(sealed.text().contains("\"format\": \"evenhand-table/2\""));
    let read = open::<TableDoc>("t", sealed.text().as_bytes()).expect("sound");
    assert_eq!((read.doc(), read.checksum()), (&doc, sealed.checksum()));
    // Without any the bytes are those of version 1, whatever this build knows.
    let none = seal(with_parameters(&[])).expect("a sound table");
    assert_eq!(none.text(), include_str!("table.golden.json"));
    let older = resealed(|v| {
        let one: Value = [("name", Value::from("slope")), ("value", 1.into())]
            .into_iter()
            .collect();
        set(v, "parameters", Value::List(vec![one]));
    });
    assert!(matches!(
        fault(older.as_bytes()),
        Fault::Rule { field, .. } if field == "format"
    ));
    let twice = seal(with_parameters(&[("slope", 1), ("slope", 2)]));
    assert!(
        twice
            .expect_err("a rule")
            .to_string()
            .contains("parameters[1].name")
    );
}

#[test]
fn parameters_are_part_of_the_domain() {
    let table = with_parameters(&[("slope", 5), ("bend", 3)]);
    assert!(
        table
            .check_parameters(&[("slope", 0, 5), ("bend", 3, 9)])
            .is_ok()
    );
    for rows in [
        &[("slope", 0, 5)][..],
        &[("bend", 0, 9), ("slope", 0, 9)],
        &[("slope", 0, 4), ("bend", 3, 9)],
        &[("slope", 6, 9), ("bend", 3, 9)],
        &[],
    ] {
        let error = table.check_parameters(rows).expect_err("foreign");
        assert!(error.to_string().contains("slope 5, bend 3"), "{error}");
    }
}
