//! From Rust types to [`Value`]. A field that is `None` is left out; floats, bytes and numbers
//! beyond i64 are refused.

use crate::Value;
use serde::ser::{self, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Display;

/// A value that no document can hold, with the reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot be written to a document: {0}")]
pub struct SerError(pub String);

impl ser::Error for SerError {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// The document value of any serializable type.
///
/// # Errors
/// A value that no document can hold: a float, a number beyond i64, a `None` that is not a field,
/// a map key that is not text, nesting deeper than the reader admits.
pub fn to_value<T: Serialize + ?Sized>(from: &T) -> Result<Value, SerError> {
    let value = from.serialize(ToValue)?.ok_or_else(none)?;
    if depth(&value) > crate::parse::MAX_DEPTH {
        return Err(SerError("nested too deeply".to_owned()));
    }
    Ok(value)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::List(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn none() -> SerError {
    SerError("a missing value can only be a field, which is then left out".to_owned())
}

fn whole(n: impl TryInto<i64> + Display + Copy) -> Result<Option<Value>, SerError> {
    match n.try_into() {
        Ok(n) => Ok(Some(Value::Int(n))),
        Err(_) => Err(SerError(format!(
            "{n} is beyond 64 bits with a sign; write it as text"
        ))),
    }
}

fn float() -> SerError {
    SerError("documents hold whole numbers only, not floats".to_owned())
}

/// `Ok(None)` is a missing value.
struct ToValue;

struct Items {
    variant: Option<&'static str>,
    items: Vec<Value>,
}

struct Fields {
    variant: Option<&'static str>,
    fields: BTreeMap<String, Value>,
    key: Option<String>,
}

fn wrapped(variant: Option<&'static str>, value: Value) -> Option<Value> {
    Some(match variant {
        None => value,
        Some(name) => [(name, value)].into_iter().collect(),
    })
}

impl Items {
    fn push<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), SerError> {
        self.items.push(item.serialize(ToValue)?.ok_or_else(none)?);
        Ok(())
    }
    fn done(self) -> Result<Option<Value>, SerError> {
        Ok(wrapped(self.variant, Value::List(self.items)))
    }
}

impl Fields {
    fn put<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), SerError> {
        let Some(value) = value
            .serialize(ToValue)
            .map_err(|e| SerError(format!("{name}: {}", e.0)))?
        else {
            return Ok(());
        };
        if self.fields.insert(name.to_owned(), value).is_some() {
            return Err(SerError(format!("{name}: the key stands twice")));
        }
        Ok(())
    }
    fn done(self) -> Result<Option<Value>, SerError> {
        Ok(wrapped(self.variant, Value::Object(self.fields)))
    }
}

type Out = Result<Option<Value>, SerError>;

impl Serializer for ToValue {
    type Ok = Option<Value>;
    type Error = SerError;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Fields;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Fields;

    fn serialize_bool(self, b: bool) -> Out {
        Ok(Some(Value::Bool(b)))
    }
    fn serialize_i8(self, n: i8) -> Out {
        whole(n)
    }
    fn serialize_i16(self, n: i16) -> Out {
        whole(n)
    }
    fn serialize_i32(self, n: i32) -> Out {
        whole(n)
    }
    fn serialize_i64(self, n: i64) -> Out {
        whole(n)
    }
    fn serialize_i128(self, n: i128) -> Out {
        whole(n)
    }
    fn serialize_u8(self, n: u8) -> Out {
        whole(n)
    }
    fn serialize_u16(self, n: u16) -> Out {
        whole(n)
    }
    fn serialize_u32(self, n: u32) -> Out {
        whole(n)
    }
    fn serialize_u64(self, n: u64) -> Out {
        whole(n)
    }
    fn serialize_u128(self, n: u128) -> Out {
        whole(n)
    }
    fn serialize_f32(self, _: f32) -> Out {
        Err(float())
    }
    fn serialize_f64(self, _: f64) -> Out {
        Err(float())
    }
    fn serialize_char(self, c: char) -> Out {
        Ok(Some(Value::Text(c.to_string())))
    }
    fn serialize_str(self, text: &str) -> Out {
        Ok(Some(Value::Text(text.to_owned())))
    }
    fn serialize_bytes(self, _: &[u8]) -> Out {
        Err(SerError(
            "bytes have no form here; write hex text".to_owned(),
        ))
    }
    fn serialize_none(self) -> Out {
        Ok(None)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Out {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Out {
        Ok(None)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Out {
        Ok(None)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Out {
        Ok(Some(variant.into()))
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Out {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Out {
        let value = value.serialize(Self)?.ok_or_else(none)?;
        Ok(wrapped(Some(variant), value))
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Items, SerError> {
        Ok(Items {
            variant: None,
            items: Vec::new(),
        })
    }
    fn serialize_tuple(self, len: usize) -> Result<Items, SerError> {
        self.serialize_seq(Some(len))
    }
    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Items, SerError> {
        self.serialize_seq(Some(len))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items, SerError> {
        Ok(Items {
            variant: Some(variant),
            items: Vec::new(),
        })
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Fields, SerError> {
        Ok(Fields {
            variant: None,
            fields: BTreeMap::new(),
            key: None,
        })
    }
    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Fields, SerError> {
        self.serialize_map(Some(len))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields, SerError> {
        Ok(Fields {
            variant: Some(variant),
            fields: BTreeMap::new(),
            key: None,
        })
    }
}

macro_rules! items {
    ($($kind:ident $method:ident),*) => {$(
        impl ser::$kind for Items {
            type Ok = Option<Value>;
            type Error = SerError;
            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), SerError> {
                self.push(item)
            }
            fn end(self) -> Out {
                self.done()
            }
        }
    )*};
}
items!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

macro_rules! fields {
    ($($kind:ident),*) => {$(
        impl ser::$kind for Fields {
            type Ok = Option<Value>;
            type Error = SerError;
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), SerError> {
                self.put(name, value)
            }
            fn end(self) -> Out {
                self.done()
            }
        }
    )*};
}
fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Fields {
    type Ok = Option<Value>;
    type Error = SerError;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), SerError> {
        self.key = Some(match key.serialize(ToValue)? {
            Some(Value::Text(text)) => text,
            Some(Value::Int(n)) => n.to_string(),
            _ => return Err(SerError("a map's key must be text".to_owned())),
        });
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerError> {
        let key = self.key.take().unwrap_or_default();
        self.put(&key, value)
    }
    fn end(self) -> Out {
        self.done()
    }
}
