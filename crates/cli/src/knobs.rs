//! Knobs that are set by hand, over the weights that a policy plays by: `--set KNOB=VALUE`.

use crate::load::Loaded;
use crate::spec::nearest;
use clap::Args;
use evenhand_contract::{Game, Milli, WeightsError};
use std::fmt;
use std::str::FromStr;

/// Knobs set by hand, for commands that play one policy.
#[derive(Args, Clone, Debug, Default)]
pub struct SetArgs {
    /// Set a knob by hand, in units as in reports (-0.15); can be repeated
    #[arg(long, value_name = "KNOB=VALUE")]
    pub set: Vec<KnobSet>,
}

/// Knobs set by hand, for commands that play two policies.
#[derive(Args, Clone, Debug, Default)]
pub struct SetSidesArgs {
    /// Set a knob by hand, in units as in reports (-0.15), of A (`a.KNOB=VALUE`), of B, or without
    /// a letter of both; can be repeated
    #[arg(long, value_name = "KNOB=VALUE")]
    pub set: Vec<KnobSet>,
}

/// One knob set by hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnobSet {
    /// `a` or `b` where it is meant for one side only.
    pub side: Option<char>,
    /// The knob.
    pub knob: String,
    /// Its value in thousandths.
    pub value: Milli,
}

/// Why a knob cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetError {
    /// The policy has no such knob.
    #[error("--set {set}: {policy} has no such knob{hint}; it has: {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        set: String,
        /// The policy.
        policy: &'static str,
        /// The nearest name, as a phrase.
        hint: String,
        /// Its knobs.
        known: Vec<&'static str>,
    },
    /// A value outside the knob's bounds.
    #[error("--set {set}: in thousandths, {error}")]
    Value {
        /// What was asked for.
        set: String,
        /// In which way.
        error: WeightsError,
    },
    /// One policy only, and a letter for a side.
    #[error("--set {set}: there are no sides here, so write it without the letter")]
    Side {
        /// What was asked for.
        set: String,
    },
}

impl fmt::Display for KnobSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(side) = self.side {
            write!(f, "{side}.")?;
        }
        write!(f, "{}={}", self.knob, units(self.value))
    }
}

impl FromStr for KnobSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = "expected KNOB=VALUE, the value with at most three decimals";
        let (name, value) = text.split_once('=').ok_or(wrong)?;
        let (side, knob) = match name.split_once('.') {
            None => (None, name),
            Some(("a", knob)) => (Some('a'), knob),
            Some(("b", knob)) => (Some('b'), knob),
            Some(_) => return Err("a side is a or b".to_owned()),
        };
        if knob.is_empty() {
            return Err(wrong.to_owned());
        }
        Ok(Self {
            side,
            knob: knob.to_owned(),
            value: thousandths(value).ok_or(wrong)?,
        })
    }
}

/// Reads `-0.15` as -150.
fn thousandths(text: &str) -> Option<Milli> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    if !plain(whole) || !plain(part) || part.len() > 3 {
        return None;
    }
    let part: Milli = format!("{part:0<3}").parse().ok()?;
    let value = whole.parse::<Milli>().ok()?.checked_mul(1_000)?;
    let value = value.checked_add(part)?;
    Some(if negative { -value } else { value })
}

/// Thousandths in units, without zeros at the end: `-0.15`.
fn units(value: Milli) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let size = value.unsigned_abs();
    let text = format!("{sign}{}.{:03}", size / 1_000, size % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl SetArgs {
    /// Sets the knobs.
    ///
    /// # Errors
    /// [`SetError`].
    pub fn apply<G: Game>(&self, loaded: &mut Loaded<G>) -> Result<(), SetError> {
        for set in &self.set {
            if set.side.is_some() {
                return Err(SetError::Side {
                    set: set.to_string(),
                });
            }
            apply(set, loaded)?;
        }
        Ok(())
    }
}

impl SetSidesArgs {
    /// Sets the knobs of both sides. Without a letter, a side that has no knobs at all is passed
    /// over, as long as the other has some.
    ///
    /// # Errors
    /// [`SetError`].
    pub fn apply<G: Game>(&self, a: &mut Loaded<G>, b: &mut Loaded<G>) -> Result<(), SetError> {
        for set in &self.set {
            let bare = |loaded: &Loaded<G>| loaded.policy.row.knobs.is_empty();
            let (to_a, to_b) = match set.side {
                Some('a') => (true, false),
                Some(_) => (false, true),
                None => (!bare(a) || bare(b), !bare(b)),
            };
            if to_a {
                apply(set, a)?;
            }
            if to_b {
                apply(set, b)?;
            }
        }
        Ok(())
    }
}

fn apply<G: Game>(set: &KnobSet, loaded: &mut Loaded<G>) -> Result<(), SetError> {
    let row = loaded.policy.row;
    let names = || row.knobs.iter().map(|knob| knob.name);
    let Some(place) = names().position(|name| name == set.knob) else {
        return Err(SetError::Unknown {
            set: set.to_string(),
            policy: row.name,
            hint: nearest(&set.knob, names())
                .map_or_else(String::new, |near| format!(", did you mean {near:?}?")),
            known: names().collect(),
        });
    };
    let weights = loaded.policy.weights.with(row.knobs, place, set.value);
    loaded.policy.weights = weights.map_err(|error| SetError::Value {
        set: set.to_string(),
        error,
    })?;
    let name = row.knobs[place].name;
    loaded.set.retain(|(known, _)| *known != name);
    loaded.set.push((name, set.value));
    Ok(())
}

/// What was set by hand, as a phrase that follows a policy's artifacts; empty where nothing was.
#[must_use]
pub fn set_text<G: Game>(loaded: &Loaded<G>) -> String {
    let named = |(name, value): &(&str, Milli)| format!("{name} {}", units(*value));
    let all: Vec<String> = loaded.set.iter().map(named).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(", set by hand: {}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::defaults;
    use evenhand_lexio::Lexio;

    #[test]
    fn values_are_read_and_written_in_units() {
        for (text, value) in [
            ("Hold=-0.15", -150),
            ("Hold=6", 6_000),
            ("Hold=1.025", 1_025),
            ("Hold=-0.001", -1),
            ("Hold=0", 0),
        ] {
            let set: KnobSet = text.parse().unwrap();
            assert_eq!((set.value, set.to_string().as_str()), (value, text));
        }
        assert_eq!("a.Hold=1.50".parse::<KnobSet>().unwrap().side, Some('a'));
        for wrong in [
            "Hold",
            "Hold=",
            "=1",
            "Hold=1.2345",
            "Hold=1e3",
            "Hold=--1",
            "Hold=.5",
            "Hold=5.",
            "Hold=+1",
            "c.Hold=1",
            "Hold=99999999999999999999",
        ] {
            assert!(wrong.parse::<KnobSet>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn knobs_are_set_on_the_side_that_is_meant() {
        let sets = |texts: &[&str]| SetSidesArgs {
            set: texts.iter().map(|text| text.parse().unwrap()).collect(),
        };
        let load = |name| defaults::<Lexio>(name).unwrap();
        let at = |loaded: &Loaded<Lexio>| {
            let knobs = loaded.policy.row.knobs.iter();
            let place = knobs.map(|knob| knob.name).position(|name| name == "Hold");
            loaded.policy.weights.values()[place.unwrap()]
        };
        let (mut a, mut b) = (load("hard"), load("hard"));
        sets(&["Hold=1", "b.Hold=2"]).apply(&mut a, &mut b).unwrap();
        assert_eq!((at(&a), at(&b)), (1_000, 2_000));
        assert_eq!(set_text(&b), ", set by hand: Hold 2");
        // A style without knobs is passed over, unless it is meant or there is nothing else.
        let (mut a, mut easy) = (load("hard"), load("easy"));
        sets(&["Hold=1"]).apply(&mut a, &mut easy).unwrap();
        assert!(sets(&["b.Hold=1"]).apply(&mut a, &mut easy).is_err());
        let (mut one, mut other) = (load("easy"), load("easy"));
        assert!(sets(&["Hold=1"]).apply(&mut one, &mut other).is_err());
        let unknown = sets(&["Holt=1"]).apply(&mut a, &mut b).unwrap_err();
        assert!(
            unknown.to_string().contains("did you mean \"Hold\"?"),
            "{unknown}"
        );
        let beyond = sets(&["Hold=900"]).apply(&mut a, &mut b).unwrap_err();
        assert!(beyond.to_string().contains("outside"), "{beyond}");
        let one_only = SetArgs {
            set: sets(&["a.Hold=1"]).set,
        };
        assert!(one_only.apply(&mut a).is_err());
    }
}
