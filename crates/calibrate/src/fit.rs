//! From outcomes of re-deals to a monotone map, in whole numbers.

use evenhand_contract::{Map, PPM_ONE, Ppm};
use evenhand_stats::isotonic;

/// How often the answer was true when one situation was dealt afresh.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Observed {
    /// The estimator's raw output.
    pub raw: i64,
    /// Re-deals.
    pub samples: u32,
    /// Re-deals in which the answer was true.
    pub hits: u32,
}

/// One point of a fitted map, with what it rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knot {
    /// Raw value.
    pub raw: i64,
    /// Calibrated probability.
    pub believed: Ppm,
    /// Situations; 0 for an end point that is certain by what the raw scale means.
    pub situations: u64,
    /// Re-deals of these.
    pub samples: u64,
    /// Re-deals in which the answer was true.
    pub hits: u64,
}

/// Numbers of bins between the end points of a map, of which the data choose.
const BINS: [usize; 7] = [1, 2, 4, 8, 16, 32, 60];
/// Situations that a bin must hold on average.
const BIN_FILL: usize = 12;

#[derive(Clone, Copy, Default)]
struct Bin {
    situations: u64,
    samples: u64,
    hits: u64,
    /// Sum of raw x samples.
    raw_sum: i128,
}

impl Bin {
    fn add(&mut self, o: &Observed) {
        self.situations += 1;
        self.samples += u64::from(o.samples);
        self.hits += u64::from(o.hits);
        self.raw_sum += i128::from(o.raw) * i128::from(o.samples);
    }

    fn join(&mut self, other: &Self) {
        self.situations += other.situations;
        self.samples += other.samples;
        self.hits += other.hits;
        self.raw_sum += other.raw_sum;
    }

    /// The mean raw value, rounded to nearest (halves up).
    fn raw(&self) -> i64 {
        let weight = i128::from(self.samples.max(1));
        (2 * self.raw_sum + weight).div_euclid(2 * weight) as i64
    }

    fn knot(&self) -> Knot {
        Knot {
            raw: self.raw(),
            believed: Ppm::ratio(self.hits, self.samples),
            situations: self.situations,
            samples: self.samples,
            hits: self.hits,
        }
    }
}

/// The map through what was observed: straight lines between the means of bins.
///
/// With B bins, situation i of n, with raw value x in [low, high], falls in bin
/// floor(B/2 (i/n + (x - low)/(high - low))), so that none holds more than about 2/B of the
/// situations *and* none spans more than about 2/B of the raw range. Equal raw values share a bin.
/// Means of neighbouring bins that fall are pooled (isotonic regression weighted by re-deals), so
/// the map is monotone. B is chosen by cross-validation: of 1, 2, 4, 8, 16, 32 and 60, where each
/// bin then holds a dozen situations, the one whose map, fitted to every other situation in the
/// order of raw values, leaves the least squared error on the rest, both ways; ties take the
/// fewest. An estimator that is right already thus keeps a nearly straight map, instead of one
/// bent by noise.
///
/// The lowest raw value is a point of its own when its answer was never true, the highest when it
/// was always true, so certain stays certain. On a ppm scale 0 and 1,000,000 mean impossible and
/// certain; where nothing was observed there, these are points as well.
#[must_use]
pub fn fit(observed: &[Observed]) -> Vec<Knot> {
    let mut observed: Vec<_> = observed.iter().filter(|o| o.samples > 0).copied().collect();
    observed.sort_unstable();
    let loss = |count: usize| {
        let half = |parity: usize| -> Vec<Observed> {
            observed.iter().skip(parity).step_by(2).copied().collect()
        };
        let halves = [half(0), half(1)];
        let (one, two) = (&halves[0], &halves[1]);
        squared_error(&fitted(one, count), two)
            .saturating_add(squared_error(&fitted(two, count), one))
    };
    let affordable = |count: &usize| *count == 1 || count * BIN_FILL <= observed.len();
    let best = BINS
        .into_iter()
        .filter(affordable)
        .min_by_key(|count| loss(*count));
    fitted(&observed, best.unwrap_or(1))
}

/// Sum over situations of (belief - hits / samples)^2 x samples^2, in ppm squared: with equally
/// many re-deals each, in the order of squared errors.
fn squared_error(knots: &[Knot], observed: &[Observed]) -> i128 {
    let points: Vec<_> = knots.iter().map(|k| (k.raw, k.believed)).collect();
    let Ok(map) = Map::new(&points) else {
        return i128::MAX;
    };
    let error = |o: &Observed| {
        let belief = map.apply(o.raw).get() * i64::from(o.samples);
        i128::from(belief - i64::from(o.hits) * PPM_ONE)
    };
    observed.iter().map(|o| error(o) * error(o)).sum()
}

/// The map through the means of `count` bins; `observed` is sorted.
fn fitted(observed: &[Observed], count: usize) -> Vec<Knot> {
    let (Some(first), Some(last)) = (observed.first().copied(), observed.last().copied()) else {
        return Vec::new();
    };
    let groups: Vec<&[Observed]> = observed.chunk_by(|a, b| a.raw == b.raw).collect();
    let sum = |group: &[Observed]| {
        let mut bin = Bin::default();
        group.iter().for_each(|o| bin.add(o));
        bin
    };
    let never = |bin: &Bin| bin.hits == 0;
    let always = |bin: &Bin| bin.hits == bin.samples;
    let low = Some(sum(groups[0])).filter(never);
    let high = Some(sum(groups[groups.len() - 1])).filter(|b| groups.len() > 1 && always(b));
    let inner = &groups[usize::from(low.is_some())..groups.len() - usize::from(high.is_some())];

    let mut knots = Vec::new();
    let ppm_scale = first.raw >= 0 && last.raw <= PPM_ONE;
    let certain = |raw, believed| Knot {
        raw,
        believed,
        situations: 0,
        samples: 0,
        hits: 0,
    };
    if ppm_scale && first.raw > 0 {
        knots.push(certain(0, Ppm::ZERO));
    }
    knots.extend(low.iter().map(Bin::knot));
    knots.extend(pooled(&bins(inner, count)).iter().map(Bin::knot));
    knots.extend(high.iter().map(Bin::knot));
    if ppm_scale && last.raw < PPM_ONE {
        knots.push(certain(PPM_ONE, Ppm::ONE));
    }
    knots
}

/// About `count` bins of groups of equal raw value, by rising raw value, none empty.
fn bins(groups: &[&[Observed]], count: usize) -> Vec<Bin> {
    let total: usize = groups.iter().map(|g| g.len()).sum();
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else {
        return Vec::new();
    };
    let count = count as i128;
    let low = i128::from(first[0].raw);
    let span = (i128::from(last[0].raw) - low).max(1);
    let n = total.max(1) as i128;
    let mut bins: Vec<(i128, Bin)> = Vec::new();
    let mut before = 0;
    for group in groups {
        // floor(count / 2 (i / n + (x - low) / span)) with i in the group's middle, on one denominator.
        let twice_i = i128::from(2 * before + group.len() as i64);
        let x = i128::from(group[0].raw) - low;
        let place = (count * (twice_i * span + 2 * n * x)).div_euclid(4 * n * span);
        before += group.len() as i64;
        if bins.last().is_none_or(|(last, _)| *last != place) {
            bins.push((place, Bin::default()));
        }
        if let Some((_, bin)) = bins.last_mut() {
            group.iter().for_each(|o| bin.add(o));
        }
    }
    bins.into_iter().map(|(_, bin)| bin).collect()
}

/// Bins with neighbours joined until their rates rise.
fn pooled(bins: &[Bin]) -> Vec<Bin> {
    let points: Vec<_> = bins.iter().map(|b| (b.raw(), b.samples, b.hits)).collect();
    let mut bins = bins.iter();
    let mut out = Vec::new();
    for step in isotonic(&points) {
        let mut joined = Bin::default();
        while joined.samples < step.weight {
            let Some(bin) = bins.next() else { break };
            joined.join(bin);
        }
        out.push(joined);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_contract::Stream;

    fn map(knots: &[Knot]) -> Map {
        let points: Vec<_> = knots.iter().map(|k| (k.raw, k.believed)).collect();
        Map::new(&points).expect("a fit is monotone")
    }

    /// Situations whose truth is `truth(raw)`, each seen through 200 coin tosses.
    fn tossed(n: u32, truth: impl Fn(i64) -> i64) -> Vec<Observed> {
        let mut stream = Stream::keyed("test", &[]);
        (0..n)
            .map(|_| {
                let raw = i64::from(stream.below(1_000_001));
                let p = truth(raw);
                let hits = (0..200)
                    .filter(|_| i64::from(stream.below(1_000_000)) < p)
                    .count();
                Observed {
                    raw,
                    samples: 200,
                    hits: hits as u32,
                }
            })
            .collect()
    }

    #[test]
    fn a_curved_truth_is_found() {
        let truth = |raw: i64| raw * raw / PPM_ONE;
        let fitted = map(&fit(&tossed(20_000, truth)));
        assert!(fitted.points().len() <= 64, "{}", fitted.points().len());
        for raw in (0..=PPM_ONE).step_by(10_000) {
            let error = fitted.apply(raw).get() - truth(raw);
            assert!(error.abs() < 6_000, "at {raw}: off by {error}");
        }
        assert_eq!(fitted.apply(0), Ppm::ZERO);
        assert_eq!(fitted.apply(PPM_ONE), Ppm::ONE);
    }

    #[test]
    fn a_right_estimator_is_not_bent_by_noise() {
        let observed = tossed(4_000, |raw| raw);
        let error = |knots: &[Knot]| {
            let fitted = map(knots);
            let raws = (0..=PPM_ONE).step_by(1_000);
            raws.map(|raw| (fitted.apply(raw).get() - raw).abs())
                .sum::<i64>()
                / 1_001
        };
        let mut sorted = observed.clone();
        sorted.sort_unstable();
        let (chosen, bent) = (error(&fit(&observed)), error(&super::fitted(&sorted, 60)));
        assert!(fit(&observed).len() < 20);
        assert!(chosen * 2 < bent, "chosen {chosen}, with 60 bins {bent}");
    }

    #[test]
    fn order_of_what_was_observed_does_not_matter() {
        let mut observed = tossed(500, |raw| raw / 2);
        let fitted = fit(&observed);
        observed.reverse();
        assert_eq!(fit(&observed), fitted);
        Stream::keyed("shuffle", &[]).shuffle(&mut observed);
        assert_eq!(fit(&observed), fitted);
    }

    #[test]
    fn certain_stays_certain() {
        let one = |raw, hits| Observed {
            raw,
            samples: 100,
            hits,
        };
        let mut observed = vec![one(0, 0); 50];
        observed.extend([one(10, 60), one(20, 30), one(999_000, 99)]);
        observed.extend([one(PPM_ONE, 100); 30]);
        let fitted = fit(&observed);
        assert_eq!((fitted[0].raw, fitted[0].believed), (0, Ppm::ZERO));
        assert_eq!(fitted[0].situations, 50);
        let last = fitted[fitted.len() - 1];
        assert_eq!((last.raw, last.believed), (PPM_ONE, Ppm::ONE));
        assert_eq!(fitted.iter().map(|k| k.situations).sum::<u64>(), 83);
        map(&fitted);
        // 60 % and 30 % fall, so they are one knot even where each has a bin of its own.
        observed.sort_unstable();
        let many = super::fitted(&observed, 60);
        assert!(many.len() > fitted.len());
        assert!(many.iter().all(|k| k.believed.get() != 600_000));
        map(&many);
    }

    #[test]
    fn degenerate_inputs() {
        assert_eq!(fit(&[]), []);
        let same = [Observed {
            raw: 300_000,
            samples: 10,
            hits: 4,
        }; 40];
        let raws: Vec<_> = fit(&same)
            .iter()
            .map(|k| (k.raw, k.believed.get()))
            .collect();
        assert_eq!(raws, [(0, 0), (300_000, 400_000), (PPM_ONE, PPM_ONE)]);
        // Another scale gets no end points of its own.
        let other = [-5_000_000, -4_000_000, 7_000_000].map(|raw| Observed {
            raw,
            samples: 10,
            hits: 5,
        });
        let fitted = fit(&other);
        assert!(fitted.iter().all(|k| k.situations > 0));
        map(&fitted);
    }
}
