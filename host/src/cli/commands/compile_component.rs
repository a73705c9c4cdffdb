//! `lacuna compile-component`: the child that compiles a component which serves as a tool. It is started confined, with
//! nothing in its environment, and ends at its limits; no runtime is made for it.
#![expect(
    clippy::disallowed_methods,
    reason = "the component comes from standard input"
)]

use super::super::arguments::CompileComponentArguments;
use super::super::report::Terminal;
use super::super::settings;
use crate::compile::foreign::OUTPUT;
use crate::sandbox::foreign;

/// Runs the command.
pub(in crate::cli) fn run(arguments: &CompileComponentArguments, terminal: &Terminal) -> u8 {
    let compiled = foreign::child(&arguments.settings, std::io::stdin().lock());
    let written = compiled.and_then(|code| {
        settings::write_new(OUTPUT.as_ref(), &code)
            .map_err(|error| format!("cannot write the code: {error}"))
    });
    match written {
        Ok(()) => 0,
        Err(message) => {
            terminal.line(format_args!("{message}"));
            1
        }
    }
}
