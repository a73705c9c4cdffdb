//! `provider = "component"`: a component of somebody else that exports the granted interface.
//!
//! The file is read and taken apart here, so that what does not fit is said with its place before a model is asked. The
//! component's own imports are granted below the grant, in the same words as those of a hole: what nothing grants does
//! not exist for it.
#![expect(
    clippy::disallowed_methods,
    reason = "reads the component that a grant names"
)]

mod exports;

use std::collections::BTreeMap;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wit_component::DecodedWasm;
use wit_parser::{InterfaceId, Resolve, WorldId, WorldItem};

use super::{Grant, GrantError};
use crate::budget::{ComponentLimits, RunLimits};
use crate::diagnostic::escape_controls;
use crate::error::{Fault, Place};
use crate::plan::manifest::{GrantConfig, HoleConfig, Manifest, Spanned};
use crate::plan::{Function, Hole, Import, Plan};
use crate::trace::figures;
use crate::value::Type;

/// How deep components may serve components.
const MAX_DEPTH: usize = 3;

/// What a core module starts with, behind the four bytes of all wasm.
const CORE_MODULE: [u8; 4] = [1, 0, 0, 0];

/// A component that serves an import.
#[derive(Clone, Debug)]
pub struct ComponentGrant {
    /// `file`, for messages.
    pub file: PathBuf,
    /// Its content.
    pub wasm: Arc<[u8]>,
    /// `blake3:…` of it.
    pub hash: String,
    /// Name of the exported interface that serves; `None` for a function of the component itself.
    pub export: Option<String>,
    /// What the component imports, as it is granted.
    pub imports: Vec<ComponentImport>,
    /// The place of the grant in lacuna.toml, as one writes it there: `hole.audit.grant.repo`.
    pub place: String,
    /// Limits of each call, which are the hole's.
    pub run: RunLimits,
    /// Limits of compiling it.
    pub compile: ComponentLimits,
}

/// One import of such a component.
#[derive(Clone, Debug)]
pub struct ComponentImport {
    /// Its name in the component.
    pub name: String,
    /// Whether it is a function of the component itself.
    pub bare: bool,
    /// How it is granted.
    pub grant: Grant,
    /// The granted functions with their types.
    pub functions: Vec<Function>,
}

/// Reads the file of a grant and fits it to the import.
pub(super) fn resolve(
    plan: &Plan,
    hole: &Hole,
    import: &Import,
    config: &GrantConfig,
) -> Result<ComponentGrant, Fault> {
    let Some(file) = &config.file else {
        return Err(Fault::new("the provider `component` needs `file`")
            .at(config.place.clone())
            .hint("write `file = \"TOOL.wasm\"`, a component that exports the interface"));
    };
    if depth(config) > MAX_DEPTH {
        return Err(Fault::new(format!(
            "components serve components more than {MAX_DEPTH} levels deep"
        ))
        .at(config.place.clone()));
    }
    let limits = plan.manifest.limits(&hole.name);
    let full = plan.folder.join(&file.value);
    let fault = |reason: String| {
        Fault::new(format!("the component `{}` {reason}", full.display())).at(file.place.clone())
    };
    let wasm = read(&full, limits.component.file).map_err(&fault)?;
    let (resolve, world) = decode(&wasm).map_err(|problem| {
        let fault = fault(problem.reason);
        match problem.hint {
            Some(hint) => fault.hint(hint),
            None => fault,
        }
    })?;
    let wanted = exports::Wanted::of(plan, hole, import, config)?;
    let export = exports::find(&resolve, world, &wanted, &|reason| fault(reason))?;
    let place = place(plan, hole, config);
    let imports = imports(plan, resolve, world, &place, file, config, limits)?;
    Ok(ComponentGrant {
        file: full,
        hash: format!("blake3:{}", blake3::hash(&wasm).to_hex()),
        wasm: wasm.into(),
        export,
        imports,
        place,
        run: limits.run.clone(),
        compile: limits.component.clone(),
    })
}

/// The grant's table as lacuna.toml has it, without brackets.
fn place(plan: &Plan, hole: &Hole, config: &GrantConfig) -> String {
    let grants = plan.manifest.holes.get(&hole.name).map(|hole| &hole.grants);
    let key = grants.and_then(|grants| {
        grants
            .iter()
            .find(|(_, other)| other.place == config.place)
            .map(|(key, _)| key.as_str())
    });
    let plain = |key: &str| {
        key.chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
    };
    // The hole of a component's own grants has such a place as its name, which no world can have.
    let hole = match hole.name.contains('.') {
        true => hole.name.clone(),
        false => format!("hole.{}", hole.name),
    };
    match key {
        Some(key) if plain(key) => format!("{hole}.grant.{key}"),
        Some(key) => format!("{hole}.grant.\"{key}\""),
        None => hole,
    }
}

/// Components on the longest way down.
fn depth(config: &GrantConfig) -> usize {
    let own = config
        .provider
        .as_ref()
        .is_some_and(|provider| provider.value == "component");
    usize::from(own) + config.grants.values().map(depth).max().unwrap_or(0)
}

fn read(file: &Path, most: u64) -> Result<Vec<u8>, String> {
    let words = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "does not exist".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    let found = std::fs::metadata(file).map_err(words)?;
    if !found.is_file() {
        return Err("is no file".to_owned());
    }
    let too_large = || {
        format!(
            "is larger than `component-file` allows ({})",
            figures::size(most)
        )
    };
    if found.len() > most {
        return Err(too_large());
    }
    let mut wasm = Vec::new();
    std::fs::File::open(file)
        .and_then(|opened| opened.take(most.saturating_add(1)).read_to_end(&mut wasm))
        .map_err(words)?;
    if wasm.len() as u64 > most {
        return Err(too_large());
    }
    Ok(wasm)
}

/// Why a file is no component, and what may help.
struct Problem {
    reason: String,
    hint: Option<&'static str>,
}

fn decode(wasm: &[u8]) -> Result<(Resolve, WorldId), Problem> {
    let problem = |reason: String, hint| Err(Problem { reason, hint });
    if wasm.get(..4) == Some(b"\0asm") && wasm.get(4..8) == Some(&CORE_MODULE) {
        return problem(
            "is a core module, and no component".to_owned(),
            Some("make a component of it with `wasm-tools component new`"),
        );
    }
    // A decoder of foreign files is treated as code that may panic.
    let decoded = catch_unwind(AssertUnwindSafe(|| wit_component::decode(wasm)));
    match decoded {
        Ok(Ok(DecodedWasm::Component(resolve, world))) => Ok((resolve, world)),
        Ok(Ok(DecodedWasm::WitPackage(..))) => problem(
            "is a WIT package, and no component".to_owned(),
            Some("name the component that was built from it"),
        ),
        Ok(Err(error)) => {
            let reason = format!("{error:#}");
            let reason = escape_controls(&reason);
            problem(
                format!(
                    "is malformed: {}",
                    reason.lines().collect::<Vec<_>>().join(" ")
                ),
                None,
            )
        }
        Err(_) => problem("is malformed: its types cannot be read".to_owned(), None),
    }
}

/// The component's own imports, granted by `grant.*` of the grant.
///
/// They are resolved as those of a hole are: the component's world is made a plan of its own, with the nested grants as
/// its manifest.
fn imports(
    plan: &Plan,
    resolve: Resolve,
    world: WorldId,
    place: &str,
    file: &Spanned<String>,
    config: &GrantConfig,
    limits: &crate::budget::Limits,
) -> Result<Vec<ComponentImport>, Fault> {
    let imported = imported(&resolve, world, &file.place).map_err(|what| {
        Fault::new(format!("the component `{}` {what}", file.value)).at(file.place.clone())
    })?;
    let hole = Hole {
        name: place.to_owned(),
        world,
        task: String::new(),
        // A component may pass calls on to an interface that it exports itself; that calls no hole.
        exports: Vec::new(),
        imports: imported.iter().map(|(import, _)| import.clone()).collect(),
        place: file.place.clone(),
    };
    let Some(package) = resolve.worlds[world].package else {
        return Err(Fault::new("the component's world has no package").at(file.place.clone()));
    };
    let granting = HoleConfig {
        place: config.place.clone(),
        model: None,
        args: BTreeMap::new(),
        limits: limits.clone(),
        retry_on: Vec::new(),
        grants: config.grants.clone(),
    };
    let own = Plan {
        file: plan.file.clone(),
        folder: plan.folder.clone(),
        resolve,
        package,
        manifest: Manifest {
            holes: BTreeMap::from([(place.to_owned(), granting)]),
            ..Manifest::default()
        },
        holes: Vec::new(),
        hash: String::new(),
    };
    let granted = super::resolve(&own, &hole).map_err(|error| in_component(&error, place, file))?;
    Ok(imported
        .into_iter()
        .filter_map(|(import, functions)| {
            let grant = granted
                .grants
                .iter()
                .find(|grant| grant.key == import.key)?;
            Some(ComponentImport {
                name: import.name,
                bare: import.interface.is_none(),
                functions: functions
                    .into_iter()
                    .filter(|function| grant.functions.contains(&function.name))
                    .collect(),
                grant: grant.clone(),
            })
        })
        .collect())
}

/// The same faults in words that speak of the component.
fn in_component(error: &GrantError, place: &str, file: &Spanned<String>) -> Fault {
    let reworded = |fault: &Fault| {
        let mut fault = Fault {
            others: Vec::new(),
            ..fault.clone()
        };
        fault.message = fault.message.replace(
            &format!("the hole `{place}`"),
            &format!("the component `{}`", file.value),
        );
        // The table's name is already whole.
        fault.hint = fault
            .hint
            .map(|hint| hint.replace(&format!("[hole.{place}."), &format!("[{place}.")));
        fault
    };
    let first = error.fault();
    let mut all = reworded(first);
    all.others = first.others.iter().map(reworded).collect();
    all
}

/// The imports of the component's world that it could call, with their functions.
fn imported(
    resolve: &Resolve,
    world: WorldId,
    place: &Place,
) -> Result<Vec<(Import, Vec<Function>)>, String> {
    let mut imports = Vec::new();
    for (key, item) in &resolve.worlds[world].imports {
        let name = resolve.name_world_key(key);
        let (interface, items): (_, Vec<_>) = match item {
            WorldItem::Interface { id, .. } => {
                let interface = &resolve.interfaces[*id];
                (Some(*id), interface.functions.values().collect())
            }
            WorldItem::Function(function) => (None, vec![function]),
            WorldItem::Type { .. } => continue,
        };
        let functions = items
            .into_iter()
            .map(|item| signature(resolve, item, place))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|what| format!("imports `{name}`, in which {what}"))?;
        imports.push((
            Import {
                key: key.clone(),
                label: label(resolve, &name, interface),
                name,
                interface,
                functions: functions.iter().map(|it| it.name.clone()).collect(),
                explicit: true,
                place: place.clone(),
            },
            functions,
        ));
    }
    Ok(imports)
}

/// The last name of an interface, or the name of the import.
fn label(resolve: &Resolve, name: &str, interface: Option<InterfaceId>) -> String {
    interface
        .and_then(|id| resolve.interfaces[id].name.clone())
        .unwrap_or_else(|| name.to_owned())
}

/// A function of a component's WIT; what differs from what can cross is the error.
fn signature(
    resolve: &Resolve,
    function: &wit_parser::Function,
    place: &Place,
) -> Result<Function, String> {
    let name = &function.name;
    if function.kind.is_async() {
        return Err(format!("`{name}` is async, which is not supported"));
    }
    let of = |ty: &wit_parser::Type| {
        Type::of(resolve, ty)
            .map_err(|error| format!("`{name}` has a type that cannot cross: {error}"))
    };
    Ok(Function {
        name: name.clone(),
        parameters: function
            .params
            .iter()
            .map(|parameter| Ok((parameter.name.clone(), of(&parameter.ty)?)))
            .collect::<Result<_, String>>()?,
        result: function.result.as_ref().map(of).transpose()?,
        docs: String::new(),
        place: place.clone(),
    })
}
