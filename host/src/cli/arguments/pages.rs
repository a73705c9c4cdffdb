//! The grammar of `lacuna completion` and `lacuna man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Args)]
pub(in crate::cli) struct CompletionArguments {
    /// The shell
    #[arg(value_enum)]
    pub(in crate::cli) shell: Shell,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ManArguments {
    /// Write the pages of all commands into this folder, which must exist [default: the main page to stdout]
    #[arg(value_name = "DIR")]
    pub(in crate::cli) folder: Option<PathBuf>,
}
