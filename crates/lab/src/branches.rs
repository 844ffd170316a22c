//! Ledgers of two branches: whether one only adds to the other, and how they become one.

use anyhow::bail;
use evenhand_artifact::{Event, Outcome, alpha_ppb};
use evenhand_cli::{Exit, print, print_json};
use evenhand_store::ledger::{Ledger, check, merged};
use evenhand_store::publish_replace;
use serde::Serialize;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

/// An attempt that passed on one branch and counts higher in the merged ledger.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Judged {
    /// The experiment.
    pub experiment: String,
    /// Its candidate.
    pub candidate: String,
    /// Its salt.
    pub salt: String,
    /// Which attempt it was when it was judged.
    pub was: u32,
    /// Which it is now.
    pub now: u32,
}

/// What the merged ledger says of everything that passed: attempts count over both branches, so a
/// pass may stand on a level that it no longer has.
#[must_use]
pub fn judged_again(branch: &Ledger, whole: &Ledger) -> Vec<Judged> {
    let passed = branch.lines().iter().filter(|line| {
        matches!(
            line.entry.event,
            Event::Outcome {
                result: Outcome::Passed,
                ..
            }
        )
    });
    passed
        .filter_map(|line| {
            let now = whole.attempt(&line.entry);
            (now > line.attempt).then(|| Judged {
                experiment: line.entry.experiment.clone(),
                candidate: line.entry.candidate.clone(),
                salt: line.entry.salt.clone(),
                was: line.attempt,
                now,
            })
        })
        .collect()
}

fn percent(attempt: u32) -> String {
    let ppb = alpha_ppb(attempt);
    format!("{}.{:02} %", ppb / 10_000_000, ppb / 100_000 % 100)
}

/// A ledger that has to be there.
fn read(path: &Path) -> anyhow::Result<Ledger> {
    if !path.exists() {
        bail!("{}: there is no such file", path.display());
    }
    Ok(Ledger::read(path)?)
}

/// Merges two branches' ledgers into the file of ours, as git asks a merge driver to.
///
/// # Errors
/// When a ledger is not sound, or ours cannot be written. Where a branch did not only add to the
/// common base the answer is that it does not hold, and nothing is written.
pub fn merge(
    base: &Path,
    ours: &Path,
    theirs: &Path,
    theirs_first: bool,
    as_json: bool,
) -> anyhow::Result<Exit> {
    let (old, own, other) = (read(base)?, read(ours)?, read(theirs)?);
    for branch in [&own, &other] {
        if let Err(fault) = check(&old, branch) {
            eprintln!("store: {fault}");
            return Ok(Exit::Fails);
        }
    }
    let (first, second) = if theirs_first {
        (&other, &own)
    } else {
        (&own, &other)
    };
    let whole = merged(first, second)?;
    publish_replace(ours, whole.text()?.as_bytes())?;
    let mut moved = judged_again(first, &whole);
    moved.extend(judged_again(second, &whole));
    let added = whole.lines().len() - first.lines().len();
    if as_json {
        print_json(&json!({
            "lines": whole.lines().len(),
            "added": added,
            "judged_again": moved,
        }))?;
        return Ok(Exit::Holds);
    }
    let mut text = format!(
        "{} lines, of which {added} were added behind those of the branch that comes first\n",
        whole.lines().len()
    );
    for one in &moved {
        let _ = writeln!(
            text,
            "  {}, candidate {:.12}{}: passed as attempt {}, at a level of {}; it is attempt {} by \
             now, whose level is {}: no longer supported, validate again with a salt of its own",
            one.experiment,
            one.candidate,
            match one.salt.as_str() {
                "" => String::new(),
                salt => format!(", salt {salt}"),
            },
            one.was,
            percent(one.was),
            one.now,
            percent(one.now)
        );
    }
    print(text.trim_end())?;
    Ok(Exit::Holds)
}

/// Says whether a ledger only adds lines to that of the base.
///
/// # Errors
/// When the base's ledger is not sound or a file cannot be read.
pub fn grown(base: &Path, head: &Path, as_json: bool) -> anyhow::Result<Exit> {
    let old = read(base)?;
    let fault = Ledger::read(head)
        .and_then(|new| {
            check(&old, &new)?;
            Ok(new.lines().len() - old.lines().len())
        })
        .map_err(|fault| fault.to_string());
    if as_json {
        print_json(&json!({"added": fault.as_ref().ok(), "fault": fault.as_ref().err()}))?;
        return Ok(Exit::of(fault.is_ok()));
    }
    match fault {
        Ok(added) => {
            print(&format!(
                "{}: {} lines as they were, {added} added",
                head.display(),
                old.lines().len()
            ))?;
            Ok(Exit::Holds)
        }
        Err(fault) => {
            eprintln!("store: {fault}");
            Ok(Exit::Fails)
        }
    }
}
