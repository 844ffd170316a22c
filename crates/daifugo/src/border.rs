//! The text that crosses the border: views, decisions, transcripts.
//!
//! A view is an object of these fields. Those marked with a default may be left out or null, and a
//! caller's `id` and `state_version` are passed over. Any other field is refused, so that a
//! misspelt one cannot become a default.
//!
//! | field | meaning |
//! |---|---|
//! | `players` | 3 to 6 |
//! | `seat` | whose view it is, from 0; this seat decides |
//! | `ruleset` | `default` (the default), or the switches that differ |
//! | `round` | round of the match, from 1; default 1, or 2 where `previous` is given |
//! | `hand` | its cards, one or more |
//! | `counts` | cards in hand per seat; 0 for who left the round |
//! | `played` | per seat, every card it played this round, the field's included |
//! | `field` | the play to beat: `{"play":"set","cards":"KD *1"}` or `{"play":"stair","cards":"4C *1 6C","start":"4"}` (`start` may be left out where the cards allow one only); `-` on a lead |
//! | `field_owner` | the seat that played it; null on a lead |
//! | `revolution` | whether the order is turned; default false |
//! | `passed` | seats that passed since the field was last empty; default none |
//! | `normal` | seats that finished normally, in order; default none |
//! | `fouls` | seats that finished by a foul, in order; default none |
//! | `fallen` | the seat that fell; default null |
//! | `previous` | each seat's place in the round before, by which classes go; null (the default) in round 1 |
//! | `due` | cards of tribute that this seat must give back now; default 0: it is to play |
//! | `given`, `received` | own tribute; default none; wanted from a seat of a pair once it plays |
//!
//! It must add up: each seat's cards in hand and played make the hand size (of who fell, the rest
//! lies in the fall pile), no card lies in two places, the jokers are not in the blind, a field is
//! a play that its owner has made, and finishes, fall and tribute agree with `previous` and the
//! ruleset. It need not be reachable in play: whose turn it is is not re-counted.
//!
//! One example a kind of decision. To lead or to follow:
//!
//! ```
//! use evenhand_contract::{Border, Game};
//! use evenhand_daifugo::{Daifugo, Memo};
//!
//! let view = serde_json::json!({
//!     "players": 4, "seat": 2, "hand": "JH QD *1", "counts": [11, 12, 3, 12],
//!     "played": ["4C 4D", "9D", "3C 3D 3H 5C 5D 5H 7C 7D 7H JD", "10S"],
//!     "field": {"play": "set", "cards": "10S"}, "field_owner": 3, "passed": [0],
//! });
//! let view = Daifugo::parse_view(&view).expect("adds up");
//! let mut legal = Vec::new();
//! Daifugo::legal(&view, &mut Memo::default(), &mut legal);
//! let texts: Vec<String> = legal.iter().map(Daifugo::decision_text).collect();
//! assert_eq!(texts, ["pass", "JH", "QD", "*1"]);
//! ```
//!
//! To give tribute back, before it is seen:
//!
//! ```
//! use evenhand_contract::{Border, Game};
//! use evenhand_daifugo::{Daifugo, Memo};
//!
//! let view = serde_json::json!({
//!     "players": 4, "seat": 0, "hand": "3C 3D 4H 5S 6C 7D 9H 10S JC QD KH AS 2C",
//!     "counts": [13, 13, 13, 13], "played": ["", "", "", ""], "field": "-",
//!     "round": 2, "previous": [1, 2, 4, 3], "due": 2,
//! });
//! let view = Daifugo::parse_view(&view).expect("adds up");
//! let mut legal = Vec::new();
//! Daifugo::legal(&view, &mut Memo::default(), &mut legal);
//! assert_eq!(legal.len(), 78);
//! assert_eq!(Daifugo::decision_text(&legal[0]), "return 3C 3D");
//! ```

use crate::Memo;
use crate::card::{card_text, cards_text, parse_cards, parse_rank, rank_text};
use crate::game::Daifugo;
use crate::play::{Decision, Play, stair_starts};
use crate::state::State;
use crate::view::View;
use evenhand_contract::{Border, Cards, Json, Seat, ViewError};
use fields::{Fields, error};
use serde_json::json;

mod fields;
mod view;

const PASS: &str = "pass";
const SET: &str = "set";
const STAIR: &str = "stair";
const RETURN: &str = "return";
const FROM: &str = "from";

impl Border for Daifugo {
    fn parse_view(json: &Json) -> Result<View, ViewError> {
        view::parse(json)
    }

    fn view_json(view: &View) -> Json {
        view::json(view)
    }

    /// `pass`; a set's cards; `stair 4C *1 6C from 4`; `return 4C 5D`.
    fn decision_text(decision: &Decision) -> String {
        match *decision {
            Decision::Pass => PASS.to_owned(),
            Decision::Set(cards) => cards_text(cards),
            Decision::Stair { cards, start } => {
                format!(
                    "{STAIR} {} {FROM} {}",
                    in_place(cards, start),
                    rank_text(start)
                )
            }
            Decision::Return(cards) => format!("{RETURN} {}", cards_text(cards)),
        }
    }

    /// Cards come in any order; `from` may be left out where the cards allow one start only.
    fn parse_decision(text: &str) -> Result<Decision, ViewError> {
        if text == PASS {
            return Ok(Decision::Pass);
        }
        if let Some(rest) = text.strip_prefix("return ") {
            return Ok(Decision::Return(some_cards("return", rest)?));
        }
        let Some(rest) = text.strip_prefix("stair ") else {
            return Ok(Decision::Set(some_cards("play", text)?));
        };
        let (cards, start) = match rest.split_once(" from ") {
            Some((cards, start)) => (cards, Some(start)),
            None => (rest, None),
        };
        let play = stair("stair", some_cards("stair", cards)?, start)?;
        Ok(play.decision())
    }

    fn deal_json(start: &State) -> Json {
        let hands: Vec<String> = start.dealt().iter().map(|(_, &h)| cards_text(h)).collect();
        json!({ "hands": hands, "blind": cards_text(start.blind()) })
    }

    fn deal_by_play_json(end: &State) -> Vec<(&'static str, Json)> {
        let tribute: Vec<Json> = end
            .tribute()
            .map(|(from, to, cards)| json!({"from": from, "to": to, "cards": cards_text(cards)}))
            .collect();
        vec![
            ("leader", json!(end.leader())),
            (
                "previous",
                json!(end.previous().map(|places| places.as_slice())),
            ),
            ("tribute", json!(tribute)),
        ]
    }

    fn move_json(seat: Seat, decision: &Decision) -> Option<Json> {
        // Tribute stands with the deal.
        if matches!(decision, Decision::Return(_)) {
            return None;
        }
        let mut fields = decision_json(decision);
        fields.push(("seat", json!(seat)));
        Some(object(fields))
    }

    fn round_json(end: &State) -> Vec<(&'static str, Json)> {
        vec![
            ("places", json!(end.places().as_slice())),
            ("fouls", json!(end.fouls().as_slice())),
            ("fallen", json!(end.fallen())),
        ]
    }

    fn unseen_text(view: &View) -> String {
        cards_text(view.unseen())
    }

    fn plan_json(_view: &View, _memo: &mut Memo) -> Json {
        json!({})
    }

    fn answer_json(decision: &Decision) -> Vec<(&'static str, Json)> {
        decision_json(decision)
    }
}

/// A decision as the fields of a move or an answer.
fn decision_json(decision: &Decision) -> Vec<(&'static str, Json)> {
    match *decision {
        Decision::Pass => vec![("play", json!(PASS))],
        Decision::Set(cards) => vec![("play", json!(SET)), ("cards", json!(cards_text(cards)))],
        Decision::Stair { cards, start } => vec![
            ("play", json!(STAIR)),
            ("cards", json!(in_place(cards, start))),
            ("start", json!(rank_text(start))),
        ],
        Decision::Return(cards) => {
            vec![("play", json!(RETURN)), ("cards", json!(cards_text(cards)))]
        }
    }
}

/// A stair's cards by their places; of what is none, by their ids.
fn in_place(cards: Cards, start: u8) -> String {
    match Play::stair(cards, start) {
        Some(play) => play.cards_text(),
        None => cards.iter().map(card_text).collect::<Vec<_>>().join(" "),
    }
}

fn some_cards(field: &str, text: &str) -> Result<Cards, ViewError> {
    let cards = parse_cards(field, text)?;
    if cards.is_empty() {
        return Err(error(
            field,
            format!("{text:?} names no card; a pass is \"pass\""),
        ));
    }
    Ok(cards)
}

/// The stair of these cards, whose start must be told where there are several.
fn stair(field: &str, cards: Cards, start: Option<&str>) -> Result<Play, ViewError> {
    let text = cards_text(cards);
    let starts: Vec<u8> = stair_starts(cards).collect();
    let start = match (start, &starts[..]) {
        (Some(start), _) => parse_rank(start).map_err(|e| error(field, e))?,
        (None, [only]) => *only,
        (None, []) => return Err(error(field, format!("{text} is no stair"))),
        (None, several) => {
            let ranks: Vec<_> = several.iter().map(|&rank| rank_text(rank)).collect();
            return Err(error(
                field,
                format!(
                    "{text} may start at {}: the start must be told",
                    ranks.join(", ")
                ),
            ));
        }
    };
    Play::stair(cards, start).ok_or_else(|| {
        error(
            field,
            format!("{text} is no stair from {}", rank_text(start)),
        )
    })
}

/// A play from its fields.
fn parse_play(field: &str, json: &Json) -> Result<Play, ViewError> {
    let fields = Fields::of(field, json, &["play", "cards", "start"])?;
    let named = |name: &str| format!("{field}.{name}");
    let within = |e: ViewError| error(&named(&e.field), e.reason);
    let kind = fields.text("play").map_err(within)?;
    let text = fields.text("cards").map_err(within)?;
    let cards = some_cards(&named("cards"), text)?;
    match kind {
        SET if fields.get("start").is_some() => {
            Err(error(&named("start"), "belongs to stairs only"))
        }
        SET => Play::set(cards).ok_or_else(|| {
            let text = cards_text(cards);
            error(&named("cards"), format!("{text} is no set"))
        }),
        STAIR => {
            let start = match fields.get("start") {
                None => None,
                Some(_) => Some(fields.text("start").map_err(within)?),
            };
            stair(field, cards, start)
        }
        other => Err(error(
            &named("play"),
            format!("is {other:?}; it must be \"{SET}\" or \"{STAIR}\""),
        )),
    }
}

/// A play as its fields.
fn play_json(play: &Play) -> Json {
    object(decision_json(&play.decision()))
}

fn object(fields: Vec<(&'static str, Json)>) -> Json {
    let named = fields.into_iter();
    named.map(|(name, json)| (name.to_owned(), json)).collect()
}
