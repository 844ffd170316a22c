//! A difference as a page for people.

use crate::compare::{Change, Difference, RunChange};
use crate::play::{CellFacts, Pair, PlayChange, SHOWN};
use crate::tables::TableChange;
use evenhand_artifact::Verdict;
use evenhand_report::{Block, Page, estimate_text, grouped, milli, position, share, verdict_text};

/// Decisions listed one by one; the rest is counted (all of them stand in the JSON).
const LISTED: usize = 20;
/// Hex digits of a digest that people are shown.
const SHORT: usize = 12;

/// The one line that says that nothing changed.
pub(crate) fn no_change(d: &Difference) -> String {
    format!(
        "no change: {} and {} hold the same {} artifacts and the records of {} experiments",
        d.base, d.head, d.artifacts[1], d.experiments[1]
    )
}

/// The page.
#[must_use]
pub fn render(d: &Difference) -> Page {
    let mut page = Page {
        title: format!("{} against {}", d.head, d.base),
        verdict: d.verdict,
        headline: headline(d),
        blocks: Vec::new(),
    };
    if !d.changed {
        page.headline = no_change(d);
        return page;
    }
    if !d.findings.is_empty() {
        page.blocks.push(heading("What the records say"));
        let rows = d.findings.iter().map(|f| {
            vec![
                f.what.clone(),
                f.claim.clone(),
                verdict_text(f.verdict),
                f.reason.clone(),
            ]
        });
        page.blocks.push(Block::Table {
            head: &["of", "claim", "verdict", "why"],
            rows: rows.collect(),
        });
    }
    for play in d.weights.iter().chain(&d.records) {
        page.blocks.extend(play_blocks(play));
    }
    for table in &d.tables {
        page.blocks.extend(table_blocks(table));
    }
    if !d.runs.is_empty() {
        page.blocks.push(heading("Experiments on record"));
        page.blocks.push(Block::Table {
            head: &["experiment", "records", "base said", "head says", "frozen"],
            rows: d.runs.iter().map(run_row).collect(),
        });
    }
    let lines = &d.ledger_lines;
    if lines.base != lines.head {
        page.blocks.push(heading("Ledger"));
        let count =
            |n: Option<usize>| n.map_or_else(|| "no ledger".to_owned(), |n| format!("{n} lines"));
        page.blocks.push(Block::Text(format!(
            "{} in the base, {} in the head.",
            count(lines.base),
            count(lines.head)
        )));
    }
    page
}

fn heading(text: &str) -> Block {
    Block::Heading(text.to_owned())
}

fn headline(d: &Difference) -> String {
    let mut parts: Vec<String> = Vec::new();
    for play in d.weights.iter().chain(&d.records) {
        let moved = play.knobs.iter().filter(|k| k.moved()).count();
        let decisions = play.decisions.as_ref().map(|s| {
            format!(
                ", {} of {} decisions of the suite differ",
                s.changes.len(),
                s.compared
            )
        });
        parts.push(format!(
            "{} {} ({moved} of {} knobs{})",
            play.what,
            play.change.name(),
            play.knobs.len(),
            decisions.unwrap_or_default()
        ));
    }
    for table in &d.tables {
        let largest = table
            .largest()
            .map(|l| format!(", by {:+} ppm at most", l.0));
        parts.push(format!(
            "{} {} ({} of {} cells moved{})",
            table.table,
            table.change.name(),
            table.moved().count(),
            table.kinds.len(),
            largest.unwrap_or_default()
        ));
    }
    if parts.is_empty() {
        parts.push("no weights and no tables changed, records did".to_owned());
    }
    let mut open: Vec<&str> = d
        .findings
        .iter()
        .filter(|f| f.verdict != Verdict::Holds)
        .map(|f| f.claim.as_str())
        .collect();
    open.sort_unstable();
    open.dedup();
    let end = if open.is_empty() {
        String::new()
    } else {
        format!(". Not on record as holding: {}", open.join("; "))
    };
    format!("{}{end}.", parts.join("; "))
}

fn run_row(run: &RunChange) -> Vec<String> {
    let verdict = |v: Option<Verdict>| v.map_or_else(|| "-".to_owned(), verdict_text);
    vec![
        run.experiment.clone(),
        run.change.name().to_owned(),
        verdict(run.verdict.base),
        verdict(run.verdict.head),
        (if run.frozen { "yes" } else { "no" }).to_owned(),
    ]
}

/// A digest's first digits.
fn short(digest: &str) -> String {
    digest.chars().take(SHORT).collect()
}

/// A fact of both sides as a row: name, base, head, and whether they are alike.
fn fact(name: &str, pair: &Pair<String>) -> Vec<String> {
    let text = |side: &Option<String>| side.clone().unwrap_or_else(|| "-".to_owned());
    let alike = match (&pair.base, &pair.head) {
        (Some(base), Some(head)) if base == head => "same",
        (Some(_), Some(_)) => "CHANGED",
        _ => "",
    };
    vec![
        name.to_owned(),
        text(&pair.base),
        text(&pair.head),
        alike.to_owned(),
    ]
}

fn map<T>(pair: &Pair<T>, f: impl Fn(&T) -> String) -> Pair<String> {
    Pair {
        base: pair.base.as_ref().map(&f),
        head: pair.head.as_ref().map(&f),
    }
}

/// Each side's incumbent; the head's is named where it is the base.
fn incumbents(play: &PlayChange) -> Pair<String> {
    let base = play.checksum.base.as_ref();
    map(&play.parents, |p| match &p.incumbent {
        None => "none".to_owned(),
        Some(i) if Some(i) == base => format!("{} (the base)", short(i)),
        Some(i) => short(i),
    })
}

/// Each side's attempt since the game's last freeze and the level that it was judged at.
fn attempts(play: &PlayChange) -> Pair<String> {
    let text = |attempt: Option<u32>, alpha: Option<i64>| match (attempt?, alpha?) {
        (0, _) => Some("rehearsal, on no record".to_owned()),
        (n, alpha) => Some(format!("{n}, at a level of {} %", milli(alpha / 10_000))),
    };
    Pair {
        base: text(play.attempt.base, play.alpha_ppb.base),
        head: text(play.attempt.head, play.alpha_ppb.head),
    }
}

const FACTS: &[&str] = &["", "base", "head", ""];

fn play_blocks(play: &PlayChange) -> Vec<Block> {
    let mut facts = vec![
        fact("file", &play.file),
        fact("checksum", &map(&play.checksum, |d| short(d))),
        fact("for", &play.domain),
        fact("behaviour", &map(&play.behaviour, |d| short(d))),
        fact("generation", &map(&play.generation, u32::to_string)),
        fact("experiment", &play.experiment),
        fact(
            "claim",
            &map(&play.claim, |c| format!("{c:?}").to_lowercase()),
        ),
        fact("candidate", &map(&play.candidate, |d| short(d))),
        fact(
            "stands on tables",
            &map(&play.parents, |p| {
                p.tables
                    .iter()
                    .map(|t| short(t))
                    .collect::<Vec<_>>()
                    .join(", ")
            }),
        ),
        fact("its incumbent", &incumbents(play)),
        fact("ledger line", &map(&play.ledger, |d| short(d))),
        fact("attempt", &attempts(play)),
        fact("the run: matches", &map(&play.cost, |c| grouped(c.matches))),
        fact("rounds", &map(&play.cost, |c| grouped(c.rounds))),
        fact("decisions", &map(&play.cost, |c| grouped(c.decisions))),
        fact("work units", &map(&play.cost, |c| grouped(c.work))),
    ];
    facts.retain(|row| row[1] != "-" || row[2] != "-");
    let mut out = vec![
        Block::Heading(format!("{}: {}", play.what, play.change.name())),
        Block::Table {
            head: FACTS,
            rows: facts,
        },
    ];
    out.extend(knob_blocks(play));
    if !play.cells.is_empty() {
        out.push(Block::Text(
            "Results by cell, points a round; each side's on its own held-out seeds, so the columns are unpaired."
                .to_owned(),
        ));
        out.push(Block::Table {
            head: &[
                "against",
                "#rounds",
                "base",
                "",
                "head",
                "",
                "#seeds",
                "#fallbacks",
            ],
            rows: play
                .cells
                .iter()
                .map(|c| cell_row(&c.against, c.rounds, &c.result))
                .collect(),
        });
    }
    out.extend(decision_blocks(play));
    out.extend(play.remarks.iter().map(|r| Block::Text(sentence(r))));
    let shown = [&play.best, &play.worst].map(|list| list.iter().map(position).collect::<Vec<_>>());
    let [best, worst] = shown;
    if !best.is_empty() {
        out.push(Block::Text(format!(
            "In the head's run {} positions were played differently from its incumbent. The best for the head, by what \
             the round then brought:",
            grouped(play.positions_found)
        )));
        out.push(Block::Positions(best));
    }
    if !worst.is_empty() {
        out.push(Block::Text(
            "The worst for the head, worst first:".to_owned(),
        ));
        out.push(Block::Positions(worst));
    }
    if !play.suite.is_empty() {
        out.push(Block::Text(format!(
            "Positions of the fixed suite that the head and its incumbent play differently, the first {SHOWN} at most:"
        )));
        out.push(Block::Positions(play.suite.iter().map(position).collect()));
    }
    out
}

/// A remark as a sentence.
fn sentence(remark: &str) -> String {
    let mut chars = remark.chars();
    let first = chars
        .next()
        .map(|c| c.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

fn knob_blocks(play: &PlayChange) -> Vec<Block> {
    let listed = play
        .knobs
        .iter()
        .filter(|k| k.moved() || !k.flags.is_empty());
    let rows: Vec<Vec<String>> = listed
        .map(|k| {
            let text = |v: Option<i64>| v.map_or_else(|| "-".to_owned(), milli);
            let moved = k
                .value
                .base
                .zip(k.value.head)
                .map(|(old, new)| new.saturating_sub(old));
            let steps = moved
                .zip(k.step)
                .filter(|(moved, step)| *step > 0 && *moved != 0)
                .map(|(moved, step)| {
                    let steps = i128::from(moved) * 1_000 / i128::from(step);
                    let sign = if moved > 0 { "+" } else { "" };
                    format!("{sign}{}", milli(steps as i64))
                });
            let change = match moved {
                None => "-".to_owned(),
                Some(0) => "=".to_owned(),
                Some(m) if m > 0 => format!("+{}", milli(m)),
                Some(m) => milli(m),
            };
            vec![
                k.name.clone(),
                text(k.value.base),
                text(k.value.head),
                change,
                steps.unwrap_or_default(),
                k.flags.join(", "),
            ]
        })
        .collect();
    let same = play.knobs.len() - play.knobs.iter().filter(|k| k.moved()).count();
    let mut out = Vec::new();
    if !rows.is_empty() {
        out.push(Block::Table {
            head: &[
                "knob",
                "#base",
                "#head",
                "#change",
                "#first steps",
                "noticed",
            ],
            rows,
        });
    }
    if same > 0 {
        out.push(Block::Text(format!(
            "{same} of {} knobs kept their value.",
            play.knobs.len()
        )));
    }
    out
}

fn cell_row(against: &str, rounds: u32, cell: &Pair<CellFacts>) -> Vec<String> {
    let estimate = |c: &Option<CellFacts>| {
        c.as_ref()
            .map_or_else(|| "-".to_owned(), |c| estimate_text(&c.estimate))
    };
    let verdict = |c: &Option<CellFacts>| {
        c.as_ref()
            .map_or_else(String::new, |c| verdict_text(c.verdict))
    };
    let head = cell.head.as_ref();
    let fallbacks = head
        .and_then(|c| c.fallbacks)
        .map(|f| share(f.total(), f.decisions));
    vec![
        against.to_owned(),
        rounds.to_string(),
        estimate(&cell.base),
        verdict(&cell.base),
        estimate(&cell.head),
        verdict(&cell.head),
        head.map_or_else(String::new, |c| grouped(c.estimate.seeds)),
        fallbacks.unwrap_or_else(|| "-".to_owned()),
    ]
}

fn decision_blocks(play: &PlayChange) -> Vec<Block> {
    let Some(decisions) = &play.decisions else {
        return Vec::new();
    };
    let (n, all) = (decisions.changes.len(), decisions.compared);
    let mut out = vec![Block::Text(format!(
        "On the fixed suite {} positions are played differently; both sides' decisions are on record.",
        share(n as u64, all as u64)
    ))];
    if n > 0 {
        let rows = decisions.changes.iter().take(LISTED);
        out.push(Block::Table {
            head: &["#position", "base plays", "head plays"],
            rows: rows
                .map(|c| vec![c.index.to_string(), c.base.clone(), c.head.clone()])
                .collect(),
        });
    }
    if n > LISTED {
        out.push(Block::Text(format!("And {} more.", n - LISTED)));
    }
    out
}

fn table_blocks(table: &TableChange) -> Vec<Block> {
    let mut facts = vec![
        fact("file", &table.file),
        fact("checksum", &map(&table.checksum, |d| short(d))),
        fact("for", &table.domain),
        fact("estimator", &map(&table.estimator, |d| short(d))),
        fact("made with", &table.made_with),
        fact("situations from the play of", &table.input),
    ];
    facts.retain(|row| row[1] != "-" || row[2] != "-");
    let estimator = match (&table.estimator.base, &table.estimator.head) {
        (Some(base), Some(head)) if base == head => "The estimator is the same.",
        (Some(_), Some(_)) => {
            "The estimator CHANGED, so the same raw value no longer means the same."
        }
        _ => "There is no table to compare it with.",
    };
    let count = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), grouped);
    let points = |n: Option<usize>| match n {
        None => "-".to_owned(),
        Some(0) => "identity".to_owned(),
        Some(n) => n.to_string(),
    };
    let rows = table.kinds.iter().map(|k| {
        vec![
            k.kind.clone(),
            (if k.change == Change::Changed {
                "moved"
            } else {
                k.change.name()
            })
            .to_owned(),
            k.largest_ppm
                .map_or_else(|| "-".to_owned(), |p| format!("{p:+}")),
            k.at_raw
                .filter(|_| k.largest_ppm != Some(0))
                .map_or_else(String::new, |r| r.to_string()),
            points(k.points.base),
            points(k.points.head),
            count(k.situations.base),
            count(k.situations.head),
        ]
    });
    let largest =
        table
            .largest()
            .filter(|l| l.0 != 0)
            .map_or_else(String::new, |(ppm, raw, kind)| {
                format!(" The largest move is {ppm:+} ppm, of {kind} at the raw value {raw}.")
            });
    vec![
        Block::Heading(format!("Table of {}: {}", table.table, table.change.name())),
        Block::Table {
            head: FACTS,
            rows: facts,
        },
        Block::Text(format!(
            "{estimator} {} of {} cells moved.{largest}",
            table.moved().count(),
            table.kinds.len()
        )),
        Block::Table {
            head: &[
                "kind",
                "map",
                "#largest move, ppm",
                "#at raw",
                "#points, base",
                "#head",
                "#situations, base",
                "#head",
            ],
            rows: rows.collect(),
        },
    ]
}
