//! Daifugo through the binaries: an independent referee over its transcripts, and views in, answers
//! out. The referee reads text and knows the rules from the rules page alone; it shares no code
//! with the engine, on purpose.

use evenhand_tests::{command, refuse, root, succeed};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::Stdio;

const ORDER: &str = "3456789TJQKA2";
const SUITS: &str = "CDHS";

/// A natural as its place in the order from 3 to 2 and its suit's; a joker as 99 and its number.
type Card = (usize, usize);

const JOKER: usize = 99;

fn card(text: &str) -> Card {
    if let Some(number) = text.strip_prefix('*') {
        let number: usize = number.parse().expect("a joker's number");
        assert!((1..=2).contains(&number));
        return (JOKER, number);
    }
    let text = text.replace("10", "T");
    let letters: Vec<char> = text.chars().collect();
    assert_eq!(letters.len(), 2, "{text}");
    let place = |all: &str, letter| all.find(letter).expect("a letter of the order");
    (place(ORDER, letters[0]), place(SUITS, letters[1]))
}

fn cards(json: &Value) -> BTreeSet<Card> {
    let text = json.as_str().expect("cards are text");
    let list: Vec<Card> = text.split_whitespace().map(card).collect();
    let set: BTreeSet<Card> = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "a card twice in {text}");
    set
}

fn number(json: &Value) -> usize {
    json.as_u64().expect("a number") as usize
}

fn numbers(json: &Value) -> Vec<usize> {
    json.as_array()
        .expect("a list")
        .iter()
        .map(number)
        .collect()
}

/// A play: whether it is a stair, its size, and its worth in both orders.
#[derive(Clone, Debug)]
struct Played {
    stair: bool,
    cards: BTreeSet<Card>,
    worth: [usize; 2],
    owner: usize,
}

fn read_play(step: &Value, owner: usize) -> Played {
    let cards = cards(&step["cards"]);
    let naturals: Vec<Card> = cards.iter().copied().filter(|c| c.0 != JOKER).collect();
    let stair = step["play"] == "stair";
    let worth = if stair {
        let start = card(&format!(
            "{}C",
            step["start"].as_str().expect("always written")
        ))
        .0;
        let end = start + cards.len() - 1;
        assert!(cards.len() >= 3 && end <= 12 && !naturals.is_empty());
        for natural in &naturals {
            assert!((start..=end).contains(&natural.0) && natural.1 == naturals[0].1);
        }
        [start, 12 - end]
    } else {
        assert_eq!(step["play"], "set");
        assert!((1..=6).contains(&cards.len()));
        match naturals.first() {
            None => [JOKER, JOKER],
            Some(first) => {
                assert!(naturals.iter().all(|c| c.0 == first.0));
                [first.0, 12 - first.0]
            }
        }
    };
    Played {
        stair,
        cards,
        worth,
        owner,
    }
}

struct Table {
    hands: Vec<BTreeSet<Card>>,
    active: Vec<bool>,
    passed: Vec<bool>,
    field: Option<Played>,
    revolution: bool,
    turn: usize,
    best: Option<usize>,
    switches: [bool; 3],
    normal: Vec<usize>,
    fouls: Vec<usize>,
    fallen: Option<usize>,
}

/// How many of each thing were met.
#[derive(Default)]
struct Met(BTreeMap<&'static str, u32>);

impl Met {
    fn count(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }
}

impl Table {
    fn new(line: &Value, met: &mut Met) -> Self {
        let rules = line["ruleset"].as_str().expect("a ruleset");
        let deal = &line["deal"];
        let mut hands: Vec<_> = deal["hands"]
            .as_array()
            .expect("hands")
            .iter()
            .map(cards)
            .collect();
        let n = hands.len();
        let (size, blind) = [(13, 15), (13, 2), (10, 4), (9, 0)][n - 3];
        assert!(hands.iter().all(|hand| hand.len() == size));
        let aside = cards(&deal["blind"]);
        assert_eq!(aside.len(), blind);
        assert!(aside.iter().all(|c| c.0 != JOKER), "a joker in the blind");
        let all: BTreeSet<Card> = hands.iter().flatten().chain(&aside).copied().collect();
        assert_eq!(all.len(), 54, "every card lies in one place");
        let leader = number(&deal["leader"]);
        let mut best = None;
        let tribute = deal["tribute"].as_array().expect("a list");
        if deal["previous"].is_null() {
            assert!(tribute.is_empty() && line["round"] == 1);
        } else {
            let places = numbers(&deal["previous"]);
            let at = |place: usize| {
                places
                    .iter()
                    .position(|p| *p == place)
                    .expect("a permutation")
            };
            assert_eq!(leader, at(n), "last place leads");
            best = Some(at(1));
            let owed = match n {
                3 => vec![(at(3), at(1), 1)],
                _ => vec![(at(n), at(1), 2), (at(n - 1), at(2), 1)],
            };
            let mut told = BTreeSet::new();
            let dealt = hands.clone();
            for one in tribute {
                let (from, to, given) = (
                    number(&one["from"]),
                    number(&one["to"]),
                    cards(&one["cards"]),
                );
                assert!(
                    given.is_subset(&dealt[from]),
                    "given from the hand as dealt"
                );
                if let Some((_, _, k)) = owed.iter().find(|o| (o.0, o.1) == (from, to)) {
                    // By rank, then suit; tuples sort so, jokers last and *2 after *1.
                    let strongest = dealt[from].iter().rev().take(*k).copied();
                    assert_eq!(given, strongest.collect());
                }
                told.insert((from, to, given.len()));
                hands[from].retain(|c| !given.contains(c));
                hands[to].extend(&given);
            }
            let both = owed
                .iter()
                .flat_map(|&(low, high, k)| [(low, high, k), (high, low, k)]);
            assert_eq!(told, both.collect(), "who gave how many to whom");
            met.count("tribute");
        }
        Self {
            active: vec![true; n],
            passed: vec![false; n],
            field: None,
            revolution: false,
            turn: leader,
            best,
            switches: [
                !rules.contains("foul_eight=off"),
                rules.contains("foul_spade3=on"),
                !rules.contains("fall=off"),
            ],
            normal: Vec::new(),
            fouls: Vec::new(),
            fallen: None,
            hands,
        }
    }

    fn over(&self) -> bool {
        self.active.iter().filter(|a| **a).count() < 2
    }

    fn after(&self, seat: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let n = self.hands.len();
        (1..=n)
            .map(|step| (seat + step) % n)
            .find(|&s| self.active[s] && fits(s))
    }

    fn clear(&mut self, seat: usize) {
        self.field = None;
        self.passed.fill(false);
        self.turn = match self.active[seat] {
            true => seat,
            false => self.after(seat, |_| true).unwrap_or(seat),
        };
    }

    fn go_on(&mut self, seat: usize) {
        let owner = self.field.as_ref().map_or(seat, |f| f.owner);
        match self.after(seat, |s| s != owner && !self.passed[s]) {
            Some(next) => self.turn = next,
            None => self.clear(owner),
        }
    }

    fn step(&mut self, step: &Value, met: &mut Met) {
        assert!(!self.over(), "a move after the end");
        let seat = number(&step["seat"]);
        assert_eq!(seat, self.turn);
        assert!(self.active[seat] && !self.passed[seat]);
        if step["play"] == "pass" {
            assert!(self.field.is_some(), "a pass on the lead");
            self.passed[seat] = true;
            return self.go_on(seat);
        }
        let play = read_play(step, seat);
        assert!(play.cards.is_subset(&self.hands[seat]), "cards of another");
        let spade_3 = play.cards == BTreeSet::from([card("3S")]);
        let mut on_joker = false;
        if let Some(field) = &self.field {
            assert_eq!(
                (play.stair, play.cards.len()),
                (field.stair, field.cards.len())
            );
            let order = usize::from(self.revolution);
            let joker = field.cards.len() == 1 && field.worth[0] == JOKER;
            on_joker = spade_3 && joker;
            assert!(
                on_joker || play.worth[order] > field.worth[order],
                "too weak"
            );
        }
        self.hands[seat].retain(|c| !play.cards.contains(c));
        let eights = !play.stair && play.worth[0] == card("8C").0;
        let turns = !play.stair && play.cards.len() >= 4;
        if self.hands[seat].is_empty() {
            self.finish(seat, &play, eights, spade_3, met);
        }
        if turns {
            self.revolution = !self.revolution;
            met.count("revolution");
        }
        if eights || on_joker {
            met.count(if eights { "eights" } else { "spade 3" });
            self.clear(seat);
        } else {
            if play.stair {
                met.count("stair");
            }
            self.field = Some(play);
            self.go_on(seat);
        }
    }

    fn finish(&mut self, seat: usize, play: &Played, eights: bool, spade_3: bool, met: &mut Met) {
        let top = if self.revolution { 0 } else { 12 };
        let [foul_eight, foul_spade3, fall] = self.switches;
        let foul = play.cards.iter().any(|c| c.0 == JOKER || c.0 == top)
            || foul_eight && eights
            || foul_spade3 && spade_3;
        self.active[seat] = false;
        if foul {
            met.count("foul");
            self.fouls.push(seat);
            return;
        }
        self.normal.push(seat);
        let falls = self
            .best
            .filter(|&best| fall && self.normal.len() == 1 && best != seat && self.active[best]);
        if let Some(best) = falls {
            met.count("fall");
            self.active[best] = false;
            self.fallen = Some(best);
        }
    }

    fn places(&self) -> Vec<usize> {
        let left = (0..self.hands.len()).filter(|&s| self.active[s]);
        let fouls = self.fouls.iter().rev().copied();
        let order = self
            .normal
            .iter()
            .copied()
            .chain(left)
            .chain(self.fallen)
            .chain(fouls);
        let mut places = vec![0; self.hands.len()];
        for (place, seat) in order.enumerate() {
            places[seat] = place + 1;
        }
        places
    }
}

fn replay(line: &Value, met: &mut Met) {
    let mut table = Table::new(line, met);
    for step in line["moves"].as_array().expect("moves") {
        table.step(step, met);
    }
    assert!(table.over(), "the round has an end");
    let places = table.places();
    let n = places.len() as i64;
    assert_eq!(line["places"], json!(places));
    assert_eq!(line["fouls"], json!(table.fouls));
    assert_eq!(line["fallen"], json!(table.fallen));
    let points: Vec<i64> = places
        .iter()
        .map(|&place| n + 1 - 2 * place as i64)
        .collect();
    assert_eq!(line["settlement"], json!(points));
}

#[test]
fn a_referee_that_knows_only_the_rules_page_agrees() {
    let mut met = Met::default();
    for (players, ruleset, a, b) in [
        ("3", "fall=off", "careful", "easy"),
        ("4", "default", "careful", "easy"),
        ("5", "foul_eight=off,foul_spade3=on", "easy", "careful"),
        ("6", "default", "careful", "easy"),
    ] {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("rounds.jsonl");
        let mut args = vec!["--game", "daifugo", "--rounds", "4", "--seeds", "24"];
        args.extend([
            "--players",
            players,
            "--ruleset",
            ruleset,
            "--a",
            a,
            "--b",
            b,
        ]);
        args.extend(["--transcript", path.to_str().expect("UTF-8")]);
        succeed("measure", &args);
        let text = std::fs::read_to_string(&path).expect("the transcript is there");
        let mut places = BTreeMap::new();
        let mut deals = BTreeMap::new();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("a line is JSON");
            assert_eq!(line["format"], "evenhand-transcript/1");
            assert_eq!(line["ruleset"], *ruleset);
            replay(&line, &mut met);
            let (seed, round) = (number(&line["seed"]), number(&line["round"]));
            let at = |round| (seed, number(&line["arrangement"]), round);
            if round > 1 {
                // Classes go by the places of the round before in the same match.
                assert_eq!(Some(&line["deal"]["previous"]), places.get(&at(round - 1)));
            }
            places.insert(at(round), line["places"].clone());
            // Hands as dealt and blinds are shared by all arrangements of a seed.
            let dealt = (line["deal"]["hands"].clone(), line["deal"]["blind"].clone());
            assert_eq!(*deals.entry((seed, round)).or_insert(dealt.clone()), dealt);
        }
        let n: usize = players.parse().expect("a number");
        assert_eq!(places.len(), 24 * 2 * n * 4);
    }
    for what in [
        "tribute",
        "revolution",
        "eights",
        "spade 3",
        "stair",
        "foul",
        "fall",
    ] {
        assert!(
            met.0.get(what).is_some_and(|n| *n >= 10),
            "{what}: {:?}",
            met.0
        );
    }
}

#[test]
fn views_of_each_kind_of_decision_are_answered() {
    let follow = json!({
        "players": 4, "seat": 2, "hand": "JH QD *1", "counts": [11, 12, 3, 12],
        "played": ["4C 4D", "9D", "3C 3D 3H 5C 5D 5H 7C 7D 7H JD", "10S"],
        "field": {"play": "set", "cards": "10S"}, "field_owner": 3, "passed": [0], "id": "a",
    });
    let give_back = json!({
        "players": 4, "seat": 0, "hand": "3C 3D 4H 5S 6C 7D 9H 10S JC QD KH AS 2C",
        "counts": [13, 13, 13, 13], "played": ["", "", "", ""], "field": "-",
        "round": 2, "previous": [1, 2, 4, 3], "due": 2,
    });
    let mut wrong = follow.clone();
    wrong["counts"] = json!([11, 12, 3, 11]);
    let lines = [&follow, &give_back, &wrong]
        .map(Value::to_string)
        .join("\n");
    let mut decide = command("decide", root())
        .args(["--game", "daifugo", "--policy", "easy", "--explain"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("decide starts");
    let mut input = decide.stdin.take().expect("a pipe");
    input.write_all(lines.as_bytes()).expect("decide reads");
    drop(input);
    let output = decide.wait_with_output().expect("decide ends");
    assert_eq!(output.status.code(), Some(3), "one line is no view");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers[0]["play"], "set");
    assert_eq!(answers[0]["cards"], "JH");
    assert_eq!(answers[0]["id"], "a");
    assert_eq!(answers[0]["legal"], json!(["pass", "JH", "QD", "*1"]));
    assert_eq!(answers[1]["play"], "return");
    assert_eq!(answers[1]["cards"], "3C 3D");
    assert_eq!(answers[2]["line"], 3);
    let error = answers[2]["error"].as_str().expect("an error");
    assert!(error.contains("counts[3]"), "{error}");
}

#[test]
fn what_daifugo_does_not_know_is_refused() {
    let with = |players: &'static str, ruleset: &'static str| {
        let args = ["--game", "daifugo", "--a", "careful", "--b", "easy"];
        let mut all = args.to_vec();
        all.extend(["--players", players, "--ruleset", ruleset]);
        refuse("measure", &all, 3)
    };
    let error = with("2", "default");
    assert!(error.contains("3, 4, 5, 6"), "{error}");
    let error = with("4", "fall=no");
    assert!(error.contains("fall is one of off, on"), "{error}");
}
