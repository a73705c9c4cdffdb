//! One instance and its calls.
//!
//! The guest has two stacks. Return addresses and small values are on the engine's, whose size is the limit; anything
//! whose address is taken is on one that rustc keeps in linear memory, below all data (`--stack-first`), so running
//! out of it is an access below address 0 and traps as out of bounds. Code without `unsafe` has no other way to that
//! trap (but for holes in rustc's own soundness), so it is reported as the limit `stack`. `stack` bounds each of the two:
//! `super::stack` narrows the second one to it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use wasmtime::component::types::Type as Shape;
use wasmtime::component::{Func, Instance as Running, Val};
use wasmtime::{Store, Trap, UpdateDeadline, WasmBacktrace};

use super::{Program, ticker};
use crate::budget::RunLimits;
use crate::capability::call::millis;
use crate::capability::host::Host;
use crate::capability::outcome::{self, Failure, FailureKind, LimitHit, Observer, Sent};
use crate::labels::Labels;
use crate::value::{self, Value};

/// wasmtime's words where it has no type for the error. A test sees to it that a new version still says them.
const TOO_MUCH_DATA: &str = "too much data is being copied between the host and the guest";

/// One call of an exported function.
#[derive(Clone, Debug)]
pub struct Call {
    /// Name of the exported interface; `None` for a function of the world.
    pub interface: Option<String>,
    /// WIT name of the function.
    pub function: String,
    /// Its arguments.
    pub arguments: Vec<Value>,
    /// Labels of the arguments.
    pub labels: Labels,
    /// The arguments by name, in the JSON of CONTRACTS section 2, for rules that compare with them; may be empty when
    /// no rule of the program's grants does.
    pub named: Vec<(String, Json)>,
}

/// What came of a call.
#[derive(Debug)]
pub struct Report {
    /// The value, if the function has one, or why there is none.
    pub result: Result<Option<Value>, Failure>,
    /// Printed lines, as the guest wrote them.
    pub log: Vec<String>,
    /// Calls that it made and that can't be undone.
    pub sent: Vec<Sent>,
    /// Fuel used by the call.
    pub fuel: u64,
    /// Most bytes of linear memory that the instance had.
    pub memory: u64,
    /// Wall time of the call.
    pub elapsed: Duration,
    /// What the result, the log and the failure may hold: all labels of what the instance has been given.
    pub labels: Labels,
}

/// A running component. It holds state between calls; a call that fails or is cancelled ends it.
pub struct Instance {
    live: Option<Live>,
    /// Why `live` is empty.
    gone: String,
    /// The labels it had after the last call.
    labels: Labels,
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance")
            .field("live", &self.live.is_some())
            .finish_non_exhaustive()
    }
}

struct Live {
    store: Store<Host>,
    instance: Running,
}

impl Instance {
    /// Instantiates the program. Its start has the fuel and the wall time of one call.
    pub(super) async fn start(
        program: &Program,
        observer: Arc<dyn Observer>,
    ) -> Result<Self, Failure> {
        let limits = &program.limits;
        let mut store = Store::new(program.ready.engine(), Host::new(limits.clone(), observer));
        let host = store.data_mut();
        host.snippet_lines = program.snippet_lines.clone();
        host.services = Arc::clone(&program.services);
        host.hole.clone_from(&program.hole);
        host.component.clone_from(&program.hash);
        store.limiter(|host| host);
        // Both are per lift of values from the guest: they bound what the host allocates before it can weigh anything.
        store.set_hostcall_fuel(usize::try_from(most_lifted(limits)).unwrap_or(usize::MAX));
        // wasmtime counts a handle again where it is lent to a call, and once more in the host's table, so a list of
        // references to all of them is three times as many. What tools give out is counted exactly, by `Handles`.
        let handles = limits.handles.saturating_mul(3);
        store.set_max_component_handles(usize::try_from(handles).unwrap_or(usize::MAX));
        store.epoch_deadline_callback(|store| {
            let host = store.data();
            if !host.deadline.is_over() {
                return Ok(UpdateDeadline::Yield(1));
            }
            let mut store = store;
            let hit = wall(store.data());
            Err(store.data_mut().fail(hit))
        });
        if let Err(error) = begin(&mut store) {
            return Err(judge(&mut store, &error));
        }
        let deadline = Arc::clone(&store.data().deadline);
        let active = ticker::active();
        let started = program.ready.instantiate_async(&mut store);
        let outcome = deadline.within(started).await;
        drop(active);
        match outcome {
            Some(Ok(instance)) => Ok(Self {
                live: Some(Live { store, instance }),
                gone: "an earlier call was cancelled".to_owned(),
                labels: Labels::NONE,
            }),
            Some(Err(error)) => Err(judge(&mut store, &error)),
            None => Err(wall(store.data()).into()),
        }
    }

    /// Tells another observer from now on.
    pub(super) fn observe(&mut self, observer: Arc<dyn Observer>) {
        if let Some(live) = &mut self.live {
            live.store.data_mut().observer = observer;
        }
    }

    /// Calls an exported function. Dropping the future ends the call and the instance.
    pub async fn call(&mut self, call: &Call) -> Report {
        let started = Instant::now();
        // Taken out for the time of the call: if the future is dropped, nothing half-run can be called again.
        let Some(mut live) = self.live.take() else {
            return Report {
                result: Err(Failure {
                    kind: FailureKind::Gone,
                    message: format!("the instance is gone: {}", self.gone),
                    rule: None,
                }),
                log: Vec::new(),
                sent: Vec::new(),
                fuel: 0,
                memory: 0,
                elapsed: started.elapsed(),
                labels: self.labels,
            };
        };
        let host = live.store.data_mut();
        host.begin_call();
        host.labels = host.labels.with(call.labels);
        host.parameters.clone_from(&call.named);
        let prepared = live.find(call).and_then(|function| {
            let results = check(&function.ty(&live.store), &call.arguments)?;
            Ok((function, results))
        });
        let (function, results) = match prepared {
            Ok(prepared) => prepared,
            Err(message) => {
                // Nothing ran, so the instance is as good as before.
                let failure = Failure {
                    kind: FailureKind::Call,
                    message,
                    rule: None,
                };
                let report = live.report(Err(failure), started);
                self.live = Some(live);
                return report;
            }
        };
        let result = live.run(function, &call.arguments, results).await;
        let report = live.report(result, started);
        self.labels = report.labels;
        match &report.result {
            Ok(_) => self.live = Some(live),
            Err(failure) => self.gone = format!("an earlier call failed: {}", failure.message),
        }
        report
    }
}

impl Live {
    fn find(&mut self, call: &Call) -> Result<Func, String> {
        let interface = match &call.interface {
            None => None,
            Some(name) => Some(
                self.instance
                    .get_export_index(&mut self.store, None, name)
                    .ok_or_else(|| format!("the component exports no interface `{name}`"))?,
            ),
        };
        self.instance
            .get_export_index(&mut self.store, interface.as_ref(), &call.function)
            .and_then(|index| self.instance.get_func(&mut self.store, index))
            .ok_or_else(|| format!("the component exports no function `{}`", call.function))
    }

    async fn run(
        &mut self,
        function: Func,
        arguments: &[Value],
        results: usize,
    ) -> Result<Option<Value>, Failure> {
        let store = &mut self.store;
        if let Err(error) = begin(store) {
            return Err(judge(store, &error));
        }
        let wall_time = store.data().limits.wall;
        if wall_time.is_zero() {
            // A call that is over at once would still be let through.
            return Err(wall(store.data()).into());
        }
        let mut values = vec![Val::Bool(false); results];
        let active = ticker::active();
        let deadline = Arc::clone(&store.data().deadline);
        let called = function.call_async(&mut *store, arguments, &mut values);
        let outcome = deadline.within(called).await;
        drop(active);
        match outcome {
            None => return Err(wall(store.data()).into()),
            Some(Err(error)) => return Err(judge(store, &error)),
            Some(Ok(())) => {}
        }
        let value = values.pop();
        let used = value.as_ref().map_or(0, value::content);
        let at = store.data().limits.result;
        if used > at {
            return Err(LimitHit {
                name: "result",
                at,
                used,
            }
            .into());
        }
        Ok(value)
    }

    fn report(&mut self, result: Result<Option<Value>, Failure>, started: Instant) -> Report {
        let given = self.store.data().limits.fuel;
        let left = self.store.get_fuel().unwrap_or(given);
        let host = self.store.data_mut();
        Report {
            result,
            log: std::mem::take(&mut host.log),
            sent: std::mem::take(&mut host.sent),
            fuel: given.saturating_sub(left),
            memory: host.peak_memory,
            elapsed: started.elapsed(),
            labels: host.labels,
        }
    }
}

/// Gives the store the fuel of one call and sets its epoch going.
fn begin(store: &mut Store<Host>) -> wasmtime::Result<()> {
    let fuel = store.data().limits.fuel;
    store.set_fuel(fuel)?;
    store.set_epoch_deadline(1);
    Ok(())
}

fn wall(host: &Host) -> LimitHit {
    let at = host.limits.wall;
    let over = Instant::now().saturating_duration_since(host.deadline.end());
    LimitHit {
        name: "wall",
        at: millis(at),
        used: millis(at.saturating_add(over)),
    }
}

/// What an error of the engine means.
fn judge(store: &mut Store<Host>, error: &wasmtime::Error) -> Failure {
    if let Some(failure) = store.data_mut().take_failure() {
        return failure;
    }
    let limits = &store.data().limits;
    let hit = |name, at: u64| {
        Failure::from(LimitHit {
            name,
            at,
            used: at.saturating_add(1),
        })
    };
    let cause = error.root_cause().to_string();
    let trap = error.downcast_ref::<Trap>().copied();
    match trap {
        Some(Trap::OutOfFuel) => {
            return LimitHit {
                name: "fuel",
                at: limits.fuel,
                used: limits.fuel,
            }
            .into();
        }
        Some(Trap::StackOverflow) => return hit("stack", limits.stack),
        Some(Trap::Interrupt) => return wall(store.data()).into(),
        // No line of a foreign component is a snippet's: it can use its memory as it likes.
        Some(Trap::MemoryOutOfBounds) if store.data().snippet_lines.is_empty() => {
            return Failure::trap(
                "out of bounds memory access, which also ends a stack in linear memory that ran out",
            );
        }
        Some(Trap::MemoryOutOfBounds) => {
            let mut failure = hit("stack", limits.stack);
            failure.message = format!(
                "{} (the guest's stack in linear memory ran out: out of bounds memory access)",
                failure.message
            );
            return failure;
        }
        _ => {}
    }
    if cause.contains(TOO_MUCH_DATA) {
        // Values that a host function is given are copied while the guest runs, and the engine notes where; the result
        // is copied when it has returned.
        let in_guest = error.downcast_ref::<WasmBacktrace>().is_some();
        let (name, at) = if in_guest {
            ("crossing", limits.crossing)
        } else {
            ("result", limits.result)
        };
        return LimitHit {
            name,
            at,
            used: at.saturating_add(1),
        }
        .into();
    }
    if outcome::is_handle_limit(error) {
        return outcome::handle_limit(limits.handles);
    }
    let cause = cause.strip_prefix("wasm trap: ").unwrap_or(&cause);
    Failure::trap(match &store.data().panic {
        // The words of the trap say, beside the panic, that the guest ended here and nothing after it ran.
        Some(panic) => format!("{panic} ({cause})"),
        None => cause.to_owned(),
    })
}

/// Bytes that the host may take for values of one lift: a result of bytes is a value for each of them.
fn most_lifted(limits: &RunLimits) -> u64 {
    let result = limits.result.saturating_mul(size_of::<Val>() as u64);
    limits.crossing.max(result)
}

/// Checks arguments against a function's type and says how many results it has.
fn check(
    ty: &wasmtime::component::types::ComponentFunc,
    arguments: &[Value],
) -> Result<usize, String> {
    let parameters = ty.params();
    if parameters.len() != arguments.len() {
        return Err(format!(
            "the function takes {} arguments, {} were given",
            parameters.len(),
            arguments.len()
        ));
    }
    for ((name, shape), value) in parameters.zip(arguments) {
        if !fits(value, &shape) {
            return Err(format!("argument `{name}` has another type"));
        }
    }
    Ok(ty.results().len())
}

/// Whether a value has this type. The engine would notice too, but only after it has begun to copy.
fn fits(value: &Val, shape: &Shape) -> bool {
    let payload = |value: &Option<Box<Val>>, shape: Option<Shape>| match (value, shape) {
        (None, None) => true,
        (Some(value), Some(shape)) => fits(value, &shape),
        _ => false,
    };
    match (value, shape) {
        (Val::Bool(_), Shape::Bool)
        | (Val::S8(_), Shape::S8)
        | (Val::U8(_), Shape::U8)
        | (Val::S16(_), Shape::S16)
        | (Val::U16(_), Shape::U16)
        | (Val::S32(_), Shape::S32)
        | (Val::U32(_), Shape::U32)
        | (Val::S64(_), Shape::S64)
        | (Val::U64(_), Shape::U64)
        | (Val::Float32(_), Shape::Float32)
        | (Val::Float64(_), Shape::Float64)
        | (Val::Char(_), Shape::Char)
        | (Val::String(_), Shape::String)
        | (Val::Option(None), Shape::Option(_)) => true,
        (Val::List(values), Shape::List(list)) => {
            let item = list.ty();
            values.iter().all(|value| fits(value, &item))
        }
        (Val::Record(fields), Shape::Record(record)) => {
            fields.len() == record.fields().len()
                && fields
                    .iter()
                    .zip(record.fields())
                    .all(|((name, value), field)| name == field.name && fits(value, &field.ty))
        }
        (Val::Tuple(values), Shape::Tuple(tuple)) => {
            values.len() == tuple.types().len()
                && values
                    .iter()
                    .zip(tuple.types())
                    .all(|(value, ty)| fits(value, &ty))
        }
        (Val::Variant(case, value), Shape::Variant(variant)) => variant
            .cases()
            .find(|known| known.name == case)
            .is_some_and(|known| payload(value, known.ty)),
        (Val::Enum(case), Shape::Enum(known)) => known.names().any(|name| name == case),
        (Val::Option(Some(value)), Shape::Option(option)) => fits(value, &option.ty()),
        (Val::Result(Ok(value)), Shape::Result(result)) => payload(value, result.ok()),
        (Val::Result(Err(value)), Shape::Result(result)) => payload(value, result.err()),
        (Val::Flags(names), Shape::Flags(flags)) => names
            .iter()
            .all(|name| flags.names().any(|known| known == name)),
        (Val::Resource(handle), Shape::Own(ty)) => handle.owned() && handle.ty() == *ty,
        (Val::Resource(handle), Shape::Borrow(ty)) => handle.ty() == *ty,
        _ => false,
    }
}
