//! Where candidate and incumbent play differently, and what came of it.

use evenhand_artifact::{Position, Value, canonical};
use evenhand_cli::without_null;
use evenhand_contract::{
    Border, BySeat, Game, Policy, Seat, SeedId, Setup, Split, Stream, Trace, TraceLevel, Work,
    decide,
};
use evenhand_sim::{Decided, Observer, Place, Round, Seated, Side, Workspace, play_round};

/// How many of the best and of the worst are kept.
pub const KEPT: usize = 10;

/// Positions of a run where the two differ.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// The best, then the worst, by falling gain.
    pub kept: Vec<Position>,
    /// How many there were.
    pub found: u64,
}

/// A value of the border as a document's value: documents know no null, so a field without a value
/// is left out, as views allow.
///
/// # Errors
/// When the value holds what no document can, such as a fraction.
pub(crate) fn value(json: &evenhand_contract::Json) -> anyhow::Result<Value> {
    let text = without_null(json).to_string();
    Ok(canonical::parse_any("view", text.as_bytes())?)
}

/// Looks for the first decision of a round that the incumbent would take differently.
struct First<'a, G: Game> {
    incumbent: &'a Policy<G>,
    memo: G::Memo,
    focal: Seat,
    found: Option<(G::View, G::Decision, G::Decision)>,
}

impl<G: Border> Observer<G> for First<'_, G> {
    fn decision(&mut self, _at: &Place, decided: &Decided<'_, G>) {
        if self.found.is_some() || decided.seat != self.focal {
            return;
        }
        let mut work = Work::units(G::WORK_LIMIT);
        let mut trace = Trace::new(TraceLevel::Off);
        let other = decide(
            self.incumbent,
            decided.view,
            &mut self.memo,
            &mut work,
            &mut trace,
        );
        if let Ok(other) = other
            && other.decision != decided.outcome.decision
        {
            let view = decided.view.clone();
            self.found = Some((view, decided.outcome.decision, other.decision));
        }
    }
}

/// Plays each deal with the incumbent in all seats, and once for every seat with the candidate in
/// it. Up to its first different decision the round is the same, so what the seat gains over the
/// round of incumbents is what came of that decision and of those after it. What a round hands on
/// to the next one is the incumbents'.
///
/// # Errors
/// When a round fails, or a view cannot be kept in a record.
pub fn differences<G: Border>(
    setup: &Setup<G>,
    candidate: &Policy<G>,
    incumbent: &Policy<G>,
    split: Split,
    seeds: &[SeedId],
    rounds: u32,
) -> anyhow::Result<Differences> {
    let seated = Seated {
        setup,
        policies: [candidate, incumbent],
        work_limit: G::WORK_LIMIT,
    };
    let mut found: Vec<Position> = Vec::new();
    let mut workspace = Workspace::new(setup.players);
    for &seed in seeds {
        let mut carry = G::Carry::default();
        for number in 1..=rounds {
            let mut stream = Stream::deal(G::NAME, setup.players, split, seed, number);
            let deal = G::deal(setup, &mut stream);
            let round = |sides, arrangement| Round {
                at: Place {
                    split,
                    seed,
                    arrangement,
                    round: number,
                    sides,
                },
                deal: &deal,
                carry: &carry,
            };
            let all = BySeat::filled(setup.players, Side::B);
            let mut nothing = evenhand_sim::NoObserver;
            let end = play_round(&seated, &round(all, 0), &mut workspace, &mut nothing)?;
            let without = G::settlement(end);
            let next = G::carry(end);
            for focal in Seat::all(setup.players) {
                let mut sides = all;
                sides[focal] = Side::A;
                let mut first = First {
                    incumbent,
                    memo: G::Memo::default(),
                    focal,
                    found: None,
                };
                let at = round(sides, u32::from(focal.0));
                let end = play_round(&seated, &at, &mut workspace, &mut first)?;
                let gain = G::settlement(end)[focal] - without[focal];
                if let Some((view, mine, other)) = first.found {
                    found.push(Position {
                        place: format!("seed {seed}, round {number}, seat {focal}"),
                        view: value(&G::view_json(&view))?,
                        candidate: G::decision_text(&mine),
                        incumbent: G::decision_text(&other),
                        gain: Some(gain),
                    });
                }
            }
            carry = next;
        }
    }
    let total = found.len();
    found.sort_by_key(|p| std::cmp::Reverse(p.gain));
    if total > 2 * KEPT {
        found.drain(KEPT..total - KEPT);
    }
    Ok(Differences {
        kept: found,
        found: total as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_without_a_value_is_left_out_and_the_rest_stays() {
        let view = serde_json::json!({
            "hand": "3C 4D", "field": "-", "field_owner": null, "counts": [1, 2],
        });
        let kept = canonical::to_text(&value(&view).expect("it can be kept"));
        for part in ["3C 4D", "counts", "\"-\""] {
            assert!(kept.contains(part), "{kept}");
        }
        assert!(!kept.contains("field_owner"), "{kept}");
        assert!(value(&serde_json::json!({ "share": 0.5 })).is_err());
    }
}
