//! One module per verb: settings in, exit status out.

pub(super) mod build;
pub(super) mod cache;
pub(super) mod check;
pub(super) mod doctor;
pub(super) mod init;
pub(super) mod pages;
pub(super) mod run;
pub(super) mod show;

use super::arguments::Verbosity;
use super::report;
use crate::session::Error;

/// Ends a command: 0, or the error on stderr and its code.
fn finish(result: Result<u8, Error>, verbosity: Verbosity) -> u8 {
    match result {
        Ok(code) => code,
        Err(error) => {
            failed(&error, verbosity);
            error.exit_code()
        }
    }
}

/// The error on stderr, behind what led to it when that was not said while it happened.
fn failed(error: &Error, verbosity: Verbosity) {
    if verbosity == Verbosity::Quiet {
        report::unsaid(error);
    }
    report::error(error);
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
