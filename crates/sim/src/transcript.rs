use crate::observe::{Observer, Place};
use evenhand_contract::{Border, BySeat, Json, Policy, Seat, SeedId, Setup};
use serde_json::json;

/// Writes one JSON line a round.
pub struct TranscriptLines<'a, G: Border> {
    setup: &'a Setup<G>,
    names: [&'static str; 2],
    deal: Json,
    moves: Vec<Json>,
    /// The finished lines, each with its line feed.
    pub text: String,
}

impl<'a, G: Border> TranscriptLines<'a, G> {
    /// Nothing yet, for matches of A against B.
    #[must_use]
    pub fn new(setup: &'a Setup<G>, a: &Policy<G>, b: &Policy<G>) -> Self {
        Self {
            setup,
            names: [a.row.name, b.row.name],
            deal: Json::Null,
            moves: Vec::new(),
            text: String::new(),
        }
    }
}

impl<G: Border> Observer<G> for TranscriptLines<'_, G> {
    fn round_start(&mut self, _at: &Place, start: &G::State) {
        self.deal = G::deal_json(start);
        self.moves.clear();
    }

    fn moved(&mut self, _at: &Place, seat: Seat, decision: &G::Decision) {
        self.moves.extend(G::move_json(seat, decision));
    }

    fn round_end(&mut self, at: &Place, end: &G::State, settlement: &BySeat<i64>) {
        let deal = std::mem::take(&mut self.deal);
        let moves = std::mem::take(&mut self.moves);
        let line = transcript_line(self.setup, self.names, at, deal, moves, end, settlement);
        self.text.push_str(&line);
        self.text.push('\n');
    }
}

/// One round as a transcript line, without its line feed.
#[must_use]
pub fn transcript_line<G: Border>(
    setup: &Setup<G>,
    names: [&str; 2],
    at: &Place,
    mut deal: Json,
    mut moves: Vec<Json>,
    end: &G::State,
    settlement: &BySeat<i64>,
) -> String {
    if !G::writes_last_move(end) {
        moves.pop();
    }
    if let Some(fields) = deal.as_object_mut() {
        let by_play = G::deal_by_play_json(end).into_iter();
        fields.extend(by_play.map(|(name, value)| (name.to_owned(), value)));
    }
    let seed = match at.seed {
        SeedId::Number(number) => json!(number),
        SeedId::Minted(_) => json!(at.seed.to_string()),
    };
    let policies: Vec<_> = at
        .sides
        .iter()
        .map(|(_, &side)| names[side as usize])
        .collect();
    let mut line = json!({
        "format": "evenhand-transcript/1",
        "game": G::NAME,
        "players": setup.players,
        "ruleset": setup.rules.to_string(),
        "seed": seed,
        "split": at.split.name(),
        "arrangement": at.arrangement,
        "round": at.round,
        "policies": policies,
        "deal": deal,
        "moves": moves,
        "settlement": settlement.as_slice(),
    });
    if let Some(fields) = line.as_object_mut() {
        for (name, value) in G::round_json(end) {
            fields.insert(name.to_owned(), value);
        }
    }
    line.to_string()
}
