//! The checks of frozen artifacts and of behaviour.

use super::Check;
use evenhand_cli::load::{self, Admit, Loaded};
use evenhand_contract::{Border, Estimates, Policy, PolicyRow, Purpose, Setup};
use evenhand_sim::behaviour_fingerprint;
use std::path::Path;

/// A policy with what is frozen for it below `root`, and the check of that. Where it does not
/// hold, the policy is generation 0, so that the other checks can still be made.
pub fn frozen<G: Estimates>(
    setup: &Setup<G>,
    row: &'static PolicyRow<G>,
    root: &Path,
) -> (Policy<G>, Option<Loaded<G>>, Check) {
    let check = |holds, note| Check {
        policy: row.name.to_owned(),
        check: "frozen table and weights",
        holds,
        note,
        difference: None,
    };
    if (row.knobs.is_empty() && !row.reads_table) || row.purpose == Purpose::Instrument {
        let note = "needs none: it is played as it is".to_owned();
        return (Policy::defaults(row), None, check(true, note));
    }
    let folder = load::folder(root, setup);
    let loaded = match load::generation(setup, row.name, &folder, Admit::Current) {
        Ok(loaded) => loaded,
        Err(error) => return (Policy::defaults(row), None, check(false, error.to_string())),
    };
    let (holds, note) = told(&loaded, &folder);
    (loaded.policy.clone(), Some(loaded), check(holds, note))
}

fn told<G: Estimates>(loaded: &Loaded<G>, folder: &Path) -> (bool, String) {
    let table = loaded.table.as_ref().map(|t| t.checksum().hex());
    let Some(weights) = &loaded.weights else {
        return match table {
            None => {
                let note = format!("none under {}: generation 0 is examined", folder.display());
                (true, note)
            }
            Some(table) => (true, format!("table {table:.12} loads; no weights yet")),
        };
    };
    let parents = &weights.parents.tables;
    let fits = match &table {
        Some(table) => parents.contains(table),
        None => parents.is_empty(),
    };
    let table = table.unwrap_or_else(|| "none".to_owned());
    let named = format!(
        "weights {:.12}, table {table:.12}",
        weights.checksum().hex()
    );
    if fits {
        return (
            true,
            format!("{named}: checksums, domain and estimator fingerprint match"),
        );
    }
    let tuned = parents.join(", ");
    (
        false,
        format!("{named}: the weights were tuned with table {tuned:.12}"),
    )
}

/// The behaviour fingerprint, held to the one in the frozen weights.
pub fn behaviour<G: Border + Estimates>(
    setup: &Setup<G>,
    policy: &Policy<G>,
    loaded: Option<&Loaded<G>>,
) -> Check {
    let (holds, note) = match behaviour_fingerprint(policy, setup) {
        Err(failure) => (false, failure.to_string()),
        Ok(now) => {
            let recorded = loaded
                .and_then(|l| l.weights.as_ref())
                .map(|w| w.behaviour.clone());
            match recorded {
                None => (true, now),
                Some(then) if then == now => (true, format!("{now}, as frozen")),
                Some(then) => (
                    false,
                    format!("{now}, but the frozen weights record {then}: play has changed since"),
                ),
            }
        }
    };
    Check {
        policy: policy.row.name.to_owned(),
        check: "behaviour fingerprint",
        holds,
        note,
        difference: None,
    }
}
