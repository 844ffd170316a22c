//! Laws of the contract's plain types.

use evenhand_contract::{
    BySeat, Cards, Fallbacks, Knob, Map, MapsError, PPM_ONE, Ppm, Seat, SeedError, SeedId, Weights,
    WeightsError, Work, fallback_rate_is_valid,
};
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::BTreeSet;

fn as_set(cards: Cards) -> BTreeSet<u8> {
    (0..64).filter(|id| cards.has(*id)).collect()
}

proptest! {
    #[test]
    fn a_card_set_reads_as_a_set(a: u64, b: u64) {
        let (a, b) = (Cards(a), Cards(b));
        let (x, y) = (as_set(a), as_set(b));
        prop_assert_eq!(as_set(a | b), &x | &y);
        prop_assert_eq!(as_set(a & b), &x & &y);
        prop_assert_eq!(as_set(a - b), &x - &y);
        prop_assert_eq!(as_set(a ^ b), &x ^ &y);
        prop_assert_eq!(a.len() as usize, x.len());
        prop_assert_eq!(a.iter().collect::<Vec<_>>(), x.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(a.iter().collect::<Cards>(), a);
        prop_assert_eq!(a.lowest(), x.first().copied());
        prop_assert_eq!(a.highest(), x.last().copied());
        prop_assert_eq!(a.has_all(b), y.is_subset(&x));
        prop_assert_eq!(a.meets(b), !x.is_disjoint(&y));
        prop_assert_eq!(as_set(a.without_lowest()), x.iter().skip(1).copied().collect::<BTreeSet<_>>());
    }

    #[test]
    fn a_ratio_is_rounded_to_nearest(part in 0u64..1_000_000, more in 0u64..1_000_000) {
        let whole = part + more;
        prop_assume!(whole > 0);
        let error = Ppm::ratio(part, whole).get() as i128 * whole as i128 * 2
            - part as i128 * PPM_ONE as i128 * 2;
        prop_assert!(error.abs() <= whole as i128);
        prop_assert_eq!(Ppm::ratio(part, whole).not().get(), PPM_ONE - Ppm::ratio(part, whole).get());
    }

    #[test]
    fn a_map_is_monotone_and_meets_its_points(
        raw in prop::collection::btree_set(-5_000_000i64..5_000_000, 1..40),
        mut ppm in prop::collection::vec(0i64..=PPM_ONE, 40),
        asked in prop::collection::vec(-6_000_000i64..6_000_000, 50),
    ) {
        ppm.sort_unstable();
        let points: Vec<_> = raw.into_iter().zip(ppm.into_iter().map(Ppm::clamped)).collect();
        let map = Map::new(&points).expect("rising points make a map");
        for (x, y) in &points {
            prop_assert_eq!(map.apply(*x), *y);
        }
        let mut asked = asked;
        asked.sort_unstable();
        let values: Vec<_> = asked.iter().map(|x| map.apply(*x)).collect();
        prop_assert!(values.is_sorted());
        prop_assert!(values.iter().all(|v| *v >= points[0].1 && *v <= points[points.len() - 1].1));
    }

    #[test]
    fn a_seed_s_text_reads_back(n in 0u64..1 << 53, bytes: [u8; 32]) {
        for seed in [SeedId::Number(n), SeedId::Minted(bytes)] {
            prop_assert_eq!(seed.to_string().parse::<SeedId>(), Ok(seed));
        }
    }
}

#[test]
fn points_that_make_no_monotone_map_are_refused() {
    let at = |x, y| (x, Ppm::clamped(y));
    assert_eq!(Map::new(&[]), Err(MapsError::Empty));
    assert_eq!(
        Map::new(&[at(1, 0), at(1, 5)]),
        Err(MapsError::RawNotRising { place: 1, raw: 1 })
    );
    assert_eq!(
        Map::new(&[at(1, 9), at(2, 5)]),
        Err(MapsError::Falling { place: 1 })
    );
}

#[test]
fn seeds_that_a_json_reader_would_spoil_are_refused() {
    assert!(SeedId::number((1 << 53) - 1).is_ok());
    assert!(matches!(
        SeedId::number(1 << 53),
        Err(SeedError::TooLarge(_))
    ));
    for text in ["", "-3", "+3", "1.0", "0x10", " 7", "7 ", "ABCDEF"] {
        assert!(
            matches!(text.parse::<SeedId>(), Err(SeedError::NotASeed(_))),
            "{text:?}"
        );
    }
    let big = "9".repeat(40);
    assert!(matches!(big.parse::<SeedId>(), Err(SeedError::TooLarge(_))));
    let upper = "A".repeat(64);
    assert!(matches!(
        upper.parse::<SeedId>(),
        Err(SeedError::NotASeed(_))
    ));
}

const KNOBS: [Knob; 2] = [
    Knob {
        name: "First",
        about: "",
        default: 5,
        low: -10,
        high: 10,
        step: 4,
    },
    Knob {
        name: "Second",
        about: "",
        default: 0,
        low: 0,
        high: 100,
        step: 16,
    },
];

#[test]
fn weights_fit_their_table_or_are_refused() {
    assert_eq!(Weights::defaults(&KNOBS).values(), [5, 0]);
    assert_eq!(
        Weights::new(&KNOBS, &[1]),
        Err(WeightsError::Count {
            found: 1,
            expected: 2
        })
    );
    assert_eq!(
        Weights::new(&KNOBS, &[1, 101]),
        Err(WeightsError::OutOfBounds {
            knob: "Second",
            value: 101,
            low: 0,
            high: 100
        })
    );
    let named =
        |names: [&'static str; 2]| Weights::from_named(&KNOBS, names.into_iter().zip([1, 2]));
    assert_eq!(
        named(["First", "Second"]).map(|w| w.values().to_vec()),
        Ok(vec![1, 2])
    );
    assert!(matches!(
        named(["Second", "First"]),
        Err(WeightsError::Name { place: 0, .. })
    ));
    assert!(Weights::defaults(&KNOBS).with(&KNOBS, 0, 11).is_err());
}

#[test]
fn work_ends_at_its_budget_or_at_the_deadline() {
    let mut work = Work::units(10);
    assert!(work.charge(10).is_ok());
    assert!(work.charge(1).is_err() && !work.late());
    assert_eq!(work.used(), 11);
    assert!(Work::units(u64::MAX).charge(u64::MAX).is_ok());

    let asked = Cell::new(0);
    let expired = || {
        asked.set(asked.get() + 1);
        asked.get() == 3
    };
    let mut work = Work::with_deadline(1000, &expired);
    assert!(work.charge(1).is_ok() && work.charge(1).is_ok());
    assert!(work.charge(1).is_err() && work.late());
    assert!(work.charge(0).is_err(), "a passed deadline stays passed");
}

#[test]
fn one_percent_of_fallbacks_is_the_most_a_valid_run_has() {
    assert!(fallback_rate_is_valid(0, 0));
    assert!(fallback_rate_is_valid(1, 100));
    assert!(!fallback_rate_is_valid(2, 199));
    assert!(!fallback_rate_is_valid(1, 0));
    let mut fallbacks = Fallbacks([1, 2, 3, 4]);
    fallbacks.add(&Fallbacks([10, 0, 0, 0]));
    assert_eq!((fallbacks.total(), fallbacks.0), (20, [11, 2, 3, 4]));
}

#[test]
fn seats_go_round() {
    let order: Vec<_> = (0..7)
        .scan(Seat(0), |seat, _| {
            let now = *seat;
            *seat = now.next(3);
            Some(now.0)
        })
        .collect();
    assert_eq!(order, [0, 1, 2, 0, 1, 2, 0]);
    let mut table = BySeat::from_fn(4, |seat| seat.0 * 10);
    table[Seat(2)] += 1;
    assert_eq!(table.as_slice(), [0, 10, 21, 30]);
}
