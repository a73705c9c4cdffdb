//! Which export of a component serves an import, and whether its functions fit.

use wit_parser::{Resolve, WorldId, WorldItem};

use super::signature;
use crate::error::{Fault, Place};
use crate::plan::manifest::GrantConfig;
use crate::plan::{Function, Hole, Import, Plan};

/// What the hole imports.
pub(super) struct Wanted {
    /// Id with version, or the label of an inline interface; `None` for a function of the world.
    interface: Option<String>,
    /// The granted functions.
    functions: Vec<Function>,
}

impl Wanted {
    /// The granted functions of an import, which must be such that values alone cross.
    pub(super) fn of(
        plan: &Plan,
        hole: &Hole,
        import: &Import,
        config: &GrantConfig,
    ) -> Result<Self, Fault> {
        let granted = match &config.functions {
            None => import.functions.clone(),
            Some(names) => super::super::keys::functions(import, names)?,
        };
        let items = items(plan, hole, import);
        let mut functions = Vec::new();
        for item in items.iter().filter(|item| granted.contains(&item.name)) {
            let place = &import.place;
            let function = signature(&plan.resolve, item, place).map_err(|what| {
                Fault::new(format!("in `{}` {what}", import.name)).at(place.clone())
            })?;
            if let Some(resource) = resource(&function) {
                return Err(Fault::new(format!(
                    "`{}` of `{}` has the resource `{resource}`, and a component cannot serve resources yet",
                    function.name, import.name
                ))
                .at(config.place.clone())
                .hint("grant only functions without resources, with `functions = […]`, or another provider"));
            }
            functions.push(function);
        }
        Ok(Self {
            interface: import.interface.map(|_| import_id(plan, import)),
            functions,
        })
    }
}

/// The functions of an import as WIT has them.
fn items<'a>(plan: &'a Plan, hole: &Hole, import: &Import) -> Vec<&'a wit_parser::Function> {
    match import.interface {
        Some(id) => plan.resolve.interfaces[id].functions.values().collect(),
        None => match plan.resolve.worlds[hole.world].imports.get(&import.key) {
            Some(WorldItem::Function(function)) => vec![function],
            _ => Vec::new(),
        },
    }
}

/// The id of the interface, which a named import has beside its label.
fn import_id(plan: &Plan, import: &Import) -> String {
    let id = import.interface.and_then(|id| plan.resolve.id_of(id));
    id.unwrap_or_else(|| import.name.clone())
}

/// The first resource that a function speaks of.
fn resource(function: &Function) -> Option<String> {
    if let Some((_, rest)) = function
        .name
        .strip_prefix('[')
        .and_then(|name| name.split_once(']'))
    {
        return Some(rest.split('.').next().unwrap_or(rest).to_owned());
    }
    let parameters = function.parameters.iter().map(|(_, ty)| ty);
    let handles = parameters
        .chain(&function.result)
        .any(|ty| ty.has_handles());
    handles.then(|| "of a handle".to_owned())
}

/// The export that serves: the one of the same id, or the only one whose functions fit. `None` is the component itself.
pub(super) fn find(
    resolve: &Resolve,
    world: WorldId,
    wanted: &Wanted,
    fault: &dyn Fn(String) -> Fault,
) -> Result<Option<String>, Fault> {
    let exports = &resolve.worlds[world].exports;
    let Some(interface) = &wanted.interface else {
        let own: Vec<&wit_parser::Function> = exports
            .values()
            .filter_map(|item| match item {
                WorldItem::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        let differences = differences(resolve, wanted, &own);
        return match differences.first() {
            None => Ok(None),
            Some(difference) => Err(fault(format!("does not fit: {difference}"))),
        };
    };
    let candidates: Vec<(String, Vec<String>)> = exports
        .iter()
        .filter_map(|(key, item)| match item {
            WorldItem::Interface { id, .. } => {
                let functions: Vec<_> = resolve.interfaces[*id].functions.values().collect();
                Some((
                    resolve.name_world_key(key),
                    differences(resolve, wanted, &functions),
                ))
            }
            _ => None,
        })
        .collect();
    let does_not_fit = |name: &str, differences: &[String]| {
        let (first, others) = (&differences[0], differences.len() - 1);
        let more = match others {
            0 => String::new(),
            _ => format!(", and {others} more"),
        };
        Err(fault(format!(
            "exports `{name}`, which does not fit: {first}{more}"
        )))
    };
    if let Some((name, differences)) = candidates.iter().find(|(name, _)| name == interface) {
        return match differences.is_empty() {
            true => Ok(Some(name.clone())),
            false => does_not_fit(name, differences),
        };
    }
    let fitting: Vec<&String> = candidates
        .iter()
        .filter(|(_, differences)| differences.is_empty())
        .map(|(name, _)| name)
        .collect();
    match (fitting.as_slice(), candidates.as_slice()) {
        ([name], _) => Ok(Some((*name).clone())),
        ([], []) => Err(fault(format!(
            "exports no interface, and `{interface}` is wanted"
        ))),
        ([], [(name, differences)]) => does_not_fit(name, differences),
        ([], _) => {
            let names: Vec<&str> = candidates.iter().map(|(name, _)| name.as_str()).collect();
            Err(fault(format!(
                "does not export `{interface}`, and nothing that fits it: {}",
                names.join(", ")
            )))
        }
        _ => {
            let names: Vec<&str> = fitting.iter().map(|name| name.as_str()).collect();
            Err(fault(format!(
                "does not export `{interface}`, and more than one of its exports fit: {}",
                names.join(", ")
            )))
        }
    }
}

/// What is missing or other in an export, one line for each granted function.
fn differences(resolve: &Resolve, wanted: &Wanted, found: &[&wit_parser::Function]) -> Vec<String> {
    let nowhere = Place::of_bytes("", "", 0, 0);
    wanted
        .functions
        .iter()
        .filter_map(|function| {
            let name = &function.name;
            let Some(other) = found.iter().find(|other| other.name == *name) else {
                return Some(format!("it has no function `{name}`"));
            };
            match signature(resolve, other, &nowhere) {
                Err(what) => Some(what),
                Ok(other) => difference(function, &other)
                    .map(|difference| format!("in `{name}` {difference}")),
            }
        })
        .collect()
}

/// Where two functions of one name differ.
fn difference(wanted: &Function, found: &Function) -> Option<String> {
    let (count, of) = (found.parameters.len(), wanted.parameters.len());
    if count != of {
        return Some(format!("there are {count} parameters instead of {of}"));
    }
    for ((name, ty), (other, found)) in wanted.parameters.iter().zip(&found.parameters) {
        if name != other {
            return Some(format!("the parameter `{other}` stands for `{name}`"));
        }
        if let Some(difference) = ty.difference(found) {
            return Some(format!("the parameter `{name}` differs: {difference}"));
        }
    }
    match (&wanted.result, &found.result) {
        (None, None) => None,
        (Some(wanted), Some(found)) => wanted
            .difference(found)
            .map(|difference| format!("the result differs: {difference}")),
        (Some(_), None) => Some("there is no result".to_owned()),
        (None, Some(_)) => Some("there is a result".to_owned()),
    }
}
