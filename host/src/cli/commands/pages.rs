//! `lacuna completion`, `lacuna man`, `lacuna schema`: texts that are made from the grammar and the manifest's keys.
#![expect(
    clippy::disallowed_methods,
    reason = "writes manual pages into the folder that was named"
)]

use clap::CommandFactory;

use super::super::arguments::{Cli, CompletionArguments, ManArguments};
use super::super::report::{self, Terminal};
use super::super::{reference, settings};
use super::{finish, printed};
use crate::plan::manifest;
use crate::session::Error;

/// Prints the completions of a shell.
pub(in crate::cli) fn completion(arguments: &CompletionArguments, terminal: &Terminal) -> u8 {
    let mut script = Vec::new();
    // Without what is hidden, which clap would complete too.
    let whole = Cli::command();
    let shown = whole
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let mut visible = clap::Command::new("lacuna")
        .version(env!("CARGO_PKG_VERSION"))
        .args(whole.get_arguments())
        .subcommands(shown);
    clap_complete::generate(arguments.shell, &mut visible, "lacuna", &mut script);
    finish(
        printed(report::raw(&String::from_utf8_lossy(&script))),
        terminal,
    )
}

/// Prints the main page, or writes a page for each command.
pub(in crate::cli) fn man(arguments: &ManArguments, terminal: &Terminal) -> u8 {
    finish(manual(arguments), terminal)
}

fn manual(arguments: &ManArguments) -> Result<u8, Error> {
    // Built, so that each command knows its whole name and the flags that all have.
    let mut main = Cli::command().disable_help_subcommand(true);
    main.build();
    let Some(folder) = &arguments.folder else {
        return printed(report::raw(&page(&main)));
    };
    if !folder.is_dir() {
        return Err(Error::File {
            doing: "write into",
            path: folder.clone(),
            source: std::io::ErrorKind::NotADirectory.into(),
        });
    }
    for command in reference::commands(&main) {
        let name = command
            .get_display_name()
            .unwrap_or_else(|| command.get_name());
        settings::write(&folder.join(format!("{name}.1")), page(command).as_bytes())?;
    }
    Ok(0)
}

fn page(command: &clap::Command) -> String {
    let mut text = Vec::new();
    // Into memory, where nothing can fail.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Prints the manifest's JSON schema.
pub(in crate::cli) fn schema(terminal: &Terminal) -> u8 {
    let text = serde_json::to_string_pretty(&manifest::schema()).unwrap_or_default();
    finish(printed(report::result(text)), terminal)
}

/// Prints the reference.
pub(in crate::cli) fn reference(terminal: &Terminal) -> u8 {
    finish(printed(report::raw(&reference::render())), terminal)
}
