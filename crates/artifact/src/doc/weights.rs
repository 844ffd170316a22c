use super::candidate::TuningSummary;
use super::common::{Broken, Claim, Domain, KnobValue};
use super::validation::CellSummary;
use crate::{Digest, Document, DomainError, Format, candidate_digest, format};
use serde::{Deserialize, Serialize};

/// Frozen weights: what a policy plays by, and where every number comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightsDoc {
    /// The game.
    pub game: String,
    /// How many sit at the table.
    pub players: u8,
    /// The ruleset's text.
    pub ruleset: String,
    /// The policy's row.
    pub policy: String,
    /// Knobs in table order.
    pub knobs: Vec<KnobValue>,
    /// Counts freezes; the incumbent's generation plus one.
    pub generation: u32,
    /// Behaviour fingerprint over the fixed suite.
    pub behaviour: String,
    /// Digest of the candidate (game, players, ruleset, policy, knobs, tables).
    pub candidate: String,
    /// What it stands on.
    pub parents: Parents,
    /// The experiment that made it.
    pub experiment: String,
    /// What the freeze claimed.
    pub claim: Claim,
    /// How the tuning went.
    pub tuning: TuningSummary,
    /// The verdict by cell, on fresh seeds.
    pub validation: Vec<CellSummary>,
    /// Digest of the validation record.
    pub validation_record: String,
    /// Content digest of the ledger's outcome line.
    pub ledger: String,
}

/// What weights stand on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parents {
    /// Checksums of the tables that they were tuned with; empty for a policy without one.
    pub tables: Vec<String>,
    /// Checksum of the incumbent's weights; absent before the first freeze.
    #[serde(default)]
    pub incumbent: Option<String>,
}

impl Parents {
    pub(crate) fn broken(&self, broken: &mut Broken) {
        for (i, table) in self.tables.iter().enumerate() {
            broken.digest(format!("parents.tables[{i}]"), table);
        }
        if let Some(incumbent) = &self.incumbent {
            broken.digest("parents.incumbent", incumbent);
        }
    }
}

impl WeightsDoc {
    /// Refuses weights that were made for something else.
    ///
    /// # Errors
    /// [`DomainError`] for another game, player count, ruleset or policy.
    pub fn check_domain(
        &self,
        game: &str,
        players: u8,
        ruleset: &str,
        policy: &str,
    ) -> Result<(), DomainError> {
        Domain {
            game: &self.game,
            players: self.players,
            ruleset: &self.ruleset,
        }
        .check("the weights file", game, players, ruleset)?;
        if self.policy != policy {
            return Err(DomainError::Policy {
                what: "the weights file",
                found: self.policy.clone(),
                wanted: policy.to_owned(),
            });
        }
        Ok(())
    }

    /// Refuses weights that were tuned on another table than the one at hand.
    ///
    /// # Errors
    /// [`DomainError::Table`].
    pub fn check_table(&self, checksum: Digest) -> Result<(), DomainError> {
        if self.parents.tables.iter().any(|t| *t == checksum.hex()) {
            return Ok(());
        }
        Err(DomainError::Table {
            found: self.parents.tables.join(", "),
            wanted: checksum.hex(),
        })
    }

    /// The knobs as (name, value) in table order.
    pub fn named(&self) -> impl Iterator<Item = (&str, i64)> {
        self.knobs.iter().map(|k| (k.name.as_str(), k.value))
    }

    /// The candidate digest that the content gives.
    #[must_use]
    pub fn candidate_digest(&self) -> Digest {
        candidate_digest(
            &self.game,
            self.players,
            &self.ruleset,
            &self.policy,
            self.named(),
            self.parents.tables.iter().map(String::as_str),
        )
    }
}

impl Document for WeightsDoc {
    const FORMAT: Format = format::WEIGHTS;

    fn broken_rules(&self) -> Vec<(String, String)> {
        let mut broken = Broken::default();
        broken.domain(&self.game, self.players, &self.ruleset);
        broken.knobs(&self.knobs);
        self.parents.broken(&mut broken);
        broken.digest("behaviour", &self.behaviour);
        broken.digest("validation_record", &self.validation_record);
        broken.digest("ledger", &self.ledger);
        broken.when(
            self.generation == 0,
            "generation",
            "generation 0 is never frozen",
        );
        let digest = self.candidate_digest().hex();
        broken.when(
            self.candidate != digest,
            "candidate",
            format!("{} written, but the content gives {digest}", self.candidate),
        );
        broken.0
    }
}
