use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// Version of everything that decides a deal: key text, cipher, bounded sampling, shuffle.
/// Frozen artifacts name it; golden deals fail the build should the stream ever move.
pub const DEAL_STREAM_VERSION: u32 = 1;

/// Seeds that people write are whole numbers up to this one (2^53 - 1), so that every JSON and
/// TOML reader keeps them.
pub const MAX_WRITTEN_SEED: u64 = (1 << 53) - 1;

/// What a stream of deals is for. Streams of different splits never meet, even when their seeds
/// are numerically equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// Weights are searched on these.
    Tuning,
    /// Verdicts come from these; minted from the candidate's digest.
    HeldOut,
    /// Situations and re-deals of the calibration tables.
    Calibration,
    /// `measure`, `ablate`, audits and captures.
    Exploration,
    /// Quick specs and tests; nothing made with these can be frozen.
    Rehearsal,
}

impl Split {
    /// Every split, in declaration order.
    pub const ALL: [Self; 5] = [
        Self::Tuning,
        Self::HeldOut,
        Self::Calibration,
        Self::Exploration,
        Self::Rehearsal,
    ];

    /// The name written into keys and transcripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tuning => "tuning",
            Self::HeldOut => "held-out",
            Self::Calibration => "calibration",
            Self::Exploration => "exploration",
            Self::Rehearsal => "rehearsal",
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What names one deal stream within a split: a number a person wrote, or a minted 256-bit value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SeedId {
    /// A whole number below 2^53.
    Number(u64),
    /// A derived value, written as 64 hex digits.
    Minted([u8; 32]),
}

/// A text or number that is no seed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeedError {
    /// The number is 2^53 or more.
    #[error("seed {0} is too large: seeds are whole numbers from 0 to 9007199254740991 (2^53 - 1)")]
    TooLarge(String),
    /// Neither a whole number nor 64 hex digits.
    #[error(
        "{0:?} is not a seed: expected a whole number from 0 to 9007199254740991, or 64 hex digits"
    )]
    NotASeed(String),
}

impl SeedId {
    /// A seed that a person wrote.
    ///
    /// # Errors
    /// [`SeedError::TooLarge`] at 2^53 and above.
    pub fn number(seed: u64) -> Result<Self, SeedError> {
        if seed > MAX_WRITTEN_SEED {
            return Err(SeedError::TooLarge(seed.to_string()));
        }
        Ok(Self::Number(seed))
    }
}

impl fmt::Display for SeedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) => n.fmt(f),
            Self::Minted(bytes) => bytes.iter().try_for_each(|b| write!(f, "{b:02x}")),
        }
    }
}

impl FromStr for SeedId {
    type Err = SeedError;
    fn from_str(text: &str) -> Result<Self, SeedError> {
        let not_a_seed = || SeedError::NotASeed(text.to_owned());
        if text.len() == 64 {
            let mut bytes = [0; 32];
            for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
                let digits = str::from_utf8(pair).map_err(|_| not_a_seed())?;
                if !pair.iter().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')) {
                    return Err(not_a_seed());
                }
                *byte = u8::from_str_radix(digits, 16).map_err(|_| not_a_seed())?;
            }
            return Ok(Self::Minted(bytes));
        }
        if text.is_empty() || !text.bytes().all(|c| c.is_ascii_digit()) {
            return Err(not_a_seed());
        }
        match text.parse() {
            Ok(n) => Self::number(n),
            Err(_) => Err(SeedError::TooLarge(text.to_owned())),
        }
    }
}

/// The one source of chance: ChaCha8 under a key that a text determines.
///
/// Bounded sampling and the shuffle are our own and pinned by golden vectors, since library
/// shuffles may change between releases. No function of it takes or returns a `usize` range, so
/// 32-bit and 64-bit builds deal alike.
#[derive(Clone)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream under SHA-256 of a versioned, domain-separated text: one `name=value` line a part.
    #[must_use]
    pub fn keyed(domain: &str, parts: &[(&str, &dyn fmt::Display)]) -> Self {
        let mut text = format!("evenhand/{domain}/{DEAL_STREAM_VERSION}\n");
        for (name, value) in parts {
            text.push_str(&format!("{name}={value}\n"));
        }
        let key: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        Self(ChaCha8Rng::from_seed(key))
    }

    /// The stream of one round's deal: a pure function of (game, players, split, seed, round).
    /// Rounds count from 1.
    #[must_use]
    pub fn deal(game: &str, players: u8, split: Split, seed: SeedId, round: u32) -> Self {
        Self::keyed(
            "deal",
            &[
                ("game", &game),
                ("players", &players),
                ("split", &split),
                ("seed", &seed),
                ("round", &round),
            ],
        )
    }

    /// The next 32 bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A uniform number below `bound` (Lemire's multiply-and-reject, without bias).
    ///
    /// # Panics
    /// When `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "an empty range has no member");
        let mut product = u64::from(self.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Fisher-Yates from the last place down: each order is equally likely.
    ///
    /// # Panics
    /// When there are 2^32 items or more.
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let len = u32::try_from(items.len()).expect("decks are small");
        for last in (1..len).rev() {
            let other = self.below(last + 1);
            items.swap(last as usize, other as usize);
        }
    }
}
