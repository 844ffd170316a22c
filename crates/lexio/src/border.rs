//! The text that crosses the border: views, decisions, transcripts.
//!
//! A view is an object of these fields; `passed` and `ruleset` may be left out (nobody, default), so
//! may `field_owner` on a lead, and a caller's `id` and `state_version` are passed over. Any other field is refused, so that a
//! misspelt one cannot become a default.
//!
//! | field | meaning |
//! |---|---|
//! | `players` | 3 to 5 |
//! | `seat` | whose view it is, from 0; this seat decides |
//! | `hand` | its tiles, one or more |
//! | `counts` | tiles in hand per seat, one or more each |
//! | `field` | the meld to beat, `-` on a lead |
//! | `field_owner` | the other seat that played it, `null` on a lead |
//! | `passes` | passes since it was played, fewer than players - 1; 0 on a lead |
//! | `passed` | seats out of the trick, under `pass=hard` only; neither this seat nor the owner; at least `passes` of them |
//! | `ruleset` | `default`, or the switches that differ |
//! | `played` | every tile played this round, the field's included |
//!
//! It must add up: hand, played tiles and the other counts make the deck, and no tile lies in two
//! places. It need not be reachable in play: turns are not re-counted from `passes`, and a lead by
//! a seat without `3C` is answered.

use crate::hand::HandMemo;
use crate::legal::Play;
use crate::meld::{Meld, RunOrders, classify};
use crate::plan::PlanTable;
use crate::rules::{Pass, Rules};
use crate::state::State;
use crate::tile::{deck, hand_size, parse_tiles, tiles_text};
use crate::view::View;
use crate::{Lexio, Memo};
use evenhand_contract::{Border, BySeat, Cards, Game, Json, Seat, ViewError};
use serde_json::{Map, json};

/// Every field that a view may carry.
const FIELDS: [&str; 12] = [
    "players",
    "seat",
    "hand",
    "counts",
    "field",
    "field_owner",
    "passes",
    "passed",
    "ruleset",
    "played",
    "id",
    "state_version",
];

/// Text of a pass.
const PASS: &str = "pass";

impl Border for Lexio {
    fn parse_view(json: &Json) -> Result<View, ViewError> {
        let Some(fields) = json.as_object() else {
            return Err(error("view", "is no JSON object"));
        };
        if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            return Err(error(
                unknown,
                format!(
                    "is no field of a view; there are: {}",
                    FIELDS[..10].join(", ")
                ),
            ));
        }
        let players = match whole(fields, "players", u64::MAX)? {
            n if Lexio::PLAYERS.iter().any(|&p| u64::from(p) == n) => n as u8,
            n => return Err(error("players", format!("is {n}; it must be 3, 4 or 5"))),
        };
        let seat = Seat(whole(fields, "seat", u64::from(players) - 1)? as u8);
        let rules: Rules = match fields.get("ruleset") {
            None => Rules::default(),
            Some(_) => match text(fields, "ruleset")?.parse() {
                Ok(rules) => rules,
                Err(e) => return Err(error("ruleset", e)),
            },
        };
        let hand = parse_tiles("hand", text(fields, "hand")?, players)?;
        let counts = parse_counts(fields, players)?;
        let played = parse_tiles("played", text(fields, "played")?, players)?;
        check_tiles(seat, hand, &counts, played)?;
        let field = parse_field(fields, players, rules, played)?;
        let field_owner = parse_owner(fields, players, seat, field.is_some())?;
        let passes = whole(fields, "passes", u64::from(players) - 2)? as u8;
        if field.is_none() && passes > 0 {
            return Err(error("passes", format!("is {passes} on an empty field")));
        }
        let passed = parse_passed(fields, players, rules, seat, field_owner, passes)?;
        Ok(View {
            players,
            rules,
            seat,
            hand,
            dealt: hand,
            counts,
            field,
            field_owner,
            passes,
            passed,
            played,
        })
    }

    fn view_json(view: &View) -> Json {
        let passed: Vec<u8> = (0..view.players)
            .filter(|s| view.passed >> s & 1 == 1)
            .collect();
        let field = match &view.field {
            Some(field) => tiles_text(field.tiles),
            None => "-".to_owned(),
        };
        json!({
            "players": view.players,
            "seat": view.seat,
            "hand": tiles_text(view.hand),
            "counts": view.counts.as_slice(),
            "field": field,
            "field_owner": view.field_owner,
            "passes": view.passes,
            "passed": passed,
            "ruleset": view.rules.to_string(),
            "played": tiles_text(view.played),
        })
    }

    fn decision_text(decision: &Play) -> String {
        if decision.is_pass() {
            PASS.to_owned()
        } else {
            tiles_text(decision.0)
        }
    }

    /// Reads `pass` or tiles in any order. A tile is one of the largest deck's: whether the table
    /// at hand has it is for the rules to say.
    fn parse_decision(text: &str) -> Result<Play, ViewError> {
        if text == PASS {
            return Ok(Play::PASS);
        }
        let tiles = parse_tiles("play", text, 5)?;
        if tiles.is_empty() {
            return Err(error(
                "play",
                format!("{text:?} names no tile; a pass is \"pass\""),
            ));
        }
        Ok(Play(tiles))
    }

    fn deal_json(start: &State) -> Json {
        let hands: Vec<String> = start
            .dealt()
            .as_slice()
            .iter()
            .copied()
            .map(tiles_text)
            .collect();
        json!({ "hands": hands })
    }

    fn move_json(seat: Seat, decision: &Play) -> Option<Json> {
        Some(json!({ "seat": seat, "play": Self::decision_text(decision) }))
    }

    fn question_text(question: &Meld) -> String {
        tiles_text(question.tiles)
    }

    fn unseen_text(view: &View) -> String {
        tiles_text(view.unseen())
    }

    fn plan_json(view: &View, _memo: &mut Memo) -> Json {
        // A memo of its own: the caller's serves the hand as dealt.
        let mut memo = HandMemo::default();
        let melds = memo.melds(view.hand, view.orders());
        let table = PlanTable::new(view.hand, melds);
        let mut pieces = table.partition(view.hand, melds);
        pieces.sort_by_key(|m| (std::cmp::Reverse(m.size()), m.tiles.lowest()));
        let pieces: Vec<String> = pieces.iter().map(|m| tiles_text(m.tiles)).collect();
        json!({ "plays": table.fewest(view.hand), "pieces": pieces })
    }
}

fn error(field: &str, reason: impl ToString) -> ViewError {
    ViewError {
        field: field.to_owned(),
        reason: reason.to_string(),
    }
}

fn present<'a>(fields: &'a Map<String, Json>, field: &str) -> Result<&'a Json, ViewError> {
    fields.get(field).ok_or_else(|| error(field, "is missing"))
}

fn text<'a>(fields: &'a Map<String, Json>, field: &str) -> Result<&'a str, ViewError> {
    let json = present(fields, field)?;
    json.as_str()
        .ok_or_else(|| error(field, format!("is {json}; it must be text")))
}

fn whole(fields: &Map<String, Json>, field: &str, most: u64) -> Result<u64, ViewError> {
    bounded(field, present(fields, field)?, most)
}

/// A whole number from 0 to `most`.
fn bounded(field: &str, json: &Json, most: u64) -> Result<u64, ViewError> {
    json.as_u64().filter(|&n| n <= most).ok_or_else(|| {
        let range = if most == u64::MAX {
            String::new()
        } else {
            format!(" from 0 to {most}")
        };
        error(
            field,
            format!("is {json}; it must be a whole number{range}"),
        )
    })
}

fn list<'a>(field: &str, json: &'a Json) -> Result<&'a [Json], ViewError> {
    match json.as_array() {
        Some(items) => Ok(items),
        None => Err(error(field, format!("is {json}; it must be a list"))),
    }
}

fn parse_counts(fields: &Map<String, Json>, players: u8) -> Result<BySeat<u8>, ViewError> {
    let items = list("counts", present(fields, "counts")?)?;
    if items.len() != usize::from(players) {
        return Err(error(
            "counts",
            format!("has {} entries for {players} players", items.len()),
        ));
    }
    let mut counts = BySeat::new(players);
    for (seat, item) in Seat::all(players).zip(items) {
        let field = format!("counts[{seat}]");
        counts[seat] = bounded(&field, item, u64::from(hand_size(players)))? as u8;
        if counts[seat] == 0 {
            return Err(error(
                &field,
                format!("is 0: seat {seat} is out and the round is over"),
            ));
        }
    }
    Ok(counts)
}

/// Hand, played tiles and counts must make the deck, each tile once.
fn check_tiles(
    seat: Seat,
    hand: Cards,
    counts: &BySeat<u8>,
    played: Cards,
) -> Result<(), ViewError> {
    if hand.is_empty() {
        return Err(error("hand", "is empty: the round is over"));
    }
    if u32::from(counts[seat]) != hand.len() {
        return Err(error(
            &format!("counts[{seat}]"),
            format!("is {}, but the hand has {} tiles", counts[seat], hand.len()),
        ));
    }
    let twice = hand & played;
    if !twice.is_empty() {
        return Err(error(
            "played",
            format!("lists {}, which is in the hand as well", tiles_text(twice)),
        ));
    }
    let held: u32 = counts.as_slice().iter().map(|&c| u32::from(c)).sum();
    let (all, expected) = (held + played.len(), deck(counts.players()).len());
    if all != expected {
        return Err(error(
            "counts",
            format!(
                "hand, played tiles and the other counts add up to {all} tiles; the deck has {expected}"
            ),
        ));
    }
    Ok(())
}

fn parse_field(
    fields: &Map<String, Json>,
    players: u8,
    rules: Rules,
    played: Cards,
) -> Result<Option<Meld>, ViewError> {
    let tiles = parse_tiles("field", text(fields, "field")?, players)?;
    if tiles.is_empty() {
        return Ok(None);
    }
    let Some(meld) = classify(tiles, RunOrders::get(players, rules)) else {
        return Err(error("field", format!("{} is no meld", tiles_text(tiles))));
    };
    let missing = tiles - played;
    if !missing.is_empty() {
        return Err(error(
            "field",
            format!("{} is not among the played tiles", tiles_text(missing)),
        ));
    }
    Ok(Some(meld))
}

fn parse_owner(
    fields: &Map<String, Json>,
    players: u8,
    seat: Seat,
    has_field: bool,
) -> Result<Option<Seat>, ViewError> {
    const NAME: &str = "field_owner";
    let absent = match has_field {
        true => present(fields, NAME)?,
        false => &Json::Null,
    };
    match (fields.get(NAME).unwrap_or(absent), has_field) {
        (Json::Null, false) => Ok(None),
        (Json::Null, true) => Err(error(NAME, "is null, but there is a field")),
        (json, false) => Err(error(
            NAME,
            format!("is {json}, but the field is empty; it must be null"),
        )),
        (json, true) => {
            let owner = Seat(bounded(NAME, json, u64::from(players) - 1)? as u8);
            if owner == seat {
                return Err(error(
                    NAME,
                    format!("is {owner}, the deciding seat itself: nobody follows an own meld"),
                ));
            }
            Ok(Some(owner))
        }
    }
}

fn parse_passed(
    fields: &Map<String, Json>,
    players: u8,
    rules: Rules,
    seat: Seat,
    owner: Option<Seat>,
    passes: u8,
) -> Result<u8, ViewError> {
    const NAME: &str = "passed";
    let mut passed = 0u8;
    let none = Json::Array(Vec::new());
    let json = fields.get(NAME).unwrap_or(&none);
    for (place, item) in list(NAME, json)?.iter().enumerate() {
        let name = format!("{NAME}[{place}]");
        let out = bounded(&name, item, u64::from(players) - 1)? as u8;
        let reason = if rules.pass == Pass::Soft {
            "seats are out of the trick under pass=hard only".to_owned()
        } else if owner.is_none() {
            "nobody is out of the trick on an empty field".to_owned()
        } else if passed >> out & 1 == 1 {
            format!("seat {out} is listed twice")
        } else if Seat(out) == seat {
            format!("seat {out} decides, so it is not out of the trick")
        } else if Some(Seat(out)) == owner {
            format!("seat {out} owns the field, so it is not out of the trick")
        } else {
            passed |= 1 << out;
            continue;
        };
        return Err(error(&name, reason));
    }
    // Passes in a row are of different seats, and each of them is out.
    if rules.pass == Pass::Hard && passed.count_ones() < u32::from(passes) {
        return Err(error(
            NAME,
            format!(
                "{} seats are out of the trick, but {passes} have passed since the field was played",
                passed.count_ones()
            ),
        ));
    }
    Ok(passed)
}
