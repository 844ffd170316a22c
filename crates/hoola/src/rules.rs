//! The switches of the ruleset, and their text.

use crate::card::DECK_SIZE;
use crate::moves::Stop;
use evenhand_contract::RulesError;
use std::fmt;
use std::str::FromStr;

/// How many cards each seat is dealt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum HandSize {
    /// Seven cards, 2 to 5 players.
    #[default]
    Seven,
    /// Ten cards, 2 to 4 players; no low and no high.
    Ten,
    /// Thirteen cards, 2 or 3 players; no low and no high.
    Thirteen,
}

/// The lines of the stops.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stops {
    /// low 20, high 78, plain 15.
    #[default]
    High,
    /// low 18, high 80, plain 10.
    Standard,
}

/// The switches of the ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// `hand_size`
    pub hand_size: HandSize,
    /// `stops`
    pub stops: Stops,
    /// `thank_you_penalty`: whether the discarder of a claimed card pays everything when the
    /// thank-you turn goes out.
    pub thank_you_penalty: bool,
}

/// Each switch with its values, the default first, in the order of the rules page.
const SWITCHES: [(&str, &[&str]); 3] = [
    ("hand_size", &["7", "10", "13"]),
    ("stops", &["high", "standard"]),
    ("thank_you_penalty", &["off", "on"]),
];

impl Rules {
    /// Every ruleset, the default first.
    pub fn all() -> impl Iterator<Item = Self> {
        let sizes = 0..SWITCHES[0].1.len();
        sizes.flat_map(|size| {
            (0..2).flat_map(move |stops| {
                (0..2).map(move |penalty| Self::choose([size, stops, penalty]))
            })
        })
    }

    /// Cards that each seat is dealt.
    #[inline]
    #[must_use]
    pub const fn cards_dealt(self) -> u8 {
        match self.hand_size {
            HandSize::Seven => 7,
            HandSize::Ten => 10,
            HandSize::Thirteen => 13,
        }
    }

    /// Whether the deck serves this many players, by the rules page.
    #[must_use]
    pub const fn serves(self, players: u8) -> bool {
        let most = match self.hand_size {
            HandSize::Seven => 5,
            HandSize::Ten => 4,
            HandSize::Thirteen => 3,
        };
        players >= 2 && players <= most
    }

    /// Whether the deck serves this many players.
    ///
    /// # Errors
    /// [`RulesError`] naming the switch.
    pub fn check(self, players: u8) -> Result<(), RulesError> {
        if self.serves(players) {
            return Ok(());
        }
        let size = self.cards_dealt();
        let most = (2..=5).rev().find(|&n| self.serves(n)).unwrap_or(2);
        Err(RulesError {
            text: self.to_string(),
            reason: format!("hand_size={size} is for 2 to {most} players, not for {players}"),
        })
    }

    /// Cards of the deck once hands and the turned-up card are dealt.
    #[must_use]
    pub const fn deck_after_deal(self, players: u8) -> u8 {
        DECK_SIZE - 1 - players * self.cards_dealt()
    }

    /// The most that a hand may count for a low stop (18 or 20), `None` where there is none.
    #[inline]
    #[must_use]
    pub const fn low_line(self) -> Option<u32> {
        match (self.hand_size, self.stops) {
            (HandSize::Seven, Stops::High) => Some(20),
            (HandSize::Seven, Stops::Standard) => Some(18),
            _ => None,
        }
    }

    /// The least that a hand must count for a high stop (78 or 80), `None` where there is none.
    #[inline]
    #[must_use]
    pub const fn high_line(self) -> Option<u32> {
        match (self.hand_size, self.stops) {
            (HandSize::Seven, Stops::High) => Some(78),
            (HandSize::Seven, Stops::Standard) => Some(80),
            _ => None,
        }
    }

    /// The most that a hand may count for a plain stop, 10 or 15.
    #[inline]
    #[must_use]
    pub const fn plain_line(self) -> u32 {
        match self.stops {
            Stops::High => 15,
            Stops::Standard => 10,
        }
    }

    /// What this stop needs, in words.
    #[must_use]
    pub(crate) fn needs(self, stop: Stop) -> String {
        let line = |at: &str, line: Option<u32>| match line {
            Some(line) => format!("an unregistered hand of {at} {line}"),
            None => "hands of seven cards".to_owned(),
        };
        match stop {
            Stop::FourSevens => "all four 7s in an unregistered hand".to_owned(),
            Stop::Low => line("at most", self.low_line()),
            Stop::High => line("at least", self.high_line()),
            Stop::Plain => format!("a registered hand of at most {}", self.plain_line()),
        }
    }

    fn chosen(self) -> [usize; 3] {
        [
            self.hand_size as usize,
            self.stops as usize,
            usize::from(self.thank_you_penalty),
        ]
    }

    fn choose(chosen: [usize; 3]) -> Self {
        Self {
            hand_size: [HandSize::Seven, HandSize::Ten, HandSize::Thirteen][chosen[0]],
            stops: [Stops::High, Stops::Standard][chosen[1]],
            thank_you_penalty: chosen[2] == 1,
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
        let mut chosen = [None; 3];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulesets_read_back_from_their_text() {
        assert_eq!(Rules::all().next(), Some(Rules::default()));
        let texts: std::collections::BTreeSet<String> =
            Rules::all().map(|rules| rules.to_string()).collect();
        assert_eq!(texts.len(), 12);
        for rules in Rules::all() {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        let all = "hand_size=10,stops=standard,thank_you_penalty=on";
        assert!(texts.contains(all) && texts.contains("stops=standard"));
        // Order does not matter for reading.
        let turned = "thank_you_penalty=on,stops=standard,hand_size=10".parse::<Rules>();
        assert_eq!(turned.map(|rules| rules.to_string()).as_deref(), Ok(all));
        for wrong in [
            "",
            "stops",
            "stops=low",
            "hand_size=8",
            "default,stops=high",
            "stops=high,stops=high",
            "Stops=high",
        ] {
            assert!(wrong.parse::<Rules>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn tables_and_decks_of_the_page() {
        let rules = Rules::default();
        let decks = [2, 3, 4, 5].map(|players| rules.deck_after_deal(players));
        assert_eq!(decks, [37, 30, 23, 16]);
        for (size, most) in [
            (HandSize::Seven, 5),
            (HandSize::Ten, 4),
            (HandSize::Thirteen, 3),
        ] {
            let rules = Rules {
                hand_size: size,
                ..rules
            };
            let serves: Vec<u8> = (0..8).filter(|&n| rules.serves(n)).collect();
            assert_eq!(serves, (2..=most).collect::<Vec<u8>>());
            assert_eq!(rules.low_line().is_some(), size == HandSize::Seven);
            assert_eq!(rules.high_line().is_some(), size == HandSize::Seven);
        }
    }
}
