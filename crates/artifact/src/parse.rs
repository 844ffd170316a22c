//! The strict reader: plain JSON less floats, null, duplicate keys and deep nesting.

use crate::{ArtifactError, Fault, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Levels of lists and objects that a document may nest.
pub(crate) const MAX_DEPTH: usize = 32;

enum Step {
    Key(String),
    Item(usize),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    path: Vec<Step>,
}

/// Reads one value that fills the text up to trailing white space.
pub(crate) fn value(file: &str, bytes: &[u8]) -> Result<Value, ArtifactError> {
    let text = text(bytes).map_err(|fault| ArtifactError::new(file, fault))?;
    let mut reader = Reader {
        text,
        at: 0,
        path: Vec::new(),
    };
    let whole = reader.value().and_then(|value| {
        reader.space();
        if reader.at < text.len() {
            return Err(reader.syntax("something follows the end of the document"));
        }
        Ok(value)
    });
    whole.map_err(|fault| ArtifactError::new(file, fault))
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    1 + bytes[..at].iter().filter(|b| **b == b'\n').count()
}

fn text(bytes: &[u8]) -> Result<&str, Fault> {
    if bytes.is_empty() {
        return Err(Fault::Empty);
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Fault::Bom);
    }
    if let Some(at) = bytes.iter().position(|b| *b == b'\r') {
        return Err(Fault::LineEndings {
            line: line_of(bytes, at),
        });
    }
    str::from_utf8(bytes).map_err(|e| Fault::NotUtf8 {
        line: line_of(bytes, e.valid_up_to()),
    })
}

impl Reader<'_> {
    fn field(&self) -> String {
        let mut path = String::new();
        for step in &self.path {
            match step {
                Step::Key(key) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(key);
                }
                Step::Item(place) => {
                    let _ = write!(path, "[{place}]");
                }
            }
        }
        if path.is_empty() {
            path.push_str("(top)");
        }
        path
    }

    fn line(&self) -> usize {
        line_of(self.text.as_bytes(), self.at.min(self.text.len()))
    }

    fn syntax(&self, reason: &str) -> Fault {
        Fault::Syntax {
            field: self.field(),
            line: self.line(),
            reason: reason.to_owned(),
        }
    }

    fn truncated(&self) -> Fault {
        Fault::Truncated {
            field: self.field(),
            line: self.line(),
        }
    }

    fn space(&mut self) {
        while matches!(
            self.text.as_bytes().get(self.at),
            Some(b' ' | b'\n' | b'\t')
        ) {
            self.at += 1;
        }
    }

    /// The next byte that is not white space, not consumed.
    fn peek(&mut self) -> Result<u8, Fault> {
        self.space();
        let next = self.text.as_bytes().get(self.at).copied();
        next.ok_or_else(|| self.truncated())
    }

    fn value(&mut self) -> Result<Value, Fault> {
        match self.peek()? {
            b'{' => self.object(),
            b'[' => self.list(),
            b'"' => self.string().map(Value::Text),
            b'-' | b'+' | b'.' | b'0'..=b'9' => self.number(),
            _ => self.word(),
        }
    }

    fn enter(&self) -> Result<(), Fault> {
        if self.path.len() >= MAX_DEPTH {
            return Err(Fault::TooDeep {
                field: self.field(),
                line: self.line(),
                limit: MAX_DEPTH,
            });
        }
        Ok(())
    }

    fn object(&mut self) -> Result<Value, Fault> {
        self.enter()?;
        self.at += 1;
        let mut fields = BTreeMap::new();
        if self.peek()? == b'}' {
            self.at += 1;
            return Ok(Value::Object(fields));
        }
        loop {
            if self.peek()? != b'"' {
                return Err(self.syntax("expected a key in quotes"));
            }
            let key = self.string()?;
            self.path.push(Step::Key(key.clone()));
            if fields.contains_key(&key) {
                return Err(Fault::DuplicateKey {
                    field: self.field(),
                    line: self.line(),
                });
            }
            if self.peek()? != b':' {
                return Err(self.syntax("expected a colon after the key"));
            }
            self.at += 1;
            let value = self.value()?;
            self.path.pop();
            fields.insert(key, value);
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => break,
                _ => return Err(self.syntax("expected a comma or the end of the object")),
            }
        }
        self.at += 1;
        Ok(Value::Object(fields))
    }

    fn list(&mut self) -> Result<Value, Fault> {
        self.enter()?;
        self.at += 1;
        let mut items = Vec::new();
        if self.peek()? == b']' {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            self.path.push(Step::Item(items.len()));
            items.push(self.value()?);
            self.path.pop();
            match self.peek()? {
                b',' => self.at += 1,
                b']' => break,
                _ => return Err(self.syntax("expected a comma or the end of the list")),
            }
        }
        self.at += 1;
        Ok(Value::List(items))
    }

    /// The run of characters that a number or a word may be made of, consumed.
    fn token(&mut self) -> &str {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let text = self.token().to_owned();
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if whole && digits != "0" && digits.starts_with('0') {
            return Err(self.syntax(&format!("{text} has a leading zero")));
        }
        let (field, line) = (self.field(), self.line());
        if text == "-0" {
            return Err(Fault::Float { field, line, text });
        }
        if whole {
            return match text.parse() {
                Ok(n) => Ok(Value::Int(n)),
                Err(_) => Err(Fault::IntegerRange { field, line, text }),
            };
        }
        let like_a_float = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
        if digits.contains(|c: char| c.is_ascii_digit()) && text.chars().all(like_a_float) {
            return Err(Fault::Float { field, line, text });
        }
        if matches!(digits, "inf" | "Infinity" | "nan" | "NaN") {
            return Err(Fault::Float { field, line, text });
        }
        Err(self.syntax(&format!("{text:?} is no number")))
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let at_end = |reader: &Self| reader.at == reader.text.len();
        let word = self.token().to_owned();
        let (field, line) = (self.field(), self.line());
        match word.as_str() {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            "null" => Err(Fault::Null { field, line }),
            "NaN" | "nan" | "inf" | "Infinity" => Err(Fault::Float {
                field,
                line,
                text: word,
            }),
            cut if at_end(self) && ["true", "false", "null"].iter().any(|w| w.starts_with(cut)) => {
                Err(self.truncated())
            }
            "" => Err(self.syntax("expected a value")),
            _ => Err(self.syntax(&format!("{word:?} is no value"))),
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .find(|c: char| c == '"' || c == '\\' || c < ' ')
                .ok_or_else(|| self.truncated())?;
            out.push_str(&rest[..plain]);
            self.at += plain;
            match self.text.as_bytes()[self.at] {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                _ => return Err(self.syntax("a control character stands bare in text")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let Some(kind) = self.text.as_bytes().get(self.at).copied() else {
            return Err(self.truncated());
        };
        self.at += 1;
        Ok(match kind {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex4()?;
                let code = if (0xd800..0xdc00).contains(&first) {
                    if !self.text[self.at..].starts_with("\\u") {
                        return Err(self.syntax("half a surrogate pair in text"));
                    }
                    self.at += 2;
                    let second = self.hex4()?;
                    if !(0xdc00..0xe000).contains(&second) {
                        return Err(self.syntax("half a surrogate pair in text"));
                    }
                    0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                } else {
                    first
                };
                match char::from_u32(code) {
                    Some(c) => c,
                    None => return Err(self.syntax("half a surrogate pair in text")),
                }
            }
            _ => {
                // The byte may begin a longer character: stay on a character's border.
                self.at -= 1;
                return Err(self.syntax("unknown escape in text"));
            }
        })
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let Some(digits) = self.text.as_bytes().get(self.at..self.at + 4) else {
            return Err(self.truncated());
        };
        let mut code = 0;
        for digit in digits {
            let Some(value) = (*digit as char).to_digit(16) else {
                return Err(self.syntax("expected four hex digits after \\u"));
            };
            code = code * 16 + value;
        }
        self.at += 4;
        Ok(code)
    }
}
