//! The one table of hard's tunables.

use evenhand_contract::{Knob, Milli};

/// Declares the knobs: a place (constant) and a row each, in table order.
macro_rules! knobs {
    ($($place:ident $name:literal $default:literal, $low:literal ..= $high:literal step $step:literal, $about:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy)]
        enum Place { $($place),* }
        $(pub(super) const $place: usize = Place::$place as usize;)*
        /// The rows, in table order.
        pub(crate) const KNOBS: &[Knob] = &[$(Knob {
            name: $name,
            about: $about,
            default: $default,
            low: $low,
            high: $high,
            step: $step,
        }),*];
    };
}

knobs! {
    PLAN_GAIN "PlanGain" 1000, -4000..=16000 step 400, "milli-plays by which the priced plan gets shorter";
    TILES_SHED "TilesShed" 4000, -4000..=8000 step 200, "tiles that leave the hand";
    ORPHAN_SHED "OrphanShed" 0, -4000..=4000 step 200, "orphans fewer in the cheapest plan";
    LEAD_RETENTION "LeadRetention" -1500, -4000..=4000 step 200, "chance that nobody can beat it";
    ENDGAME_BLOCK "EndgameBlock" 2000, -4000..=8000 step 200, "that chance times how nearly the emptiest opponent is done";
    STRONG_TILE_COST "StrongTileCost" 0, -4000..=4000 step 200, "share of its tiles that nothing unseen beats as singles";
    TWO_DISPOSAL "TwoDisposal" -3000, -4000..=4000 step 200, "twos that leave the hand";
    LEFTOVER_RISK "LeftoverRisk" 900, -4000..=8000 step 200, "effective count shed, times how soon the round may end";
    FOLLOW_ROOM "FollowRoom" 0, -4000..=4000 step 200, "change of how much of what others may open the rest can answer";
    HOLD "Hold" -150, -4000..=4000 step 200, "constant of a pass";
    LEAD_USE "LeadUse" 200, -4000..=4000 step 200, "chance that nobody can beat it times the pieces left that need a lead";
    EXPOSURE "Exposure" -150, -8000..=4000 step 200, "chance that an opponent goes out on it";
    NEEDS_LEAD "NeedsLead" 450, 0..=3000 step 200, "price of a piece that can follow nothing, beyond its play";
    NARROW "Narrow" 500, 0..=3000 step 200, "price of a single with no room to follow, falling to 0 with full room";
    NARROW_GROUP "NarrowGroup" 500, 0..=3000 step 200, "the same for pairs and triples";
    NARROW_FIVE "NarrowFive" 500, 0..=3000 step 200, "the same for five-tile melds";
    CONTROL "Control" 300, 0..=3000 step 200, "discount of a piece that hardly anything beats";
}

/// How many of them weigh a term; the rest price pieces.
pub(super) const TERMS: usize = 12;

/// A knob by its place in the table.
#[inline]
pub(super) fn value(weights: &[Milli], place: usize) -> Milli {
    weights.get(place).copied().unwrap_or(KNOBS[place].default)
}
