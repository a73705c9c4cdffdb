//! Handles of host resources.
//!
//! A guest holds numbers, and safe Rust has known holes through which it can make some up. wasmtime checks each number
//! against the instance's own table, by type; what comes out of it is a *representation*, an index into [`Handles`],
//! which is checked again. A number that was never given out, was dropped, or belongs to another resource type ends
//! the guest cleanly.

use serde_json::json;
use wasmtime::Engine;
use wasmtime::component::ResourceType;
use wasmtime::component::types::{Component, ComponentItem};

use super::call::{Running, Site};
use super::host::Host;
use super::outcome::Failure;

/// The resource types that one component imports, numbered. `use` makes several names for one type; they have one
/// number.
#[derive(Debug, Default)]
pub(crate) struct ResourceKinds {
    types: Vec<ResourceType>,
}

impl ResourceKinds {
    /// Collects them from the component's imports.
    pub(crate) fn of(engine: &Engine, component: &Component) -> Self {
        let mut kinds = Self::default();
        for (_, external) in component.imports(engine) {
            let ComponentItem::ComponentInstance(instance) = external.ty else {
                continue;
            };
            for (_, member) in instance.exports(engine) {
                if let ComponentItem::Resource(ty) = member.ty
                    && !kinds.types.contains(&ty)
                {
                    kinds.types.push(ty);
                }
            }
        }
        kinds
    }

    /// The number of a type.
    pub(crate) fn number(&self, ty: ResourceType) -> Option<u32> {
        self.types
            .iter()
            .position(|known| *known == ty)
            .map(|at| at as u32)
    }

    /// The number of a type of ours, as an instantiated component shows it.
    pub(crate) fn of_host(&self, ty: ResourceType) -> Option<u32> {
        (0..self.types.len() as u32).find(|number| ResourceType::host_dynamic(*number) == ty)
    }
}

/// One open handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    /// Number of its resource type.
    pub(crate) kind: u32,
    /// What the provider calls it.
    pub(crate) name: String,
}

/// All open handles of one instance. Their number is bounded by `handles`.
#[derive(Debug, Default)]
pub(crate) struct Handles {
    open: Vec<Option<Open>>,
    free: Vec<u32>,
}

impl Handles {
    /// A new representation; none when `most` are open.
    pub(crate) fn insert(&mut self, open: Open, most: u64) -> Option<u32> {
        if (self.open.len() - self.free.len()) as u64 >= most {
            return None;
        }
        if let Some(at) = self.free.pop() {
            self.open[at as usize] = Some(open);
            return Some(at);
        }
        self.open.push(Some(open));
        Some((self.open.len() - 1) as u32)
    }

    /// The handle behind a representation, if it is open and of that type.
    pub(crate) fn get(&self, kind: u32, representation: u32) -> Option<&Open> {
        self.open
            .get(representation as usize)?
            .as_ref()
            .filter(|open| open.kind == kind)
    }

    /// Closes it.
    pub(crate) fn remove(&mut self, kind: u32, representation: u32) -> Option<Open> {
        self.get(kind, representation)?;
        let open = self.open[representation as usize].take();
        self.free.push(representation);
        open
    }
}

/// The guest dropped a handle that it owned.
pub(crate) fn dropped(
    host: &mut Host,
    site: &Site,
    kind: u32,
    representation: u32,
) -> wasmtime::Result<()> {
    let Some(open) = host.handles.remove(kind, representation) else {
        return Err(host.fail(Failure::trap(format!(
            "`{}` of `{}` was called for a handle that is not open",
            site.function, site.import
        ))));
    };
    let running = Running::enter(host, site, 0, || vec![json!(open.name)], Vec::new)?;
    running.leave(host, 0, || None)
}
