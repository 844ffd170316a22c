//! From a game's name to its type: with the bot crate, the only place that names games.

use crate::spec::nearest;
use evenhand_contract::{Border, Estimates};

/// A piece of work that is generic over the game.
pub trait Verb {
    /// What it gives.
    type Out;
    /// Does it for one game.
    fn run<G: Estimates + Border>(self) -> Self::Out;
}

/// A name that no game bears.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no game {name:?}{hint}; there are: {}", GAMES.join(", "))]
pub struct UnknownGame {
    /// The name given.
    pub name: String,
    hint: String,
}

macro_rules! games {
    ($($game:ty),*) => {
        /// Names of all games, in the order in which they are listed.
        pub const GAMES: &[&str] = &[$(<$game as evenhand_contract::Game>::NAME),*];

        /// Runs `verb` for the game of this name.
        ///
        /// # Errors
        /// [`UnknownGame`], with the nearest name.
        pub fn dispatch<V: Verb>(name: &str, verb: V) -> Result<V::Out, UnknownGame> {
            $(if name == <$game as evenhand_contract::Game>::NAME {
                return Ok(verb.run::<$game>());
            })*
            let _ = verb;
            Err(unknown(name))
        }
    };
}

games!(
    evenhand_lexio::Lexio,
    evenhand_daifugo::Daifugo,
    evenhand_hoola::Hoola
);

fn unknown(name: &str) -> UnknownGame {
    let hint = match nearest(name, GAMES.iter().copied()) {
        Some(game) => format!(", did you mean {game:?}?"),
        None => String::new(),
    };
    UnknownGame {
        name: name.to_owned(),
        hint,
    }
}
