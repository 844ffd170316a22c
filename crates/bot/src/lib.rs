//! What a server embeds: one call, a view in, a decision out - always legal, within its budget.
//!
//! The games' policy tables are joined here, and the frozen tables and weights are compiled in. At
//! first use they are verified (checksum, game, players, ruleset, estimator fingerprint, the table
//! that the weights stand on); what does not fit is a typed [`LoadError`].
//!
//! ```
//! use evenhand_bot::{Bots, Limits};
//! use evenhand_contract::Border;
//! use evenhand_lexio::Lexio;
//!
//! let view = serde_json::json!({
//!     "players": 3, "seat": 0, "hand": "4C 4D 2S", "counts": [3, 11, 12], "field": "3C",
//!     "field_owner": 2, "passes": 0,
//!     "played": "3C 3H 3D 5C 5H 5D 5S 6C 6H 6D",
//! });
//! let view = Lexio::parse_view(&view).expect("adds up");
//! let mut bots = Bots::<Lexio>::new("easy");
//! let answer = bots.decide(&view, &Limits::default()).expect("there is a legal play");
//! assert_eq!(Lexio::decision_text(&answer.decision), "4C");
//! ```
//!
//! There is no clock, thread or file in here: a deadline is a function that the caller passes.
//! Whatever goes wrong, the fallback policy (`easy`) decides that one decision, and the hook and
//! [`Tally`] count the cause:
//!
//! | cause | when |
//! |---|---|
//! | `unknown_policy` | no policy of that name is served |
//! | `policy_error` | an error, a panic, an illegal decision, or no artifact fits the view's table |
//! | `out_of_work` | the budget of work units ran out |
//! | `deadline` | the caller's `expired()` answered true |
#![deny(clippy::float_arithmetic)]

mod artifacts;
mod bots;
mod frozen;
mod games;

pub use artifacts::{Frozen, LoadError, Shelf, load};
pub use bots::{Answer, Bot, Bots, Fallback, Hook, Limits, NoDecision, Tally};
pub use games::{GAMES, Listed, Served, Verb, dispatch, policies};
