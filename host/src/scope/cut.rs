//! Cuts the guest's WIT from the grant, on a clone of the `Resolve`.
//!
//! WIT's `use` hands a guest every function of the used interface, and two labels on one interface share it. Both
//! would give more than was granted, so functions are removed one by one and a named import becomes an interface of
//! its own.

use std::collections::{BTreeSet, HashMap};

use wit_parser::{
    Function, Handle, Interface, InterfaceId, Resolve, Type, TypeDef, TypeDefKind, TypeId,
    TypeOwner, WorldId, WorldItem, WorldKey,
};

use super::ScopeError;
use crate::grant::{self, FunctionRules, Grant, Granted, Provider};
use crate::labels::Labels;
use crate::plan::{Hole, Plan};

/// The cut world.
pub(super) struct Cut {
    pub(super) resolve: Resolve,
    pub(super) world: WorldId,
    /// The imports in the order of the world, the console last.
    pub(super) imports: Vec<CutImport>,
}

/// One import of the cut world, as the grant knows it.
pub(super) struct CutImport {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) interface: Option<String>,
    pub(super) bare: bool,
    pub(super) withheld: Vec<String>,
    pub(super) implicit: bool,
    pub(super) provider: Provider,
    pub(super) rules: FunctionRules,
}

/// Name of the interface that every hole imports.
const CONSOLE: (&str, &str, &str) = ("lacuna", "hole", "console");

/// Cuts the world of `hole` to what is `granted`.
pub(super) fn cut(plan: &Plan, hole: &Hole, granted: &Granted) -> Result<Cut, ScopeError> {
    let mut resolve = plan.resolve.clone();
    let world = hole.world;
    // What other worlds import or export must not change this scope, nor its hash.
    for (id, other) in resolve.worlds.iter_mut() {
        if id != world {
            other.imports.clear();
            other.exports.clear();
        }
    }
    // What they declare has no owner then: the parser's own check wants a world to list the types that it owns.
    for (_, definition) in resolve.types.iter_mut() {
        if matches!(definition.owner, TypeOwner::World(owner) if owner != world) {
            definition.owner = TypeOwner::None;
        }
    }
    let exported: BTreeSet<InterfaceId> = resolve.worlds[world]
        .exports
        .values()
        .filter_map(|item| match item {
            WorldItem::Interface { id, .. } => Some(*id),
            _ => None,
        })
        .collect();

    let mut imports = Vec::new();
    let mut kept = Vec::new();
    for (key, item) in std::mem::take(&mut resolve.worlds[world].imports) {
        let name = resolve.name_world_key(&key);
        let grant = granted.grants.iter().find(|grant| grant.key == key);
        let empty = Vec::new();
        let functions = grant.map_or(&empty, |grant| &grant.functions);
        match item {
            WorldItem::Type { .. } => {
                kept.push((key, item));
                continue;
            }
            WorldItem::Function(_) if functions.is_empty() => continue,
            WorldItem::Function(mut function) => {
                document(&mut function, grant, granted);
                kept.push((key, WorldItem::Function(function)));
            }
            WorldItem::Interface {
                id,
                stability,
                external_id,
                docs,
                span,
            } => {
                let id =
                    if matches!(key, WorldKey::Name(_)) && resolve.interfaces[id].name.is_some() {
                        copy(&mut resolve, id, world)
                    } else {
                        id
                    };
                let interface = &mut resolve.interfaces[id];
                let before = interface.functions.len();
                interface
                    .functions
                    .retain(|name, _| functions.contains(name));
                for function in interface.functions.values_mut() {
                    document(function, grant, granted);
                }
                if interface.functions.len() != before && exported.contains(&id) {
                    return Err(ScopeError::CutExport {
                        interface: name,
                        place: Box::new(hole.place.clone()),
                    });
                }
                kept.push((
                    key,
                    WorldItem::Interface {
                        id,
                        stability,
                        external_id,
                        docs,
                        span,
                    },
                ));
            }
        }
        let bare = matches!(kept.last(), Some((_, WorldItem::Function(_))));
        let label = name
            .rsplit('/')
            .next()
            .unwrap_or(&name)
            .split('@')
            .next()
            .unwrap_or(&name)
            .to_owned();
        imports.push(match grant {
            Some(grant) => CutImport {
                label: grant.label.clone(),
                interface: grant.interface.clone(),
                bare,
                withheld: grant.withheld.clone(),
                implicit: false,
                provider: grant.provider.clone(),
                rules: grant.rules.clone(),
                name,
            },
            None => CutImport {
                label,
                interface: Some(name.clone()).filter(|name| name.contains('/')),
                bare,
                withheld: Vec::new(),
                implicit: false,
                provider: Provider::Types,
                rules: FunctionRules::new(),
                name,
            },
        });
    }
    resolve.worlds[world].imports = kept.into_iter().collect();

    for (key, item) in std::mem::take(&mut resolve.worlds[world].exports) {
        let item = match item {
            WorldItem::Interface {
                id,
                stability,
                external_id,
                docs,
                span,
            } if matches!(key, WorldKey::Name(_)) && resolve.interfaces[id].name.is_some() => {
                let id = copy(&mut resolve, id, world);
                WorldItem::Interface {
                    id,
                    stability,
                    external_id,
                    docs,
                    span,
                }
            }
            item => item,
        };
        resolve.worlds[world].exports.insert(key, item);
    }

    add_console(&mut resolve, world, &mut imports)?;
    Ok(Cut {
        resolve,
        world,
        imports,
    })
}

/// Puts the rules of a function into its documentation, which is what the model is told of it. So they are part of the
/// scope's hash too: a snippet is judged again when they change.
fn document(function: &mut Function, grant: Option<&Grant>, all: &Granted) {
    let Some((grant, rules)) =
        grant.and_then(|grant| Some((grant, grant.rules.get(&function.name)?)))
    else {
        return;
    };
    let mut say = |text: &str| {
        let docs = function.docs.contents.get_or_insert_default();
        if !docs.trim().is_empty() {
            docs.push_str("\n\n");
        }
        docs.push_str(text);
    };
    match &grant.provider {
        Provider::Http(http) => say(&format!("Granted: {http}.")),
        Provider::Sql(sql) => say(&format!("Granted tables: {}.", sql.tables.join(", "))),
        _ => {}
    }
    let mut sentences = rules.sentences();
    if rules.sends && !rules.clearance.covers(Labels::PRIVATE) {
        let private = all.grants.iter().flat_map(|grant| {
            let functions = grant.rules.iter();
            let private = functions.filter(|(_, rules)| rules.labels.covers(Labels::PRIVATE));
            private.map(|(name, _)| format!("`{}.{}`", grant.label, grant::written(name)))
        });
        let private: Vec<String> = private.collect();
        if !private.is_empty() {
            let from = private.join(", ");
            sentences.push(format!("not once anything came in from {from}, which is private: this sends its arguments out"));
        }
    }
    if !sentences.is_empty() {
        let rules = sentences.join("; ");
        say(&format!(
            "Rules (a call that breaks one is not made and ends the program): {rules}."
        ));
    }
}

/// Adds the one implicit import.
fn add_console(
    resolve: &mut Resolve,
    world: WorldId,
    imports: &mut Vec<CutImport>,
) -> Result<(), ScopeError> {
    let (namespace, package, interface) = CONSOLE;
    let id = resolve
        .packages
        .iter()
        .filter(|(_, it)| it.name.namespace == namespace && it.name.name == package)
        .find_map(|(_, it)| it.interfaces.get(interface).copied())
        .ok_or(ScopeError::NoConsole)?;
    let key = WorldKey::Interface(id);
    if resolve.worlds[world].imports.contains_key(&key) {
        return Ok(());
    }
    let name = resolve.name_world_key(&key);
    let span = resolve.interfaces[id].span;
    let item = WorldItem::Interface {
        id,
        stability: Default::default(),
        external_id: None,
        docs: Default::default(),
        span,
    };
    resolve.worlds[world].imports.insert(key, item);
    imports.push(CutImport {
        label: interface.to_owned(),
        interface: Some(name.clone()),
        bare: false,
        withheld: Vec::new(),
        implicit: true,
        provider: Provider::Console,
        rules: FunctionRules::new(),
        name,
    });
    Ok(())
}

/// Copies a named interface into an inline one of `world`. Types that it defines are copied with it; types that it
/// uses from elsewhere stay shared.
fn copy(resolve: &mut Resolve, id: InterfaceId, world: WorldId) -> InterfaceId {
    let old = resolve.interfaces[id].clone();
    let next = resolve.interfaces.alloc(Interface {
        name: None,
        types: Default::default(),
        functions: Default::default(),
        package: resolve.worlds[world].package,
        clone_of: None,
        ..old.clone()
    });
    let mut copier = Copier {
        from: TypeOwner::Interface(id),
        to: TypeOwner::Interface(next),
        done: HashMap::new(),
    };
    for (name, ty) in &old.types {
        let ty = copier.id(resolve, *ty);
        resolve.interfaces[next].types.insert(name.clone(), ty);
    }
    for (name, function) in &old.functions {
        let function = copier.function(resolve, function);
        resolve.interfaces[next]
            .functions
            .insert(name.clone(), function);
    }
    next
}

struct Copier {
    from: TypeOwner,
    to: TypeOwner,
    done: HashMap<TypeId, TypeId>,
}

impl Copier {
    fn function(&mut self, resolve: &mut Resolve, function: &Function) -> Function {
        let mut function = function.clone();
        if let Some(resource) = function.kind.resource_mut() {
            *resource = self.id(resolve, *resource);
        }
        for parameter in &mut function.params {
            self.ty(resolve, &mut parameter.ty);
        }
        if let Some(result) = &mut function.result {
            self.ty(resolve, result);
        }
        function
    }

    fn ty(&mut self, resolve: &mut Resolve, ty: &mut Type) {
        if let Type::Id(id) = ty {
            *id = self.id(resolve, *id);
        }
    }

    /// The copy of a type. Anonymous types are copied when reached; named ones of another owner are shared.
    fn id(&mut self, resolve: &mut Resolve, id: TypeId) -> TypeId {
        if let Some(done) = self.done.get(&id) {
            return *done;
        }
        let mut def: TypeDef = resolve.types[id].clone();
        if def.owner != TypeOwner::None && def.owner != self.from {
            return id;
        }
        if def.owner == self.from {
            def.owner = self.to;
        }
        match &mut def.kind {
            TypeDefKind::Type(ty)
            | TypeDefKind::Option(ty)
            | TypeDefKind::List(ty)
            | TypeDefKind::FixedLengthList(ty, _) => {
                self.ty(resolve, ty);
            }
            TypeDefKind::Map(key, value) => {
                self.ty(resolve, key);
                self.ty(resolve, value);
            }
            TypeDefKind::Handle(Handle::Own(ty) | Handle::Borrow(ty)) => {
                *ty = self.id(resolve, *ty)
            }
            TypeDefKind::Tuple(tuple) => tuple.types.iter_mut().for_each(|ty| self.ty(resolve, ty)),
            TypeDefKind::Record(record) => record
                .fields
                .iter_mut()
                .for_each(|field| self.ty(resolve, &mut field.ty)),
            TypeDefKind::Variant(variant) => {
                variant
                    .cases
                    .iter_mut()
                    .filter_map(|case| case.ty.as_mut())
                    .for_each(|ty| self.ty(resolve, ty));
            }
            TypeDefKind::Result(result) => {
                result
                    .ok
                    .iter_mut()
                    .chain(result.err.iter_mut())
                    .for_each(|ty| self.ty(resolve, ty));
            }
            TypeDefKind::Future(ty) | TypeDefKind::Stream(ty) => {
                ty.iter_mut().for_each(|ty| self.ty(resolve, ty))
            }
            TypeDefKind::Resource
            | TypeDefKind::Flags(_)
            | TypeDefKind::Enum(_)
            | TypeDefKind::Unknown => {}
        }
        let copy = resolve.types.alloc(def);
        self.done.insert(id, copy);
        copy
    }
}
