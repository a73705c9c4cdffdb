//! The command line: the only module that prints.
//!
//! `arguments` holds the clap types, `settings` resolves flags and environment into plain structs, and
//! `commands/<verb>` takes settings and returns an exit status. stdout carries only the result; all else goes to stderr.

mod approval;
mod arguments;
mod commands;
mod doctor;
mod init;
mod reference;
mod report;
mod scope_page;
mod settings;
mod stats_page;

use std::process::ExitCode;
use std::task::Poll;
use std::time::Duration;

use clap::{CommandFactory, Parser};

use arguments::{Cli, Command, Verbosity};
use report::{ColorChoice, Terminal};

use crate::error::nearest;
use crate::process::{self, GRACE};

/// Exit code of a run that was interrupted.
const INTERRUPTED: u8 = 130;

/// Exit code after a panic, as Rust's own.
const BROKEN: u8 = 101;

/// Stack of each thread of the runtime, in bytes: what tokio has by default.
const THREAD_STACK: usize = 2 * 1024 * 1024;

/// How long an interrupted command may take to end what it has started.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Runs the command line of this process and returns its exit code (CONTRACTS section 7).
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            suggest_command(&mut error);
            return ExitCode::from(unparsed(&error));
        }
    };
    let terminal = Terminal::new(cli.verbosity(), cli.color, &settings::surroundings());
    if let Command::CompileComponent(arguments) = &cli.command {
        return ExitCode::from(commands::compile_component::run(arguments, &terminal));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Not what RUST_MIN_STACK says.
        .thread_stack_size(THREAD_STACK)
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            terminal.line(format_args!("error: cannot start: {error}"));
            return ExitCode::from(2);
        }
    };
    let code = runtime.block_on(async {
        // Installed before anything is started, or a signal in the first milliseconds would end only this process.
        let interrupted = Interrupt::install();
        // A task of its own: a command that waits for standard input blocks its thread, and Ctrl-C must be heard.
        let mut command = tokio::spawn(dispatch(cli, terminal.clone()));
        tokio::select! {
            code = &mut command => code.unwrap_or(BROKEN),
            () = interrupted.came() => {
                terminal.close();
                terminal.line(format_args!("interrupted"));
                command.abort();
                // What it has started is ended when its future is dropped.
                let _ = tokio::time::timeout(LAST_WORDS, command).await;
                INTERRUPTED
            }
        }
    });
    // Programs of tools and models that were not wanted any more are ending now.
    process::settle(2 * GRACE);
    // A host call that cannot be cancelled (a file on a dead network disk) must not keep the process.
    runtime.shutdown_background();
    ExitCode::from(code)
}

/// Says why the command line is none, or the help that it asks for.
fn unparsed(error: &clap::Error) -> u8 {
    use clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand as Help;
    if !error.use_stderr() || error.kind() == Help {
        let _ = error.print();
        return if error.use_stderr() { 2 } else { 0 };
    }
    // Words of the command line are quoted in it, and clap would print them as they are.
    let around = settings::surroundings();
    let terminal = Terminal::new(Verbosity::Normal, ColorChoice::default(), &around);
    terminal.refusal(&error.render().to_string());
    2
}

/// Two letters that are swapped in a short word are too much for the parser's own measure.
fn suggest_command(error: &mut clap::Error) {
    use clap::error::{ContextKind, ContextValue};
    if error.get(ContextKind::SuggestedSubcommand).is_some() {
        return;
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    let command = Cli::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    if let Some(near) = nearest(given, names) {
        let near = ContextValue::Strings(vec![near.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, near);
    }
}

async fn dispatch(cli: Cli, terminal: Terminal) -> u8 {
    let color = cli.color;
    match cli.command {
        Command::Run(arguments) => commands::run::run(arguments, &terminal).await,
        Command::Check(arguments) => commands::check::run(arguments, &terminal).await,
        Command::Show(arguments) => commands::show::run(&arguments, &terminal),
        Command::Build(arguments) => commands::build::run(arguments, &terminal).await,
        Command::Trace(arguments) => commands::trace::run(&arguments, color, &terminal),
        Command::Doctor(arguments) => commands::doctor::run(&arguments, &terminal),
        Command::Init(arguments) => commands::init::run(&arguments, &terminal),
        Command::Cache(arguments) => commands::cache::run(&arguments, &terminal),
        Command::Completion(arguments) => commands::pages::completion(&arguments, &terminal),
        Command::Man(arguments) => commands::pages::man(&arguments, &terminal),
        Command::Schema => commands::pages::schema(&terminal),
        Command::Reference => commands::pages::reference(&terminal),
        Command::CompileComponent(arguments) => {
            commands::compile_component::run(&arguments, &terminal)
        }
    }
}

/// SIGINT, SIGTERM and SIGHUP: a terminal that is closed ends what runs in it.
struct Interrupt(Vec<tokio::signal::unix::Signal>);

impl Interrupt {
    fn install() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate()];
        // Whoever started it with `nohup` wants it to go on.
        let hangup = (!settings::ignores_hangup()).then(SignalKind::hangup);
        Self(
            kinds
                .into_iter()
                .chain(hangup)
                .filter_map(|kind| signal(kind).ok())
                .collect(),
        )
    }

    async fn came(mut self) {
        std::future::poll_fn(|context| {
            let mut signals = self.0.iter_mut();
            match signals.any(|signal| signal.poll_recv(context).is_ready()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }
}
