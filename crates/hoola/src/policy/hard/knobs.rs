//! The one table of hard's tunables. Terms come first, in the order in which they are traced.

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
    CardSum "CardSum" 800, -1000..=6000 step 200, "tens of points in hand, negated";
    CardCount "CardCount" 600, -2000..=6000 step 200, "cards in hand, negated";
    SevensHeld "SevensHeld" 2000, -4000..=8000 step 400, "7s in hand, negated";
    UnregisteredAtEnd "UnregisteredAtEnd" 3000, -4000..=12000 step 400, "one while unregistered, negated";
    HoolaChance "HoolaChance" 0, -4000..=6000 step 200, "while unregistered: share of the hand that lies in melds, pairs or neighbours";
    MeldPotential "MeldPotential" 1000, -1000..=4000 step 200, "unseen cards that would complete a meld";
    Loose "Loose" 500, -2000..=6000 step 300, "cards in hand beside no other, negated";
    LayOffPotential "LayOffPotential" 700, -2000..=4000 step 100, "cards in hand that one unseen card would let lay off";
    OpponentNearOut "OpponentNearOut" 1500, -2000..=8000 step 300, "tens of points in hand times the chance that an opponent goes out, negated";
    OpponentLow "OpponentLow" 300, -2000..=6000 step 200, "tens of points in hand times the chance that an opponent is within the plain line, negated";
    DiscardFeeds "DiscardFeeds" 300, -2000..=8000 step 300, "chance that the discard is claimed, negated";
    Pursuit "Pursuit" 1500, -2000..=8000 step 300, "nearness of an unregistered hand to the low or high line";
    OutNext "OutNext" 6000, -2000..=12000 step 400, "chance to go out with the next draw";
    StopChance "StopChance" 3000, -2000..=12000 step 400, "chance that a plain stop with this hand would succeed";
    TableOpens "TableOpens" 200, -2000..=4000 step 100, "unseen cards that newly fit the table, negated";
    ClaimBonus "ClaimBonus" 4300, -8000..=8000 step 400, "constant of a claim";
    StopMargin "StopMargin" 0, -300..=400 step 20, "share of a stop's stake by which declaring must be better than waiting";
    WaitOut "WaitOut" 1000, 0..=3000 step 150, "scale of the chance to go out while waiting";
    WaitDanger "WaitDanger" 800, 0..=3000 step 150, "scale of the chance that an opponent goes out while waiting";
    WaitDrift "WaitDrift" 0, -200..=200 step 20, "change of a stop's chance from turn to turn";
}

/// How many knobs weigh a term of a turn.
pub(super) const TERMS: usize = ClaimBonus;
