//! `capture`: the positions that two policies play differently, with both their reasons.

pub mod ask;
mod doc;
mod loss;
mod slowest;
mod text;
mod watch;

pub use doc::{Capture, CapturesDoc, InputCount, Player, Slow, SlowestDoc};
pub use slowest::slowest;

use crate::field::{Field, PlayArgs, check_folder, explained, played_by, policy_by};
use crate::wall::{Stopwatch, minutes};
use anyhow::{Context, anyhow, bail};
use ask::{Reason, ask, legal, reasons};
use clap::Parser;
use evenhand_artifact::{Document, SpecDoc, Value, encode, to_value};
use evenhand_cli::args::ForceArg;
use evenhand_cli::knobs::{SetArgs, SetSidesArgs};
use evenhand_cli::load::{Loaded, TableFrom};
use evenhand_cli::{Exit, Progress, Verb, dispatch, fail, print, print_json, spec};
use evenhand_contract::{Border, Estimates, Json, Policy, SeedId, Stream};
use evenhand_sim::{Control, Execution, Exploration, RunError, Seeds, Side, run_observed};
use evenhand_stats::mean_estimate;
use loss::{loss_interval, more_seeds};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use watch::{Cast, Found, Harvest, Memos, Watch};

/// How many of the worst and of the best positions are kept.
pub const KEPT: usize = 10;

const EXAMPLE: &str = "\
Example:
  capture experiments/lexio-5p.toml --a tables/lexio/5p/weights.json --b defaults --seeds 64
  capture experiments/lexio-5p.toml --a hard-independent --b hard --out captures
  capture experiments/lexio-5p.toml --a frozen --slowest 20

A plays the spec's pool; at each of its free decisions B is asked as well. Where they differ, B
plays the seat from there to the end of the same deal, everybody else as before: the paired loss of
that round is B's points minus A's. The ten worst and the ten best are kept; each is also played on
random re-deals of the unseen cards, which tells a fault from bad luck.

WEIGHTS is a file of weights for the spec's policy, `frozen`, `defaults`, or the name of a policy of
the game. One with the same knobs plays by the frozen weights of the spec's policy, or, with a `@`
after its name, by any of the above: `hard-independent@defaults`.

--out DIR writes DIR/captures.json (a fixture: canonical, checksummed, complete for a replay) and
DIR/captures.md.

Exit codes: 0 done, 2 interrupted, 3 usage or input error, 70 a policy failed.";

/// Keep the positions that two policies play differently.
#[derive(Parser, Clone, Debug)]
#[command(name = "capture", version, after_help = EXAMPLE)]
pub struct Args {
    #[command(flatten)]
    play: PlayArgs,
    /// The policy that plays
    #[arg(long, value_name = "WEIGHTS")]
    a: String,
    /// The policy that is asked as well
    #[arg(long, value_name = "WEIGHTS", required_unless_present = "slowest")]
    b: Option<String>,
    /// Calibration table of A: a file, or `raw` [default: the frozen one, else raw]
    #[arg(long, value_name = "FILE|raw")]
    table_a: Option<TableFrom>,
    /// Calibration table of B, likewise
    #[arg(long, value_name = "FILE|raw")]
    table_b: Option<TableFrom>,
    #[command(flatten)]
    set: SetSidesArgs,
    /// Re-deals of the unseen cards for each kept position
    #[arg(long, value_name = "N", default_value = "200", value_parser = evenhand_cli::args::whole)]
    redeals: u32,
    /// Keep the K positions with the most work units and the longest wall times of A instead
    #[arg(long, value_name = "K", conflicts_with = "b", value_parser = evenhand_cli::args::count)]
    slowest: Option<u32>,
    /// Write fixture and text into this folder; files that are there need --force
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
}

/// Captures and prints.
///
/// # Errors
/// Wrong input, a failed match, an interruption.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let spec = spec::load(&args.play.spec)?;
    let game = spec.game.clone();
    dispatch(&game, Job { args, spec })?
}

struct Job {
    args: Args,
    spec: SpecDoc,
}

impl Verb for Job {
    type Out = anyhow::Result<Exit>;

    fn run<G: Estimates + Border>(self) -> anyhow::Result<Exit> {
        let args = &self.args;
        if let Some(out) = &args.out {
            check_folder(out)?;
            let name = match args.slowest {
                Some(_) => "slowest",
                None => "captures",
            };
            for end in ["json", "md"] {
                args.force.check(&out.join(format!("{name}.{end}")))?;
            }
        }
        let field = Field::<G>::of_spec(&self.spec)?;
        let side = |weights: &str, table: Option<&TableFrom>| {
            policy_by(&field.setup, &self.spec.policy, Some(weights), table)
        };
        let mut a = side(&args.a, args.table_a.as_ref()).context("--a")?;
        let seeds = args.play.exploration()?;
        let execution = Execution {
            block: 1,
            ..args.play.execution()
        };
        let mut progress = Progress::start("capture", "seeds of a run", seeds.len() as u64);
        let Some(b) = &args.b else {
            let keep = args.slowest.unwrap_or(1) as usize;
            let set = args.set.set.clone();
            SetArgs { set }.apply(&mut a)?;
            let player = Player::of(&a.policy, played_by(&a));
            let doc = slowest(&field, &a.policy, player, keep, &seeds, &mut progress);
            drop(progress);
            let doc = doc.map_err(explained)?;
            let text = text::slowest(&doc);
            self.hand_out("slowest", &doc, &text)?;
            return Ok(Exit::Holds);
        };
        let mut b = side(b, args.table_b.as_ref()).context("--b")?;
        args.set.apply(&mut a, &mut b)?;
        let pair = Pair { a: &a, b: &b };
        let watch = Stopwatch::start();
        let doc = capture(
            &field,
            &pair,
            &seeds,
            args.redeals,
            &execution,
            &mut progress,
        );
        drop(progress);
        let doc = doc?;
        let text = text::captures(&doc);
        self.hand_out("captures", &doc, &text)?;
        if let (Some(more), false) = (doc.more_seeds, args.play.json.json) {
            // Beside what is kept, since it hangs on the machine.
            let millis = watch.millis() / u64::from(doc.seeds.max(1));
            let seconds = millis.saturating_mul(more).div_ceil(1_000);
            print(&format!(
                "\n{more} more seeds take {} here\n",
                minutes(seconds)
            ))?;
        }
        Ok(Exit::Holds)
    }
}

impl Job {
    /// Prints a document, and writes it where asked to.
    fn hand_out(&self, name: &str, doc: &impl Document, text: &str) -> anyhow::Result<()> {
        if let Some(out) = &self.args.out {
            let fixture = encode(doc)?;
            for (end, bytes) in [("json", fixture.as_str()), ("md", text)] {
                let path = out.join(format!("{name}.{end}"));
                evenhand_store::create_dir(out)?;
                evenhand_store::publish(&path, bytes.as_bytes())
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        if self.args.play.json.json {
            return print_json(&serde_json::to_value(doc)?);
        }
        print(text)
    }
}

/// The two policies.
pub struct Pair<'a, G: Estimates> {
    /// Plays.
    pub a: &'a Loaded<G>,
    /// Is asked as well.
    pub b: &'a Loaded<G>,
}

/// Plays A against the pool and keeps the positions that B would have played differently.
///
/// # Errors
/// When a match fails, a policy is not a function of its view, or the run is interrupted.
pub fn capture<G: Estimates + Border>(
    field: &Field<G>,
    pair: &Pair<'_, G>,
    seeds: &Seeds<Exploration>,
    redeals: u32,
    execution: &Execution,
    control: &mut dyn Control,
) -> anyhow::Result<CapturesDoc> {
    let (a, b) = (&pair.a.policy, &pair.b.policy);
    let mut harvest = Harvest::<G>::empty();
    let mut by_seed = vec![(0_i64, 0_i64); seeds.len()];
    for (place, opponent) in field.pool.iter().enumerate() {
        let plan = field.plan(a, opponent).map_err(explained)?;
        let make = |_: &SeedId| Watch::new(&field.setup, a, b, place, opponent);
        let mut each = by_seed.iter_mut();
        let mut sink = |watch: Watch<'_, G>| {
            if let Some((differing, loss)) = each.next() {
                *differing += watch.harvest.differing as i64;
                *loss += watch.harvest.loss_sum;
            }
            harvest.join(watch.harvest);
        };
        run_observed(&plan, seeds, execution, control, make, &mut sink)
            .map_err(|error: RunError| explained(error))?;
    }
    if let Some(reason) = harvest.broken {
        return Err(fail(
            Exit::Internal,
            anyhow!("a captured round could not be played to its end: {reason}"),
        ));
    }
    let keep = |list: &[Found<G>]| -> anyhow::Result<Vec<Capture>> {
        list.iter()
            .map(|found| kept(field, a, b, found, redeals))
            .collect()
    };
    let (worst, best) = (keep(&harvest.worst.list)?, keep(&harvest.best.list)?);
    let first = seeds.ids().first().map(|id| match id {
        SeedId::Number(n) => *n,
        SeedId::Minted(_) => 0,
    });
    Ok(CapturesDoc {
        game: G::NAME.to_owned(),
        players: field.setup.players,
        ruleset: field.setup.rules.to_string(),
        first_seed: first.unwrap_or(0),
        seeds: seeds.len() as u32,
        rounds: field.rounds,
        redeals,
        a: Player::of(a, played_by(pair.a)),
        b: Player::of(b, played_by(pair.b)),
        decisions: harvest.decisions,
        differing: harvest.differing,
        loss_sum: harvest.loss_sum,
        loss_interval_micro: loss_interval(&by_seed).map(|(low, high)| [low, high]),
        more_seeds: more_seeds(&by_seed),
        inputs: inputs(worst.iter().chain(&best)),
        worst,
        best,
    })
}

/// A border value as a document holds it.
pub(crate) fn document_value(json: &Json) -> anyhow::Result<Value> {
    Ok(to_value(&evenhand_cli::without_null(json))?)
}

/// Everything about a kept position.
fn kept<G: Border>(
    field: &Field<G>,
    a: &Policy<G>,
    b: &Policy<G>,
    found: &Found<G>,
    redeals: u32,
) -> anyhow::Result<Capture> {
    let opponent = &field.pool[found.against];
    let cast = Cast {
        setup: &field.setup,
        a,
        b,
        opponent: &opponent.policy,
    };
    let (why_a, why_b) = (ask(a, &found.view)?, ask(b, &found.view)?);
    for (policy, asked, played) in [(a, &why_a, found.a), (b, &why_b, found.b)] {
        let played = G::decision_text(&played);
        if asked.decision != played {
            bail!(
                "{} is not a function of its view: it decided {played}, and {} when asked again, on {}",
                policy.row.name,
                asked.decision,
                G::view_json(&found.view)
            );
        }
    }
    let losses = redealt(&cast, found, redeals).map_err(|e| fail(Exit::Internal, anyhow!(e)))?;
    let estimate = mean_estimate(&losses, 1, 50_000);
    Ok(Capture {
        against: opponent.name.clone(),
        seed: found.at.seed.to_string(),
        arrangement: found.at.arrangement,
        round: found.at.round,
        seat: found.seat.0,
        view: document_value(&G::view_json(&found.view))?,
        unseen: G::unseen_text(&found.view),
        legal: legal::<G>(&found.view),
        a: why_a,
        b: why_b,
        points_a: found.points_a,
        points_b: found.points_b,
        loss: found.loss(),
        redealt_loss_micro: estimate.mean_micro,
        redealt_interval_micro: estimate.interval_micro.map(|(low, high)| [low, high]),
    })
}

/// The paired loss on each of some re-deals of what the seat had not seen.
fn redealt<G: Border>(
    cast: &Cast<'_, G>,
    found: &Found<G>,
    count: u32,
) -> Result<Vec<i64>, String> {
    let mut memos = Memos::new(cast.setup.players);
    let mut losses = Vec::with_capacity(count as usize);
    for sample in 0..count {
        let at = &found.at;
        let mut stream = Stream::keyed(
            "capture-redeal",
            &[
                ("game", &G::NAME),
                ("players", &cast.setup.players),
                ("seed", &at.seed),
                ("round", &at.round),
                ("arrangement", &at.arrangement),
                ("seat", &found.seat),
                ("sample", &sample),
            ],
        );
        let dealt = G::reshuffle(&found.state, found.seat, &mut stream);
        let mut points = |side| -> Result<i64, String> {
            let end = cast.finish(&dealt, &at.sides, (found.seat, side), &mut memos)?;
            Ok(end[found.seat])
        };
        losses.push(points(Side::B)? - points(Side::A)?);
    }
    Ok(losses)
}

/// Which inputs differ at how many positions, most frequent first.
fn inputs<'a>(captures: impl Iterator<Item = &'a Capture>) -> Vec<InputCount> {
    let mut counts: BTreeMap<String, InputCount> = BTreeMap::new();
    for capture in captures {
        let mut largest: BTreeMap<String, Reason> = BTreeMap::new();
        for reason in reasons(&capture.a.candidates, &capture.b.candidates) {
            let known = largest.entry(reason.name.clone());
            known
                .and_modify(|best| {
                    if reason.distance() > best.distance() {
                        best.clone_from(&reason);
                    }
                })
                .or_insert(reason);
        }
        for (name, reason) in largest {
            let count = counts.entry(name.clone()).or_insert_with(|| InputCount {
                name,
                positions: 0,
                largest: reason.clone(),
            });
            count.positions += 1;
            if reason.distance() > count.largest.distance() {
                count.largest = reason;
            }
        }
    }
    let mut counts: Vec<InputCount> = counts.into_values().collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.positions));
    counts
}

/// Reads a fixture.
///
/// # Errors
/// When it cannot be read or is no sound fixture.
pub fn load_fixture(path: &Path) -> anyhow::Result<CapturesDoc> {
    let shown = path.display().to_string();
    let bytes = evenhand_store::read(path)?.with_context(|| format!("{shown} is missing"))?;
    Ok(evenhand_artifact::decode(&shown, &bytes)?)
}

/// Plays every captured position again and lists what is not as it was: one sentence a decision
/// or term table that moved. Empty when play is as captured.
///
/// # Errors
/// When the game no longer reads the positions or knows the policies.
pub fn replay<G: Border>(doc: &CapturesDoc) -> anyhow::Result<Vec<String>> {
    let (a, b): (Policy<G>, Policy<G>) = (doc.a.policy()?, doc.b.policy()?);
    let mut moved = Vec::new();
    for (place, capture) in doc.worst.iter().chain(&doc.best).enumerate() {
        let json = serde_json::to_value(&capture.view)?;
        let view = G::parse_view(&json).with_context(|| format!("position {place}"))?;
        for (policy, before) in [(&a, &capture.a), (&b, &capture.b)] {
            let now = ask(policy, &view)?;
            if now.decision != before.decision {
                moved.push(format!(
                    "position {place}: {} now plays {}, not {}",
                    policy.row.name, now.decision, before.decision
                ));
            } else if now != *before {
                let why = reasons(&before.candidates, &now.candidates);
                let named = why.first().map(|r| format!("{} of {}", r.name, r.decision));
                moved.push(format!(
                    "position {place}: {} plays the same, but {} moved",
                    policy.row.name,
                    named.unwrap_or_else(|| "its stage or candidates".to_owned())
                ));
            }
        }
    }
    Ok(moved)
}
