/// Wall times of decisions, counted in buckets an eighth of an octave wide.
#[derive(Clone, Debug)]
pub(super) struct Times {
    buckets: Vec<u64>,
    count: u64,
    sum: u64,
    max: u64,
}

/// Buckets an octave.
const PARTS: u64 = 8;

impl Default for Times {
    fn default() -> Self {
        Self {
            buckets: vec![0; 64 * PARTS as usize],
            count: 0,
            sum: 0,
            max: 0,
        }
    }
}

/// The bucket of a time: below 8 ns each its own, above it the top four bits of the number.
fn bucket(nanos: u64) -> usize {
    let Some(octave) = nanos.checked_ilog2().filter(|&octave| octave >= 3) else {
        return nanos as usize;
    };
    let part = nanos >> (octave - 3) & (PARTS - 1);
    (u64::from(octave - 2) * PARTS + part) as usize
}

/// The longest time of a bucket.
fn longest(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < PARTS {
        return bucket;
    }
    let shift = bucket / PARTS - 1;
    let first = (PARTS + bucket % PARTS) << shift;
    first + ((1 << shift) - 1)
}

impl Times {
    pub(super) fn add(&mut self, nanos: u64) {
        self.buckets[bucket(nanos)] += 1;
        self.count += 1;
        self.sum = self.sum.saturating_add(nanos);
        self.max = self.max.max(nanos);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (sum, count) in self.buckets.iter_mut().zip(&other.buckets) {
            *sum += count;
        }
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }

    /// The mean in nanoseconds, rounded down; 0 without decisions.
    pub(super) fn mean(&self) -> u64 {
        self.sum / self.count.max(1)
    }

    pub(super) const fn max(&self) -> u64 {
        self.max
    }

    /// A time that `percent` of all do not exceed, at most an eighth too long.
    pub(super) fn percentile(&self, percent: u64) -> u64 {
        let wanted = (self.count * percent).div_ceil(100);
        let mut seen = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return longest(bucket).min(self.max);
            }
        }
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_lies_in_its_bucket() {
        for nanos in (0..5_000).chain([1 << 20, (1 << 40) - 1, 1 << 40, u64::MAX]) {
            let place = bucket(nanos);
            assert!(nanos <= longest(place), "{nanos}");
            assert!(place == 0 || nanos > longest(place - 1), "{nanos}");
            assert!(longest(place) - nanos <= nanos / 8, "{nanos}");
        }
    }

    #[test]
    fn percentiles_of_a_hundred() {
        let mut times = Times::default();
        (1..=100).for_each(|nanos| times.add(nanos * 1_000));
        assert!((50_000..=56_250).contains(&times.percentile(50)));
        assert!((99_000..=100_000).contains(&times.percentile(99)));
        assert_eq!((times.max(), times.mean()), (100_000, 50_500));
        let mut twice = times.clone();
        twice.merge(&times);
        assert_eq!(twice.percentile(50), times.percentile(50));
        assert_eq!(Times::default().percentile(99), 0);
    }
}
