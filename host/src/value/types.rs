//! WIT types without their `Resolve`.

use std::fmt;

use thiserror::Error;
use wit_parser::{Handle, Resolve, TypeDefKind};

/// A WIT type, resolved: names of records and resources are kept for messages, aliases are gone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are WIT's own names")]
pub enum Type {
    Bool,
    S8,
    U8,
    S16,
    U16,
    S32,
    U32,
    S64,
    U64,
    F32,
    F64,
    Char,
    String,
    List(Box<Type>),
    Option(Box<Type>),
    Result {
        ok: Option<Box<Type>>,
        err: Option<Box<Type>>,
    },
    Tuple(Vec<Type>),
    Record {
        name: String,
        fields: Vec<(String, Type)>,
    },
    Variant {
        name: String,
        cases: Vec<(String, Option<Type>)>,
    },
    Enum {
        name: String,
        cases: Vec<String>,
    },
    Flags {
        name: String,
        names: Vec<String>,
    },
    /// An owned handle of the named resource.
    Own(String),
    /// A borrowed handle of the named resource.
    Borrow(String),
}

/// A parameter or a result that has no name in WIT has the name `""`.
pub type Named = (String, Type);

/// A type that cannot cross.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TypeError {
    /// WIT has it, Lacuna has not.
    #[error("`{0}` is not supported")]
    Unsupported(&'static str),
    /// Written out, the type is too deep.
    #[error("the type nests more than {MAX_DEPTH} levels deep")]
    TooDeep,
    /// Written out, the type is too large.
    #[error("the type has more than {MAX_NODES} parts when written out")]
    TooLarge,
}

/// wasm-wave reads 100 levels and wasmtime types have the same limit: beyond it no value could be given.
const MAX_DEPTH: usize = 64;

/// A dozen records that each name the one before twice are thousands of parts when written out, thirty are more than
/// memory holds: the size must be capped, not only the depth.
const MAX_NODES: usize = 20_000;

impl Type {
    /// The type that `ty` stands for in `resolve`.
    ///
    /// # Errors
    /// When it is of a kind that Lacuna refuses, or too deep or too large when written out.
    pub fn of(resolve: &Resolve, ty: &wit_parser::Type) -> Result<Self, TypeError> {
        Builder { resolve, nodes: 0 }.build(ty, 0)
    }

    /// Whether a value of this type can hold a handle: such values never cross to the command line or another hole.
    pub fn has_handles(&self) -> bool {
        match self {
            Self::Own(_) | Self::Borrow(_) => true,
            Self::List(inner) | Self::Option(inner) => inner.has_handles(),
            Self::Result { ok, err } => [ok, err]
                .into_iter()
                .flatten()
                .any(|inner| inner.has_handles()),
            Self::Tuple(types) => types.iter().any(Self::has_handles),
            Self::Record { fields, .. } => fields.iter().any(|(_, ty)| ty.has_handles()),
            Self::Variant { cases, .. } => cases
                .iter()
                .filter_map(|(_, ty)| ty.as_ref())
                .any(Self::has_handles),
            _ => false,
        }
    }

    /// As in WIT, with the kind before a name that alone says little: `record finding`.
    pub(super) fn described(&self) -> String {
        match self {
            Self::Record { name, .. } => format!("record {name}"),
            Self::Variant { name, .. } => format!("variant {name}"),
            Self::Enum { name, cases } => format!("enum {name} ({})", cases.join(", ")),
            Self::Flags { name, names } => format!("flags {name} ({})", names.join(", ")),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::S8 => f.write_str("s8"),
            Self::U8 => f.write_str("u8"),
            Self::S16 => f.write_str("s16"),
            Self::U16 => f.write_str("u16"),
            Self::S32 => f.write_str("s32"),
            Self::U32 => f.write_str("u32"),
            Self::S64 => f.write_str("s64"),
            Self::U64 => f.write_str("u64"),
            Self::F32 => f.write_str("f32"),
            Self::F64 => f.write_str("f64"),
            Self::Char => f.write_str("char"),
            Self::String => f.write_str("string"),
            Self::List(inner) => write!(f, "list<{inner}>"),
            Self::Option(inner) => write!(f, "option<{inner}>"),
            Self::Result {
                ok: None,
                err: None,
            } => f.write_str("result"),
            Self::Result {
                ok: Some(ok),
                err: None,
            } => write!(f, "result<{ok}>"),
            Self::Result {
                ok: None,
                err: Some(err),
            } => write!(f, "result<_, {err}>"),
            Self::Result {
                ok: Some(ok),
                err: Some(err),
            } => write!(f, "result<{ok}, {err}>"),
            Self::Tuple(types) => {
                f.write_str("tuple<")?;
                for (index, ty) in types.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{ty}")?;
                }
                f.write_str(">")
            }
            Self::Record { name, .. }
            | Self::Variant { name, .. }
            | Self::Enum { name, .. }
            | Self::Flags { name, .. }
            | Self::Own(name) => f.write_str(name),
            Self::Borrow(name) => write!(f, "borrow<{name}>"),
        }
    }
}

struct Builder<'a> {
    resolve: &'a Resolve,
    nodes: usize,
}

impl Builder<'_> {
    fn build(&mut self, ty: &wit_parser::Type, depth: usize) -> Result<Type, TypeError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(TypeError::TooLarge);
        }
        if depth > MAX_DEPTH {
            return Err(TypeError::TooDeep);
        }
        Ok(match ty {
            wit_parser::Type::Bool => Type::Bool,
            wit_parser::Type::U8 => Type::U8,
            wit_parser::Type::U16 => Type::U16,
            wit_parser::Type::U32 => Type::U32,
            wit_parser::Type::U64 => Type::U64,
            wit_parser::Type::S8 => Type::S8,
            wit_parser::Type::S16 => Type::S16,
            wit_parser::Type::S32 => Type::S32,
            wit_parser::Type::S64 => Type::S64,
            wit_parser::Type::F32 => Type::F32,
            wit_parser::Type::F64 => Type::F64,
            wit_parser::Type::Char => Type::Char,
            wit_parser::Type::String => Type::String,
            wit_parser::Type::ErrorContext => return Err(TypeError::Unsupported("error-context")),
            wit_parser::Type::Id(id) => return self.build_definition(*id, depth + 1),
        })
    }

    fn build_definition(
        &mut self,
        id: wit_parser::TypeId,
        depth: usize,
    ) -> Result<Type, TypeError> {
        let resolve = self.resolve;
        let definition = &resolve.types[id];
        let name = definition.name.clone().unwrap_or_default();
        Ok(match &definition.kind {
            // An alias is the type it names, so it takes no level of its own; the parser has no cycles here.
            TypeDefKind::Type(inner) => return self.build(inner, depth),
            TypeDefKind::Record(record) => Type::Record {
                name,
                fields: record
                    .fields
                    .iter()
                    .map(|field| Ok((field.name.clone(), self.build(&field.ty, depth)?)))
                    .collect::<Result<_, TypeError>>()?,
            },
            TypeDefKind::Variant(variant) => Type::Variant {
                name,
                cases: variant
                    .cases
                    .iter()
                    .map(|case| {
                        Ok((
                            case.name.clone(),
                            self.build_payload(case.ty.as_ref(), depth)?,
                        ))
                    })
                    .collect::<Result<_, TypeError>>()?,
            },
            TypeDefKind::Enum(cases) => {
                self.nodes += cases.cases.len();
                Type::Enum {
                    name,
                    cases: cases.cases.iter().map(|case| case.name.clone()).collect(),
                }
            }
            TypeDefKind::Flags(flags) => {
                self.nodes += flags.flags.len();
                Type::Flags {
                    name,
                    names: flags.flags.iter().map(|flag| flag.name.clone()).collect(),
                }
            }
            TypeDefKind::Tuple(tuple) => Type::Tuple(
                tuple
                    .types
                    .iter()
                    .map(|ty| self.build(ty, depth))
                    .collect::<Result<_, _>>()?,
            ),
            TypeDefKind::Option(inner) => Type::Option(Box::new(self.build(inner, depth)?)),
            TypeDefKind::List(inner) => Type::List(Box::new(self.build(inner, depth)?)),
            TypeDefKind::Result(result) => Type::Result {
                ok: self.build_payload(result.ok.as_ref(), depth)?.map(Box::new),
                err: self
                    .build_payload(result.err.as_ref(), depth)?
                    .map(Box::new),
            },
            TypeDefKind::Handle(Handle::Own(resource)) => Type::Own(self.resource_name(*resource)),
            TypeDefKind::Handle(Handle::Borrow(resource)) => {
                Type::Borrow(self.resource_name(*resource))
            }
            TypeDefKind::Resource => Type::Own(name),
            TypeDefKind::Map(..) => return Err(TypeError::Unsupported("map")),
            TypeDefKind::FixedLengthList(..) => {
                return Err(TypeError::Unsupported("fixed-length list"));
            }
            TypeDefKind::Future(_) => return Err(TypeError::Unsupported("future")),
            TypeDefKind::Stream(_) => return Err(TypeError::Unsupported("stream")),
            TypeDefKind::Unknown => return Err(TypeError::Unsupported("unknown type")),
        })
    }

    fn build_payload(
        &mut self,
        ty: Option<&wit_parser::Type>,
        depth: usize,
    ) -> Result<Option<Type>, TypeError> {
        ty.map(|ty| self.build(ty, depth)).transpose()
    }

    fn resource_name(&self, id: wit_parser::TypeId) -> String {
        self.resolve.types[id].name.clone().unwrap_or_default()
    }
}
