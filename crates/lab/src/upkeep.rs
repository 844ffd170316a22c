//! `store`: what lies in the store, where it came from, whether it is sound, and what may go.

use crate::branches::{grown, merge};
use anyhow::{Context, bail};
use clap::{Parser, Subcommand};
use evenhand_cli::args::StoreArg;
use evenhand_cli::load::TABLES;
use evenhand_cli::{Exit, print, print_json};
use evenhand_store::{Digest, Item, Store, gc, lineage, list, read, roots_in, verify};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where the records of experiments lie.
const EXPERIMENTS: &str = "experiments";

const EXAMPLE: &str = "\
Example:
  store ls
  store lineage 3f9a
  store gc --dry-run
  store merge-ledger base.jsonl ours.jsonl theirs.jsonl

A digest may be cut to its first digits as long as they fit one object only; a file stands for the
document in it.

Exit codes: 0 done (verify: sound), 1 verify found damage or a ledger was not only added to, 3 usage or input error.";

/// Look after the store of objects, actions and runs.
#[derive(Parser, Clone, Debug)]
#[command(name = "store", version, after_help = EXAMPLE)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
    /// Folder of the store of objects and runs [default: $EVENHAND_STORE, else .evenhand]
    #[arg(long, value_name = "DIR", global = true)]
    store: Option<PathBuf>,
    /// Print JSON instead of text for people
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Clone, Debug)]
enum Verb {
    /// List objects, actions and runs
    Ls,
    /// Print an object's bytes
    Show {
        /// Digest or checksum, or its first digits, or a file
        digest: String,
    },
    /// Print the ancestry of a document in the store, under tables/ or under experiments/
    Lineage {
        /// Digest or checksum, or its first digits, or a file
        digest: String,
    },
    /// Hash every object again, read every document, action and journal again
    Verify,
    /// Remove what neither tables/, experiments/ nor a live run reaches
    Gc {
        /// Say what would go and remove nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Merge the ledgers of two branches into the file OURS, as a git merge driver does
    ///
    /// Attempts are counted over both, so what passed on a branch may need a stricter level now:
    /// that is said. Exits with 1 and writes nothing when a branch did not only add to BASE.
    MergeLedger {
        /// The ledger that both branches began with; an empty file where there was none
        base: PathBuf,
        /// The ledger of the branch that is checked out; the result goes here
        ours: PathBuf,
        /// The ledger of the other branch
        theirs: PathBuf,
        /// Whose lines come first: those of the branch that others have already
        #[arg(long, value_name = "BRANCH", value_enum, default_value_t = First::Ours)]
        first: First,
    },
    /// Say whether the ledger HEAD only adds lines to the ledger BASE; exit code 1 when not
    CheckLedger {
        /// The ledger as it was; an empty file where there was none
        base: PathBuf,
        /// The ledger as it is
        head: PathBuf,
    },
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum First {
    Ours,
    Theirs,
}

/// Does what is asked for.
///
/// # Errors
/// When the store cannot be read or is damaged, or a digest names nothing.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let dir = StoreArg { store: args.store }.dir();
    let store = || {
        if !Store::is_at(&dir) {
            bail!(
                "{}: there is no store; `retune`, `tune` and `calibrate generate` make one",
                dir.display()
            );
        }
        Ok(Store::open(&dir)?)
    };
    let json = args.json;
    match &args.verb {
        Verb::Ls => ls(&store()?, json),
        Verb::Show { digest } => show(&store()?, digest, json),
        Verb::Lineage { digest } => ancestry(&store()?, digest, json),
        Verb::Verify => check(&store()?, json),
        Verb::Gc { dry_run } => collect(&store()?, *dry_run, json),
        Verb::MergeLedger {
            base,
            ours,
            theirs,
            first,
        } => merge(base, ours, theirs, *first == First::Theirs, json),
        Verb::CheckLedger { base, head } => grown(base, head, json),
    }
}

fn roots() -> [PathBuf; 2] {
    [TABLES, EXPERIMENTS].map(PathBuf::from)
}

fn ls(store: &Store, json: bool) -> anyhow::Result<Exit> {
    let items = list(store)?;
    if json {
        let items: Vec<Json> = items.iter().map(item_json).collect();
        print_json(&json!(items))?;
        return Ok(Exit::Holds);
    }
    let mut out = String::new();
    for item in &items {
        let _ = match item {
            Item::Object {
                digest,
                size,
                format,
            } => {
                let format = format.as_deref().unwrap_or("-");
                writeln!(out, "object  {digest}  {size:>9}  {format}")
            }
            Item::Action { key, step, result } => {
                writeln!(out, "action  {key}  {step} -> {result}")
            }
            Item::Run { name, held, result } => {
                let state = match (held, result) {
                    (true, _) => "in the making".to_owned(),
                    (false, Some(result)) => format!("finished -> {result}"),
                    (false, None) => "stopped; it resumes".to_owned(),
                };
                writeln!(out, "run     {name}  {state}")
            }
        };
    }
    print(&out)?;
    Ok(Exit::Holds)
}

fn item_json(item: &Item) -> Json {
    match item {
        Item::Object {
            digest,
            size,
            format,
        } => json!({"kind": "object", "digest": digest.hex(), "bytes": size, "format": format}),
        Item::Action { key, step, result } => {
            json!({"kind": "action", "key": key.hex(), "step": step, "result": result.hex()})
        }
        Item::Run { name, held, result } => {
            let result = result.map(|r| r.hex());
            json!({"kind": "run", "name": name, "held": held, "result": result})
        }
    }
}

/// The digest that a text names, in full or by its first digits.
fn named(store: &Store, text: &str) -> anyhow::Result<Digest> {
    if let Ok(digest) = text.parse::<Digest>() {
        return Ok(digest);
    }
    if Path::new(text).is_file() {
        return of_file(Path::new(text));
    }
    if text.is_empty() || !text.bytes().all(|c| c.is_ascii_hexdigit()) {
        bail!("{text:?} is neither a digest (hex digits) nor a file");
    }
    let start = text.to_ascii_lowercase();
    let mut known: BTreeSet<Digest> = store.objects().list()?.into_iter().collect();
    for root in roots() {
        known.extend(roots_in(&root)?);
    }
    let found: Vec<Digest> = known
        .into_iter()
        .filter(|digest| digest.hex().starts_with(&start))
        .collect();
    match found[..] {
        [one] => Ok(one),
        [] => bail!("nothing in the store or its roots begins with {start}"),
        _ => bail!(
            "{} digests begin with {start}; give more digits",
            found.len()
        ),
    }
}

/// The checksum of a document in a file; of another file the digest of its bytes.
fn of_file(file: &Path) -> anyhow::Result<Digest> {
    let bytes = read(file)?.with_context(|| format!("{} is gone", file.display()))?;
    let json = serde_json::from_slice::<Json>(&bytes).unwrap_or_default();
    let checksum = json.get("checksum").and_then(Json::as_str);
    Ok(match checksum.and_then(|text| text.parse().ok()) {
        Some(checksum) => checksum,
        None => Digest::of(&bytes),
    })
}

fn show(store: &Store, text: &str, json: bool) -> anyhow::Result<Exit> {
    let digest = named(store, text)?;
    let Some(bytes) = store.objects().get(&digest)? else {
        bail!("no object {digest}");
    };
    let text = String::from_utf8(bytes).context("this object is no text")?;
    if json {
        print_json(&json!({"digest": digest.hex(), "text": text}))?;
    } else {
        print(&text)?;
    }
    Ok(Exit::Holds)
}

fn ancestry(store: &Store, text: &str, json: bool) -> anyhow::Result<Exit> {
    let digest = named(store, text)?;
    let ancestors = lineage(store, &roots(), &digest)?;
    if ancestors.first().is_none_or(|first| first.what.is_none()) {
        bail!("{digest} names nothing in the store, under {TABLES}/ or under {EXPERIMENTS}/");
    }
    if json {
        let lines: Vec<Json> = ancestors
            .iter()
            .map(|a| {
                json!({"depth": a.depth, "role": a.role, "digest": a.digest.hex(), "what": a.what, "seen": a.seen})
            })
            .collect();
        print_json(&json!(lines))?;
        return Ok(Exit::Holds);
    }
    let mut out = String::new();
    for a in &ancestors {
        let what = a.what.as_deref().unwrap_or("not at hand");
        let again = if a.seen { " (see above)" } else { "" };
        let _ = writeln!(
            out,
            "{:indent$}{}: {:.12}  {what}{again}",
            "",
            a.role,
            a.digest.hex(),
            indent = 2 * a.depth
        );
    }
    print(&out)?;
    Ok(Exit::Holds)
}

fn check(store: &Store, json: bool) -> anyhow::Result<Exit> {
    let found = verify(store)?;
    if json {
        print_json(&json!({
            "objects": found.objects,
            "actions": found.actions,
            "runs": found.runs,
            "problems": found.problems,
        }))?;
    } else {
        let mut out = format!(
            "{} objects, {} actions, {} runs: {}\n",
            found.objects,
            found.actions,
            found.runs,
            match found.problems.len() {
                0 => "sound".to_owned(),
                n => format!("{n} problems"),
            }
        );
        for problem in &found.problems {
            let _ = writeln!(out, "  {problem}");
        }
        print(&out)?;
    }
    Ok(Exit::of(found.problems.is_empty()))
}

fn collect(store: &Store, dry_run: bool, json: bool) -> anyhow::Result<Exit> {
    let mut reached = BTreeSet::new();
    for root in roots() {
        reached.extend(roots_in(&root)?);
    }
    let done = gc(store, &reached, dry_run)?;
    if json {
        let removed: Vec<String> = done.removed.iter().map(|p| shown(p)).collect();
        print_json(&json!({
            "dry_run": dry_run,
            "kept": done.kept,
            "removed": removed,
            "freed": done.freed,
        }))?;
        return Ok(Exit::Holds);
    }
    let mut out = String::new();
    for path in &done.removed {
        let _ = writeln!(out, "{}", shown(path));
    }
    let verb = if dry_run { "would go" } else { "removed" };
    let _ = writeln!(
        out,
        "{} files {verb}, {} bytes; {} objects are reached and stay",
        done.removed.len(),
        done.freed,
        done.kept
    );
    print(&out)?;
    Ok(Exit::Holds)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
