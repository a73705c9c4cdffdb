//! What a guest is told when SQLite says no.

use rusqlite::{Error, ErrorCode};

use super::access::Judge;
use super::functions::Input;
use super::statement::Watch;
use super::types::SqlError;

/// Characters of SQLite's words that are passed on: it repeats pieces of the statement.
const SHOWN: usize = 400;

/// The disk, or the largest size that SQLite gives a database.
pub(super) const FULL: &str = "the database has no room for it";

/// The error of a statement.
pub(super) fn of(error: &Error, judge: &Judge, watch: &Watch) -> SqlError {
    if let Some(words) = judge.denied() {
        return SqlError::Denied(words);
    }
    match error {
        Error::Empty => SqlError::Invalid("there is no statement".to_owned()),
        Error::MultipleStatement => SqlError::Invalid("one statement a call".to_owned()),
        Error::SqlInputError { error, msg, .. } => coded(error, msg, judge, watch),
        Error::SqliteFailure(error, words) => {
            coded(error, words.as_deref().unwrap_or_default(), judge, watch)
        }
        // Of another form than rusqlite expects: nothing that SQLite said.
        _ => SqlError::Other("the statement cannot be run".to_owned()),
    }
}

fn coded(error: &rusqlite::ffi::Error, words: &str, judge: &Judge, watch: &Watch) -> SqlError {
    match error.code {
        ErrorCode::OperationInterrupted => watch.reason(),
        ErrorCode::ConstraintViolation => SqlError::Constraint(cut(words)),
        ErrorCode::TooBig => SqlError::TooLarge(match words {
            "string or blob too big" => match judge.input() {
                Input::Any => "a value is too long".to_owned(),
                input => format!(
                    "a value is longer than {} bytes, the most for the functions of this statement",
                    input.bytes(0)
                ),
            },
            words => cut(words),
        }),
        ErrorCode::OutOfMemory => SqlError::TooLarge("not enough memory".to_owned()),
        ErrorCode::DiskFull => SqlError::TooLarge(FULL.to_owned()),
        code => match plain(code, error.extended_code) {
            Some(said) => said,
            None => missing(words).map_or_else(
                || SqlError::Invalid(cut(words)),
                |table| SqlError::Denied(judge.no_table(table)),
            ),
        },
    }
}

/// The errors that come from the file and not from the statement; SQLite's words for them would say nothing more.
pub(super) fn plain(code: ErrorCode, extended: i32) -> Option<SqlError> {
    let other = |words: &str| Some(SqlError::Other(words.to_owned()));
    match code {
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => Some(SqlError::Busy(
            "another program is changing the database".to_owned(),
        )),
        ErrorCode::ReadOnly
            if matches!(
                extended,
                rusqlite::ffi::SQLITE_READONLY_ROLLBACK | rusqlite::ffi::SQLITE_READONLY_RECOVERY
            ) =>
        {
            other(UNFINISHED)
        }
        ErrorCode::ReadOnly => other("the database cannot be written"),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            other("the file is no SQLite database, or damaged")
        }
        ErrorCode::CannotOpen | ErrorCode::SystemIoFailure | ErrorCode::PermissionDenied => {
            other("the file cannot be read or written")
        }
        _ => None,
    }
}

/// A program ended in the midst of a change; whoever may write undoes it by opening the database.
const UNFINISHED: &str = "a program ended in the midst of a change: a program that may write has to open the database once";

/// The table that SQLite did not find.
fn missing(words: &str) -> Option<&str> {
    let name = words.strip_prefix("no such table: ")?;
    Some(name.strip_prefix("main.").unwrap_or(name))
}

fn cut(words: &str) -> String {
    match words.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words.to_owned(),
    }
}
