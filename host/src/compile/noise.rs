//! Noise: what the compiler says that is of no use to the author of a snippet.

use crate::layer::{self, Layer};

/// Advice that can't be followed in a hole, and notes about what only the host can see.
const USELESS: [&str; 59] = [
    "if you import ",
    "cargo add",
    "cargo",
    "Cargo.toml",
    "extern crate",
    "--extern",
    "-Z",
    "rustup",
    "rustc --explain",
    "nightly",
    "missing a crate",
    "unlinked crate",
    "add a dependency",
    "this error originates in",
    "in this macro invocation",
    "$crate",
    "long-type",
    "full name for the type",
    "--verbose",
    "std::fs",
    "std::env",
    "std::net",
    "lacuna_rt",
    "requested on the command line",
    "on by default",
    "doc.rust-lang.org",
    // Lists of what has the trait that is missing: long, and nothing in them can be used at this place.
    "the following other types implement",
    "the following types implement",
    // `vec!["a", 3]` is a list with a wrong element far more often than a vector of three.
    "replace the comma with a semicolon to create a vector",
    // The `std` of a hole is a crate around the real one, and both have that name.
    "different versions of crate",
    // The lints of a hole cannot be allowed.
    "safely allow the lint",
    "set on command line",
    "wrap the attribute in `unsafe",
    "the linker's behavior",
    "requires unsafe code or restructuring",
    // Said better by our own advice, or of no use to anyone but the author of a compiler.
    "uncovered type parameters",
    "avoid undefined behavior",
    "mutable statics can be mutated",
    "see issue #",
    "for more information, see",
    "impl doesn't have any local type",
    // Any trait that has a function of this name, whatever it is for.
    "perhaps you need to implement it",
    "only be used if the trait is implemented and in scope",
    // It is followed by the advice to give back an owned value, which is the right one.
    "consider using the `'static` lifetime",
    "consult the function's documentation",
    // A bound of a function of std, at a place that nobody sees.
    "required by a bound in `",
    "items from traits can only be used if the trait is in scope",
    // Of names that only look alike: `le` for `line`.
    "with a similar name, but with different arguments",
    "the method call chain might not have had the expected associated types",
    "the question mark operation (`?`) implicitly performs a conversion",
    // Its arrays are what `Vec` is told to have.
    "is available on `&[",
    "rustc-dev-guide",
    "redundant requirement",
    // Said again by the suggestion to derive.
    "or manually `impl ",
    "full type name has been written",
    "lang item is first defined",
    "second definition in the local crate",
    "overridden link sections",
    // An inner attribute, which the screen refuses.
    "recursion_limit",
];

/// Whether advice is about something that exists for a snippet.
pub(super) fn is_useful(text: &str) -> bool {
    !layer::stands(Layer::Spans)
        || !USELESS.iter().any(|words| text.contains(words)) && !names_a_path(text)
}

/// Whether a text holds what looks like an absolute path (`/usr`), which no advice about a snippet needs.
fn names_a_path(text: &str) -> bool {
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let starts_word = before.is_whitespace() || "`'\"(=".contains(before);
        if character == '/'
            && starts_word
            && characters
                .peek()
                .is_some_and(|next| next.is_alphanumeric() || *next == '.')
        {
            return true;
        }
        before = character;
    }
    false
}
