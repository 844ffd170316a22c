//! hard: a finish, a proved line, a guard against fouls, a block; then the best sum of weight x term
//! against the play of easy.

pub(crate) mod knobs;
mod line;
mod prices;
mod terms;
mod tribute;

pub(crate) use tribute::give_back;

use super::simple;
use crate::card::{JOKER_1, JOKER_2, JOKERS, RANKS, rank_cards};
use crate::game::Daifugo;
use crate::ledger::Ledger;
use crate::odds::{Believer, Holders, OddsMemo};
use crate::plan::{Index, NO_FINISH, Part, Piece, Table, pieces, steps};
use crate::play::{Decision, Kind, Play};
use crate::view::View;
use crate::{Memo, Question};
use evenhand_contract::{Ask, Candidate, Cards, PolicyError, Ppm, Seat, Trace, Work};
use line::LineMemo;
use prices::{ByForm, ONE, hold, likely, price, room, seats, unlikely};
use terms::{Terms, total};

/// Rule stages that can be switched off, in the order of their bits.
pub(crate) const STAGES: &[&str] = &["finish", "line", "guard", "block", "score"];
const FINISH: u32 = 1 << 0;
const LINE: u32 = 1 << 1;
const GUARD: u32 = 1 << 2;
const BLOCK: u32 = 1 << 3;
const SCORE: u32 = 1 << 4;

/// Risk from which on a seat that is about to finish is blocked.
const BLOCKED: i64 = 500_000;

/// Up to so many milli-plays in the plan of the hand, leads that all hold are looked at: with more,
/// hardly any row of them reaches the end.
const RUN_WITHIN: i16 = 2500;

/// Buffers that are kept from decision to decision; they hold nothing that one reads.
#[derive(Default)]
pub(crate) struct HardMemo {
    odds: OddsMemo,
    pieces: Vec<Piece>,
    parts: Vec<Part>,
    plans: [Table; 2],
    runs: [Table; 2],
    line: LineMemo,
    holds: [ByForm; 2],
    proofs: [ByForm; 2],
    choices: Vec<Choice>,
}

/// A legal play that is weighed.
#[derive(Clone, Copy, Debug)]
struct Choice {
    piece: Piece,
    /// The price of the cheapest plan for the rest that ends in a normal finish.
    finish: i16,
    /// The price of the cheapest plan for the rest.
    plain: i16,
    /// The chance that leads which all hold end the rest, in thousandths.
    run: i64,
}

impl HardMemo {
    /// What the estimator has counted.
    pub(crate) fn odds(&mut self) -> &mut OddsMemo {
        &mut self.odds
    }
}

type DaifugoTrace = Trace<Decision, Question>;

/// The policy.
pub(crate) fn hard(
    ask: &Ask<'_, Daifugo>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    trace: &mut DaifugoTrace,
) -> Result<Decision, PolicyError> {
    let view = ask.view;
    if ask.weights.len() != knobs::KNOBS.len() {
        return Err(PolicyError::Other(format!(
            "{} weights for {} knobs",
            ask.weights.len(),
            knobs::KNOBS.len()
        )));
    }
    if view.due > 0 {
        trace.stage("return");
        return Ok(give_back(view, memo, work)?);
    }
    let index = Index::new(view.hand);
    let ledger = Ledger::of(view);
    pieces(&index, &mut memo.hard.pieces);
    work.charge(memo.hard.pieces.len() as u64)?;
    let full = index.full();
    let twins = view.hand.has_all(JOKERS);
    // Of two jokers `*2` goes first, so that no play is weighed twice.
    let weighed = |piece: &Piece| {
        let cards = piece.play.cards;
        let twin = twins && cards.has(JOKER_1) && !cards.has(JOKER_2);
        !twin && (view.field.as_ref()).is_none_or(|field| piece.play.beats(field, view.revolution))
    };

    if ask.stages_off & FINISH == 0
        && let Some(last) = (memo.hard.pieces.iter())
            .find(|p| p.mask == full && weighed(p) && !p.play.fouls(view.revolution, view.rules))
    {
        trace.stage("finish");
        return Ok(last.play.decision());
    }
    if ask.stages_off & LINE == 0
        && let Some(play) = sure_line(view, &ledger, full, weighed, &mut memo.hard, work)?
    {
        trace.stage("line");
        return Ok(play.decision());
    }
    let base = match &view.field {
        None => simple::lead(view),
        Some(field) => {
            simple::follow(view.hand, field, view.revolution).map(|play| play.decision())
        }
    };
    let base = base
        .and_then(|decision| decision.play().ok().flatten())
        .map(|play| if twins { with_second_joker(play) } else { play });
    let holders = Holders::of(view, &ledger);
    let mut turn = Turn {
        ask,
        index: &index,
        believer: Believer {
            holders: &holders,
            counts: &view.counts,
            maps: ask.maps,
        },
        active: active(view),
        twins,
    };
    turn.decide(base, weighed, &mut memo.hard, work, trace)
}

/// The other seats that are in the round.
fn active(view: &View) -> u8 {
    ((1u8 << view.players) - 1) & !(view.out() | 1 << view.seat.0)
}

/// The same play with `*2` in place of `*1` alone.
fn with_second_joker(play: Play) -> Play {
    let one = Cards::one(JOKER_1);
    if play.cards & JOKERS == one {
        Play {
            cards: (play.cards - one) | Cards::one(JOKER_2),
            ..play
        }
    } else {
        play
    }
}

/// The first play of a line that nobody can interrupt and that ends in a normal finish.
fn sure_line(
    view: &View,
    ledger: &Ledger,
    full: u16,
    weighed: impl Fn(&Piece) -> bool,
    memo: &mut HardMemo,
    work: &mut Work<'_>,
) -> Result<Option<Play>, PolicyError> {
    let HardMemo {
        pieces,
        line,
        proofs,
        ..
    } = memo;
    let first = |p: &&Piece| p.mask != full && weighed(p) && ledger.holds(&p.play);
    if !pieces.iter().any(|p| first(&p)) {
        return Ok(None);
    }
    proofs.iter_mut().for_each(ByForm::clear);
    let turning = pieces.iter().any(|p| p.play.turns_order());
    line.fill(pieces, full, view.rules, |piece, revolution| {
        // The order does not turn where nothing turns it.
        (turning || revolution == view.revolution)
            && proofs[usize::from(revolution)].get(&piece.play, || {
                u32::from(ledger.holds_as_lead(&piece.play, revolution))
            }) == 1
    });
    work.charge(4 * pieces.len() as u64)?;
    // Whole ranks first: a line of few plays.
    let whole = |p: &&Piece| {
        let rank = p.play.rank;
        p.play.kind == Kind::Set && rank < RANKS && p.play.cards == view.hand & rank_cards(rank)
    };
    let firsts = || pieces.iter().filter(first);
    for piece in firsts().filter(whole).chain(firsts().filter(|p| !whole(p))) {
        let revolution = view.revolution ^ piece.play.turns_order();
        if line.exists(full ^ piece.mask, revolution, work)? {
            return Ok(Some(piece.play));
        }
    }
    Ok(None)
}

/// What one decision is made from, once no line is there.
struct Turn<'a> {
    ask: &'a Ask<'a, Daifugo>,
    index: &'a Index,
    believer: Believer<'a>,
    active: u8,
    twins: bool,
}

impl Turn<'_> {
    fn decide(
        &mut self,
        base: Option<Play>,
        weighed: impl Fn(&Piece) -> bool,
        memo: &mut HardMemo,
        work: &mut Work<'_>,
        trace: &mut DaifugoTrace,
    ) -> Result<Decision, PolicyError> {
        let Ask {
            view, stages_off, ..
        } = *self.ask;
        let full = self.index.full();
        // The order does not turn unless the hand turns it: plans of the other order are needed
        // for what is left after that.
        self.fill_plan(view.revolution, memo, work)?;
        let turning = (memo.pieces.iter()).any(|p| p.play.turns_order() && weighed(p));
        let now = memo.plans[usize::from(view.revolution)].finish(full, view.revolution);
        let with_runs = self.ask.weights[knobs::Run] != 0 && now <= RUN_WITHIN;
        if with_runs {
            self.fill_runs(view.revolution, memo, work)?;
        }
        if turning {
            self.fill_plan(!view.revolution, memo, work)?;
            if with_runs {
                self.fill_runs(!view.revolution, memo, work)?;
            }
        }
        let HardMemo {
            pieces,
            plans,
            runs,
            choices,
            ..
        } = memo;
        choices.clear();
        for piece in pieces.iter().filter(|p| weighed(p)) {
            let rest = full ^ piece.mask;
            let after = view.revolution ^ piece.play.turns_order();
            let plan = &plans[usize::from(after)];
            let (finish, plain) = match rest {
                0 if !piece.play.fouls(view.revolution, view.rules) => (0, 0),
                0 => (NO_FINISH, 0),
                _ => (plan.finish(rest, after), plan.plain(rest)),
            };
            let run = match with_runs && rest != 0 && finish < NO_FINISH {
                true => likely(runs[usize::from(after)].finish(rest, after)),
                false => 0,
            };
            choices.push(Choice {
                piece: *piece,
                finish,
                plain,
                run,
            });
        }
        work.charge(choices.len() as u64)?;
        let can_finish = now < NO_FINISH;
        let follows = view.field.is_some();
        if stages_off & GUARD == 0 {
            if can_finish {
                if follows || choices.iter().any(|c| c.finish < NO_FINISH) {
                    choices.retain(|c| c.finish < NO_FINISH);
                }
            } else {
                // Nothing finishes normally in this order. Whoever stays in the round comes before
                // whoever fouls, so cards are kept, and the lead is given away.
                trace.stage("guard");
                if follows {
                    return Ok(Decision::Pass);
                }
                if let Some(play) = self.keep_cards(memo, work)? {
                    return Ok(play.decision());
                }
            }
            if memo.choices.is_empty() {
                trace.stage("guard");
                return Ok(Decision::Pass);
            }
        }
        if stages_off & BLOCK == 0
            && let Some(play) = self.block(now, memo, work)?
        {
            trace.stage("block");
            return Ok(play.decision());
        }
        let base = self.base(base, &memo.choices);
        if stages_off & SCORE != 0 {
            trace.stage("easy");
            return match base {
                Some(choice) => Ok(choice.piece.play.decision()),
                None => Err(PolicyError::Other("there is nothing to play".to_owned())),
            };
        }
        trace.stage("score");
        self.score(base, can_finish, memo, work, trace)
    }

    /// The play of easy, or its choice among what is left of the plays.
    fn base(&self, easy: Option<Play>, choices: &[Choice]) -> Option<Choice> {
        let revolution = self.ask.view.revolution;
        let same = choices.iter().find(|c| Some(c.piece.play) == easy);
        let lead = self.ask.view.field.is_none();
        // The weakest; on a lead the most cards of it, of equals the fewest jokers.
        let weakest = choices.iter().min_by_key(|c| {
            let play = &c.piece.play;
            let size = if lead { u32::MAX - play.size() } else { 0 };
            (
                play.jokers() > 0,
                play.strength(revolution),
                play.jokers(),
                size,
            )
        });
        same.or(weakest).copied()
    }

    /// Fills the plan of the hand for plays that are led in this order.
    fn fill_plan(
        &self,
        revolution: bool,
        memo: &mut HardMemo,
        work: &mut Work<'_>,
    ) -> Result<(), PolicyError> {
        let HardMemo {
            odds,
            pieces,
            parts,
            plans,
            holds,
            ..
        } = memo;
        let view = self.ask.view;
        let holds = &mut holds[usize::from(revolution)];
        holds.clear();
        parts.clear();
        for piece in &*pieces {
            let chance = holds.try_get(&piece.play, || {
                hold(
                    &self.believer,
                    self.active,
                    &piece.play,
                    revolution,
                    odds,
                    work,
                )
                .map(|hold| hold.get() as u32)
            })?;
            let room = room(&piece.play, revolution);
            parts.push(piece.part(price(self.ask.weights, chance, room), view.rules));
        }
        let cards = view.hand.len() as usize;
        work.charge(steps(cards, parts))?;
        plans[usize::from(revolution)].fill(cards, 0, self.twins, revolution, parts);
        Ok(())
    }

    /// Fills the table of leads that all hold, once the plan of this order is there.
    fn fill_runs(
        &self,
        revolution: bool,
        memo: &mut HardMemo,
        work: &mut Work<'_>,
    ) -> Result<(), PolicyError> {
        let HardMemo {
            pieces,
            parts,
            runs,
            holds,
            ..
        } = memo;
        let view = self.ask.view;
        let holds = &holds[usize::from(revolution)];
        parts.clear();
        parts.extend(pieces.iter().map(|piece| {
            let hold = holds.known(&piece.play);
            piece.part(unlikely(hold), view.rules)
        }));
        let cards = view.hand.len() as usize;
        work.charge(steps(cards, parts))?;
        runs[usize::from(revolution)].fill(cards, 0, self.twins, revolution, parts);
        Ok(())
    }

    /// Leading with nothing that finishes normally: the fewest cards that leave some, of those the
    /// play that is least likely to keep the lead.
    fn keep_cards(
        &self,
        memo: &mut HardMemo,
        work: &mut Work<'_>,
    ) -> Result<Option<Play>, PolicyError> {
        let HardMemo { odds, choices, .. } = memo;
        let (active, revolution) = (self.active, self.ask.view.revolution);
        let full = self.index.full();
        let mut best: Option<(u32, Ppm, Play)> = None;
        for play in choices
            .iter()
            .filter(|c| c.piece.mask != full)
            .map(|c| c.piece.play)
        {
            let hold = hold(&self.believer, active, &play, revolution, odds, work)?;
            if best.is_none_or(|(cards, chance, _)| (play.size(), hold) < (cards, chance)) {
                best = Some((play.size(), hold, play));
            }
        }
        Ok(best.map(|(_, _, play)| play))
    }

    /// Following: the play that lowers most the risk that a seat with just as many cards as the
    /// field finishes on it, where that risk is one half or more; of plays that lengthen no plan.
    fn block(
        &self,
        now: i16,
        memo: &mut HardMemo,
        work: &mut Work<'_>,
    ) -> Result<Option<Play>, PolicyError> {
        let view = self.ask.view;
        let Some(field) = &view.field else {
            return Ok(None);
        };
        let size = field.size() as u8;
        let HardMemo { odds, choices, .. } = memo;
        let mut worst: Option<(Ppm, Seat)> = None;
        for seat in seats(view.answering()).filter(|&seat| view.counts[seat] == size) {
            let risk = self.finishing(seat, field, view.revolution, odds, work)?;
            if risk.get() >= BLOCKED && worst.is_none_or(|(most, _)| risk > most) {
                worst = Some((risk, seat));
            }
        }
        let Some((most, seat)) = worst else {
            return Ok(None);
        };
        let mut best: Option<(Ppm, u8, Play)> = None;
        for choice in &*choices {
            if choice.finish > now {
                continue;
            }
            let play = choice.piece.play;
            let risk = match play.is_eight_cut() {
                true => Ppm::ZERO,
                false => {
                    let after = view.revolution ^ play.turns_order();
                    self.finishing(seat, &play, after, odds, work)?
                }
            };
            let strength = play.strength(view.revolution);
            if risk < most && best.is_none_or(|(r, s, _)| (risk, strength) < (r, s)) {
                best = Some((risk, strength, play));
            }
        }
        Ok(best.map(|(_, _, play)| play))
    }

    /// The chance that a seat whose whole hand is one play of the field's kind finishes normally by
    /// beating it: that it can beat the field, but not only with cards that make it a foul.
    fn finishing(
        &self,
        seat: Seat,
        play: &Play,
        revolution: bool,
        odds: &mut OddsMemo,
        work: &mut Work<'_>,
    ) -> Result<Ppm, PolicyError> {
        let (_, risk) = self.believer.risk(seat, play, revolution, odds, work)?;
        let Some(top) = terms::below_top(play, revolution) else {
            return Ok(Ppm::ZERO);
        };
        // Of what beats it, the top rank and jokers would be fouls.
        let (_, foul) = self.believer.risk(seat, &top, revolution, odds, work)?;
        Ok(Ppm::clamped(risk.get() - foul.get()))
    }

    fn score(
        &self,
        base: Option<Choice>,
        can_finish: bool,
        memo: &mut HardMemo,
        work: &mut Work<'_>,
        trace: &mut DaifugoTrace,
    ) -> Result<Decision, PolicyError> {
        let Ask { view, weights, .. } = *self.ask;
        let full = self.index.full();
        let now = match (&memo.plans[usize::from(view.revolution)], can_finish) {
            (plan, true) => plan.finish(full, view.revolution),
            (plan, false) => plan.plain(full),
        };
        let Some(base) = base else {
            return Err(PolicyError::Other("there is nothing to play".to_owned()));
        };
        let HardMemo { odds, choices, .. } = memo;
        let all = trace.wants_predictions();
        let terms = |choice: &Choice| {
            let after = if can_finish {
                choice.finish
            } else {
                choice.plain
            };
            Terms::of(
                view,
                &choice.piece.play,
                i64::from(now),
                i64::from(after),
                choice.run,
            )
        };
        let base_terms = terms(&base);
        let base_control = self.control(&base.piece.play, odds, work, trace)?;
        let base_total = total(weights, &base_terms.with(base_control));
        let margin = weights[knobs::Margin] * ONE;
        // Whatever replaces it must reach this, and beat the best of them.
        let floor = base_total + margin;
        let mut best = (base_total, base.piece.play.decision());
        let mut found = i64::MIN;
        record(
            trace,
            Some(&base.piece.play),
            weights,
            &base_terms.with(base_control),
        );
        if view.field.is_some() {
            record(trace, None, weights, &Terms::PASS);
            if 0 >= floor {
                best = (0, Decision::Pass);
                found = 0;
            }
        }
        for choice in choices.iter().filter(|c| c.piece.play != base.piece.play) {
            let without = terms(choice);
            let most = without.most(weights);
            if !all && (most < floor || most <= found) {
                continue;
            }
            let play = &choice.piece.play;
            let control = self.control(play, odds, work, trace)?;
            let terms = without.with(control);
            let sum = total(weights, &terms);
            record(trace, Some(play), weights, &terms);
            if sum >= floor && sum > found {
                found = sum;
                best = (sum, play.decision());
            }
        }
        Ok(best.1)
    }

    /// The chance that a play holds the field now, in thousandths.
    fn control(
        &self,
        play: &Play,
        odds: &mut OddsMemo,
        work: &mut Work<'_>,
        trace: &mut DaifugoTrace,
    ) -> Result<i64, PolicyError> {
        let view = self.ask.view;
        if play.clears(view.field.as_ref()) {
            return Ok(ONE);
        }
        let revolution = view.revolution ^ play.turns_order();
        let mut all = Ppm::ONE;
        for seat in seats(view.answering()) {
            let question = Question {
                seat,
                play: *play,
                revolution,
                count: view.counts[seat],
            };
            let risk = self.believer.predict(question, odds, work, trace)?;
            all = all.and(risk.not());
        }
        Ok(all.get() * ONE / Ppm::ONE.get())
    }
}

/// Writes a candidate into a full trace.
fn record(trace: &mut DaifugoTrace, play: Option<&Play>, weights: &[i64], terms: &Terms) {
    if !trace.full() {
        return;
    }
    let names = knobs::KNOBS.iter().map(|knob| knob.name);
    trace.candidates.push(Candidate {
        decision: play.map_or(Decision::Pass, |play| play.decision()),
        total: total(weights, terms),
        terms: names.zip(terms.values()).collect(),
        facts: Vec::new(),
    });
}

#[cfg(test)]
mod tests;
