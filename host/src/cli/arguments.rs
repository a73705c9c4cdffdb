//! The command line's grammar.

mod cache;
mod doctor;
mod init;
mod pages;

use std::path::PathBuf;

use crate::labels::LABELS;
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::report::ColorChoice;
pub(super) use cache::{CacheArguments, CacheCommand, CleanArguments, ListArguments};
pub(super) use doctor::DoctorArguments;
pub(super) use init::{InitArguments, Template};
pub(super) use pages::{CompletionArguments, ManArguments};

/// Typed holes, filled by a language model, judged as a whole, run in a sandbox with exactly what was granted.
#[derive(Debug, Parser)]
#[command(name = "lacuna", version, max_term_width = 100)]
pub(super) struct Cli {
    /// Say only what went wrong.
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "verbose",
        display_order = 100
    )]
    quiet: bool,
    /// Say more: the code of every attempt, its tokens and cost.
    #[arg(short, long, global = true, display_order = 101)]
    verbose: bool,
    /// Colours: on a terminal that shows them (see NO_COLOR), always, or never.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        display_order = 102
    )]
    pub(super) color: ColorChoice,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// How much is said on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

impl Cli {
    pub(super) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Fill the plan's entry hole and print what it returns
    Run(RunArguments),
    /// Judge a snippet and run nothing
    Check(CheckArguments),
    /// Print what a hole can reach, what its model is told, or the WIT cut from its grants
    Show(ShowArguments),
    /// Judge a snippet and write it as a component
    Build(BuildArguments),
    /// Print what stands in a trace, or its figures
    Trace(TraceArguments),
    /// Say what this machine lacks, and the command that mends it
    Doctor(DoctorArguments),
    /// Write a plan that runs at once
    Init(InitArguments),
    /// Look into the cache, or clean it
    Cache(CacheArguments),
    /// Print the completions of a shell
    Completion(CompletionArguments),
    /// Print the manual page, or write those of all commands
    Man(ManArguments),
    /// Print the JSON schema of lacuna.toml
    Schema,
    /// Print the reference of commands, manifest keys and variables
    #[command(hide = true)]
    Reference,
}

/// What every command that judges code takes.
#[derive(Debug, Args)]
pub(super) struct EngineArguments {
    /// Let the compiler run unconfined where this machine has no Landlock
    #[arg(long)]
    pub(super) allow_unconfined_compile: bool,
    /// Keep compiled code here [default: LACUNA_CACHE_DIR, else the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub(super) cache_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// The plan: a .wit file or a folder
    pub(super) plan: PathBuf,
    /// The hole to start with [default: the manifest's `entry`, or the one that no other calls]
    #[arg(long, value_name = "HOLE")]
    pub(super) hole: Option<String>,
    /// An argument in WAVE, plain text for a string, or @FILE (@- is stdin)
    #[arg(long = "arg", value_name = "NAME=VALUE", conflicts_with = "call")]
    pub(super) arguments: Vec<String>,
    /// Arguments as a JSON object
    #[arg(long, value_name = "FILE", conflicts_with = "call")]
    pub(super) args_json: Option<PathBuf>,
    /// A call in WAVE, such as 'f(1, "a")' or 'interface.f(1)'; several run in order on one instance
    #[arg(long, value_name = "CALL")]
    pub(super) call: Vec<String>,
    /// The model: a name of [models], or provider:model such as openai:gpt-5-mini, anthropic:NAME, gemini:NAME, ollama:NAME,
    /// command:llm, replay:DIR, or human
    #[arg(long, value_name = "MODEL", conflicts_with = "snippet")]
    pub(super) model: Option<String>,
    /// Judge and run this code instead of asking a model
    #[arg(long, value_name = "FILE")]
    pub(super) snippet: Option<PathBuf>,
    /// Keep every answer here, for the replay provider
    #[arg(long, value_name = "DIR", conflicts_with = "snippet")]
    pub(super) record: Option<PathBuf>,
    /// Refuse recordings that were made for another prompt
    #[arg(long)]
    pub(super) strict: bool,
    /// Write every event as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// Write values with these labels into the trace as they are; without it they are masked
    #[arg(long, value_name = "LABEL", value_delimiter = ',', requires = "trace", value_parser = clap::builder::PossibleValuesParser::new(LABELS))]
    pub(super) trace_labels: Vec<String>,
    /// Before each call that can't be undone: ask on the terminal, or refuse it [default: what is granted may be called]
    #[arg(long, value_enum, value_name = "WHO")]
    pub(super) approve: Option<Approval>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) engine: EngineArguments,
}

/// Who decides on calls that can't be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Approval {
    /// A person at the terminal, call by call
    Ask,
    /// Nobody: each of them is refused
    Never,
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The plan: a .wit file or a folder
    pub(super) plan: PathBuf,
    /// The hole [default: as for run]
    #[arg(long, value_name = "HOLE")]
    pub(super) hole: Option<String>,
    /// The code, or an answer with the code in it (- is stdin)
    #[arg(long, value_name = "FILE")]
    pub(super) snippet: PathBuf,
    /// How the verdict is printed
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) engine: EngineArguments,
}

#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    /// The plan: a .wit file or a folder
    pub(super) plan: PathBuf,
    /// The hole [default: every hole for scope, else as for run]
    #[arg(long, value_name = "HOLE")]
    pub(super) hole: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(super) what: What,
}

#[derive(Debug, Args)]
pub(super) struct BuildArguments {
    /// The plan: a .wit file or a folder
    pub(super) plan: PathBuf,
    /// The hole [default: as for run]
    #[arg(long, value_name = "HOLE")]
    pub(super) hole: Option<String>,
    /// The code, or an answer with the code in it (- is stdin)
    #[arg(long, value_name = "FILE")]
    pub(super) snippet: PathBuf,
    /// The component's file
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    #[command(flatten)]
    pub(super) engine: EngineArguments,
}

#[derive(Debug, Args)]
pub(super) struct TraceArguments {
    /// What `lacuna run --trace FILE` wrote (- is stdin)
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Figures instead of events: answers, rejections by stage and cause, retries, tokens, cost; all files together
    #[arg(long)]
    pub(super) stats: bool,
    /// Only this hole and what is below it: a name, or a place in the tree such as audit/0
    #[arg(long, value_name = "PATH")]
    pub(super) hole: Option<String>,
    /// Only this attempt's prompt, answer and verdict
    #[arg(long, value_name = "N", conflicts_with = "stats")]
    pub(super) attempt: Option<u64>,
    /// Prompts, answers, code and diagnostics in full
    #[arg(long, conflicts_with = "stats")]
    pub(super) full: bool,
    /// How it is printed; json is an array of events, or the figures as an object
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// How a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people; values as WAVE
    #[default]
    Text,
    /// One JSON value
    Json,
}

/// What `show` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum What {
    /// The first prompt, byte for byte
    Prompt,
    /// What the hole can name and reach
    #[default]
    Scope,
    /// The WIT that was cut from the grants
    Wit,
}
