//! The frozen artifacts that are compiled in: player counts by game. A game's files lie under
//! `tables/<game>/<n>p/`.

use crate::artifacts::Shelf;

macro_rules! frozen {
    ($game:literal, [$($players:literal),* $(,)?]) => {
        Shelf::new(&[$($crate::artifacts::Frozen {
            players: $players,
            table_file: concat!("tables/", $game, "/", $players, "p/safety.json"),
            table: include_str!(concat!("../../../tables/", $game, "/", $players, "p/safety.json")),
            weights_file: concat!("tables/", $game, "/", $players, "p/weights.json"),
            weights: include_str!(concat!("../../../tables/", $game, "/", $players, "p/weights.json")),
        }),*])
    };
}

pub(crate) static LEXIO: Shelf = frozen!("lexio", [3, 4, 5]);
