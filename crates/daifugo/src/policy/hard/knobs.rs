//! The one table of hard's tunables.

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
    Progress "Progress" 1000, -1000..=4000 step 200, "milli-plays by which the cheapest plan gets cheaper";
    Control "Control" 600, -1000..=4000 step 200, "chance that the play holds the field";
    Preserve "Preserve" 600, -1000..=4000 step 200, "strong cards spent, dearer while the hand is large";
    EightCut "EightCut" 300, -1000..=4000 step 100, "eights spent";
    Run "Run" 800, -1000..=4000 step 200, "chance that it holds and a row of leads that all hold ends the hand";
    Margin "Margin" 100, 0..=2000 step 100, "how much better than the play of easy a choice must be";
    Hold "Hold" 775, 0..=1000 step 100, "how far a play that surely holds the field is free in a plan";
    Room "Room" 400, -500..=1000 step 100, "how far a play that can follow anything is free in a plan";
}

/// How many of them, from the first on, weigh a term.
pub(super) const TERMS: usize = Margin;
