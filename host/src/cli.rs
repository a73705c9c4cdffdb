//! The command line: the only module that prints.
//!
//! `arguments` holds the clap types, `settings` resolves flags and environment into plain structs, and
//! `commands/<verb>` takes settings and returns an exit status. stdout carries only the result; all else goes to stderr.

mod arguments;
mod commands;
mod report;
mod scope_page;
mod settings;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Cli, Command};

/// Exit code of a run that was interrupted.
const INTERRUPTED: u8 = 130;

/// Runs the command line of this process and returns its exit code (CONTRACTS section 7).
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            report::line(format_args!("error: cannot start: {error}"));
            return ExitCode::from(2);
        }
    };
    let code = runtime.block_on(async {
        tokio::select! {
            code = dispatch(cli) => code,
            () = interrupted() => INTERRUPTED,
        }
    });
    // A host call that cannot be cancelled (a file on a dead network disk) must not keep the process.
    runtime.shutdown_background();
    ExitCode::from(code)
}

async fn dispatch(cli: Cli) -> u8 {
    let verbosity = cli.verbosity();
    match cli.command {
        Command::Run(arguments) => commands::run::run(arguments, verbosity).await,
        Command::Check(arguments) => commands::check::run(arguments, verbosity).await,
        Command::Show(arguments) => commands::show::run(&arguments),
        Command::Build(arguments) => commands::build::run(arguments, verbosity).await,
    }
}

async fn interrupted() {
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => signal.recv().await.map_or_else(|| (), |()| ()),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        result = tokio::signal::ctrl_c() => if result.is_err() { std::future::pending::<()>().await },
        () = terminated => {}
    }
    report::line(format_args!("interrupted"));
}
