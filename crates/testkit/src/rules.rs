use evenhand_contract::RulesError;
use std::fmt;
use std::str::FromStr;

/// What losers pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pay {
    /// One point a card left, to the winner.
    #[default]
    Count,
    /// One point each, to the winner.
    Flat,
    /// Wrong on purpose: the winner is paid a point that nobody loses. Whoever settles must notice.
    Leak,
}

/// Who leads a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lead {
    /// The holder of the weakest card.
    #[default]
    Lowest,
    /// From the second round on the winner of the round before.
    Winner,
}

/// The toy's switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// `pay=count|flat|leak`
    pub pay: Pay,
    /// `lead=lowest|winner`
    pub lead: Lead,
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pay = match self.pay {
            Pay::Count => "",
            Pay::Flat => "pay=flat",
            Pay::Leak => "pay=leak",
        };
        let lead = match self.lead {
            Lead::Lowest => "",
            Lead::Winner => "lead=winner",
        };
        match (pay, lead) {
            ("", "") => f.write_str("default"),
            ("", one) | (one, "") => f.write_str(one),
            (pay, lead) => write!(f, "{pay},{lead}"),
        }
    }
}

impl FromStr for Rules {
    type Err = RulesError;
    fn from_str(text: &str) -> Result<Self, RulesError> {
        let mut rules = Self::default();
        if text == "default" {
            return Ok(rules);
        }
        for switch in text.split(',') {
            match switch {
                "pay=count" => rules.pay = Pay::Count,
                "pay=flat" => rules.pay = Pay::Flat,
                "pay=leak" => rules.pay = Pay::Leak,
                "lead=lowest" => rules.lead = Lead::Lowest,
                "lead=winner" => rules.lead = Lead::Winner,
                other => {
                    return Err(RulesError {
                        text: text.to_owned(),
                        reason: format!(
                            "unknown switch {other:?}; there are pay=count|flat|leak and lead=lowest|winner"
                        ),
                    });
                }
            }
        }
        Ok(rules)
    }
}
