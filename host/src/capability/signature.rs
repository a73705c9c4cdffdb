//! Compares the type that a component imports with the type that the scope grants.
//!
//! wasmtime matches dynamically typed host functions by name alone and finds a wrong result only when it is returned.
//! So the shapes are compared while the program is loaded.

use wasmtime::component::types::{ComponentFunc, Type as Imported};

use crate::value::{Named, Type};

/// Says what differs, if anything.
pub(crate) fn compare(
    imported: &ComponentFunc,
    parameters: &[Named],
    result: Option<&Type>,
) -> Result<(), String> {
    if imported.async_() {
        return Err("it is async".to_owned());
    }
    let count = imported.params().len();
    if count != parameters.len() {
        return Err(format!(
            "{count} parameters instead of {}",
            parameters.len()
        ));
    }
    for ((name, ty), (granted_name, granted)) in imported.params().zip(parameters) {
        if name != granted_name || !same(&ty, granted) {
            return Err(format!("parameter `{name}`"));
        }
    }
    let mut results = imported.results();
    let matches = match (results.next(), result) {
        (None, None) => true,
        (Some(ty), Some(granted)) => same(&ty, granted) && results.next().is_none(),
        _ => false,
    };
    if matches {
        Ok(())
    } else {
        Err("the result".to_owned())
    }
}

/// Whether both are the same WIT type. Resources are compared by name of neither side: the linker holds their identity.
fn same(imported: &Imported, granted: &Type) -> bool {
    match (imported, granted) {
        (Imported::Bool, Type::Bool)
        | (Imported::S8, Type::S8)
        | (Imported::U8, Type::U8)
        | (Imported::S16, Type::S16)
        | (Imported::U16, Type::U16)
        | (Imported::S32, Type::S32)
        | (Imported::U32, Type::U32)
        | (Imported::S64, Type::S64)
        | (Imported::U64, Type::U64)
        | (Imported::Float32, Type::F32)
        | (Imported::Float64, Type::F64)
        | (Imported::Char, Type::Char)
        | (Imported::String, Type::String)
        | (Imported::Own(_), Type::Own(_))
        | (Imported::Borrow(_), Type::Borrow(_)) => true,
        (Imported::List(list), Type::List(item)) => same(&list.ty(), item),
        (Imported::Option(option), Type::Option(item)) => same(&option.ty(), item),
        (Imported::Result(result), Type::Result { ok, err }) => {
            same_payload(result.ok(), ok.as_deref()) && same_payload(result.err(), err.as_deref())
        }
        (Imported::Tuple(tuple), Type::Tuple(items)) => {
            tuple.types().len() == items.len()
                && tuple.types().zip(items).all(|(ty, item)| same(&ty, item))
        }
        (Imported::Record(record), Type::Record { fields, .. }) => {
            record.fields().len() == fields.len()
                && record
                    .fields()
                    .zip(fields)
                    .all(|(field, (name, ty))| field.name == name && same(&field.ty, ty))
        }
        (Imported::Variant(variant), Type::Variant { cases, .. }) => {
            variant.cases().len() == cases.len()
                && variant.cases().zip(cases).all(|(case, (name, ty))| {
                    case.name == name && same_payload(case.ty, ty.as_ref())
                })
        }
        (Imported::Enum(imported), Type::Enum { cases, .. }) => {
            imported.names().eq(cases.iter().map(String::as_str))
        }
        (Imported::Flags(flags), Type::Flags { names, .. }) => {
            flags.names().eq(names.iter().map(String::as_str))
        }
        _ => false,
    }
}

fn same_payload(imported: Option<Imported>, granted: Option<&Type>) -> bool {
    match (imported, granted) {
        (None, None) => true,
        (Some(imported), Some(granted)) => same(&imported, granted),
        _ => false,
    }
}
