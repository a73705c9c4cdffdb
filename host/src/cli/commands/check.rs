//! `lacuna check`: judge a snippet, run nothing.

use super::super::arguments::{CheckArguments, Format, Verbosity};
use super::super::report::{self, Terminal};
use super::super::settings;
use super::{finish, printed};
use crate::session::Error;

/// Runs the command.
pub(in crate::cli) async fn run(arguments: CheckArguments, terminal: &Terminal) -> u8 {
    finish(check(&arguments, terminal).await, terminal)
}

async fn check(arguments: &CheckArguments, terminal: &Terminal) -> Result<u8, Error> {
    let session = settings::engine(&arguments.engine, terminal)?.load(&arguments.plan)?;
    let hole = session.entry(arguments.hole.as_deref())?;
    let verdict = hole.check(&settings::code(&arguments.snippet)?).await?;
    let code = u8::from(!verdict.accepted());
    terminal.close();
    match arguments.format {
        Format::Json => printed(report::json(&verdict))?,
        Format::Text if verdict.accepted() => {
            terminal.diagnostics(&verdict.diagnostics, verdict.omitted, "  ");
            let said = terminal.verbosity() > Verbosity::Quiet;
            for import in verdict.imports.iter().filter(|_| said) {
                let implicit = if import.implicit { " (implicit)" } else { "" };
                terminal.line(format_args!(
                    "  uses {}: {}{implicit}",
                    import.name,
                    import.functions.join(", ")
                ));
            }
            printed(report::result("accepted"))?
        }
        Format::Text => {
            if terminal.verbosity() == Verbosity::Quiet {
                terminal.diagnostics(&verdict.diagnostics, verdict.omitted, "");
            }
            printed(report::result("rejected"))?
        }
    };
    Ok(code)
}
