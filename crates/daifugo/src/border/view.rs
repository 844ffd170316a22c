//! Reading and writing a view; the schema stands with the parent module.

use super::fields::{Fields, error, text, whole};
use super::{parse_play, play_json};
use crate::card::{NATURALS, RANK_OF_8, card_text, cards_text, parse_cards};
use crate::deal::{blind_size, hand_size};
use crate::game::Daifugo;
use crate::order::SeatList;
use crate::play::{Kind, Play};
use crate::rules::Rules;
use crate::tribute::{Exchange, Pair, pair_of, seat_at};
use crate::view::View;
use evenhand_contract::{BySeat, Cards, Game, Json, Seat, ViewError};
use serde_json::json;

/// Every field that a view may carry; the last two are a caller's own.
const FIELDS: [&str; 20] = [
    "players",
    "seat",
    "ruleset",
    "round",
    "hand",
    "counts",
    "played",
    "field",
    "field_owner",
    "revolution",
    "passed",
    "normal",
    "fouls",
    "fallen",
    "previous",
    "due",
    "given",
    "received",
    "id",
    "state_version",
];

/// Most rounds that a match may have.
const MOST_ROUNDS: u64 = 1_000_000;

pub(super) fn json(view: &View) -> Json {
    let passed: Vec<u8> = (0..view.players)
        .filter(|seat| view.passed >> seat & 1 == 1)
        .collect();
    let played: Vec<String> = view.played.iter().map(|(_, &p)| cards_text(p)).collect();
    let (given, received) = view
        .exchange
        .map_or((Cards::EMPTY, Cards::EMPTY), |e| (e.given, e.received));
    json!({
        "players": view.players,
        "seat": view.seat,
        "ruleset": view.rules.to_string(),
        "round": view.round,
        "hand": cards_text(view.hand),
        "counts": view.counts.as_slice(),
        "played": played,
        "field": view.field.as_ref().map_or(json!("-"), play_json),
        "field_owner": view.field_owner,
        "revolution": view.revolution,
        "passed": passed,
        "normal": view.normal.as_slice(),
        "fouls": view.fouls.as_slice(),
        "fallen": view.fallen,
        "previous": view.previous.as_ref().map(BySeat::as_slice),
        "due": view.due,
        "given": cards_text(given),
        "received": cards_text(received),
    })
}

pub(super) fn parse(json: &Json) -> Result<View, ViewError> {
    let fields = Fields::of("view", json, &FIELDS)?;
    let players = match fields.whole("players", u64::from(u32::MAX))? {
        n if Daifugo::PLAYERS.iter().any(|&p| u64::from(p) == n) => n as u8,
        n => return Err(error("players", format!("is {n}; it must be 3 to 6"))),
    };
    let top = u64::from(players) - 1;
    let seat = Seat(fields.whole("seat", top)? as u8);
    let rules: Rules = match fields.text_or("ruleset", "default")?.parse() {
        Ok(rules) => rules,
        Err(e) => return Err(error("ruleset", e)),
    };
    let previous = parse_previous(&fields, players)?;
    let first = if previous.is_some() { 2 } else { 1 };
    let round = fields.whole_or("round", MOST_ROUNDS, first)? as u32;
    if round == 0 || (round > 1) != previous.is_some() {
        let rule = "rounds count from 1, and previous places belong to all but the first";
        return Err(error("round", format!("is {round}; {rule}")));
    }
    let mut view = View {
        players,
        rules,
        seat,
        round,
        hand: parse_cards("hand", fields.text("hand")?)?,
        counts: parse_counts(&fields, players)?,
        field: None,
        field_owner: None,
        revolution: fields.flag("revolution")?,
        played: parse_played(&fields, players)?,
        passed: 0,
        normal: SeatList::default(),
        fouls: SeatList::default(),
        fallen: None,
        previous,
        due: 0,
        exchange: None,
    };
    parse_finishes(&fields, &mut view)?;
    check_cards(&view)?;
    parse_field(&fields, &mut view)?;
    parse_passed(&fields, &mut view)?;
    parse_tribute(&fields, &mut view)?;
    Ok(view)
}

fn parse_previous(fields: &Fields<'_>, players: u8) -> Result<Option<BySeat<u8>>, ViewError> {
    const NAME: &str = "previous";
    if fields.get(NAME).is_none() {
        return Ok(None);
    }
    let mut places = BySeat::new(players);
    for (seat, name, json) in fields.by_seat(NAME, players)? {
        let place = whole(&name, json, players.into())? as u8;
        if place == 0 {
            return Err(error(&name, "is 0; places count from 1"));
        }
        if let Some(other) = seat_at(&places, place) {
            return Err(error(
                &name,
                format!("is {place}, the place of seat {other}"),
            ));
        }
        places[seat] = place;
    }
    Ok(Some(places))
}

fn parse_counts(fields: &Fields<'_>, players: u8) -> Result<BySeat<u8>, ViewError> {
    let mut counts = BySeat::new(players);
    for (seat, name, json) in fields.by_seat("counts", players)? {
        counts[seat] = whole(&name, json, hand_size(players).into())? as u8;
    }
    Ok(counts)
}

fn parse_played(fields: &Fields<'_>, players: u8) -> Result<BySeat<Cards>, ViewError> {
    let mut played = BySeat::new(players);
    let mut all = Cards::EMPTY;
    for (seat, name, json) in fields.by_seat("played", players)? {
        let cards = parse_cards(&name, text(&name, json)?)?;
        if cards.meets(all) {
            let twice = cards_text(cards & all);
            return Err(error(
                &name,
                format!("lists {twice}, which another seat played"),
            ));
        }
        played[seat] = cards;
        all |= cards;
    }
    Ok(played)
}

/// Who left the round, and how.
fn parse_finishes(fields: &Fields<'_>, view: &mut View) -> Result<(), ViewError> {
    let players = view.players;
    let mut out = 0u8;
    for (name, list) in [("normal", &mut view.normal), ("fouls", &mut view.fouls)] {
        for (seat, name) in fields.seats(name, players)? {
            if out >> seat.0 & 1 == 1 {
                let why = format!("seat {seat} finished both normally and by a foul");
                return Err(error(&name, why));
            }
            out |= 1 << seat.0;
            list.push(seat);
        }
    }
    let best = view.previous.and_then(|places| seat_at(&places, 1));
    let first = view.normal.as_slice().first().copied();
    // Who falls, given who finished: the best place of the round before, unless it finished first,
    // or by a foul and maybe before.
    let falls = best.filter(|&best| {
        view.rules.fall && first.is_some_and(|first| first != best) && !view.fouls.has(best)
    });
    if fields.get("fallen").is_some() {
        let seat = Seat(fields.whole("fallen", u64::from(players) - 1)? as u8);
        if falls != Some(seat) || out >> seat.0 & 1 == 1 {
            let rule = "only the first place of the round before falls, when another seat is the \
                        first to finish normally, under fall=on";
            return Err(error("fallen", format!("is {seat}; {rule}")));
        }
        view.fallen = Some(seat);
    } else if let Some(seat) = falls {
        return Err(error(
            "fallen",
            format!(
                "is missing: seat {seat} was first in the round before and did not finish first"
            ),
        ));
    }
    if !view.is_active(view.seat) {
        let why = format!("seat {} left the round", view.seat);
        return Err(error("seat", why));
    }
    if view.out().count_ones() + 1 >= u32::from(players) {
        return Err(error("counts", "one seat is left: the round is over"));
    }
    Ok(())
}

/// Every seat's cards make its hand as dealt; no card lies in two places.
fn check_cards(view: &View) -> Result<(), ViewError> {
    let size = u32::from(hand_size(view.players));
    let hand = view.hand;
    let count = u32::from(view.counts[view.seat]);
    if count != hand.len() {
        return Err(error(
            &format!("counts[{}]", view.seat),
            format!("is {count}, but the hand has {} cards", hand.len()),
        ));
    }
    for (seat, &played) in view.played.iter() {
        if played.meets(hand) {
            let twice = cards_text(played & hand);
            return Err(error(
                &format!("played[{seat}]"),
                format!("lists {twice}, which is in the hand as well"),
            ));
        }
        let (held, name) = (view.counts[seat], format!("counts[{seat}]"));
        let all = u32::from(held) + played.len();
        let active = view.is_active(seat);
        if active && held == 0 {
            return Err(error(
                &name,
                format!("is 0, but seat {seat} has not finished"),
            ));
        }
        if !active && held > 0 {
            return Err(error(
                &name,
                format!("is {held}, but seat {seat} left the round"),
            ));
        }
        let fell = view.fallen == Some(seat);
        if fell && all >= size {
            return Err(error(
                &format!("played[{seat}]"),
                format!("has {all} cards: seat {seat} had none left to fall with"),
            ));
        }
        if !fell && all != size {
            return Err(error(
                &name,
                format!(
                    "is {held} and seat {seat} played {}: they must make {size}",
                    played.len()
                ),
            ));
        }
    }
    let unseen = (view.unseen() & NATURALS).len();
    let blind = u32::from(blind_size(view.players));
    if unseen < blind {
        return Err(error(
            "hand",
            format!(
                "with the played cards leaves {unseen} naturals unseen; the blind holds {blind}"
            ),
        ));
    }
    Ok(())
}

fn parse_field(fields: &Fields<'_>, view: &mut View) -> Result<(), ViewError> {
    const NAME: &str = "field";
    const OWNER: &str = "field_owner";
    let play = match fields.get(NAME) {
        None => return Err(error(NAME, "is missing; a lead has \"-\"")),
        Some(json) if json.as_str() == Some("-") => {
            return match fields.get(OWNER) {
                None => Ok(()),
                Some(owner) => Err(error(OWNER, format!("is {owner}, but the field is empty"))),
            };
        }
        Some(json) => parse_play(NAME, json)?,
    };
    let owner = Seat(fields.whole(OWNER, u64::from(view.players) - 1)? as u8);
    if owner == view.seat {
        let why = format!("is {owner}, the deciding seat itself: nobody follows an own play");
        return Err(error(OWNER, why));
    }
    if view.fallen == Some(owner) {
        let why = format!("is {owner}, which fell when another seat had played over it");
        return Err(error(OWNER, why));
    }
    let missing = play.cards - view.played[owner];
    if !missing.is_empty() {
        let why = format!(
            "{} is not among the cards that seat {owner} played",
            cards_text(missing)
        );
        return Err(error(NAME, why));
    }
    if clears_always(&play) {
        return Err(error(
            NAME,
            "is a set of 8s, which clears the field at once",
        ));
    }
    view.field = Some(play);
    view.field_owner = Some(owner);
    Ok(())
}

fn clears_always(play: &Play) -> bool {
    play.kind == Kind::Set && play.rank == RANK_OF_8
}

fn parse_passed(fields: &Fields<'_>, view: &mut View) -> Result<(), ViewError> {
    for (seat, name) in fields.seats("passed", view.players)? {
        let why = if view.field.is_none() {
            "nobody has passed on an empty field".to_owned()
        } else if seat == view.seat {
            format!("seat {seat} decides, so it has not passed")
        } else if Some(seat) == view.field_owner {
            format!("seat {seat} owns the field, so it has not passed")
        } else if !view.is_active(seat) {
            format!("seat {seat} left the round")
        } else {
            view.passed |= 1 << seat.0;
            continue;
        };
        return Err(error(&name, why));
    }
    Ok(())
}

fn parse_tribute(fields: &Fields<'_>, view: &mut View) -> Result<(), ViewError> {
    let pair = view.previous.and_then(|places| pair_of(&places, view.seat));
    let due = fields.whole_or("due", hand_size(view.players).into(), 0)? as u8;
    let given = parse_cards("given", fields.text_or("given", "")?)?;
    let received = parse_cards("received", fields.text_or("received", "")?)?;
    if due > 0 {
        let owes = pair.filter(|pair| pair.high == view.seat && pair.cards == due);
        if owes.is_none() {
            let why = format!("is {due}, which seat {} does not owe", view.seat);
            return Err(error("due", why));
        }
        let begun = !view.all_played().is_empty() || view.field.is_some() || view.revolution;
        if begun || !given.is_empty() || !received.is_empty() {
            return Err(error("due", format!("is {due}, but the round has begun")));
        }
        view.due = due;
        return Ok(());
    }
    for (name, cards) in [("given", given), ("received", received)] {
        let expected = pair.map_or(0, |pair| u32::from(pair.cards));
        if cards.len() != expected {
            return Err(error(
                name,
                format!(
                    "has {} cards; seat {} exchanged {expected}",
                    cards.len(),
                    view.seat
                ),
            ));
        }
    }
    if let Some(pair) = pair {
        let low = pair.low == view.seat;
        let exchange = Exchange {
            partner: if low { pair.high } else { pair.low },
            low,
            given,
            received,
        };
        check_exchange(view, pair, &exchange)?;
        view.exchange = Some(exchange);
    }
    Ok(())
}

fn check_exchange(view: &View, pair: Pair, exchange: &Exchange) -> Result<(), ViewError> {
    let (given, received) = (exchange.given, exchange.received);
    let partner = exchange.partner;
    if given.meets(received) {
        let both = cards_text(given & received);
        return Err(error("received", format!("lists {both}, which was given")));
    }
    let missing = received - view.at_start();
    if !missing.is_empty() {
        let why = format!("lists {}, neither in hand nor played", cards_text(missing));
        return Err(error("received", why));
    }
    // Given cards are the partner's, unless it played them.
    let others = view.all_played() - view.played[partner];
    let elsewhere = given & (view.hand | others);
    if !elsewhere.is_empty() {
        let why = format!(
            "lists {}, which seat {partner} does not have",
            cards_text(elsewhere)
        );
        return Err(error("given", why));
    }
    let kept = (given - view.played[partner]).len();
    let room = match view.fallen == Some(partner) {
        true => view.fall_pile(),
        false => view.counts[partner],
    };
    if kept > u32::from(room) {
        let why = format!("has {kept} cards that seat {partner} has not played, of {room} left");
        return Err(error("given", why));
    }
    // The worse place gave its strongest.
    let (name, gave, rest) = match exchange.low {
        true => ("given", given, view.at_start() - received),
        false => ("received", received, view.played[pair.low] - given),
    };
    match (gave.lowest(), rest.highest()) {
        (Some(weakest), Some(strongest)) if strongest > weakest => {
            let why = format!(
                "has {}, though seat {} had {}: it gave its strongest cards",
                card_text(weakest),
                pair.low,
                card_text(strongest)
            );
            Err(error(name, why))
        }
        _ => Ok(()),
    }
}
