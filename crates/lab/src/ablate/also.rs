//! Variants that are asked for by name: knobs set and rule stages switched off, together.

use super::What;
use super::without::Variant;
use evenhand_cli::knobs::KnobSet;
use evenhand_contract::{Border, Policy, WeightsError};
use std::fmt;
use std::str::FromStr;

/// A variant as it was asked for: `Margin=0.1`, `score`, or several with commas between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlsoText {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Knob(KnobSet),
    Stage(String),
}

/// Why a variant is not one of this policy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AlsoError {
    /// Neither a knob nor a stage of the policy.
    #[error("--also {variant}: {policy} has no {what} {name:?}; it has: {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        variant: String,
        /// The policy.
        policy: &'static str,
        /// `knob` or `stage`.
        what: &'static str,
        /// The name that is not known.
        name: String,
        /// Those that are.
        known: Vec<&'static str>,
    },
    /// A value outside the knob's bounds.
    #[error("--also {variant}: in thousandths, {error}")]
    Value {
        /// What was asked for.
        variant: String,
        /// In which way.
        error: WeightsError,
    },
    /// One policy only, and a letter for a side.
    #[error("--also {variant}: there are no sides here, so write it without the letter")]
    Side {
        /// What was asked for.
        variant: String,
    },
}

impl fmt::Display for AlsoText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for AlsoText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = |part: &str| match part {
            "" => Err("expected KNOB=VALUE or a stage's name, with commas between".to_owned()),
            knob if knob.contains('=') => knob.parse().map(Part::Knob),
            stage => Ok(Part::Stage(stage.to_owned())),
        };
        Ok(Self {
            text: text.to_owned(),
            parts: text.split(',').map(part).collect::<Result<_, _>>()?,
        })
    }
}

/// A variant of one policy, ready to play.
#[derive(Clone, Debug)]
pub struct Also<G: Border> {
    name: String,
    policy: Policy<G>,
}

impl<G: Border> Also<G> {
    pub(super) fn variant(&self) -> Variant<G> {
        Variant {
            what: What::Also,
            name: self.name.clone(),
            value: None,
            set_to: None,
            policy: self.policy.clone(),
        }
    }
}

impl AlsoText {
    /// The variant of this policy.
    ///
    /// # Errors
    /// [`AlsoError`].
    pub fn of<G: Border>(&self, policy: &Policy<G>) -> Result<Also<G>, AlsoError> {
        let mut policy = policy.clone();
        for part in &self.parts {
            match part {
                Part::Knob(set) => self.set(&mut policy, set)?,
                Part::Stage(name) => {
                    let stages = policy.row.stages;
                    let place = stages.iter().position(|stage| stage == name);
                    let place = place
                        .ok_or_else(|| self.unknown(&policy, "stage", name, stages.to_vec()))?;
                    policy.stages_off |= 1 << place;
                }
            }
        }
        Ok(Also {
            name: self.text.clone(),
            policy,
        })
    }

    fn set<G: Border>(&self, policy: &mut Policy<G>, set: &KnobSet) -> Result<(), AlsoError> {
        let variant = || self.text.clone();
        if set.side.is_some() {
            return Err(AlsoError::Side { variant: variant() });
        }
        let knobs = policy.row.knobs;
        let place = knobs.iter().position(|knob| knob.name == set.knob);
        let place = place.ok_or_else(|| {
            let known = knobs.iter().map(|knob| knob.name).collect();
            self.unknown(policy, "knob", &set.knob, known)
        })?;
        let weights = policy.weights.with(knobs, place, set.value);
        policy.weights = weights.map_err(|error| AlsoError::Value {
            variant: variant(),
            error,
        })?;
        Ok(())
    }

    fn unknown<G: Border>(
        &self,
        policy: &Policy<G>,
        what: &'static str,
        name: &str,
        known: Vec<&'static str>,
    ) -> AlsoError {
        AlsoError::Unknown {
            variant: self.text.clone(),
            policy: policy.row.name,
            what,
            name: name.to_owned(),
            known,
        }
    }
}
