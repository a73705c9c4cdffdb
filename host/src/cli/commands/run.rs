//! `lacuna run`: fill the entry hole, call it, print what it returns.

use serde_json::Value as Json;

use super::super::arguments::{Format, RunArguments};
use super::super::report::{self, Terminal};
use super::super::settings;
use super::{failed, printed};
use crate::labels::Labels;
use crate::plan::Export;
use crate::plan::arguments::{self, Inputs};
use crate::session::{Called, Error, Outcome, Plan};

/// Runs the command.
pub(in crate::cli) async fn run(arguments: RunArguments, terminal: &Terminal) -> u8 {
    let (result, session) = match open(&arguments, terminal) {
        Ok(session) => {
            let mut ending = Ending::new(&session);
            let result = called(&arguments, &session).await;
            ending.outcome = result
                .as_ref()
                .map_or_else(|error| Outcome::failed(error).outcome, |_| "ok");
            drop(ending);
            (result, Some(session))
        }
        Err(error) => (Err(error), None),
    };
    // The result goes to stdout, which may be the same terminal.
    terminal.close();
    if let (Some(session), Some(file)) = (session, &arguments.trace)
        && let Some(failure) = session.trace().take_failure()
    {
        terminal.line(format_args!(
            "warning: the trace {} is not complete: {failure}",
            file.display()
        ));
    }
    terminal.summary();
    let written = print(&arguments, &result);
    match result.and_then(|_| printed(written)) {
        Ok(code) => code,
        Err(error) => {
            failed(&error, terminal);
            error.exit_code()
        }
    }
}

/// Writes the end of the session's trace, also when the run is interrupted.
struct Ending<'a> {
    session: &'a Plan,
    outcome: &'static str,
}

impl<'a> Ending<'a> {
    fn new(session: &'a Plan) -> Self {
        Self {
            session,
            outcome: "interrupted",
        }
    }
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.session.finish(self.outcome);
    }
}

/// The result on stdout. A run that did not begin because something in front of it is wrong (exit code 2) has no
/// outcome, so nothing is printed; every other one is one JSON value, if JSON is wanted.
fn print(arguments: &RunArguments, result: &Result<Vec<Called>, Error>) -> std::io::Result<()> {
    let outcome = match (result, arguments.format) {
        (Ok(values), Format::Text) => {
            return values
                .iter()
                .try_for_each(|called| report::result(called.wave()));
        }
        (Err(_), Format::Text) => return Ok(()),
        // A call that was not approved ends a run that did begin.
        (Err(error), Format::Json)
            if error.exit_code() == 2 && !matches!(error, Error::Failed { .. }) =>
        {
            return Ok(());
        }
        (Err(error), Format::Json) => Outcome::failed(error),
        (Ok(values), Format::Json) => Outcome::ok(json(values, !arguments.call.is_empty())),
    };
    report::json(&outcome)
}

fn open(arguments: &RunArguments, terminal: &Terminal) -> Result<Plan, Error> {
    let mut session = settings::running(arguments, terminal)?
        .load(&arguments.plan)?
        .strict(arguments.strict);
    if let Some(model) = &arguments.model {
        session = session.with_model(model);
    }
    if let Some(folder) = &arguments.record {
        session = session.recording(folder);
    }
    match &arguments.trace {
        Some(file) => {
            let labels = arguments.trace_labels.iter();
            let shown = labels.fold(Labels::NONE, |shown, label| {
                shown.with(Labels::named(label).unwrap_or_default())
            });
            session.with_labelled_trace(file, shown)
        }
        None => Ok(session),
    }
}

async fn called(arguments: &RunArguments, session: &Plan) -> Result<Vec<Called>, Error> {
    let hole = session.entry(arguments.hole.as_deref())?;
    let inputs = Inputs {
        args: arguments.arguments.clone(),
        args_json: arguments.args_json.clone(),
        calls: arguments.call.clone(),
    };
    // Before a model is asked: a wrong argument must not cost anything.
    let invocations = arguments::resolve(
        session.parsed(),
        hole.declared(),
        &inputs,
        &mut settings::input,
    )?;
    let fill = match &arguments.snippet {
        Some(file) => hole.fill_with(&settings::code(file)?).await?,
        None => hole.fill().await?,
    };
    let mut values = Vec::new();
    if is_one_function(&hole.declared().exports) {
        for invocation in &invocations {
            values.push(fill.instance().await?.invoke(invocation).await?);
        }
    } else {
        let mut instance = fill.instance().await?;
        for invocation in &invocations {
            values.push(instance.invoke(invocation).await?);
        }
    }
    Ok(values)
}

/// Whether the hole is one function of its world: then each call has an instance of its own (CONTRACTS section 1). The
/// functions of an interface, or several functions, may share state, so their calls do share an instance (section 6).
fn is_one_function(exports: &[Export]) -> bool {
    matches!(exports, [only] if only.interface.is_none() && only.functions.len() == 1)
}

fn json(values: &[Called], calls: bool) -> Json {
    match values {
        [one] if !calls => one.json(),
        many => many.iter().map(Called::json).collect(),
    }
}
