use crate::game::{Memo, Toy};
use crate::play::Play;
use evenhand_contract::{Ask, Game, Knob, PolicyError, Trace, Work};

type Decided = Result<Play, PolicyError>;
type Notes = Trace<Play, Play>;

/// The legal plays, weakest top card first; a pass comes first of all.
pub(super) fn sorted(ask: &Ask<'_, Toy>, memo: &mut Memo) -> Vec<Play> {
    let mut legal = Vec::new();
    Toy::legal(ask.view, memo, &mut legal);
    legal.sort_unstable_by_key(|play| (!play.is_pass(), play.top(), play.size(), play.0));
    legal
}

pub(super) fn first_of(legal: &[Play]) -> Decided {
    match legal.first() {
        Some(&play) => Ok(play),
        None => Err(PolicyError::Other("no legal play".to_owned())),
    }
}

/// The largest play with the weakest card on lead; else the weakest that beats the field.
pub(super) fn easy(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    _: &mut Work<'_>,
    _: &mut Notes,
) -> Decided {
    let legal = sorted(ask, memo);
    if ask.view.field.is_pass() {
        let weakest = ask.view.hand.lowest().unwrap_or(0);
        let with_weakest = legal.iter().filter(|play| play.0.has(weakest));
        return match with_weakest.max_by_key(|play| (play.size(), std::cmp::Reverse(play.top()))) {
            Some(&play) => Ok(play),
            None => first_of(&legal),
        };
    }
    match legal.iter().find(|play| !play.is_pass()) {
        Some(&play) => Ok(play),
        None => first_of(&legal),
    }
}

/// Leads the strongest pair if there is one; follows as `easy`.
pub(super) fn eager(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    work: &mut Work<'_>,
    notes: &mut Notes,
) -> Decided {
    if ask.view.field.is_pass() {
        let legal = sorted(ask, memo);
        if let Some(&pair) = legal.iter().rev().find(|play| play.size() == 2) {
            return Ok(pair);
        }
    }
    easy(ask, memo, work, notes)
}

/// Passes whenever it may; leads its weakest card.
pub(super) fn passer(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    _: &mut Work<'_>,
    _: &mut Notes,
) -> Decided {
    first_of(&sorted(ask, memo))
}

pub(super) const SALT: &[Knob] = &[Knob {
    name: "Salt",
    about: "salts the hash that chooses",
    default: 0,
    low: 0,
    high: 1_000_000,
    step: 1,
}];

/// FNV-1a over what the view holds and a salt: a fixed function of its arguments.
pub(super) fn hash(ask: &Ask<'_, Toy>, salt: i64) -> u64 {
    let view = ask.view;
    let words = [view.hand.0, view.played.0, view.field.0.0, salt as u64];
    words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// A play that a salted hash picks, passes left out.
pub(super) fn scatter(
    ask: &Ask<'_, Toy>,
    memo: &mut Memo,
    _: &mut Work<'_>,
    _: &mut Notes,
) -> Decided {
    let mut legal = sorted(ask, memo);
    if legal.len() > 1 {
        legal.retain(|play| !play.is_pass());
    }
    let pick = (hash(ask, ask.weights[0]) >> 17) % (legal.len().max(1) as u64);
    match legal.get(pick as usize) {
        Some(&play) => Ok(play),
        None => first_of(&legal),
    }
}
