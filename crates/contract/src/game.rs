use crate::{BySeat, Json, OutOfWork, Parameter, PolicyRow, Seat, Stream, Work};
use sha2::{Digest, Sha256};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// How many sit at the table and by which switches they play.
#[derive(Debug)]
pub struct Setup<G: Game> {
    /// Player count; one of [`Game::PLAYERS`].
    pub players: u8,
    /// The ruleset.
    pub rules: G::Rules,
}

impl<G: Game> Clone for Setup<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Setup<G> {}

impl<G: Game> Setup<G> {
    /// The table's short name, by which the folder of its artifacts is called: `5p` under the
    /// default ruleset, `5p-pass=hard` under another.
    #[must_use]
    pub fn label(&self) -> String {
        if self.rules == G::Rules::default() {
            format!("{}p", self.players)
        } else {
            format!("{}p-{}", self.players, self.rules)
        }
    }

    /// The table of this short name. `None` for any text that [`Setup::label`] does not give, be
    /// it another way of writing the same ruleset.
    #[must_use]
    pub fn from_label(text: &str) -> Option<Self> {
        let (players, rules) = text.split_once('p')?;
        let players = players.parse().ok()?;
        let rules = match rules.strip_prefix('-') {
            Some(rules) => rules.parse().ok()?,
            None => G::Rules::default(),
        };
        let setup = Self { players, rules };
        let is_one = G::PLAYERS.contains(&players)
            && G::check_setup(&setup).is_ok()
            && setup.label() == text;
        is_one.then_some(setup)
    }
}

impl<G: Game> PartialEq for Setup<G> {
    fn eq(&self, other: &Self) -> bool {
        self.players == other.players && self.rules == other.rules
    }
}

/// A ruleset text that names no ruleset.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("ruleset {text:?}: {reason}")]
pub struct RulesError {
    /// The text given.
    pub text: String,
    /// What is wrong with it, and what is allowed.
    pub reason: String,
}

/// A decision that the rules refuse, with the reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("illegal decision: {0}")]
pub struct Illegal(pub String);

/// A view from outside that does not add up, with the field and the reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct ViewError {
    /// The field at fault.
    pub field: String,
    /// What is wrong with it.
    pub reason: String,
}

/// How free a decision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choices<D> {
    /// Exactly one legal decision; policies are not asked and it is not counted.
    Forced(D),
    /// Two or more legal decisions.
    Free,
}

/// A secondary metric: its value is summed over seat-rounds and shown as a mean per seat-round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricRow {
    /// Name in JSON output, snake case.
    pub name: &'static str,
    /// One line on what it counts, with its unit.
    pub about: &'static str,
}

/// The rules of one game. Everything that measures is generic over this.
///
/// All functions are pure: the same arguments give the same result in every process and on every
/// machine. `Memo` holds caches that are keyed by content, so it may speed an answer up but never
/// change it. A memo belongs to one seat and one policy with its maps and stages; its weights may
/// change from call to call, so what depends on weights is keyed by them or made anew.
pub trait Game: Copy + Debug + Send + Sync + 'static {
    /// Name in commands, specs and artifacts.
    const NAME: &'static str;
    /// Player counts that can be dealt, ascending.
    const PLAYERS: &'static [u8];
    /// Work units that one decision may use in experiments.
    const WORK_LIMIT: u64;
    /// Whether the rounds of a match are independent deals, nothing being carried over: what a
    /// search over a weight may then take apart is the round, else the match.
    const ROUNDS_ARE_INDEPENDENT: bool = false;
    /// Secondary metrics, in the order in which [`Game::metrics`] fills them.
    const METRICS: &'static [MetricRow];

    /// Switches of the ruleset; `Display` gives `default` or the differing `name=value` pairs,
    /// joined by commas in the order of the rules page, and `FromStr` reads that.
    type Rules: Copy
        + Eq
        + Default
        + Debug
        + Display
        + FromStr<Err = RulesError>
        + Send
        + Sync
        + 'static;
    /// Cards as dealt, before anything that play of an earlier round decides.
    type Deal: Clone + Send + Sync;
    /// The whole truth of a round in play.
    type State: Clone + Send + Sync;
    /// What a match carries from one round to the next; the default stands before the first.
    type Carry: Clone + Default + Send + Sync;
    /// What the person in a seat has seen.
    type View: Clone + Send + Sync;
    /// One decision.
    type Decision: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// A question about hidden cards that an estimator answers.
    type Question: Copy + Eq + Debug + Send + Sync + 'static;
    /// Caches keyed by content.
    type Memo: Default + Send;

    /// Whether such a table can be dealt: some switches go with some player counts only. The player
    /// count is one of [`Game::PLAYERS`].
    ///
    /// # Errors
    /// [`RulesError`] naming the switch.
    fn check_setup(_setup: &Setup<Self>) -> Result<(), RulesError> {
        Ok(())
    }
    /// The one table of this game's policies; the first row is the fallback (`easy`).
    fn policies() -> &'static [PolicyRow<Self>];

    /// Deals one round.
    fn deal(setup: &Setup<Self>, stream: &mut Stream) -> Self::Deal;
    /// The round's first state.
    fn start(setup: &Setup<Self>, deal: &Self::Deal, carry: &Self::Carry) -> Self::State;
    /// Who decides next; `None` when the round is over.
    fn to_act(state: &Self::State) -> Option<Seat>;
    /// What `seat` has seen.
    fn view(state: &Self::State, seat: Seat) -> Self::View;
    /// Every legal decision of the seat to act, each once, in a fixed order; `out` is cleared first.
    fn legal(view: &Self::View, memo: &mut Self::Memo, out: &mut Vec<Self::Decision>);
    /// Whether there is a choice at all. Must agree with [`Game::legal`].
    fn choices(view: &Self::View, memo: &mut Self::Memo) -> Choices<Self::Decision> {
        let mut legal = Vec::new();
        Self::legal(view, memo, &mut legal);
        match legal[..] {
            [only] => Choices::Forced(only),
            _ => Choices::Free,
        }
    }
    /// Carries a decision out.
    ///
    /// # Errors
    /// [`Illegal`] with the reason; the state is then unchanged.
    fn apply(state: &mut Self::State, seat: Seat, decision: &Self::Decision)
    -> Result<(), Illegal>;
    /// Points of each seat for a finished round; sums to zero.
    fn settlement(state: &Self::State) -> BySeat<i64>;
    /// What the next round of the match takes over from a finished one.
    fn carry(state: &Self::State) -> Self::Carry;
    /// Adds one seat's figures of a finished round to `sums`, in the order of [`Game::METRICS`].
    fn metrics(state: &Self::State, seat: Seat, sums: &mut [i64]);

    /// The truth of a question that `asker` put. Asked right before the asker's decision is
    /// applied, and after every later move of the round until it is settled; `None` = not yet.
    fn resolve(state: &Self::State, asker: Seat, question: &Self::Question) -> Option<bool>;
    /// The same state with the cards that `seat` has not seen dealt afresh over the places where
    /// they may lie; [`Game::view`] of `seat` is unchanged.
    fn reshuffle(state: &Self::State, seat: Seat, stream: &mut Stream) -> Self::State;
}

/// What a game's maps are fitted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Random re-deals of what the asker has not seen: for questions that the hidden cards alone
    /// answer, where nobody's play says much about them.
    ReDeals,
    /// What came true in play: for questions about what people will do, or about hands that their
    /// play has shaped. Every question that was asked has one truth.
    SelfPlay,
}

/// A game whose policies ask an estimator that a table calibrates.
pub trait Estimates: Game {
    /// The estimator's parameters, which a table holds beside the maps.
    const PARAMETERS: &'static [Parameter] = &[];
    /// What maps and parameters are fitted on.
    const FIT: Fit = Fit::ReDeals;
    /// Kinds of question, one map each in a table, in a fixed order.
    const KINDS: &'static [&'static str];
    /// The kind of a question, an index into [`Estimates::KINDS`].
    fn kind(question: &Self::Question) -> usize;
    /// Whether the raw answer of a kind is exact, so that its map is the identity.
    fn is_exact(kind: usize) -> bool;
    /// The estimator's raw output, on its own whole-number scale (ppm unless the game says
    /// otherwise), for one value each of [`Estimates::PARAMETERS`]. The generator of tables and the
    /// bot call this same function. A memo serves one set of parameters.
    ///
    /// # Errors
    /// [`OutOfWork`] when the budget does not cover it.
    fn raw(
        view: &Self::View,
        question: &Self::Question,
        parameters: &[i64],
        memo: &mut Self::Memo,
        work: &mut Work<'_>,
    ) -> Result<i64, OutOfWork>;
    /// Whether a decision stakes on the answer being yes: a declaration that pays when it is true
    /// and costs when it is not. Beliefs that were staked on are judged on their own as well.
    fn stakes(_question: &Self::Question, _decision: &Self::Decision) -> bool {
        false
    }
    /// A fixed probe set that meets every kind of question and branch of the estimator.
    fn probes(setup: &Setup<Self>) -> Vec<(Self::View, Self::Question)>;
    /// In how many of `samples` random re-deals of what `seat` has not seen the answer is true.
    fn count_true(
        state: &Self::State,
        seat: Seat,
        question: &Self::Question,
        samples: u32,
        stream: &mut Stream,
    ) -> u32 {
        (0..samples)
            .filter(|_| {
                let dealt = Self::reshuffle(state, seat, stream);
                Self::resolve(&dealt, seat, question) == Some(true)
            })
            .count() as u32
    }
    /// SHA-256, as hex text, of the raw output on the probe set, with every parameter at its default
    /// and then each in turn at its lowest and highest value: it changes when the function does.
    fn estimator_fingerprint(setup: &Setup<Self>) -> String {
        let mut hash = Sha256::new();
        hash.update(format!(
            "evenhand/estimator/1\n{}\n{}\n{}\n",
            Self::NAME,
            setup.players,
            setup.rules
        ));
        let defaults = Parameter::defaults(Self::PARAMETERS);
        let mut settings = vec![defaults.clone()];
        for (place, row) in Self::PARAMETERS.iter().enumerate() {
            for end in [row.low, row.high] {
                let mut moved = defaults.clone();
                moved[place] = end;
                settings.push(moved);
            }
        }
        let probes = Self::probes(setup);
        for parameters in &settings {
            let mut memo = Self::Memo::default();
            for (view, question) in &probes {
                let work = &mut Work::units(u64::MAX);
                let raw = Self::raw(view, question, parameters, &mut memo, work);
                hash.update(format!("{} {raw:?}\n", Self::kind(question)));
            }
        }
        hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
    }
}

/// The text that crosses a game's border: views, decisions, transcripts.
pub trait Border: Game {
    /// Reads a view; it must add up (see the game's schema), but need not be reachable in play.
    ///
    /// # Errors
    /// [`ViewError`] naming the field.
    fn parse_view(json: &Json) -> Result<Self::View, ViewError>;
    /// Writes a view as [`Border::parse_view`] reads it.
    fn view_json(view: &Self::View) -> Json;
    /// A decision as text, as in transcripts and answers (`"12D"`, `"pass"`).
    fn decision_text(decision: &Self::Decision) -> String;
    /// Reads what [`Border::decision_text`] writes.
    ///
    /// # Errors
    /// [`ViewError`] naming the token.
    fn parse_decision(text: &str) -> Result<Self::Decision, ViewError>;
    /// A transcript's `deal` field, from the round's first state: what the deal alone decides, so
    /// that it is the same whoever plays.
    fn deal_json(start: &Self::State) -> Json;
    /// Further fields of `deal` that play of this round or an earlier one decided, from the
    /// finished round.
    fn deal_by_play_json(_end: &Self::State) -> Vec<(&'static str, Json)> {
        Vec::new()
    }
    /// A transcript's move; `None` for a decision that leaves none.
    fn move_json(seat: Seat, decision: &Self::Decision) -> Option<Json>;
    /// Whether a transcript of this finished round holds its last move. A move that only met the end
    /// (a draw from an empty deck) may be left out.
    fn writes_last_move(_end: &Self::State) -> bool {
        true
    }
    /// Further fields of a transcript line that the finished round adds.
    fn round_json(_end: &Self::State) -> Vec<(&'static str, Json)> {
        Vec::new()
    }
    /// The cards that the seat of this view has not seen, as text; empty where the game does not
    /// tell.
    fn unseen_text(_view: &Self::View) -> String {
        String::new()
    }
    /// A question as text, for people.
    fn question_text(question: &Self::Question) -> String {
        format!("{question:?}")
    }
    /// The `plan` field of an explained answer.
    fn plan_json(view: &Self::View, memo: &mut Self::Memo) -> Json;
    /// The `play` field(s) of an answer.
    fn answer_json(decision: &Self::Decision) -> Vec<(&'static str, Json)> {
        vec![("play", Json::String(Self::decision_text(decision)))]
    }
}
