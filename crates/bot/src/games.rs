//! The games by name. With the commands' dispatch, the only place that names them.

use crate::artifacts::Shelf;
use crate::frozen;
use evenhand_contract::{Border, Estimates, Game, Purpose, Setup};
use evenhand_daifugo::Daifugo;
use evenhand_hoola::Hoola;
use evenhand_lexio::Lexio;

/// A game that is served.
pub trait Served: Estimates + Border {
    /// The table at which a view was seen.
    fn setup_of(view: &Self::View) -> Setup<Self>;
    /// The frozen artifacts that are compiled in.
    fn shelf() -> &'static Shelf;
}

impl Served for Lexio {
    fn setup_of(view: &Self::View) -> Setup<Self> {
        Setup {
            players: view.players,
            rules: view.rules,
        }
    }

    fn shelf() -> &'static Shelf {
        &frozen::LEXIO
    }
}

impl Served for Daifugo {
    fn setup_of(view: &Self::View) -> Setup<Self> {
        Setup {
            players: view.players,
            rules: view.rules,
        }
    }

    fn shelf() -> &'static Shelf {
        &frozen::DAIFUGO
    }
}

impl Served for Hoola {
    fn setup_of(view: &Self::View) -> Setup<Self> {
        Setup {
            players: view.players,
            rules: view.rules,
        }
    }

    fn shelf() -> &'static Shelf {
        &frozen::HOOLA
    }
}

/// A piece of work that is generic over the game.
pub trait Verb {
    /// What it gives.
    type Out;
    /// Does it for one game.
    fn run<G: Served>(self) -> Self::Out;
}

/// A policy as servers see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The game.
    pub game: &'static str,
    /// The policy's name.
    pub policy: &'static str,
    /// One line on how it plays.
    pub about: &'static str,
}

macro_rules! games {
    ($($game:ty),*) => {
        /// Names of all games, in the order in which they are listed.
        pub const GAMES: &[&str] = &[$(<$game as Game>::NAME),*];

        /// Runs `verb` for the game of this name; `None` when there is no such game.
        pub fn dispatch<V: Verb>(name: &str, verb: V) -> Option<V::Out> {
            $(if name == <$game as Game>::NAME {
                return Some(verb.run::<$game>());
            })*
            let _ = verb;
            None
        }

        /// Every policy that is served: by game, each in the order of its table.
        #[must_use]
        pub fn policies() -> Vec<Listed> {
            let mut all = Vec::new();
            $(all.extend(listed::<$game>());)*
            all
        }
    };
}

games!(Lexio, Daifugo, Hoola);

fn listed<G: Game>() -> impl Iterator<Item = Listed> {
    let played = G::policies()
        .iter()
        .filter(|row| row.purpose == Purpose::Play);
    played.map(|row| Listed {
        game: G::NAME,
        policy: row.name,
        about: row.about,
    })
}

#[cfg(test)]
mod toy {
    use super::{Served, Shelf};
    use evenhand_contract::Setup;
    use evenhand_testkit::Toy;

    static NOTHING: Shelf = Shelf::new(&[]);

    impl Served for Toy {
        fn setup_of(view: &Self::View) -> Setup<Self> {
            Setup {
                players: view.players,
                rules: view.rules,
            }
        }

        fn shelf() -> &'static Shelf {
            &NOTHING
        }
    }
}
