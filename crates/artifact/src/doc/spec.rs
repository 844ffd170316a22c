use super::common::{Claim, RunKind, is_ruleset};
use crate::{Digest, Format, MAX_WRITTEN_SEED, SerError, Value, canonical, format, to_value};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// An experiment's spec, as people write it in TOML. An unknown key is an error at every level.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecDoc {
    /// The game.
    pub game: String,
    /// How many sit at the table.
    #[serde(deserialize_with = "whole_u8")]
    pub players: u8,
    /// The ruleset's text.
    #[serde(default = "default_ruleset")]
    pub ruleset: String,
    /// The policy to tune, a row of the game's policy table.
    pub policy: String,
    /// `full`, or `quick` for a rehearsal that can never be frozen.
    pub kind: RunKind,
    /// How the calibration table is made.
    pub calibrate: CalibrateSpec,
    /// How the weights are searched.
    pub tune: TuneSpec,
    /// How the candidate is judged.
    pub validate: ValidateSpec,
    /// What a freeze claims.
    #[serde(default)]
    pub freeze: FreezeSpec,
}

/// `[calibrate]`
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrateSpec {
    /// Seed of the calibration split.
    #[serde(deserialize_with = "whole_u64")]
    pub seed: u64,
    /// Situations taken from play.
    #[serde(deserialize_with = "whole_u32")]
    pub situations: u32,
    /// Random re-deals of each.
    #[serde(deserialize_with = "whole_u32")]
    pub samples: u32,
}

/// `[tune]`
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSpec {
    /// First seed of the tuning split.
    #[serde(deserialize_with = "whole_u64")]
    pub first_seed: u64,
    /// Seeds, counted up from the first.
    #[serde(deserialize_with = "whole_u32")]
    pub seeds: u32,
    /// Rounds a match.
    #[serde(deserialize_with = "whole_u32")]
    pub rounds: u32,
    /// Sweeps over the knob table; the step of a grid search halves with each, and an exact search
    /// ends early when a sweep moves nothing.
    #[serde(deserialize_with = "whole_u32")]
    pub sweeps: u32,
    /// How a knob's values are looked at.
    #[serde(default)]
    pub line_search: LineSearch,
    /// Width of the plateau that an exact search centres on, in thousandths of the knob's unit.
    #[serde(default = "default_plateau", deserialize_with = "whole_u32")]
    pub plateau: u32,
    /// A move is accepted when its paired difference has a t statistic of at least this many
    /// thousandths.
    #[serde(default = "default_accept", deserialize_with = "whole_u32")]
    pub accept_t_milli: u32,
    /// Most points that are evaluated, those of earlier sittings of a resumed run included.
    #[serde(default, deserialize_with = "whole_option_u32")]
    pub max_evaluations: Option<u32>,
    /// The opponents.
    pub pool: Vec<PoolSpec>,
}

/// How `tune` looks at the values of a knob.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineSearch {
    /// The payoff at every value between the knob's bounds, from certified play.
    #[default]
    Exact,
    /// A few values around the current one, by steps that halve with each sweep.
    Grid,
}

/// `[[tune.pool]]`
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolSpec {
    /// A row of the game's policy table, or `incumbent` (the frozen policy).
    pub policy: String,
    /// Its share of the objective, in percent; the shares of a pool add up to 100.
    #[serde(deserialize_with = "whole_u32")]
    pub share: u32,
}

/// `[validate]`
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidateSpec {
    /// Held-out seeds a cell against the simple styles; rehearsal seeds in a quick run.
    #[serde(deserialize_with = "whole_u32")]
    pub seeds: u32,
    /// Match lengths, one cell each.
    #[serde(deserialize_with = "whole_list")]
    pub rounds: Vec<u32>,
    /// Seeds a cell head to head against the incumbent.
    #[serde(deserialize_with = "whole_u32")]
    pub head_to_head: u32,
    /// First rehearsal seed of a quick run, which must not meet the tuning seeds. Absent in a full
    /// run, whose held-out seeds are minted from the candidate's digest.
    #[serde(default, deserialize_with = "whole_option")]
    pub first_seed: Option<u64>,
}

/// `[freeze]`
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FreezeSpec {
    /// `gain` (superior to the incumbent) or `no-loss` (not worse than the last released artifact,
    /// for a mended estimator or rule). Without an incumbent the claim is `first` whatever it says.
    #[serde(default)]
    pub claim: Option<Claim>,
}

/// A rule that a spec breaks: the key and the reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{key}: {reason}")]
pub struct SpecProblem {
    /// The key with its path, such as `tune.pool[1].share`.
    pub key: String,
    /// What is wrong with it.
    pub reason: String,
}

// The upper ends are far above any use, and low enough that a block ends soon when it is asked to
// and that memory holds what is planned.

/// Most seeds of one evaluation, cell or measurement.
pub const MOST_SEEDS: u32 = 1_000_000;

/// Most rounds of a match.
pub const MOST_ROUNDS: u32 = 1_000;

/// Most situations of a calibration table or an audit.
pub const MOST_SITUATIONS: u32 = 1_000_000;

/// Most re-deals of one situation.
pub const MOST_SAMPLES: u32 = 100_000;

const fn default_plateau() -> u32 {
    200
}

const fn default_accept() -> u32 {
    1_000
}

fn default_ruleset() -> String {
    "default".to_owned()
}

impl SpecDoc {
    /// Every setting with its value, as a document value: comments, order and layout of the file
    /// are not in it.
    ///
    /// # Errors
    /// A number that no document can hold.
    pub fn meaning(&self) -> Result<Value, SerError> {
        let Value::Object(mut fields) = to_value(self)? else {
            return Err(SerError("a spec is an object".to_owned()));
        };
        fields.insert("format".to_owned(), format::SPEC.to_string().into());
        Ok(Value::Object(fields))
    }

    /// The digest of the meaning.
    ///
    /// # Errors
    /// As [`SpecDoc::meaning`].
    pub fn meaning_digest(&self) -> Result<Digest, SerError> {
        Ok(Digest::of(canonical::to_text(&self.meaning()?).as_bytes()))
    }

    /// The format of the meaning.
    pub const FORMAT: Format = format::SPEC;

    /// Every rule that the spec breaks, in the order of its keys. What only a game knows (policy
    /// names, player counts, rulesets) is checked where the game is known.
    #[must_use]
    pub fn problems(&self) -> Vec<SpecProblem> {
        let mut found = Vec::new();
        let mut when = |broken: bool, key: &str, reason: String| {
            if broken {
                found.push(SpecProblem {
                    key: key.to_owned(),
                    reason,
                });
            }
        };
        when(self.game.is_empty(), "game", "must name a game".to_owned());
        when(
            self.policy.is_empty(),
            "policy",
            "must name a policy".to_owned(),
        );
        when(
            !(2..=9).contains(&self.players),
            "players",
            format!("{} players cannot sit at a table", self.players),
        );
        when(
            !is_ruleset(&self.ruleset),
            "ruleset",
            format!(
                "{:?} is neither `default` nor name=value pairs",
                self.ruleset
            ),
        );
        when(
            self.calibrate.seed > MAX_WRITTEN_SEED,
            "calibrate.seed",
            too_large(self.calibrate.seed),
        );
        let tune = &self.tune;
        let validate = &self.validate;
        for (key, count, most) in [
            (
                "calibrate.situations",
                self.calibrate.situations,
                MOST_SITUATIONS,
            ),
            ("calibrate.samples", self.calibrate.samples, MOST_SAMPLES),
            ("tune.seeds", tune.seeds, MOST_SEEDS),
            ("tune.rounds", tune.rounds, MOST_ROUNDS),
            ("tune.sweeps", tune.sweeps, 100),
            ("tune.plateau", tune.plateau, 1_000_000),
            ("validate.seeds", validate.seeds, MOST_SEEDS),
            ("validate.head_to_head", validate.head_to_head, MOST_SEEDS),
        ] {
            when(
                count == 0 || count > most,
                key,
                format!("{count} is out of range: 1 to {most}"),
            );
        }
        when(
            tune.seeds == 1,
            "tune.seeds",
            "one seed shows nothing; take 2 or more".to_owned(),
        );
        when(
            tune.max_evaluations == Some(0),
            "tune.max_evaluations",
            "must be 1 or more".to_owned(),
        );
        let tuning = seed_range("tune.first_seed", tune.first_seed, tune.seeds, &mut when);
        when(
            tune.pool.is_empty(),
            "tune.pool",
            "must list an opponent".to_owned(),
        );
        let mut total = 0_u64;
        for (i, row) in tune.pool.iter().enumerate() {
            let key = format!("tune.pool[{i}]");
            total += u64::from(row.share);
            when(
                row.share == 0,
                &format!("{key}.share"),
                "must be 1 or more".to_owned(),
            );
            when(
                row.policy.is_empty(),
                &format!("{key}.policy"),
                "must name a policy".to_owned(),
            );
            when(
                tune.pool[..i].iter().any(|r| r.policy == row.policy),
                &format!("{key}.policy"),
                format!("{} stands twice in the pool", row.policy),
            );
        }
        when(
            !tune.pool.is_empty() && total != 100,
            "tune.pool",
            format!("the shares add up to {total}, not to 100"),
        );
        when(
            validate.rounds.is_empty(),
            "validate.rounds",
            "must list a match length: there is no cell".to_owned(),
        );
        for (i, rounds) in validate.rounds.iter().enumerate() {
            let key = format!("validate.rounds[{i}]");
            when(
                *rounds == 0 || *rounds > MOST_ROUNDS,
                &key,
                format!("{rounds} is out of range: 1 to {MOST_ROUNDS}"),
            );
            when(
                validate.rounds[..i].contains(rounds),
                &key,
                format!("the cell of {rounds} rounds stands twice"),
            );
        }
        match (self.kind, validate.first_seed) {
            (RunKind::Full, Some(_)) => when(
                true,
                "validate.first_seed",
                "a full run mints its held-out seeds from the candidate; leave it out".to_owned(),
            ),
            (RunKind::Quick, Some(first)) => {
                let most = validate.seeds.max(validate.head_to_head);
                let range = seed_range("validate.first_seed", first, most, &mut when);
                if let (Some(a), Some(b)) = (tuning, range) {
                    when(
                        a.0 <= b.1 && b.0 <= a.1,
                        "validate.first_seed",
                        format!(
                            "seeds {} to {} overlap the tuning seeds {} to {}",
                            b.0, b.1, a.0, a.1
                        ),
                    );
                }
            }
            (_, None) => {}
        }
        when(
            self.freeze.claim == Some(Claim::First),
            "freeze.claim",
            "`first` follows from there being no incumbent; say `gain` or `no-loss`".to_owned(),
        );
        found
    }
}

fn too_large(seed: u64) -> String {
    format!(
        "{seed} is out of range: seeds are whole numbers from 0 to {MAX_WRITTEN_SEED} (2^53 - 1)"
    )
}

/// First and last seed of a range, when it is one.
fn seed_range(
    key: &str,
    first: u64,
    count: u32,
    when: &mut impl FnMut(bool, &str, String),
) -> Option<(u64, u64)> {
    if count == 0 {
        return None;
    }
    let last = first.checked_add(u64::from(count) - 1);
    let within = last.filter(|last| *last <= MAX_WRITTEN_SEED);
    when(
        within.is_none(),
        key,
        if first > MAX_WRITTEN_SEED {
            too_large(first)
        } else {
            format!("{count} seeds from {first} on pass {MAX_WRITTEN_SEED} (2^53 - 1)")
        },
    );
    within.map(|last| (first, last))
}

/// Takes whole numbers up to a limit and says what the range is when one is beyond it.
struct Whole(u64);

impl Visitor<'_> for Whole {
    type Value = u64;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from 0 to {}", self.0)
    }
    fn visit_u64<E: de::Error>(self, n: u64) -> Result<u64, E> {
        if n > self.0 {
            return Err(E::custom(format!(
                "{n} is out of range: expected a whole number from 0 to {}",
                self.0
            )));
        }
        Ok(n)
    }
    fn visit_i64<E: de::Error>(self, n: i64) -> Result<u64, E> {
        match u64::try_from(n) {
            Ok(n) => self.visit_u64(n),
            Err(_) => Err(E::custom(format!(
                "{n} is out of range: expected a whole number from 0 to {}",
                self.0
            ))),
        }
    }
}

fn whole_u64<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    from.deserialize_u64(Whole(MAX_WRITTEN_SEED))
}

fn whole_u32<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let n = from.deserialize_u64(Whole(u32::MAX.into()))?;
    u32::try_from(n).map_err(de::Error::custom)
}

fn whole_u8<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let n = from.deserialize_u64(Whole(u8::MAX.into()))?;
    u8::try_from(n).map_err(de::Error::custom)
}

#[derive(Deserialize)]
struct OneU32(#[serde(deserialize_with = "whole_u32")] u32);

fn whole_list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
    Ok(Vec::<OneU32>::deserialize(from)?
        .into_iter()
        .map(|n| n.0)
        .collect())
}

fn whole_option_u32<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    Ok(Option::<OneU32>::deserialize(from)?.map(|n| n.0))
}

#[derive(Deserialize)]
struct OneU64(#[serde(deserialize_with = "whole_u64")] u64);

fn whole_option<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    Ok(Option::<OneU64>::deserialize(from)?.map(|n| n.0))
}
