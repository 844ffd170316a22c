//! One line of input: the view, and what the caller wants back unchanged.

use evenhand_contract::Json;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The caller's marks, as they were written.
#[derive(Deserialize, Default)]
pub(crate) struct Marks<'a> {
    #[serde(borrow)]
    pub(crate) id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) state_version: Option<&'a RawValue>,
}

impl Marks<'_> {
    /// Each mark with its name.
    pub(crate) fn written(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [("id", self.id), ("state_version", self.state_version)];
        all.into_iter()
            .filter_map(|(name, raw)| raw.map(|raw| (name, raw.get())))
    }
}

/// The marks of a line, none where it is not an object or a mark is neither text nor number.
pub(crate) fn marks(line: &str) -> Marks<'_> {
    let mut marks: Marks<'_> = serde_json::from_str(line).unwrap_or_default();
    let plain = |raw: &&RawValue| {
        raw.get()
            .starts_with(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    };
    marks.id = marks.id.filter(plain);
    marks.state_version = marks.state_version.filter(plain);
    marks
}

/// Reads a line as JSON; a repeated key is refused at any depth.
pub(crate) fn parse(line: &str) -> Result<Json, String> {
    let mut reader = serde_json::Deserializer::from_str(line);
    let value = Strict
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|e| format!("not JSON: {e}"))?;
    for mark in ["id", "state_version"] {
        if let Some(json) = value.get(mark)
            && !(json.is_string() || json.is_number())
        {
            return Err(format!("{mark}: is {json}; it must be text or a number"));
        }
    }
    Ok(value)
}

/// Builds a value, refusing repeated keys.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Json;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(value.into())
    }
    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }
    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }
    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(value.into())
    }
    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(value.into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Strict)? {
            list.push(item);
        }
        Ok(Json::Array(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut fields = serde_json::Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if fields.contains_key(&key) {
                return Err(de::Error::custom(format!("the key {key:?} stands twice")));
            }
            fields.insert(key, entries.next_value_seed(Strict)?);
        }
        Ok(Json::Object(fields))
    }
}
