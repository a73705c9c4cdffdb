//! Values of every type, and a tool that answers what it was asked.

use proptest::prelude::*;

use crate::capability::tool::FunctionType;
use crate::value::{Type, Value};

/// A function that gives its argument back.
pub(in crate::capability) fn function(ty: &Type) -> FunctionType {
    let name = match ty {
        Type::Result { .. } => "echo-result",
        _ => "echo",
    };
    FunctionType {
        import: "tools".to_owned(),
        name: name.to_owned(),
        parameters: vec![("v".to_owned(), ty.clone())],
        result: Some(ty.clone()),
    }
}

/// The answer to such a question, byte for byte what it says.
pub(in crate::capability) fn echoed(question: &str) -> String {
    let (head, rest) = question.trim_end().split_once("\"v\":").unwrap();
    let value = rest.strip_suffix("}}").unwrap();
    if head.contains("echo-result") {
        value.to_owned()
    } else {
        format!("{{\"ok\":{value}}}")
    }
}

/// The same as a shell script, for one question.
pub(in crate::capability) const SCRIPT: &str = r#"
    IFS= read -r line
    value=${line#*'"v":'}
    value=${value%'}}'}
    case $line in
        *echo-result*) printf '%s\n' "$value" ;;
        *) printf '{"ok":%s}\n' "$value" ;;
    esac
"#;

/// A type and a value of it.
pub(in crate::capability) fn typed() -> BoxedStrategy<(Type, Value)> {
    types()
        .prop_flat_map(|ty| {
            let value = value(&ty);
            (Just(ty), value)
        })
        .boxed()
}

fn types() -> impl Strategy<Value = Type> {
    let names = |count: usize| (0..count).map(|at| format!("n{at}-x")).collect::<Vec<_>>();
    let leaf = prop_oneof![
        Just(Type::Bool),
        Just(Type::S8),
        Just(Type::U8),
        Just(Type::S16),
        Just(Type::U16),
        Just(Type::S32),
        Just(Type::U32),
        Just(Type::S64),
        Just(Type::U64),
        Just(Type::F32),
        Just(Type::F64),
        Just(Type::Char),
        Just(Type::String),
        (1_usize..40).prop_map(move |count| Type::Enum {
            name: "e".to_owned(),
            cases: names(count)
        }),
        (1_usize..40).prop_map(move |count| Type::Flags {
            name: "f".to_owned(),
            names: names(count)
        }),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let some = prop::option::of(inner.clone().prop_map(Box::new));
        let members = prop::collection::vec(inner.clone(), 1..5);
        let cases = prop::collection::vec(prop::option::of(inner.clone()), 1..5);
        prop_oneof![
            inner.clone().prop_map(|item| Type::List(Box::new(item))),
            inner.clone().prop_map(|some| Type::Option(Box::new(some))),
            (some.clone(), some).prop_map(|(ok, err)| Type::Result { ok, err }),
            members.clone().prop_map(Type::Tuple),
            members.prop_map(move |types| Type::Record {
                name: "r".to_owned(),
                fields: names(types.len()).into_iter().zip(types).collect(),
            }),
            cases.prop_map(move |types| Type::Variant {
                name: "v".to_owned(),
                cases: names(types.len()).into_iter().zip(types).collect(),
            }),
        ]
    })
}

fn value(ty: &Type) -> BoxedStrategy<Value> {
    let payload = |ty: Option<&Type>| match ty {
        Some(ty) => value(ty).prop_map(|value| Some(Box::new(value))).boxed(),
        None => Just(None).boxed(),
    };
    match ty {
        Type::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Type::S8 => any::<i8>().prop_map(Value::S8).boxed(),
        Type::U8 => any::<u8>().prop_map(Value::U8).boxed(),
        Type::S16 => any::<i16>().prop_map(Value::S16).boxed(),
        Type::U16 => any::<u16>().prop_map(Value::U16).boxed(),
        Type::S32 => any::<i32>().prop_map(Value::S32).boxed(),
        Type::U32 => any::<u32>().prop_map(Value::U32).boxed(),
        Type::S64 => any::<i64>().prop_map(Value::S64).boxed(),
        Type::U64 => any::<u64>().prop_map(Value::U64).boxed(),
        Type::F32 => prop::num::f32::ANY.prop_map(Value::Float32).boxed(),
        Type::F64 => prop::num::f64::ANY.prop_map(Value::Float64).boxed(),
        Type::Char => any::<char>().prop_map(Value::Char).boxed(),
        Type::String => prop::collection::vec(any::<char>(), 0..20)
            .prop_map(|text| Value::String(text.into_iter().collect()))
            .boxed(),
        Type::Own(_) | Type::Borrow(_) => unreachable!("tools get handles as texts"),
        Type::List(item) => prop::collection::vec(value(item), 0..5)
            .prop_map(Value::List)
            .boxed(),
        Type::Option(inner) => {
            let some = payload(Some(inner)).prop_map(Value::Option);
            prop_oneof![Just(Value::Option(None)), some].boxed()
        }
        Type::Result { ok, err } => prop_oneof![
            payload(ok.as_deref()).prop_map(|ok| Value::Result(Ok(ok))),
            payload(err.as_deref()).prop_map(|err| Value::Result(Err(err))),
        ]
        .boxed(),
        Type::Tuple(types) => types
            .iter()
            .map(value)
            .collect::<Vec<_>>()
            .prop_map(Value::Tuple)
            .boxed(),
        Type::Record { fields, .. } => {
            let names: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
            let values: Vec<_> = fields.iter().map(|(_, ty)| value(ty)).collect();
            values
                .prop_map(move |values| Value::Record(names.iter().cloned().zip(values).collect()))
                .boxed()
        }
        Type::Variant { cases, .. } => {
            let cases: Vec<_> = cases
                .iter()
                .map(|(name, ty)| {
                    let name = name.clone();
                    payload(ty.as_ref())
                        .prop_map(move |payload| Value::Variant(name.clone(), payload))
                        .boxed()
                })
                .collect();
            prop::strategy::Union::new(cases).boxed()
        }
        Type::Enum { cases, .. } => prop::sample::select(cases.clone())
            .prop_map(Value::Enum)
            .boxed(),
        Type::Flags { names, .. } => prop::sample::subsequence(names.clone(), 0..=names.len())
            .prop_map(Value::Flags)
            .boxed(),
    }
}
