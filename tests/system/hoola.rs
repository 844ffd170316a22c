//! Hoola through the binaries: an independent referee over its transcripts, and views in, answers
//! out. The referee reads text and knows the rules from the rules page alone; it shares no code
//! with the engine, on purpose.

use evenhand_tests::{command, refuse, root, succeed};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Write;
use std::process::Stdio;

/// A card as (value 1 to 13, suit letter).
type Card = (u32, char);

fn card(text: &str) -> Card {
    let (rank, suit) = text.split_at(text.len() - 1);
    let value = match rank {
        "A" => 1,
        "J" => 11,
        "Q" => 12,
        "K" => 13,
        number => number.parse().expect("a number"),
    };
    assert!((1..=13).contains(&value) && "CDHS".contains(suit));
    (value, suit.chars().next().expect("a suit"))
}

fn cards(json: &Value) -> Vec<Card> {
    let text = json.as_str().expect("cards are text");
    text.split_whitespace().map(card).collect()
}

fn sum(hand: &BTreeSet<Card>) -> u32 {
    hand.iter().map(|card| card.0).sum()
}

fn one_rank(cards: &[Card]) -> bool {
    cards.iter().all(|card| card.0 == cards[0].0)
}

/// Whether the cards follow one another round the suit.
fn follow(cards: &[Card]) -> bool {
    let one_suit = cards.iter().all(|card| card.1 == cards[0].1);
    let starts = cards.iter().filter(|card| {
        let before = if card.0 == 1 { 13 } else { card.0 - 1 };
        !cards.contains(&(before, card.1))
    });
    one_suit && starts.count() <= 1
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Set,
    Run,
    Seven,
}

fn registered_as(cards: &[Card]) -> Kind {
    match cards.len() {
        1 if cards[0].0 == 7 => Kind::Seven,
        3 | 4 if one_rank(cards) => Kind::Set,
        3..=13 if follow(cards) => Kind::Run,
        _ => panic!("{cards:?} may not be registered"),
    }
}

fn laid_off(kind: Kind, all: &[Card]) -> Kind {
    let set = (3..=4).contains(&all.len()) && one_rank(all);
    match kind {
        Kind::Set | Kind::Seven if set => Kind::Set,
        Kind::Run | Kind::Seven if all.len() >= 2 && follow(all) => Kind::Run,
        _ => panic!("{all:?} is no longer a {kind:?}"),
    }
}

/// A round as the referee follows it.
struct Table {
    hands: Vec<BTreeSet<Card>>,
    registered: Vec<bool>,
    melds: Vec<(Kind, Vec<Card>)>,
    pile: Vec<(Card, Option<usize>)>,
    deck: VecDeque<Card>,
    turn: usize,
    /// Whether the top of the pile may be claimed.
    window: bool,
    /// Whether the seat of the turn has drawn or claimed.
    drawn: bool,
    /// In a thank-you turn: whose discard was claimed.
    claimed: Option<Option<usize>>,
    registered_before: bool,
    lines: [u32; 3],
    hand_size: usize,
    penalty: bool,
    end: Option<(&'static str, usize, i64)>,
    /// Who pays everything.
    payer: Option<usize>,
    declarer: Option<usize>,
}

impl Table {
    fn new(line: &Value) -> Self {
        let rules = line["ruleset"].as_str().expect("a ruleset");
        let deal = &line["deal"];
        let hands: Vec<BTreeSet<Card>> = deal["hands"]
            .as_array()
            .expect("hands")
            .iter()
            .map(|hand| cards(hand).into_iter().collect())
            .collect();
        let hand_size = [("hand_size=10", 10), ("hand_size=13", 13)]
            .iter()
            .find(|(switch, _)| rules.contains(switch))
            .map_or(7, |(_, size)| *size);
        assert!(hands.iter().all(|hand| hand.len() == hand_size));
        let up = cards(&deal["turned_up"]);
        assert_eq!(up.len(), 1);
        let table = Self {
            registered: vec![false; hands.len()],
            melds: Vec::new(),
            pile: vec![(up[0], None)],
            deck: cards(&deal["deck"]).into(),
            turn: deal["start"].as_u64().expect("a seat") as usize,
            window: true,
            drawn: false,
            claimed: None,
            registered_before: false,
            lines: if rules.contains("stops=standard") {
                [18, 80, 10]
            } else {
                [20, 78, 15]
            },
            hand_size,
            penalty: rules.contains("thank_you_penalty=on"),
            end: None,
            payer: None,
            declarer: None,
            hands,
        };
        table.check();
        table
    }

    /// Every card is in exactly one place, and unregistered seats hold what they were dealt.
    fn check(&self) {
        let held = self.hands.iter().flatten();
        let melded = self.melds.iter().flat_map(|(_, cards)| cards);
        let discarded = self.pile.iter().map(|(card, _)| card);
        let all: Vec<Card> = held
            .chain(melded)
            .chain(discarded)
            .chain(&self.deck)
            .copied()
            .collect();
        assert_eq!(all.len(), 52);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 52);
        for (seat, hand) in self.hands.iter().enumerate() {
            let drawn = usize::from(self.drawn && seat == self.turn);
            if !self.registered[seat] && self.end.is_none() {
                assert_eq!(hand.len(), self.hand_size + drawn);
            }
        }
    }

    fn take(&mut self, seat: usize, cards: &[Card]) {
        for card in cards {
            assert!(self.hands[seat].remove(card), "{card:?} is held");
        }
    }

    fn next(&self, seat: usize, steps: usize) -> usize {
        (seat + steps) % self.hands.len()
    }

    fn play(&mut self, step: &Value) {
        assert!(self.end.is_none(), "a move after the end");
        let seat = step["seat"].as_u64().expect("a seat") as usize;
        let cards = match step.get("cards") {
            Some(text) => cards(text),
            None => Vec::new(),
        };
        match step["do"].as_str().expect("a move") {
            "thank_you" => {
                assert!(self.window, "only the top card, once, before the draw");
                let (top, by) = self.pile.pop().expect("a discard");
                assert_ne!(by, Some(seat), "its own discard");
                assert!(cards.contains(&top));
                self.hands[seat].insert(top);
                self.claimed = Some(by);
                self.turn = seat;
                self.registered_before = self.registered[seat];
                self.drawn = true;
                self.window = false;
                self.register(seat, cards);
            }
            "stop" => {
                self.begin(seat);
                self.stop(seat, step["kind"].as_str().expect("a kind"));
            }
            "draw" => {
                self.begin(seat);
                let card = self.deck.pop_front().expect("a draw finds a card");
                self.hands[seat].insert(card);
                self.drawn = true;
            }
            "register" => {
                self.in_turn(seat);
                self.register(seat, cards);
            }
            "lay_off" => {
                self.in_turn(seat);
                assert!(self.registered[seat] && !cards.is_empty());
                self.take(seat, &cards);
                let place = step["meld"].as_u64().expect("a meld") as usize;
                let (kind, mut all) = self.melds[place].clone();
                all.extend(cards);
                self.melds[place] = (laid_off(kind, &all), all);
                self.check_out(seat);
            }
            "discard" => {
                self.in_turn(seat);
                assert_eq!(cards.len(), 1);
                self.take(seat, &cards);
                self.pile.push((cards[0], Some(seat)));
                self.check_out(seat);
                self.turn = self.next(seat, 1);
                self.window = true;
                self.drawn = false;
                self.claimed = None;
            }
            other => panic!("no move {other}"),
        }
        self.check();
    }

    /// A turn in its order begins: nobody claims any more.
    fn begin(&mut self, seat: usize) {
        assert!(seat == self.turn && !self.drawn);
        self.window = false;
        self.registered_before = self.registered[seat];
    }

    fn in_turn(&self, seat: usize) {
        assert!(seat == self.turn && self.drawn);
    }

    fn register(&mut self, seat: usize, cards: Vec<Card>) {
        self.take(seat, &cards);
        self.melds.push((registered_as(&cards), cards));
        self.registered[seat] = true;
        self.check_out(seat);
    }

    fn check_out(&mut self, seat: usize) {
        if !self.hands[seat].is_empty() {
            return;
        }
        let hoola = !self.registered_before && self.claimed.is_none();
        self.end = Some(if hoola {
            ("hoola", seat, 2)
        } else {
            ("out", seat, 1)
        });
        self.payer = self.claimed.flatten().filter(|_| self.penalty);
    }

    fn stop(&mut self, seat: usize, kind: &str) {
        let hand = &self.hands[seat];
        let [low, high, plain] = self.lines;
        let fresh = !self.registered[seat];
        let sevens = hand.iter().filter(|card| card.0 == 7).count();
        let lines = fresh && self.hand_size == 7;
        let own = sum(hand);
        match kind {
            "four_sevens" => {
                assert!(fresh && sevens == 4);
                self.end = Some(("four_sevens", seat, 4));
            }
            "low" => {
                assert!(lines && own <= low);
                self.end = Some(("low", seat, 4));
            }
            "high" => {
                assert!(lines && own >= high);
                self.end = Some(("high", seat, 4));
            }
            "plain" => {
                assert!(!fresh && own <= plain);
                let others = (1..self.hands.len()).map(|step| self.next(seat, step));
                let lowest = others
                    .min_by_key(|&other| sum(&self.hands[other]))
                    .expect("others");
                if sum(&self.hands[lowest]) > own {
                    self.end = Some(("plain_stop", seat, 1));
                } else {
                    self.end = Some(("stop_penalty", lowest, 1));
                    self.payer = Some(seat);
                    self.declarer = Some(seat);
                }
            }
            other => panic!("no stop {other}"),
        }
    }

    /// After the last move: a draw may have been due on an empty deck.
    fn finish(&mut self) {
        if self.end.is_some() {
            return;
        }
        assert!(self.deck.is_empty() && !self.drawn, "the round goes on");
        let any = self.registered.contains(&true);
        let around = (0..self.hands.len()).map(|step| self.next(self.turn, step));
        let winner = around
            .filter(|&seat| self.registered[seat] || !any)
            .min_by_key(|&seat| (sum(&self.hands[seat]), self.hands[seat].len()))
            .expect("a seat");
        self.end = Some(("deck_empty", winner, 1));
    }

    fn settlement(&self) -> Vec<i64> {
        let (_, winner, e) = self.end.expect("over");
        let n = self.hands.len();
        let mut losers: Vec<usize> = (1..n)
            .map(|step| self.next(winner, step))
            .filter(|&seat| Some(seat) != self.declarer)
            .collect();
        // A stable sort keeps equal ones in seat order after the winner.
        losers.sort_by_key(|&seat| {
            let hand = &self.hands[seat];
            (!self.registered[seat], sum(hand), hand.len())
        });
        let sevens = |seat: usize| {
            let count = self.hands[seat].iter().filter(|card| card.0 == 7).count();
            1i64 << count
        };
        let mut shares = vec![0; n];
        for (place, &seat) in losers.iter().enumerate() {
            shares[seat] = sevens(seat)
                * e
                * if self.registered[seat] {
                    place as i64 + 1
                } else {
                    2 * (n as i64 - 1)
                };
        }
        if let Some(declarer) = self.declarer {
            shares[declarer] = (n as i64 - 1) * sevens(declarer);
        }
        let total: i64 = shares.iter().sum();
        let mut points: Vec<i64> = match self.payer {
            Some(payer) => (0..n)
                .map(|seat| if seat == payer { -total } else { 0 })
                .collect(),
            None => shares.iter().map(|share| -share).collect(),
        };
        points[winner] = total;
        points
    }
}

/// Replays a transcript line; tells how the round ended.
fn replay(line: &Value) -> &'static str {
    let mut table = Table::new(line);
    for step in line["moves"].as_array().expect("moves") {
        table.play(step);
    }
    table.finish();
    let (end, winner, _) = table.end.expect("over");
    assert_eq!(line["end"], end);
    assert_eq!(line["winner"], json!(winner));
    assert_eq!(line["settlement"], json!(table.settlement()));
    end
}

#[test]
fn a_referee_that_knows_only_the_rules_page_agrees() {
    let mut ends = BTreeSet::new();
    let mut claims = 0;
    for (players, ruleset, a, b) in [
        ("2", "stops=standard", "greedy", "easy"),
        ("3", "hand_size=13", "eager", "easy"),
        ("4", "default", "greedy", "eager"),
        ("4", "hand_size=10,thank_you_penalty=on", "eager", "greedy"),
        ("5", "stops=standard,thank_you_penalty=on", "greedy", "easy"),
    ] {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("rounds.jsonl");
        let mut args = vec!["--game", "hoola", "--rounds", "3", "--seeds", "16"];
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
        args.extend(["--table-a", "raw", "--table-b", "raw"]);
        args.extend(["--transcript", path.to_str().expect("UTF-8")]);
        succeed("measure", &args);
        let lines = std::fs::read_to_string(&path).expect("the transcript is there");
        let mut winners = BTreeMap::new();
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).expect("a line is JSON");
            assert_eq!(line["format"], "evenhand-transcript/1");
            assert_eq!(line["ruleset"], *ruleset);
            ends.insert(replay(&line));
            let moves = line["moves"].as_array().expect("moves");
            claims += moves.iter().filter(|m| m["do"] == "thank_you").count();
            // The winner of a round starts the next of its match.
            let key = |round: u64| {
                let number = |field: &str| line[field].as_u64().expect("a number");
                (number("seed"), number("arrangement"), round)
            };
            let round = line["round"].as_u64().expect("a number");
            if round > 1 {
                assert_eq!(Some(&line["deal"]["start"]), winners.get(&key(round - 1)));
            }
            winners.insert(key(round), line["winner"].clone());
        }
        let n: usize = players.parse().expect("a number");
        assert_eq!(lines.lines().count(), 16 * 2 * n * 3);
    }
    assert!(claims > 1000, "{claims} claims");
    for end in ["out", "hoola", "plain_stop", "stop_penalty", "deck_empty"] {
        assert!(ends.contains(end), "{end} is not among {ends:?}");
    }
}

#[test]
fn views_of_every_phase_are_answered() {
    // The examples of the schema.
    let schema = std::fs::read_to_string(root().join("crates/hoola/src/border.rs"));
    let docs: String = schema
        .expect("the schema is there")
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .collect();
    let views: Vec<&str> = docs
        .split('`')
        .filter(|text| text.starts_with("{\"players\""))
        .collect();
    assert_eq!(views.len(), 3);
    let mut decide = command("decide", root())
        .args(["--game", "hoola", "--policy", "eager", "--explain"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("decide starts");
    let mut input = decide.stdin.take().expect("a pipe");
    input
        .write_all(views.join("\n").as_bytes())
        .expect("decide reads");
    drop(input);
    let output = decide.wait_with_output().expect("decide ends");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers[0]["do"], "thank_you");
    assert_eq!(answers[0]["cards"], "4C 5C 6C");
    assert_eq!(
        answers[0]["legal"],
        json!(["thank_you 4C 5C 6C", "decline"])
    );
    assert_eq!(answers[1]["do"], "draw");
    assert_eq!(answers[2]["do"], "register");
    assert_eq!(answers[2]["plan"]["melds"], json!(["9C 9D 9H"]));
    assert!(answers.iter().all(|answer| answer["fallback"].is_null()));
}

#[test]
fn a_hand_size_that_the_deck_does_not_serve_is_refused() {
    let args = ["--game", "hoola", "--a", "eager", "--b", "easy"];
    let with = |players: &'static str, ruleset: &'static str| {
        let mut all = args.to_vec();
        all.extend(["--players", players, "--ruleset", ruleset]);
        refuse("measure", &all, 3)
    };
    let error = with("4", "hand_size=13");
    assert!(
        error.contains("hand_size=13 is for 2 to 3 players, not for 4"),
        "{error}"
    );
    let error = with("6", "default");
    assert!(error.contains("2, 3, 4, 5"), "{error}");
    let error = with("4", "hand_size=8");
    assert!(error.contains("hand_size is one of 7, 10, 13"), "{error}");
}
