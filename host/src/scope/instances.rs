//! Instances of generic code for the scope's own types, compiled once with the bindings: what a snippet does with a list
//! of its records is then linked and not compiled.

use std::collections::BTreeMap;

use wit_parser::{Resolve, TypeId};

use super::seal::{Sealed, Shape};
use super::traits::TraitTable;

/// Types that get instances. Each costs the bindings of a new scope some milliseconds, and the linker a little for every
/// snippet; a hole with more types works with a few of them.
const MOST: usize = 8;

/// A private module that keeps the instances: as statics, which the linker drops where a snippet does not need them.
pub(super) fn instances(
    resolve: &Resolve,
    ids: &BTreeMap<String, TypeId>,
    sealed: &Sealed,
) -> String {
    let mut traits = TraitTable::new(resolve);
    let statics: String = sealed
        .types
        .iter()
        .filter(|(at, shape)| {
            let owned = match shape {
                Shape::Struct(item) => item.generics.params.is_empty(),
                Shape::Enum(item) => item.generics.params.is_empty(),
                Shape::Alias(_) | Shape::Flags | Shape::Handle => false,
            };
            owned
                && ids.get(*at).is_some_and(|id| {
                    let has = traits.of(*id);
                    has.clone && has.debug && has.partial_eq
                })
        })
        .take(MOST)
        .enumerate()
        .map(|(number, (at, _))| {
            let ty = format!("crate::generated::{at}");
            format!(
                "static KEEP_{number}: fn(::std::vec::Vec<{ty}>, {ty}) -> usize = ::lacuna_rt::instances::list;"
            )
        })
        .collect();
    if statics.is_empty() {
        return statics;
    }
    format!("mod instances {{ {statics} }}")
}
