//! Values of WIT types: their type, WAVE text, and JSON (CONTRACTS section 2).

pub use wasmtime::component::Val as Value;

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

// Interface:
// impl Type { pub fn of(resolve: &Resolve, ty: &wit_parser::Type) -> Result<Type, …>; pub fn has_handles(&self) -> bool }  Display = WIT text
// pub fn parse_wave(text: &str, ty: &Type) -> Result<Value, ValueError>;        the error names the place inside the value
// pub fn to_wave(value: &Value) -> String;
// pub fn from_json(json: &serde_json::Value, ty: &Type) -> Result<Value, ValueError>;
// pub fn to_json(value: &Value, ty: &Type) -> serde_json::Value;                 handles as "<file 3>"
// pub fn size(value: &Value) -> u64;                                            bytes as the host holds them
