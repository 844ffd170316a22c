//! Verification of the compiled-in tables and weights.

use crate::games::Served;
use evenhand_artifact::{ArtifactError, DomainError, KindCell, Sealed, TableDoc, WeightsDoc, open};
use evenhand_contract::{
    Map, Maps, MapsError, Parameter, Policy, PolicyRow, Ppm, Purpose, Setup, Weights, WeightsError,
    find_policy,
};
use std::sync::OnceLock;

/// The artifacts of one table size and ruleset, as text, with the names by which messages call
/// them.
#[derive(Clone, Copy, Debug)]
pub struct Frozen {
    /// The table that they are for: [`Setup::label`].
    pub label: &'static str,
    /// Name of the calibration table.
    pub table_file: &'static str,
    /// The calibration table.
    pub table: &'static str,
    /// Name of the weights.
    pub weights_file: &'static str,
    /// The weights.
    pub weights: &'static str,
}

/// The artifacts of one game; each is verified once, when it is first asked for.
#[derive(Debug)]
pub struct Shelf {
    frozen: &'static [Frozen],
    verified: [OnceLock<Result<Verified, LoadError>>; PLACES],
}

/// For how many tables a shelf has room.
const PLACES: usize = 32;

/// Why a policy cannot play at a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// No policy of that name is served.
    #[error("{game} serves no policy {name:?}; there are: {}", known.join(", "))]
    UnknownPolicy {
        /// The game.
        game: &'static str,
        /// The name given.
        name: String,
        /// Every name.
        known: Vec<&'static str>,
    },
    /// Nothing is frozen for the table.
    #[error(
        "{game} has no frozen artifacts for {players} players under ruleset {ruleset}; frozen are: {}",
        or_none(known)
    )]
    NotFrozen {
        /// The game.
        game: &'static str,
        /// Players asked for.
        players: u8,
        /// Ruleset asked for.
        ruleset: String,
        /// The tables for which there are some: [`Setup::label`].
        known: Vec<&'static str>,
    },
    /// Compiled in under a label that no table of the game has.
    #[error("{game} has no table called {label:?}")]
    Label {
        /// The game.
        game: &'static str,
        /// The label.
        label: &'static str,
    },
    /// A file that is no sound artifact.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// A sound artifact of something else: another game, player count, ruleset, estimator, policy
    /// or table.
    #[error("{file}: {error}")]
    Domain {
        /// The file.
        file: &'static str,
        /// In which way.
        error: DomainError,
    },
    /// Weights that do not fit the policy's knobs.
    #[error("{file}: {error}")]
    Weights {
        /// The file.
        file: &'static str,
        /// In which way.
        error: WeightsError,
    },
    /// Points that make no map.
    #[error("{file}: {error}")]
    Maps {
        /// The file.
        file: &'static str,
        /// In which way.
        error: MapsError,
    },
}

fn or_none(labels: &[&str]) -> String {
    match labels {
        [] => "none".to_owned(),
        some => some.join(", "),
    }
}

/// Artifacts that fit this build and the table that they lie under.
#[derive(Debug)]
struct Verified {
    frozen: Frozen,
    table: Sealed<TableDoc>,
    weights: Sealed<WeightsDoc>,
    maps: Maps,
}

impl Shelf {
    /// The artifacts of a game, at most one entry a table.
    ///
    /// # Panics
    /// When there are more than 32; a static shelf then does not compile.
    #[must_use]
    pub const fn new(frozen: &'static [Frozen]) -> Self {
        assert!(frozen.len() <= PLACES, "too many tables for a shelf");
        Self {
            frozen,
            verified: [const { OnceLock::new() }; PLACES],
        }
    }

    /// The tables for which artifacts are compiled in: [`Setup::label`].
    pub fn labels(&self) -> impl Iterator<Item = &'static str> {
        self.frozen.iter().map(|frozen| frozen.label)
    }

    fn verified<G: Served>(&self, setup: &Setup<G>) -> Result<&Verified, LoadError> {
        let label = setup.label();
        let mut places = self.frozen.iter().zip(&self.verified);
        match places.find(|(frozen, _)| frozen.label == label) {
            Some((frozen, slot)) => slot
                .get_or_init(|| verify::<G>(*frozen))
                .as_ref()
                .map_err(LoadError::clone),
            None => Err(LoadError::NotFrozen {
                game: G::NAME,
                players: setup.players,
                ruleset: setup.rules.to_string(),
                known: self.labels().collect(),
            }),
        }
    }
}

/// Checks all that does not depend on who asks.
fn verify<G: Served>(frozen: Frozen) -> Result<Verified, LoadError> {
    let table: Sealed<TableDoc> = open(frozen.table_file, frozen.table.as_bytes())?;
    let weights: Sealed<WeightsDoc> = open(frozen.weights_file, frozen.weights.as_bytes())?;
    let setup = Setup::<G>::from_label(frozen.label).ok_or(LoadError::Label {
        game: G::NAME,
        label: frozen.label,
    })?;
    let foreign_table = |error| LoadError::Domain {
        file: frozen.table_file,
        error,
    };
    let ruleset = setup.rules.to_string();
    // The cheap refusals come first: a fingerprint plays the whole probe set.
    table
        .check_rules(G::NAME, setup.players, &ruleset)
        .and_then(|()| table.check_kinds(G::KINDS))
        .and_then(|()| table.check_parameters(&Parameter::bounds(G::PARAMETERS)))
        .map_err(foreign_table)?;
    let fingerprint = G::estimator_fingerprint(&setup);
    table
        .check_domain(G::NAME, setup.players, &ruleset, &fingerprint)
        .map_err(foreign_table)?;
    let maps = match maps_of(&table) {
        Ok(maps) => maps,
        Err(error) => {
            return Err(LoadError::Maps {
                file: frozen.table_file,
                error,
            });
        }
    };
    Ok(Verified {
        frozen,
        table,
        weights,
        maps,
    })
}

/// The maps of a table with its parameters: the identity for kinds without points.
fn maps_of(table: &TableDoc) -> Result<Maps, MapsError> {
    let map = |cell: &KindCell| {
        let points: Vec<_> = cell
            .points
            .iter()
            .map(|p| (p.raw, Ppm::clamped(p.ppm.into())))
            .collect();
        (!points.is_empty()).then(|| Map::new(&points)).transpose()
    };
    let parameters: Vec<i64> = table.parameters.iter().map(|p| p.value).collect();
    table
        .cells
        .iter()
        .map(map)
        .collect::<Result<Vec<_>, _>>()
        .map(|maps| Maps::new(maps).with_parameters(&parameters))
}

/// The policy of this name as it is frozen for a table.
///
/// # Errors
/// [`LoadError`]: an unknown name, or artifacts that are missing, damaged or made for something
/// else. Policies without weights and table always load.
pub fn load<G: Served>(setup: &Setup<G>, name: &str) -> Result<Policy<G>, LoadError> {
    load_from(G::shelf(), setup, name)
}

fn load_from<G: Served>(
    shelf: &Shelf,
    setup: &Setup<G>,
    name: &str,
) -> Result<Policy<G>, LoadError> {
    let served = |row: &&'static PolicyRow<G>| row.purpose == Purpose::Play;
    let Some(row) = find_policy::<G>(name).filter(served) else {
        let known = G::policies().iter().filter(served).map(|row| row.name);
        return Err(LoadError::UnknownPolicy {
            game: G::NAME,
            name: name.to_owned(),
            known: known.collect(),
        });
    };
    let mut policy = Policy::defaults(row);
    if row.knobs.is_empty() && !row.reads_table {
        return Ok(policy);
    }
    let verified = shelf.verified::<G>(setup)?;
    let ruleset = setup.rules.to_string();
    if row.reads_table {
        policy.maps = verified.maps.clone();
    }
    if !row.knobs.is_empty() {
        let file = verified.frozen.weights_file;
        let weights = &verified.weights;
        weights
            .check_domain(G::NAME, setup.players, &ruleset, row.name)
            .and_then(|()| match row.reads_table {
                true => weights.check_table(verified.table.checksum()),
                false => Ok(()),
            })
            .map_err(|error| LoadError::Domain { file, error })?;
        policy.weights = Weights::from_named(row.knobs, weights.named())
            .map_err(|error| LoadError::Weights { file, error })?;
    }
    Ok(policy)
}

#[cfg(test)]
mod tests;
