//! Reading the fields of a JSON object, each fault under the field's name.

use evenhand_contract::{Json, Seat, ViewError};
use serde_json::Map;

/// The fields of one object.
pub(super) struct Fields<'a>(&'a Map<String, Json>);

pub(super) fn error(field: &str, reason: impl ToString) -> ViewError {
    ViewError {
        field: field.to_owned(),
        reason: reason.to_string(),
    }
}

impl<'a> Fields<'a> {
    /// The object under `name`, every key of which must be one of `known`.
    ///
    /// # Errors
    /// When it is no object, or has another key, so that a misspelt one cannot become a default.
    pub(super) fn of(name: &str, json: &'a Json, known: &[&str]) -> Result<Self, ViewError> {
        let Some(fields) = json.as_object() else {
            return Err(error(name, format!("is {json}; it must be an object")));
        };
        match fields.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(Self(fields)),
            Some(unknown) => Err(error(
                unknown,
                format!("is no field of {name}; there are: {}", known.join(", ")),
            )),
        }
    }

    /// The field, unless it is absent or null.
    pub(super) fn get(&self, field: &str) -> Option<&'a Json> {
        self.0.get(field).filter(|json| !json.is_null())
    }

    fn required(&self, field: &str) -> Result<&'a Json, ViewError> {
        self.get(field).ok_or_else(|| error(field, "is missing"))
    }

    pub(super) fn text(&self, field: &str) -> Result<&'a str, ViewError> {
        text(field, self.required(field)?)
    }

    /// The text of a field that may be left out.
    pub(super) fn text_or(&self, field: &str, default: &'a str) -> Result<&'a str, ViewError> {
        self.get(field)
            .map_or(Ok(default), |json| text(field, json))
    }

    pub(super) fn flag(&self, field: &str) -> Result<bool, ViewError> {
        match self.get(field) {
            None => Ok(false),
            Some(json) => json
                .as_bool()
                .ok_or_else(|| error(field, format!("is {json}; it must be true or false"))),
        }
    }

    pub(super) fn whole(&self, field: &str, most: u64) -> Result<u64, ViewError> {
        whole(field, self.required(field)?, most)
    }

    /// A whole number that may be left out.
    pub(super) fn whole_or(&self, field: &str, most: u64, default: u64) -> Result<u64, ViewError> {
        let json = self.get(field);
        json.map_or(Ok(default), |json| whole(field, json, most))
    }

    /// A list with one entry a seat, each with its name.
    pub(super) fn by_seat(
        &self,
        field: &str,
        players: u8,
    ) -> Result<impl Iterator<Item = (Seat, String, &'a Json)>, ViewError> {
        let items = list(field, self.required(field)?)?;
        if items.len() != usize::from(players) {
            return Err(error(
                field,
                format!("has {} entries for {players} players", items.len()),
            ));
        }
        let named = Seat::all(players).zip(items);
        Ok(named.map(move |(seat, json)| (seat, format!("{field}[{seat}]"), json)))
    }

    /// A list of distinct seats, which may be left out; each with its name.
    pub(super) fn seats(&self, field: &str, players: u8) -> Result<Vec<(Seat, String)>, ViewError> {
        let mut seats: Vec<(Seat, String)> = Vec::new();
        let Some(json) = self.get(field) else {
            return Ok(seats);
        };
        for (place, item) in list(field, json)?.iter().enumerate() {
            let name = format!("{field}[{place}]");
            let seat = Seat(whole(&name, item, u64::from(players) - 1)? as u8);
            if seats.iter().any(|(other, _)| *other == seat) {
                return Err(error(&name, format!("seat {seat} is listed twice")));
            }
            seats.push((seat, name));
        }
        Ok(seats)
    }
}

pub(super) fn text<'a>(field: &str, json: &'a Json) -> Result<&'a str, ViewError> {
    json.as_str()
        .ok_or_else(|| error(field, format!("is {json}; it must be text")))
}

/// A whole number from 0 to `most`.
pub(super) fn whole(field: &str, json: &Json, most: u64) -> Result<u64, ViewError> {
    json.as_u64().filter(|&n| n <= most).ok_or_else(|| {
        error(
            field,
            format!("is {json}; it must be a whole number from 0 to {most}"),
        )
    })
}

fn list<'a>(field: &str, json: &'a Json) -> Result<&'a [Json], ViewError> {
    match json.as_array() {
        Some(items) => Ok(items),
        None => Err(error(field, format!("is {json}; it must be a list"))),
    }
}
