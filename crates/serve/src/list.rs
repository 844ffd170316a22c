//! `--list`: the policies of each game, in a fixed order.

use evenhand_bot::policies;
use serde::Serialize;

/// One line a policy: game, name, how it plays.
pub(crate) fn text() -> String {
    let all = policies();
    let width = |of: fn(&evenhand_bot::Listed) -> &str| all.iter().map(|l| of(l).len()).max();
    let game = width(|l| l.game).unwrap_or(0);
    let policy = width(|l| l.policy).unwrap_or(0);
    let lines = all
        .iter()
        .map(|l| format!("{:game$}  {:policy$}  {}\n", l.game, l.policy, l.about));
    lines.collect()
}

#[derive(Serialize)]
struct Row {
    game: &'static str,
    policy: &'static str,
    about: &'static str,
}

/// The same as a JSON list.
pub(crate) fn json() -> anyhow::Result<String> {
    let rows: Vec<Row> = policies()
        .into_iter()
        .map(|l| Row {
            game: l.game,
            policy: l.policy,
            about: l.about,
        })
        .collect();
    Ok(serde_json::to_string_pretty(&rows)?)
}
