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
    /// `pay=count|flat`
    pub pay: Pay,
    /// `lead=lowest|winner`
    pub lead: Lead,
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.pay, self.lead) {
            (Pay::Count, Lead::Lowest) => f.write_str("default"),
            (Pay::Flat, Lead::Lowest) => f.write_str("pay=flat"),
            (Pay::Count, Lead::Winner) => f.write_str("lead=winner"),
            (Pay::Flat, Lead::Winner) => f.write_str("pay=flat,lead=winner"),
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
                "lead=lowest" => rules.lead = Lead::Lowest,
                "lead=winner" => rules.lead = Lead::Winner,
                other => {
                    return Err(RulesError {
                        text: text.to_owned(),
                        reason: format!(
                            "unknown switch {other:?}; there are pay=count|flat and lead=lowest|winner"
                        ),
                    });
                }
            }
        }
        Ok(rules)
    }
}
