//! The captures that are kept beside experiments are fixtures: played again, every position comes
//! out as it was, decision and term table of both sides.

use evenhand_lab::capture::{load_fixture, replay};
use evenhand_lexio::Lexio;
use std::path::Path;

#[test]
fn kept_captures_replay() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut played = 0;
    for entry in std::fs::read_dir(experiments).unwrap() {
        let folder = entry.unwrap().path();
        let file = folder.join("captures/captures.json");
        if !file.is_file() {
            continue;
        }
        let doc = load_fixture(&file).unwrap();
        let moved = match doc.game.as_str() {
            "lexio" => replay::<Lexio>(&doc).unwrap(),
            other => panic!("{}: nobody replays {other}", file.display()),
        };
        assert!(
            moved.is_empty(),
            "{}: {} of its decisions or terms moved, first: {}. If play was meant to change, take \
             the captures again (experiments/README.md)",
            file.display(),
            moved.len(),
            moved[0]
        );
        assert!(doc.worst.len() == 10 && doc.best.len() == 10);
        played += 1;
    }
    assert!(played > 0);
}
