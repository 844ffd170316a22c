use super::*;
use evenhand_artifact::{
    Claim, InputPolicy, KnobValue, Parents, Point, TuningSummary, encode, seal,
};
use evenhand_contract::{Estimates, Game};
use evenhand_testkit::{Toy, setup};

fn table() -> TableDoc {
    TableDoc {
        kind: "safety".to_owned(),
        game: Toy::NAME.to_owned(),
        players: 3,
        ruleset: "default".to_owned(),
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
        estimator: Toy::estimator_fingerprint(&setup(3)),
        parameters: vec![],
        cells: Toy::KINDS
            .iter()
            .enumerate()
            .map(|(kind, name)| KindCell {
                kind: (*name).to_owned(),
                exact: Toy::is_exact(kind),
                situations: 3,
                points: match Toy::is_exact(kind) {
                    true => Vec::new(),
                    false => vec![
                        Point::from((100_000, 50_000, 1, 1)),
                        Point::from((900_000, 950_000, 2, 19)),
                    ],
                },
            })
            .collect(),
    }
}

fn weights(table: &TableDoc) -> WeightsDoc {
    let row = find_policy::<Toy>("smart").expect("a toy policy");
    let checksum = seal(table.clone()).expect("a sound table").checksum();
    let mut doc = WeightsDoc {
        game: Toy::NAME.to_owned(),
        players: 3,
        ruleset: "default".to_owned(),
        policy: "smart".to_owned(),
        knobs: row
            .knobs
            .iter()
            .map(|knob| KnobValue {
                name: knob.name.to_owned(),
                value: knob.high,
            })
            .collect(),
        generation: 1,
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

/// Shelves live as long as the program; a test's may leak.
fn shelf(table: String, weights: String) -> &'static Shelf {
    shelf_of(vec![frozen("3p", (table, weights))])
}

fn shelf_of(frozen: Vec<Frozen>) -> &'static Shelf {
    Box::leak(Box::new(Shelf::new(frozen.leak())))
}

fn frozen(label: &'static str, texts: (String, String)) -> Frozen {
    Frozen {
        label,
        table_file: "safety.json",
        table: texts.0.leak(),
        weights_file: "weights.json",
        weights: texts.1.leak(),
    }
}

fn texts(table: &TableDoc, weights: &WeightsDoc) -> (String, String) {
    let table = encode(table).expect("a sound table");
    (table, encode(weights).expect("sound weights"))
}

fn loaded(texts: (String, String)) -> Result<Policy<Toy>, LoadError> {
    load_from(shelf(texts.0, texts.1), &setup(3), "smart")
}

fn refusal(texts: (String, String)) -> String {
    loaded(texts).expect_err("refused").to_string()
}

#[test]
fn what_fits_is_what_is_played_by() {
    let table = table();
    let policy = loaded(texts(&table, &weights(&table))).expect("it fits");
    let high: Vec<i64> = policy.row.knobs.iter().map(|k| k.high).collect();
    assert_eq!(policy.weights.values(), high);
    let kind = (0..2)
        .find(|&k| !Toy::is_exact(k))
        .expect("an inexact kind");
    assert_eq!(policy.maps.apply(kind, 500_000), Ppm::clamped(500_000));
    assert_eq!(policy.maps.apply(kind, 0), Ppm::clamped(50_000));
    assert_eq!(policy.maps.apply(1 - kind, 123), Ppm::clamped(123));
    // Simple styles need nothing.
    let nothing = Shelf::new(&[]);
    assert!(load_from::<Toy>(&nothing, &setup(4), "easy").is_ok());
}

#[test]
fn what_was_made_for_something_else_is_refused_by_a_typed_error() {
    let good = table();
    let change = |edit: &dyn Fn(&mut TableDoc)| {
        let mut table = good.clone();
        edit(&mut table);
        loaded(texts(&table, &weights(&table))).expect_err("refused")
    };
    let domain = |error| match error {
        LoadError::Domain { file, error } => (file, error),
        other => panic!("{other}"),
    };
    let (file, error) = domain(change(&|t| t.players = 4));
    assert!(matches!(
        error,
        DomainError::Players {
            found: 4,
            wanted: 3,
            ..
        }
    ));
    assert_eq!(file, "safety.json");
    let (_, error) = domain(change(&|t| t.ruleset = "lead=winner".to_owned()));
    assert!(matches!(error, DomainError::Ruleset { .. }), "{error}");
    let (_, error) = domain(change(&|t| t.estimator = "1".repeat(64)));
    assert!(matches!(error, DomainError::Estimator { .. }), "{error}");
    let (_, error) = domain(change(&|t| t.game = "lexio".to_owned()));
    assert!(matches!(error, DomainError::Game { .. }), "{error}");
    let (_, error) = domain(change(&|t| t.cells.reverse()));
    assert!(matches!(error, DomainError::Kinds { .. }), "{error}");

    let change = |edit: &dyn Fn(&mut WeightsDoc)| {
        let mut weights = weights(&good);
        edit(&mut weights);
        weights.candidate = weights.candidate_digest().hex();
        domain(loaded(texts(&good, &weights)).expect_err("refused"))
    };
    let (file, error) = change(&|w| w.players = 2);
    assert!(matches!(
        error,
        DomainError::Players {
            found: 2,
            wanted: 3,
            ..
        }
    ));
    assert_eq!(file, "weights.json");
    let (_, error) = change(&|w| w.policy = "scatter".to_owned());
    assert!(matches!(error, DomainError::Policy { .. }), "{error}");
    let (_, error) = change(&|w| w.parents.tables = vec!["2".repeat(64)]);
    assert!(matches!(error, DomainError::Table { .. }), "{error}");
}

#[test]
fn the_ruleset_asked_for_must_be_the_one_that_was_calibrated() {
    let table = table();
    let (table, weights) = texts(&table, &weights(&table));
    let shelf = shelf(table, weights);
    let mut asked = setup(3);
    asked.rules.lead = evenhand_testkit::Lead::Winner;
    let error = load_from(shelf, &asked, "smart").expect_err("another ruleset");
    let missing = |players, ruleset: &str| LoadError::NotFrozen {
        game: "toy",
        players,
        ruleset: ruleset.to_owned(),
        known: vec!["3p"],
    };
    assert_eq!(error, missing(3, "lead=winner"));
    assert!(load_from(shelf, &setup(3), "smart").is_ok());
    let error = load_from(shelf, &setup(2), "smart").expect_err("nothing for two");
    assert_eq!(error, missing(2, "default"));
}

#[test]
fn each_ruleset_plays_by_its_own_artifacts() {
    let default = table();
    let mut asked = setup(3);
    asked.rules.lead = evenhand_testkit::Lead::Winner;
    let mut variant = default.clone();
    variant.ruleset = asked.rules.to_string();
    variant.estimator = Toy::estimator_fingerprint(&asked);
    let mut lower = weights(&variant);
    lower.ruleset.clone_from(&variant.ruleset);
    for knob in &mut lower.knobs {
        knob.value -= 1;
    }
    lower.candidate = lower.candidate_digest().hex();
    let shelf = shelf_of(vec![
        frozen("3p", texts(&default, &weights(&default))),
        frozen("3p-lead=winner", texts(&variant, &lower)),
    ]);
    let values = |setup: Setup<Toy>| {
        let policy = load_from(shelf, &setup, "smart").expect("it fits");
        policy.weights.values().to_vec()
    };
    let high: Vec<i64> = values(setup(3));
    let less: Vec<i64> = high.iter().map(|value| value - 1).collect();
    assert_eq!(values(asked), less);

    let misnamed = shelf_of(vec![frozen("3p-lead=lowest", texts(&default, &lower))]);
    assert!(
        load_from(misnamed, &setup(3), "smart").is_err(),
        "not a label"
    );
}

#[test]
fn damage_is_named() {
    let table = table();
    let (good_table, good_weights) = texts(&table, &weights(&table));
    let flipped = good_table.replacen("\"samples\": 10", "\"samples\": 11", 1);
    assert_ne!(flipped, good_table);
    let text = refusal((flipped, good_weights.clone()));
    assert!(
        text.starts_with("safety.json") && text.contains("checksum"),
        "{text}"
    );
    let text = refusal((good_table.clone(), good_weights.replace('\n', "\r\n")));
    assert!(
        text.starts_with("weights.json") && text.contains("line endings"),
        "{text}"
    );
    let text = refusal((good_table, String::new()));
    assert!(
        text.starts_with("weights.json") && text.contains("empty"),
        "{text}"
    );
}

#[test]
fn unknown_names_and_instruments_are_not_served() {
    for name in ["nobody", "broken", "", "Smart"] {
        let error = load_from::<Toy>(&Shelf::new(&[]), &setup(3), name).expect_err("unknown");
        let LoadError::UnknownPolicy { known, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(known, ["easy", "eager", "smart"]);
    }
}

/// Loads every policy at every table that a game has compiled in, and compares the list with what
/// is frozen under `tables/`.
struct LoadAll;

impl crate::Verb for LoadAll {
    type Out = ();

    fn run<G: Served>(self) {
        let mut compiled: Vec<&str> = G::shelf().labels().collect();
        for label in &compiled {
            let setup = Setup::<G>::from_label(label).expect("a table of the game");
            let rows = G::policies().iter();
            for row in rows.filter(|r| r.purpose == Purpose::Play) {
                if let Err(error) = load(&setup, row.name) {
                    panic!("{} at {label}: {error}", row.name);
                }
            }
        }
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables/");
        let mut frozen = Vec::new();
        for entry in std::fs::read_dir(format!("{root}{}", G::NAME))
            .into_iter()
            .flatten()
        {
            let folder = entry.expect("an entry").path();
            if folder.join("weights.json").exists() {
                let name = folder.file_name().expect("a name").to_string_lossy();
                frozen.push(name.into_owned());
            }
        }
        compiled.sort_unstable();
        frozen.sort_unstable();
        assert_eq!(
            compiled,
            frozen,
            "frozen.rs lists what is frozen for {}",
            G::NAME
        );
    }
}

/// Every artifact that is compiled in is sound and fits this build, and none is left out.
#[test]
fn compiled_in_artifacts_load() {
    for game in crate::GAMES {
        crate::dispatch(game, LoadAll).expect("a game");
    }
}
