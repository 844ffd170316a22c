//! The chain on the toy game: from an empty folder to frozen weights, twice.

use evenhand_artifact::{SpecDoc, Verdict, WeightsDoc, decode};
use evenhand_cli::spec::Source;
use evenhand_freeze::command::judge;
use evenhand_retune::{Chain, Steps, retune};
use evenhand_store::{Store, ledger::Ledger, publish_replace};
use evenhand_testkit::Toy;
use evenhand_tune::Experiment;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SPEC: &str = r#"
game = "toy"
players = 3
policy = "smart"
kind = "full"

[calibrate]
seed = 5
situations = 60
samples = 40

[tune]
first_seed = 1
seeds = 64
rounds = 2
sweeps = 3
line_search = "grid"

[[tune.pool]]
policy = "easy"
share = 30

[[tune.pool]]
policy = "eager"
share = 40

[[tune.pool]]
policy = "incumbent"
share = 30

[validate]
seeds = 400
rounds = [2, 3]
head_to_head = 100

[freeze]
claim = "no-loss"
"#;

struct Place {
    _folder: tempfile::TempDir,
    root: PathBuf,
    store: Store,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("a root");
    let store = Store::open(folder.path().join("store")).unwrap();
    Place {
        _folder: folder,
        root,
        store,
    }
}

fn spec(text: &str) -> SpecDoc {
    let spec: SpecDoc = Source::new(Path::new("toy.toml"), text).parse().unwrap();
    assert_eq!(spec.problems(), []);
    spec
}

fn quick() -> SpecDoc {
    let small = SPEC
        .replace("\"full\"", "\"quick\"")
        .replace("seeds = 64", "seeds = 16")
        .replace("sweeps = 3", "sweeps = 1")
        .replace("seeds = 400", "seeds = 60");
    spec(&small)
}

fn chain(place: &Place, spec: &SpecDoc, freeze: bool, salt: &str) -> Chain {
    let experiment = Experiment::<Toy>::new("toy", spec.clone(), &place.root).unwrap();
    let steps = Steps {
        workers: 2,
        interrupted: &|| false,
        freeze,
        salt,
        progress: false,
    };
    retune(&place.store, &experiment, &steps).unwrap()
}

fn open_gates(chain: &Chain) -> Vec<&str> {
    (chain.judged.gates.iter())
        .filter(|g| g.verdict != Verdict::Holds)
        .map(|g| g.name.as_str())
        .collect()
}

fn frozen(place: &Place, file: &str) -> Option<Vec<u8>> {
    frozen_at(place, "3p", file)
}

fn frozen_at(place: &Place, table: &str, file: &str) -> Option<Vec<u8>> {
    std::fs::read(place.root.join("tables/toy").join(table).join(file)).ok()
}

fn ledger(place: &Place) -> PathBuf {
    place.root.join("experiments/ledger.jsonl")
}

#[test]
fn two_generations_from_an_empty_folder() {
    let place = place();
    let full = spec(SPEC);
    let first = chain(&place, &full, false, "");
    assert_eq!(
        first.validated.doc.verdict,
        Verdict::Holds,
        "{:#?}",
        first.validated.doc.gates
    );
    assert_eq!(open_gates(&first), [""; 0]);
    assert!(
        frozen(&place, "weights.json").is_none(),
        "nobody asked for a freeze"
    );
    assert!(!first.nothing_new());

    let again = chain(&place, &full, false, "");
    assert!(again.nothing_new(), "nothing changed");
    assert_eq!(again.validated.doc.text(), first.validated.doc.text());

    let done = chain(&place, &full, true, "");
    assert!(done.nothing_new() && !done.judged.files.is_empty());
    let weights = frozen(&place, "weights.json").unwrap();
    let one: WeightsDoc = decode("weights", &weights).unwrap();
    assert_eq!((one.generation, one.parents.incumbent.clone()), (1, None));
    assert!(frozen(&place, "previous/weights.json").is_none());
    for kept in ["summary.json", "decisions.txt", "report.md"] {
        assert!(
            place.root.join("experiments/toy").join(kept).exists(),
            "{kept}"
        );
    }

    let second = chain(&place, &full, true, "");
    assert_eq!(
        second.table_cached,
        Some(false),
        "another generation's play"
    );
    assert!(
        second
            .validated
            .doc
            .cells
            .iter()
            .any(|c| c.against == "incumbent")
    );
    if second.judged.verdict == Verdict::Holds {
        assert_eq!(frozen(&place, "previous/weights.json").unwrap(), weights);
        let two: WeightsDoc = decode("weights", &frozen(&place, "weights.json").unwrap()).unwrap();
        assert_eq!(two.generation, 2);
    } else {
        assert_eq!(frozen(&place, "weights.json").unwrap(), weights);
    }
}

/// Another ruleset has a folder of its own, in which it is frozen and from which it goes on.
#[test]
fn a_ruleset_is_tuned_frozen_and_retuned_beside_the_default() {
    let place = place();
    let variant = "players = 3\nruleset = \"lead=winner\"";
    let variant = spec(&SPEC.replacen("players = 3", variant, 1));
    let first = chain(&place, &variant, true, "");
    assert_eq!(open_gates(&first), [""; 0]);
    let weights = frozen_at(&place, "3p-lead=winner", "weights.json").unwrap();
    let one: WeightsDoc = decode("weights", &weights).unwrap();
    assert_eq!((one.ruleset.as_str(), one.generation), ("lead=winner", 1));
    assert!(frozen_at(&place, "3p-lead=winner", "safety.json").is_some());
    assert!(
        frozen(&place, "weights.json").is_none(),
        "the default's place"
    );

    // The next generation plays against this one, and the default's first against none.
    let second = chain(&place, &variant, false, "");
    let against = |chain: &Chain| {
        let cells = &chain.validated.doc.cells;
        cells.iter().any(|c| c.against == "incumbent")
    };
    assert!(against(&second));
    let default = chain(&place, &quick(), false, "");
    assert!(!against(&default));
    assert_eq!(default.tuned.doc.parents.incumbent, None);
}

/// Every file below a folder with its bytes.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn gather(root: &Path, folder: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                gather(root, &path, all);
            } else {
                let name = path.strip_prefix(root).unwrap().to_owned();
                all.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut all = BTreeMap::new();
    gather(root, root, &mut all);
    all
}

/// A freeze publishes its files one after the other. Wherever it is killed, the next one completes
/// it to the same bytes, and until then the weights that are frozen are the old ones.
#[test]
fn a_killed_freeze_is_completed_by_the_next() {
    let place = place();
    let full = spec(&SPEC.replace("first_seed = 1", "first_seed = 4"));
    chain(&place, &full, true, "");
    chain(&place, &full, false, "");
    let before = files(&place.root);
    let freeze = |root: &Path| judge::<Toy>(&place.store, "toy", full.clone(), root, true).unwrap();
    let whole = freeze(&place.root);
    assert_eq!(whole.verdict, Verdict::Holds, "{:#?}", whole.gates);
    let after = files(&place.root);
    assert_ne!(before, after);
    let order: Vec<&Path> = (whole.files.iter())
        .map(|file| file.strip_prefix(&place.root).unwrap())
        .collect();
    let weights = Path::new("tables/toy/3p/weights.json");
    assert_eq!(order.last(), Some(&weights));
    for written in 0..order.len() {
        let folder = tempfile::tempdir().unwrap();
        for (file, bytes) in &before {
            publish_replace(&folder.path().join(file), bytes).unwrap();
        }
        for file in &order[..written] {
            publish_replace(&folder.path().join(file), &after[*file]).unwrap();
        }
        assert_eq!(files(folder.path())[weights], before[weights]);
        let completed = freeze(folder.path());
        assert_eq!(completed.verdict, Verdict::Holds, "after {written} files");
        assert!(!completed.files.is_empty());
        assert_eq!(files(folder.path()), after, "after {written} files");
    }
    // Once more says so and writes nothing.
    let again = freeze(&place.root);
    assert_eq!((again.verdict, again.files.len()), (Verdict::Holds, 0));
    assert_eq!(files(&place.root), after);
}

#[test]
fn a_rehearsal_is_on_no_record_and_is_never_frozen() {
    let place = place();
    let run = chain(&place, &quick(), true, "");
    assert_eq!(open_gates(&run), ["full run"]);
    assert!(run.judged.files.is_empty() && frozen(&place, "weights.json").is_none());
    assert!(!ledger(&place).exists());
    assert_eq!(
        (run.validated.doc.attempt, &run.validated.doc.intent),
        (0, &None)
    );
    // Its candidate cannot be smuggled into a full run either.
    let experiment = Experiment::<Toy>::new("toy", spec(SPEC), &place.root).unwrap();
    let how = evenhand_tune::How {
        workers: 1,
        interrupted: &|| false,
        progress: &|_| {},
    };
    let smuggled = evenhand_validate::validate(&place.store, &experiment, &run.tuned.doc, "", &how);
    assert!(smuggled.unwrap_err().to_string().contains("quick run"));
    assert!(!ledger(&place).exists());
}

#[test]
fn without_its_ledger_line_nothing_is_frozen() {
    let place = place();
    let full = spec(SPEC);
    chain(&place, &full, false, "");
    let path = ledger(&place);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        Ledger::read(&path).unwrap().lines().len(),
        2,
        "intent and outcome"
    );
    let refused = |text: &str| {
        publish_replace(&path, text.as_bytes()).unwrap();
        let judged = judge::<Toy>(&place.store, "toy", full.clone(), &place.root, true).unwrap();
        assert_eq!(judged.verdict, Verdict::Fails);
        assert!(judged.files.is_empty());
        let gate = judged
            .gates
            .into_iter()
            .find(|g| g.verdict != Verdict::Holds);
        gate.unwrap().name
    };
    assert_eq!(refused(""), "validated");
    let intent = &text[..=text.find('\n').unwrap()];
    assert_eq!(refused(intent), "validated");
    publish_replace(&path, text.as_bytes()).unwrap();
    let judged = judge::<Toy>(&place.store, "toy", full, &place.root, true).unwrap();
    assert_eq!(judged.verdict, Verdict::Holds);
}

#[test]
fn every_salt_is_an_attempt_and_levels_fall() {
    let place = place();
    let full = spec(SPEC);
    let levels: Vec<(u32, i64)> = ["", "again", "", "a third"]
        .into_iter()
        .map(|salt| {
            let doc = chain(&place, &full, false, salt).validated.doc;
            (doc.attempt, doc.alpha_ppb)
        })
        .collect();
    assert_eq!(
        levels,
        [
            (1, 25_000_000),
            (2, 8_333_333),
            (1, 25_000_000),
            (3, 4_166_666)
        ]
    );
}

#[test]
fn a_cut_validation_resumes_to_the_same_bytes() {
    let place_one = place();
    let whole = chain(&place_one, &quick(), false, "").validated.doc;
    let other = place();
    let experiment = Experiment::<Toy>::new("toy", quick(), &other.root).unwrap();
    for stop_after in [3, 20, 45] {
        let asked = std::cell::Cell::new(0);
        let steps = Steps {
            workers: 1 + stop_after % 3,
            interrupted: &|| {
                asked.set(asked.get() + 1);
                asked.get() > stop_after * 40
            },
            freeze: false,
            salt: "",
            progress: false,
        };
        let _ = retune(&other.store, &experiment, &steps);
    }
    let resumed = chain(&other, &quick(), false, "").validated.doc;
    assert_eq!(resumed.text(), whole.text());
}
