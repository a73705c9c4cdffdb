//! The program as its users meet it: exit code, standard output and standard error of every way in which a run can
//! end, as snapshots in `cli/expected`. `BLESS=1 cargo test -p lacuna --test cli` rewrites them.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test writes plans, serves HTTP and starts the program"
)]

#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/commands.rs"]
mod commands;
#[path = "cli/dialects.rs"]
mod dialects;
#[path = "cli/endings.rs"]
mod endings;
#[path = "cli/human.rs"]
mod human;
#[path = "cli/machine.rs"]
mod machine;
#[path = "cli/models.rs"]
mod models;
#[path = "cli/normal.rs"]
mod normal;
#[path = "cli/processes.rs"]
mod processes;
#[path = "cli/providers.rs"]
mod providers;
#[path = "cli/runs.rs"]
mod runs;
#[path = "cli/server.rs"]
mod server;
#[path = "cli/sheet.rs"]
mod sheet;
#[path = "cli/signals.rs"]
mod signals;
mod support;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use sheet::Sheet;

/// A test: the plan it starts from, and what it does.
type Test = (&'static str, &'static str, fn(&mut Sheet));

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    processes::adopt_orphans();
    let tests = [
        runs::TESTS,
        models::TESTS,
        providers::TESTS,
        human::TESTS,
        bad_input::TESTS,
        endings::TESTS,
        machine::TESTS,
        signals::TESTS,
        commands::TESTS,
    ];
    let trials = tests
        .concat()
        .into_iter()
        .map(|(name, plan, test): Test| {
            Trial::test(name, move || {
                let mut sheet = Sheet::new(name, plan);
                test(&mut sheet);
                sheet.compare().map_err(Failed::from)
            })
        })
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    let left = processes::left_behind();
    if !left.is_empty() {
        eprintln!("processes were left behind: {left:?}");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}
