//! One module per verb: settings in, exit status out.

pub(super) mod build;
pub(super) mod check;
pub(super) mod run;
pub(super) mod show;

use super::report;
use crate::session::Error;

/// Ends a command: 0, or the error on stderr and its code.
fn finish(result: Result<u8, Error>) -> u8 {
    match result {
        Ok(code) => code,
        Err(error) => {
            report::error(&error);
            error.exit_code()
        }
    }
}

/// A result that could not be written is no success.
fn printed(result: std::io::Result<()>) -> Result<u8, Error> {
    match result {
        Ok(()) => Ok(0),
        Err(source) => Err(Error::File {
            doing: "write",
            path: "standard output".into(),
            source,
        }),
    }
}
