//! Finding the holes of a plan and taking their types apart.

use wit_parser::{Docs, FunctionKind, InterfaceId, WorldId, WorldItem, WorldKey};

use super::source::Parsed;
use super::{Export, ExportedInterface, Function, Hole, Import, Plan, refuse};
use crate::error::{Fault, Place};
use crate::value::{Type, TypeError};

/// The holes in the order of the source; what cannot work is a fault.
pub(super) fn find(parsed: &Parsed) -> Result<Vec<Hole>, Fault> {
    let mut worlds: Vec<WorldId> = parsed.resolve.packages[parsed.package]
        .worlds
        .values()
        .copied()
        .collect();
    worlds.sort_by_key(|world| {
        let span = parsed.resolve.worlds[*world].span;
        if span.is_known() { span.start() } else { 0 }
    });
    let mut holes = Vec::new();
    let mut faults = Vec::new();
    for world in worlds {
        if !is_hole(parsed, world) {
            continue;
        }
        refuse::check(parsed, world, &mut faults);
        if faults.is_empty() {
            match hole(parsed, world) {
                Ok(hole) => holes.push(hole),
                Err(fault) => faults.push(fault),
            }
        }
    }
    match Fault::several(faults) {
        Some(fault) => Err(fault),
        None => Ok(holes),
    }
}

/// What to say when there is none.
pub(super) fn none(parsed: &Parsed) -> Fault {
    let package = &parsed.resolve.packages[parsed.package];
    let place = package
        .worlds
        .values()
        .next()
        .and_then(|world| parsed.place(parsed.resolve.worlds[*world].span));
    Fault::new("the plan has no hole: no world exports a function")
        .at(place)
        .hint("a hole is a world that exports what is to be written:\nworld hole {\n  export run: func() -> string;\n}")
}

fn is_hole(parsed: &Parsed, world: WorldId) -> bool {
    parsed.resolve.worlds[world]
        .exports
        .values()
        .any(|item| match item {
            WorldItem::Function(_) => true,
            WorldItem::Interface { id, .. } => !parsed.resolve.interfaces[*id].functions.is_empty(),
            WorldItem::Type { .. } => false,
        })
}

fn hole(parsed: &Parsed, id: WorldId) -> Result<Hole, Fault> {
    let world = &parsed.resolve.worlds[id];
    let place = world_place(parsed, id);
    let mut own = Vec::new();
    let mut exports = Vec::new();
    let mut docs = vec![("", text(&world.docs))];
    for (key, item) in &world.exports {
        match item {
            WorldItem::Function(item) => own.push(function(parsed, item, &place)?),
            WorldItem::Interface { id, .. } => {
                let interface = &parsed.resolve.interfaces[*id];
                if interface.functions.is_empty() {
                    continue;
                }
                docs.push(("", text(&interface.docs)));
                let functions = interface
                    .functions
                    .values()
                    .map(|item| function(parsed, item, &place))
                    .collect::<Result<_, _>>()?;
                exports.push(Export {
                    interface: Some(ExportedInterface {
                        key: key.clone(),
                        id: *id,
                        export_name: parsed.resolve.name_world_key(key),
                        name: label(parsed, key, Some(*id)),
                    }),
                    functions,
                });
            }
            WorldItem::Type { .. } => {}
        }
    }
    if !own.is_empty() {
        exports.insert(
            0,
            Export {
                interface: None,
                functions: own,
            },
        );
    }
    let functions = || exports.iter().flat_map(|export| &export.functions);
    let several = functions().count() > 1;
    docs.extend(functions().map(|function| {
        let name = if several { function.name.as_str() } else { "" };
        (name, function.docs.clone())
    }));
    let task = docs
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| {
            if name.is_empty() {
                text
            } else {
                format!("{name}: {text}")
            }
        })
        .collect::<Vec<_>>()
        .join("\n\n");
    Ok(Hole {
        name: world.name.clone(),
        world: id,
        task,
        imports: imports(parsed, id, &place),
        exports,
        place,
    })
}

/// Where a world stands; a resolved plan has the place of each of its worlds.
pub(super) fn world_place(parsed: &Parsed, id: WorldId) -> Place {
    let world = &parsed.resolve.worlds[id];
    parsed
        .place(world.span)
        .unwrap_or_else(|| Place::of_bytes(world.name.clone(), "", 0, 0))
}

fn imports(parsed: &Parsed, id: WorldId, place: &Place) -> Vec<Import> {
    let world = &parsed.resolve.worlds[id];
    let package = world
        .package
        .map(|package| &parsed.resolve.packages[package].name);
    let written = package.and_then(|package| parsed.written_imports(package, &world.name));
    world
        .imports
        .iter()
        .filter_map(|(key, item)| {
            let (interface, functions) = match item {
                WorldItem::Interface { id, .. } => {
                    let functions = parsed.resolve.interfaces[*id]
                        .functions
                        .keys()
                        .cloned()
                        .collect();
                    (Some(*id), functions)
                }
                WorldItem::Function(function) => (None, vec![function.name.clone()]),
                WorldItem::Type { .. } => return None,
            };
            let name = parsed.resolve.name_world_key(key);
            let place_written = written.and_then(|written| written.get(&name));
            Some(Import {
                key: key.clone(),
                label: label(parsed, key, interface),
                // Only an interface with an id of its own can come in through a `use`.
                explicit: place_written.is_some() || matches!(key, WorldKey::Name(_)),
                place: place_written.unwrap_or(place).clone(),
                name,
                interface,
                functions,
            })
        })
        .collect()
}

fn label(parsed: &Parsed, key: &WorldKey, interface: Option<InterfaceId>) -> String {
    match (key, interface) {
        (WorldKey::Name(name), _) => name.clone(),
        (WorldKey::Interface(_), Some(id)) => parsed.resolve.interfaces[id]
            .name
            .clone()
            .unwrap_or_default(),
        (WorldKey::Interface(id), None) => parsed.resolve.interfaces[*id]
            .name
            .clone()
            .unwrap_or_default(),
    }
}

fn function(
    parsed: &Parsed,
    item: &wit_parser::Function,
    world: &Place,
) -> Result<Function, Fault> {
    let place = parsed.place(item.span).unwrap_or_else(|| world.clone());
    let of = |ty: &wit_parser::Type, span| {
        Type::of(&parsed.resolve, ty).map_err(|error| {
            Fault::new(error.to_string()).at(parsed.place(span).unwrap_or_else(|| place.clone()))
        })
    };
    Ok(Function {
        name: item.name.clone(),
        parameters: item
            .params
            .iter()
            .map(|parameter| Ok((parameter.name.clone(), of(&parameter.ty, parameter.span)?)))
            .collect::<Result<_, Fault>>()?,
        result: item
            .result
            .as_ref()
            .map(|ty| of(ty, item.span))
            .transpose()?,
        docs: text(&item.docs),
        place,
    })
}

fn text(docs: &Docs) -> String {
    docs.contents
        .as_deref()
        .unwrap_or_default()
        .trim()
        .to_owned()
}

impl Plan {
    /// The type of a function that a hole imports; `None` when the import has no such function.
    pub(crate) fn imported(
        &self,
        hole: &Hole,
        import: &Import,
        name: &str,
    ) -> Option<Result<Function, TypeError>> {
        let item = match import.interface {
            Some(id) => self.resolve.interfaces[id].functions.get(name)?,
            None => match self.resolve.worlds[hole.world].imports.get(&import.key)? {
                WorldItem::Function(function) => function,
                _ => return None,
            },
        };
        let of = |ty: &wit_parser::Type| Type::of(&self.resolve, ty);
        let parameters = item
            .params
            .iter()
            .map(|parameter| Ok((parameter.name.clone(), of(&parameter.ty)?)))
            .collect::<Result<_, TypeError>>();
        let result = item.result.as_ref().map(of).transpose();
        Some(parameters.and_then(|parameters| {
            Ok(Function {
                name: item.name.clone(),
                parameters,
                result: result?,
                docs: text(&item.docs),
                place: import.place.clone(),
            })
        }))
    }
}

impl Function {
    /// Whether it belongs to no resource.
    pub fn is_plain(&self) -> bool {
        !self.name.starts_with('[')
    }
}

/// The last part of a function's name: `read` of `[method]file.read`, `new` of a constructor, as Rust will have it.
pub(super) fn rust_method(function: &wit_parser::Function) -> &str {
    match function.kind {
        FunctionKind::Constructor(_) => "new",
        _ => function
            .name
            .rsplit(['.', ']'])
            .next()
            .unwrap_or(&function.name),
    }
}
