//! What kind of mistake a rejection is, for statistics: which part of the scope to make friendlier.

use serde::{Deserialize, Serialize};

use super::{Diagnostic, Level, Stage};

/// The kind of mistake behind a rejection. It is taken from the first error, since later ones often follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Cause {
    /// No code was found in the answer, or it was left unfinished.
    NoCode,
    /// The text is no Rust.
    Syntax,
    /// A name that the scope does not have, or a token that it does not allow.
    OutsideScope,
    /// The wrong type, signature, field, method, trait or pattern.
    Type,
    /// Moves, borrows, lifetimes, mutability.
    Ownership,
    /// A limit of the compiler's resources.
    Limit,
    /// Nothing of these: a lint, constant evaluation.
    Other,
}

impl Cause {
    /// Every cause, in the order in which tables show them.
    pub const ALL: [Self; 7] = [
        Self::NoCode,
        Self::Syntax,
        Self::OutsideScope,
        Self::Type,
        Self::Ownership,
        Self::Limit,
        Self::Other,
    ];

    /// As it stands in tables and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoCode => "no-code",
            Self::Syntax => "syntax",
            Self::OutsideScope => "outside-scope",
            Self::Type => "type",
            Self::Ownership => "ownership",
            Self::Limit => "limit",
            Self::Other => "other",
        }
    }

    /// The cause of a rejection at `stage` with these diagnostics.
    pub fn of(stage: Stage, diagnostics: &[Diagnostic]) -> Self {
        let codes = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.level == Level::Error)
            .map(|diagnostic| diagnostic.code.as_deref());
        Self::of_codes(stage, codes)
    }

    /// As [`Cause::of`], from the codes of the errors alone (`None`: an error without a code).
    pub fn of_codes<'a>(stage: Stage, codes: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        match codes.into_iter().next() {
            Some(code) => Self::of_code(code),
            None if stage == Stage::Link => Self::OutsideScope,
            None => Self::Other,
        }
    }

    fn of_code(code: Option<&str>) -> Self {
        // rustc's parser gives its errors no code; a few of its later ones have none either.
        let Some(code) = code else {
            return Self::Syntax;
        };
        if let Some(ours) = code.strip_prefix("lacuna::") {
            return match ours {
                "no-code" | "unclosed-fence" => Self::NoCode,
                "syntax" => Self::Syntax,
                "compiler-limit" | "macro-recursion" => Self::Limit,
                "signature" | "no-function" | "no-implementation" | "several-implementations" => {
                    Self::Type
                }
                _ => Self::OutsideScope,
            };
        }
        if OUTSIDE_SCOPE.contains(&code) {
            return Self::OutsideScope;
        }
        if OWNERSHIP.contains(&code) {
            return Self::Ownership;
        }
        match code.strip_prefix('E') {
            // Constant evaluation: not what the types say, but what the program would do.
            Some("0080") => Self::Other,
            Some(number) if number.len() == 4 && number.bytes().all(|b| b.is_ascii_digit()) => {
                Self::Type
            }
            // A lint that is an error.
            _ => Self::Other,
        }
    }
}

/// Codes of rustc's error index that say: this name is not there, or not for you.
const OUTSIDE_SCOPE: [&str; 20] = [
    "E0405",
    "E0411",
    "E0412",
    "E0422",
    "E0423",
    "E0424",
    "E0425",
    "E0432",
    "E0433",
    "E0463",
    "E0531",
    "E0532",
    "E0537",
    "E0573",
    "E0574",
    "E0576",
    "E0603",
    "E0624",
    "E0658",
    "unsafe_code",
];

/// Codes of rustc's error index about moves, borrows, lifetimes and mutability.
const OWNERSHIP: [&str; 31] = [
    "E0106", "E0261", "E0309", "E0310", "E0373", "E0381", "E0382", "E0384", "E0491", "E0492",
    "E0493", "E0499", "E0502", "E0503", "E0505", "E0506", "E0507", "E0508", "E0509", "E0510",
    "E0515", "E0521", "E0594", "E0596", "E0597", "E0621", "E0700", "E0712", "E0713", "E0716",
    "E0746",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_decides() {
        let cause = |codes: &[Option<&str>]| Cause::of_codes(Stage::Compile, codes.iter().copied());
        assert_eq!(cause(&[Some("E0382"), Some("E0308")]), Cause::Ownership);
        assert_eq!(cause(&[Some("E0308"), Some("E0382")]), Cause::Type);
        assert_eq!(cause(&[Some("E0433")]), Cause::OutsideScope);
        assert_eq!(cause(&[None]), Cause::Syntax);
        assert_eq!(cause(&[Some("lacuna::no-code")]), Cause::NoCode);
        assert_eq!(
            cause(&[Some("lacuna::forbidden-token")]),
            Cause::OutsideScope
        );
        assert_eq!(cause(&[Some("lacuna::compiler-limit")]), Cause::Limit);
        assert_eq!(cause(&[Some("overflowing_literals")]), Cause::Other);
        assert_eq!(cause(&[]), Cause::Other);
        assert_eq!(Cause::of_codes(Stage::Link, []), Cause::OutsideScope);
    }

    #[test]
    fn warnings_do_not_count() {
        let diagnostics = [
            Diagnostic::warning("attribute", "an attribute is ignored"),
            Diagnostic::error("syntax", "no Rust"),
        ];
        assert_eq!(Cause::of(Stage::Snippet, &diagnostics), Cause::Syntax);
    }

    #[test]
    fn a_cause_is_written_as_it_is_named() {
        for cause in Cause::ALL {
            assert_eq!(serde_json::to_value(cause).unwrap(), cause.name());
        }
    }
}
