//! The one right form of a document's bytes.
//!
//! Objects list their fields sorted by the bytes of the name, one field a line, indented by two
//! spaces a level; lists put each item on its own line. A list of whole numbers only that is
//! itself an item of a list is a tuple: it counts as one value and stands on one line,
//! `[12000, 43000, 17]`. Empty lists and objects are `[]` and `{}`. Text is plain UTF-8; `"`, `\`
//! and control characters are escaped (`\b \f \n \r \t`, else `\u00xx` in lower case), nothing
//! else is. Lines end with LF, the last one too.
//!
//! A *line* is the same without any white space, for journals and ledgers ([`to_line`]).

use crate::parse;
use crate::{ArtifactError, Fault, Value};
use std::fmt::Write;

/// The canonical text, final newline included.
#[must_use]
pub fn to_text(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, 0);
    out.push('\n');
    out
}

/// The canonical text on a single line: sorted keys, no white space, no newline.
#[must_use]
pub fn to_line(value: &Value) -> String {
    let mut out = String::new();
    write_compact(&mut out, value);
    out
}

/// Reads canonical text; `file` names it in messages.
///
/// # Errors
/// Everything that [`Fault`] lists up to [`Fault::NotCanonical`].
pub fn parse(file: &str, bytes: &[u8]) -> Result<Value, ArtifactError> {
    let value = parse::value(file, bytes)?;
    if bytes.last() != Some(&b'\n') {
        return Err(ArtifactError::new(file, Fault::NoFinalNewline));
    }
    compare(file, bytes, &to_text(&value))?;
    Ok(value)
}

/// Reads what [`to_line`] wrote (no newline at its end).
///
/// # Errors
/// Everything that [`Fault`] lists up to [`Fault::NotCanonical`].
pub fn parse_line(file: &str, bytes: &[u8]) -> Result<Value, ArtifactError> {
    let value = parse::value(file, bytes)?;
    compare(file, bytes, &to_line(&value))?;
    Ok(value)
}

/// Reads strict JSON in any layout: for input that people write.
///
/// # Errors
/// Everything that [`Fault`] lists but for the final newline and the canonical form.
pub fn parse_any(file: &str, bytes: &[u8]) -> Result<Value, ArtifactError> {
    parse::value(file, bytes)
}

fn compare(file: &str, bytes: &[u8], expected: &str) -> Result<(), ArtifactError> {
    if bytes == expected.as_bytes() {
        return Ok(());
    }
    let found = String::from_utf8_lossy(bytes);
    let mut found_lines = found.split('\n');
    let mut expected_lines = expected.split('\n');
    let mut line = 0;
    loop {
        line += 1;
        let pair = (found_lines.next(), expected_lines.next());
        if pair.0 == pair.1 && pair.0.is_some() {
            continue;
        }
        return Err(ArtifactError::new(
            file,
            Fault::NotCanonical {
                line,
                found: shortened(pair.0.unwrap_or_default()),
                expected: shortened(pair.1.unwrap_or_default()),
            },
        ));
    }
}

fn shortened(line: &str) -> String {
    const MOST: usize = 80;
    if line.chars().count() <= MOST {
        return line.to_owned();
    }
    line.chars().take(MOST).chain(['…']).collect()
}

fn is_tuple(value: &Value) -> bool {
    matches!(value, Value::List(items) if !items.is_empty()
        && items.iter().all(|item| matches!(item, Value::Int(_))))
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}

fn write_value(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::List(items) if !items.is_empty() => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                new_line(out, depth + 1);
                match item {
                    Value::List(numbers) if is_tuple(item) => {
                        out.push('[');
                        for (j, number) in numbers.iter().enumerate() {
                            if j > 0 {
                                out.push_str(", ");
                            }
                            write_compact(out, number);
                        }
                        out.push(']');
                    }
                    _ => write_value(out, item, depth + 1),
                }
            }
            new_line(out, depth);
            out.push(']');
        }
        Value::Object(fields) if !fields.is_empty() => {
            out.push('{');
            for (i, (name, value)) in fields.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                new_line(out, depth + 1);
                write_text(out, name);
                out.push_str(": ");
                write_value(out, value, depth + 1);
            }
            new_line(out, depth);
            out.push('}');
        }
        _ => write_compact(out, value),
    }
}

fn write_compact(out: &mut String, value: &Value) {
    match value {
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Int(n) => {
            let _ = write!(out, "{n}");
        }
        Value::Text(text) => write_text(out, text),
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_compact(out, item);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (i, (name, value)) in fields.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_text(out, name);
                out.push(':');
                write_compact(out, value);
            }
            out.push('}');
        }
    }
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
