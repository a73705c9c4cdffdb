//! `lacuna show`: what a hole can reach, what its model is told, the WIT cut from its grants.

use super::super::arguments::{ShowArguments, What};
use super::super::report::{self, Terminal};
use super::{finish, printed};
use crate::session::{Error, Lacuna, Plan};

/// Runs the command.
pub(in crate::cli) fn run(arguments: &ShowArguments, terminal: &Terminal) -> u8 {
    finish(show(arguments), terminal)
}

fn show(arguments: &ShowArguments) -> Result<u8, Error> {
    let session = Lacuna::builder().build()?.load(&arguments.plan)?;
    let hole = || session.entry(arguments.hole.as_deref());
    match arguments.what {
        What::Prompt => printed(report::raw(&hole()?.prompt()?)),
        What::Wit => printed(report::raw(&hole()?.described()?.wit()?)),
        What::Scope => printed(report::raw(&scopes(&session, arguments.hole.as_deref())?)),
    }
}

fn scopes(session: &Plan, only: Option<&str>) -> Result<String, Error> {
    let holes = match only {
        Some(name) => vec![session.hole(name)?],
        None => {
            let names = session.parsed().holes.iter();
            names
                .map(|hole| session.hole(&hole.name))
                .collect::<Result<_, _>>()?
        }
    };
    let mut text = String::new();
    for (index, hole) in holes.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(&super::super::scope_page::render(hole)?);
    }
    Ok(text)
}
