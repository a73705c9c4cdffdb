//! One module per verb: settings in, exit status out.

pub(super) mod build;
pub(super) mod cache;
pub(super) mod check;
pub(super) mod compile_component;
pub(super) mod doctor;
pub(super) mod init;
pub(super) mod pages;
pub(super) mod run;
pub(super) mod show;
pub(super) mod trace;

use super::arguments::Verbosity;
use super::report::Terminal;
use crate::session::Error;

/// Ends a command: 0, or the error on stderr and its code.
fn finish(result: Result<u8, Error>, terminal: &Terminal) -> u8 {
    terminal.close();
    match result {
        Ok(code) => code,
        Err(error) => {
            failed(&error, terminal);
            error.exit_code()
        }
    }
}

/// The error on stderr, behind what led to it when that was not said while it happened.
fn failed(error: &Error, terminal: &Terminal) {
    if terminal.verbosity() == Verbosity::Quiet {
        terminal.unsaid(error);
    }
    terminal.sent(error);
    terminal.error(error);
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
