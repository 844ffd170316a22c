//! From [`Value`] to Rust types, with the path of the field at fault in every refusal.

use crate::{Fault, Value};
use serde::de::value::StringDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt::Display;

/// Reads a Rust type from a document value.
///
/// # Errors
/// [`Fault::UnknownField`], [`Fault::MissingField`] or [`Fault::BadValue`], naming the field.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, Fault> {
    T::deserialize(FromValue(value)).map_err(DeError::into_fault)
}

#[derive(Debug)]
enum Kind {
    Unknown(String),
    Missing,
    Bad(String),
}

#[derive(Debug)]
struct DeError {
    path: String,
    kind: Kind,
}

impl DeError {
    fn under(mut self, step: &str) -> Self {
        let joint = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{step}{joint}{}", self.path);
        self
    }

    fn into_fault(self) -> Fault {
        let field = if self.path.is_empty() {
            "(top)".to_owned()
        } else {
            self.path
        };
        match self.kind {
            Kind::Unknown(expected) => Fault::UnknownField { field, expected },
            Kind::Missing => Fault::MissingField { field },
            Kind::Bad(reason) => Fault::BadValue { field, reason },
        }
    }
}

impl Display for DeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            Kind::Unknown(expected) => {
                write!(f, "{}: unknown field; expected {expected}", self.path)
            }
            Kind::Missing => write!(f, "{}: missing", self.path),
            Kind::Bad(reason) => write!(f, "{}: {reason}", self.path),
        }
    }
}

impl std::error::Error for DeError {}

impl de::Error for DeError {
    fn custom<T: Display>(message: T) -> Self {
        Self {
            path: String::new(),
            kind: Kind::Bad(message.to_string()),
        }
    }
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self {
            path: field.to_owned(),
            kind: Kind::Unknown(if expected.is_empty() {
                "no field".to_owned()
            } else {
                expected.join(", ")
            }),
        }
    }
    fn missing_field(field: &'static str) -> Self {
        Self {
            path: field.to_owned(),
            kind: Kind::Missing,
        }
    }
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format!("found {found}, expected {expected}"))
    }
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format!("found {found}, expected {expected}"))
    }
}

struct FromValue(Value);

impl<'de> de::Deserializer<'de> for FromValue {
    type Error = DeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.0 {
            Value::Bool(b) => visitor.visit_bool(b),
            Value::Int(n) => visitor.visit_i64(n),
            Value::Text(text) => visitor.visit_string(text),
            Value::List(items) => {
                let mut access = Items {
                    count: items.len(),
                    items: items.into_iter(),
                    place: 0,
                };
                let value = visitor.visit_seq(&mut access)?;
                if access.place < access.count {
                    return Err(de::Error::custom(format!(
                        "found {} items, expected {}",
                        access.count, access.place
                    )));
                }
                Ok(value)
            }
            Value::Object(fields) => visitor.visit_map(Fields {
                fields: fields.into_iter(),
                current: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        match self.0 {
            Value::Text(name) => visitor.visit_enum(Variant { name, value: None }),
            Value::Object(fields) if fields.len() == 1 => match fields.into_iter().next() {
                Some((name, value)) => visitor.visit_enum(Variant {
                    name,
                    value: Some(value),
                }),
                None => Err(de::Error::custom("expected a variant's name")),
            },
            other => Err(de::Error::custom(format!(
                "found {}, expected a variant's name, or an object with it as its one key",
                other.kind()
            ))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items {
    items: std::vec::IntoIter<Value>,
    count: usize,
    place: usize,
}

impl<'de> SeqAccess<'de> for &mut Items {
    type Error = DeError;
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DeError> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let place = self.place;
        self.place += 1;
        seed.deserialize(FromValue(item))
            .map(Some)
            .map_err(|e| e.under(&format!("[{place}]")))
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Fields {
    fields: std::collections::btree_map::IntoIter<String, Value>,
    current: Option<(String, Value)>,
}

impl<'de> MapAccess<'de> for Fields {
    type Error = DeError;
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DeError> {
        self.current = self.fields.next();
        let Some((key, _)) = &self.current else {
            return Ok(None);
        };
        let name: StringDeserializer<DeError> = key.clone().into_deserializer();
        seed.deserialize(name).map(Some)
    }
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, DeError> {
        let Some((key, value)) = self.current.take() else {
            return Err(de::Error::custom("a value without its key"));
        };
        seed.deserialize(FromValue(value))
            .map_err(|e| e.under(&key))
    }
}

struct Variant {
    name: String,
    value: Option<Value>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = DeError;
    type Variant = Self;
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), DeError> {
        let name: StringDeserializer<DeError> = self.name.clone().into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl Variant {
    fn content(self) -> Result<(String, Value), DeError> {
        match self.value {
            Some(value) => Ok((self.name, value)),
            None => Err(de::Error::custom(format!("{:?} needs a value", self.name))),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = DeError;
    fn unit_variant(self) -> Result<(), DeError> {
        match self.value {
            None => Ok(()),
            Some(_) => Err(de::Error::custom(format!("{:?} takes no value", self.name))),
        }
    }
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DeError> {
        let (name, value) = self.content()?;
        seed.deserialize(FromValue(value))
            .map_err(|e| e.under(&name))
    }
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DeError> {
        let (name, value) = self.content()?;
        de::Deserializer::deserialize_any(FromValue(value), visitor).map_err(|e| e.under(&name))
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.tuple_variant(fields.len(), visitor)
    }
}
