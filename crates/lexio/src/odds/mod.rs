//! The estimator: will anybody beat this meld?
//!
//! Every unseen tile is in some opponent's hand. Singles and pairs are exact. For triples, ranks
//! are taken two by two. For five-tile melds the chance that one hand of n tiles holds a beater is
//! counted (nearly) exactly; hands are combined by the product, times how each two of them depend
//! on each other. Where the hands that can hold five tiles can be dealt in a few thousand ways only,
//! all those deals are looked at (`few.rs`); nothing else enumerates hands or five-tile subsets. The
//! limits below which this and the other exact counts are used were set by where the closed forms
//! still err. Whole numbers only.
//!
//! Sum or product: mean absolute error (and in brackets that of chances between 2 and 98 %), each
//! raw number under its best monotone map, 1,000 situations a kind from play of the simple styles
//! against 20,000 re-deals (whose own noise is .0007 to .0024); three, four and five players. "As built" was an earlier form of what
//! stands here, which errs less: `calibrate audit` tells by how much.
//!
//! | kind | sum of expected counts | product over hands | as built |
//! |---|---|---|---|
//! | straight | .0096 .0051 .0054 (.0164 .0162 .0132) | .0055 .0025 .0028 (.0093 .0063 .0056) | .0036 .0020 .0018 (.0053 .0045 .0031) |
//! | flush | .0166 .0178 .0142 (.0171 .0211 .0151) | .0085 .0058 .0055 (.0087 .0066 .0056) | .0041 .0034 .0033 (.0042 .0038 .0033) |
//! | full house | .0448 .0424 .0316 (.0504 .0439 .0322) | .0101 .0049 .0034 (.0113 .0051 .0034) | .0029 .0047 .0029 (.0032 .0048 .0030) |
//! | four | .0167 .0094 .0043 (.0259 .0110 .0046) | .0021 .0016 .0012 (.0032 .0019 .0013) | the product |
//! | straight flush | .0023 .0011 .0006 (.0056 .0018 .0011) | .0008 .0007 .0006 (.0020 .0011 .0010) | the product |

mod apart;
mod both;
pub mod count;
mod estimates;
mod few;
mod flush;
mod groups;
mod hands;
mod house;
mod independent;
mod probes;
mod redeal;
mod runs;
mod straight;
mod unseen;

use crate::View;
use crate::meld::{CATEGORY_SHIFT, Category, Meld, ranks_of};
use evenhand_contract::{Cards, Maps, OutOfWork, PPM_ONE, Ppm, Prediction, Trace, Work};
use hands::{NO_TIES, all_hands, ties_by_odds};
pub use independent::raw_independent;
use unseen::{ONE, Unseen, fraction, times};

/// Kinds of question: the categories, in their order.
pub const KINDS: [&str; 8] = [
    "single",
    "pair",
    "triple",
    "straight",
    "flush",
    "full-house",
    "four",
    "straight-flush",
];

/// What has been counted for the current unseen tiles and hand sizes.
#[derive(Clone, Debug, Default)]
pub struct OddsMemo {
    unseen: Unseen,
    pairs: Lazy<groups::Pairs>,
    triples: Lazy<groups::Triples>,
    house: Lazy<house::House>,
    flush: Lazy<flush::Flush>,
    straight: Lazy<straight::Straight>,
    plain: Lazy<Plain>,
    /// Answers by key, each at the place that its key hashes to.
    answers: [Answer; ANSWERS],
    /// With just two hands, by order: chance that neither has such a run or above nor a full house.
    neither: [[Option<u64>; 4]; 16],
    /// With just two hands: how the suits are split where neither has a full house ...
    splits: Lazy<apart::Splits>,
    /// ... and the chance that neither has five of a suit nor a full house.
    apart: Option<u64>,
}

/// Places for answers.
const ANSWERS: usize = 32;

/// A question of five tiles by its key plus one (0: none yet), and the chance that nobody beats it.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    key: u32,
    none: u64,
}

/// Flushes and full houses of any kind: what weaker questions take from them.
#[derive(Clone, Debug)]
struct Plain {
    flat: [u64; 5],
    suits: hands::Ties,
    houses: [u64; 5],
    ranks: hands::Ties,
}

impl Default for Plain {
    fn default() -> Self {
        Self {
            flat: [ONE; 5],
            suits: NO_TIES,
            houses: [0; 5],
            ranks: NO_TIES,
        }
    }
}

impl Plain {
    /// With just two hands: the chance that neither has a full house.
    fn no_house(&self, unseen: &Unseen) -> u64 {
        let other = unseen.sizes().len() - 1;
        let miss = |i: usize| ONE - self.houses[i];
        hands::both(miss(0), miss(other), self.ranks[0][other])
    }
}

/// A part that is counted when first asked for.
#[derive(Clone, Debug, Default)]
struct Lazy<T> {
    filled: bool,
    value: T,
}

impl<T> Lazy<T> {
    #[inline]
    fn get(&mut self, fill: impl FnOnce(&mut T)) -> &T {
        if !self.filled {
            fill(&mut self.value);
            self.filled = true;
        }
        &self.value
    }
}

impl OddsMemo {
    /// Makes the memo speak of this view's unseen tiles and hand sizes.
    #[inline]
    fn turn_to(&mut self, view: &View) {
        let unseen = Unseen::of(view);
        if unseen != self.unseen {
            self.unseen = unseen;
            self.pairs.filled = false;
            self.triples.filled = false;
            self.house.filled = false;
            self.flush.filled = false;
            self.straight.filled = false;
            self.plain.filled = false;
            self.answers = [Answer::default(); ANSWERS];
            self.neither = [[None; 4]; 16];
            self.splits.filled = false;
            self.apart = None;
        }
    }

    fn pairs(&mut self) -> &mut groups::Pairs {
        self.pairs.get(|g| g.fill(&self.unseen));
        &mut self.pairs.value
    }

    fn triples(&mut self) -> &groups::Triples {
        self.triples.get(|g| g.fill(&self.unseen))
    }

    fn house(&mut self) -> &house::House {
        self.house.get(|h| h.fill(&self.unseen))
    }

    fn flush(&mut self) -> &flush::Flush {
        self.flush.get(|f| f.fill(&self.unseen))
    }

    /// The chance that neither of just two hands has a full house or a run above the one of
    /// `order`, or that run with a tile at its top rank that is none of the `low` ones.
    fn neither(&mut self, order: usize, low: usize, n: usize) -> u64 {
        let unseen = self.unseen;
        // From the first run that the unseen tiles hold at all.
        let ranks = ranks_of(unseen.tiles);
        let runs = unseen.orders().masks();
        let missing = |k: &usize| runs.get(*k).is_some_and(|run| ranks & run != *run);
        let from = (order..).find(|k| !missing(k)).unwrap_or(order);
        let low = if from == order { low } else { 0 };
        *self.neither[from][low]
            .get_or_insert_with(|| fraction(both::neither(&unseen, from, low, n), unseen.hands(n)))
    }

    /// How the suits are split between just two hands of which neither has a full house.
    fn splits(&mut self, n: usize) -> &apart::Splits {
        self.splits.get(|s| s.fill(&self.unseen, n))
    }

    /// How the suits are split between one hand without a full house and the others.
    fn splits_alone(&mut self) -> &apart::Splits {
        let crowded = self.crowded();
        self.splits
            .get(|splits| splits.fill_alone(&self.unseen, &crowded))
    }

    /// By size: of the hands with three of a rank, the share that has a full house.
    fn crowded(&self) -> [u64; 5] {
        let (unseen, house) = (&self.unseen, &self.house.value);
        let mut crowded = [0; 5];
        for (share, size) in crowded.iter_mut().zip(unseen.sizes()) {
            let n = usize::from(size.tiles);
            if n >= 5 {
                let all = unseen.hands(n);
                *share = fraction(
                    all - house.without(0, n),
                    (all - house.at_most_two(n)).max(1),
                );
            }
        }
        crowded
    }

    /// By size, the chance that one hand has no full house nor a flush, `flat` being the chance
    /// that it has none of the latter, above a target or any.
    fn no_five(
        &mut self,
        target: Option<&flush::Target>,
        flat: &[u64; 5],
        houses: &[u64; 5],
    ) -> [u64; 5] {
        let unseen = self.unseen;
        let mut none = [ONE; 5];
        let fits = apart::fits_alone(&unseen);
        let crowded = self.crowded();
        for (i, (none, size)) in none.iter_mut().zip(unseen.sizes()).enumerate() {
            let n = usize::from(size.tiles);
            if n < 5 {
                continue;
            }
            *none = match fits {
                true => {
                    let mut none = [0; unseen::MAX_HAND + 1];
                    none[..5].fill(ONE);
                    let shares = target.map_or([none; 4], |target| {
                        apart::alone(&unseen, n, crowded[i], target)
                    });
                    let splits = self.splits_alone();
                    let all = splits.neither(i, &[[ONE; unseen::MAX_HAND + 1]; 4]);
                    let without = splits.neither(i, &shares);
                    let share = (u128::from(without) << 30) / u128::from(all.max(1));
                    times(ONE - houses[i], share as u64)
                }
                false => neither(ONE - flat[i], houses[i], n),
            };
        }
        none
    }

    /// The chance that neither of just two hands has five of a suit or a full house.
    fn apart(&mut self, n: usize) -> u64 {
        if let Some(apart) = self.apart {
            return apart;
        }
        let unseen = self.unseen;
        let shares = apart::any(&unseen);
        let apart = fraction(self.splits(n).neither(0, &shares) >> 16, unseen.hands(n));
        self.apart = Some(apart);
        apart
    }

    fn plain(&mut self) -> &Plain {
        self.house();
        self.flush();
        let (unseen, house, flush) = (&self.unseen, &self.house.value, &self.flush.value);
        self.plain.get(|plain| {
            (plain.flat, plain.suits) = flush.none(unseen, None);
            plain.houses = [0; 5];
            for (full, size) in plain.houses.iter_mut().zip(unseen.sizes()) {
                let n = usize::from(size.tiles);
                if n >= 5 {
                    *full = ONE - fraction(house.without(0, n), unseen.hands(n));
                }
            }
            plain.ranks = house::ties(unseen, 0, &plain.houses);
        })
    }

    fn straight(&mut self) -> &mut straight::Straight {
        self.straight.get(|s| s.turn_to(&self.unseen));
        &mut self.straight.value
    }
}

/// The kind of a question, an index into [`KINDS`].
#[inline]
#[must_use]
pub const fn kind(meld: &Meld) -> usize {
    meld.category as usize
}

/// Work units of a question: what counting it from nothing takes, in elementary steps of about a
/// nanosecond. The same whether a memo has the counts already, so that no decision depends on
/// what was asked before.
fn price(view: &View, meld: &Meld) -> u64 {
    if meld.size() == 5
        && let Some(deals) = few::deals(&Unseen::of(view), meld.category)
    {
        // A deal's hands are chosen and tested.
        return 500 + 15 * deals;
    }
    match meld.category {
        Category::Single => 1,
        Category::Pair | Category::Triple => 500,
        // Of just two hands, runs and full houses are counted together.
        Category::Straight if view.players == 3 => 60_000,
        Category::Straight => 30_000,
        Category::Flush => 5000,
        Category::FullHouse => 1500,
        Category::Four | Category::StraightFlush => 100,
    }
}

/// The raw estimate that some opponent holds a meld that beats `meld`, in ppm.
///
/// # Errors
/// [`OutOfWork`] when the budget does not cover it.
pub fn raw(
    view: &View,
    meld: &Meld,
    memo: &mut OddsMemo,
    work: &mut Work<'_>,
) -> Result<i64, OutOfWork> {
    work.charge(price(view, meld))?;
    let none = match meld.category {
        Category::Single => {
            let above = !((1u64 << (meld.key & 63) << 1) - 1);
            return Ok(if view.unseen().meets(Cards(above)) {
                PPM_ONE
            } else {
                0
            });
        }
        category => {
            memo.turn_to(view);
            match category {
                Category::Pair => {
                    let rank = meld.key / 4;
                    let given = pairs_of_rank(view.unseen(), meld.key) > 0;
                    memo.pairs().none(rank as usize + 1, given)
                }
                Category::Triple => memo.triples().none_from(meld.key as usize + 1),
                _ => {
                    let place = (meld.key.wrapping_mul(0x9e37_79b1) >> 27) as usize;
                    if memo.answers[place].key == meld.key + 1 {
                        memo.answers[place].none
                    } else {
                        let none = five(meld, memo);
                        let key = meld.key + 1;
                        memo.answers[place] = Answer { key, none };
                        none
                    }
                }
            }
        }
    };
    Ok((((ONE - none) * PPM_ONE as u64 + ONE / 2) / ONE) as i64)
}

/// How many pairs among the unseen tiles of a pair's own rank have a higher top suit. At most one
/// when the asker holds the pair.
fn pairs_of_rank(unseen: Cards, key: u32) -> u64 {
    let suits = unseen.0 >> (key & !3) & 0xf;
    ((key & 3) + 1..4)
        .filter(|s| suits >> s & 1 == 1)
        .map(|s| u64::from((suits & ((1 << s) - 1)).count_ones()))
        .sum()
}

/// By hand size: how often a hand has both five of a suit and a full house (or four), in thousandths
/// of what it would be if they had nothing to do with each other. Seven tiles cannot have both;
/// above that the share hardly depends on what is unseen (measured on 10 to 48 unseen tiles of all
/// three decks).
const FLUSH_AND_HOUSE: [u64; 14] = [0, 0, 0, 0, 0, 0, 0, 0, 280, 520, 700, 830, 900, 960];

/// Chance that a hand of n tiles has neither a flush nor a full house: with q and r the chances
/// to miss each, q r - (1 - share) (1 - q) (1 - r) where both are rare, kept above 0 elsewhere.
fn neither(flush: u64, house: u64, n: usize) -> u64 {
    let apart = times(ONE - flush, ONE - house);
    let lacking = times(flush, house) * (1000 - FLUSH_AND_HOUSE[n]) / 1000;
    if apart == 0 {
        return 0;
    }
    times(apart, (apart << 30) / (apart + lacking))
}

/// Chance that nobody holds five tiles that beat `meld`.
fn five(meld: &Meld, memo: &mut OddsMemo) -> u64 {
    let unseen = memo.unseen;
    let key = meld.key & ((1 << CATEGORY_SHIFT) - 1);
    if let Some(deals) = few::deals(&unseen, meld.category) {
        return few::none(&unseen, meld, deals);
    }
    // From the smaller hand: it has the fewer counts.
    let two_hands = unseen
        .two_hands()
        .filter(|_| apart::fits(&unseen))
        .map(|(_, n)| n);
    let mut per_size = [ONE; 5];
    let (mut suits, mut ranks, mut runs) = (NO_TIES, NO_TIES, NO_TIES);
    match meld.category {
        Category::Straight => {
            let order = (key / 4) as usize;
            let suit = key & 3;
            // Where no suit at the top rank is higher, or all are, one of the two is all that counts.
            let [low, all] = top_suits(&unseen, order, suit);
            let asked = match (low, all) {
                _ if low == all => [order + 1; 2],
                (0, _) => [order; 2],
                _ => [order, order + 1],
            };
            let plain = memo.plain().clone();
            memo.straight();
            let no_five = match two_hands {
                Some(_) => [ONE; 5],
                None => memo.no_five(None, &plain.flat, &plain.houses),
            };
            let two_hands = two_hands.map(|n| {
                let (order, low) = if low == all {
                    (order + 1, 0)
                } else {
                    (order, low)
                };
                (memo.neither(order, low, n), memo.apart(n))
            });
            let OddsMemo {
                house, straight, ..
            } = memo;
            let (house, straight) = (&house.value, &mut straight.value);
            let houses = &plain.houses;
            suits = plain.suits;
            let without = asked.map(|k| straight.without(&unseen, house, k));
            let of_one_suit = runs::count(&unseen, |s, _, o| {
                o > order || (o == order && u32::from(s) > suit)
            });
            let mut straights = [0; 5];
            for (i, (none, size)) in per_size.iter_mut().zip(unseen.sizes()).enumerate() {
                let n = usize::from(size.tiles);
                if n < 5 {
                    continue;
                }
                let hands = unseen.hands(n);
                // Hands without a house that avoid the runs: those with at most two of each rank,
                // and those with one triple, which avoid them about as often as n - 2 tiles of as
                // many ranks do.
                let joint = |k: usize| {
                    let [twos, singles] = without[k][i];
                    let triples = fraction(singles, house.singles(n - 2));
                    fraction(twos, hands) + times(fraction(house.one_triple(0, n), hands), triples)
                };
                let above = joint(1);
                let from = joint(0);
                let share = top_suit_share(&unseen, [low, all], n);
                let missed = above - times(above.saturating_sub(from), share);
                // Runs as far as no full house is there already.
                let no_house = (ONE - houses[i]).max(1);
                straights[i] = ONE - ((missed << 30) / no_house).min(ONE);
                // Five of a suit leave little room for a house, and hardly less for a run.
                // Runs of one suit count as five of a suit already.
                let of_suits = ((ONE - straights[i]) << 30) / of_one_suit.none(&unseen, n).max(1);
                *none = times(no_five[i], of_suits.min(ONE));
            }
            if let Some((runs_apart, apart)) = two_hands {
                // Of the deals without a house, the share without runs and that without five of
                // one suit; runs of one suit count as the latter.
                let house_apart = plain.no_house(&unseen).max(1);
                let mut none = times(runs_apart, (apart << 30) / house_apart);
                for n in unseen.two_hands_tiles() {
                    none = (none << 30) / of_one_suit.none(&unseen, n).max(1);
                }
                return none.min(apart);
            }
            ranks = plain.ranks;
            runs = ties_by_odds(&straights, straight.after_another(&unseen, order));
        }
        Category::Flush => {
            let target = flush::Target::of_key(key);
            // Only those that do not count as a stronger five of one suit already.
            let runs = runs::count(&unseen, |suit, ranks, _| target.above(ranks, suit) == 0);
            if let Some(n) = two_hands {
                let shares = apart::above(&unseen, n, &target);
                let none = fraction(memo.splits(n).neither(0, &shares) >> 16, unseen.hands(n));
                return unseen
                    .two_hands_tiles()
                    .into_iter()
                    .fold(none, |none, n| times(none, runs.none(&unseen, n)));
            }
            let (flat, apart) = memo.flush().none(&unseen, Some(&target));
            suits = apart;
            let plain = memo.plain().clone();
            let no_five = memo.no_five(Some(&target), &flat, &plain.houses);
            for (i, (none, size)) in per_size.iter_mut().zip(unseen.sizes()).enumerate() {
                *none = times(no_five[i], runs.none(&unseen, size.tiles.into()));
            }
            ranks = plain.ranks;
        }
        Category::FullHouse => {
            let runs = runs::count(&unseen, |_, _, _| true);
            let house = memo.house();
            let first = key as usize + 1;
            let mut houses = [0; 5];
            for (i, (none, size)) in per_size.iter_mut().zip(unseen.sizes()).enumerate() {
                let n = usize::from(size.tiles);
                if n >= 5 {
                    let flat = fraction(house.without(first, n), unseen.hands(n));
                    houses[i] = ONE - flat;
                    *none = times(flat, runs.none(&unseen, n));
                }
            }
            ranks = house::ties(&unseen, first, &houses);
        }
        Category::Four => {
            let runs = runs::count(&unseen, |_, _, _| true);
            let fours = unseen.by_rank[key as usize + 1..]
                .iter()
                .filter(|&&u| u == 4)
                .count();
            for (none, size) in per_size.iter_mut().zip(unseen.sizes()) {
                let n = usize::from(size.tiles);
                if n >= 5 {
                    *none = times(no_four(&unseen, fours, n), runs.none(&unseen, n));
                }
            }
            suits = runs.ties(&unseen);
            // Four of a rank above the question's is all that counts of the ranks.
            ranks = house::fours(&unseen, key as usize + 1);
        }
        _ => {
            let (order, suit) = ((key / 4) as usize, (key & 3) as u8);
            let runs = runs::count(&unseen, |s, _, o| o > order || (o == order && s > suit));
            for (none, size) in per_size.iter_mut().zip(unseen.sizes()) {
                *none = runs.none(&unseen, usize::from(size.tiles));
            }
            suits = runs.ties(&unseen);
        }
    }
    all_hands(&unseen, &per_size, &[&suits, &ranks, &runs])
}

/// Unseen tiles at the top rank of the run of this order: those of no higher suit, and all.
fn top_suits(unseen: &Unseen, order: usize, suit: u32) -> [usize; 2] {
    let Some(&ranks) = unseen.orders().masks().get(order) else {
        return [0, 0];
    };
    let rank = 15 - ranks.leading_zeros();
    let suits = (unseen.tiles.0 >> (4 * rank) & 0xf) as u32;
    let low = suits & ((2 << suit) - 1);
    [low, suits].map(|s| s.count_ones() as usize)
}

/// Of the hands that hold a run, about which share has a tile of a higher suit at its top rank: of
/// u unseen tiles there, l of them not higher, one or two are held, two with odds n : N - n against
/// one.
fn top_suit_share(unseen: &Unseen, [low, all]: [usize; 2], n: usize) -> u64 {
    let (held, left) = (n as u64, u64::from(unseen.total) - n as u64);
    let ways = |u: usize| u as u64 * left + house::PAIRS[u] * held;
    ONE - fraction(ways(low), ways(all))
}

/// Chance that a hand of n tiles has none of `fours` ranks whole:
/// sum_j (-1)^j C(f, j) C(N - 4 j, n - 4 j) / C(N, n).
fn no_four(unseen: &Unseen, fours: usize, n: usize) -> u64 {
    let mut sum = 0i64;
    for j in 0..=(n / 4).min(fours) {
        let ways = unseen::choose(fours as u8, j)
            * unseen::CHOOSE[usize::from(unseen.total) - 4 * j][n - 4 * j];
        sum += if j % 2 == 0 {
            ways as i64
        } else {
            -(ways as i64)
        };
    }
    fraction(sum as u64, unseen.hands(n))
}

/// The calibrated chance that some opponent beats `meld`: what policies believe, in one place.
/// Recorded as a prediction when the trace asks for them.
///
/// # Errors
/// [`OutOfWork`] when the budget does not cover it.
pub fn beaten<D>(
    view: &View,
    meld: &Meld,
    maps: &Maps,
    memo: &mut OddsMemo,
    work: &mut Work<'_>,
    trace: &mut Trace<D, Meld>,
) -> Result<Ppm, OutOfWork> {
    let raw = raw(view, meld, memo, work)?;
    let believed = maps.apply(kind(meld), raw);
    if trace.wants_predictions() {
        trace.predictions.push(Prediction {
            question: *meld,
            raw,
            believed,
        });
    }
    Ok(believed)
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
