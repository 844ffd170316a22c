//! Observers see everything and change nothing; transcripts, predictions and the behaviour suite.

use evenhand_contract::{
    BySeat, Estimates, Game, Milli, Policy, SeedId, Split, TraceLevel, Weights,
};
use evenhand_sim::{
    Decided, Execution, Exploration, MatchPlan, Observer, Place, Rehearsal, Resolved, Round,
    SUITE_POSITIONS, Seated, Seeds, Side, TranscriptLines, Uncontrolled, Workspace,
    behaviour_fingerprint, play_round, run, run_observed, suite_decisions,
};
use evenhand_testkit::{Play, State, Toy, policy, setup};

fn plan() -> MatchPlan<Toy> {
    MatchPlan::new(setup(3), 2, policy("smart"), policy("easy")).unwrap()
}

fn seeds(count: u64) -> Seeds<Exploration> {
    Seeds::range(0, count).unwrap()
}

/// Counts what it sees.
#[derive(Default, Clone, Debug, PartialEq, Eq)]
struct Counts {
    level: TraceLevel,
    timed: bool,
    rounds: u64,
    decisions: [u64; 2],
    moves: u64,
    asked: u64,
    answered: u64,
    wrong_single: u64,
    wrong_pair: u64,
    staged: u64,
    nanos: bool,
    settlement: i64,
}

impl Observer<Toy> for Counts {
    fn level(&self) -> TraceLevel {
        self.level
    }
    fn timed(&self) -> bool {
        self.timed
    }
    fn decision(&mut self, at: &Place, decided: &Decided<'_, Toy>) {
        assert_eq!(at.sides[decided.seat], decided.side);
        assert_eq!(Toy::to_act(decided.state), Some(decided.seat));
        assert_eq!(Toy::view(decided.state, decided.seat), *decided.view);
        assert_eq!(decided.nanos.is_some(), self.timed);
        self.nanos |= decided.nanos.is_some();
        self.decisions[decided.side as usize] += 1;
        self.staged += u64::from(!decided.trace.decided_by().is_empty());
        self.asked += decided.trace.predictions.len() as u64;
        let wanted = self.level == TraceLevel::Full && decided.trace.decided_by() == "score";
        assert_eq!(!decided.trace.candidates.is_empty(), wanted);
    }
    fn moved(&mut self, _: &Place, _: evenhand_contract::Seat, _: &Play) {
        self.moves += 1;
    }
    fn resolved(&mut self, _: &Place, resolved: &Resolved<'_, Toy>) {
        self.answered += 1;
        let truth = resolved
            .truth
            .expect("the toy's questions are answered at once");
        let believed = resolved.prediction.believed.get() > 500_000;
        if Toy::is_exact(Toy::kind(&resolved.prediction.question)) {
            self.wrong_single += u64::from(believed != truth);
        } else {
            self.wrong_pair += u64::from(believed != truth);
        }
    }
    fn round_end(&mut self, at: &Place, end: &State, settlement: &BySeat<i64>) {
        assert_eq!(Toy::settlement(end), *settlement);
        self.rounds += 1;
        let of_a = settlement
            .iter()
            .filter(|(seat, _)| at.sides[*seat] == Side::A);
        self.settlement += of_a.map(|(_, points)| points).sum::<i64>();
    }
}

#[test]
fn watching_changes_nothing_and_sees_every_decision() {
    let (plan, seeds) = (plan(), seeds(9));
    let unwatched = run(
        &plan,
        &seeds,
        &Execution::with_workers(1),
        &mut Uncontrolled,
    )
    .unwrap();
    for (level, timed) in [
        (TraceLevel::Off, false),
        (TraceLevel::Off, true),
        (TraceLevel::Predictions, false),
        (TraceLevel::Full, true),
    ] {
        let make = |_: &SeedId| Counts {
            level,
            timed,
            ..Counts::default()
        };
        let mut seen = Vec::new();
        let execution = Execution::with_workers(3);
        let watched = run_observed(
            &plan,
            &seeds,
            &execution,
            &mut Uncontrolled,
            make,
            &mut |o| {
                seen.push(o);
            },
        )
        .unwrap();
        assert_eq!(watched, unwatched);
        assert_eq!(seen.len(), 9);
        for (counts, tally) in seen.iter().zip(&watched) {
            assert_eq!(counts.rounds, tally.rounds);
            assert_eq!(counts.decisions, [tally.a.decisions, tally.b.decisions]);
            assert_eq!(
                counts.settlement, tally.a.settlement,
                "observers come in seed order"
            );
            assert!(counts.moves > tally.a.decisions + tally.b.decisions);
            assert_eq!(counts.nanos, timed);
            assert_eq!(counts.staged, tally.a.decisions);
            assert_eq!(counts.answered, counts.asked);
            assert_eq!(counts.asked > 0, level != TraceLevel::Off);
            assert_eq!(counts.wrong_single, 0, "singles are exact");
        }
        let wrong: u64 = seen.iter().map(|counts| counts.wrong_pair).sum();
        assert_eq!(wrong > 0, level != TraceLevel::Off, "pairs are not");
    }
}

#[test]
fn transcripts_tell_every_round_so_that_it_can_be_replayed() {
    let mut plan = plan();
    plan.setup.rules = "lead=winner".parse().unwrap();
    let seeds = seeds(4);
    let text = |workers| {
        let mut text = String::new();
        let make = |_: &SeedId| TranscriptLines::new(&plan.setup, &plan.a, &plan.b);
        let execution = Execution {
            block: 1,
            ..Execution::with_workers(workers)
        };
        let mut sink = |lines: TranscriptLines<'_, Toy>| text.push_str(&lines.text);
        run_observed(
            &plan,
            &seeds,
            &execution,
            &mut Uncontrolled,
            make,
            &mut sink,
        )
        .unwrap();
        text
    };
    let lines = text(1);
    assert_eq!(lines, text(4));
    assert!(lines.ends_with('\n') && !lines.contains("\n\n"));
    let rounds: Vec<serde_json::Value> = lines
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(rounds.len(), 4 * 6 * 2);
    let mut winners = std::collections::BTreeMap::new();
    for round in &rounds {
        assert_eq!(round["format"], "evenhand-transcript/1");
        assert_eq!(round["game"], "toy");
        assert_eq!(round["players"], 3);
        assert_eq!(round["ruleset"], "lead=winner");
        assert_eq!(round["split"], "exploration");
        let arrangement = round["arrangement"].as_u64().unwrap();
        let focal = (arrangement % 3) as usize;
        let (lone, others) = if arrangement < 3 {
            ("smart", "easy")
        } else {
            ("easy", "smart")
        };
        for seat in 0..3 {
            let expected = if seat == focal { lone } else { others };
            assert_eq!(round["policies"][seat], expected);
        }
        replay(round, &mut winners);
    }
    // All arrangements of a round share the deal, and no two rounds do.
    for round in &rounds {
        for other in &rounds {
            let same = (&round["seed"], &round["round"]) == (&other["seed"], &other["round"]);
            assert_eq!(round["deal"] == other["deal"], same);
        }
    }
}

/// Plays a transcript's round again from its text alone.
fn replay(round: &serde_json::Value, winners: &mut std::collections::BTreeMap<(u64, u64), usize>) {
    let number = |name: &str| round[name].as_u64().unwrap();
    let mut hands: Vec<Vec<u8>> = Vec::new();
    for hand in round["deal"]["hands"].as_array().unwrap() {
        hands.push(
            hand.as_str()
                .unwrap()
                .split(' ')
                .map(|id| id.parse().unwrap())
                .collect(),
        );
    }
    let moves = round["moves"].as_array().unwrap();
    let leader = moves[0]["seat"].as_u64().unwrap() as usize;
    let table = (number("seed"), number("arrangement"));
    match winners.get(&table) {
        Some(&winner) => assert_eq!(leader, winner, "the winner of the round before leads"),
        None => assert!(
            hands[leader].contains(&0),
            "the holder of the weakest card leads"
        ),
    }
    for (turn, made) in moves.iter().enumerate() {
        let seat = made["seat"].as_u64().unwrap() as usize;
        match made["play"].as_str().unwrap() {
            "pass" => assert!(turn > 0),
            cards => {
                for id in cards.split(' ').map(|id| id.parse::<u8>().unwrap()) {
                    let place = hands[seat].iter().position(|&held| held == id).unwrap();
                    hands[seat].remove(place);
                }
            }
        }
        assert_eq!(hands[seat].is_empty(), turn + 1 == moves.len());
    }
    let left: Vec<i64> = hands.iter().map(|hand| hand.len() as i64).collect();
    let total: i64 = left.iter().sum();
    let winner = left.iter().position(|&n| n == 0).unwrap();
    winners.insert(table, winner);
    for (seat, &count) in left.iter().enumerate() {
        let expected = if seat == winner { total } else { -count };
        assert_eq!(round["settlement"][seat], expected);
    }
}

#[test]
fn a_single_round_can_be_played_by_any_seating() {
    let table = setup(4);
    let (smart, easy) = (policy("smart"), policy("easy"));
    let seated = Seated {
        setup: &table,
        policies: [&smart, &easy],
        work_limit: Toy::WORK_LIMIT,
    };
    let mut stream = evenhand_contract::Stream::keyed("any", &[]);
    let deal = Toy::deal(&table, &mut stream);
    let mut at = Place::self_play(4, Split::Calibration, SeedId::Number(1), 1);
    at.sides[evenhand_contract::Seat(2)] = Side::B;
    let round = Round {
        at,
        deal: &deal,
        carry: &Default::default(),
    };
    let mut counts = Counts::default();
    let mut workspace = Workspace::new(4);
    let end = play_round(&seated, &round, &mut workspace, &mut counts).unwrap();
    assert_eq!(Toy::to_act(end), None);
    assert_eq!(counts.rounds, 1);
    assert!(counts.decisions[0] > counts.decisions[1] && counts.decisions[1] > 0);
}

fn moved(knob: usize, value: Milli) -> Policy<Toy> {
    let mut smart = policy("smart");
    smart.weights = Weights::defaults(smart.row.knobs)
        .with(smart.row.knobs, knob, value)
        .unwrap();
    smart
}

#[test]
fn the_fingerprint_moves_when_play_does_and_only_then() {
    for players in [2, 4] {
        let table = setup(players);
        let of = |policy: &Policy<Toy>| behaviour_fingerprint(policy, &table).unwrap();
        let smart = of(&policy("smart"));
        assert_eq!(smart, of(&policy("smart")));
        assert_eq!(smart.len(), 64);
        assert_eq!(smart, of(&moved(3, 2_000)), "no decision reads Idle");
        assert_ne!(smart, of(&moved(0, 1_000)), "Shed decides a lot");
        assert_ne!(smart, of(&policy("easy")));
    }
    let fingerprint = |players| behaviour_fingerprint(&policy("easy"), &setup(players)).unwrap();
    assert_ne!(fingerprint(2), fingerprint(3));
}

#[test]
fn the_suite_is_kept_with_its_decisions() {
    let made = suite_decisions(&policy("smart"), &setup(3)).unwrap();
    assert_eq!(made.len(), SUITE_POSITIONS);
    assert_eq!(made, suite_decisions(&policy("smart"), &setup(3)).unwrap());
    let distinct: std::collections::BTreeSet<String> =
        made.iter().map(|d| d.view.to_string()).collect();
    assert!(
        distinct.len() > SUITE_POSITIONS * 9 / 10,
        "{}",
        distinct.len()
    );
    let leads = made.iter().filter(|d| d.view["field"] == "-").count();
    assert!(
        leads > 200 && leads < SUITE_POSITIONS - 200,
        "{leads} leads"
    );
    let fallen = suite_decisions(&policy("broken"), &setup(3)).unwrap();
    assert!(
        fallen
            .iter()
            .all(|d| d.decision.starts_with("fallback:policy_error "))
    );
    let panics = suite_decisions(&policy("panics"), &setup(3));
    assert!(panics.is_err_and(|f| f.reason.contains("of the suite") && f.view.is_some()));
}

#[test]
fn plans_digest_everything_that_decides_play() {
    let base = plan();
    let seeds = seeds(3);
    let reference = base.digest(&seeds);
    let mut plans: Vec<MatchPlan<Toy>> = Vec::new();
    for change in 0..8 {
        let mut plan = base.clone();
        match change {
            0 => plan.rounds = 3,
            1 => plan.setup.players = 4,
            2 => plan.setup.rules = "pay=flat".parse().unwrap(),
            3 => plan.work_limit -= 1,
            4 => plan.a = moved(0, 999),
            5 => plan.a.stages_off = 1,
            6 => plan.b = policy("eager"),
            _ => {
                let map = evenhand_contract::Map::new(&[(0, evenhand_contract::Ppm::ZERO)]);
                plan.a.maps = evenhand_contract::Maps::new(vec![None, Some(map.unwrap())]);
            }
        }
        plans.push(plan);
    }
    let mut digests: Vec<String> = plans.iter().map(|plan| plan.digest(&seeds)).collect();
    digests.push(reference.clone());
    digests.push(base.digest(&Seeds::<Exploration>::range(0, 4).unwrap()));
    digests.push(base.digest(&Seeds::<Rehearsal>::range(0, 3).unwrap()));
    let distinct: std::collections::BTreeSet<&String> = digests.iter().collect();
    assert_eq!(distinct.len(), digests.len());
    assert_eq!(base.digest(&seeds), reference);
}
