//! The one table of hard's tunables. Terms come first, in the order in which they are traced;
//! the knobs after them price the pieces of a plan.

use evenhand_contract::Knob;

/// Declares the knobs: a row and its place each, in table order.
macro_rules! knobs {
    ($($place:ident $name:literal $default:literal, $low:literal ..= $high:literal step $step:literal, $about:literal;)*) => {
        enum Place { $($place),* }
        $(
            #[allow(non_upper_case_globals)]
            #[doc = $about]
            pub(super) const $place: usize = Place::$place as usize;
        )*
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
    PlanGain "PlanGain" 1600, -4000..=8000 step 400, "plays by which the priced plan gets shorter";
    TilesShed "TilesShed" 2400, -4000..=8000 step 400, "tiles that leave the hand";
    OrphanShed "OrphanShed" 0, -4000..=4000 step 200, "orphans fewer in the cheapest plan";
    LeadRetention "LeadRetention" -200, -4000..=4000 step 200, "chance that nobody can beat it";
    EndgameBlock "EndgameBlock" 2600, -4000..=8000 step 400, "that chance, over the tiles of the emptiest opponent";
    StrongTileCost "StrongTileCost" -500, -4000..=4000 step 200, "share of its tiles that nothing unseen beats as singles, negated";
    TwoDisposal "TwoDisposal" -2400, -8000..=4000 step 400, "twos that leave the hand";
    LeftoverRisk "LeftoverRisk" 900, -4000..=8000 step 200, "effective count shed, over the tiles of the emptiest opponent";
    FollowRoom "FollowRoom" 766, -4000..=4000 step 200, "change of the share of opened singles that the rest can answer";
    FollowGroup "FollowGroup" 233, -4000..=4000 step 200, "the same for pairs and triples";
    Hold "Hold" -550, -4000..=4000 step 200, "constant of a pass";
    LeadUse "LeadUse" 100, -4000..=4000 step 200, "chance that nobody can beat it, times the pieces left that need a lead";
    Exposure "Exposure" -350, -8000..=4000 step 200, "rough chance that an opponent goes out on it";
    NeedsLead "NeedsLead" 450, -3000..=5000 step 200, "price beyond its play of a piece that can follow nothing";
    Narrow "Narrow" 100, -3000..=5000 step 200, "price beyond its play of a single with hardly any room to follow, falling to 0 with full room";
    NarrowGroup "NarrowGroup" 600, -3000..=5000 step 200, "the same for pairs and triples";
    NarrowFive "NarrowFive" 400, -3000..=5000 step 200, "the same for five-tile melds";
    Control "Control" 1800, -3000..=5000 step 200, "discount of a piece that nothing beats, falling with what does";
}

/// How many knobs weigh a term.
pub(super) const TERMS: usize = NeedsLead;
