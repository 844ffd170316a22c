use crate::{ArtifactError, Digest, Fault, SerError, Value};
use crate::{canonical, format, from_value, to_value};
use serde::{Deserialize, Serialize};

/// What a ledger line says, without its place in the chain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The game: attempts are counted since its last freeze.
    pub game: String,
    /// How many sit at the table.
    pub players: u8,
    /// The ruleset's text.
    pub ruleset: String,
    /// The policy's row.
    pub policy: String,
    /// The experiment.
    pub experiment: String,
    /// Digest of the candidate.
    pub candidate: String,
    /// The salt of the held-out seeds; empty by default.
    pub salt: String,
    /// What happened.
    pub event: Event,
}

/// What a ledger line records.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// Written before the first held-out match.
    Intent {
        /// Digest of the spec's meaning.
        spec: String,
    },
    /// Written after the last one.
    Outcome {
        /// What came out.
        result: Outcome,
        /// Content digest of the intent line.
        intent: String,
        /// Checksum of the validation record; absent when abandoned.
        #[serde(default)]
        validation: Option<String>,
    },
    /// Written when the candidate was frozen: the count of attempts starts afresh.
    Freeze {
        /// Content digest of the outcome line.
        outcome: String,
        /// Checksum of the weights.
        weights: String,
    },
}

/// How an attempt ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Every gate holds.
    Passed,
    /// Some gate does not.
    Failed,
    /// The run was given up.
    Abandoned,
}

/// A line of the ledger: an entry with its attempt, level and link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerLine {
    /// What it says.
    pub entry: Entry,
    /// The attempt since the game's last freeze, from 1.
    pub attempt: u32,
    /// The level that goes with it, in billionths.
    pub alpha_ppb: i64,
    /// Link: digest of the previous link and this line's content, attempt and level.
    pub chain: Digest,
}

/// A ledger line that is not accepted.
pub type LedgerError = ArtifactError;

/// The level of attempt `k`, in billionths, rounded down: 0.05 / (k (k + 1)). The sum over all k
/// is 0.05, so all attempts together stay under 5 %. Attempt 0 is judged like the first one.
#[must_use]
pub fn alpha_ppb(attempt: u32) -> i64 {
    let k = i64::from(attempt.max(1));
    50_000_000 / k.saturating_mul(k + 1)
}

impl Entry {
    fn value(&self) -> Result<Value, SerError> {
        let Value::Object(mut fields) = to_value(self)? else {
            return Err(SerError("an entry is an object".to_owned()));
        };
        fields.insert("format".to_owned(), format::LEDGER.to_string().into());
        Ok(Value::Object(fields))
    }

    /// Digest of what the line says, without chain, attempt and level, so that merging two
    /// branches' ledgers does not change what was cited.
    ///
    /// # Errors
    /// Never for entries made of plain text.
    pub fn content_digest(&self) -> Result<Digest, SerError> {
        Ok(Digest::of(canonical::to_line(&self.value()?).as_bytes()))
    }

    /// Whether two entries belong to the same attempt: same game, candidate and salt.
    #[must_use]
    pub fn same_attempt(&self, other: &Self) -> bool {
        self.game == other.game && self.candidate == other.candidate && self.salt == other.salt
    }
}

impl LedgerLine {
    /// The line behind a link; `None` before the first line.
    ///
    /// # Errors
    /// Never for entries made of plain text.
    pub fn linked(entry: Entry, attempt: u32, previous: Option<Digest>) -> Result<Self, SerError> {
        let alpha_ppb = alpha_ppb(attempt);
        let chain = link(&entry, attempt, alpha_ppb, previous)?;
        Ok(Self {
            entry,
            attempt,
            alpha_ppb,
            chain,
        })
    }

    /// Whether the link fits the line and its predecessor's link.
    #[must_use]
    pub fn fits(&self, previous: Option<Digest>) -> bool {
        link(&self.entry, self.attempt, self.alpha_ppb, previous) == Ok(self.chain)
    }

    /// The line's text, without newline.
    ///
    /// # Errors
    /// Never for entries made of plain text.
    pub fn text(&self) -> Result<String, SerError> {
        let Value::Object(mut fields) = self.entry.value()? else {
            return Err(SerError("an entry is an object".to_owned()));
        };
        fields.insert("attempt".to_owned(), self.attempt.into());
        fields.insert("alpha_ppb".to_owned(), self.alpha_ppb.into());
        fields.insert("chain".to_owned(), self.chain.hex().into());
        Ok(canonical::to_line(&Value::Object(fields)))
    }

    /// Reads a line; `file` names file and line in messages.
    ///
    /// # Errors
    /// Any [`Fault`] of its form; the link is checked by [`LedgerLine::fits`].
    pub fn parse(file: &str, text: &[u8]) -> Result<Self, LedgerError> {
        let refuse = |fault| ArtifactError::new(file, fault);
        let Value::Object(mut fields) = canonical::parse_line(file, text)? else {
            return Err(refuse(Fault::BadValue {
                field: "(top)".to_owned(),
                reason: "expected an object".to_owned(),
            }));
        };
        let expected = format::LEDGER.to_string();
        match fields.remove("format") {
            Some(Value::Text(found)) if found == expected => {}
            Some(Value::Text(found)) => {
                return Err(refuse(Fault::UnknownVersion { found, expected }));
            }
            _ => return Err(refuse(Fault::NoFormat { expected })),
        }
        let mut take = |name: &str| {
            fields.remove(name).ok_or_else(|| {
                refuse(Fault::MissingField {
                    field: name.to_owned(),
                })
            })
        };
        let attempt = from_value(take("attempt")?).map_err(refuse)?;
        let alpha_ppb = from_value(take("alpha_ppb")?).map_err(refuse)?;
        let chain = from_value(take("chain")?).map_err(refuse)?;
        let entry = from_value(Value::Object(fields)).map_err(refuse)?;
        Ok(Self {
            entry,
            attempt,
            alpha_ppb,
            chain,
        })
    }
}

fn link(
    entry: &Entry,
    attempt: u32,
    alpha_ppb: i64,
    previous: Option<Digest>,
) -> Result<Digest, SerError> {
    let previous = previous.map_or_else(|| "start".to_owned(), |d| d.hex());
    let content = canonical::to_line(&entry.value()?);
    Ok(Digest::of(
        format!("evenhand-ledger-link/1\n{previous}\n{attempt}\n{alpha_ppb}\n{content}\n")
            .as_bytes(),
    ))
}
