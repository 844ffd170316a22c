/// A document that is not accepted: the file and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct ArtifactError {
    /// The file, as the caller named it.
    pub file: String,
    /// What is wrong.
    pub fault: Fault,
}

impl ArtifactError {
    pub(crate) fn new(file: &str, fault: Fault) -> Self {
        Self {
            file: file.to_owned(),
            fault,
        }
    }
}

/// What is wrong with a document. Lines count from 1; `field` is a path such as
/// `cells[3].points[0]`, or `(top)` for the document as a whole.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// A byte order mark.
    #[error("starts with a byte order mark; artifacts are plain UTF-8 without one")]
    Bom,
    /// A carriage return.
    #[error(
        "line {line}: wrong line endings (CRLF or CR): artifacts end their lines with LF alone; check them out with `-text` in .gitattributes"
    )]
    LineEndings {
        /// First line that has one.
        line: usize,
    },
    /// Bytes that are no UTF-8.
    #[error("line {line}: not UTF-8 text")]
    NotUtf8 {
        /// The line.
        line: usize,
    },
    /// The final newline is missing.
    #[error("the final newline is missing: the file may have been cut")]
    NoFinalNewline,
    /// The text ends in the middle of a value.
    #[error("{field}: the text ends in the middle (line {line}): the file has been cut")]
    Truncated {
        /// Where it ends.
        field: String,
        /// The last line.
        line: usize,
    },
    /// No JSON.
    #[error("{field}: line {line}: {reason}")]
    Syntax {
        /// Where.
        field: String,
        /// The line.
        line: usize,
        /// What was expected.
        reason: String,
    },
    /// The same key twice in one object.
    #[error("{field}: line {line}: the key stands twice in its object")]
    DuplicateKey {
        /// The repeated key with its path.
        field: String,
        /// The line of the second one.
        line: usize,
    },
    /// A number that is not written as a whole number.
    #[error(
        "{field}: line {line}: {text} is written as a float; artifacts hold whole numbers only"
    )]
    Float {
        /// Where.
        field: String,
        /// The line.
        line: usize,
        /// The number as written.
        text: String,
    },
    /// A whole number beyond 64 bits.
    #[error(
        "{field}: line {line}: {text} is out of range (-9223372036854775808 to 9223372036854775807)"
    )]
    IntegerRange {
        /// Where.
        field: String,
        /// The line.
        line: usize,
        /// The number as written.
        text: String,
    },
    /// A null.
    #[error("{field}: line {line}: null is not allowed; a value that is not known is left out")]
    Null {
        /// Where.
        field: String,
        /// The line.
        line: usize,
    },
    /// Lists and objects nested too deeply.
    #[error("{field}: line {line}: nested deeper than {limit} levels")]
    TooDeep {
        /// Where.
        field: String,
        /// The line.
        line: usize,
        /// Levels allowed.
        limit: usize,
    },
    /// Same values, other bytes: key order, spacing, escapes.
    #[error("line {line}: not in canonical form: found {found:?}, expected {expected:?}")]
    NotCanonical {
        /// First line that differs.
        line: usize,
        /// The line as it is.
        found: String,
        /// The line as it must be.
        expected: String,
    },
    /// No `format`.
    #[error("format: missing; expected {expected}")]
    NoFormat {
        /// What was to be read.
        expected: String,
    },
    /// A document of another kind.
    #[error("format: this is {found:?}, expected {expected}")]
    OtherFormat {
        /// What it says.
        found: String,
        /// What was to be read.
        expected: String,
    },
    /// The right kind in a version that this build does not read.
    #[error("format: version {found:?} is unknown to this build, which reads {expected}")]
    UnknownVersion {
        /// What it says.
        found: String,
        /// What this build reads.
        expected: String,
    },
    /// No `checksum`.
    #[error("checksum: missing, or not 64 hex digits")]
    NoChecksum,
    /// The checksum does not fit the content.
    #[error("checksum: mismatch: written {written}, but the content gives {computed}")]
    Checksum {
        /// What the file says.
        written: String,
        /// What its bytes give.
        computed: String,
    },
    /// A field that the format does not have.
    #[error("{field}: unknown field; expected {expected}")]
    UnknownField {
        /// The field with its path.
        field: String,
        /// Names that would fit.
        expected: String,
    },
    /// A field that the format needs.
    #[error("{field}: missing")]
    MissingField {
        /// The field with its path.
        field: String,
    },
    /// A field whose value does not fit its type.
    #[error("{field}: {reason}")]
    BadValue {
        /// The field with its path.
        field: String,
        /// Why.
        reason: String,
    },
    /// A rule of the document that spans fields.
    #[error("{field}: {reason}")]
    Rule {
        /// The field at fault.
        field: String,
        /// The rule that it breaks.
        reason: String,
    },
}

/// A sound document that was made for something else.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DomainError {
    /// Made for another game.
    #[error("{what} is for the game {found:?}, not {wanted:?}")]
    Game {
        /// Table or weights.
        what: &'static str,
        /// Its game.
        found: String,
        /// The game asked for.
        wanted: String,
    },
    /// Made for another player count.
    #[error("{what} is for {found} players, not {wanted}")]
    Players {
        /// Table or weights.
        what: &'static str,
        /// Its player count.
        found: u8,
        /// The player count asked for.
        wanted: u8,
    },
    /// Made for another ruleset.
    #[error("{what} is for the ruleset {found:?}, not {wanted:?}")]
    Ruleset {
        /// Table or weights.
        what: &'static str,
        /// Its ruleset.
        found: String,
        /// The ruleset asked for.
        wanted: String,
    },
    /// Made by another estimator.
    #[error(
        "the table was made by another estimator (fingerprint {found}, this build has {wanted}): regenerate it with `calibrate generate`"
    )]
    Estimator {
        /// Fingerprint in the table.
        found: String,
        /// Fingerprint of the estimator at hand.
        wanted: String,
    },
    /// Other kinds of question than the game has.
    #[error("the table holds the kinds [{found}], the game has [{wanted}]")]
    Kinds {
        /// Kinds in the table.
        found: String,
        /// Kinds of the game.
        wanted: String,
    },
    /// Other parameters of the estimator than the game has, or one out of its bounds.
    #[error("the table holds the parameters [{found}], the game has [{wanted}]")]
    Parameters {
        /// Parameters in the table.
        found: String,
        /// Parameters of the game with their bounds.
        wanted: String,
    },
    /// Made for another policy.
    #[error("{what} is for the policy {found:?}, not {wanted:?}")]
    Policy {
        /// Weights.
        what: &'static str,
        /// Its policy.
        found: String,
        /// The policy asked for.
        wanted: String,
    },
    /// Tuned on other tables than those at hand.
    #[error("the weights stand on the table {found}, but the table at hand is {wanted}")]
    Table {
        /// Checksums that the weights name.
        found: String,
        /// Checksum of the table at hand.
        wanted: String,
    },
}
