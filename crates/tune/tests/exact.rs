//! The exact search on the toy game: its curve is brute force, its walk can be resumed anywhere.

use evenhand_artifact::{CandidateDoc, Parents, RunKind, decode, encode};
use evenhand_contract::{Game, Maps, find_policy};
use evenhand_sim::{Rehearsal, Seeds, denominator};
use evenhand_testkit::{Toy, policy, setup};
use evenhand_tune::exact::{LineEntry, LineRules, LineStep, LineWalk, exact_doc, next_line};
use evenhand_tune::{Axis, Field, Heading, Opponent, Proposal, mixture};

const SEEDS: u64 = 12;

fn field() -> Field<Toy, Rehearsal> {
    let opponent = |name: &str, share| Opponent {
        name: name.to_owned(),
        share,
        policy: policy(name),
    };
    Field {
        setup: setup(3),
        row: find_policy("smart").expect("a row"),
        maps: Maps::identity(0),
        pool: vec![opponent("easy", 60), opponent("eager", 40)],
        rounds: 2,
        seeds: Seeds::range(1, SEEDS).expect("seeds"),
    }
}

fn axes(field: &Field<Toy, Rehearsal>) -> Vec<Axis> {
    field.row.knobs.iter().map(Axis::of).collect()
}

fn rules() -> LineRules {
    LineRules {
        sweeps: 3,
        accept_t_milli: 1_000,
        plateau: 200,
        max_lines: None,
    }
}

fn start(field: &Field<Toy, Rehearsal>) -> Vec<i64> {
    field.row.knobs.iter().map(|k| k.default).collect()
}

/// Searches on from these entries; returns the walk and how many lines were followed anew.
fn search(rules: &LineRules, workers: usize, entries: &mut Vec<LineEntry>) -> (LineWalk, usize) {
    let field = field();
    let mut played = 0;
    loop {
        match next_line(&axes(&field), rules, &start(&field), &[60, 40], entries).expect("fits") {
            LineStep::Done(walk) => return (*walk, played),
            LineStep::Follow { point, place } => {
                played += 1;
                let line = field.follow(&point, place, rules.plateau, workers, &|| false);
                entries.push(line.expect("plays"));
            }
        }
    }
}

fn document(walk: &LineWalk, entries: &[LineEntry]) -> CandidateDoc {
    let field = field();
    let heading = Heading {
        game: Toy::NAME,
        players: 3,
        ruleset: field.setup.rules.to_string(),
        policy: "smart",
        knobs: field.row.knobs,
        experiment: "toy".to_owned(),
        run: RunKind::Quick,
        spec: evenhand_artifact::digest_of("spec"),
        parents: Parents::default(),
        first_seed: 1,
        seeds: SEEDS,
        rounds: 2,
        sweeps: 3,
        accept_t_milli: 1_000,
        pool: vec![("easy".to_owned(), 60), ("eager".to_owned(), 40)],
        denominator: denominator(3, 2),
    };
    exact_doc(heading, &axes(&field), walk, entries)
}

/// What playing the point outright gives, summed over the seeds.
fn played(field: &Field<Toy, Rehearsal>, point: &[i64]) -> i64 {
    let proposal = Proposal {
        point: point.to_vec(),
        from: 0,
        to: SEEDS as usize,
    };
    let entry = field.play(&proposal, 1, &|| false).expect("plays");
    mixture(&entry, &[60, 40]).iter().sum()
}

#[test]
fn the_curve_is_what_playing_each_value_gives() {
    let field = field();
    let start = start(&field);
    for place in 0..field.row.knobs.len() {
        let line = field
            .follow(&start, place, 200, 2, &|| false)
            .expect("plays");
        let height = |value: i64| {
            let next = line.curve.partition_point(|c| c.0 <= value);
            line.curve[next - 1].1
        };
        // Both sides of every step, the bounds and the centre.
        let knob = &field.row.knobs[place];
        let mut values = vec![knob.low, knob.high, line.centre, -1, 0, 1];
        for (from, _) in line.curve.iter().skip(1) {
            values.extend([from - 1, *from]);
        }
        values.sort_unstable();
        values.dedup();
        for value in values {
            let mut point = start.clone();
            point[place] = value;
            assert_eq!(
                height(value),
                played(&field, &point),
                "{} at {value}",
                knob.name
            );
        }
    }
}

#[test]
fn the_search_gains_and_flags_what_does_nothing() {
    let mut entries = Vec::new();
    let (walk, _) = search(&rules(), 2, &mut entries);
    let field = field();
    assert!(played(&field, &walk.best) > played(&field, &walk.start));
    let doc = document(&walk, &entries);
    let flag = |name: &str| doc.flags.iter().find(|f| f.name == name).expect("a knob");
    assert!(flag("Idle").flat && !flag("Shed").flat);
    assert_eq!(flag("Idle").value, flag("Idle").start, "a flat knob stays");
    let idle = doc.lines.iter().find(|l| l.knob == "Idle").expect("a line");
    assert_eq!(idle.rollouts, idle.units, "one rollout a unit");
    assert_eq!(idle.values, 8_001);
    // The tie-break is looked at where the first sweep leaves the weights.
    let ties = field
        .follow(&walk.start, 4, 200, 1, &|| false)
        .expect("plays");
    assert!(ties.tie_break_only && !ties.flat());
    let text = encode(&doc).expect("encodes");
    assert_eq!(
        decode::<CandidateDoc>("candidate", text.as_bytes()).expect("decodes"),
        doc
    );
}

#[test]
fn any_interruption_and_any_worker_count_give_the_same_bytes() {
    let mut entries = Vec::new();
    let (walk, lines) = search(&rules(), 1, &mut entries);
    let expected = encode(&document(&walk, &entries)).expect("encodes");
    assert_eq!(lines, entries.len());
    for (workers, kept) in [(1, 0), (2, 1), (3, 4), (5, lines / 2), (8, lines)] {
        let mut resumed = entries[..kept].to_vec();
        let (walk, played) = search(&rules(), workers, &mut resumed);
        assert_eq!(played, lines - kept);
        let text = encode(&document(&walk, &resumed)).expect("encodes");
        assert_eq!(text, expected, "{workers} workers after {kept} lines");
    }
}

#[test]
fn the_budget_counts_lines_of_earlier_sittings() {
    let rules = LineRules {
        max_lines: Some(4),
        ..rules()
    };
    let mut entries = Vec::new();
    let (walk, lines) = search(&rules, 2, &mut entries);
    assert!(walk.out_of_budget && lines == 4);
    let (again, more) = search(&rules, 2, &mut entries);
    assert_eq!((again, more), (walk, 0));
}

#[test]
fn a_foreign_journal_is_refused() {
    let field = field();
    let mut entries = Vec::new();
    search(&rules(), 2, &mut entries);
    entries.swap(0, 1);
    let refused = next_line(&axes(&field), &rules(), &start(&field), &[60, 40], &entries);
    assert_eq!(refused.expect_err("swapped").line, 1);
}
