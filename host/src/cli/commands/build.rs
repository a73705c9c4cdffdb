//! `lacuna build`: judge a snippet and write it as a standard component.

use super::super::arguments::{BuildArguments, Verbosity};
use super::super::report::Terminal;
use super::super::settings;
use super::finish;
use crate::session::Error;

/// Runs the command.
pub(in crate::cli) async fn run(arguments: BuildArguments, terminal: &Terminal) -> u8 {
    finish(build(&arguments, terminal).await, terminal)
}

async fn build(arguments: &BuildArguments, terminal: &Terminal) -> Result<u8, Error> {
    let session = settings::engine(&arguments.engine, terminal)?.load(&arguments.plan)?;
    let hole = session.entry(arguments.hole.as_deref())?;
    let component = hole.component(&settings::code(&arguments.snippet)?).await?;
    settings::write(&arguments.output, &component.bytes)?;
    if terminal.verbosity() > Verbosity::Quiet {
        let size = component.bytes.len().div_ceil(1024);
        terminal.line(format_args!(
            "wrote {} ({size} KiB, {})",
            arguments.output.display(),
            component.hash
        ));
    }
    Ok(0)
}
