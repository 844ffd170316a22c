//! The driver over journal entries, without a game.

use evenhand_tune::{Against, Axis, Entry, JournalError, Problem, Proposal, Rules, drive, gather};

fn problem() -> Problem {
    let axis = |name: &str| Axis {
        name: name.to_owned(),
        low: -900,
        high: 900,
        step: 200,
    };
    Problem {
        axes: vec![axis("a"), axis("b")],
        rules: Rules {
            sweeps: 3,
            accept_t_milli: 1_000,
            seeds: 12,
            screen: 4,
            max_evaluations: None,
        },
        start: vec![0, 0],
        shares: vec![70, 30],
    }
}

/// The first opponent is beaten by large `a`, the second by small `a` and large `b`.
fn play(p: &Proposal) -> Result<Entry, JournalError> {
    let sums = |peak: [i64; 2]| -> Vec<i64> {
        (p.from..p.to)
            .map(|seed| {
                let far: i64 = p.point.iter().zip(peak).map(|(x, y)| (x - y).pow(2)).sum();
                -far + 97 * (seed as i64 % 5)
            })
            .collect()
    };
    let against = |peak| {
        let sums = sums(peak);
        Against {
            digest: format!("{sums:?}"),
            sums,
            decisions: 10,
            fallbacks: [0; 4],
            work: 1,
            matches: 2,
            rounds: 2,
        }
    };
    Ok(Entry {
        point: p.point.clone(),
        from: p.from,
        to: p.to,
        against: vec![against([600, 300]), against([-400, 300])],
    })
}

#[test]
fn the_mixture_is_climbed_and_a_cut_journal_resumes_to_the_same_lines() {
    let problem = problem();
    let mut whole = Vec::new();
    let walked = drive(&problem, &mut whole, play, |_| Ok(())).unwrap();
    // The mixture peaks at 0.7 x 600 - 0.3 x 400 = 300.
    assert!((walked.best[0] - 300).abs() <= 50 && (walked.best[1] - 300).abs() <= 50);
    for kept in 0..=whole.len() {
        let mut entries = whole[..kept].to_vec();
        let mut added = 0;
        let again = drive(&problem, &mut entries, play, |_| {
            added += 1;
            Ok(())
        });
        assert_eq!(again.unwrap(), walked);
        assert_eq!(entries, whole);
        assert_eq!(
            added,
            whole.len() - kept,
            "what is there is not played again"
        );
    }
}

#[test]
fn entries_that_do_not_add_up_are_refused_by_line() {
    let shares = [70, 30];
    let part = |from, to| {
        play(&Proposal {
            point: vec![1, 2],
            from,
            to,
        })
        .unwrap()
    };
    let good = [part(0, 4), part(4, 12)];
    assert_eq!(
        gather(&good, &shares).unwrap()[&vec![1, 2]].values.len(),
        12
    );
    for wrong in [part(0, 4), part(3, 12), part(5, 12), part(4, 4)] {
        assert_eq!(gather(&[part(0, 4), wrong], &shares).unwrap_err().line, 2);
    }
    let mut short = part(4, 12);
    short.against[1].sums.pop();
    assert_eq!(gather(&[part(0, 4), short], &shares).unwrap_err().line, 2);
    assert_eq!(gather(&good, &[100]).unwrap_err().line, 1);
}
