//! A parallel map whose result does not depend on how many threads compute it.

use rayon::prelude::*;

/// `f` of each number below `count`, in order, computed by `workers` threads (at least one).
///
/// `scratch` makes what a thread reuses between items; `f` must give the same for an item
/// whatever the scratch has seen before, so that neither the number of threads nor the schedule
/// can change a result. Where threads cannot be started the caller's thread does the work.
///
/// # Panics
/// When `f` does.
pub fn par_map<S, R: Send>(
    count: usize,
    workers: usize,
    scratch: impl Fn() -> S + Sync + Send,
    f: impl Fn(&mut S, usize) -> R + Sync + Send,
) -> Vec<R> {
    let alone = || {
        let mut own = scratch();
        (0..count).map(|i| f(&mut own, i)).collect()
    };
    if workers <= 1 || count <= 1 {
        return alone();
    }
    match rayon::ThreadPoolBuilder::new().num_threads(workers).build() {
        Ok(pool) => pool.install(|| {
            let items = (0..count).into_par_iter();
            items.map_init(&scratch, |own, i| f(own, i)).collect()
        }),
        Err(_) => alone(),
    }
}

#[cfg(test)]
mod tests {
    use super::par_map;

    #[test]
    fn any_number_of_workers_gives_the_same_list() {
        let expected: Vec<u64> = (0..1000).map(|i| i * i % 7).collect();
        for workers in [0, 1, 2, 3, 5, 7, 8] {
            let got = par_map(1000, workers, Vec::new, |own: &mut Vec<u64>, i| {
                own.push(i as u64);
                let last = own[own.len() - 1];
                last * last % 7
            });
            assert_eq!(got, expected, "{workers} workers");
        }
        assert_eq!(par_map(0, 4, || (), |(), i| i), Vec::<usize>::new());
    }
}
