//! Loading of policies with their artifacts, on the toy game: what fits is played by, what does not
//! is refused with file and reason.

use evenhand_artifact::{
    ArtifactError, Claim, DomainError, InputPolicy, KindCell, KnobValue, Parents, Point, TableDoc,
    TuningSummary, WeightsDoc, encode, seal,
};
use evenhand_cli::load::{
    Admit, LoadError, TABLE_FILE, TableFrom, WEIGHTS_FILE, WeightsFrom, defaults, folder,
    generate_command, generation, incumbent, policy, row, simple_styles, table_file, weights_file,
};
use evenhand_contract::{Estimates, Game, Ppm, Setup, find_policy};
use evenhand_store::publish;
use evenhand_testkit::{Lead, PAIR, Toy, setup};
use std::path::{Path, PathBuf};

fn table(setup: &Setup<Toy>) -> TableDoc {
    let cells = Toy::KINDS.iter().enumerate().map(|(kind, name)| {
        let points = vec![
            Point::from((100_000, 50_000, 1, 1)),
            Point::from((900_000, 950_000, 2, 19)),
        ];
        KindCell {
            kind: (*name).to_owned(),
            exact: Toy::is_exact(kind),
            situations: 3,
            points: if Toy::is_exact(kind) {
                Vec::new()
            } else {
                points
            },
        }
    });
    TableDoc {
        kind: "safety".to_owned(),
        game: Toy::NAME.to_owned(),
        players: setup.players,
        ruleset: setup.rules.to_string(),
        generator: 1,
        deal_stream: 1,
        seed: 1,
        situations: 3,
        samples: 10,
        input: InputPolicy {
            policy: "smart".to_owned(),
            generation: 0,
            weights: None,
            table: None,
            behaviour: "0".repeat(64),
        },
        estimator: Toy::estimator_fingerprint(setup),
        parameters: Vec::new(),
        cells: cells.collect(),
    }
}

fn weights(table: &TableDoc) -> WeightsDoc {
    let row = find_policy::<Toy>("smart").expect("a toy policy");
    let knobs = row.knobs.iter().map(|knob| KnobValue {
        name: knob.name.to_owned(),
        value: knob.high,
    });
    let checksum = seal(table.clone()).expect("a sound table").checksum();
    let mut doc = WeightsDoc {
        game: Toy::NAME.to_owned(),
        players: table.players,
        ruleset: table.ruleset.clone(),
        policy: "smart".to_owned(),
        knobs: knobs.collect(),
        generation: 4,
        behaviour: "0".repeat(64),
        candidate: String::new(),
        parents: Parents {
            tables: vec![checksum.hex()],
            incumbent: None,
        },
        experiment: "toy".to_owned(),
        claim: Claim::First,
        tuning: TuningSummary {
            first_seed: 1,
            seeds: 1,
            rounds: 1,
            sweeps: 1,
            evaluations: 1,
            accepted: 0,
            accept_t_milli: 0,
            out_of_budget: false,
            start_micro: 0,
            end_micro: 0,
            tuning_gain_micro: 0,
            opponents: Vec::new(),
        },
        validation: Vec::new(),
        validation_record: "0".repeat(64),
        ledger: "0".repeat(64),
    };
    doc.candidate = doc.candidate_digest().hex();
    doc
}

struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a scratch folder");
        Self { root }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        let file = self.file(name);
        publish(&file, text.as_bytes()).expect("written");
        file
    }

    fn table(&self, doc: &TableDoc) -> PathBuf {
        self.put("a table.json", &encode(doc).expect("sound"))
    }

    fn weights(&self, doc: &WeightsDoc) -> PathBuf {
        self.put("some weights.json", &encode(doc).expect("sound"))
    }
}

fn said(error: &LoadError, file: &Path) -> String {
    let text = error.to_string();
    assert!(text.contains(&file.display().to_string()), "{text}");
    text
}

#[test]
fn files_are_played_by() {
    let place = Place::new();
    let doc = table(&setup(3));
    let (table, weights) = (place.table(&doc), place.weights(&weights(&doc)));
    let loaded = policy(
        &setup(3),
        "smart",
        &WeightsFrom::File(weights),
        &TableFrom::File(table),
    )
    .expect("they fit");
    let knobs = loaded.policy.row.knobs;
    let high: Vec<i64> = knobs.iter().map(|k| k.high).collect();
    assert_eq!(loaded.policy.weights.values(), high);
    assert_eq!(
        loaded.policy.maps.apply(PAIR, 900_000),
        Ppm::clamped(950_000)
    );
    assert_eq!(loaded.generation(), 4);
    assert!(loaded.table.is_some() && loaded.weights.is_some());

    let plain = policy(&setup(3), "smart", &WeightsFrom::Defaults, &TableFrom::Raw);
    let plain = plain.expect("needs no files");
    let default: Vec<i64> = knobs.iter().map(|k| k.default).collect();
    assert_eq!(plain.policy.weights.values(), default);
    assert_eq!(
        plain.policy.maps.apply(PAIR, 900_000),
        Ppm::clamped(900_000)
    );
    assert_eq!(plain.generation(), 0);
    let zero = defaults::<Toy>("smart").expect("a policy").policy;
    assert_eq!(zero.weights, plain.policy.weights);
    // Simple styles have nothing that could be missing.
    let easy = policy(&setup(4), "easy", &WeightsFrom::Frozen, &TableFrom::Frozen);
    assert!(easy.is_ok_and(|l| l.table.is_none() && l.weights.is_none()));
}

#[test]
fn words_name_sources() {
    assert_eq!("defaults".parse(), Ok(WeightsFrom::Defaults));
    assert_eq!("raw".parse(), Ok(TableFrom::Raw));
    assert_eq!("a/raw".parse(), Ok(TableFrom::File("a/raw".into())));
    assert_eq!("Defaults".parse(), Ok(WeightsFrom::File("Defaults".into())));
}

#[test]
fn a_missing_file_names_the_command_that_makes_it() {
    let place = Place::new();
    let file = place.file("none.json");
    let mut other = setup(3);
    other.rules.lead = Lead::Winner;
    let command = "calibrate generate --game toy --players 3 --ruleset lead=winner";
    assert_eq!(generate_command(&other), command);
    let error = table_file(&other, &file, Admit::Current).expect_err("missing");
    assert!(matches!(error, LoadError::Missing { .. }));
    assert!(said(&error, &file).contains(&format!("`{command}`")));
    let row = row::<Toy>("smart").expect("a policy");
    let error = weights_file(&other, row, &file).expect_err("missing");
    let text = said(&error, &file);
    assert!(
        text.contains("retune") && text.contains("\"lead=winner\""),
        "{text}"
    );
    // A folder is there, but cannot be read as a file.
    let error = weights_file(&other, row, place.root.path()).expect_err("a folder");
    assert!(matches!(error, LoadError::Unreadable { .. }), "{error}");
}

#[test]
fn a_name_that_is_none_is_answered_with_the_nearest() {
    let error = row::<Toy>("smrat").expect_err("none").to_string();
    assert!(error.contains("did you mean \"smart\""), "{error}");
    let error = defaults::<Toy>("").expect_err("none").to_string();
    assert!(error.contains("easy, eager, smart"), "{error}");
    // Instruments are policies of the tools.
    assert!(row::<Toy>("broken").is_ok());
    let names: Vec<_> =
        simple_styles::<Toy>(&defaults::<Toy>("smart").expect("a policy").policy.maps)
            .map(|policy| policy.row.name)
            .collect();
    assert_eq!(names, ["easy", "eager"]);
}

#[test]
fn a_policy_without_knobs_takes_no_file() {
    let place = Place::new();
    let doc = table(&setup(3));
    let (table, weights) = (place.table(&doc), place.weights(&weights(&doc)));
    for (weights, table, file) in [
        (WeightsFrom::File(weights.clone()), TableFrom::Raw, &weights),
        (
            WeightsFrom::Defaults,
            TableFrom::File(table.clone()),
            &table,
        ),
    ] {
        let error = policy(&setup(3), "easy", &weights, &table).expect_err("takes none");
        assert!(matches!(error, LoadError::Takes { .. }));
        said(&error, file);
    }
}

#[test]
fn a_table_of_something_else_is_refused() {
    let place = Place::new();
    let good = table(&setup(3));
    let refused = |edit: &dyn Fn(&mut TableDoc), admit| {
        let mut doc = good.clone();
        edit(&mut doc);
        let file = place.table(&doc);
        match table_file(&setup(3), &file, admit).expect_err("foreign") {
            LoadError::Domain { error, hint, .. } => (error, hint),
            other => panic!("{other}"),
        }
    };
    for admit in [Admit::Current, Admit::Older] {
        let (error, _) = refused(&|t| t.players = 4, admit);
        assert!(matches!(error, DomainError::Players { .. }), "{error}");
        let (error, _) = refused(&|t| t.game = "lexio".to_owned(), admit);
        assert!(matches!(error, DomainError::Game { .. }), "{error}");
        let (error, hint) = refused(&|t| t.ruleset = "lead=winner".to_owned(), admit);
        assert!(matches!(error, DomainError::Ruleset { .. }), "{error}");
        assert_eq!(hint, "", "making it again would not help");
        let (error, _) = refused(&|t| t.cells.reverse(), admit);
        assert!(matches!(error, DomainError::Kinds { .. }), "{error}");
    }
    let older = |t: &mut TableDoc| t.estimator = "1".repeat(64);
    let (error, hint) = refused(&older, Admit::Current);
    assert!(matches!(error, DomainError::Estimator { .. }), "{error}");
    assert!(
        hint.contains("calibrate generate --game toy --players 3"),
        "{hint}"
    );
    let mut doc = good.clone();
    older(&mut doc);
    let file = place.table(&doc);
    assert!(table_file(&setup(3), &file, Admit::Older).is_ok());
    let flipped = encode(&good)
        .expect("sound")
        .replacen("\"samples\": 10", "\"samples\": 11", 1);
    let file = place.put("flipped.json", &flipped);
    let error = table_file(&setup(3), &file, Admit::Older).expect_err("damaged");
    assert!(
        matches!(error, LoadError::Artifact(ArtifactError { .. })),
        "{error}"
    );
    said(&error, &file);
}

#[test]
fn weights_of_something_else_are_refused() {
    let place = Place::new();
    let good = weights(&table(&setup(3)));
    let row = row::<Toy>("smart").expect("a policy");
    let refused = |edit: &dyn Fn(&mut WeightsDoc)| {
        let mut doc = good.clone();
        edit(&mut doc);
        doc.candidate = doc.candidate_digest().hex();
        let file = place.weights(&doc);
        let error = weights_file(&setup(3), row, &file).expect_err("foreign");
        said(&error, &file);
        error
    };
    for (error, what) in [
        (refused(&|w| w.players = 2), "players"),
        (refused(&|w| w.game = "lexio".to_owned()), "game"),
        (refused(&|w| w.ruleset = "pay=flat".to_owned()), "ruleset"),
        (refused(&|w| w.policy = "scatter".to_owned()), "policy"),
    ] {
        assert!(matches!(error, LoadError::Domain { .. }), "{what}: {error}");
    }
    let beyond = row.knobs[0].high + 1;
    let error = refused(&|w| w.knobs[0].value = beyond);
    assert!(matches!(error, LoadError::Weights { .. }), "{error}");
    assert!(error.to_string().contains(row.knobs[0].name), "{error}");
    let error = refused(&|w| {
        w.knobs.pop();
    });
    assert!(matches!(error, LoadError::Weights { .. }), "{error}");
}

/// A folder without files is generation 0; one with weights is an incumbent, also with the table of
/// an older estimator.
#[test]
fn a_folder_is_a_generation() {
    let place = Place::new();
    let root = place.root.path().join("tables");
    let mut table_at = setup(3);
    table_at.rules.lead = Lead::Winner;
    let own = folder(&root, &table_at);
    assert_eq!(own, root.join("toy").join("3p-lead=winner"));
    let none = generation(&table_at, "smart", &own, Admit::Current).expect("generation 0");
    assert_eq!((none.generation(), none.table.is_none()), (0, true));
    assert!(
        incumbent(&table_at, "smart", &root)
            .expect("none")
            .is_none()
    );
    let mut doc = table(&table_at);
    doc.estimator = "1".repeat(64);
    publish(
        &own.join(TABLE_FILE),
        encode(&doc).expect("sound").as_bytes(),
    )
    .expect("written");
    assert!(
        incumbent(&table_at, "smart", &root)
            .expect("no weights")
            .is_none()
    );
    let weights = encode(&weights(&doc)).expect("sound");
    publish(&own.join(WEIGHTS_FILE), weights.as_bytes()).expect("written");
    let frozen = incumbent(&table_at, "smart", &root)
        .expect("sound")
        .expect("there");
    assert_eq!((frozen.generation(), frozen.table.is_some()), (4, true));
    assert!(
        generation(&table_at, "smart", &own, Admit::Current).is_err(),
        "an older estimator"
    );
    // The default ruleset has a folder of its own, without any.
    assert!(
        incumbent(&setup(3), "smart", &root)
            .expect("none")
            .is_none()
    );
}
