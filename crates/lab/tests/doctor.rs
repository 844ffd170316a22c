//! Faults of each kind are put in, and the doctor catches and names each.

use evenhand_artifact::{Claim, KnobValue, Parents, TableDoc, TuningSummary, WeightsDoc, seal};
use evenhand_calibrate::{Input, NoJournal, Settings, Unwatched, generate};
use evenhand_cli::load::{TABLE_FILE, WEIGHTS_FILE, defaults, folder};
use evenhand_contract::{
    Ask, Candidate, Game, Policy, PolicyError, PolicyRow, Purpose, SeedId, Trace, Work, find_policy,
};
use evenhand_lab::doctor::{
    Check, Instrument, Kind, Record, Simulator, Subject, behaviour, frozen,
};
use evenhand_sim::{
    Block, Control, Decided, Execution, Exploration, MatchPlan, Observer, Place, PlayFailure,
    RunError, SeedTally, Seeds, Workspace, play_seed, run,
};
use evenhand_testkit::{Memo, Play, Toy, policy, setup};
use std::cell::Cell;
use std::error::Error;
use std::sync::atomic::{AtomicI64, Ordering};

fn examine(policy: &Policy<Toy>, instrument: &dyn Instrument<Toy>) -> Vec<Check> {
    let seeds = Seeds::<Exploration>::range(0, 12).unwrap();
    let opponent = evenhand_testkit::policy("easy");
    let subject = Subject {
        setup: setup(3),
        rounds: 2,
        seeds: &seeds,
        policy,
        opponent: &opponent,
    };
    subject.examine(instrument).unwrap()
}

fn failed<'a>(checks: &'a [Check], name: &str) -> &'a Check {
    let found = checks.iter().find(|c| c.check.contains(name)).unwrap();
    assert!(!found.holds, "{found:?}");
    found
}

#[test]
fn a_sound_instrument_holds() {
    for name in ["easy", "eager", "smart", "scatter", "passer"] {
        let checks = examine(&policy(name), &Simulator);
        assert_eq!(checks.len(), 5);
        for check in &checks {
            assert!(check.holds && check.difference.is_none(), "{check:?}");
        }
        assert!(behaviour(&setup(3), &policy(name), None).holds);
    }
}

#[test]
fn a_policy_that_reads_a_counter_is_caught_at_its_first_decision() {
    let checks = examine(&policy("counter"), &Simulator);
    let steady = failed(&checks, "asked twice").difference.as_ref().unwrap();
    assert_eq!(steady.kind, Kind::Decision);
    assert_eq!(steady.policy.as_deref(), Some("counter"));
    assert_eq!((steady.seed.as_str(), steady.round), ("0", Some(1)));
    assert!(steady.seat.is_some() && steady.arrangement.is_some());
    let view = steady.view.as_deref().unwrap();
    assert!(view.contains("\"hand\""), "{view}");
    let text = steady.text();
    assert!(
        text.contains("no recorded term differs") && text.contains(view),
        "{text}"
    );
    let zero = failed(&checks, "A against A").difference.as_ref().unwrap();
    assert_eq!(zero.kind, Kind::Decision);
    let same = failed(&checks, "same bytes").difference.as_ref().unwrap();
    assert_eq!(same.kind, Kind::Decision);
}

static MOOD: AtomicI64 = AtomicI64::new(0);

/// Plays the first or the last legal choice by a term that a counter feeds.
fn moody(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    _: &mut Work<'_>,
    trace: &mut Trace<Play, Play>,
) -> Result<Play, PolicyError> {
    let mut legal = Vec::new();
    Toy::legal(ask.view, memo, &mut legal);
    let mood = MOOD.fetch_add(1, Ordering::Relaxed) % 3;
    trace.stage("mood");
    let last = legal.len() as i64 - 1;
    for (place, &play) in (0..).zip(&legal) {
        let sign = if mood == 0 { -1 } else { 1 };
        if trace.full() {
            trace.candidates.push(Candidate {
                decision: play,
                total: sign * place,
                terms: vec![
                    ("Place", place),
                    ("Mood", if place == last { mood } else { 0 }),
                ],
                facts: Vec::new(),
            });
        }
    }
    Ok(legal[if mood == 0 { 0 } else { last as usize }])
}

static MOODY: PolicyRow<Toy> = PolicyRow {
    name: "moody",
    about: "a counter feeds one of its terms",
    purpose: Purpose::Instrument,
    knobs: &[],
    stages: &[],
    reads_table: false,
    decide: moody,
};

#[test]
fn the_term_that_differs_is_named() {
    let checks = examine(&Policy::defaults(&MOODY), &Simulator);
    let found = failed(&checks, "asked twice").difference.as_ref().unwrap();
    assert_eq!(found.term.as_ref().unwrap().name, "Mood");
    assert!(found.text().contains("term Mood of "), "{}", found.text());
}

/// A simulator that adds to a running figure whenever a block completes.
struct CompletionOrder;

struct Running(Vec<SeedTally>, i64);

impl Control for Running {
    fn block(
        &mut self,
        block: &Block,
        _finished: usize,
        _total: usize,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        for tally in &block.tallies {
            let mut tally = tally.clone();
            // Halving between two additions is what rounding does to a float: order shows.
            self.1 = self.1 / 2 + tally.a.metrics[0];
            tally.a.metrics[0] = self.1;
            self.0.push(tally);
        }
        Ok(())
    }
}

impl Instrument<Toy> for CompletionOrder {
    fn run(
        &self,
        plan: &MatchPlan<Toy>,
        seeds: &Seeds<Exploration>,
        execution: &Execution,
    ) -> Result<Vec<SeedTally>, RunError> {
        let mut running = Running(Vec::new(), 0);
        run(plan, seeds, execution, &mut running)?;
        running
            .0
            .sort_by_key(|tally| tally.seed.parse::<u64>().unwrap());
        Ok(running.0)
    }

    fn watch(
        &self,
        plan: &MatchPlan<Toy>,
        seed: SeedId,
        record: &mut Record<'_, Toy>,
    ) -> Result<(), Box<PlayFailure>> {
        Simulator.watch(plan, seed, record)
    }
}

#[test]
fn a_tally_that_sums_in_completion_order_is_named() {
    let checks = examine(&policy("smart"), &CompletionOrder);
    let same = failed(&checks, "same bytes");
    let found = same.difference.as_ref().unwrap();
    assert_eq!(found.kind, Kind::Tally);
    assert!(found.was.starts_with("a.metrics"), "{found:?}");
    assert!(found.text().contains("the sums, though no decision"));
    assert!(same.note.contains("workers"), "{}", same.note);
    assert!(checks.iter().filter(|c| !c.holds).count() == 1);
}

/// A simulator whose deals come from a stream that bots draw from as well: how many decisions were
/// made before moves it on.
#[derive(Default)]
struct SharedStream(Cell<u64>);

/// Counts decisions and passes everything on.
struct Drawing<'a, 'r> {
    record: Option<&'a mut Record<'r, Toy>>,
    drawn: u64,
}

impl Observer<Toy> for Drawing<'_, '_> {
    fn round_start(&mut self, at: &Place, start: &<Toy as Game>::State) {
        if let Some(record) = &mut self.record {
            record.round_start(at, start);
        }
    }

    fn decision(&mut self, at: &Place, decided: &Decided<'_, Toy>) {
        self.drawn += 1;
        if let Some(record) = &mut self.record {
            record.decision(at, decided);
        }
    }
}

impl SharedStream {
    fn play(
        &self,
        plan: &MatchPlan<Toy>,
        seed: SeedId,
        record: Option<&mut Record<'_, Toy>>,
    ) -> Result<SeedTally, Box<PlayFailure>> {
        let SeedId::Number(number) = seed else {
            panic!("the doctor writes its seeds")
        };
        let shifted = SeedId::number(number + 1_000 * self.0.get()).unwrap();
        let mut drawing = Drawing { record, drawn: 0 };
        let mut workspace = Workspace::new(plan.setup.players);
        let split = evenhand_contract::Split::Exploration;
        let mut tally = play_seed(plan, split, shifted, &mut workspace, &mut drawing)?;
        tally.seed = seed.to_string();
        self.0.set(self.0.get() + drawing.drawn);
        Ok(tally)
    }
}

impl Instrument<Toy> for SharedStream {
    fn run(
        &self,
        plan: &MatchPlan<Toy>,
        seeds: &Seeds<Exploration>,
        _execution: &Execution,
    ) -> Result<Vec<SeedTally>, RunError> {
        let all = seeds.ids().iter();
        let tallies: Result<Vec<_>, _> = all.map(|&seed| self.play(plan, seed, None)).collect();
        Ok(tallies?)
    }

    fn watch(
        &self,
        plan: &MatchPlan<Toy>,
        seed: SeedId,
        record: &mut Record<'_, Toy>,
    ) -> Result<(), Box<PlayFailure>> {
        self.play(plan, seed, Some(record)).map(|_| ())
    }
}

#[test]
fn a_deal_stream_shared_with_a_bot_is_named() {
    let checks = examine(&policy("smart"), &SharedStream::default());
    let deals = failed(&checks, "deals do not depend");
    assert!(
        deals.note.contains("draws from their stream"),
        "{}",
        deals.note
    );
    let found = deals.difference.as_ref().unwrap();
    assert_eq!(found.kind, Kind::Deal);
    assert!(found.was.contains("hands") && found.was != found.became);
    let same = failed(&checks, "same bytes").difference.as_ref().unwrap();
    assert_eq!(same.kind, Kind::Deal);
}

#[test]
fn fallbacks_have_their_denominator() {
    let checks = examine(&policy("broken"), &Simulator);
    let found = failed(&checks, "fallbacks");
    let (all, rest) = found.note.split_once(" of ").unwrap();
    assert!(
        rest.starts_with(&format!("{all} decisions, {all} by policy_error")),
        "{}",
        found.note
    );
    let checks = examine(&policy("greedy"), &Simulator);
    assert!(failed(&checks, "fallbacks").note.contains("by out_of_work"));
}

#[test]
fn a_policy_that_panics_is_a_finding_with_its_place() {
    let checks = examine(&policy("panics"), &Simulator);
    let wrong: Vec<&Check> = checks.iter().filter(|c| !c.holds).collect();
    assert!(!wrong.is_empty());
    for check in wrong {
        assert!(
            check.note.contains("cannot bear") && check.note.contains("seed"),
            "{}",
            check.note
        );
    }
}

fn table() -> TableDoc {
    let settings = Settings {
        seed: 1,
        situations: 300,
        samples: 20,
    };
    let input = Input::new(&setup(3), &defaults("smart").unwrap()).unwrap();
    let (watch, journal) = (&mut Unwatched, &mut NoJournal);
    generate(&setup(3), &input, &settings, 1, watch, journal).unwrap()
}

#[test]
fn a_stale_table_is_named_with_the_command_that_mends_it() {
    let root = tempfile::tempdir().unwrap();
    let row = find_policy::<Toy>("smart").unwrap();
    let file = folder(root.path(), &setup(3)).join(TABLE_FILE);
    let (_, _, check) = frozen(&setup(3), row, root.path());
    assert!(
        check.holds && check.note.contains("none under"),
        "{check:?}"
    );
    let put = |doc: TableDoc| {
        evenhand_store::create_dir(file.parent().unwrap()).unwrap();
        evenhand_store::publish(&file, seal(doc).unwrap().text().as_bytes()).unwrap();
        frozen(&setup(3), row, root.path())
    };
    let fresh = table();
    let (policy, _, check) = put(fresh.clone());
    assert!(check.holds && check.note.contains("loads"), "{check:?}");
    assert!(policy.maps.kinds().iter().any(Option::is_some));
    let mut stale = fresh;
    stale.estimator = "0".repeat(64);
    let (policy, _, check) = put(stale);
    assert!(!check.holds, "{check:?}");
    assert!(
        check
            .note
            .contains("calibrate generate --game toy --players 3"),
        "{}",
        check.note
    );
    // The rest is examined by the raw estimator then.
    assert!(policy.maps.kinds().iter().all(Option::is_none));
    // One byte of a sound table.
    let text = evenhand_store::read(&file).unwrap().unwrap();
    let broken = String::from_utf8(text)
        .unwrap()
        .replacen("\"seed\": 1", "\"seed\": 2", 1);
    evenhand_store::publish(&file, broken.as_bytes()).unwrap();
    let (_, _, check) = frozen(&setup(3), row, root.path());
    assert!(
        !check.holds && check.note.contains("checksum"),
        "{}",
        check.note
    );
}

fn weights(parent: &str, fingerprint: &str) -> WeightsDoc {
    let row = find_policy::<Toy>("smart").unwrap();
    let knobs = row.knobs.iter().map(|knob| KnobValue {
        name: knob.name.to_owned(),
        value: knob.default,
    });
    let mut doc = WeightsDoc {
        game: Toy::NAME.to_owned(),
        players: 3,
        ruleset: "default".to_owned(),
        policy: "smart".to_owned(),
        knobs: knobs.collect(),
        generation: 1,
        behaviour: fingerprint.to_owned(),
        candidate: String::new(),
        parents: Parents {
            tables: vec![parent.to_owned()],
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

#[test]
fn weights_of_another_table_or_of_other_play_are_named() {
    let root = tempfile::tempdir().unwrap();
    let row = find_policy::<Toy>("smart").unwrap();
    let dir = folder(root.path(), &setup(3));
    evenhand_store::create_dir(&dir).unwrap();
    let sealed = seal(table()).unwrap();
    evenhand_store::publish(&dir.join(TABLE_FILE), sealed.text().as_bytes()).unwrap();
    let parent = sealed.checksum().hex();
    let put = |doc: WeightsDoc| {
        let text = seal(doc).unwrap();
        evenhand_store::publish(&dir.join(WEIGHTS_FILE), text.text().as_bytes()).unwrap();
        let (policy, loaded, check) = frozen(&setup(3), row, root.path());
        let plays = behaviour(&setup(3), &policy, loaded.as_ref());
        (check, plays)
    };
    // What they play like is printed, so the record of sound weights can be made from it.
    let (check, plays) = put(weights(&parent, &"0".repeat(64)));
    assert!(
        check.holds && check.note.contains("fingerprint match"),
        "{check:?}"
    );
    assert!(!plays.holds, "{plays:?}");
    let (now, rest) = plays
        .note
        .split_once(", but the frozen weights record ")
        .unwrap();
    assert!(rest.starts_with(&"0".repeat(64)) && rest.contains("play has changed since"));
    let (check, plays) = put(weights(&parent, now));
    assert!(check.holds && plays.holds, "{check:?} {plays:?}");
    assert_eq!(plays.note, format!("{now}, as frozen"));
    // Tuned with another table.
    let (check, _) = put(weights(&"f".repeat(64), now));
    assert!(!check.holds, "{check:?}");
    assert!(
        check.note.contains(&parent[..12]) && check.note.contains("tuned with table ffffffffffff"),
        "{}",
        check.note
    );
    // Without the table that they were tuned with.
    std::fs::remove_file(dir.join(TABLE_FILE)).unwrap();
    let (_, _, check) = frozen(&setup(3), row, root.path());
    assert!(
        !check.holds && check.note.contains("table none"),
        "{}",
        check.note
    );
}
