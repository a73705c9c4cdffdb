//! What `lacuna doctor` looks at, check by check: this machine, then a plan.

mod machine;
mod plan;

use serde::Serialize;

use super::arguments::DoctorArguments;
use crate::error::Explain;

/// One check and what it found.
#[derive(Debug, Serialize)]
pub(super) struct Check {
    /// What was looked at.
    pub(super) name: String,
    /// How it stands.
    pub(super) state: State,
    /// What was found, one line.
    pub(super) found: String,
    /// The command that mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mend: Option<String>,
    /// What to do where no command does it; lines behind the first are to be copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<String>,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum State {
    /// As it should be.
    Ok,
    /// It works without, but not everything does.
    Warning,
    /// Nothing can be run before this is mended.
    Missing,
}

impl State {
    /// Its mark, as wide as the longest.
    fn mark(self) -> &'static str {
        match self {
            Self::Ok => "ok     ",
            Self::Warning => "warning",
            Self::Missing => "missing",
        }
    }
}

impl Check {
    fn ok(name: &str, found: impl Into<String>) -> Self {
        Self::new(name, State::Ok, found.into(), None)
    }

    fn warning(name: &str, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self::new(name, State::Warning, found.into(), Some(mend.into()))
    }

    fn missing(name: &str, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self::new(name, State::Missing, found.into(), Some(mend.into()))
    }

    /// An error, with the command that mends it, else its hint.
    fn failed(name: &str, error: &dyn Explain, mend: Option<String>) -> Self {
        let place = error.place().map(|place| format!("{place}: "));
        let found = format!("{}{error}", place.unwrap_or_default());
        let hint = match mend {
            None => error.hint(),
            Some(_) => None,
        };
        Self {
            hint,
            ..Self::new(name, State::Missing, found, mend)
        }
    }

    fn new(name: &str, state: State, found: String, mend: Option<String>) -> Self {
        Self {
            name: name.to_owned(),
            state,
            // One line each, whoever wrote a part of it.
            found: found.replace('\n', " "),
            mend: mend.map(|mend| mend.replace('\n', " ")),
            hint: None,
        }
    }
}

/// All checks, in order.
pub(super) fn checks(arguments: &DoctorArguments) -> Vec<Check> {
    let mut checks = machine::checks(arguments);
    if let Some(plan) = &arguments.plan {
        checks.extend(plan::checks(plan));
    }
    checks
}

/// A line for each check, and below it the command that mends it, or the hint.
pub(super) fn render(checks: &[&Check]) -> String {
    let width = checks
        .iter()
        .map(|check| check.name.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for check in checks {
        let (mark, name) = (check.state.mark(), &check.name);
        text.push_str(&format!("{mark}  {name:<width$}  {}\n", check.found));
        if let Some(mend) = &check.mend {
            text.push_str(&format!("{:7}  {:width$}  $ {mend}\n", "", ""));
        }
        let mut mark = "hint: ";
        for line in check.hint.iter().flat_map(|hint| hint.lines()) {
            text.push_str(&format!("{:7}  {:width$}  {mark}{line}\n", "", ""));
            mark = "    ";
        }
    }
    text
}
