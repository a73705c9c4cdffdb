//! `lacuna doctor`: what is missing, and the command that mends it.

use super::super::arguments::{DoctorArguments, Format, Verbosity};
use super::super::doctor::{self, Check, State};
use super::super::report::{self, Terminal};
use super::{finish, printed};
use crate::diagnostic::escape_controls;

/// Runs the command.
pub(in crate::cli) fn run(arguments: &DoctorArguments, terminal: &Terminal) -> u8 {
    let checks = doctor::checks(arguments);
    let well = checks.iter().all(|check| check.state != State::Missing);
    let quiet = terminal.verbosity() == Verbosity::Quiet;
    let shown: Vec<&Check> = checks
        .iter()
        .filter(|check| !quiet || check.state != State::Ok)
        .collect();
    let written = match arguments.format {
        Format::Json => report::json(&shown),
        Format::Text => report::raw(&escape_controls(&doctor::render(&shown))),
    };
    finish(printed(written).map(|_| u8::from(!well)), terminal)
}
