//! The README tells how a wrong number is found. Its commands are run here as they stand there, and
//! what they find is what it says.

use evenhand_tests::{command, root};
use serde_json::Value;

const TITLE: &str = "## How a wrong number is found";

/// The commands of the section, with the backslashes at line ends joined, as binary and arguments.
fn told() -> Vec<(String, Vec<String>)> {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("a README");
    let (_, rest) = readme.split_once(TITLE).expect("the section");
    let section = rest.split("\n## ").next().expect("its text");
    let joined = section.replace("\\\n", " ");
    let lines = joined.lines().filter_map(|line| line.strip_prefix("$ "));
    lines
        .map(|line| {
            let mut words = line.split_whitespace().map(str::to_owned);
            let start: Vec<String> = words.by_ref().take(3).collect();
            assert_eq!(start.join(" "), "cargo run --release", "{line}");
            assert_eq!(words.next().as_deref(), Some("--bin"), "{line}");
            let binary = words.next().expect("a binary");
            assert_eq!(words.next().as_deref(), Some("--"), "{line}");
            (binary, words.collect())
        })
        .collect()
}

fn run(binary: &str, words: &[String]) -> String {
    let output = command(binary, root()).args(words).output();
    let output = output.expect("it starts");
    let code = output.status.code();
    // An ablation leaves lines open, which is exit code 2.
    assert!(
        matches!(code, Some(0 | 2)),
        "{binary} {words:?}: {output:?}"
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The lines of an ablation that are shown to harm.
fn harms(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|l| l.ends_with("harms: stronger without it"))
        .collect()
}

/// The command with the instrument's name replaced by the right policy's, on raw estimates.
fn righted(words: &[String]) -> Vec<String> {
    let mut right: Vec<String> = words
        .iter()
        .map(|word| word.replace("hard-independent", "hard"))
        .collect();
    let table = match words.iter().any(|word| word == "--a") {
        true => "--table-a",
        false => "--table",
    };
    right.extend([table, "raw"].map(str::to_owned));
    right
}

#[test]
fn four_commands_lead_from_weaker_to_the_wrong_number() {
    let told = told();
    let [measure, ablate, capture, audit] = &told[..] else {
        panic!("four commands: {told:?}");
    };
    let names = told.iter().map(|(binary, _)| binary.as_str());
    assert!(names.eq(["measure", "ablate", "capture", "calibrate"]));

    // From the number ...
    let text = run(&measure.0, &measure.1);
    assert!(text.contains("A is the weaker"), "{text}");
    // ... to the term ...
    let text = run(&ablate.0, &ablate.1);
    let most = harms(&text).into_iter().last().unwrap_or_default();
    assert!(most.starts_with("EndgameBlock"), "{text}");
    // ... to the positions, named, and the input that differs at each ...
    let text = run(&capture.0, &capture.1);
    assert!(text.contains("B does better there"), "{text}");
    assert!(
        text.contains("`beaten_ppm` differs at 20 of the 20 kept positions"),
        "{text}"
    );
    assert!(
        text.contains("### 10. ") && text.contains("seed 1, arrangement "),
        "{text}"
    );
    let farthest = text
        .lines()
        .find(|line| line.contains("`beaten_ppm` differs"));
    let (_, figures) = farthest
        .and_then(|line| line.rsplit_once(": "))
        .expect("figures");
    let believed = figures
        .strip_suffix(" by A, 1 by B")
        .expect("certainly beaten");
    assert!(
        (0.67..0.70).contains(&believed.parse::<f64>().expect("a number")),
        "{figures}"
    );
    // ... to which of the two is wrong.
    let text = run(&audit.0, &audit.1);
    let single = text
        .lines()
        .find(|line| line.starts_with("  single: "))
        .expect("its line");
    assert!(
        single.starts_with("  single: 0.68") && single.contains(" believed, 1.000 true: "),
        "{single}"
    );

    // With the right estimator they find nothing.
    let text = run(&measure.0, &righted(&measure.1));
    assert!(text.contains("no decision changed on "), "{text}");
    let text = run(&ablate.0, &righted(&ablate.1));
    assert_eq!(harms(&text), Vec::<&str>::new(), "{text}");
    let text = run(&capture.0, &righted(&capture.1));
    assert!(text.contains("No decision differs."), "{text}");
    let text = run(&audit.0, &righted(&audit.1));
    assert!(text.contains("  single: none is wrong"), "{text}");
}

#[test]
fn the_audit_in_json_agrees_with_its_text() {
    let (binary, words) = told().pop().expect("the audit");
    let mut machine = words.clone();
    machine.push("--json".to_owned());
    let json: Value = serde_json::from_str(&run(&binary, &machine)).expect("JSON");
    assert_eq!(json["players"], 5);
    let kinds = json["kinds"].as_array().expect("kinds");
    let single = kinds
        .iter()
        .find(|kind| kind["kind"] == "single")
        .expect("singles");
    assert_eq!(single["worst"]["true_ppm"], 1_000_000);
    // Singles are beaten for certain or not at all: the curve has two levels, and the beliefs of
    // the upper one lie below its band.
    let bands = single["behaviour"]["reliability"]["bands"]
        .as_array()
        .expect("bands");
    assert_eq!(bands.len(), 2);
    assert_eq!(bands[1]["rate_ppm"], 1_000_000);
    assert!(bands[1]["believed_ppm"].as_u64() < bands[1]["low_ppm"].as_u64());
    let text = run(&binary, &words);
    let (_, curve) = text.split_once("\nsingle: 2 levels").expect("the curve");
    let upper = curve.lines().nth(3).expect("the upper level");
    assert!(
        upper.contains("1.000") && upper.ends_with("  off"),
        "{upper}"
    );
}
