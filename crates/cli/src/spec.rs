//! Reading of TOML specs, strictly: an unknown key, a wrong type, a float or a number too large
//! is one message that names file, line and key.

use crate::args::{SetupError, setup};
use crate::games::{Verb, dispatch};
use crate::load::row;
use evenhand_artifact::{SpecDoc, SpecProblem};
use evenhand_contract::{Border, Estimates, Game, MAX_WRITTEN_SEED, Purpose};
use serde::de::DeserializeOwned;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a spec, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1, where one can be named.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for SpecError {}

/// Reads an experiment's spec and checks every rule, those that only its game knows too.
///
/// # Errors
/// The first thing that is wrong, with line and key.
pub fn load(path: &Path) -> Result<SpecDoc, SpecError> {
    let source = Source::read(path)?;
    let spec: SpecDoc = source.parse()?;
    let first = spec.problems().into_iter().next();
    let first = first.or_else(|| match dispatch(&spec.game, Fits(&spec)) {
        Ok(fits) => fits.err(),
        Err(unknown) => Some(problem("game", &unknown)),
    });
    match first {
        Some(broken) => Err(source.error_at(&broken.key, &broken.reason)),
        None => Ok(spec),
    }
}

struct Fits<'a>(&'a SpecDoc);

impl Verb for Fits<'_> {
    type Out = Result<(), SpecProblem>;

    fn run<G: Estimates + Border>(self) -> Self::Out {
        fits::<G>(self.0)
    }
}

/// Checks the rules of a spec that its game knows: player count, ruleset, the policy, and the
/// policies of the pool.
///
/// # Errors
/// The first rule that is broken.
pub fn fits<G: Game>(spec: &SpecDoc) -> Result<(), SpecProblem> {
    setup::<G>(spec.players.into(), &spec.ruleset).map_err(|e| match e {
        SetupError::Players { .. } => problem("players", &e),
        SetupError::Rules(_) => problem("ruleset", &e),
    })?;
    let tuned = row::<G>(&spec.policy).map_err(|e| problem("policy", &e))?;
    if tuned.knobs.is_empty() {
        let reason = format!("{:?} has nothing to tune", tuned.name);
        return Err(problem("policy", &reason));
    }
    for (i, opponent) in spec.tune.pool.iter().enumerate() {
        let key = format!("tune.pool[{i}].policy");
        if opponent.policy == INCUMBENT {
            continue;
        }
        let row = row::<G>(&opponent.policy).map_err(|e| {
            let reason = format!("{e}; or {INCUMBENT:?}, the frozen policy");
            problem(&key, &reason)
        })?;
        if row.purpose != Purpose::Play || !row.knobs.is_empty() {
            let reason = format!("name a simple style, or {INCUMBENT:?} for the frozen policy");
            return Err(problem(&key, &reason));
        }
    }
    Ok(())
}

/// The name by which a pool lists the frozen policy.
pub const INCUMBENT: &str = "incumbent";

fn problem(key: &str, reason: &impl ToString) -> SpecProblem {
    SpecProblem {
        key: key.to_owned(),
        reason: reason.to_string(),
    }
}

/// A spec's text, read but not yet understood. A byte order mark and CRLF read as nothing and LF.
#[derive(Clone, Debug)]
pub struct Source {
    file: PathBuf,
    text: String,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let error = |line, message| SpecError {
            file: path.to_owned(),
            line,
            message,
        };
        let bytes = std::fs::read(path).map_err(|e| error(None, e.to_string()))?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(path, &text)),
            Err(e) => {
                let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
                let line = 1 + good.iter().filter(|b| **b == b'\n').count();
                Err(error(Some(line), "not UTF-8".to_owned()))
            }
        }
    }

    /// A text that came from `file`.
    #[must_use]
    pub fn new(file: &Path, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            file: file.to_owned(),
            text: text.replace("\r\n", "\n"),
        }
    }

    /// Understands the text as a `T`, which must refuse fields it does not know.
    ///
    /// # Errors
    /// With line and key: TOML that is none, a repeated key, an unknown key (with the nearest
    /// right one), a missing key, a wrong type, any float or date, and any whole number beyond
    /// 2^53 - 1 in size.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, SpecError> {
        let table = self.table()?;
        self.check_table(table.get_ref(), "")?;
        T::deserialize(toml::Deserializer::from(table)).map_err(|e| self.explain(&e))
    }

    /// An error about the value of `key`, a path as in `tune.pool[1].share`. Where the text does
    /// not hold it, the line is that of the nearest table around it, if any.
    #[must_use]
    pub fn error_at(&self, key: &str, message: &str) -> SpecError {
        let path: Vec<&str> = key
            .split(['.', '[', ']'])
            .filter(|part| !part.is_empty())
            .collect();
        let found = self.table().ok().and_then(|table| {
            let parents = (1..=path.len()).rev();
            parents
                .filter_map(|n| span_of(table.get_ref(), &path[..n]))
                .next()
        });
        self.error(found, format!("`{key}`: {message}"))
    }

    fn error(&self, span: Option<Range<usize>>, message: String) -> SpecError {
        let line = span.map(|span| {
            let before = self.text.as_bytes().iter().take(span.start);
            1 + before.filter(|b| **b == b'\n').count()
        });
        SpecError {
            file: self.file.clone(),
            line,
            message,
        }
    }

    fn table(&self) -> Result<Spanned<DeTable<'_>>, SpecError> {
        DeTable::parse(&self.text).map_err(|e| self.explain(&e))
    }

    /// Turns a TOML or serde error into ours.
    fn explain(&self, e: &toml::de::Error) -> SpecError {
        let mut message = e.message().trim().replace('\n', ", ");
        let mut span = e.span();
        if let Some(rest) = message.strip_prefix("unknown field `") {
            let (found, expected) = rest.split_once('`').unwrap_or((rest, ""));
            let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
            message = match nearest(found, known.iter().copied()) {
                Some(near) => format!("unknown key `{found}`, did you mean `{near}`?"),
                None => format!("unknown key `{found}`; known here: {}", known.join(", ")),
            };
        } else if message.starts_with("missing field") {
            message = message.replacen("field", "key", 1);
            // The span of the root table is the whole text: no line is better than the first.
            span = span.filter(|s| s.start > 0);
        } else if let Some(span) = &span
            && let Ok(table) = DeTable::parse(&self.text)
            && let Some(path) = path_at(table.get_ref(), span)
        {
            message = format!("`{path}`: {message}");
        }
        self.error(span, message)
    }

    fn check_table(&self, table: &DeTable<'_>, path: &str) -> Result<(), SpecError> {
        table.iter().try_for_each(|(key, value)| {
            let key = key.get_ref();
            let path = match path {
                "" => key.to_string(),
                _ => format!("{path}.{key}"),
            };
            self.check_value(value, &path)
        })
    }

    fn check_value(&self, value: &Spanned<DeValue<'_>>, path: &str) -> Result<(), SpecError> {
        let wrong = |what: String| Err(self.error(Some(value.span()), format!("`{path}` {what}")));
        match value.get_ref() {
            DeValue::String(_) | DeValue::Boolean(_) => Ok(()),
            DeValue::Integer(n) => match i128::from_str_radix(n.as_str(), n.radix()) {
                Ok(n) if n.unsigned_abs() <= u128::from(MAX_WRITTEN_SEED) => Ok(()),
                _ => wrong(format!(
                    "is {n}, beyond the whole numbers of a spec, which end at {MAX_WRITTEN_SEED} (2^53 - 1)"
                )),
            },
            DeValue::Float(x) => wrong(format!("is {x}; a spec holds whole numbers only")),
            DeValue::Datetime(t) => wrong(format!("is {t}; a spec holds no dates")),
            DeValue::Array(items) => items
                .iter()
                .enumerate()
                .try_for_each(|(i, item)| self.check_value(item, &format!("{path}[{i}]"))),
            DeValue::Table(table) => self.check_table(table, path),
        }
    }
}

/// The span of the value at `path`.
fn span_of(table: &DeTable<'_>, path: &[&str]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (_, value) = table.iter().find(|(key, _)| key.get_ref() == first)?;
    span_within(value, rest)
}

fn span_within(value: &Spanned<DeValue<'_>>, path: &[&str]) -> Option<Range<usize>> {
    let Some((first, rest)) = path.split_first() else {
        return Some(value.span());
    };
    match value.get_ref() {
        DeValue::Table(table) => span_of(table, path),
        DeValue::Array(items) => span_within(items.get(first.parse::<usize>().ok()?)?, rest),
        _ => None,
    }
}

/// The deepest key whose value covers `span`.
fn path_at(table: &DeTable<'_>, span: &Range<usize>) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let inner = match value.get_ref() {
            DeValue::Table(inner) => path_at(inner, span),
            DeValue::Array(items) => items.iter().find_map(|item| match item.get_ref() {
                DeValue::Table(inner) => path_at(inner, span),
                _ => None,
            }),
            _ => None,
        };
        match inner {
            Some(inner) => Some(format!("{}.{inner}", key.get_ref())),
            None => {
                let covers = |s: Range<usize>| s.start <= span.start && span.end <= s.end;
                (covers(value.span()) || covers(key.span())).then(|| key.get_ref().to_string())
            }
        }
    })
}

/// The known word that a misspelt one most likely means, if any is near enough.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let near = known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&lower, &k.to_lowercase()), k))
        .min_by_key(|(distance, _)| *distance)?;
    (near.0 * 2 <= word.chars().count().max(2)).then_some(near.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        game: String,
        players: u8,
        tune: Tune,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Tune {
        first_seed: u64,
        rounds: Vec<u32>,
        pool: Vec<Share>,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Share {
        policy: String,
        share: u32,
    }

    const GOOD: &str = "# a spec\ngame = \"toy\"\nplayers = 3\n\n[tune]\nfirst_seed = 1\nrounds = [3, 5]\n\n[[tune.pool]]\npolicy = \"easy\"\nshare = 2\n";

    fn parse(text: &str) -> Result<Sample, SpecError> {
        Source::new(Path::new("a.toml"), text).parse()
    }

    /// The error of the good spec with one line replaced.
    fn broken(from: &str, to: &str) -> String {
        assert!(GOOD.contains(from), "{from}");
        parse(&GOOD.replace(from, to)).unwrap_err().to_string()
    }

    #[test]
    fn a_misspelt_key_at_each_level_is_named_with_the_nearest() {
        assert_eq!(
            broken("players", "playres"),
            "a.toml, line 3: unknown key `playres`, did you mean `players`?"
        );
        assert_eq!(
            broken("first_seed", "firstseed"),
            "a.toml, line 6: unknown key `firstseed`, did you mean `first_seed`?"
        );
        assert_eq!(
            broken("share", "shares"),
            "a.toml, line 11: unknown key `shares`, did you mean `share`?"
        );
        assert_eq!(
            broken("share = 2", "zzz = 2"),
            "a.toml, line 11: unknown key `zzz`; known here: policy, share"
        );
        assert!(
            broken("tune", "tuner").contains("line 5: unknown key `tuner`, did you mean `tune`?")
        );
    }

    #[test]
    fn no_number_but_a_whole_one_below_2_to_the_53() {
        for wrong in ["nan", "inf", "-inf", "-0.0", "1e999", "1.5", "1e3"] {
            let text = broken("first_seed = 1", &format!("first_seed = {wrong}"));
            assert!(
                text.starts_with("a.toml, line 6: `tune.first_seed` is ")
                    && text.ends_with("; a spec holds whole numbers only"),
                "{text}"
            );
        }
        for wrong in [
            "9007199254740992",
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999999999999999999999999999",
            "0xffffffffffffffff",
        ] {
            let text = broken("first_seed = 1", &format!("first_seed = {wrong}"));
            assert!(
                text.starts_with("a.toml, line 6: `tune.first_seed` is "),
                "{text}"
            );
            assert!(text.contains("9007199254740991"), "{text}");
        }
        let text = broken("rounds = [3, 5]", "rounds = [3,\n\n 5.0]");
        assert!(
            text.starts_with("a.toml, line 9: `tune.rounds[1]` is 5.0"),
            "{text}"
        );
        let most = GOOD.replace("first_seed = 1", "first_seed = 9_007_199_254_740_991");
        assert_eq!(parse(&most).unwrap().tune.first_seed, MAX_WRITTEN_SEED);
    }

    #[test]
    fn wrong_types_and_ranges_name_line_and_key() {
        let text = broken("players = 3", "players = \"3\"");
        assert!(
            text.starts_with("a.toml, line 3: `players`: invalid type"),
            "{text}"
        );
        let text = broken("players = 3", "players = 300");
        assert!(
            text.starts_with("a.toml, line 3: `players`: invalid value"),
            "{text}"
        );
        let text = broken("players = 3", "players = -3");
        assert!(
            text.starts_with("a.toml, line 3: `players`: invalid value"),
            "{text}"
        );
        let text = broken("share = 2", "share = true");
        assert!(
            text.starts_with("a.toml, line 11: `tune.pool.share`: invalid type"),
            "{text}"
        );
        let text = broken("share = 2", "share = 2020-01-01");
        assert!(
            text.contains("line 11") && text.contains("no dates"),
            "{text}"
        );
    }

    #[test]
    fn repeated_and_missing_keys_and_broken_toml() {
        let text = broken("players = 3", "players = 3\nplayers = 3");
        assert!(
            text.starts_with("a.toml, line 4: ") && text.contains("duplicate"),
            "{text}"
        );
        let text = broken("share = 2", "share = 2\nshare = 2");
        assert!(
            text.contains("line 12") && text.contains("duplicate"),
            "{text}"
        );
        assert_eq!(broken("game = \"toy\"\n", ""), "a.toml: missing key `game`");
        let text = broken("policy = \"easy\"\n", "");
        assert!(
            text.contains("missing key `policy`") && text.contains("line 9"),
            "{text}"
        );
        assert!(broken("players = 3", "players 3").contains("line 3"));
        assert!(broken("players = 3", "players = ").contains("line 3"));
    }

    #[test]
    fn a_windows_editor_changes_nothing() {
        let windows = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
        assert_eq!(parse(&windows).unwrap(), parse(GOOD).unwrap());
        let typo = windows.replace("share", "shaer");
        let text = parse(&typo).unwrap_err().to_string();
        assert_eq!(
            text,
            "a.toml, line 11: unknown key `shaer`, did you mean `share`?"
        );
    }

    #[test]
    fn lines_of_values_are_found() {
        let source = Source::new(Path::new("a.toml"), GOOD);
        let line = |key: &str| source.error_at(key, "wrong").line;
        assert_eq!(line("players"), Some(3));
        assert_eq!(line("tune.rounds[1]"), Some(7));
        assert_eq!(line("tune.pool[0].share"), Some(11));
        assert_eq!(line("tune.nothing"), Some(5));
        assert_eq!(line("nothing"), None);
        let text = source.error_at("tune.first_seed", "too large").to_string();
        assert_eq!(text, "a.toml, line 6: `tune.first_seed`: too large");
    }
}
