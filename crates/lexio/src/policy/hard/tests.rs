use super::knobs::{KNOBS, TERMS};
use super::prices::{ONE, PARTS, PER_TILE, Pricing};
use super::*;
use crate::meld::classify;
use crate::rules::Rules;
use crate::tile::parse_tiles;
use evenhand_contract::{BySeat, Cards, Seat, Weights};

fn tiles(text: &str) -> Cards {
    parse_tiles("tiles", text, 5).expect("fixed tiles")
}

fn view(hand: &str, played: &str, counts: [u8; 5]) -> View {
    View {
        players: 5,
        rules: Rules::default(),
        seat: Seat(0),
        hand: tiles(hand),
        dealt: tiles(hand),
        counts: BySeat::from_fn(5, |s| counts[s.index()]),
        field: None,
        field_owner: None,
        passes: 0,
        passed: 0,
        played: tiles(played),
    }
}

fn meld(text: &str) -> Meld {
    classify(
        tiles(text),
        crate::meld::RunOrders::get(5, Rules::default()),
    )
    .expect("a meld")
}

#[test]
fn the_nine_terms_of_the_table_come_first_and_in_order() {
    let names: Vec<_> = KNOBS.iter().map(|k| k.name).collect();
    assert_eq!(
        names[..9],
        [
            "PlanGain",
            "TilesShed",
            "OrphanShed",
            "LeadRetention",
            "EndgameBlock",
            "StrongTileCost",
            "TwoDisposal",
            "LeftoverRisk",
            "FollowRoom"
        ]
    );
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len(), "no name stands twice");
    for knob in KNOBS {
        assert!(knob.low < knob.high && knob.step > 0, "{}", knob.name);
        assert!(
            (knob.low..=knob.high).contains(&knob.default),
            "{}",
            knob.name
        );
        assert!(knob.low <= 0 && 0 <= knob.high, "{} may be 0", knob.name);
    }
}

/// A total is exact: moving a weight by one thousandth moves it by just the term, so a search can
/// follow the response down to the smallest step.
#[test]
fn a_total_is_linear_in_each_weight_down_to_a_thousandth() {
    let weights: Vec<i64> = KNOBS.iter().map(|k| k.default).collect();
    let terms: Terms = std::array::from_fn(|i| 17 * i as i64 - 60);
    let base = total(&weights, &terms);
    for place in 0..KNOBS.len() {
        let mut moved = weights.clone();
        moved[place] += 1;
        let expected = if place < TERMS { terms[place] } else { 0 };
        assert_eq!(
            total(&moved, &terms) - base,
            expected,
            "{}",
            KNOBS[place].name
        );
    }
}

/// A flush of the same ranks has more room than a straight, so that keeping the flush and breaking
/// the straight comes out of the price; a piece with no room pays for the lead that it needs.
#[test]
fn prices_follow_the_room() {
    let weights = Weights::defaults(KNOBS);
    let view = view("3C 4C 5C 6D 7D 9C 10C 13C 1S 2S", "", [10, 12, 12, 12, 14]);
    let pricing = Pricing::new(&view, weights.values());
    let price = |text: &str| {
        let meld = meld(text);
        i64::from(pricing.price(&meld).units) - PARTS * PER_TILE * i64::from(meld.size())
    };
    assert_eq!(pricing.room(&meld("3C")), 0);
    assert!(price("3C 4C 5C 6D 7D") > price("3C 4C 5C 9C 10C"));
    assert!(price("9C") > price("13C") && price("13C") > price("1S"));
    assert!(
        price("1S") > price("2S"),
        "the top tile brings the lead back"
    );
    assert_eq!(pricing.room(&meld("2S")), ONE);
}

/// Tiles that nothing beats cost nothing extra with all knobs of prices at 0: a plan is then a
/// number of plays.
#[test]
fn without_price_knobs_the_priced_plan_counts_plays() {
    let mut weights = Weights::defaults(KNOBS).values().to_vec();
    weights[TERMS..].fill(0);
    let view = view(
        "5C 5D 9C 9S 10S 11H 12C 12D 12S 13S 15C 1C",
        "",
        [12, 12, 12, 12, 12],
    );
    let mut pieces = Vec::new();
    list_pieces(&view, &mut HandMemo::default(), &mut pieces);
    let pricing = Pricing::new(&view, &weights);
    let mut costs = CostTable::default();
    costs.fill(12, pieces.iter().map(|p| (p.mask, pricing.price(&p.meld))));
    assert_eq!(costs.plan(0xfff).units(), PARTS * (4 * ONE + 12 * PER_TILE));
}
