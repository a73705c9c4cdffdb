//! Questions and answers as text, whoever carries them.

pub(in crate::capability) mod echo;

use proptest::prelude::*;

use super::*;
use crate::value::Named;

/// `crossing` of most tests.
const CROSSING: u64 = 1 << 20;

fn function(name: &str, parameters: Vec<Named>, result: Option<Type>) -> FunctionType {
    FunctionType {
        import: "shop".to_owned(),
        name: name.to_owned(),
        parameters,
        result,
    }
}

fn list(item: Type) -> Type {
    Type::List(Box::new(item))
}

fn option(inner: Type) -> Type {
    Type::Option(Box::new(inner))
}

fn result(ok: Option<Type>, err: Option<Type>) -> Type {
    Type::Result {
        ok: ok.map(Box::new),
        err: err.map(Box::new),
    }
}

fn order() -> Type {
    Type::Record {
        name: "order".to_owned(),
        fields: vec![
            ("id".to_owned(), Type::U64),
            ("amount".to_owned(), Type::F64),
            ("note".to_owned(), option(Type::String)),
        ],
    }
}

fn state() -> Type {
    Type::Variant {
        name: "state".to_owned(),
        cases: vec![
            ("open".to_owned(), None),
            ("sent".to_owned(), Some(order())),
        ],
    }
}

/// What an answer is for a function of this result; of a failure its message.
fn answered(ty: Option<Type>, body: &str) -> Result<Option<Value>, String> {
    answer(&function("orders", vec![], ty), body.as_bytes(), CROSSING)
        .map_err(|failure| failure.message)
}

#[test]
fn a_question_names_the_function_and_its_arguments() {
    let parameters = vec![
        ("self".to_owned(), Type::String),
        ("max-size".to_owned(), Type::U64),
        ("deep".to_owned(), option(option(Type::Bool))),
    ];
    let none = Value::Option(Some(Box::new(Value::Option(None))));
    let arguments = [Value::String("@7".to_owned()), Value::U64(u64::MAX), none];
    for (name, tool) in [
        ("open", "open"),
        ("[method]dir.open", "dir.open"),
        ("[static]dir.open", "dir.open"),
        ("[constructor]dir", "dir.constructor"),
    ] {
        assert_eq!(
            request(&function(name, parameters.clone(), None), &arguments),
            format!(
                r#"{{"tool":"{tool}","args":{{"self":"@7","max-size":18446744073709551615,"deep":{{"some":null}}}}}}"#
            )
        );
    }
    let text = vec![("text".to_owned(), Type::String)];
    let lines = [Value::String("a\nb\r\u{2028}\0".to_owned())];
    let line = request(&function("f", text, None), &lines);
    assert_eq!(line.lines().count(), 1, "{line}");
}

#[test]
fn an_answer_is_the_result_or_becomes_it() {
    let text = |text: &str| Some(Box::new(Value::String(text.to_owned())));
    let both = || Some(result(Some(Type::String), Some(Type::String)));
    let rows: [(Option<Type>, &str, Option<Value>); 11] = [
        (None, r#"{"ok": null}"#, None),
        (
            None,
            r#" {"text": "done", "ok": null, "ms": [1, {}]} "#,
            None,
        ),
        (Some(Type::U8), r#"{"ok": 255}"#, Some(Value::U8(255))),
        (
            both(),
            r#"{"ok": "a", "text": 7}"#,
            Some(Value::Result(Ok(text("a")))),
        ),
        (
            both(),
            r#"{"err": "b"}"#,
            Some(Value::Result(Err(text("b")))),
        ),
        (
            Some(result(None, None)),
            r#"{"ok": null}"#,
            Some(Value::Result(Ok(None))),
        ),
        (
            Some(result(None, None)),
            r#"{"err": null}"#,
            Some(Value::Result(Err(None))),
        ),
        (
            Some(option(option(Type::U8))),
            r#"{"ok": {"some": null}}"#,
            Some(Value::Option(Some(Box::new(Value::Option(None))))),
        ),
        (
            Some(Type::U64),
            r#"{"ok": 18446744073709551615}"#,
            Some(Value::U64(u64::MAX)),
        ),
        (
            Some(Type::S64),
            r#"{"ok": -9223372036854775808}"#,
            Some(Value::S64(i64::MIN)),
        ),
        // Between the two neighbours of this number a careless reader takes the wrong one.
        (
            Some(Type::F64),
            r#"{"ok": 1.2345678901234567e-300}"#,
            Some(Value::Float64(1.2345678901234567e-300)),
        ),
    ];
    for (ty, body, expected) in rows {
        assert_eq!(answered(ty, body), Ok(expected), "{body}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let orders = || Some(result(Some(list(order())), Some(Type::String)));
    let wide = "x".repeat(2000);
    let rows: Vec<(Option<Type>, String, &str)> = [
        // No answer at all.
        (None, "", "the answer is empty"),
        (None, "<!DOCTYPE html>\n<p>no", "the answer is no JSON (expected value at line 1 column 1): <!DOCTYPE html> <p>no"),
        (None, "[1]", "invalid type: sequence, expected an object with `ok` or `err`"),
        (None, "7", "invalid type: integer `7`, expected an object with `ok` or `err`"),
        (None, "{}", "the answer has neither `ok` nor `err`"),
        (None, r#"{"OK": 1}"#, "the answer has neither `ok` nor `err`"),
        (None, r#"{"ok": null, "err": null}"#, "the answer has both `ok` and `err`"),
        (None, r#"{"ok": null} {"ok": null}"#, "the answer is no JSON (trailing characters at line 1 column 14): {\"ok\": null} {\"ok\": null}"),
        (None, r#"{"ok": null, "ok": null}"#, "`ok` stands twice"),
        (None, r#"{"ok": null"#, "the answer is no JSON (EOF while parsing an object at line 1 column 11): {\"ok\": null"),
        // No result.
        (None, r#"{"ok": 5}"#, "result.ok: expected null, found 5"),
        (Some(result(None, None)), r#"{"err": {"a": 1}}"#, "result.err: expected null, found {\"a\":1}"),
        // The place inside.
        (orders(), r#"{"ok": [{"id": 1, "amount": 1}, {"id": 2, "amount": "x"}]}"#, "result.ok[1].amount: expected f64, found \"x\""),
        (orders(), r#"{"ok": [{"id": 1.5, "amount": 1}]}"#, "result.ok[0].id: expected u64, found 1.5"),
        (orders(), r#"{"ok": [{"id": -1, "amount": 1}]}"#, "result.ok[0].id: expected u64, found -1, which is out of its range"),
        (orders(), r#"{"ok": [{"id": 18446744073709551616, "amount": 1}]}"#, "result.ok[0].id: expected u64, found 1.8446744073709552e+19"),
        (orders(), r#"{"ok": [{"id": 1, "amount": 1, "note": 4}]}"#, "result.ok[0].note: expected string, found 4"),
        (orders(), r#"{"ok": [{"id": 1}]}"#, "result.ok[0]: record order needs the field `amount` of type f64"),
        (orders(), r#"{"ok": [{"id": 1, "amount": 1, "x": 1}]}"#, "result.ok[0]: record order has no field `x`; its fields: id, amount, note"),
        (orders(), r#"{"ok": [{"id": 1, "amount": 1, "id": 2}]}"#, "result.ok[0]: `id` stands twice"),
        (orders(), r#"{"ok": [{"id": 1, "amount": NaN}]}"#, "result.ok[0].amount: the answer is no JSON (expected value at line 1 column 29): "),
        (orders(), r#"{"ok": [{"id": 1, "amount": 1e999}]}"#, "result.ok[0].amount: the answer is no JSON (number out of range at line 1 column 33): "),
        (orders(), r#"{"ok": {"id": 1}}"#, "result.ok: expected list<order>, found {\"id\":1}"),
        (orders(), r#"{"err": 4}"#, "result.err: expected string, found 4"),
        (orders(), r#"{"ok": "x"}"#, "result.ok: expected list<order>, found \"x\""),
        (Some(order()), r#"{"ok": [1, 2]}"#, "result.ok: expected record order, found [1,2]"),
        (Some(list(state())), r#"{"ok": [{"open": null}, {"sent": {"id": 1, "amount": true}}]}"#, "result.ok[1].sent.amount: expected f64, found true"),
        (Some(list(state())), r#"{"ok": [{"open": 1}]}"#, "result.ok[0]: `open` has no payload: expected null, found 1"),
        (Some(list(state())), r#"{"ok": [{"lost": null}]}"#, "result.ok[0]: variant state has no case `lost`; its cases: open, sent"),
        (Some(list(state())), r#"{"ok": [{"open": null, "sent": null}]}"#, "result.ok[0]: expected variant state, found {\"open\":null,\"sent\":null}"),
        (Some(Type::Tuple(vec![Type::U8, Type::Char])), r#"{"ok": [1, "ab"]}"#, "result.ok.1: expected char, found \"ab\""),
        (Some(Type::Tuple(vec![Type::U8, Type::Char])), r#"{"ok": [1]}"#, "result.ok: expected tuple<u8, char>, found an array of 1"),
        (Some(Type::U8), r#"{"ok": 256}"#, "result.ok: expected u8, found 256, which is out of its range"),
        (Some(Type::U8), r#"{"ok": 1.0}"#, "result.ok: expected u8, found 1.0"),
        (Some(Type::F32), r#"{"ok": 1e39}"#, "result.ok: expected f32, found 1e+39, which is out of its range"),
        (Some(Type::F64), r#"{"ok": "NaN"}"#, "result.ok: expected f64, found \"NaN\""),
        (Some(Type::Bool), r#"{"ok": "true"}"#, "result.ok: expected bool, found \"true\""),
        (Some(Type::Char), r#"{"ok": ""}"#, "result.ok: expected char, found \"\""),
        (Some(Type::String), r#"{"ok": null}"#, "result.ok: expected string, found null"),
        (Some(option(option(Type::U8))), r#"{"ok": 1}"#, "result.ok: expected option<option<u8>> as null or {\"some\": …}, found 1"),
        (Some(Type::Enum { name: "e".to_owned(), cases: vec!["a".to_owned()] }), r#"{"ok": "b"}"#, "result.ok: expected enum e (a), found \"b\""),
        (Some(Type::Flags { name: "f".to_owned(), names: vec!["a".to_owned()] }), r#"{"ok": ["a", "b"]}"#, "result.ok: expected flags f (a), found `b`"),
        // A function that can only succeed.
        (Some(Type::U8), r#"{"err": "no such\norder\u001b[2J"}"#, "no such order\\u{1b}[2J"),
        (Some(Type::U8), r#"{"err": {"kind": "gone"}, "text": "It is gone."}"#, "It is gone."),
        (Some(Type::U8), r#"{"err": {"kind": "gone"}}"#, "{\"kind\":\"gone\"}"),
        (None, r#"{"err": null}"#, "null"),
    ]
    .into_iter()
    .map(|(ty, body, expected)| (ty, body.to_owned(), expected))
    .chain([
        (Some(Type::U8), format!(r#"{{"ok": "{wide}"}}"#), "result.ok: expected u8, found \"xxx"),
        (Some(order()), format!(r#"{{"ok": {{"{wide}": 1}}}}"#), "result.ok: record order has no field `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`; its fields: id, amount, note"),
        (Some(Type::U8), format!(r#"{{"err": "{wide}"}}"#), "xxxx"),
        (None, wide.clone(), "the answer is no JSON (expected value at line 1 column 1): xxx"),
        (None, format!("{{\"ok\": {}{}}}", "[".repeat(5000), "]".repeat(5000)), "result.ok[0][0][0][0][0][0][0][0][0][0][0]…: the answer is no JSON (recursion limit exceeded at line 1 column "),
    ])
    .collect();
    let mut others = Vec::new();
    for (ty, body, expected) in rows {
        let message = answered(ty, &body).expect_err(&body);
        let said = message.strip_prefix("`shop.orders`: ").expect(&message);
        // A row that ends in a blank only fixes the place.
        let fits = match expected.ends_with([' ', 'x', '0', ']']) {
            true => said.starts_with(expected) && said.len() >= expected.len(),
            false => said == expected,
        };
        if !fits {
            others.push(format!("{body}:\n  {said}\n  {expected}"));
        }
        assert!(message.chars().count() < 500, "{message}");
        assert!(!message.chars().any(char::is_control), "{message:?}");
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn an_answer_is_counted_while_it_is_built() {
    let bytes = list(Type::U8);
    let body = format!("{{\"ok\": [{}0]}}", "0,".repeat(200_000));
    let ty = function("orders", vec![], Some(bytes.clone()));
    let failure = answer(&ty, body.as_bytes(), 1 << 20).unwrap_err();
    let limit = failure.limit().unwrap();
    assert_eq!((limit.name, limit.at), ("crossing", 1 << 20));
    assert!(limit.used > 1 << 20);
    assert!(answer(&ty, body.as_bytes(), 64 << 20).is_ok());
    // A text beside the value weighs nothing.
    let body = format!("{{\"ok\": [], \"text\": \"{}\"}}", "x".repeat(3 << 20));
    assert!(answer(&ty, body.as_bytes(), 1 << 10).is_ok());
}

#[test]
fn whoever_refuses_is_quoted() {
    for (body, words) in [
        (r#"{"err": "no"}"#, "no"),
        (
            r#"{"error": {"message": "bad JSON", "code": 3}}"#,
            "bad JSON",
        ),
        (r#"{"message": "m"}"#, "m"),
        (r#"{"code": 3}"#, r#"{"code": 3}"#),
        ("<p>", "<p>"),
        ("", ""),
    ] {
        assert_eq!(words_of(body.as_bytes()), words, "{body}");
    }
}

proptest! {
    #[test]
    fn values_of_every_type_go_there_and_back((ty, value) in echo::typed()) {
        let function = echo::function(&ty);
        let question = request(&function, std::slice::from_ref(&value));
        let echoed = echo::echoed(&question);
        let back = answer(&function, echoed.as_bytes(), u64::MAX);
        prop_assert_eq!(back.unwrap(), Some(value));
    }

    #[test]
    fn no_answer_is_too_strange(body in "[\\[\\]{}\":,ok err0-9.e\\\\u-]{0,60}", (ty, _) in echo::typed()) {
        let function = echo::function(&ty);
        let _ = answer(&function, body.as_bytes(), CROSSING);
        let _ = answer(&function, format!("{{\"ok\":{body}}}").as_bytes(), CROSSING);
    }

    #[test]
    fn a_value_that_fits_the_limit_is_never_too_large((ty, value) in echo::typed()) {
        let function = echo::function(&ty);
        let question = request(&function, std::slice::from_ref(&value));
        let echoed = echo::echoed(&question);
        prop_assert!(echoed.len() <= most(value::size(&value)), "{}", echoed);
        prop_assert!(answer(&function, echoed.as_bytes(), value::size(&value)).is_ok());
    }
}
