//! Which grant of the manifest belongs to which import, and which functions its `functions` names.

use std::collections::BTreeMap;

use super::GrantError;
use crate::error::{Fault, nearest};
use crate::plan::manifest::{GrantConfig, Spanned};
use crate::plan::{Hole, Import, Plan};

/// The package whose console every hole has.
pub(super) const CONSOLE: &str = "lacuna:hole/console";

/// The grant for each import, by the import's name.
pub(super) fn assign<'a>(
    plan: &'a Plan,
    hole: &Hole,
) -> Result<BTreeMap<String, &'a GrantConfig>, GrantError> {
    let mut assigned: BTreeMap<String, (&str, &GrantConfig)> = BTreeMap::new();
    let mut faults = Vec::new();
    let configs = plan.manifest.holes.get(&hole.name);
    let mut configs: Vec<_> = configs
        .into_iter()
        .flat_map(|config| &config.grants)
        .collect();
    configs.sort_by_key(|(_, config)| (config.place.line, config.place.column));
    for (key, config) in configs {
        match import_of(plan, hole, key) {
            Ok(import) => {
                if let Some((other, _)) = assigned.insert(import.name.clone(), (key, config)) {
                    let message = format!("`{other}` and `{key}` grant the same import");
                    faults.push(
                        Fault::new(message)
                            .at(config.place.clone())
                            .hint("keep one of them"),
                    );
                }
            }
            Err(fault) => faults.push(fault.at(config.place.clone())),
        }
    }
    match Fault::several(faults) {
        Some(fault) => Err(GrantError::Mismatch(fault)),
        None => Ok(assigned
            .into_iter()
            .map(|(name, (_, config))| (name, config))
            .collect()),
    }
}

fn import_of<'a>(plan: &Plan, hole: &'a Hole, key: &str) -> Result<&'a Import, Fault> {
    let is_console = |import: &Import| {
        import
            .interface
            .and_then(|id| plan.resolve.id_of(id))
            .is_some_and(|id| id.split('@').next() == Some(CONSOLE))
    };
    let exact = hole.imports.iter().find(|import| import.name == key);
    let labelled = |explicit: bool| {
        let fits = move |import: &&Import| import.explicit == explicit && import.label == key;
        hole.imports.iter().filter(fits)
    };
    // An interface that only a `use` brings in can be granted as well, but an `import` of that name goes first.
    let written = labelled(true).next().is_some();
    let mut by_label = labelled(written);
    let import = match (exact, by_label.next(), by_label.next()) {
        (Some(exact), _, _) => exact,
        (None, Some(only), None) => only,
        (None, Some(first), Some(second)) => {
            return Err(Fault::new(format!(
                "`{key}` could be `{}` or `{}`",
                first.name, second.name
            ))
            .hint(format!(
                "write the whole id: [hole.{}.grant.\"{}\"]",
                hole.name, first.name
            )));
        }
        (None, None, _) => return Err(unknown(plan, hole, key)),
    };
    if is_console(import) {
        return Err(console(key));
    }
    if import.functions.is_empty() {
        return Err(Fault::new(format!(
            "`{}` has only types, which need no grant",
            import.name
        ))
        .hint("remove the grant"));
    }
    Ok(import)
}

fn console(key: &str) -> Fault {
    Fault::new(format!("`{key}` needs no grant: every hole has {CONSOLE}")).hint("remove the grant")
}

fn unknown(plan: &Plan, hole: &Hole, key: &str) -> Fault {
    if key == "console" || key.split('@').next() == Some(CONSOLE) {
        return console(key);
    }
    let fault = Fault::new(format!("the hole `{}` has no import `{key}`", hole.name));
    let granted = || {
        hole.imports
            .iter()
            .filter(|import| import.explicit && !import.functions.is_empty())
    };
    // An id without its version is a likely slip.
    if let Some(import) = granted().find(|import| import.name.split('@').next() == Some(key)) {
        return fault.hint(format!(
            "write the id with its version: \"{}\"",
            import.name
        ));
    }
    // The interface of named imports names none of them.
    let labels: Vec<String> = granted()
        .filter(|import| {
            let id = import.interface.and_then(|id| plan.resolve.id_of(id));
            id.is_some_and(|id| {
                let path = id.split('@').next().unwrap_or(&id);
                import.name != id
                    && (id == key || path == key || path.rsplit('/').next() == Some(key))
            })
        })
        .map(|import| format!("`{}`", import.label))
        .collect();
    if !labels.is_empty() {
        return fault.hint(format!(
            "it is imported as {}: grant that name",
            labels.join(", ")
        ));
    }
    let names = || granted().flat_map(|import| [import.label.as_str(), import.name.as_str()]);
    match nearest(key, names()) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None if granted().next().is_none() => fault.hint("it imports nothing that needs a grant"),
        None => {
            let names: Vec<&str> = granted().map(|import| import.label.as_str()).collect();
            fault.hint(format!("its imports: {}", names.join(", ")))
        }
    }
}

/// The WIT names of the functions that `functions = […]` names, in the interface's order.
pub(super) fn functions(import: &Import, names: &[Spanned<String>]) -> Result<Vec<String>, Fault> {
    let mut wanted = Vec::new();
    let mut faults = Vec::new();
    for name in names {
        let matches =
            |function: &&String| written(function) == name.value || **function == name.value;
        if let Some(function) = import.functions.iter().find(matches) {
            wanted.push(function);
        } else if !import
            .functions
            .iter()
            .any(|function| resource(function) == Some(name.value.as_str()))
        {
            let known: Vec<String> = import
                .functions
                .iter()
                .map(|function| written(function))
                .collect();
            let fault = Fault::new(format!(
                "`{}` has no function `{}`",
                import.name, name.value
            ))
            .at(name.place.clone());
            faults.push(
                match nearest(&name.value, known.iter().map(String::as_str)) {
                    Some(near) => fault.hint(format!("did you mean `{near}`?")),
                    None => fault.hint(format!("it has: {}", known.join(", "))),
                },
            );
        }
    }
    match Fault::several(faults) {
        Some(fault) => Err(fault),
        None => Ok(import
            .functions
            .iter()
            .filter(|function| wanted.contains(function))
            .cloned()
            .collect()),
    }
}

/// As a manifest writes a function: `dir.open` for `[method]dir.open`, `dir.constructor` for `[constructor]dir`.
pub(crate) fn written(function: &str) -> String {
    match function
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        Some(("constructor", resource)) => format!("{resource}.constructor"),
        Some((_, rest)) => rest.to_owned(),
        None => function.to_owned(),
    }
}

fn resource(function: &str) -> Option<&str> {
    let (_, rest) = function.strip_prefix('[')?.split_once(']')?;
    Some(rest.split('.').next().unwrap_or(rest))
}
