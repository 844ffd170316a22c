//! Tuning the toy game's policy on real play.

use evenhand_artifact::{CandidateDoc, Parents, RunKind, decode, encode};
use evenhand_contract::{Game, Maps, find_policy};
use evenhand_sim::{Rehearsal, Seeds, denominator};
use evenhand_testkit::{Toy, policy, setup};
use evenhand_tune::{
    Axis, Entry, Field, Heading, Opponent, Problem, Rules, TuneError, Walked, candidate_doc, drive,
};

fn field() -> Field<Toy, Rehearsal> {
    let opponent = |name: &str, share| Opponent {
        name: name.to_owned(),
        share,
        policy: policy(name),
    };
    Field {
        setup: setup(3),
        row: find_policy("smart").unwrap(),
        maps: Maps::identity(0),
        pool: vec![opponent("easy", 60), opponent("eager", 40)],
        rounds: 2,
        seeds: Seeds::range(1, 24).unwrap(),
    }
}

fn problem(field: &Field<Toy, Rehearsal>) -> Problem {
    Problem {
        axes: field.row.knobs.iter().map(Axis::of).collect(),
        rules: Rules {
            sweeps: 2,
            accept_t_milli: 1_000,
            seeds: 24,
            screen: 6,
            max_evaluations: None,
        },
        start: field.row.knobs.iter().map(|k| k.default).collect(),
        shares: field.pool.iter().map(|o| i64::from(o.share)).collect(),
    }
}

fn document(field: &Field<Toy, Rehearsal>, walked: &Walked, entries: &[Entry]) -> CandidateDoc {
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
        seeds: 24,
        rounds: 2,
        sweeps: 2,
        accept_t_milli: 1_000,
        pool: field
            .pool
            .iter()
            .map(|o| (o.name.clone(), o.share))
            .collect(),
        denominator: denominator(3, 2),
    };
    candidate_doc(heading, walked, entries)
}

fn tuned(workers: usize, mut entries: Vec<Entry>) -> (String, Vec<Entry>, usize) {
    let field = field();
    let mut played = 0;
    let walked = drive::<TuneError>(
        &problem(&field),
        &mut entries,
        |proposal| {
            played += 1;
            field.play(proposal, workers, &|| false)
        },
        |_| Ok(()),
    );
    let doc = document(&field, &walked.unwrap(), &entries);
    (encode(&doc).unwrap(), entries, played)
}

#[test]
fn gains_and_flags_what_does_nothing() {
    let (text, _, _) = tuned(2, Vec::new());
    let doc: CandidateDoc = decode("candidate", text.as_bytes()).unwrap();
    assert!(doc.tuning.tuning_gain_micro > 0 && doc.tuning.accepted > 0);
    let flag = |name: &str| doc.flags.iter().find(|f| f.name == name).unwrap();
    assert!(flag("Idle").flat && !flag("Shed").flat && !flag("Tie").flat);
    assert!(!flag("Idle").tie_break_only);
    let idle = doc
        .trajectory
        .iter()
        .filter(|e| e.knob.as_deref() == Some("Idle"));
    for row in idle {
        assert_eq!(row.difference_micro, 0);
        assert!(row.opponents.iter().all(|o| o.difference_micro == 0));
        assert!(!row.accepted);
    }
    assert_eq!(doc.fallbacks.total(), 0);
    assert!(doc.fallbacks.decisions > 0);
}

#[test]
fn a_knob_that_breaks_ties_alone_is_flagged() {
    let field = field();
    let mut problem = problem(&field);
    // Lead and Spend leave hardly a tie to break; hold them at zero. Then the sign of Shed is all
    // that counts as well.
    for axis in &mut problem.axes[1..3] {
        (axis.low, axis.high) = (0, 0);
    }
    let mut entries = Vec::new();
    let play = |proposal: &_| field.play(proposal, 2, &|| false);
    let walked = drive::<TuneError>(&problem, &mut entries, play, |_| Ok(())).unwrap();
    let doc = document(&field, &walked, &entries);
    let flagged: Vec<bool> = doc.flags.iter().map(|f| f.tie_break_only).collect();
    assert_eq!(flagged, [true, false, false, false, true]);
}

#[test]
fn worker_counts_change_no_byte() {
    let (text, entries, _) = tuned(1, Vec::new());
    for workers in [2, 3, 5, 7, 8] {
        let (again, others, _) = tuned(workers, Vec::new());
        assert_eq!(again, text);
        assert_eq!(others, entries, "same candidates in the same order");
    }
}

#[test]
fn a_journal_cut_at_any_line_resumes_to_the_same_bytes() {
    let (text, entries, played) = tuned(2, Vec::new());
    assert_eq!(played, entries.len());
    for kept in (0..=entries.len()).step_by(3) {
        let (again, others, rest) = tuned(1 + kept % 3, entries[..kept].to_vec());
        assert_eq!(again, text);
        assert_eq!(others, entries);
        assert_eq!(rest, entries.len() - kept);
    }
}

#[test]
fn an_interruption_ends_the_run_and_keeps_nothing_half_played() {
    let field = field();
    let mut entries = Vec::new();
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 20
    };
    let end = drive::<TuneError>(
        &problem(&field),
        &mut entries,
        |proposal| field.play(proposal, 1, &stop),
        |_| Ok(()),
    );
    assert!(matches!(
        end,
        Err(TuneError::Run(evenhand_sim::RunError::Interrupted { .. }))
    ));
    let (text, _, _) = tuned(2, entries);
    assert_eq!(text, tuned(1, Vec::new()).0);
}
