use crate::{ArtifactError, Digest, Fault, Format, SerError, Value};
use crate::{canonical, from_value, to_value};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A document type: its fields, its format and the rules that span fields. `format` and
/// `checksum` are no fields of it: [`seal`] adds them and [`open`] checks them.
pub trait Document: Serialize + DeserializeOwned {
    /// The format that is written.
    const FORMAT: Format;

    /// The version that this document is written in: the earliest that holds all of it, where a
    /// later one only adds fields, so that documents without them keep their bytes.
    fn version(&self) -> u32 {
        Self::FORMAT.version()
    }

    /// Rules beyond the types of the fields, as (field, reason) for each that is broken.
    fn broken_rules(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// A document with its canonical bytes and their checksum: what was checked cannot be changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sealed<D> {
    doc: D,
    text: String,
    checksum: Digest,
}

impl<D> Sealed<D> {
    /// The document.
    pub const fn doc(&self) -> &D {
        &self.doc
    }
    /// The document, released.
    pub fn into_doc(self) -> D {
        self.doc
    }
    /// The canonical text with format, checksum and final newline.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// The checksum: SHA-256 over the canonical bytes without the checksum line.
    pub const fn checksum(&self) -> Digest {
        self.checksum
    }
}

impl<D> std::ops::Deref for Sealed<D> {
    type Target = D;
    fn deref(&self) -> &D {
        &self.doc
    }
}

/// Gives a document its format, its canonical bytes and its checksum.
///
/// # Errors
/// A value that no document can hold (a float, a number beyond i64), or a broken rule.
pub fn seal<D: Document>(doc: D) -> Result<Sealed<D>, SerError> {
    let (text, checksum) = text_of(&doc)?;
    Ok(Sealed {
        doc,
        text,
        checksum,
    })
}

fn text_of<D: Document>(doc: &D) -> Result<(String, Digest), SerError> {
    if let Some((field, reason)) = doc.broken_rules().into_iter().next() {
        return Err(SerError(format!("{field}: {reason}")));
    }
    let Value::Object(mut fields) = to_value(doc)? else {
        return Err(SerError("a document must be an object".to_owned()));
    };
    for reserved in ["format", "checksum"] {
        if fields.contains_key(reserved) {
            return Err(SerError(format!("{reserved}: added by sealing alone")));
        }
    }
    fields.insert("format".to_owned(), D::FORMAT.text(doc.version()).into());
    let checksum = Digest::of(canonical::to_text(&Value::Object(fields.clone())).as_bytes());
    fields.insert("checksum".to_owned(), checksum.hex().into());
    Ok((canonical::to_text(&Value::Object(fields)), checksum))
}

/// The canonical text of a document.
///
/// # Errors
/// As [`seal`].
pub fn encode<D: Document>(doc: &D) -> Result<String, SerError> {
    text_of(doc).map(|(text, _)| text)
}

/// Reads a document; `file` names it in messages.
///
/// # Errors
/// Any [`Fault`].
pub fn decode<D: Document>(file: &str, bytes: &[u8]) -> Result<D, ArtifactError> {
    open(file, bytes).map(Sealed::into_doc)
}

/// Reads a document and keeps its bytes and checksum; `file` names it in messages.
///
/// # Errors
/// Any [`Fault`].
pub fn open<D: Document>(file: &str, bytes: &[u8]) -> Result<Sealed<D>, ArtifactError> {
    let refuse = |fault| ArtifactError::new(file, fault);
    let value = canonical::parse(file, bytes)?;
    check_format(&D::FORMAT, &value).map_err(refuse)?;
    let (value, checksum) = checked(value).map_err(refuse)?;
    let Value::Object(mut fields) = value else {
        return Err(refuse(Fault::NoChecksum));
    };
    let format = fields.remove("format");
    let doc: D = from_value(Value::Object(fields)).map_err(refuse)?;
    let fitting = D::FORMAT.text(doc.version());
    let found = format.as_ref().and_then(Value::as_text).unwrap_or_default();
    if found != fitting {
        return Err(refuse(Fault::Rule {
            field: "format".to_owned(),
            reason: format!("{found} written, but what it holds is {fitting}"),
        }));
    }
    if let Some((field, reason)) = doc.broken_rules().into_iter().next() {
        return Err(refuse(Fault::Rule { field, reason }));
    }
    Ok(Sealed {
        doc,
        text: String::from_utf8_lossy(bytes).into_owned(),
        checksum,
    })
}

/// Whether the `format` field names a version of `format` that this build reads.
fn check_format(format: &Format, value: &Value) -> Result<(), Fault> {
    let expected = format.to_string();
    let Some(found) = value.get("format").and_then(Value::as_text) else {
        return Err(Fault::NoFormat { expected });
    };
    let found_text = found.to_owned();
    let Some(version) = format.version_in(found) else {
        return Err(Fault::OtherFormat {
            found: found_text,
            expected,
        });
    };
    let known = version
        .parse()
        .is_ok_and(|n: u32| format.reads(n) && n.to_string() == version);
    if !known {
        return Err(Fault::UnknownVersion {
            found: found_text,
            expected,
        });
    }
    Ok(())
}

/// The value without its checksum, which fits it.
pub(crate) fn checked(value: Value) -> Result<(Value, Digest), Fault> {
    let Value::Object(mut fields) = value else {
        return Err(Fault::NoChecksum);
    };
    let written: Digest = match fields.remove("checksum") {
        Some(Value::Text(text)) => text.parse().map_err(|_| Fault::NoChecksum)?,
        _ => return Err(Fault::NoChecksum),
    };
    let value = Value::Object(fields);
    // `format` sorts behind `checksum`, so the removed line is never the last of its object and
    // the text without it is the canonical text of the remaining fields.
    let computed = Digest::of(canonical::to_text(&value).as_bytes());
    if computed != written {
        return Err(Fault::Checksum {
            written: written.hex(),
            computed: computed.hex(),
        });
    }
    Ok((value, written))
}
