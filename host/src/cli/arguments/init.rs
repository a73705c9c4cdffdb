//! The grammar of `lacuna init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(in crate::cli) struct InitArguments {
    /// The new plan's folder; it may exist
    #[arg(default_value = ".", value_name = "DIR")]
    pub(in crate::cli) folder: PathBuf,
    /// What the plan is to show
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) template: Template,
}

/// A plan to start from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Template {
    /// A hole that can reach nothing: values in, values out
    #[default]
    Typed,
    /// A hole that may read one folder
    Folder,
    /// A hole that calls a tool of the plan, answered from a file
    Tool,
}
