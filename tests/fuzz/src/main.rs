//! `lacuna-fuzz`: fuzzes the verifier.
//!
//!     lacuna-fuzz run --cases 20000 --seed 1     many cases, and their figures
//!     lacuna-fuzz one --seed 1 --case 17         one of them again, alone and in full
//!     lacuna-fuzz planted                        the verifier without some of its layers: when the fuzzer notices

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line prints"
)]

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use lacuna_fuzz::host::Host;
use lacuna_fuzz::planted::{self, BUGS, MOST};
use lacuna_fuzz::run::{self, HUNG, Settings};

/// Fuzzes Lacuna's verifier.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Judges many cases and prints figures; exit code 1 when there is a fault.
    Run(RunArguments),
    /// Judges one case and prints all of it.
    One {
        #[command(flatten)]
        run: RunArguments,
        /// Its number.
        #[arg(long)]
        case: u64,
    },
    /// Takes layers of the verifier away and tells when each is missed; exit code 1 when one is not.
    Planted(RunArguments),
    /// What `run` does, in surroundings that are prepared.
    #[command(hide = true)]
    Work(RunArguments),
    /// What `one` does, in surroundings that are prepared.
    #[command(hide = true)]
    WorkOne {
        #[command(flatten)]
        run: RunArguments,
        #[arg(long)]
        case: u64,
    },
}

#[derive(Args)]
struct RunArguments {
    /// What all cases follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many cases.
    #[arg(long, default_value_t = 2000)]
    cases: u64,
    /// Number of the first case; cases go in batches of 40.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Begins no new cases after this time.
    #[arg(long)]
    seconds: Option<u64>,
    /// Cases at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Folder that compiled parts are kept in; else a fresh one that is removed.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Lists rejected cases of this kind: `typed`, `flawed`, …
    #[arg(long)]
    list: Option<String>,
    /// Writes the figures as JSON.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Only faults that speak of this count.
    #[arg(long, default_value = "", hide = true)]
    sign: String,
    /// Ends at the first fault.
    #[arg(long)]
    until_fault: bool,
}

impl RunArguments {
    fn settings(&self) -> Settings {
        Settings {
            seed: self.seed,
            cases: self.from + self.cases,
            from: self.from,
            seconds: self.seconds,
            jobs: self.jobs.max(1),
            cache: self.cache.clone(),
            list: self.list.clone(),
            sign: self.sign.clone(),
            until_fault: self.until_fault,
        }
    }
}

fn main() -> ExitCode {
    match dispatch(&Cli::parse().verb) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(verb: &Verb) -> Result<bool> {
    match verb {
        Verb::Run(arguments) => surrounded("work", arguments.settings().jobs),
        Verb::One { .. } => surrounded("work-one", 0),
        Verb::Planted(arguments) => planted(&arguments.settings()),
        Verb::Work(arguments) => {
            let report = run::run(&arguments.settings())?;
            if let Some(file) = &arguments.report {
                #[expect(clippy::disallowed_methods, reason = "the file that the user names")]
                std::fs::write(file, report.json().to_string())?;
            }
            print!("seed        {}\n{report}", arguments.seed);
            Ok(report.faults.is_empty())
        }
        Verb::WorkOne { run, case } => {
            let (text, sound) = run::one(&run.settings(), *case)?;
            print!("{text}");
            Ok(sound)
        }
    }
}

fn planted(settings: &Settings) -> Result<bool> {
    let own = tempfile::Builder::new()
        .prefix("lacuna-fuzz-cache-")
        .tempdir()?;
    let cache = settings
        .cache
        .clone()
        .unwrap_or_else(|| own.path().to_owned());
    println!("| layers off | the bug | found after cases | by |\n|---|---|--:|---|");
    let mut all = true;
    for bug in &BUGS {
        let hit = planted::search(bug, settings, &cache)?;
        println!("{}", planted::line(bug, hit.as_ref()));
        all &= hit.is_some_and(|hit| hit.cases <= MOST);
    }
    Ok(all)
}

/// Starts this program again, with a home and variables that hold canaries. A fuzzed process that dies is a fault.
fn surrounded(verb: &str, jobs: usize) -> Result<bool> {
    let folder = tempfile::Builder::new().prefix("lacuna-fuzz-").tempdir()?;
    let host = Host::prepare(folder.path())?;
    let mut arguments = vec![verb.to_owned()];
    #[expect(clippy::disallowed_methods, reason = "hands its own arguments on")]
    arguments.extend(std::env::args().skip(2));
    match host.run(&arguments, None, false)? {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        ended => {
            let how = match ended {
                Some(HUNG) => "hung".to_owned(),
                Some(code) => format!("ended with code {code}"),
                None => "was ended by a signal".to_owned(),
            };
            println!(
                "fault: the process {how} at {}",
                host.in_flight(jobs).join(", ")
            );
            Ok(false)
        }
    }
}
