//! A provider made of closures.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::{BoxFuture, FunctionType, ImportType, Provider, Serve, ToolCall, reported};
use crate::capability::outcome::Failure;
use crate::value::{self, Type, Value};

/// What functions of one grant share in one session.
pub trait State: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> State for T {}

type Handler<S> =
    Arc<dyn Fn(Arc<S>, Json) -> BoxFuture<'static, Result<Json, String>> + Send + Sync>;

/// Serves an interface by closures, one for each function.
///
/// Arguments and results are types of the host program that serde can read and write; they must have the form that
/// CONTRACTS section 2 gives to the values of WIT: a record is a struct with the field names of WIT (`#[serde(rename_all
/// = "kebab-case")]`), a variant an enum with a payload each, an option an `Option`, a result a `Result`.
///
/// ```
/// use lacuna::capability::tool::Functions;
/// use std::sync::Mutex;
///
/// // interface counter { add: func(amount: u32) -> u32; }
/// let counter = Functions::new(|| Mutex::new(0u32)).blocking("add", |total, (amount,): (u32,)| {
///     let mut total = total.lock().map_err(|_| "an earlier call failed")?;
///     *total += amount;
///     Ok::<_, &str>(*total)
/// });
/// # let _ = lacuna::Lacuna::builder().provide("demo:shop/counter", counter);
/// ```
pub struct Functions<S> {
    make: Arc<dyn Fn() -> S + Send + Sync>,
    handlers: BTreeMap<String, Handler<S>>,
}

impl<S: State> Functions<S> {
    /// With a state that is made anew for each session and grant; `|| ()` for none.
    pub fn new(make: impl Fn() -> S + Send + Sync + 'static) -> Self {
        Self {
            make: Arc::new(make),
            handlers: BTreeMap::new(),
        }
    }

    /// Serves a function by async code. `name` is its WIT name, `dir.open` for a method; the arguments come as a tuple, or a
    /// struct with as many fields in their order. `Err` is a call that failed, which ends the hole: an error that the guest
    /// is to see is a value, `Ok(Err(…))` for a function that returns a WIT `result`.
    #[must_use]
    pub fn on<A, R, E, F>(
        mut self,
        name: &str,
        work: impl Fn(Arc<S>, A) -> F + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + Send + 'static,
        R: Serialize,
        E: std::fmt::Display,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        let handler: Handler<S> = Arc::new(move |state, arguments| {
            let arguments = match read::<A>(arguments) {
                Ok(arguments) => arguments,
                Err(error) => return Box::pin(std::future::ready(Err(error))),
            };
            let answer = work(state, arguments);
            Box::pin(async move { written(answer.await) })
        });
        self.handlers.insert(name.to_owned(), handler);
        self
    }

    /// Serves a function by code that may block: it runs on a thread for such work, which is not interrupted when the
    /// call's time is over.
    #[must_use]
    pub fn blocking<A, R, E>(
        mut self,
        name: &str,
        work: impl Fn(&S, A) -> Result<R, E> + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + Send + 'static,
        R: Serialize,
        E: std::fmt::Display,
    {
        let work = Arc::new(work);
        let handler: Handler<S> = Arc::new(move |state, arguments| {
            let work = Arc::clone(&work);
            let job = move || written(work(&state, read::<A>(arguments)?));
            Box::pin(async move {
                let done = tokio::task::spawn_blocking(job).await;
                done.unwrap_or_else(|_| Err("it panicked".to_owned()))
            })
        });
        self.handlers.insert(name.to_owned(), handler);
        self
    }
}

/// The arguments as the host program's type. No arguments are `()` or a struct without fields.
fn read<A: DeserializeOwned>(arguments: Json) -> Result<A, String> {
    let none = arguments.as_array().is_some_and(Vec::is_empty);
    serde_json::from_value(arguments)
        .or_else(|error| match none {
            true => serde_json::from_value(Json::Null).map_err(|_| error),
            false => Err(error),
        })
        .map_err(|error| {
            format!("the arguments do not have the form of the host program's types: {error}")
        })
}

fn written<R: Serialize, E: std::fmt::Display>(answer: Result<R, E>) -> Result<Json, String> {
    match answer {
        Ok(answer) => serde_json::to_value(answer)
            .map_err(|error| format!("the answer cannot be written as JSON: {error}")),
        Err(error) => Err(error.to_string()),
    }
}

impl<S: State> Provider for Functions<S> {
    fn check(&self, import: &ImportType) -> Result<(), String> {
        let names = import.functions.iter().map(FunctionType::written);
        let missing: Vec<String> = names
            .filter(|name| !self.handlers.contains_key(name))
            .collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "the host program does not serve {}",
                missing.join(", ")
            )),
        }
    }

    fn open(&self, _import: &ImportType) -> Result<Arc<dyn Serve>, String> {
        Ok(Arc::new(Opened {
            state: Arc::new((self.make)()),
            handlers: self.handlers.clone(),
        }))
    }
}

struct Opened<S> {
    state: Arc<S>,
    handlers: BTreeMap<String, Handler<S>>,
}

impl<S: State> Serve for Opened<S> {
    fn call(&self, call: ToolCall) -> BoxFuture<'static, Result<Option<Value>, Failure>> {
        let ToolCall {
            function,
            arguments,
            ..
        } = call;
        let place = format!("{}.{}", function.import, function.written());
        let Some(handler) = self.handlers.get(&function.written()) else {
            let failure = Failure::trap(format!("{place}: the host program does not serve it"));
            return Box::pin(std::future::ready(Err(failure)));
        };
        let arguments = Json::Array(reported(&arguments, &function.parameters));
        let answer = handler(Arc::clone(&self.state), arguments);
        Box::pin(async move {
            let failed = |what: String| Failure::trap(format!("{place}: {what}"));
            let answer = answer.await.map_err(failed)?;
            match &function.result {
                None => Ok(None),
                Some(ty) => match value::from_json(&as_wit(answer, ty), ty) {
                    Ok(value) => Ok(Some(value)),
                    Err(error) => Err(failed(format!("the answer has the wrong form: {error}"))),
                },
            }
        })
    }
}

/// serde writes a `Result` with capitals.
fn as_wit(answer: Json, ty: &Type) -> Json {
    if !matches!(ty, Type::Result { .. }) {
        return answer;
    }
    match answer {
        Json::Object(mut fields) if fields.len() == 1 => {
            if let Some(ok) = fields.remove("Ok") {
                json!({ "ok": ok })
            } else if let Some(err) = fields.remove("Err") {
                json!({ "err": err })
            } else {
                Json::Object(fields)
            }
        }
        other => other,
    }
}
