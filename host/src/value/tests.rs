use serde_json::json;
use wit_parser::{Resolve, TypeId};

use super::*;

/// The type named `t` of an interface with these items.
fn type_of(items: &str) -> Type {
    let mut resolve = Resolve::default();
    resolve
        .push_source("t.wit", &format!("package t:h; interface i {{ {items} }}"))
        .unwrap();
    let id: TypeId = resolve.interfaces.iter().next().unwrap().1.types["t"];
    Type::of(&resolve, &wit_parser::Type::Id(id)).unwrap()
}

fn round(items: &str, wave: &str, json: serde_json::Value) {
    let ty = type_of(items);
    let value = parse_wave(wave, &ty).unwrap_or_else(|error| panic!("{wave}: {error}"));
    assert_eq!(to_wave(&value), wave, "printed");
    assert!(fits(&value, &ty), "{wave}");
    assert!(!fits(&Value::Tuple(Vec::new()), &ty), "{wave}");
    assert_eq!(to_json(&value, &ty), json, "{wave}");
    assert_eq!(
        to_json(&from_json(&json, &ty).unwrap(), &ty),
        json,
        "from JSON"
    );
    assert_eq!(
        to_wave(&from_json(&json, &ty).unwrap()),
        wave,
        "from JSON to WAVE"
    );
}

fn wave_error(items: &str, wave: &str) -> String {
    parse_wave(wave, &type_of(items)).unwrap_err().to_string()
}

fn json_error(items: &str, json: serde_json::Value) -> String {
    from_json(&json, &type_of(items)).unwrap_err().to_string()
}

#[test]
fn every_kind_of_value_goes_both_ways() {
    round("type t = bool;", "true", json!(true));
    round("type t = u64;", "18446744073709551615", json!(u64::MAX));
    round("type t = s64;", "-9223372036854775808", json!(i64::MIN));
    round("type t = u8;", "255", json!(255));
    round("type t = f32;", "0.1", json!(0.1));
    round("type t = f64;", "0.1", json!(0.1));
    round("type t = f64;", "nan", json!("nan"));
    round("type t = f64;", "inf", json!("inf"));
    round("type t = f32;", "-inf", json!("-inf"));
    round("type t = char;", "'é'", json!("é"));
    round("type t = char;", r"'\''", json!("'"));
    round("type t = string;", r#""a🦀\n\u{0}\"""#, json!("a🦀\n\0\""));
    round("type t = list<u8>;", "[1, 2]", json!([1, 2]));
    round(
        "type t = tuple<string, list<u8>>;",
        "(\"abc\", [1])",
        json!(["abc", [1]]),
    );
    round(
        "record t { a: u32, b: string }",
        "{a: 1, b: \"x\"}",
        json!({"a": 1, "b": "x"}),
    );
    round("enum t { red, none }", "%none", json!("none"));
    round("flags t { r, w, x }", "{r, x}", json!(["r", "x"]));
    round("flags t { r, w }", "{}", json!([]));
    round("variant t { one(u32), two }", "one(3)", json!({"one": 3}));
    round("variant t { one(u32), two }", "two", json!({"two": null}));
    round("type t = option<u32>;", "some(3)", json!(3));
    round("type t = option<u32>;", "none", json!(null));
    round("type t = option<option<u32>>;", "none", json!(null));
    round(
        "type t = option<option<u32>>;",
        "some(none)",
        json!({"some": null}),
    );
    round(
        "type t = option<option<u32>>;",
        "some(some(1))",
        json!({"some": 1}),
    );
    round("type t = result;", "ok", json!({"ok": null}));
    round(
        "type t = result<_, string>;",
        "err(\"no\")",
        json!({"err": "no"}),
    );
    round("type t = result<u32>;", "ok(1)", json!({"ok": 1}));
}

#[test]
fn the_order_of_flags_is_the_types() {
    assert_eq!(
        to_wave(&parse_wave("{x, r}", &type_of("flags t { r, w, x }")).unwrap()),
        "{r, x}"
    );
}

#[test]
fn floats_print_without_exponent() {
    assert_eq!(to_wave(&Value::Float64(1e21)), "1000000000000000000000");
    assert_eq!(
        to_wave(&Value::Float64(0.1 + 0.7 - 0.8)),
        "-0.00000000000000011102230246251565"
    );
    assert_eq!(to_wave(&parse_wave("1e3", &Type::F64).unwrap()), "1000");
}

#[test]
fn missing_options_and_left_out_some() {
    let ty = type_of("record t { a: u32, b: option<string> }");
    assert_eq!(
        parse_wave("{a: 1}", &ty).unwrap(),
        from_json(&json!({"a": 1}), &ty).unwrap()
    );
    assert_eq!(
        parse_wave("{a: 1, b: \"x\"}", &ty).unwrap(),
        parse_wave("{a: 1, b: some(\"x\")}", &ty).unwrap()
    );
}

#[test]
fn wave_errors_name_the_place_inside_the_value() {
    let rows = "record row { name: u32, on: bool } record t { rows: list<row> }";
    assert_eq!(
        wave_error(
            rows,
            "{rows: [{name: 1, on: true}, {name: \"x\", on: true}]}"
        ),
        "rows[1].name: expected u32, found \"x\""
    );
    assert_eq!(
        wave_error(rows, "{rows: [{nam: 1, on: true}]}"),
        "rows[0]: record row has no field `nam`; did you mean `name`?"
    );
    assert_eq!(
        wave_error(rows, "{rows: [{name: 1}]}"),
        "rows[0]: record row needs the field `on` of type bool"
    );
    assert_eq!(
        wave_error("type t = u8;", "300"),
        "expected u8, found 300, which is out of its range"
    );
    assert_eq!(
        wave_error("type t = u64;", "18446744073709551616"),
        "expected u64, found 18446744073709551616, which is out of its range"
    );
    assert_eq!(
        wave_error("type t = u32;", "1.5"),
        "expected u32, found 1.5"
    );
    assert_eq!(
        wave_error("type t = f32;", "1e39"),
        "expected f32, found 1e39, which is out of its range"
    );
    assert_eq!(
        wave_error("enum t { red, green }", "blue"),
        "expected enum t (red, green), found blue"
    );
    assert_eq!(
        wave_error("variant t { added(u32), gone }", "addd(1)"),
        "variant t has no case `addd`; did you mean `added`?"
    );
    assert_eq!(
        wave_error("variant t { added(u32), gone }", "added"),
        "`added` needs a payload of type u32"
    );
    assert_eq!(
        wave_error("variant t { added(u32), gone }", "added(\"x\")"),
        "added: expected u32, found \"x\""
    );
    assert_eq!(
        wave_error("type t = tuple<u8, u8>;", "(1, 2, 3)"),
        "expected tuple<u8, u8>, found 3 values"
    );
    assert_eq!(
        wave_error("type t = u32;", ""),
        "expected u32, but the text ends too early"
    );
    assert_eq!(
        wave_error("type t = u32;", "1 2"),
        "expected u32, but `2` stands behind the value"
    );
    assert_eq!(
        wave_error("type t = option<option<u32>>;", "1"),
        "expected option<option<u32>>, found 1"
    );
}

#[test]
fn json_errors_name_the_place_inside_the_value() {
    let rows = "record row { name: u32 } record t { rows: list<row> }";
    assert_eq!(
        json_error(rows, json!({"rows": [{"name": 1}, {"name": "x"}]})),
        "rows[1].name: expected u32, found \"x\""
    );
    assert_eq!(
        json_error("type t = s8;", json!(128)),
        "expected s8, found 128, which is out of its range"
    );
    assert_eq!(
        json_error("type t = u32;", json!(-1)),
        "expected u32, found -1, which is out of its range"
    );
    assert_eq!(
        json_error("type t = u64;", json!(1.0)),
        "expected u64, found 1.0"
    );
    assert_eq!(
        json_error("type t = char;", json!("ab")),
        "expected char, found \"ab\""
    );
    assert_eq!(
        json_error("variant t { one }", json!({"one": 1})),
        "`one` has no payload: expected null, found 1"
    );
    assert_eq!(
        json_error("type t = option<option<u8>>;", json!(1)),
        "expected option<option<u8>> as null or {\"some\": …}, found 1"
    );
}

#[test]
fn deep_and_huge_text_ends_in_an_error_not_in_a_crash() {
    let ty = type_of("type t = list<list<u8>>;");
    let deep = "[".repeat(1_000_000);
    assert_eq!(
        parse_wave(&deep, &ty).unwrap_err().to_string(),
        "expected list<list<u8>>, but the text nests too deep"
    );
    let wide = format!("[[{}0]]", "0, ".repeat(300_000));
    assert!(parse_wave(&wide, &ty).is_ok());
}

#[test]
fn types_that_explode_are_refused() {
    let mut items = "record r0 { a: u8 } ".to_owned();
    for level in 1..40 {
        items += &format!("record r{level} {{ a: r{0}, b: r{0} }} ", level - 1);
    }
    let mut resolve = Resolve::default();
    resolve
        .push_source("t.wit", &format!("package t:h; interface i {{ {items} }}"))
        .unwrap();
    let types = &resolve.interfaces.iter().next().unwrap().1.types;
    assert_eq!(
        Type::of(&resolve, &wit_parser::Type::Id(types["r39"])),
        Err(TypeError::TooLarge)
    );
}

#[test]
fn calls_are_read_with_the_types_of_the_parameters() {
    let parameters = [
        ("n".to_owned(), Type::U32),
        ("note".to_owned(), Type::Option(Box::new(Type::String))),
    ];
    let call = parse_call("fns.f(1, \"a\")").unwrap();
    assert_eq!(call.name(), "fns.f");
    assert_eq!(call.arguments(&parameters).unwrap().len(), 2);
    assert_eq!(
        parse_call("f(1)").unwrap().arguments(&parameters).unwrap()[1],
        Value::Option(None)
    );
    let error = |text: &str| {
        parse_call(text)
            .unwrap()
            .arguments(&parameters)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(error("f()"), "no value for parameter `n` of type u32");
    assert_eq!(error("f(1, \"a\", 2)"), "expected 2 arguments, found 3");
    assert_eq!(error("f(\"x\")"), "n: expected u32, found \"x\"");
    assert!(parse_call("f(1").is_err());
    assert!(parse_call("f").is_err());
    assert!(parse_call("").is_err());
}

#[test]
fn types_print_as_wit() {
    for (items, text) in [
        (
            "type t = list<option<tuple<u8, char>>>;",
            "list<option<tuple<u8, char>>>",
        ),
        ("type t = result;", "result"),
        ("type t = result<_, string>;", "result<_, string>"),
        ("record t { a: u8 }", "t"),
    ] {
        assert_eq!(type_of(items).to_string(), text);
    }
}

#[test]
fn size_counts_text_and_elements() {
    let empty = size(&Value::String(String::new()));
    assert_eq!(size(&Value::String("x".repeat(1000))), empty + 1000);
    let list = size(&Value::List(vec![Value::U8(1); 10]));
    assert_eq!(list, 11 * size_of::<Value>() as u64);
}
