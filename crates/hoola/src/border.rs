//! The text that crosses the border: views, decisions, transcripts.
//!
//! A view is an object of these fields. `ruleset` may be left out (default), `registered_before`
//! and `thank_you` may be left out but in the phase `play`, `legal` always, and a caller's `id` and
//! `state_version` are passed over. Any other field is refused, so that a misspelt one cannot become
//! a default.
//!
//! | field | meaning |
//! |---|---|
//! | `players` | 2 to 5; the ruleset must serve so many |
//! | `seat` | whose view it is, from 0; this seat decides |
//! | `ruleset` | `default`, or the switches that differ |
//! | `phase` | `window`: claim the top discard or decline; `start`: stop or draw; `play`: register, lay off, discard |
//! | `turn` | whose turn it is: this seat's, but in a window the seat's whose turn it is if nobody claims |
//! | `hand` | this seat's cards, one or more; in `play` with the card drawn |
//! | `counts` | cards in hand per seat, one or more each |
//! | `registered` | per seat, whether it has registered |
//! | `registered_before` | whether this seat was registered when this turn began |
//! | `thank_you` | whether this turn began with a claim |
//! | `melds` | in the order in which they came: `kind` (`set`, `run`, `seven`), `cards`, `owner` |
//! | `discards` | the cards on the pile, the oldest first |
//! | `discarders` | who discarded each; `null` for the card turned up at the deal |
//! | `deck` | cards left in the deck |
//! | `turns` | turns that each seat has begun, thank-you turns included |
//! | `legal` | the options on the seat's screen, as decision texts in any order; told back when left out |
//!
//! It must add up: hand, other counts, melds, discards and deck make 52 cards, no card lies in two
//! places, melds are melds of registered seats, and in a window the seat can claim the top discard,
//! which is not its own. It need not be reachable in play.
//!
//! One example for each kind of decision.
//!
//! - A window, seat 2 asked about the `6C` of seat 0:
//!   `{"players":4,"seat":2,"phase":"window","turn":1,"hand":"4C 5C 9D JH QH KH KS",
//!   "counts":[7,7,7,7],"registered":[false,false,false,false],"melds":[],
//!   "discards":"8S 6C","discarders":[null,0],"deck":22,"turns":[1,0,0,0]}`
//!   is answered by `{"do":"thank_you","cards":"4C 5C 6C"}` or `{"do":"decline"}`.
//! - The beginning of a turn, a plain stop legal:
//!   `{"players":2,"seat":0,"phase":"start","turn":0,"hand":"AC 4D","counts":[2,5],
//!   "registered":[true,true],"melds":[{"kind":"run","cards":"5H 6H 7H 8H 9H","owner":0},
//!   {"kind":"seven","cards":"7S","owner":1}],"discards":"8S KC KD","discarders":[null,0,1],
//!   "deck":36,"turns":[2,1]}`
//!   is answered by `{"do":"stop","kind":"plain"}` or `{"do":"draw"}`.
//! - After the draw:
//!   `{"players":2,"seat":0,"phase":"play","turn":0,"hand":"6S 8S 9C 9D 9H KD","counts":[6,7],
//!   "registered":[true,false],"registered_before":true,"thank_you":false,
//!   "melds":[{"kind":"seven","cards":"7S","owner":0}],"discards":"KC QC","discarders":[null,1],
//!   "deck":36,"turns":[1,1]}`
//!   is answered by `{"do":"register","cards":"9C 9D 9H"}`,
//!   `{"do":"lay_off","cards":"6S 8S","meld":0}` or `{"do":"discard","cards":"KD"}`.

mod parse;

use crate::card::{self, SEVENS, card_text, cards_text};
use crate::meld::each_register;
use crate::moves::Decision;
use crate::state::{End, State};
use crate::view::View;
use crate::{Hoola, Memo};
use evenhand_contract::{Border, Cards, Json, Seat, ViewError};
use serde_json::{Map, json};

impl Border for Hoola {
    fn parse_view(json: &Json) -> Result<View, ViewError> {
        parse::view(json)
    }

    fn view_json(view: &View) -> Json {
        let melds: Vec<Json> = view
            .table
            .melds()
            .iter()
            .map(|meld| {
                json!({
                    "kind": meld.kind().name(),
                    "cards": cards_text(meld.cards()),
                    "owner": meld.owner(),
                })
            })
            .collect();
        let discarders: Vec<Option<Seat>> = view.pile.iter().map(|(_, by)| by).collect();
        let legal: Vec<String> = view.options.iter().map(|d| d.to_string()).collect();
        json!({
            "players": view.players,
            "seat": view.seat,
            "ruleset": view.rules.to_string(),
            "phase": view.phase.name(),
            "turn": view.turn,
            "hand": cards_text(view.hand),
            "counts": view.counts.as_slice(),
            "registered": view.registered.as_slice(),
            "registered_before": view.registered_before,
            "thank_you": view.thank_you,
            "melds": melds,
            "discards": list_text(view.pile.ids()),
            "discarders": discarders,
            "deck": view.deck,
            "turns": view.turns.as_slice(),
            "legal": legal,
        })
    }

    fn decision_text(decision: &Decision) -> String {
        decision.to_string()
    }

    fn parse_decision(text: &str) -> Result<Decision, ViewError> {
        Decision::parse(text)
    }

    fn deal_json(start: &State) -> Json {
        let hands: Vec<String> = start
            .hands()
            .as_slice()
            .iter()
            .copied()
            .map(cards_text)
            .collect();
        json!({
            "hands": hands,
            "turned_up": list_text(start.pile().ids()),
            "deck": list_text(start.deck().as_slice()),
        })
    }

    /// Who started: the winner of the round before, where there was one.
    fn deal_by_play_json(end: &State) -> Vec<(&'static str, Json)> {
        vec![("start", json!(end.starter()))]
    }

    fn move_json(seat: Seat, decision: &Decision) -> Option<Json> {
        if *decision == Decision::Decline {
            return None;
        }
        let mut fields = Map::new();
        fields.insert("seat".to_owned(), json!(seat));
        for (name, value) in Self::answer_json(decision) {
            fields.insert(name.to_owned(), value);
        }
        Some(Json::Object(fields))
    }

    /// A draw that no card answers is left out.
    fn writes_last_move(end: &State) -> bool {
        end.result()
            .is_none_or(|result| result.end != End::DeckEmpty)
    }

    fn round_json(end: &State) -> Vec<(&'static str, Json)> {
        match end.result() {
            Some(result) => vec![
                ("end", json!(result.end.name())),
                ("winner", json!(result.winner)),
            ],
            None => Vec::new(),
        }
    }

    fn unseen_text(view: &View) -> String {
        cards_text(view.unseen())
    }

    /// What the hand has down at once: the melds that are left to register, largest first as far as
    /// they do not share cards, what stays in hand then, its sum and its 7s.
    fn plan_json(view: &View, _memo: &mut Memo) -> Json {
        let mut rest = view.hand;
        let mut melds = Vec::new();
        loop {
            let mut best = Cards::EMPTY;
            each_register(rest, |cards, _| {
                let order = |cards: Cards| (cards.len(), card::sum(cards));
                if order(cards) > order(best) {
                    best = cards;
                }
            });
            if best.is_empty() {
                break;
            }
            rest -= best;
            melds.push(cards_text(best));
        }
        json!({
            "melds": melds,
            "rest": cards_text(rest),
            "sum": card::sum(rest),
            "sevens": (view.hand & SEVENS).len(),
        })
    }

    fn answer_json(decision: &Decision) -> Vec<(&'static str, Json)> {
        let with = |verb: &str, cards: Cards| {
            vec![("do", json!(verb)), ("cards", json!(cards_text(cards)))]
        };
        match *decision {
            Decision::Claim(cards) => with("thank_you", cards),
            Decision::Decline => vec![("do", json!("decline"))],
            Decision::Stop(stop) => vec![("do", json!("stop")), ("kind", json!(stop.name()))],
            Decision::Draw => vec![("do", json!("draw"))],
            Decision::Register(cards) => with("register", cards),
            Decision::LayOff { cards, meld } => {
                let mut fields = with("lay_off", cards);
                fields.push(("meld", json!(meld)));
                fields
            }
            Decision::Discard(card) => with("discard", Cards::one(card)),
        }
    }
}

/// Cards in the order in which they lie.
fn list_text(ids: &[u8]) -> String {
    let texts: Vec<String> = ids.iter().copied().map(card_text).collect();
    texts.join(" ")
}
