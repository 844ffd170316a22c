//! The switches of the ruleset, and their text.

use evenhand_contract::RulesError;
use std::fmt;
use std::str::FromStr;

/// How the twos a player is left with weigh in the settlement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Twos {
    /// e = c x 2^t; each pair settles the difference of e.
    #[default]
    Effective,
    /// Each pair settles the difference of c, times 2^(twos of the payer).
    PayerMultiplier,
    /// e = 2c when any two is left, else c.
    FlatDouble,
}

/// Which run is the strongest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TopRun {
    /// (1, 2, 3, 4, 5).
    #[default]
    Wrap1,
    /// (M-2, M-1, M, 1, 2) is admitted as well, and is the strongest of all.
    Wrap12,
}

/// Whether a player who passed may come back within the trick.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pass {
    /// A pass binds only that turn.
    #[default]
    Soft,
    /// Who passed is out until the trick ends.
    Hard,
}

/// Who leads a round after the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Lead {
    /// The holder of `3C`, in every round.
    #[default]
    Cloud3,
    /// The winner of the round before.
    Winner,
}

/// The switches of the ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// `twos`
    pub twos: Twos,
    /// `top_run`
    pub top_run: TopRun,
    /// `pass`
    pub pass: Pass,
    /// `lead`
    pub lead: Lead,
}

/// Each switch with its values, the default first, in the order of the rules page.
const SWITCHES: [(&str, &[&str]); 4] = [
    ("twos", &["effective", "payer_multiplier", "flat_double"]),
    ("top_run", &["wrap1", "wrap12"]),
    ("pass", &["soft", "hard"]),
    ("lead", &["cloud3", "winner"]),
];

impl Rules {
    fn chosen(self) -> [usize; 4] {
        [
            self.twos as usize,
            self.top_run as usize,
            self.pass as usize,
            self.lead as usize,
        ]
    }

    fn choose(chosen: [usize; 4]) -> Self {
        Self {
            twos: [Twos::Effective, Twos::PayerMultiplier, Twos::FlatDouble][chosen[0]],
            top_run: [TopRun::Wrap1, TopRun::Wrap12][chosen[1]],
            pass: [Pass::Soft, Pass::Hard][chosen[2]],
            lead: [Lead::Cloud3, Lead::Winner][chosen[3]],
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for ((name, values), chosen) in SWITCHES.iter().zip(self.chosen()) {
            if chosen > 0 {
                write!(f, "{comma}{name}={}", values[chosen])?;
                comma = ",";
            }
        }
        if comma.is_empty() {
            f.write_str("default")
        } else {
            Ok(())
        }
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let error = |reason: String| RulesError {
            text: text.to_owned(),
            reason,
        };
        let mut chosen = [None; 4];
        if text == "default" {
            return Ok(Self::default());
        }
        for part in text.split(',') {
            let Some((name, value)) = part.split_once('=') else {
                return Err(error(format!(
                    "{part:?} is neither `default` nor `name=value`"
                )));
            };
            let Some(place) = SWITCHES.iter().position(|(n, _)| *n == name) else {
                let names: Vec<_> = SWITCHES.iter().map(|(n, _)| *n).collect();
                return Err(error(format!(
                    "no switch {name:?}; there are {}",
                    names.join(", ")
                )));
            };
            let values = SWITCHES[place].1;
            let Some(value) = values.iter().position(|v| *v == value) else {
                return Err(error(format!(
                    "{name} is one of {}, not {value:?}",
                    values.join(", ")
                )));
            };
            if chosen[place].replace(value).is_some() {
                return Err(error(format!("{name} is given twice")));
            }
        }
        Ok(Self::choose(chosen.map(Option::unwrap_or_default)))
    }
}
