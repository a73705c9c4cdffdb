//! Scopes for unit tests, without the generator behind them.

use wit_parser::Resolve;

use crate::scope::{Scope, ScopeExport, ScopeFunction, ScopeResource, Surface};
use crate::value::Type;

/// A scope that exports one plain function; `returns` tells whether it has a result.
pub(crate) fn plain(signature: &str, returns: bool) -> Scope {
    with(vec![export(None, &[(signature, returns)], &[])])
}

/// A scope with the given exports.
pub(crate) fn with(exports: Vec<ScopeExport>) -> Scope {
    let mut resolve = Resolve::default();
    let package = resolve
        .push_str("test.wit", "package t:h; world hole {}")
        .unwrap();
    let world = resolve.select_world(&[package], None).unwrap();
    Scope {
        hole: "hole".into(),
        task: String::new(),
        resolve,
        world,
        imports: Vec::new(),
        exports,
        bindings: String::new(),
        surface: Surface::default(),
        names: Default::default(),
        hash: String::new(),
    }
}

/// An exported group: signatures, and names of resources.
pub(crate) fn export(
    module: Option<&str>,
    functions: &[(&str, bool)],
    resources: &[&str],
) -> ScopeExport {
    ScopeExport {
        interface: None,
        module: module.map(str::to_owned),
        functions: functions
            .iter()
            .map(|(signature, returns)| {
                let name = &signature["fn ".len()..signature.find('(').unwrap()];
                ScopeFunction {
                    wit: name.replace('_', "-"),
                    rust: name.into(),
                    signature: (*signature).into(),
                    absolute: signature.replace("String", "::std::string::String"),
                    docs: String::new(),
                    parameters: Vec::new(),
                    result: returns.then_some(Type::U32),
                }
            })
            .collect(),
        resources: resources
            .iter()
            .map(|name| ScopeResource {
                wit: name.to_lowercase(),
                trait_name: format!("Guest{name}"),
                slot: format!("__Lacuna_{name}"),
                trait_text: format!("pub trait Guest{name} {{ fn new() -> Self; }}"),
            })
            .collect(),
    }
}
