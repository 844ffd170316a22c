use crate::sample;
use evenhand_artifact::Verdict;
use evenhand_report::{Records, ReportInput, render};

/// Checks that tags nest, and returns how often each was opened.
fn tags(html: &str) -> std::collections::BTreeMap<String, usize> {
    const VOID: [&str; 9] = [
        "meta", "link", "br", "line", "circle", "rect", "polyline", "polygon", "!doctype",
    ];
    let (mut open, mut count) = (Vec::new(), std::collections::BTreeMap::new());
    for part in html.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("every tag ends");
        let name = tag.split([' ', '\n', '/']).next().unwrap_or_default();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed), "nesting near <{tag}>");
        } else {
            *count.entry(name.to_owned()).or_insert(0) += 1;
            if !VOID.contains(&name) {
                open.push(name.to_owned());
            }
        }
    }
    assert!(open.is_empty(), "{open:?} left open");
    count
}

#[test]
fn the_page_is_whole_and_offline() {
    let page = render(&sample::input()).unwrap().html;
    let count = tags(&page);
    // Trajectory, cells, ablations, a response per knob, five mapped kinds.
    assert_eq!(count["svg"], 3 + 9 + 5);
    assert_eq!(
        count["title"],
        count["svg"] + 1,
        "every picture has a title"
    );
    assert_eq!(count["desc"], count["svg"]);
    assert!(
        !count.contains_key("script")
            && !count.contains_key("img")
            && !count.contains_key("iframe")
    );
    for fetched in ["src=", "url(", "@import", "http:", "https:"] {
        let found =
            page.matches(fetched).count() - if fetched == "http:" { count["svg"] } else { 0 };
        assert_eq!(found, 0, "{fetched} (the namespace of an SVG aside)");
    }
    assert!(page.contains("name=\"viewport\"") && page.contains("prefers-color-scheme:dark"));
    let ids: Vec<&str> = page
        .split(" id=\"")
        .skip(1)
        .filter_map(|p| p.split('"').next())
        .collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "ids are unique");
    for label in page
        .split("aria-labelledby=\"")
        .skip(1)
        .filter_map(|p| p.split('"').next())
    {
        assert!(label.split(' ').all(|id| ids.contains(&id)), "{label}");
    }
}

#[test]
fn both_texts_say_what_came_out() {
    let report = render(&sample::input()).unwrap();
    for text in [&report.html, &report.markdown] {
        for part in [
            "lexio-5p",
            "The weakest of 8 cells, against incumbent over 5 rounds: +0.02",
            "? inconclusive",
            "+1.84",
            "overstates by selection",
            "5\u{202f}321",
            "exact, so not mapped",
            "5C 5D 9S 10S 11H 12D 2S",
            "no decision changed",
            "Repeat this run",
            "0.8333 %",
            "a paired t of at least 2",
            "ended by its budget",
        ] {
            assert!(text.contains(part), "{part} is missing");
        }
    }
    assert!(report.html.contains("; 1 far worse at the edge"));
    assert!(report.html.contains("<b>10</b><i>S</i>"), "tiles are drawn");
    assert!(report.markdown.contains("3 of 4\u{202f}712 shown."));
    let rows: Vec<&str> = report
        .markdown
        .lines()
        .filter(|l| l.starts_with('|'))
        .collect();
    assert!(rows.iter().all(|r| r.ends_with('|')));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (a, b) = (
        render(&sample::input()).unwrap(),
        render(&sample::input()).unwrap(),
    );
    assert_eq!(a, b);
}

#[test]
fn nothing_from_outside_becomes_markup() {
    let evil = "<script>alert('x')</script>|\"&`*";
    let mut input = sample::input();
    input.title = evil.into();
    input.headline = Some(evil.into());
    input.warning = Some(evil.into());
    input.facts.push((evil.into(), evil.into()));
    input.gates[0].name = evil.into();
    input.gates[0].reason = evil.into();
    input.cells[0].opponent = evil.into();
    input.cells[0].metrics[0].0 = evil.into();
    input.knobs[0].name = evil.into();
    input.knobs[0].flags.push(evil.into());
    input.responses[0].knob = evil.into();
    input.curves[0].name = evil.into();
    input.curves[1].note = evil.into();
    input.ablations[0].name = evil.into();
    input.positions[0].fields[0] = (evil.into(), evil.into());
    input.positions[0].candidate = evil.into();
    input.positions[0].place = evil.into();
    input.notes.push(evil.into());
    let report = render(&input).unwrap();
    tags(&report.html);
    assert!(!report.html.contains("<script") && !report.html.contains("alert('"));
    assert!(!report.markdown.contains("<script"));
}

#[test]
fn an_invalid_run_is_said_to_be_one() {
    let mut validation = sample::validation();
    validation.cells[0].verdict = Verdict::Invalid;
    validation.cells[0].fallbacks.out_of_work = 90_000;
    validation.verdict = Verdict::Invalid;
    let records = Records {
        validation: Some(&validation),
        ..Records::default()
    };
    let report = render(&ReportInput::of(&records)).unwrap();
    for text in [&report.html, &report.markdown] {
        assert!(text.contains("This run is invalid") && text.contains("! invalid"));
        assert!(text.contains("90\u{202f}000 of 1\u{202f}234\u{202f}567"));
    }
}

#[test]
fn what_is_not_there_is_left_out_and_undefined_is_said() {
    let empty = render(&ReportInput {
        title: "nothing yet".into(),
        ..ReportInput::default()
    })
    .unwrap();
    assert_eq!(empty.markdown, "# nothing yet\n");
    assert!(!empty.html.contains("<h2>") && !empty.html.contains("NaN"));
    let mut validation = sample::validation();
    for cell in &mut validation.cells {
        cell.estimate.seeds = 1;
        cell.estimate.interval_micro = None;
        cell.estimate.sd_micro = None;
        cell.metrics[0].b_seat_rounds = 0;
    }
    let report = render(&ReportInput::of(&Records {
        validation: Some(&validation),
        ..Records::default()
    }))
    .unwrap();
    for text in [&report.html, &report.markdown] {
        assert!(
            text.contains("(interval undefined)")
                && text.contains("undefined |") | text.contains(">undefined<")
        );
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}

/// `EVENHAND_SAMPLE=folder cargo test -p evenhand-report` leaves the sample where a browser can look at it.
#[test]
fn a_report_is_published_whole_and_again_alike() {
    let spare = tempfile::tempdir().unwrap();
    let folder =
        std::env::var_os("EVENHAND_SAMPLE").map_or_else(|| spare.path().join("out"), Into::into);
    let report = render(&sample::input()).unwrap();
    for _ in 0..2 {
        report.publish(&folder).unwrap();
        assert_eq!(
            std::fs::read_to_string(folder.join("report.html")).unwrap(),
            report.html
        );
        assert_eq!(
            std::fs::read_to_string(folder.join("report.md")).unwrap(),
            report.markdown
        );
        assert_eq!(
            std::fs::read(folder.join("results.parquet")).unwrap(),
            report.parquet
        );
        assert_eq!(
            std::fs::read_dir(&folder).unwrap().count(),
            3,
            "no temporary file stays"
        );
    }
}
