//! The frozen artifacts that are compiled in, by game and table. A game's files lie under
//! `tables/<game>/<n>p/`, or under `tables/<game>/<n>p-<ruleset>/` for another ruleset than the
//! default; whatever is frozen there is listed here (a test compares).

use crate::artifacts::Shelf;

macro_rules! frozen {
    ($game:literal, [$($label:literal),* $(,)?]) => {
        Shelf::new(&[$($crate::artifacts::Frozen {
            label: $label,
            table_file: concat!("tables/", $game, "/", $label, "/safety.json"),
            table: include_str!(concat!("../../../tables/", $game, "/", $label, "/safety.json")),
            weights_file: concat!("tables/", $game, "/", $label, "/weights.json"),
            weights: include_str!(concat!("../../../tables/", $game, "/", $label, "/weights.json")),
        }),*])
    };
}

pub(crate) static LEXIO: Shelf = frozen!("lexio", ["3p", "4p", "5p"]);
pub(crate) static DAIFUGO: Shelf = frozen!("daifugo", ["3p", "4p", "5p", "6p"]);
pub(crate) static HOOLA: Shelf = frozen!("hoola", []);
