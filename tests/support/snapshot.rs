//! Snapshots: a text file beside the input holds what came out, and `BLESS=1` rewrites it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use similar::{ChangeTag, TextDiff};

/// Whether expectations are to be rewritten.
pub(crate) fn blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// Compares `actual` with the file, or rewrites the file when blessing.
///
/// # Errors
/// The difference, and the command that accepts it. `test` and `filter` are what that command names.
pub(crate) fn check(file: &Path, actual: &str, test: &str, filter: &str) -> Result<(), String> {
    let expected = fs::read_to_string(file).ok();
    if expected.as_deref() == Some(actual) {
        return Ok(());
    }
    if blessing() {
        return fs::write(file, actual).map_err(|error| format!("{}: {error}", file.display()));
    }
    let mut message = match &expected {
        None => format!("there is no {}; it would be\n", file.display()),
        Some(_) => format!("{} is not what came out\n", file.display()),
    };
    message.push_str(&difference(expected.as_deref().unwrap_or_default(), actual));
    let _ = write!(
        message,
        "to accept it: BLESS=1 cargo test -p {} --test {test} -- {filter}",
        env!("CARGO_PKG_NAME")
    );
    Err(message)
}

/// Compares `actual` with the part of a document between `<!-- MARK -->` and `<!-- /MARK -->`, or rewrites it when
/// blessing.
///
/// # Errors
/// As [`check`].
pub(crate) fn section(
    file: &Path,
    mark: &str,
    actual: &str,
    test: &str,
    filter: &str,
) -> Result<(), String> {
    let document =
        fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let (open, close) = (format!("<!-- {mark} -->\n"), format!("<!-- /{mark} -->"));
    let (before, rest) = (document.split_once(&open))
        .ok_or_else(|| format!("{} has no line {open}", file.display()))?;
    let (_, after) =
        (rest.split_once(&close)).ok_or_else(|| format!("{} has no {close}", file.display()))?;
    check(
        file,
        &format!("{before}{open}{actual}{close}{after}"),
        test,
        filter,
    )
}

/// A line by line difference: `-` expected, `+` actual, with three lines around each change.
pub(crate) fn difference(expected: &str, actual: &str) -> String {
    let diff = TextDiff::from_lines(expected, actual);
    let mut text = String::new();
    for group in diff.grouped_ops(3) {
        for change in group
            .iter()
            .flat_map(|operation| diff.iter_changes(operation))
        {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            text.push(sign);
            text.push_str(change.value());
            if !change.value().ends_with('\n') {
                text.push('\n');
            }
        }
    }
    text
}
