//! The grammar of `lacuna doctor`.

use std::path::PathBuf;

use clap::Args;

use super::{EngineArguments, Format};

#[derive(Debug, Args)]
pub(in crate::cli) struct DoctorArguments {
    /// Look at what this plan needs too: a .wit file or a folder
    pub(in crate::cli) plan: Option<PathBuf>,
    /// How the findings are printed
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
    #[command(flatten)]
    pub(in crate::cli) engine: EngineArguments,
}
