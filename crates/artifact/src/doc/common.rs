use crate::DomainError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A knob and its value, in thousandths.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnobValue {
    /// The knob's name in the policy's table.
    pub name: String,
    /// Thousandths.
    pub value: i64,
}

/// Whether a run may ever be frozen from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunKind {
    /// Held-out seeds, a ledger line, can be frozen.
    Full,
    /// Rehearsal seeds, no ledger line, can never be frozen.
    Quick,
}

/// What a test came to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim holds.
    Holds,
    /// The data cannot tell.
    Inconclusive,
    /// The claim does not hold.
    Fails,
    /// The run is no evidence at all: too many fallbacks.
    Invalid,
}

impl Verdict {
    /// The word used in documents and on pages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Inconclusive => "inconclusive",
            Self::Fails => "fails",
            Self::Invalid => "invalid",
        }
    }

    /// The verdict of several of which all must hold: the worst one. Without any it holds.
    #[must_use]
    pub fn all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        verdicts.into_iter().max().unwrap_or(Self::Holds)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a freeze claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// There is no incumbent: the simple styles are to be beaten.
    First,
    /// Superior to the incumbent as well.
    Gain,
    /// An estimator or a rule was mended: not worse than the last released artifact.
    NoLoss,
}

/// An estimate over seeds, in millionths of a point a round. The seed is the unit; with fewer
/// than two seeds interval and deviation are undefined, and left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// Seeds.
    pub seeds: u64,
    /// Mean, in millionths.
    pub mean_micro: i64,
    /// Lower and upper end of the interval, in millionths.
    #[serde(default)]
    pub interval_micro: Option<(i64, i64)>,
    /// Standard deviation over seeds, in millionths.
    #[serde(default)]
    pub sd_micro: Option<i64>,
}

/// Fallbacks of one side, by cause, with what they are a share of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fallbacks {
    /// Decisions with a choice.
    pub decisions: u64,
    /// Fallbacks because the work budget ran out.
    pub out_of_work: u64,
    /// Fallbacks because the policy gave an error.
    pub error: u64,
    /// Fallbacks because the policy's decision was illegal.
    pub illegal: u64,
}

impl Fallbacks {
    /// Fallbacks of all causes.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.out_of_work + self.error + self.illegal
    }
}

/// A secondary metric of both sides: exact sums, to be divided by seat-rounds when shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// Name in the game's table of metrics.
    pub name: String,
    /// A's sum.
    pub a_sum: i64,
    /// A's seat-rounds.
    pub a_seat_rounds: u64,
    /// B's sum.
    pub b_sum: i64,
    /// B's seat-rounds.
    pub b_seat_rounds: u64,
}

/// What a document was made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Domain<'a> {
    /// The game.
    pub game: &'a str,
    /// How many sit at the table.
    pub players: u8,
    /// The ruleset's text.
    pub ruleset: &'a str,
}

impl Domain<'_> {
    /// Refuses a document of another domain; `self` is what the document says.
    pub(crate) fn check(
        &self,
        what: &'static str,
        game: &str,
        players: u8,
        ruleset: &str,
    ) -> Result<(), DomainError> {
        if self.game != game {
            return Err(DomainError::Game {
                what,
                found: self.game.to_owned(),
                wanted: game.to_owned(),
            });
        }
        if self.players != players {
            return Err(DomainError::Players {
                what,
                found: self.players,
                wanted: players,
            });
        }
        if self.ruleset != ruleset {
            return Err(DomainError::Ruleset {
                what,
                found: self.ruleset.to_owned(),
                wanted: ruleset.to_owned(),
            });
        }
        Ok(())
    }
}

/// Whether this is a digest: 64 lower-case hex digits.
#[must_use]
pub fn is_digest(text: &str) -> bool {
    text.parse::<crate::Digest>().is_ok()
}

/// Whether this has the shape of a ruleset's text: `default` or `name=value` pairs with commas.
#[must_use]
pub fn is_ruleset(text: &str) -> bool {
    let word = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'+'))
    };
    text == "default"
        || text.split(',').all(|pair| {
            pair.split_once('=')
                .is_some_and(|(name, value)| word(name) && word(value))
        })
}

/// The broken rules of a document, gathered.
#[derive(Default)]
pub(crate) struct Broken(pub Vec<(String, String)>);

impl Broken {
    pub fn when(&mut self, broken: bool, field: impl Into<String>, reason: impl Into<String>) {
        if broken {
            self.0.push((field.into(), reason.into()));
        }
    }

    pub fn digest(&mut self, field: impl Into<String>, text: &str) {
        self.when(!is_digest(text), field, "expected 64 lower-case hex digits");
    }

    pub fn domain(&mut self, game: &str, players: u8, ruleset: &str) {
        self.when(game.is_empty(), "game", "empty");
        self.when(
            !(2..=9).contains(&players),
            "players",
            format!("{players} is outside 2 to 9"),
        );
        self.when(
            !is_ruleset(ruleset),
            "ruleset",
            format!("{ruleset:?} is neither `default` nor name=value pairs"),
        );
    }

    pub fn knobs(&mut self, knobs: &[KnobValue]) {
        for (i, knob) in knobs.iter().enumerate() {
            let twice = knobs[..i].iter().any(|k| k.name == knob.name);
            self.when(
                twice,
                format!("knobs[{i}].name"),
                format!("{} stands twice", knob.name),
            );
        }
    }
}
