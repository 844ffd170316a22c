//! Held-out seeds: minted from the candidate, so that none of them existed before it was fixed.

use evenhand_contract::SeedId;

/// The seeds of one cell: `seed_i = H("held-out", candidate digest, cell, salt, i)`, where `H` is
/// SHA-256 over one line a part.
///
/// # Errors
/// Never with a sound digest function; the type stays honest about parsing its hex text.
pub fn minted(
    candidate: &str,
    cell: &str,
    salt: &str,
    count: u32,
) -> Result<Vec<SeedId>, evenhand_contract::SeedError> {
    (0..count)
        .map(|i| {
            // The salt is the one part a person writes: its length keeps it from posing as a line.
            let text = format!(
                "evenhand/held-out/1\ncandidate={candidate}\ncell={cell}\nsalt={} {salt}\ni={i}\n",
                salt.len()
            );
            evenhand_artifact::digest_of(text).parse()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_part_decides_and_nothing_repeats() {
        let mut all = BTreeSet::new();
        let parts = [
            ("a", "rounds=3", ""),
            ("b", "rounds=3", ""),
            ("a", "rounds=5", ""),
            ("a", "rounds=3", "run 7"),
            ("a", "rounds=3", "\ni=0"),
        ];
        for (candidate, cell, salt) in parts {
            all.extend(minted(candidate, cell, salt, 100).unwrap());
        }
        assert_eq!(all.len(), 500);
        let longer = minted("a", "rounds=3", "", 200).unwrap();
        assert_eq!(longer[..100], minted("a", "rounds=3", "", 100).unwrap());
    }

    #[test]
    fn golden() {
        let seeds = minted("0", "players=5 rounds=3", "", 1).unwrap();
        let text = "evenhand/held-out/1\ncandidate=0\ncell=players=5 rounds=3\nsalt=0 \ni=0\n";
        assert_eq!(seeds[0].to_string(), evenhand_artifact::digest_of(text));
    }
}
