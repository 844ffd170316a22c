use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;

/// A SHA-256 digest, written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// A text that is no digest.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no digest: expected 64 lower-case hex digits")]
pub struct DigestError(pub String);

impl Digest {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest's bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest as hex text.
    #[must_use]
    pub fn hex(&self) -> String {
        self.to_string()
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl FromStr for Digest {
    type Err = DigestError;
    fn from_str(text: &str) -> Result<Self, DigestError> {
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return Err(DigestError(text.to_owned()));
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            for digit in pair {
                let value = match digit {
                    b'0'..=b'9' => digit - b'0',
                    b'a'..=b'f' => digit - b'a' + 10,
                    _ => return Err(DigestError(text.to_owned())),
                };
                *byte = *byte << 4 | value;
            }
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// SHA-256 of a text, as 64 hex digits.
#[must_use]
pub fn digest_of(text: impl AsRef<[u8]>) -> String {
    Digest::of(text.as_ref()).hex()
}

/// The digest that names a candidate: it covers game, players, ruleset, policy, knob values (in
/// table order) and the checksums of its tables, and nothing else. Held-out seeds are minted from
/// it, so they cannot be known before the candidate is fixed.
#[must_use]
pub fn candidate_digest<'a>(
    game: &str,
    players: u8,
    ruleset: &str,
    policy: &str,
    knobs: impl IntoIterator<Item = (&'a str, i64)>,
    tables: impl IntoIterator<Item = &'a str>,
) -> Digest {
    use crate::Value;
    let knobs = knobs
        .into_iter()
        .map(|(name, value)| Value::List(vec![name.into(), value.into()]))
        .collect();
    // Tables are a set: the order in which they are listed says nothing.
    let mut tables: Vec<&str> = tables.into_iter().collect();
    tables.sort_unstable();
    let value: Value = [
        ("candidate", Value::from(1)),
        ("game", game.into()),
        ("players", players.into()),
        ("ruleset", ruleset.into()),
        ("policy", policy.into()),
        ("knobs", Value::List(knobs)),
        ("tables", tables.into()),
    ]
    .into_iter()
    .collect();
    Digest::of(crate::canonical::to_line(&value).as_bytes())
}
