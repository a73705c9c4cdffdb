//! Which hole runs (CONTRACTS section 6), and which hole calls which.

use wit_parser::WorldItem;

use super::{Function, Hole, Import, Plan, PlanError};
use crate::error::{Fault, nearest};
use crate::value::Type;

impl Plan {
    /// The hole of that name.
    ///
    /// # Errors
    /// When the plan has none; the error names the nearest or lists all.
    pub fn hole(&self, name: &str) -> Result<&Hole, PlanError> {
        self.holes
            .iter()
            .find(|hole| hole.name == name)
            .ok_or_else(|| {
                let fault = Fault::new(format!("there is no hole `{name}`"));
                PlanError::Hole(name_holes(fault, name, &self.holes))
            })
    }

    /// The hole to run: the one asked for, else the manifest's `entry`, else the one hole that no other hole calls.
    ///
    /// # Errors
    /// When that names no hole, or several are left.
    pub fn entry(&self, flag: Option<&str>) -> Result<&Hole, PlanError> {
        if let Some(name) = flag {
            return self.hole(name);
        }
        if let Some(entry) = &self.manifest.entry {
            let name = &entry.value;
            return self
                .holes
                .iter()
                .find(|hole| hole.name == *name)
                .ok_or_else(|| {
                    let fault =
                        Fault::new(format!("there is no hole `{name}`")).at(entry.place.clone());
                    PlanError::Hole(name_holes(fault, name, &self.holes))
                });
        }
        let free: Vec<&Hole> = self
            .holes
            .iter()
            .filter(|hole| {
                !self
                    .holes
                    .iter()
                    .any(|caller| caller.world != hole.world && self.calls(caller, hole))
            })
            .collect();
        match free.as_slice() {
            [hole] => Ok(hole),
            several => {
                let named = if several.is_empty() {
                    self.holes.iter().collect()
                } else {
                    several.to_vec()
                };
                let names: Vec<&str> = named.iter().map(|hole| hole.name.as_str()).collect();
                let message = if several.is_empty() {
                    "every hole is called by another one, so none is the entry"
                } else {
                    "the plan has several holes and no entry"
                };
                Err(PlanError::Hole(Fault::new(message).hint(format!(
                    "choose with --hole or `entry = \"…\"` in lacuna.toml: {}",
                    names.join(", ")
                ))))
            }
        }
    }

    /// Whether `caller` imports what `callee` exports, under the same key and type.
    pub fn calls(&self, caller: &Hole, callee: &Hole) -> bool {
        caller
            .imports
            .iter()
            .filter(|import| import.explicit)
            .any(|import| self.exports_import(callee, caller, import))
    }

    /// Whether `callee` exports what this import of `caller` asks for.
    pub(crate) fn exports_import(&self, callee: &Hole, caller: &Hole, import: &Import) -> bool {
        callee
            .exports
            .iter()
            .any(|export| match (&export.interface, import.interface) {
                (Some(interface), Some(_)) => {
                    interface.key == import.key && !import.functions.is_empty()
                }
                (None, None) => export.functions.iter().any(|function| {
                    function.name == import.name && self.same_type(function, caller, import)
                }),
                _ => false,
            })
    }

    fn same_type(&self, exported: &Function, caller: &Hole, import: &Import) -> bool {
        let imports = &self.resolve.worlds[caller.world].imports;
        let Some(WorldItem::Function(function)) = imports.get(&import.key) else {
            return false;
        };
        let of = |ty: &wit_parser::Type| Type::of(&self.resolve, ty).ok();
        let parameters = function.params.iter().map(|parameter| of(&parameter.ty));
        parameters.eq(exported.parameters.iter().map(|(_, ty)| Some(ty.clone())))
            && function.result.as_ref().and_then(of) == exported.result
    }
}

/// The fault with the nearest hole's name, or all names.
pub(super) fn name_holes(fault: Fault, given: &str, holes: &[Hole]) -> Fault {
    let names = || holes.iter().map(|hole| hole.name.as_str());
    match nearest(given, names()) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault.hint(format!(
            "its holes: {}",
            names().collect::<Vec<_>>().join(", ")
        )),
    }
}
