//! Which standard traits a WIT type's Rust type can have.

use std::collections::{BTreeSet, HashMap};

use wit_parser::{Handle, Resolve, Type, TypeDefKind, TypeId, WorldId, WorldItem};

/// A set of traits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Traits {
    pub(super) debug: bool,
    pub(super) clone: bool,
    pub(super) copy: bool,
    pub(super) partial_eq: bool,
    pub(super) eq: bool,
    pub(super) partial_ord: bool,
    pub(super) ord: bool,
    pub(super) hash: bool,
    pub(super) default: bool,
}

impl Traits {
    const ALL: Self = Self {
        debug: true,
        clone: true,
        copy: true,
        partial_eq: true,
        eq: true,
        partial_ord: true,
        ord: true,
        hash: true,
        default: true,
    };
    const FLOAT: Self = Self {
        eq: false,
        ord: false,
        hash: false,
        ..Self::ALL
    };
    const HANDLE: Self = Self {
        debug: true,
        ..Self::NONE
    };
    const NONE: Self = Self {
        debug: false,
        clone: false,
        copy: false,
        partial_eq: false,
        eq: false,
        partial_ord: false,
        ord: false,
        hash: false,
        default: false,
    };

    fn and(self, other: Self) -> Self {
        Self {
            debug: self.debug && other.debug,
            clone: self.clone && other.clone,
            copy: self.copy && other.copy,
            partial_eq: self.partial_eq && other.partial_eq,
            eq: self.eq && other.eq,
            partial_ord: self.partial_ord && other.partial_ord,
            ord: self.ord && other.ord,
            hash: self.hash && other.hash,
            default: self.default && other.default,
        }
    }

    /// As paths that hold whatever the generated module defines.
    pub(super) fn derives(self) -> Vec<&'static str> {
        [
            (self.debug, "Debug"),
            (self.clone, "Clone"),
            (self.copy, "Copy"),
            (self.partial_eq, "PartialEq"),
            (self.eq, "Eq"),
            (self.partial_ord, "PartialOrd"),
            (self.ord, "Ord"),
            (self.hash, "Hash"),
            (self.default, "Default"),
        ]
        .into_iter()
        .filter_map(|(has, name)| has.then_some(name))
        .collect()
    }
}

/// Traits per type, computed once per scope.
pub(super) struct TraitTable<'a> {
    resolve: &'a Resolve,
    known: HashMap<TypeId, Traits>,
}

impl<'a> TraitTable<'a> {
    pub(super) fn new(resolve: &'a Resolve) -> Self {
        Self {
            resolve,
            known: HashMap::new(),
        }
    }

    /// The traits of a type by id.
    pub(super) fn of(&mut self, id: TypeId) -> Traits {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let resolve = self.resolve;
        let traits = match &resolve.types[id].kind {
            TypeDefKind::Record(record) => self.all(record.fields.iter().map(|field| &field.ty)),
            TypeDefKind::Variant(variant) => Traits {
                default: false,
                ..self.all(variant.cases.iter().filter_map(|case| case.ty.as_ref()))
            },
            TypeDefKind::Enum(_) => Traits {
                default: false,
                ..Traits::ALL
            },
            TypeDefKind::Flags(_) => Traits::ALL,
            TypeDefKind::Tuple(tuple) if tuple.types.len() > 12 => Traits::NONE,
            TypeDefKind::Tuple(tuple) => self.all(tuple.types.iter()),
            TypeDefKind::Option(ty) => Traits {
                default: true,
                ..self.ty(ty)
            },
            TypeDefKind::Result(result) => Traits {
                default: false,
                ..self.all(result.ok.iter().chain(result.err.iter()))
            },
            TypeDefKind::List(ty) => Traits {
                default: true,
                copy: false,
                ..self.ty(ty)
            },
            TypeDefKind::Type(ty) => self.ty(ty),
            TypeDefKind::Handle(Handle::Borrow(_)) => Traits {
                clone: false,
                copy: false,
                ..Traits::HANDLE
            },
            TypeDefKind::Handle(Handle::Own(_)) | TypeDefKind::Resource => Traits::HANDLE,
            _ => Traits::NONE,
        };
        self.known.insert(id, traits);
        traits
    }

    fn ty(&mut self, ty: &Type) -> Traits {
        match ty {
            Type::Id(id) => self.of(*id),
            Type::F32 | Type::F64 => Traits::FLOAT,
            Type::String => Traits {
                copy: false,
                ..Traits::ALL
            },
            Type::ErrorContext => Traits::NONE,
            _ => Traits::ALL,
        }
    }

    fn all<'b>(&mut self, types: impl Iterator<Item = &'b Type>) -> Traits {
        types.fold(Traits::ALL, |traits, ty| traits.and(self.ty(ty)))
    }
}

/// Follows aliases and `use` to the type's definition.
pub(super) fn definition(resolve: &Resolve, mut id: TypeId) -> TypeId {
    while let TypeDefKind::Type(Type::Id(target)) = resolve.types[id].kind {
        id = target;
    }
    id
}

/// Definitions that stand as `err` in the result of a function of the world: they get `Display`, `Error` and
/// `From<…> for String`, so that `?` works.
pub(super) fn error_types(resolve: &Resolve, world: WorldId) -> BTreeSet<TypeId> {
    let mut errors = BTreeSet::new();
    let world = &resolve.worlds[world];
    for item in world.imports.values().chain(world.exports.values()) {
        let mut results = Vec::new();
        match item {
            WorldItem::Function(function) => results.extend(function.result),
            WorldItem::Interface { id, .. } => {
                results.extend(
                    resolve.interfaces[*id]
                        .functions
                        .values()
                        .filter_map(|function| function.result),
                );
            }
            WorldItem::Type { .. } => {}
        }
        let mut seen = BTreeSet::new();
        while let Some(ty) = results.pop() {
            let Type::Id(id) = ty else { continue };
            if !seen.insert(id) {
                continue;
            }
            match &resolve.types[id].kind {
                TypeDefKind::Result(result) => {
                    if let Some(Type::Id(err)) = result.err {
                        let err = definition(resolve, err);
                        if matches!(
                            resolve.types[err].kind,
                            TypeDefKind::Record(_) | TypeDefKind::Variant(_) | TypeDefKind::Enum(_)
                        ) {
                            errors.insert(err);
                        }
                    }
                    results.extend(result.ok.into_iter().chain(result.err));
                }
                TypeDefKind::Option(ty) | TypeDefKind::List(ty) | TypeDefKind::Type(ty) => {
                    results.push(*ty)
                }
                TypeDefKind::Tuple(tuple) => results.extend(tuple.types.iter().copied()),
                TypeDefKind::Record(record) => {
                    results.extend(record.fields.iter().map(|field| field.ty))
                }
                TypeDefKind::Variant(variant) => {
                    results.extend(variant.cases.iter().filter_map(|case| case.ty))
                }
                _ => {}
            }
        }
    }
    errors
}
