//! Reading a view, with every check that it adds up.

use crate::Hoola;
use crate::card::{DECK_SIZE, card_text, cards_text, parse_card_list, parse_cards};
use crate::legal::Options;
use crate::meld::{Kind, Meld, can_claim};
use crate::moves::Decision;
use crate::rules::Rules;
use crate::table::{MOST_MELDS, Table};
use crate::view::{Phase, Pile, View};
use evenhand_contract::{BySeat, Cards, Game, Json, Seat, Setup, ViewError};
use serde_json::Map;

/// Every field that a view may carry; the last two are the caller's marks.
const FIELDS: [&str; 18] = [
    "players",
    "seat",
    "ruleset",
    "phase",
    "turn",
    "hand",
    "counts",
    "registered",
    "registered_before",
    "thank_you",
    "melds",
    "discards",
    "discarders",
    "deck",
    "turns",
    "legal",
    "id",
    "state_version",
];

/// The fields of a meld.
const MELD_FIELDS: [&str; 3] = ["kind", "cards", "owner"];

type Fields = Map<String, Json>;

pub(super) fn view(json: &Json) -> Result<View, ViewError> {
    let Some(fields) = json.as_object() else {
        return Err(error("view", "is no JSON object"));
    };
    if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        let known = FIELDS[..16].join(", ");
        return Err(error(
            unknown,
            format!("is no field of a view; there are: {known}"),
        ));
    }
    let players = match whole(fields, "players", u64::MAX)? {
        n if Hoola::PLAYERS.iter().any(|&p| u64::from(p) == n) => n as u8,
        n => return Err(error("players", format!("is {n}; it must be 2 to 5"))),
    };
    let rules = rules(fields, players)?;
    let seat = seat_of(fields, "seat", players)?;
    let phase = phase(fields)?;
    let turn = seat_of(fields, "turn", players)?;
    if phase != Phase::Window && turn != seat {
        return Err(error(
            "turn",
            format!("is {turn}, but seat {seat} decides in its own turn only"),
        ));
    }
    let hand = parse_cards("hand", text(fields, "hand")?)?;
    let counts = counts(fields, players, seat, hand)?;
    let registered = registered(fields, players)?;
    let began = began(fields, phase, registered[seat])?;
    let table = table(fields, &registered)?;
    let pile = pile(fields, players)?;
    let deck = whole(fields, "deck", u64::from(DECK_SIZE))? as u8;
    let turns = turns(fields, players)?;
    check_cards(hand, &counts, &table, &pile, deck)?;
    let options = match phase {
        Phase::Window => window(seat, turn, hand, &pile, players)?,
        Phase::Start => Options::start(rules, hand, registered[seat]),
        Phase::Play => Options::play(hand, &table, registered[seat]),
    };
    check_legal(fields, &options)?;
    Ok(View {
        players,
        rules,
        seat,
        phase,
        turn,
        hand,
        counts,
        registered,
        registered_before: began.registered,
        thank_you: began.thank_you,
        table,
        pile,
        deck,
        turns,
        options,
    })
}

fn error(field: &str, reason: impl ToString) -> ViewError {
    ViewError {
        field: field.to_owned(),
        reason: reason.to_string(),
    }
}

fn present<'a>(fields: &'a Fields, field: &str) -> Result<&'a Json, ViewError> {
    fields.get(field).ok_or_else(|| error(field, "is missing"))
}

fn text<'a>(fields: &'a Fields, field: &str) -> Result<&'a str, ViewError> {
    as_text(field, present(fields, field)?)
}

fn as_text<'a>(field: &str, json: &'a Json) -> Result<&'a str, ViewError> {
    json.as_str()
        .ok_or_else(|| error(field, format!("is {json}; it must be text")))
}

fn whole(fields: &Fields, field: &str, most: u64) -> Result<u64, ViewError> {
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

fn as_flag(field: &str, json: &Json) -> Result<bool, ViewError> {
    json.as_bool()
        .ok_or_else(|| error(field, format!("is {json}; it must be true or false")))
}

fn list<'a>(fields: &'a Fields, field: &str) -> Result<&'a [Json], ViewError> {
    let json = present(fields, field)?;
    match json.as_array() {
        Some(items) => Ok(items),
        None => Err(error(field, format!("is {json}; it must be a list"))),
    }
}

/// A list with an entry for each seat.
fn per_seat<'a>(fields: &'a Fields, field: &str, players: u8) -> Result<&'a [Json], ViewError> {
    let items = list(fields, field)?;
    if items.len() != usize::from(players) {
        return Err(error(
            field,
            format!("has {} entries for {players} players", items.len()),
        ));
    }
    Ok(items)
}

fn seat_of(fields: &Fields, field: &str, players: u8) -> Result<Seat, ViewError> {
    as_seat(field, present(fields, field)?, players)
}

fn as_seat(field: &str, json: &Json, players: u8) -> Result<Seat, ViewError> {
    Ok(Seat(bounded(field, json, u64::from(players) - 1)? as u8))
}

fn rules(fields: &Fields, players: u8) -> Result<Rules, ViewError> {
    if !fields.contains_key("ruleset") {
        return Ok(Rules::default());
    }
    let rules = match text(fields, "ruleset")?.parse() {
        Ok(rules) => rules,
        Err(e) => return Err(error("ruleset", e)),
    };
    match Hoola::check_setup(&Setup { players, rules }) {
        Ok(()) => Ok(rules),
        Err(e) => Err(error("ruleset", e)),
    }
}

fn phase(fields: &Fields) -> Result<Phase, ViewError> {
    let name = text(fields, "phase")?;
    match Phase::ALL.into_iter().find(|phase| phase.name() == name) {
        Some(phase) => Ok(phase),
        None => Err(error(
            "phase",
            format!("is {name:?}; it must be window, start or play"),
        )),
    }
}

fn counts(fields: &Fields, players: u8, seat: Seat, hand: Cards) -> Result<BySeat<u8>, ViewError> {
    let mut counts = BySeat::new(players);
    let items = per_seat(fields, "counts", players)?;
    for (other, item) in Seat::all(players).zip(items) {
        let field = format!("counts[{other}]");
        counts[other] = bounded(&field, item, u64::from(DECK_SIZE))? as u8;
        if counts[other] == 0 {
            return Err(error(
                &field,
                format!("is 0: seat {other} is out and the round is over"),
            ));
        }
    }
    if u32::from(counts[seat]) != hand.len() {
        return Err(error(
            &format!("counts[{seat}]"),
            format!("is {}, but the hand has {} cards", counts[seat], hand.len()),
        ));
    }
    Ok(counts)
}

fn registered(fields: &Fields, players: u8) -> Result<BySeat<bool>, ViewError> {
    let mut registered = BySeat::new(players);
    let items = per_seat(fields, "registered", players)?;
    for (seat, item) in Seat::all(players).zip(items) {
        registered[seat] = as_flag(&format!("registered[{seat}]"), item)?;
    }
    Ok(registered)
}

fn turns(fields: &Fields, players: u8) -> Result<BySeat<u8>, ViewError> {
    let mut turns = BySeat::new(players);
    let items = per_seat(fields, "turns", players)?;
    for (seat, item) in Seat::all(players).zip(items) {
        // Each turn but those of an empty deck takes a card into a hand.
        let field = format!("turns[{seat}]");
        turns[seat] = bounded(&field, item, u64::from(DECK_SIZE))? as u8;
    }
    Ok(turns)
}

/// How the turn in play began.
struct Began {
    registered: bool,
    thank_you: bool,
}

fn began(fields: &Fields, phase: Phase, now: bool) -> Result<Began, ViewError> {
    const BEFORE: &str = "registered_before";
    const THANKS: &str = "thank_you";
    let flag = |field: &str, otherwise: bool| match fields.get(field) {
        Some(json) => as_flag(field, json),
        None if phase != Phase::Play => Ok(otherwise),
        None => Err(error(field, "is missing")),
    };
    let began = Began {
        registered: flag(BEFORE, now)?,
        thank_you: flag(THANKS, false)?,
    };
    if began.registered && !now {
        return Err(error(BEFORE, "is true, but the seat is not registered now"));
    }
    if phase != Phase::Play && began.registered != now {
        return Err(error(
            BEFORE,
            "is false, but the seat is registered and has not acted in a turn yet",
        ));
    }
    if began.thank_you && (phase != Phase::Play || !now) {
        return Err(error(
            THANKS,
            "is true: then the seat is registered and past its draw",
        ));
    }
    Ok(began)
}

fn table(fields: &Fields, registered: &BySeat<bool>) -> Result<Table, ViewError> {
    let mut table = Table::default();
    let melds = list(fields, "melds")?;
    if melds.len() > MOST_MELDS {
        return Err(error(
            "melds",
            format!("lists {}; a deck makes at most {MOST_MELDS}", melds.len()),
        ));
    }
    for (place, json) in melds.iter().enumerate() {
        let name = format!("melds[{place}]");
        let Some(meld) = json.as_object() else {
            return Err(error(&name, format!("is {json}; it must be an object")));
        };
        if let Some(unknown) = meld.keys().find(|k| !MELD_FIELDS.contains(&k.as_str())) {
            return Err(error(
                &format!("{name}.{unknown}"),
                "is no field of a meld; there are: kind, cards, owner",
            ));
        }
        let field = |field: &str| match meld.get(field) {
            Some(json) => Ok((format!("{name}.{field}"), json)),
            None => Err(error(&format!("{name}.{field}"), "is missing")),
        };
        let (at, json) = field("kind")?;
        let kind = as_text(&at, json)?;
        let Some(kind) = Kind::ALL.into_iter().find(|k| k.name() == kind) else {
            return Err(error(
                &at,
                format!("is {kind:?}; it must be set, run or seven"),
            ));
        };
        let (at, json) = field("cards")?;
        let cards = parse_cards(&at, as_text(&at, json)?)?;
        if !kind.may_be(cards) {
            return Err(error(
                &at,
                format!("{:?} is no {}", cards_text(cards), kind.name()),
            ));
        }
        let (at, json) = field("owner")?;
        let owner = as_seat(&at, json, registered.players())?;
        if !registered[owner] {
            return Err(error(&at, format!("seat {owner} has not registered")));
        }
        if let Err(full) = table.add(Meld::new(kind, cards, owner)) {
            return Err(error("melds", full));
        }
    }
    Ok(table)
}

fn pile(fields: &Fields, players: u8) -> Result<Pile, ViewError> {
    let cards = parse_card_list("discards", text(fields, "discards")?)?;
    let by = list(fields, "discarders")?;
    if by.len() != cards.len() {
        return Err(error(
            "discarders",
            format!("has {} entries for {} discards", by.len(), cards.len()),
        ));
    }
    let mut pile = Pile::default();
    for (place, (&card, by)) in cards.iter().zip(by).enumerate() {
        let field = format!("discarders[{place}]");
        let by = match by {
            Json::Null if place == 0 => None,
            Json::Null => {
                return Err(error(
                    &field,
                    "is null: only the oldest card can have been turned up",
                ));
            }
            json => Some(as_seat(&field, json, players)?),
        };
        pile.push(card, by);
    }
    Ok(pile)
}

/// All places must make the deck, each card once.
fn check_cards(
    hand: Cards,
    counts: &BySeat<u8>,
    table: &Table,
    pile: &Pile,
    deck: u8,
) -> Result<(), ViewError> {
    let mut seen = hand;
    let mut place = |cards: Cards, field: &str| {
        let twice = seen & cards;
        seen |= cards;
        match twice.lowest() {
            Some(card) => Err(error(
                field,
                format!("{} lies in another place as well", card_text(card)),
            )),
            None => Ok(()),
        }
    };
    for (number, meld) in table.melds().iter().enumerate() {
        place(meld.cards(), &format!("melds[{number}].cards"))?;
    }
    place(pile.cards(), "discards")?;
    let held: u32 = counts.as_slice().iter().map(|&c| u32::from(c)).sum();
    let all = held + (seen - hand).len() + u32::from(deck);
    if all != u32::from(DECK_SIZE) {
        return Err(error(
            "deck",
            format!("hands, melds, discards and deck add up to {all} cards, not to 52"),
        ));
    }
    Ok(())
}

/// In a window the seat can claim the top discard.
fn window(
    seat: Seat,
    turn: Seat,
    hand: Cards,
    pile: &Pile,
    players: u8,
) -> Result<Options, ViewError> {
    let Some((card, by)) = pile.top() else {
        return Err(error("discards", "is empty, so there is nothing to claim"));
    };
    if by == Some(seat) {
        return Err(error(
            "discarders",
            format!("seat {seat} may not claim its own {}", card_text(card)),
        ));
    }
    if let Some(by) = by
        && turn != by.next(players)
    {
        return Err(error(
            "turn",
            format!(
                "is {turn}; after the discard of seat {by} it is seat {}'s",
                by.next(players)
            ),
        ));
    }
    if !can_claim(card, hand) {
        return Err(error(
            "hand",
            format!(
                "has no meld with {}: this seat is not asked",
                card_text(card)
            ),
        ));
    }
    Ok(Options::window(card, hand))
}

/// Where the view tells the options, they must be the ones that the rules give.
fn check_legal(fields: &Fields, options: &Options) -> Result<(), ViewError> {
    const NAME: &str = "legal";
    if !fields.contains_key(NAME) {
        return Ok(());
    }
    let mut told = Vec::new();
    for (place, json) in list(fields, NAME)?.iter().enumerate() {
        let field = format!("{NAME}[{place}]");
        let decision =
            Decision::parse(as_text(&field, json)?).map_err(|e| error(&field, e.reason))?;
        if !options.iter().any(|legal| legal == decision) {
            return Err(error(&field, format!("\"{decision}\" is not legal here")));
        }
        if told.contains(&decision) {
            return Err(error(&field, format!("\"{decision}\" is listed twice")));
        }
        told.push(decision);
    }
    match options.iter().find(|legal| !told.contains(legal)) {
        Some(missing) => Err(error(NAME, format!("lacks \"{missing}\", which is legal"))),
        None => Ok(()),
    }
}
