//! The answer to one view.
//!
//! | field | meaning |
//! |---|---|
//! | `id`, `state_version` | as they came, where they came |
//! | the decision | as the game writes it (`play` in Lexio) |
//! | `stage` | the policy's stage that decided; `forced` when there was no choice |
//! | `fallback` | `null`, or the cause for which `easy` decided |
//! | `work` | work units used |
//!
//! With `--explain` also `plan` (as the game writes it), `legal` (every legal decision) and
//! `candidates` (what the policy weighed: the decision, its facts, `total`, and `terms` before
//! their weights). A line that is no view gets `error` and `line` instead, and so does a view of a
//! table (player count or ruleset) for which the policy has no artifacts: a tuned policy is never
//! replaced by another one for a whole table, only for a decision, and then `fallback` says so.

use crate::envelope;
use evenhand_bot::{Answer, Bots, Limits, Served};
use evenhand_contract::{Candidate, Json, Trace, TraceLevel};
use std::time::{Duration, Instant};

/// How to decide.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The policy's name.
    pub policy: String,
    /// Whether answers say why.
    pub explain: bool,
    /// Work units a decision may use; `None` is the game's own limit.
    pub work_limit: Option<u64>,
    /// Milliseconds a decision may take.
    pub deadline_ms: Option<u64>,
}

/// Answers the views of one game.
pub struct Desk<G: Served> {
    settings: Settings,
    bots: Bots<G>,
    memo: G::Memo,
    trace: Trace<G::Decision, G::Question>,
}

impl<G: Served> Desk<G> {
    /// A desk without views so far.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let level = if settings.explain {
            TraceLevel::Full
        } else {
            TraceLevel::Off
        };
        Self {
            bots: Bots::new(&settings.policy),
            settings,
            memo: G::Memo::default(),
            trace: Trace::new(level),
        }
    }

    /// The answer to a line, without a line end, and whether the line was a view. Lines count
    /// from 1.
    pub fn answer(&mut self, line: &[u8], number: u64) -> (String, bool) {
        let Ok(text) = str::from_utf8(line) else {
            let mut fields = Fields::default();
            fields.error("not UTF-8 text", number);
            return (fields.finish(), false);
        };
        let mut fields = Fields::default();
        for (name, raw) in envelope::marks(text).written() {
            fields.raw(name, raw);
        }
        match self.decide(text, &mut fields) {
            Ok(()) => (fields.finish(), true),
            Err(error) => {
                fields.error(&error, number);
                (fields.finish(), false)
            }
        }
    }

    fn decide(&mut self, text: &str, fields: &mut Fields) -> Result<(), String> {
        if text.trim().is_empty() {
            return Err("an empty line is no view".to_owned());
        }
        let json = envelope::parse(text)?;
        let view = G::parse_view(&json).map_err(|e| e.to_string())?;
        let bot = self.bots.at(&view);
        if let Some(fault) = bot.fault() {
            // Whoever asked for a tuned policy is not to be given another one in silence.
            let simple = G::policies().first().map_or("", |row| row.name);
            return Err(format!("{fault} ({simple:?} plays without any)"));
        }
        let clock = self.settings.deadline_ms.map(Deadline::new);
        let expired = || clock.as_ref().is_some_and(Deadline::passed);
        let limits = Limits {
            work: self.settings.work_limit,
            expired: clock.is_some().then_some(&expired as &dyn Fn() -> bool),
        };
        let answer = bot
            .decide_traced(&view, &limits, &mut self.trace)
            .map_err(|e| e.to_string())?;
        write_answer::<G>(&answer, fields);
        if self.settings.explain {
            fields.json("plan", &G::plan_json(&view, &mut self.memo));
            let mut legal = Vec::new();
            G::legal(&view, &mut self.memo, &mut legal);
            let legal: Vec<Json> = legal
                .iter()
                .map(|decision| G::decision_text(decision).into())
                .collect();
            fields.json("legal", &legal.into());
            let candidates: Vec<String> = self
                .trace
                .candidates
                .iter()
                .map(candidate_text::<G>)
                .collect();
            fields.raw("candidates", &format!("[{}]", candidates.join(",")));
        }
        Ok(())
    }
}

fn write_answer<G: Served>(answer: &Answer<G::Decision>, fields: &mut Fields) {
    for (name, json) in G::answer_json(&answer.decision) {
        fields.json(name, &json);
    }
    fields.json("stage", &answer.stage.into());
    let fallback = answer.fallback.map(|cause| cause.name());
    fields.json("fallback", &fallback.into());
    fields.json("work", &answer.work.into());
}

fn candidate_text<G: Served>(candidate: &Candidate<G::Decision>) -> String {
    let mut fields = Fields::default();
    for (name, json) in G::answer_json(&candidate.decision) {
        fields.json(name, &json);
    }
    for (name, value) in &candidate.facts {
        fields.json(name, &(*value).into());
    }
    fields.json("total", &candidate.total.into());
    let mut terms = Fields::default();
    for (name, value) in &candidate.terms {
        terms.json(name, &(*value).into());
    }
    fields.raw("terms", &terms.finish());
    fields.finish()
}

/// When a decision must be made.
struct Deadline {
    start: Instant,
    allowed: Duration,
}

impl Deadline {
    #[allow(
        clippy::disallowed_methods,
        reason = "a server's deadline is wall time, asked for by --deadline-ms; nothing recorded depends on it"
    )]
    fn new(ms: u64) -> Self {
        Self {
            start: Instant::now(),
            allowed: Duration::from_millis(ms),
        }
    }

    fn passed(&self) -> bool {
        self.start.elapsed() >= self.allowed
    }
}

/// A JSON object as text, its fields in the order in which they are given.
#[derive(Default)]
struct Fields(String);

impl Fields {
    fn raw(&mut self, name: &str, raw: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0.push_str(&Json::from(name).to_string());
        self.0.push(':');
        self.0.push_str(raw);
    }

    fn json(&mut self, name: &str, json: &Json) {
        self.raw(name, &json.to_string());
    }

    fn error(&mut self, error: &str, line: u64) {
        self.json("error", &error.into());
        self.json("line", &line.into());
    }

    fn finish(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('{');
        }
        self.0.push('}');
        self.0
    }
}
