//! An experiment: its spec with everything that the game and the frozen artifacts add to it.

use anyhow::{Context, bail};
use evenhand_artifact::{Digest, RunKind, Sealed, SpecDoc, SpecProblem, TableDoc, open};
use evenhand_cli::args::setup;
use evenhand_cli::load::{self, Admit, Loaded, TABLE_FILE, TABLES};
use evenhand_cli::spec::fits;
use evenhand_contract::{Border, Estimates, Maps, Parameter, PolicyRow, Purpose, Setup, Weights};
use evenhand_store::{ActionKey, Store};
use std::path::{Path, PathBuf};

/// A spec that was understood.
#[derive(Clone, Debug)]
pub struct Experiment<G: Estimates> {
    /// Its name: the spec's file name without its end.
    pub name: String,
    /// The spec.
    pub spec: SpecDoc,
    /// Digest of the spec's meaning.
    pub digest: Digest,
    /// Table and ruleset.
    pub setup: Setup<G>,
    /// The row to be tuned.
    pub row: &'static PolicyRow<G>,
    /// The frozen policy; `None` before the first freeze.
    pub incumbent: Option<Loaded<G>>,
    /// The folder that holds `tables/` and `experiments/`.
    pub root: PathBuf,
}

/// A calibration table with its maps.
#[derive(Clone, Debug)]
pub struct Table {
    /// The document.
    pub doc: Sealed<TableDoc>,
    /// Its maps.
    pub maps: Maps,
}

impl<G: Estimates + Border> Experiment<G> {
    /// Understands a spec within the folder `root`.
    ///
    /// # Errors
    /// When the game does not know the table, ruleset or policies, or frozen artifacts are unfit.
    pub fn new(name: &str, spec: SpecDoc, root: &Path) -> anyhow::Result<Self> {
        let setup = setup::<G>(u32::from(spec.players), &spec.ruleset)?;
        let row = load::row::<G>(&spec.policy).context("policy")?;
        if row.purpose != Purpose::Play || row.knobs.is_empty() {
            bail!("policy: {:?} has nothing to tune", row.name);
        }
        if let Err(SpecProblem { key, reason }) = fits::<G>(&spec) {
            bail!("{key}: {reason}");
        }
        Ok(Self {
            name: name.to_owned(),
            digest: spec.meaning_digest()?,
            setup,
            row,
            incumbent: load::incumbent(&setup, row.name, &root.join(TABLES))?,
            root: root.to_owned(),
            spec,
        })
    }

    /// Whether it is a rehearsal.
    #[must_use]
    pub fn is_quick(&self) -> bool {
        self.spec.kind == RunKind::Quick
    }

    /// The folder of the frozen artifacts.
    #[must_use]
    pub fn frozen(&self) -> PathBuf {
        load::folder(&self.root.join(TABLES), &self.setup)
    }

    /// The weights that a search starts from: the incumbent's, or the defaults.
    #[must_use]
    pub fn start(&self) -> Weights {
        match &self.incumbent {
            Some(loaded) => loaded.policy.weights.clone(),
            None => Weights::defaults(self.row.knobs),
        }
    }

    /// Checksum of the incumbent's weights.
    #[must_use]
    pub fn incumbent_checksum(&self) -> Option<String> {
        let weights = self.incumbent.as_ref()?.weights.as_ref()?;
        Some(weights.checksum().hex())
    }

    /// The action that makes the experiment's table: its settings, the estimator, and the
    /// generation whose play the situations are taken from.
    #[must_use]
    pub fn table_key(&self) -> ActionKey {
        let calibrate = &self.spec.calibrate;
        let table = self.incumbent.as_ref().and_then(|l| l.table.as_ref());
        ActionKey::new("calibrate")
            .part("game", G::NAME)
            .part("players", self.setup.players)
            .part("ruleset", self.setup.rules)
            .part("policy", self.row.name)
            .part("estimator", G::estimator_fingerprint(&self.setup))
            .part("seed", calibrate.seed)
            .part("situations", calibrate.situations)
            .part("samples", calibrate.samples)
            .part("input-weights", or_none(self.incumbent_checksum()))
            .part("input-table", or_none(table.map(|t| t.checksum().hex())))
    }

    /// A table from its bytes, which must be for this game, table size, ruleset and estimator.
    ///
    /// # Errors
    /// With what does not fit.
    pub fn table_of(&self, file: &str, bytes: &[u8]) -> anyhow::Result<Table> {
        let doc: Sealed<TableDoc> = open(file, bytes)?;
        let rules = self.setup.rules.to_string();
        let estimator = G::estimator_fingerprint(&self.setup);
        doc.check_domain(G::NAME, self.setup.players, &rules, &estimator)?;
        doc.check_kinds(G::KINDS)?;
        doc.check_parameters(&Parameter::bounds(G::PARAMETERS))?;
        let maps = load::maps_of(&doc).with_context(|| file.to_owned())?;
        Ok(Table { doc, maps })
    }

    /// The table to tune with: `file` if given, else what the store holds for the experiment's
    /// settings, else the frozen one. It is put into the store, where later steps find it by its
    /// checksum. `None` for a policy that reads none.
    ///
    /// # Errors
    /// When there is none, or it does not fit.
    pub fn table(&self, store: &Store, file: Option<&Path>) -> anyhow::Result<Option<Table>> {
        if !self.row.reads_table {
            return Ok(None);
        }
        let table = match (file, store.result(&self.table_key())?) {
            (Some(file), _) => self.load_table(file)?,
            (None, Some((digest, bytes))) => self.table_of(&format!("object {digest}"), &bytes)?,
            (None, None) => self.load_table(&self.frozen().join(TABLE_FILE))?,
        };
        self.keep_table(store, &table)?;
        Ok(Some(table))
    }

    fn load_table(&self, file: &Path) -> anyhow::Result<Table> {
        let (doc, maps) = load::table_file(&self.setup, file, Admit::Current)?;
        Ok(Table { doc, maps })
    }

    /// Puts a table into the store, where it is found by its checksum.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_table(&self, store: &Store, table: &Table) -> anyhow::Result<()> {
        let key = checksum_key("table", &table.doc.checksum().hex());
        store.keep(&key, table.doc.text().as_bytes())?;
        Ok(())
    }

    /// The table of this checksum: from the store, else the frozen one.
    ///
    /// # Errors
    /// When it is in neither place.
    pub fn table_by(&self, store: &Store, checksum: &str) -> anyhow::Result<Table> {
        if let Some((digest, bytes)) = store.result(&checksum_key("table", checksum))? {
            return self.table_of(&format!("object {digest}"), &bytes);
        }
        let table = self.load_table(&self.frozen().join(TABLE_FILE))?;
        if table.doc.checksum().hex() != checksum {
            bail!("the table {checksum} is neither in the store nor frozen");
        }
        Ok(table)
    }
}

pub use evenhand_cli::spec::INCUMBENT;

/// Where the store keeps a document by its checksum. Sources do not matter here.
#[must_use]
pub fn checksum_key(what: &str, checksum: &str) -> ActionKey {
    ActionKey::with_source(&format!("{what}-by-checksum"), "", "").part("checksum", checksum)
}

pub(crate) fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "none".to_owned())
}
