//! The switches of the ruleset, and their text.

use evenhand_contract::RulesError;
use std::fmt;
use std::str::FromStr;

/// The switches of the ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// `foul_eight`: whether a set of 8s as last play is a foul. On by default.
    pub foul_eight: bool,
    /// `foul_spade3`: whether a lone `3S` as last play is a foul also outside a revolution (inside
    /// one it always is, being of the top rank). Off by default.
    pub foul_spade3: bool,
    /// `fall`: whether the first place of the round before leaves the round when another seat is
    /// the first to finish normally. On by default.
    pub fall: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            foul_eight: true,
            foul_spade3: false,
            fall: true,
        }
    }
}

/// The switches in the order of the rules page.
const NAMES: [&str; 3] = ["foul_eight", "foul_spade3", "fall"];
/// The texts of a switch that is off and on.
const VALUES: [&str; 2] = ["off", "on"];

impl Rules {
    const fn values(self) -> [bool; 3] {
        [self.foul_eight, self.foul_spade3, self.fall]
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        let defaults = Self::default().values();
        for ((name, value), default) in NAMES.iter().zip(self.values()).zip(defaults) {
            if value != default {
                write!(f, "{comma}{name}={}", VALUES[usize::from(value)])?;
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
        if text == "default" {
            return Ok(Self::default());
        }
        let mut chosen = [None; NAMES.len()];
        for part in text.split(',') {
            let Some((name, value)) = part.split_once('=') else {
                return Err(error(format!(
                    "{part:?} is neither `default` nor `name=value`"
                )));
            };
            let Some(place) = NAMES.iter().position(|n| *n == name) else {
                return Err(error(format!(
                    "no switch {name:?}; there are {}",
                    NAMES.join(", ")
                )));
            };
            let Some(value) = VALUES.iter().position(|v| *v == value) else {
                return Err(error(format!(
                    "{name} is one of {}, not {value:?}",
                    VALUES.join(", ")
                )));
            };
            if chosen[place].replace(value == 1).is_some() {
                return Err(error(format!("{name} is given twice")));
            }
        }
        let default = Self::default();
        Ok(Self {
            foul_eight: chosen[0].unwrap_or(default.foul_eight),
            foul_spade3: chosen[1].unwrap_or(default.foul_spade3),
            fall: chosen[2].unwrap_or(default.fall),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ruleset_round_trips() {
        let mut texts = Vec::new();
        for bits in 0..8u8 {
            let rules = Rules {
                foul_eight: bits & 1 == 0,
                foul_spade3: bits & 2 != 0,
                fall: bits & 4 == 0,
            };
            let text = rules.to_string();
            assert_eq!(text.parse(), Ok(rules), "{text}");
            texts.push(text);
        }
        assert_eq!(texts[0], "default");
        assert_eq!(texts[7], "foul_eight=off,foul_spade3=on,fall=off");
        texts.dedup();
        assert_eq!(texts.len(), 8);
    }

    #[test]
    fn refusals_name_what_is_wrong() {
        let reason = |text: &str| text.parse::<Rules>().expect_err(text).reason;
        assert!(reason("").contains("neither"));
        assert!(reason("fal=on").contains("no switch \"fal\""));
        assert!(reason("fall=no").contains("off, on"));
        assert!(reason("fall=on,fall=on").contains("twice"));
    }
}
