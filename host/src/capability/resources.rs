//! Handles in the values of tools and stubs: as names in answers and reports, as handles in the guest.

use wasmtime::StoreContextMut;
use wasmtime::component::types::Type as Shape;
use wasmtime::component::{ResourceDynamic, Val};

use super::handles::{Open, ResourceKinds};
use super::host::Host;
use super::outcome::{self, Failure};
use crate::value::{Type, Value};

/// What a name starts with.
const MARK: char = '@';

/// The type with strings where it has handles.
pub(crate) fn named(ty: &Type) -> Type {
    let inner = |ty: &Type| Box::new(named(ty));
    match ty {
        Type::Own(_) | Type::Borrow(_) => Type::String,
        Type::List(item) => Type::List(inner(item)),
        Type::Option(item) => Type::Option(inner(item)),
        Type::Result { ok, err } => Type::Result {
            ok: ok.as_deref().map(inner),
            err: err.as_deref().map(inner),
        },
        Type::Tuple(items) => Type::Tuple(items.iter().map(named).collect()),
        Type::Record { name, fields } => Type::Record {
            name: name.clone(),
            fields: fields
                .iter()
                .map(|(field, ty)| (field.clone(), named(ty)))
                .collect(),
        },
        Type::Variant { name, cases } => Type::Variant {
            name: name.clone(),
            cases: cases
                .iter()
                .map(|(case, ty)| (case.clone(), ty.as_ref().map(named)))
                .collect(),
        },
        other => other.clone(),
    }
}

/// Gives the value back if every name in a handle's place starts with `@`. Without this, a text that has nothing to do
/// with handles would pass for one.
pub(crate) fn check_names(value: Value, ty: &Type) -> Result<Value, String> {
    check(&value, ty)?;
    Ok(value)
}

fn check(value: &Value, ty: &Type) -> Result<(), String> {
    match (value, ty) {
        (Value::String(name), Type::Own(resource) | Type::Borrow(resource)) => {
            if name.starts_with(MARK) && name.len() > 1 {
                Ok(())
            } else {
                Err(format!(
                    "expected a handle of `{resource}` such as \"@1\", found {name:?}"
                ))
            }
        }
        (Value::List(values), Type::List(item)) => {
            values.iter().try_for_each(|value| check(value, item))
        }
        (Value::Option(Some(value)), Type::Option(item)) => check(value, item),
        (Value::Result(Ok(Some(value))), Type::Result { ok: Some(ty), .. })
        | (Value::Result(Err(Some(value))), Type::Result { err: Some(ty), .. }) => check(value, ty),
        (Value::Tuple(values), Type::Tuple(items)) => values
            .iter()
            .zip(items)
            .try_for_each(|(value, ty)| check(value, ty)),
        (Value::Record(values), Type::Record { fields, .. }) => values
            .iter()
            .zip(fields)
            .try_for_each(|((_, value), (_, ty))| check(value, ty)),
        (Value::Variant(case, Some(value)), Type::Variant { cases, .. }) => cases
            .iter()
            .find(|(name, _)| name == case)
            .and_then(|(_, ty)| ty.as_ref())
            .map_or(Ok(()), |ty| check(value, ty)),
        _ => Ok(()),
    }
}

/// The value with names where it has handles. An owned handle was given away by the guest, so it is closed.
pub(crate) fn names_in(
    store: &mut StoreContextMut<'_, Host>,
    value: &Val,
) -> wasmtime::Result<Value> {
    let mut boxed = |value: &Option<Box<Val>>| -> wasmtime::Result<Option<Box<Value>>> {
        match value {
            Some(value) => Ok(Some(Box::new(names_in(store, value)?))),
            None => Ok(None),
        }
    };
    Ok(match value {
        Val::Resource(resource) => {
            let handle = resource.try_into_resource_dynamic(&mut *store)?;
            let host = store.data_mut();
            let open = if handle.owned() {
                host.handles.remove(handle.ty(), handle.rep())
            } else {
                host.handles.get(handle.ty(), handle.rep()).cloned()
            };
            match open {
                Some(open) => Value::String(open.name),
                None => {
                    return Err(host.fail(Failure::trap("a handle that is not open was passed")));
                }
            }
        }
        Val::List(values) => Value::List(all(store, values)?),
        Val::Tuple(values) => Value::Tuple(all(store, values)?),
        Val::Record(fields) => {
            let mut named = Vec::with_capacity(fields.len());
            for (name, value) in fields {
                named.push((name.clone(), names_in(store, value)?));
            }
            Value::Record(named)
        }
        Val::Variant(case, payload) => Value::Variant(case.clone(), boxed(payload)?),
        Val::Option(payload) => Value::Option(boxed(payload)?),
        Val::Result(Ok(payload)) => Value::Result(Ok(boxed(payload)?)),
        Val::Result(Err(payload)) => Value::Result(Err(boxed(payload)?)),
        other => other.clone(),
    })
}

fn all(store: &mut StoreContextMut<'_, Host>, values: &[Val]) -> wasmtime::Result<Vec<Value>> {
    values.iter().map(|value| names_in(store, value)).collect()
}

/// The answer with owned handles where the function's type has them.
pub(crate) fn handles_in(
    store: &mut StoreContextMut<'_, Host>,
    kinds: &ResourceKinds,
    value: &Value,
    shape: &Shape,
) -> wasmtime::Result<Val> {
    Ok(match (value, shape) {
        (Value::String(name), Shape::Own(ty)) => {
            let Some(kind) = kinds.of_host(*ty) else {
                return Err(store
                    .data_mut()
                    .fail(Failure::trap("the answer names a resource of the guest")));
            };
            let host = store.data_mut();
            let most = host.limits.handles;
            let open = Open {
                kind,
                name: name.clone(),
            };
            let Some(representation) = host.handles.insert(open, most) else {
                return Err(wasmtime::Error::new(outcome::handle_limit(most)));
            };
            let handle = ResourceDynamic::new_own(representation, kind);
            Val::Resource(handle.try_into_resource_any(&mut *store)?)
        }
        (Value::List(values), Shape::List(list)) => {
            let item = list.ty();
            let mut made = Vec::with_capacity(values.len());
            for value in values {
                made.push(handles_in(store, kinds, value, &item)?);
            }
            Val::List(made)
        }
        (Value::Tuple(values), Shape::Tuple(tuple)) => {
            let mut made = Vec::with_capacity(values.len());
            for (value, shape) in values.iter().zip(tuple.types()) {
                made.push(handles_in(store, kinds, value, &shape)?);
            }
            Val::Tuple(made)
        }
        (Value::Record(values), Shape::Record(record)) => {
            let mut made = Vec::with_capacity(values.len());
            for ((name, value), field) in values.iter().zip(record.fields()) {
                made.push((name.clone(), handles_in(store, kinds, value, &field.ty)?));
            }
            Val::Record(made)
        }
        (Value::Variant(case, Some(value)), Shape::Variant(variant)) => {
            let shape = variant
                .cases()
                .find(|known| known.name == case)
                .and_then(|known| known.ty);
            Val::Variant(case.clone(), payload(store, kinds, value, shape)?)
        }
        (Value::Option(Some(value)), Shape::Option(option)) => {
            Val::Option(payload(store, kinds, value, Some(option.ty()))?)
        }
        (Value::Result(Ok(Some(value))), Shape::Result(result)) => {
            Val::Result(Ok(payload(store, kinds, value, result.ok())?))
        }
        (Value::Result(Err(Some(value))), Shape::Result(result)) => {
            Val::Result(Err(payload(store, kinds, value, result.err())?))
        }
        (other, _) => other.clone(),
    })
}

fn payload(
    store: &mut StoreContextMut<'_, Host>,
    kinds: &ResourceKinds,
    value: &Value,
    shape: Option<Shape>,
) -> wasmtime::Result<Option<Box<Val>>> {
    match shape {
        Some(shape) => Ok(Some(Box::new(handles_in(store, kinds, value, &shape)?))),
        None => Ok(None),
    }
}
