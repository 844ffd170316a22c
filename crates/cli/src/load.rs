//! Policies with the weights and tables that they play by, from files.
//!
//! Frozen artifacts lie under `tables/<game>/<n>p/` for the default ruleset and under
//! `tables/<game>/<n>p-<ruleset>/` for another ([`folder`]): `safety.json` (the calibration table)
//! and `weights.json`. Under `previous/` beside them lie those of the generation before, whose play
//! the table's situations were taken from; where there are none, that was generation 0.

use crate::spec::nearest;
use evenhand_artifact::{ArtifactError, DomainError, Sealed, TableDoc, WeightsDoc, open};
use evenhand_contract::{
    Estimates, Game, Map, Maps, MapsError, Milli, Parameter, Policy, PolicyRow, Ppm, Purpose,
    Setup, Weights, WeightsError, find_policy,
};
use std::convert::Infallible;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where frozen artifacts lie.
pub const TABLES: &str = "tables";
/// File name of a calibration table.
pub const TABLE_FILE: &str = "safety.json";
/// File name of weights.
pub const WEIGHTS_FILE: &str = "weights.json";
/// Folder of the generation before.
pub const PREVIOUS: &str = "previous";

/// Where weights come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum WeightsFrom {
    /// What is frozen under `tables/`.
    #[default]
    Frozen,
    /// The knob table's defaults (generation 0); written `defaults`.
    Defaults,
    /// A file.
    File(PathBuf),
}

/// Where the calibration table comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TableFrom {
    /// What is frozen under `tables/`.
    #[default]
    Frozen,
    /// None: the estimator's raw output is believed; written `raw`.
    Raw,
    /// A file.
    File(PathBuf),
}

impl FromStr for WeightsFrom {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "defaults" => Self::Defaults,
            _ => Self::File(text.into()),
        })
    }
}

impl FromStr for TableFrom {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "raw" => Self::Raw,
            _ => Self::File(text.into()),
        })
    }
}

/// Whether a table of an older estimator will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Admit {
    /// Only the present estimator's.
    #[default]
    Current,
    /// Also an older one's, played by the present code: for an incumbent and for the input policy
    /// of a table.
    Older,
}

/// Why a policy could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No row of that name.
    #[error("{game} has no policy {name:?}{hint}; there are: {}", known.join(", "))]
    UnknownPolicy {
        /// The game.
        game: &'static str,
        /// The name given.
        name: String,
        /// The nearest name, as a phrase.
        hint: String,
        /// Every name.
        known: Vec<&'static str>,
    },
    /// The row takes nothing of the kind.
    #[error("policy {policy:?} has no {what}, so {file} cannot be for it")]
    Takes {
        /// The policy.
        policy: &'static str,
        /// Weights or a table.
        what: &'static str,
        /// The file given.
        file: String,
    },
    /// No such file.
    #[error("{file} is missing; {hint}")]
    Missing {
        /// The file.
        file: String,
        /// The command that makes it.
        hint: String,
    },
    /// It cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why not.
        error: std::io::Error,
    },
    /// It is no sound artifact.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// A sound artifact of something else.
    #[error("{file}: {error}{hint}")]
    Domain {
        /// The file.
        file: String,
        /// In which way.
        error: DomainError,
        /// The command that helps, as a phrase.
        hint: String,
    },
    /// Weights that do not fit the policy's knobs.
    #[error("{file}: {error}")]
    Weights {
        /// The file.
        file: String,
        /// In which way.
        error: WeightsError,
    },
    /// Points that make no map.
    #[error("{file}: {error}")]
    Maps {
        /// The file.
        file: String,
        /// In which way.
        error: MapsError,
    },
}

/// A policy ready to play, with the artifacts that it plays by.
#[derive(Clone, Debug)]
pub struct Loaded<G: Game> {
    /// The policy.
    pub policy: Policy<G>,
    /// Its table; `None` plays the raw estimator, or reads none.
    pub table: Option<Sealed<TableDoc>>,
    /// Its weights; `None` plays the defaults, or has none.
    pub weights: Option<Sealed<WeightsDoc>>,
    /// Knobs that were set by hand over these weights, in thousandths.
    pub set: Vec<(&'static str, Milli)>,
}

impl<G: Game> Loaded<G> {
    /// The generation of its weights; defaults are generation 0.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.weights.as_ref().map_or(0, |w| w.generation)
    }
}

/// The folder of a game's artifacts for a table size and ruleset, below `root` (as [`TABLES`]).
#[must_use]
pub fn folder<G: Game>(root: &Path, setup: &Setup<G>) -> PathBuf {
    root.join(G::NAME).join(setup.label())
}

/// The row of this name, instruments included.
///
/// # Errors
/// [`LoadError::UnknownPolicy`], with the nearest name.
pub fn row<G: Game>(name: &str) -> Result<&'static PolicyRow<G>, LoadError> {
    find_policy::<G>(name).ok_or_else(|| {
        let known = || G::policies().iter().map(|row| row.name);
        LoadError::UnknownPolicy {
            game: G::NAME,
            name: name.to_owned(),
            hint: nearest(name, known())
                .map_or_else(String::new, |near| format!(", did you mean {near:?}?")),
            known: known().collect(),
        }
    })
}

/// The simple styles of a game, in the order of its policy table: rows that play for real and
/// have no weights. One that reads a table plays by `maps`.
pub fn simple_styles<G: Game>(maps: &Maps) -> impl Iterator<Item = Policy<G>> {
    let simple = |row: &&PolicyRow<G>| row.purpose == Purpose::Play && row.knobs.is_empty();
    G::policies()
        .iter()
        .filter(simple)
        .map(|row| style(row, maps))
}

/// A row without weights, ready to play; by `maps` where it reads a table.
#[must_use]
pub fn style<G: Game>(row: &'static PolicyRow<G>, maps: &Maps) -> Policy<G> {
    let mut policy = Policy::defaults(row);
    if row.reads_table {
        policy.maps = maps.clone();
    }
    policy
}

/// A policy with weights and a table from where they are asked for, which must fit `setup`.
///
/// # Errors
/// [`LoadError`]; a missing frozen file is an error that names the command that makes it.
pub fn policy<G: Estimates>(
    setup: &Setup<G>,
    name: &str,
    weights: &WeightsFrom,
    table: &TableFrom,
) -> Result<Loaded<G>, LoadError> {
    let row = row::<G>(name)?;
    let frozen = folder(Path::new(TABLES), setup);
    let takes = |what, has: bool, file: &Path| match has {
        true => Ok(()),
        false => Err(LoadError::Takes {
            policy: row.name,
            what,
            file: shown(file),
        }),
    };
    let weights = match weights {
        WeightsFrom::File(file) => {
            takes("weights", !row.knobs.is_empty(), file)?;
            Some(weights_file(setup, row, file)?)
        }
        WeightsFrom::Frozen if !row.knobs.is_empty() => {
            Some(weights_file(setup, row, &frozen.join(WEIGHTS_FILE))?)
        }
        WeightsFrom::Frozen | WeightsFrom::Defaults => None,
    };
    let table = match table {
        TableFrom::File(file) => {
            takes("table", row.reads_table, file)?;
            Some(table_file(setup, file, Admit::Current)?)
        }
        TableFrom::Frozen if row.reads_table => {
            Some(table_file(setup, &frozen.join(TABLE_FILE), Admit::Current)?)
        }
        TableFrom::Frozen | TableFrom::Raw => None,
    };
    assemble(row, weights, table)
}

/// Generation 0 of the policy `name`: default weights and the identity map.
///
/// # Errors
/// [`LoadError::UnknownPolicy`].
pub fn defaults<G: Game>(name: &str) -> Result<Loaded<G>, LoadError> {
    assemble(row::<G>(name)?, None, None)
}

/// What lies in a folder of artifacts, as the policy `name` plays it: weights that are not there
/// are the defaults, a table that is not there is the identity (generation 0).
///
/// # Errors
/// As [`policy`], but for missing files.
pub fn generation<G: Estimates>(
    setup: &Setup<G>,
    name: &str,
    folder: &Path,
    admit: Admit,
) -> Result<Loaded<G>, LoadError> {
    let row = row::<G>(name)?;
    let present = |file: &Path| file.try_exists().unwrap_or(true);
    let weights = Some(folder.join(WEIGHTS_FILE))
        .filter(|file| !row.knobs.is_empty() && present(file))
        .map(|file| weights_file(setup, row, &file))
        .transpose()?;
    let table = Some(folder.join(TABLE_FILE))
        .filter(|file| row.reads_table && present(file))
        .map(|file| table_file(setup, &file, admit))
        .transpose()?;
    assemble(row, weights, table)
}

/// The frozen policy below `root` that a candidate has to beat; `None` before the first freeze.
/// Its table may be of an older estimator.
///
/// # Errors
/// As [`policy`].
pub fn incumbent<G: Estimates>(
    setup: &Setup<G>,
    name: &str,
    root: &Path,
) -> Result<Option<Loaded<G>>, LoadError> {
    let folder = folder(root, setup);
    let loaded = generation(setup, name, &folder, Admit::Older)?;
    Ok(loaded.weights.is_some().then_some(loaded))
}

fn assemble<G: Game>(
    row: &'static PolicyRow<G>,
    weights: Option<(Sealed<WeightsDoc>, Weights)>,
    table: Option<(Sealed<TableDoc>, Maps)>,
) -> Result<Loaded<G>, LoadError> {
    let mut policy = Policy::defaults(row);
    let weights = weights.map(|(doc, values)| {
        policy.weights = values;
        doc
    });
    let table = table.map(|(doc, maps)| {
        policy.maps = maps;
        doc
    });
    Ok(Loaded {
        policy,
        table,
        weights,
        set: Vec::new(),
    })
}

/// A weights file for this table size, ruleset and policy, with the values that it holds.
///
/// # Errors
/// [`LoadError`].
pub fn weights_file<G: Game>(
    setup: &Setup<G>,
    row: &PolicyRow<G>,
    file: &Path,
) -> Result<(Sealed<WeightsDoc>, Weights), LoadError> {
    let hint = || {
        format!(
            "`retune SPEC --freeze` makes it from an experiment's spec for {} with players = {} and \
             ruleset = \"{}\"; `defaults` plays without",
            G::NAME,
            setup.players,
            setup.rules
        )
    };
    let bytes = read(file, hint)?;
    let doc: Sealed<WeightsDoc> = open(&shown(file), &bytes)?;
    let rules = setup.rules.to_string();
    doc.check_domain(G::NAME, setup.players, &rules, row.name)
        .map_err(|error| LoadError::Domain {
            file: shown(file),
            error,
            hint: String::new(),
        })?;
    match Weights::from_named(row.knobs, doc.named()) {
        Ok(values) => Ok((doc, values)),
        Err(error) => Err(LoadError::Weights {
            file: shown(file),
            error,
        }),
    }
}

/// A table file for this table size and ruleset, with the maps that it holds.
///
/// # Errors
/// [`LoadError`].
pub fn table_file<G: Estimates>(
    setup: &Setup<G>,
    file: &Path,
    admit: Admit,
) -> Result<(Sealed<TableDoc>, Maps), LoadError> {
    let command = generate_command(setup);
    let bytes = read(file, || {
        format!("`{command}` makes it; `raw` plays without")
    })?;
    let doc: Sealed<TableDoc> = open(&shown(file), &bytes)?;
    let domain = |error: DomainError| {
        // Of the foreign ones, only an older estimator's table is mended by making it again.
        let hint = match error {
            DomainError::Estimator { .. } => format!(" (`{command}`)"),
            _ => String::new(),
        };
        LoadError::Domain {
            file: shown(file),
            error,
            hint,
        }
    };
    let rules = setup.rules.to_string();
    match admit {
        Admit::Current => doc.check_domain(
            G::NAME,
            setup.players,
            &rules,
            &G::estimator_fingerprint(setup),
        ),
        Admit::Older => doc.check_rules(G::NAME, setup.players, &rules),
    }
    .and_then(|()| doc.check_kinds(G::KINDS))
    .and_then(|()| doc.check_parameters(&Parameter::bounds(G::PARAMETERS)))
    .map_err(domain)?;
    match maps_of(&doc) {
        Ok(maps) => Ok((doc, maps)),
        Err(error) => Err(LoadError::Maps {
            file: shown(file),
            error,
        }),
    }
}

/// The maps of a table with its parameters: the identity for exact kinds and for kinds that were
/// never asked about.
///
/// # Errors
/// When a kind's points make no map.
pub fn maps_of(table: &TableDoc) -> Result<Maps, MapsError> {
    let map = |points: &[evenhand_artifact::Point]| {
        let points: Vec<_> = points
            .iter()
            .map(|p| (p.raw, Ppm::clamped(p.ppm.into())))
            .collect();
        Map::new(&points)
    };
    let maps: Result<Vec<_>, MapsError> = table
        .cells
        .iter()
        .map(|cell| {
            (!cell.points.is_empty())
                .then(|| map(&cell.points))
                .transpose()
        })
        .collect();
    let parameters: Vec<i64> = table.parameters.iter().map(|p| p.value).collect();
    Ok(Maps::new(maps?).with_parameters(&parameters))
}

/// The command that makes the table of this game, table size and ruleset with default settings.
#[must_use]
pub fn generate_command<G: Game>(setup: &Setup<G>) -> String {
    let mut command = format!(
        "calibrate generate --game {} --players {}",
        G::NAME,
        setup.players
    );
    let rules = setup.rules.to_string();
    if rules != "default" {
        command.push_str(&format!(" --ruleset {rules}"));
    }
    command
}

fn read(file: &Path, hint: impl FnOnce() -> String) -> Result<Vec<u8>, LoadError> {
    std::fs::read(file).map_err(|error| match error.kind() {
        ErrorKind::NotFound => LoadError::Missing {
            file: shown(file),
            hint: hint(),
        },
        _ => LoadError::Unreadable {
            file: shown(file),
            error,
        },
    })
}

fn shown(file: &Path) -> String {
    file.display().to_string()
}
