//! Calling a fill.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::observe::Observed;
use super::progress::Progress;
use super::{Error, Fill, outcome};
use crate::labels::Labels;
use crate::plan::arguments::{self, Invocation};
use crate::sandbox::{self, Failure, FailureKind, Report};
use crate::value::{self, Type, Value};

/// Arguments of a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Arguments {
    /// In the order of the parameters.
    Positional(Vec<Value>),
    /// A JSON object by parameter name (CONTRACTS section 2 has the mapping); a missing `option` is `none`.
    Json(Json),
}

impl From<()> for Arguments {
    fn from((): ()) -> Self {
        Self::Positional(Vec::new())
    }
}

impl From<Vec<Value>> for Arguments {
    fn from(values: Vec<Value>) -> Self {
        Self::Positional(values)
    }
}

impl From<Json> for Arguments {
    fn from(json: Json) -> Self {
        Self::Json(json)
    }
}

/// What a call returned.
#[derive(Clone, Debug)]
pub struct Called {
    /// The value; `None` when the function has no result.
    pub value: Option<Value>,
    /// Its type.
    pub result: Option<Type>,
    /// Lines that the hole printed.
    pub log: Vec<String>,
    /// Fuel that was used.
    pub fuel: u64,
    /// Peak of linear memory in bytes.
    pub memory: u64,
    /// What the value and the log may hold: labels of all that the instance has been given.
    pub labels: Labels,
}

impl Called {
    /// The value as WAVE text; `()` when there is none.
    pub fn wave(&self) -> String {
        self.value
            .as_ref()
            .map_or_else(|| "()".to_owned(), value::to_wave)
    }

    /// The value as JSON; `null` when there is none.
    pub fn json(&self) -> Json {
        match (&self.value, &self.result) {
            (Some(value), Some(ty)) => value::to_json(value, ty),
            _ => Json::Null,
        }
    }

    /// The value as a type of the host program, through its JSON form.
    ///
    /// # Errors
    /// When the type does not have that form.
    pub fn get<T: serde::de::DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_value(self.json())
    }
}

/// An instance that is kept between calls, with its state. After a failure it is gone, and each further call says so.
pub struct Instance {
    fill: Fill,
    instance: sandbox::Instance,
}

impl Fill {
    /// Calls the hole's one plain function in a fresh instance.
    ///
    /// # Errors
    /// [`Error::Argument`] before anything runs, [`Error::Failed`] when the call does not return a value.
    pub async fn call(&self, arguments: impl Into<Arguments>) -> Result<Called, Error> {
        self.call_labelled(arguments, Labels::NONE).await
    }

    /// As [`Fill::call`], with arguments that have labels: what another hole returned, for instance. A call under
    /// *private* that sends something out needs the grant's clearance.
    ///
    /// # Errors
    /// As [`Fill::call`].
    pub async fn call_labelled(
        &self,
        arguments: impl Into<Arguments>,
        labels: Labels,
    ) -> Result<Called, Error> {
        let invocation = self.invocation(arguments.into())?;
        let mut instance = self.instance().await?;
        instance.invoke_labelled(&invocation, labels).await
    }

    /// An instance that is kept, for several calls on the same state.
    ///
    /// # Errors
    /// When it cannot be made within its limits.
    pub async fn instance(&self) -> Result<Instance, Error> {
        let observed = Arc::new(Observed::new(self.hole.clone()));
        let made = self
            .hole
            .lacuna()
            .sandbox()
            .instance(&self.program, observed)
            .await;
        let instance = made.map_err(|failure| {
            self.started.set(failure.outcome());
            Error::Failed {
                hole: self.hole.name().to_owned(),
                failure,
                log: Vec::new(),
                sent: Vec::new(),
            }
        })?;
        Ok(Instance {
            fill: self.clone(),
            instance,
        })
    }

    fn invocation(&self, arguments: Arguments) -> Result<Invocation, Error> {
        let hole = self.hole.declared();
        Ok(match arguments {
            Arguments::Positional(values) => arguments::positional(hole, values)?,
            Arguments::Json(json) => arguments::json(hole, &json)?,
        })
    }
}

impl Instance {
    /// Calls one function.
    ///
    /// # Errors
    /// As [`Fill::call`].
    pub async fn invoke(&mut self, invocation: &Invocation) -> Result<Called, Error> {
        self.invoke_labelled(invocation, Labels::NONE).await
    }

    /// Calls one function with arguments that have labels: what another hole returned, for instance.
    ///
    /// # Errors
    /// As [`Fill::call`].
    pub async fn invoke_labelled(
        &mut self,
        invocation: &Invocation,
        labels: Labels,
    ) -> Result<Called, Error> {
        let hole = &self.fill.hole;
        let trace = hole.session().trace();
        let at = Some(hole.at(None));
        self.fill.started.busy();
        if hole.session().budget().check_wall().is_err() {
            let error = hole.out_of_time();
            self.fill.started.failed(&error);
            return Err(error);
        }
        let path = hole.path();
        hole.lacuna().watch().progress(&Progress::Calling {
            path,
            function: &invocation.function,
        });
        if trace.enabled() {
            let arguments: Vec<_> = invocation
                .arguments
                .iter()
                .zip(&invocation.parameters)
                .map(|(argument, (_, ty))| trace.value(value::to_json(argument, ty), labels))
                .collect();
            trace.emit(
                "run-start",
                at,
                json!({ "component": self.fill.verdict().hash.component, "function": invocation.function, "arguments": arguments }),
            );
        }
        let call = sandbox::Call {
            interface: invocation.interface.clone(),
            function: invocation.function.clone(),
            arguments: invocation.arguments.clone(),
            labels,
            named: self.named(invocation),
        };
        let report = self.instance.call(&call);
        let deadline = tokio::time::Instant::from_std(hole.session().budget().deadline());
        let report = tokio::time::timeout_at(deadline, report).await;
        hole.lacuna().watch().progress(&Progress::Returned {
            path,
            function: &invocation.function,
        });
        let Ok(report) = report else {
            let error = hole.out_of_time();
            self.fill.started.failed(&error);
            let message = error.to_string();
            trace.emit(
                "run-end",
                at,
                json!({ "outcome": outcome::name(&error), "message": message }),
            );
            return Err(error);
        };
        self.finish(invocation, report)
    }

    /// The arguments by name, if a rule of a grant compares with them.
    fn named(&self, invocation: &Invocation) -> Vec<(String, Json)> {
        let mut rules = self
            .fill
            .hole
            .granted()
            .grants
            .iter()
            .flat_map(|grant| grant.rules.values());
        if !rules.any(|rules| rules.look_at_parameters()) {
            return Vec::new();
        }
        let pairs = invocation.arguments.iter().zip(&invocation.parameters);
        pairs
            .map(|(argument, (name, ty))| (name.clone(), value::to_json(argument, ty)))
            .collect()
    }

    fn finish(&self, invocation: &Invocation, report: Report) -> Result<Called, Error> {
        let hole = &self.fill.hole;
        let trace = hole.session().trace();
        let at = Some(hole.at(None));
        let mut fields = json!({
            "fuel": report.fuel, "memory": report.memory, "millis": report.elapsed.as_millis() as u64,
        });
        match report.result {
            Ok(value) => {
                self.fill.started.set("ok");
                let called = Called {
                    value,
                    result: invocation.result.clone(),
                    log: report.log,
                    fuel: report.fuel,
                    memory: report.memory,
                    labels: report.labels,
                };
                if trace.enabled() {
                    fields["outcome"] = json!("ok");
                    fields["result"] = trace.value(called.json(), called.labels);
                    trace.emit("run-end", at, fields);
                }
                Ok(called)
            }
            Err(failure) => {
                if let Some(limit) = failure.limit() {
                    trace.emit(
                        "limit",
                        at,
                        json!({ "name": limit.name, "at": limit.at, "used": limit.used }),
                    );
                }
                fields["outcome"] = json!(failure.outcome());
                fields["message"] = trace.text(&failure.to_string(), told(&failure, report.labels));
                fields["rule"] = json!(failure.rule);
                trace.emit("run-end", at, fields);
                self.fill.started.set(failure.outcome());
                Err(Error::Failed {
                    hole: hole.name().to_owned(),
                    failure,
                    log: report.log,
                    sent: report.sent,
                })
            }
        }
    }
}

/// Labels of a failure's text. A trap's may quote what the guest knows; the others are our own words.
fn told(failure: &Failure, labels: Labels) -> Labels {
    match failure.kind {
        FailureKind::Trap => labels,
        _ => Labels::NONE,
    }
}
