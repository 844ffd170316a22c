use super::common::{Broken, Domain};
use crate::{Document, DomainError, Format, format};
use serde::{Deserialize, Serialize};

/// A calibration table: for each kind of question the map from the raw estimate to a probability,
/// with the counts that it rests on and all that is needed to make it again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableDoc {
    /// What is tabled, such as `safety`.
    pub kind: String,
    /// The game.
    pub game: String,
    /// How many sit at the table.
    pub players: u8,
    /// The ruleset's text.
    pub ruleset: String,
    /// Version of the generator's method.
    pub generator: u32,
    /// Version of the deal stream.
    pub deal_stream: u32,
    /// Seed of the situations and re-deals, below 2^53.
    pub seed: u64,
    /// Situations asked for.
    pub situations: u32,
    /// Random re-deals of each situation; 1 in a table that was fitted on what came true in play.
    pub samples: u32,
    /// Whose play the situations were taken from.
    pub input: InputPolicy,
    /// Fingerprint of the estimator whose raw output is mapped.
    pub estimator: String,
    /// The estimator's parameters, in the game's order; none in a game whose estimator has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ParameterValue>,
    /// One cell a kind of question, in the game's order.
    pub cells: Vec<KindCell>,
}

/// The fitted value of one parameter of the estimator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterValue {
    /// The parameter's name in the game's list.
    pub name: String,
    /// Its value.
    pub value: i64,
}

/// The policy whose play the situations of a table were taken from: the previous generation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputPolicy {
    /// Its row in the game's policy table.
    pub policy: String,
    /// Its generation; 0 is default weights and the identity map.
    pub generation: u32,
    /// Checksum of its weights; absent in generation 0.
    #[serde(default)]
    pub weights: Option<String>,
    /// Checksum of its table; absent in generation 0.
    #[serde(default)]
    pub table: Option<String>,
    /// Its behaviour fingerprint.
    pub behaviour: String,
}

/// The map of one kind of question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindCell {
    /// The kind's name.
    pub kind: String,
    /// Whether the raw answer is exact: then there are no points and the map is the identity.
    pub exact: bool,
    /// Situations of this kind.
    pub situations: u64,
    /// The map's points by rising raw value; calibrated values never fall.
    pub points: Vec<Point>,
}

/// One point of a map with its counts, written as `[raw, ppm, situations, hits]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "(i64, u32, u64, u64)", into = "(i64, u32, u64, u64)")]
pub struct Point {
    /// The estimator's raw output.
    pub raw: i64,
    /// Calibrated probability, in millionths.
    pub ppm: u32,
    /// Situations that this point stands for.
    pub situations: u64,
    /// Re-deals among these situations in which the answer was true.
    pub hits: u64,
}

impl From<(i64, u32, u64, u64)> for Point {
    fn from((raw, ppm, situations, hits): (i64, u32, u64, u64)) -> Self {
        Self {
            raw,
            ppm,
            situations,
            hits,
        }
    }
}

impl From<Point> for (i64, u32, u64, u64) {
    fn from(p: Point) -> Self {
        (p.raw, p.ppm, p.situations, p.hits)
    }
}

impl TableDoc {
    /// Refuses a table that was made for something else.
    ///
    /// # Errors
    /// [`DomainError`] for another game, player count, ruleset or estimator.
    pub fn check_domain(
        &self,
        game: &str,
        players: u8,
        ruleset: &str,
        estimator_fingerprint: &str,
    ) -> Result<(), DomainError> {
        self.check_rules(game, players, ruleset)?;
        if self.estimator != estimator_fingerprint {
            return Err(DomainError::Estimator {
                found: self.estimator.clone(),
                wanted: estimator_fingerprint.to_owned(),
            });
        }
        Ok(())
    }

    /// The same, but a table of an older estimator is admitted: for the input policy of a
    /// generation and for an incumbent, which today's code plays.
    ///
    /// # Errors
    /// [`DomainError`] for another game, player count or ruleset.
    pub fn check_rules(&self, game: &str, players: u8, ruleset: &str) -> Result<(), DomainError> {
        Domain {
            game: &self.game,
            players: self.players,
            ruleset: &self.ruleset,
        }
        .check("the table", game, players, ruleset)
    }

    /// Refuses a table whose parameters are not the game's, in order and within their bounds: each
    /// as name, lowest and highest value.
    ///
    /// # Errors
    /// [`DomainError::Parameters`].
    pub fn check_parameters(&self, rows: &[(&str, i64, i64)]) -> Result<(), DomainError> {
        let fits = |(found, &(name, low, high)): (&ParameterValue, &(&str, i64, i64))| {
            found.name == name && (low..=high).contains(&found.value)
        };
        if self.parameters.len() == rows.len() && self.parameters.iter().zip(rows).all(fits) {
            return Ok(());
        }
        let found = self.parameters.iter();
        let wanted = rows.iter();
        Err(DomainError::Parameters {
            found: listed(found.map(|p| format!("{} {}", p.name, p.value))),
            wanted: listed(wanted.map(|(name, low, high)| format!("{name} {low} to {high}"))),
        })
    }

    /// Refuses a table whose cells are not the game's kinds, in order.
    ///
    /// # Errors
    /// [`DomainError::Kinds`].
    pub fn check_kinds(&self, kinds: &[&str]) -> Result<(), DomainError> {
        let found: Vec<&str> = self.cells.iter().map(|c| c.kind.as_str()).collect();
        if found == kinds {
            return Ok(());
        }
        Err(DomainError::Kinds {
            found: found.join(", "),
            wanted: kinds.join(", "),
        })
    }
}

impl Document for TableDoc {
    const FORMAT: Format = format::TABLE;

    fn version(&self) -> u32 {
        if self.parameters.is_empty() { 1 } else { 2 }
    }

    fn broken_rules(&self) -> Vec<(String, String)> {
        let mut broken = Broken::default();
        broken.domain(&self.game, self.players, &self.ruleset);
        broken.when(
            self.seed > crate::MAX_WRITTEN_SEED,
            "seed",
            format!("{} is 2^53 or more", self.seed),
        );
        broken.digest("estimator", &self.estimator);
        broken.digest("input.behaviour", &self.input.behaviour);
        for (field, sum) in [
            ("weights", &self.input.weights),
            ("table", &self.input.table),
        ] {
            if let Some(sum) = sum {
                broken.digest(format!("input.{field}"), sum);
            }
        }
        for (i, parameter) in self.parameters.iter().enumerate() {
            let twice = self.parameters[..i]
                .iter()
                .any(|p| p.name == parameter.name);
            broken.when(
                twice,
                format!("parameters[{i}].name"),
                format!("{} stands twice", parameter.name),
            );
        }
        broken.when(self.cells.is_empty(), "cells", "a table without cells");
        for (i, cell) in self.cells.iter().enumerate() {
            let at = format!("cells[{i}]");
            let twice = self.cells[..i].iter().any(|c| c.kind == cell.kind);
            broken.when(
                twice,
                format!("{at}.kind"),
                format!("{} stands twice", cell.kind),
            );
            broken.when(
                cell.exact && !cell.points.is_empty(),
                format!("{at}.points"),
                "an exact kind has no points",
            );
            let mut situations = 0_u64;
            for (j, point) in cell.points.iter().enumerate() {
                let at = format!("{at}.points[{j}]");
                situations = situations.saturating_add(point.situations);
                broken.when(
                    point.ppm > 1_000_000,
                    &at,
                    "a probability above 1,000,000 ppm",
                );
                broken.when(
                    point.hits > point.situations.saturating_mul(self.samples.into()),
                    &at,
                    "more hits than re-deals",
                );
                if let Some(before) = j.checked_sub(1).map(|k| &cell.points[k]) {
                    broken.when(point.raw <= before.raw, &at, "raw values must rise");
                    broken.when(point.ppm < before.ppm, &at, "probabilities must not fall");
                }
            }
            broken.when(
                !cell.points.is_empty() && situations != cell.situations,
                format!("{at}.situations"),
                format!(
                    "{} written, but the points add up to {situations}",
                    cell.situations
                ),
            );
        }
        broken.0
    }
}

fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items.is_empty() {
        true => "none".to_owned(),
        false => items.join(", "),
    }
}
