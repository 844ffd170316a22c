use crate::game::{Memo, State, Toy, View, deck};
use crate::play::{Play, is_meld};
use crate::rules::Rules;
use evenhand_contract::{Border, BySeat, Cards, Json, Seat, ViewError};
use serde_json::json;

fn cards_text(cards: Cards) -> String {
    let ids: Vec<String> = cards.iter().map(|id| id.to_string()).collect();
    ids.join(" ")
}

fn error<T>(field: &str, reason: impl Into<String>) -> Result<T, ViewError> {
    Err(ViewError {
        field: field.to_owned(),
        reason: reason.into(),
    })
}

fn cards(field: &str, text: &str) -> Result<Cards, ViewError> {
    let mut cards = Cards::EMPTY;
    for token in text.split_whitespace() {
        match token.parse::<u8>() {
            Ok(id) if id < 64 && !cards.has(id) => cards |= Cards::one(id),
            _ => return error(field, format!("{token:?} is no card, or stands twice")),
        }
    }
    Ok(cards)
}

fn text<'a>(json: &'a Json, field: &str) -> Result<&'a str, ViewError> {
    match json.get(field).and_then(Json::as_str) {
        Some(text) => Ok(text),
        None => error(field, "expected text"),
    }
}

fn number(json: &Json, field: &str, below: u8) -> Result<u8, ViewError> {
    match json.get(field).and_then(Json::as_u64) {
        Some(n) if n < u64::from(below) => Ok(n as u8),
        _ => error(field, format!("expected a whole number below {below}")),
    }
}

impl Border for Toy {
    fn parse_view(json: &Json) -> Result<View, ViewError> {
        let players = number(json, "players", 5)?;
        if players < 2 {
            return error("players", "expected 2, 3 or 4");
        }
        let seat = Seat(number(json, "seat", players)?);
        let rules: Rules = match json.get("ruleset").map(Json::as_str) {
            None => Rules::default(),
            Some(Some(text)) => text.parse().or_else(|e| error("ruleset", format!("{e}")))?,
            Some(None) => return error("ruleset", "expected text"),
        };
        let hand = cards("hand", text(json, "hand")?)?;
        let played = cards("played", text(json, "played")?)?;
        let field = match text(json, "field")? {
            "-" => Play::PASS,
            field => Play(cards("field", field)?),
        };
        let Some(list) = json.get("counts").and_then(Json::as_array) else {
            return error("counts", "expected a list");
        };
        let found: Vec<u8> = list
            .iter()
            .filter_map(|n| n.as_u64().and_then(|n| u8::try_from(n).ok()))
            .collect();
        if found.len() != usize::from(players) || list.len() != found.len() {
            return error("counts", format!("expected {players} whole numbers"));
        }
        let counts = BySeat::from_fn(players, |s| found[s.index()]);
        let total: u32 = found.iter().map(|&n| u32::from(n)).sum();
        if u32::from(counts[seat]) != hand.len() || total + played.len() != deck(players).len() {
            return error(
                "counts",
                "hand, counts and played do not add up to the deck",
            );
        }
        if hand.meets(played) || !deck(players).has_all(hand | played) {
            return error("played", "cards outside the deck or in two places");
        }
        let on_table = is_meld(field.0, players) && played.has_all(field.0);
        if !(field.is_pass() || on_table) {
            return error("field", "expected a single or a pair that was played");
        }
        Ok(View {
            players,
            rules,
            seat,
            hand,
            counts,
            field,
            played,
        })
    }

    fn view_json(view: &View) -> Json {
        json!({
            "players": view.players,
            "seat": view.seat.0,
            "hand": cards_text(view.hand),
            "counts": view.counts.as_slice(),
            "field": if view.field.is_pass() { "-".to_owned() } else { cards_text(view.field.0) },
            "ruleset": view.rules.to_string(),
            "played": cards_text(view.played),
        })
    }

    fn decision_text(decision: &Play) -> String {
        if decision.is_pass() {
            "pass".to_owned()
        } else {
            cards_text(decision.0)
        }
    }

    fn parse_decision(text: &str) -> Result<Play, ViewError> {
        match text {
            "pass" => Ok(Play::PASS),
            _ => Ok(Play(cards("play", text)?)),
        }
    }

    fn deal_json(start: &State) -> Json {
        let hands: Vec<String> = start.hands.iter().map(|(_, &h)| cards_text(h)).collect();
        json!({ "hands": hands })
    }

    fn move_json(seat: Seat, decision: &Play) -> Option<Json> {
        Some(json!({ "seat": seat.0, "play": Self::decision_text(decision) }))
    }

    fn question_text(question: &Play) -> String {
        Self::decision_text(question)
    }

    fn unseen_text(view: &View) -> String {
        cards_text(view.unseen())
    }

    fn plan_json(view: &View, _memo: &mut Memo) -> Json {
        json!({ "plays": view.hand.len() })
    }
}
