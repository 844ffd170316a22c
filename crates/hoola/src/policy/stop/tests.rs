//! Worths by hand.

use super::{Stakes, Waiting};
use evenhand_contract::PPM_ONE;

const STAKES: Stakes = Stakes {
    gain: 6_000,
    penalty: 6_000,
    share: 1_000,
};

fn waiting(out: i64, danger: i64) -> Waiting {
    Waiting {
        stakes: STAKES,
        out,
        danger,
        drift: 0,
    }
}

#[test]
fn with_nothing_left_to_draw_waiting_risks_no_penalty() {
    let waiting = waiting(300_000, 300_000);
    assert_eq!(waiting.worth(600_000, 0), 3_600 - 400);
    assert_eq!(STAKES.stop(600_000), 3_600 - 2_400);
}

#[test]
fn one_turn_by_hand() {
    // .1 x 6 + .9 x (.2 x -1 + .8 x (.9 x 6 - .1 x 1))
    let one = waiting(100_000, 200_000).worth(900_000, 1);
    assert_eq!(one, 600 + 9 * (-200 + 8 * 5_300 / 10) / 10);
    // Two: in between the stop (.9 x 6 - .1 x 6 = 4.8) is weighed against waiting on.
    let two = waiting(100_000, 200_000).worth(900_000, 2);
    let next = one.max(4_800);
    assert_eq!(two, 600 + 9 * (-200 + 8 * next / 10) / 10);
}

#[test]
fn danger_of_many_turns_makes_waiting_worse_than_one_turn_of_it() {
    let waiting = waiting(50_000, 300_000);
    let worths: Vec<i64> = (1..8).map(|draws| waiting.worth(850_000, draws)).collect();
    assert!(
        worths.windows(2).all(|pair| pair[1] <= pair[0]),
        "{worths:?}"
    );
    // Far from the end stopping is better than any wait, at one turn of it is not so clear.
    assert!(worths[6] < STAKES.stop(850_000));
    assert!(self::waiting(0, 0).worth(850_000, 1) > STAKES.stop(850_000));
    assert_eq!(self::waiting(PPM_ONE, 0).worth(0, 3), STAKES.gain);
}
