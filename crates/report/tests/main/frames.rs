use crate::sample;
use evenhand_report::{ReportError, parquet, sums};
use std::collections::BTreeSet;
use std::process::Command;

/// What a fresh process prints: digest-like text of the bytes and of the sums.
const CHILD: &str = "EVENHAND_REPORT_CHILD";

#[test]
fn a_child_prints_its_bytes() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let bytes = parquet(&sample::rows()).unwrap();
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3)
    });
    println!(
        "RESULT {} {hash:016x} {:?}",
        bytes.len(),
        sums("results.parquet", &bytes).unwrap()
    );
}

#[test]
fn fifty_fresh_processes_and_any_thread_count_agree() {
    let program = std::env::current_exe().unwrap();
    let mut seen = BTreeSet::new();
    for i in 0..50 {
        let threads = ["1", "2", "3", "8"][i % 4];
        let out = Command::new(&program)
            .args(["--exact", "frames::a_child_prints_its_bytes", "--nocapture"])
            .env(CHILD, "1")
            .env("POLARS_MAX_THREADS", threads)
            .output()
            .unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        let at = text.find("RESULT ").expect("the child answers");
        seen.insert(text[at..].lines().next().unwrap().to_owned());
    }
    assert_eq!(seen.len(), 1, "{seen:#?}");
}

#[test]
fn sums_come_back_exact() {
    let rows = sample::rows();
    let groups = sums("results.parquet", &parquet(&rows).unwrap()).unwrap();
    assert_eq!(groups.len(), 3);
    for ((cell, opponent), group) in &groups {
        let mine: Vec<_> = rows
            .iter()
            .filter(|r| r.cell == *cell && r.opponent == *opponent)
            .collect();
        assert_eq!(group.seeds, mine.len() as u64);
        assert_eq!(
            group.sums["a_settlement"],
            mine.iter().map(|r| r.a.settlement).sum::<i64>()
        );
        assert_eq!(
            group.sums["b_decisions"],
            mine.iter().map(|r| r.b.decisions as i64).sum::<i64>()
        );
        // Beyond 2^53, where a float would round.
        let exact: i64 = mine.iter().map(|r| r.a.metrics[0].1).sum();
        assert!(exact > 1 << 53);
        assert_eq!(group.sums["a_metric_tiles_left"], exact);
        assert!(!group.sums.contains_key("a_work_max") && !group.sums.contains_key("players"));
    }
}

#[test]
fn extremes_survive_the_file() {
    let mut rows = sample::rows();
    rows.truncate(1);
    rows[0].a.settlement = i64::MIN;
    rows[0].b.settlement = i64::MAX;
    let groups = sums("results.parquet", &parquet(&rows).unwrap()).unwrap();
    let sums_of = &groups.values().next().unwrap().sums;
    assert_eq!(
        (sums_of["a_settlement"], sums_of["b_settlement"]),
        (i64::MIN, i64::MAX)
    );
    rows.push(rows[0].clone());
    let too_much = sums("results.parquet", &parquet(&rows).unwrap());
    assert!(
        matches!(too_much, Err(ReportError::Overflow { .. })),
        "{too_much:?}"
    );
}

#[test]
fn a_cut_file_is_refused_by_name() {
    let bytes = parquet(&sample::rows()).unwrap();
    let cuts = (0..10)
        .map(|tenth| bytes.len() * tenth / 10)
        .chain([bytes.len() - 1]);
    for cut in cuts {
        let refused = sums("results.parquet", &bytes[..cut]).expect_err("a cut file is no file");
        assert!(
            refused.to_string().starts_with("results.parquet: "),
            "{cut}: {refused}"
        );
    }
}

#[test]
fn rows_of_two_games_are_refused_and_no_rows_are_fine() {
    let mut rows = sample::rows();
    rows[7].b.metrics.pop();
    assert!(matches!(
        parquet(&rows),
        Err(ReportError::Metrics { row: 7 })
    ));
    assert!(
        sums("results.parquet", &parquet(&[]).unwrap())
            .unwrap()
            .is_empty()
    );
}
