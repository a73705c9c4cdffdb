//! `lacuna doctor`: what is missing, and the command that mends it.

use super::super::arguments::{DoctorArguments, Format};
use super::super::doctor::{self, State};
use super::super::report::{self, Terminal};
use super::{finish, printed};
use crate::diagnostic::escape_controls;

/// Runs the command.
pub(in crate::cli) fn run(arguments: &DoctorArguments, terminal: &Terminal) -> u8 {
    let checks = doctor::checks(arguments);
    let well = checks.iter().all(|check| check.state != State::Missing);
    let written = match arguments.format {
        Format::Json => report::json(&checks),
        Format::Text => report::raw(&escape_controls(&doctor::render(&checks))),
    };
    finish(printed(written).map(|_| u8::from(!well)), terminal)
}
