//! Standard output and error, with a reader that may go away.

use std::io::{ErrorKind, Write};

/// Writes `text` and a line end to standard output.
///
/// A reader that closed the pipe (`| head -1`) is no error: the rest is dropped in silence.
///
/// # Errors
/// Any other failure, as a full disk behind a redirection.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| {
            if text.ends_with('\n') {
                Ok(())
            } else {
                out.write_all(b"\n")
            }
        })
        .and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("standard output"))
        }
        _ => Ok(()),
    }
}

/// Writes a value as JSON with sorted keys, indented, to standard output.
///
/// # Errors
/// As [`print`].
pub fn print_json(value: &serde_json::Value) -> anyhow::Result<()> {
    print(&format!("{value:#}"))
}

/// Tells people on standard error what they should know beside the result.
pub fn note(text: &str) {
    diagnostic(&format!("note: {text}"));
}

/// One line for people on standard error; a closed one is ignored.
pub(crate) fn diagnostic(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// A value as a document can hold it: documents know no null, so a field without a value is left
/// out, at any depth.
#[must_use]
pub fn without_null(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.clone(), without_null(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_null).collect(),
        other => other.clone(),
    }
}
