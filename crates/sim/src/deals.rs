use crate::hex;
use crate::seeds::{Seeds, SplitKind};
use evenhand_contract::{Border, Setup, Stream};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// SHA-256, as hex text, of each deal of these seeds: round 1 to `rounds` of the first seed, then
/// of the next. The cards alone decide it, whatever split and seed they came from.
#[must_use]
pub fn deal_hashes<G: Border, S: SplitKind>(
    setup: &Setup<G>,
    seeds: &Seeds<S>,
    rounds: u32,
) -> Vec<String> {
    let mut hashes = Vec::new();
    for &seed in seeds.ids() {
        for round in 1..=rounds {
            let mut stream = Stream::deal(G::NAME, setup.players, S::SPLIT, seed, round);
            let deal = G::deal(setup, &mut stream);
            let text = G::deal_json(&G::start(setup, &deal, &G::Carry::default())).to_string();
            hashes.push(hex(&Sha256::digest(text.as_bytes())));
        }
    }
    hashes
}

/// The deals that stand in both lists; empty when the two never met.
#[must_use]
pub fn shared_deals(some: &[String], others: &[String]) -> Vec<String> {
    let known: BTreeSet<&String> = some.iter().collect();
    let met: BTreeSet<&String> = others.iter().filter(|deal| known.contains(deal)).collect();
    met.into_iter().cloned().collect()
}
