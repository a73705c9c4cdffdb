//! A hole as a snippet sees it, read from WIT without the product: types with their Rust paths, functions that may be
//! called, functions to write.

use std::collections::{BTreeSet, HashMap};

use wit_parser::{
    Function as WitFunction, FunctionKind, Handle, InterfaceId, Resolve, Type, TypeDefKind, TypeId,
    TypeOwner, WorldId, WorldItem,
};

use crate::grants::{Grants, Import};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the cases are WIT's")]
pub enum Ty {
    Bool,
    /// `u8` … `i64`.
    Int(&'static str),
    /// `f32`, `f64`.
    Float(&'static str),
    Char,
    String,
    List(Box<Ty>),
    Option(Box<Ty>),
    Result(Option<Box<Ty>>, Option<Box<Ty>>),
    Tuple(Vec<Ty>),
    /// Index into [`World::types`].
    Named(usize),
    Own(usize),
    Borrow(usize),
    /// What no snippet can be made for.
    Other,
}

/// A type with a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// Path from the snippet's top level.
    pub path: String,
    /// What it is.
    pub shape: Shape,
}

/// What a named type is.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the cases are WIT's")]
pub enum Shape {
    Record(Vec<(String, Ty)>),
    Variant(Vec<(String, Option<Ty>)>),
    Enum(Vec<String>),
    Flags(Vec<String>),
    Resource,
}

/// A function that is imported.
#[derive(Clone, Debug)]
pub struct Function {
    /// Key of its answer in `answers.json`.
    pub key: String,
    /// How it is called: `repo::read_text`, `repo::Dir::new`, or a method's name.
    pub path: String,
    /// Whether the first parameter is the receiver of a method.
    pub method: bool,
    /// Parameters.
    pub parameters: Vec<Ty>,
    /// Result.
    pub result: Option<Ty>,
    /// Whether the manifest grants it.
    pub granted: bool,
}

/// A function to write.
#[derive(Clone, Debug)]
pub struct Export {
    /// Rust's name.
    pub name: String,
    /// Parameters with their Rust names.
    pub parameters: Vec<(String, Ty)>,
    /// WIT names of the parameters.
    pub wit_parameters: Vec<String>,
    /// Result.
    pub result: Option<Ty>,
}

/// A hole.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Types with names.
    pub types: Vec<Named>,
    /// Functions that are imported.
    pub functions: Vec<Function>,
    /// Functions to write.
    pub exports: Vec<Export>,
    /// Whether an exported interface has a resource, which needs an `impl`.
    pub exports_resource: bool,
}

impl World {
    /// Reads the hole.
    pub fn read(resolve: &Resolve, world: WorldId, grants: &Grants) -> Self {
        let mut reader = Reader {
            resolve,
            world,
            known: HashMap::new(),
            out: Self::default(),
        };
        for import in &grants.imports {
            reader.import(import);
        }
        for item in resolve.worlds[world].exports.values() {
            match item {
                WorldItem::Function(function) => reader.export(function),
                WorldItem::Interface { id, .. } => {
                    let interface = &resolve.interfaces[*id];
                    for function in interface.functions.values() {
                        match function.kind {
                            FunctionKind::Freestanding => reader.export(function),
                            _ => reader.out.exports_resource = true,
                        }
                    }
                }
                WorldItem::Type { .. } => {}
            }
        }
        reader.out
    }

    /// Whether values of the type are passed on by copying.
    pub fn is_copy(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Bool | Ty::Int(_) | Ty::Float(_) | Ty::Char => true,
            Ty::Named(index) => {
                matches!(self.types[*index].shape, Shape::Enum(_) | Shape::Flags(_))
            }
            _ => false,
        }
    }

    /// Whether the type holds text or lists, which granted functions take by reference.
    pub fn holds_lists(&self, ty: &Ty) -> bool {
        match ty {
            Ty::String | Ty::List(_) => true,
            Ty::Option(inner) => self.holds_lists(inner),
            Ty::Result(ok, err) => [ok, err]
                .into_iter()
                .flatten()
                .any(|ty| self.holds_lists(ty)),
            Ty::Tuple(parts) => parts.iter().any(|ty| self.holds_lists(ty)),
            Ty::Named(index) => match &self.types[*index].shape {
                Shape::Record(fields) => fields.iter().any(|(_, ty)| self.holds_lists(ty)),
                Shape::Variant(cases) => cases
                    .iter()
                    .filter_map(|(_, ty)| ty.as_ref())
                    .any(|ty| self.holds_lists(ty)),
                _ => false,
            },
            _ => false,
        }
    }

    /// The type as Rust has it, from the snippet's top level; `from` stands before paths of the plan's types.
    pub fn rust(&self, ty: &Ty, from: &str) -> String {
        let inner = |ty: &Ty| self.rust(ty, from);
        let unit =
            |ty: &Option<Box<Ty>>| ty.as_ref().map_or_else(|| "()".to_owned(), |ty| inner(ty));
        match ty {
            Ty::Bool => "bool".to_owned(),
            Ty::Int(name) | Ty::Float(name) => (*name).to_owned(),
            Ty::Char => "char".to_owned(),
            Ty::String => "String".to_owned(),
            Ty::List(ty) => format!("Vec<{}>", inner(ty)),
            Ty::Option(ty) => format!("Option<{}>", inner(ty)),
            Ty::Result(ok, err) => format!("Result<{}, {}>", unit(ok), unit(err)),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(inner).collect();
                format!("({},)", parts.join(", "))
            }
            Ty::Named(index) | Ty::Own(index) => format!("{from}{}", self.types[*index].path),
            Ty::Borrow(index) => format!("&{from}{}", self.types[*index].path),
            Ty::Other => "()".to_owned(),
        }
    }
}

/// `read-text` → `read_text`; keywords have a `_` behind them.
pub fn snake(wit: &str) -> String {
    let name = wit.replace('-', "_").to_lowercase();
    match name.as_str() {
        "type" | "match" | "fn" | "mod" | "use" | "ref" | "move" | "in" | "loop" | "self"
        | "box" | "crate" | "impl" | "where" | "while" | "for" | "if" | "else" | "let" | "mut"
        | "pub" | "return" | "static" | "struct" | "super" | "trait" | "true" | "false" | "try"
        | "yield" | "abstract" | "become" | "do" | "final" | "macro" | "override" | "priv"
        | "typeof" | "unsized" | "virtual" | "as" | "break" | "const" | "continue" | "dyn"
        | "enum" | "extern" | "unsafe" | "async" | "await" => format!("{name}_"),
        "gen" => "r#gen".to_owned(),
        _ => name,
    }
}

/// `read-text` → `ReadText`.
pub fn camel(wit: &str) -> String {
    let words = wit.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first
            .into_iter()
            .chain(letters.map(|letter| letter.to_ascii_lowercase()))
            .collect::<String>()
    });
    words.collect()
}

struct Reader<'a> {
    resolve: &'a Resolve,
    world: WorldId,
    /// Definition and path → index.
    known: HashMap<(TypeId, String), usize>,
    out: World,
}

impl Reader<'_> {
    fn import(&mut self, import: &Import) {
        let module = import.label.as_ref().map(|label| snake(label));
        for (name, function) in &import.functions {
            let granted = import.granted.contains(name);
            let short = |text: &str| snake(text.rsplit('.').next().unwrap_or(text));
            let place = (module.as_deref(), import.interface);
            let (path, method) = match function.kind {
                FunctionKind::Constructor(resource) => {
                    (format!("{}::new", self.path_of(resource, place)), false)
                }
                FunctionKind::Static(resource) => (
                    format!("{}::{}", self.path_of(resource, place), short(name)),
                    false,
                ),
                FunctionKind::Method(_) => (short(name), true),
                _ => match &module {
                    Some(module) => (format!("{module}::{}", snake(name)), false),
                    None => (snake(name), false),
                },
            };
            let parameters = function
                .params
                .iter()
                .map(|param| self.ty(&param.ty, place, 0))
                .collect();
            let result = function.result.as_ref().map(|ty| self.ty(ty, place, 0));
            let key = match &import.label {
                Some(label) => format!("{label}.{name}"),
                None => name.clone(),
            };
            self.out.functions.push(Function {
                key,
                path,
                method,
                parameters,
                result,
                granted,
            });
        }
    }

    fn export(&mut self, function: &WitFunction) {
        let parameters = function.params.iter();
        let parameters = parameters
            .map(|param| (snake(&param.name), self.ty(&param.ty, (None, None), 0)))
            .collect();
        let result = function
            .result
            .as_ref()
            .map(|ty| self.ty(ty, (None, None), 0));
        self.out.exports.push(Export {
            name: snake(&function.name),
            parameters,
            wit_parameters: function
                .params
                .iter()
                .map(|param| param.name.clone())
                .collect(),
            result,
        });
    }

    fn ty(&mut self, ty: &Type, place: (Option<&str>, Option<InterfaceId>), depth: usize) -> Ty {
        match ty {
            Type::Bool => Ty::Bool,
            Type::U8 => Ty::Int("u8"),
            Type::U16 => Ty::Int("u16"),
            Type::U32 => Ty::Int("u32"),
            Type::U64 => Ty::Int("u64"),
            Type::S8 => Ty::Int("i8"),
            Type::S16 => Ty::Int("i16"),
            Type::S32 => Ty::Int("i32"),
            Type::S64 => Ty::Int("i64"),
            Type::F32 => Ty::Float("f32"),
            Type::F64 => Ty::Float("f64"),
            Type::Char => Ty::Char,
            Type::String => Ty::String,
            Type::ErrorContext => Ty::Other,
            Type::Id(id) if depth < 12 => self.defined(*id, place, depth + 1),
            Type::Id(_) => Ty::Other,
        }
    }

    fn defined(
        &mut self,
        id: TypeId,
        place: (Option<&str>, Option<InterfaceId>),
        depth: usize,
    ) -> Ty {
        let resolve = self.resolve;
        let mut inner = |ty: &Type| Box::new(self.ty(ty, place, depth));
        match &resolve.types[id].kind {
            TypeDefKind::Type(ty) => self.ty(ty, place, depth),
            TypeDefKind::List(ty) => Ty::List(inner(ty)),
            TypeDefKind::Option(ty) => Ty::Option(inner(ty)),
            TypeDefKind::Result(result) => Ty::Result(
                result.ok.as_ref().map(&mut inner),
                result.err.as_ref().map(&mut inner),
            ),
            TypeDefKind::Tuple(tuple) => {
                Ty::Tuple(tuple.types.iter().map(|ty| *inner(ty)).collect())
            }
            TypeDefKind::Handle(Handle::Own(id)) => Ty::Own(self.named(*id, place, depth)),
            TypeDefKind::Handle(Handle::Borrow(id)) => Ty::Borrow(self.named(*id, place, depth)),
            TypeDefKind::Record(_)
            | TypeDefKind::Variant(_)
            | TypeDefKind::Enum(_)
            | TypeDefKind::Flags(_) => Ty::Named(self.named(id, place, depth)),
            _ => Ty::Other,
        }
    }

    fn named(
        &mut self,
        id: TypeId,
        place: (Option<&str>, Option<InterfaceId>),
        depth: usize,
    ) -> usize {
        let path = self.path_of(id, place);
        let id = root(self.resolve, id);
        let key = (id, path.clone());
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let index = self.out.types.len();
        self.known.insert(key, index);
        self.out.types.push(Named {
            path,
            shape: Shape::Resource,
        });
        let resolve = self.resolve;
        let shape = match &resolve.types[id].kind {
            TypeDefKind::Record(record) => Shape::Record(
                record
                    .fields
                    .iter()
                    .map(|field| (snake(&field.name), self.ty(&field.ty, place, depth)))
                    .collect(),
            ),
            TypeDefKind::Variant(variant) => Shape::Variant(
                variant
                    .cases
                    .iter()
                    .map(|case| {
                        (
                            camel(&case.name),
                            case.ty.as_ref().map(|ty| self.ty(ty, place, depth)),
                        )
                    })
                    .collect(),
            ),
            TypeDefKind::Enum(cases) => {
                Shape::Enum(cases.cases.iter().map(|case| camel(&case.name)).collect())
            }
            TypeDefKind::Flags(flags) => Shape::Flags(
                flags
                    .flags
                    .iter()
                    .map(|flag| flag.name.replace('-', "_").to_uppercase())
                    .collect(),
            ),
            _ => Shape::Resource,
        };
        self.out.types[index].shape = shape;
        index
    }

    /// Where a snippet finds a type: at the top level if the world uses it, else in the module of the import.
    fn path_of(
        &self,
        id: TypeId,
        (module, interface): (Option<&str>, Option<InterfaceId>),
    ) -> String {
        let definition = root(self.resolve, id);
        let world = &self.resolve.worlds[self.world];
        let used = world.imports.iter().find_map(|(key, item)| match item {
            WorldItem::Type { id, .. } if root(self.resolve, *id) == definition => {
                Some(camel(&self.resolve.name_world_key(key)))
            }
            _ => None,
        });
        let definition = &self.resolve.types[definition];
        let own = || camel(definition.name.as_deref().unwrap_or("unnamed"));
        match (used, module, definition.owner) {
            (Some(used), _, _) => used,
            (None, Some(module), TypeOwner::Interface(_)) => {
                let alias = interface.and_then(|interface| {
                    let types = &self.resolve.interfaces[interface].types;
                    types
                        .iter()
                        .find(|(_, ty)| root(self.resolve, **ty) == root(self.resolve, id))
                });
                // A type that only other types name stands at the top level.
                alias.map_or_else(own, |(name, _)| format!("{module}::{}", camel(name)))
            }
            _ => own(),
        }
    }
}

/// The definition behind aliases.
fn root(resolve: &Resolve, mut id: TypeId) -> TypeId {
    while let TypeDefKind::Type(Type::Id(next)) = resolve.types[id].kind {
        id = next;
    }
    id
}

/// Names of all functions that a list of imports grants, for a report.
pub fn granted_names(imports: &[Import]) -> BTreeSet<String> {
    let names = imports.iter().flat_map(|import| {
        import
            .granted
            .iter()
            .map(|name| format!("{}.{name}", import.name))
    });
    names.collect()
}
