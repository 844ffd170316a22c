use super::simple::{first_of, sorted};
use crate::estimate::{opponents, raw};
use crate::game::{Memo, Toy};
use crate::play::Play;
use evenhand_contract::{
    Ask, Candidate, Estimates, Knob, Line, PPM_ONE, PolicyError, Prediction, Trace, Work,
};

const fn knob(name: &'static str, about: &'static str, default: i64, step: i64) -> Knob {
    Knob {
        name,
        about,
        default,
        low: -4_000,
        high: 4_000,
        step,
    }
}

/// Places in the table.
const SHED: usize = 0;
const LEAD: usize = 1;
const SPEND: usize = 2;
const TIE: usize = 4;

pub(super) const KNOBS: &[Knob] = &[
    knob("Shed", "cards that leave the hand", -1_000, 800),
    knob(
        "Lead",
        "chance that nobody beats the play, in thousandths",
        0,
        400,
    ),
    knob("Spend", "strength of the top card spent, in ranks", 0, 200),
    knob("Idle", "read by no decision", 0, 200),
    knob(
        "Tie",
        "odd top cards first, only between equal totals",
        0,
        200,
    ),
];

/// Rule stages that can be switched off.
pub(super) const STAGES: &[&str] = &["out"];

/// The best total over every legal play; equal totals play the weaker one, a pass first.
pub(super) fn smart(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut Trace<Play, Play>,
) -> Result<Play, PolicyError> {
    let view = ask.view;
    let legal = sorted(ask, memo);
    let out = legal.iter().find(|play| play.size() == view.hand.len());
    if let (Some(&play), 0) = (out, ask.stages_off & 1) {
        trace.stage("out");
        if let Some(line) = &mut trace.line {
            line.state();
        }
        return Ok(play);
    }
    trace.stage("score");
    let mut best: Option<(i64, Play)> = None;
    let place = trace.line.map(|line| line.place());
    let mut scores: Vec<(i64, i64, Play)> = Vec::new();
    for &play in &legal {
        work.charge(1)?;
        let beaten = if play.is_pass() {
            PPM_ONE
        } else {
            let raw = raw(view, play, memo, work)?;
            let believed = ask.maps.apply(Toy::kind(&play), raw);
            if trace.wants_predictions() {
                trace.predictions.push(Prediction {
                    question: play,
                    raw,
                    believed,
                });
            }
            believed.get()
        };
        let lowest = opponents(view).map(|s| view.counts[s]).min().unwrap_or(0);
        let hurry = if lowest <= 2 { 2 } else { 1 };
        let terms = [
            ("Shed", i64::from(play.size()) * hurry),
            ("Lead", (PPM_ONE - beaten) / 1_000),
            ("Spend", i64::from(play.top() / view.players)),
            ("Tie", i64::from(!play.is_pass() && play.top() % 2 == 1)),
        ];
        // Weights are thousandths of points; a tie-break weighs less than one of them.
        let scored = ask.weights[SHED] * terms[0].1 * 1_000
            + ask.weights[LEAD] * terms[1].1
            + ask.weights[SPEND] * terms[2].1 * 1_000;
        let total = scored * 10_000 + ask.weights[TIE] * terms[3].1;
        if trace.full() {
            trace.candidates.push(Candidate {
                decision: play,
                total,
                terms: terms.to_vec(),
                facts: vec![("beaten_ppm", beaten)],
            });
        }
        if let Some(place) = place {
            let slope = match place {
                SHED => terms[0].1 * 10_000_000,
                LEAD => terms[1].1 * 10_000,
                SPEND => terms[2].1 * 10_000_000,
                TIE => terms[3].1,
                _ => 0,
            };
            scores.push((total, slope, play));
        }
        if best.is_none_or(|(top, _)| total > top) {
            best = Some((total, play));
        }
    }
    if let (Some(line), Some((total, chosen))) = (&mut trace.line, best) {
        certify(line, &scores, total, chosen);
    }
    match best {
        Some((_, play)) => Ok(play),
        None => first_of(&legal),
    }
}

/// Narrows a line to the values on which `chosen` stays ahead; of equal totals the earlier wins.
fn certify(line: &mut Line, scores: &[(i64, i64, Play)], total: i64, chosen: Play) {
    line.state();
    let Some(at) = scores.iter().position(|(_, _, play)| *play == chosen) else {
        return line.collapse();
    };
    let slope = scores[at].1;
    for (place, (other, their, _)) in scores.iter().enumerate() {
        if place != at {
            line.hold(total - other, slope - their, i64::from(place < at));
        }
    }
}
