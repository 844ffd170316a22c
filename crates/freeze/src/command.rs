//! The command `freeze`.

use crate::{Records, gates, write};
use clap::Parser;
use evenhand_artifact::{Gate, SpecDoc, Verdict};
use evenhand_cli::args::{JsonArg, StoreArg};
use evenhand_cli::{Exit, Verb, dispatch, print, print_json, spec};
use evenhand_contract::{Border, Estimates};
use evenhand_store::Store;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Freezes the validated candidate of an experiment, only when every gate holds.
///
/// Checks records alone and plays nothing. Writes tables/GAME/Np/ with the generation before under
/// previous/, the kept record under experiments/NAME/ and a line of the ledger. Exits with 1 and
/// names the gates that do not hold otherwise.
#[derive(Parser, Clone, Debug)]
#[command(
    name = "freeze",
    version,
    after_help = "Example:\n  freeze experiments/lexio-5p.toml --dry-run"
)]
pub struct Args {
    /// The experiment's spec
    pub spec: PathBuf,
    /// Only say what would be written
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub store: StoreArg,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub json: JsonArg,
}

/// Runs the command.
///
/// # Errors
/// Wrong input or a file that cannot be written.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let spec = spec::load(&args.spec)?;
    let game = spec.game.clone();
    dispatch(&game, Command { args, spec })?
}

struct Command {
    args: Args,
    spec: SpecDoc,
}

/// What a judgement of the gates came to.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Every gate.
    pub gates: Vec<Gate>,
    /// The worst of them.
    pub verdict: Verdict,
    /// Files that were written.
    pub files: Vec<PathBuf>,
}

/// Judges the gates of an experiment below `root`, and freezes when all hold and `really` says so.
///
/// # Errors
/// When a record is damaged or a file cannot be written.
pub fn judge<G: Estimates>(
    store: &Store,
    experiment: &str,
    spec: SpecDoc,
    root: &Path,
    really: bool,
) -> anyhow::Result<Judged> {
    let records = Records::gather::<G>(store, experiment, spec, root)?;
    let gates = gates::<G>(&records)?;
    let verdict = Verdict::all(gates.iter().map(|g| g.verdict));
    let files = if really && verdict == Verdict::Holds && !records.is_in_place() {
        write(&records, &gates, root)?.files
    } else {
        Vec::new()
    };
    Ok(Judged {
        gates,
        verdict,
        files,
    })
}

impl Verb for Command {
    type Out = anyhow::Result<Exit>;

    fn run<G: Estimates + Border>(self) -> anyhow::Result<Exit> {
        let Self { args, spec } = self;
        let name = args.spec.file_stem().unwrap_or_default().to_string_lossy();
        let store = Store::open(args.store.dir())?;
        let judged = judge::<G>(&store, &name, spec, Path::new("."), !args.dry_run)?;
        if args.json.json {
            print_json(&serde_json::json!({
                "verdict": judged.verdict,
                "gates": judged.gates,
                "files": judged.files,
                "dry_run": args.dry_run,
            }))?;
        } else {
            print(text(&judged, args.dry_run).trim_end())?;
        }
        Ok(match judged.verdict {
            Verdict::Holds => Exit::Holds,
            Verdict::Fails => Exit::Fails,
            Verdict::Inconclusive => Exit::Inconclusive,
            Verdict::Invalid => Exit::Invalid,
        })
    }
}

/// What people read.
#[must_use]
pub fn text(judged: &Judged, dry_run: bool) -> String {
    let mut text = String::new();
    for gate in &judged.gates {
        let _ = writeln!(
            text,
            "  {:<12} {}: {}",
            gate.verdict.name(),
            gate.name,
            gate.reason
        );
    }
    match judged.verdict {
        Verdict::Holds if dry_run => text.push_str("every gate holds; nothing was written\n"),
        Verdict::Holds if judged.files.is_empty() => {
            text.push_str("frozen already; nothing was written\n");
        }
        Verdict::Holds => {
            text.push_str("frozen:\n");
            for file in &judged.files {
                let _ = writeln!(text, "  {}", file.display());
            }
        }
        _ => {
            let open = judged.gates.iter().filter(|g| g.verdict != Verdict::Holds);
            let names: Vec<&str> = open.map(|g| g.name.as_str()).collect();
            let _ = writeln!(
                text,
                "not frozen; gates that do not hold: {}",
                names.join(", ")
            );
        }
    }
    text
}
