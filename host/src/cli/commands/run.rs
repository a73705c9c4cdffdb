//! `lacuna run`: fill the entry hole, call it, print what it returns.

use serde_json::Value as Json;

use super::super::arguments::{Format, RunArguments, Verbosity};
use super::super::{report, settings};
use super::printed;
use crate::plan::Export;
use crate::plan::arguments::{self, Inputs};
use crate::session::{Called, Error, Outcome, Plan};

/// Runs the command.
pub(in crate::cli) async fn run(arguments: RunArguments, verbosity: Verbosity) -> u8 {
    let format = arguments.format;
    let (result, session) = match open(&arguments, verbosity) {
        Ok(session) => (called(&arguments, &session).await, Some(session)),
        Err(error) => (Err(error), None),
    };
    let outcome = match &result {
        Ok(values) => Outcome::ok(json(values, !arguments.call.is_empty())),
        Err(error) => Outcome::failed(error),
    };
    if let Some(session) = session {
        session.finish(outcome.outcome);
        if let Some(failure) = session.trace().take_failure() {
            report::line(format_args!(
                "warning: the trace is not complete: {failure}"
            ));
        }
    }
    let written = match (&result, format) {
        (Ok(values), Format::Text) => values
            .iter()
            .try_for_each(|called| report::result(called.wave())),
        (_, Format::Json) => report::result(serde_json::to_string(&outcome).unwrap_or_default()),
        (Err(_), Format::Text) => Ok(()),
    };
    match result.and_then(|_| printed(written)) {
        Ok(code) => code,
        Err(error) => {
            report::error(&error);
            if let Error::Failed { log, .. } = &error
                && verbosity == Verbosity::Quiet
            {
                log.iter().for_each(|line| report::log("log: ", line));
            }
            error.exit_code()
        }
    }
}

fn open(arguments: &RunArguments, verbosity: Verbosity) -> Result<Plan, Error> {
    let mut session = settings::engine(&arguments.engine, verbosity)?
        .load(&arguments.plan)?
        .strict(arguments.strict);
    if let Some(model) = &arguments.model {
        session = session.with_model(model);
    }
    if let Some(folder) = &arguments.record {
        session = session.recording(folder);
    }
    match &arguments.trace {
        Some(file) => session.with_trace(file),
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
