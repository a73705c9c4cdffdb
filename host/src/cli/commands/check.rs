//! `lacuna check`: judge a snippet, run nothing.

use super::super::arguments::{CheckArguments, Format, Verbosity};
use super::super::{report, settings};
use super::{finish, printed};
use crate::session::Error;

/// Runs the command.
pub(in crate::cli) async fn run(arguments: CheckArguments, verbosity: Verbosity) -> u8 {
    finish(check(&arguments, verbosity).await, verbosity)
}

async fn check(arguments: &CheckArguments, verbosity: Verbosity) -> Result<u8, Error> {
    let session = settings::engine(&arguments.engine, verbosity)?.load(&arguments.plan)?;
    let hole = session.entry(arguments.hole.as_deref())?;
    let verdict = hole.check(&settings::code(&arguments.snippet)?).await?;
    let code = u8::from(!verdict.accepted());
    match arguments.format {
        Format::Json => printed(report::json(&verdict))?,
        Format::Text if verdict.accepted() => {
            report::diagnostics(&verdict.diagnostics, verdict.omitted, "  ");
            let said = verbosity > Verbosity::Quiet;
            for import in verdict.imports.iter().filter(|_| said) {
                let implicit = if import.implicit { " (implicit)" } else { "" };
                report::line(format_args!(
                    "  uses {}: {}{implicit}",
                    import.name,
                    import.functions.join(", ")
                ));
            }
            printed(report::result("accepted"))?
        }
        Format::Text => {
            if verbosity == Verbosity::Quiet {
                report::diagnostics(&verdict.diagnostics, verdict.omitted, "");
            }
            printed(report::result("rejected"))?
        }
    };
    Ok(code)
}
