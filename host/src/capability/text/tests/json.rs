//! JSON: what is read beside serde_json's own values, places of errors, exact numbers.

use proptest::prelude::*;
use serde_json::Value;

use super::{bounds, error, limit, texts};
use crate::capability::call::Bounds;
use crate::capability::compute::{Answer, Size};
use crate::capability::text::json::{Document, Node, get, items, keys, parse, table, write};

const SHOP: &str = r#"{ "name": "Tea & \"Co\"", "open": true, "none": null, "a/b": {"~": [10, 20.50, 1e400]},
  "items": [ {"id": 1, "price": 12345678901234567890.10, "at": {"city": "Ulm"}}, {"id": 2, "at": null, "tags": [] } ],
  "twice": 1, "twice": 2, "": "empty" }"#;

fn at(pointer: &str) -> Answer<Option<String>> {
    get(&(SHOP.to_owned(), pointer.to_owned()), &bounds())
}

fn some(text: &str) -> Answer<Option<String>> {
    Ok(Some(text.to_owned()))
}

fn format(text: &str, indent: u32) -> Answer<String> {
    let bounds = bounds();
    write::format(&Document::read(text)?, indent, &mut Size::new(&bounds))
}

#[test]
fn values_by_pointer() {
    for (pointer, expected) in [
        ("/name", some("Tea & \"Co\"")),
        ("/open", some("true")),
        ("/none", Ok(None)),
        ("/missing", Ok(None)),
        ("/name/x", Ok(None)),
        ("/a~1b/~0/1", some("20.50")),
        ("/a~1b/~0/2", some("1e400")),
        ("/a~1b/~0/3", Ok(None)),
        ("/a~1b/~0/01", Ok(None)),
        ("/a~1b/~0/+1", Ok(None)),
        ("/a~1b/~0/-", Ok(None)),
        ("/items/0/price", some("12345678901234567890.10")),
        ("/items/0/at", some(r#"{"city": "Ulm"}"#)),
        ("/items/1/tags", some("[]")),
        ("/twice", some("2")),
        ("/", some("empty")),
    ] {
        assert_eq!(at(pointer), expected, "{pointer}");
    }
    assert_eq!(at(""), some(SHOP));
    assert_eq!(
        error(at("name")),
        "`name` is no pointer: write `/name`, or `\"\"` for the whole"
    );
}

#[test]
fn lists_and_rows() {
    let given = |pointer: &str| (SHOP.to_owned(), pointer.to_owned());
    assert_eq!(
        items(&given("/a~1b/~0"), &bounds()),
        Ok(texts(&["10", "20.50", "1e400"]))
    );
    assert_eq!(
        keys(&given(""), &bounds()),
        Ok(texts(&[
            "name", "open", "none", "a/b", "items", "twice", "twice", ""
        ]))
    );
    let rows = |fields: &[&str]| {
        table(
            &(SHOP.to_owned(), "/items".to_owned(), texts(fields)),
            &bounds(),
        )
    };
    let cell = |text: &str| Some(text.to_owned());
    assert_eq!(
        rows(&["id", "/at/city", "price"]),
        Ok(vec![
            vec![cell("1"), cell("Ulm"), cell("12345678901234567890.10")],
            vec![cell("2"), None, None]
        ])
    );
    assert_eq!(
        error(items(&given("/name"), &bounds())),
        "`/name` is a string, not an array"
    );
    assert_eq!(
        error(keys(&given("/items"), &bounds())),
        "`/items` is an array, not an object"
    );
    assert_eq!(error(items(&given("/x"), &bounds())), "nothing is at `/x`");
    let mixed = ("[{}, 3]".to_owned(), String::new(), texts(&["a"]));
    assert_eq!(
        error(table(&mixed, &bounds())),
        "element 1 of `` is a number, not an object"
    );
}

#[test]
fn nodes() {
    let nodes = parse(
        &(r#"{"a": [1.0, "x\n", true], "b": null}"#.to_owned(),),
        &bounds(),
    )
    .unwrap();
    assert_eq!(
        nodes,
        [
            Node::Object(vec![("a".to_owned(), 1), ("b".to_owned(), 5)]),
            Node::Array(vec![2, 3, 4]),
            Node::Number("1.0".to_owned()),
            Node::Text("x\n".to_owned()),
            Node::Boolean(true),
            Node::Null,
        ]
    );
}

#[test]
fn layout() {
    let text = r#" {"b" : [1.50, {}, [ ] ], "a":"\u0041"} "#;
    assert_eq!(
        format(text, 0),
        Ok(r#"{"b":[1.50,{},[]],"a":"\u0041"}"#.to_owned())
    );
    assert_eq!(
        format(text, 2),
        Ok("{\n  \"b\": [\n    1.50,\n    {},\n    []\n  ],\n  \"a\": \"\\u0041\"\n}".to_owned())
    );
    assert!(error(format(text, 17)).contains("more than 16"));
    assert_eq!(write::quote("a\"\\\n\u{1}ä"), r#""a\"\\\n\u0001ä""#);
}

#[test]
fn errors_say_where() {
    for (text, expected) in [
        ("", "line 1, column 1: EOF while parsing a value"),
        ("{\n  \"ä\": tru\n}", "line 2, column 11: expected ident"),
        ("[1, 2,]", "line 1, column 7: expected value"),
        ("{} x", "line 1, column 4: trailing characters"),
        ("[1 2]", "line 1, column 4: expected `,` or `]`"),
        ("{'a': 1}", "line 1, column 2: key must be a string"),
        ("[01]", "line 1, column 3: invalid number"),
    ] {
        assert_eq!(
            error(parse(&(text.to_owned(),), &bounds())),
            format!("not JSON: {expected}"),
            "{text}"
        );
    }
    // Half a surrogate pair is a fault of the string that it stands in.
    let half = "[1,\n \"\\ud800\"]";
    assert!(
        error(parse(&(half.to_owned(),), &bounds())).starts_with("not JSON: line 2, column 2: ")
    );
    assert!(
        items(
            &("[[1], [\"\\ud800\"]]".to_owned(), String::new()),
            &bounds()
        )
        .is_ok()
    );
}

#[test]
fn depth_and_size_have_ends() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert_eq!(parse(&(deep(128),), &bounds()).unwrap().len(), 128);
    for levels in [129, 100_000] {
        let text = deep(levels);
        assert!(
            error(parse(&(text.clone(),), &bounds())).contains("deeper in each other than 128")
        );
        assert!(error(format(&text, 0)).contains("deeper in each other than 128"));
        assert_eq!(
            get(&(text, "/0/0/0".to_owned()), &bounds())
                .unwrap()
                .unwrap()
                .len(),
            2 * levels - 6
        );
    }
    let small = Bounds::new(0, 1000);
    let many = format!("[{}0]", "0,".repeat(1000));
    assert_eq!(limit(parse(&(many.clone(),), &small)), "crossing");
    assert_eq!(
        limit(items(&(many.clone(), String::new()), &small)),
        "crossing"
    );
    assert_eq!(limit(get(&(many, String::new()), &small)), "crossing");
    let rows = (
        format!("[{}{{}}]", "{},".repeat(100)),
        String::new(),
        texts(&["a", "b"]),
    );
    assert_eq!(limit(table(&rows, &small)), "crossing");
    let bounds = Bounds::new(0, 1000);
    let document = Document::read("[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]").unwrap();
    assert_eq!(
        limit(write::format(&document, 16, &mut Size::new(&bounds))),
        "crossing"
    );
}

/// JSON values that serde_json holds exactly.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn rebuilt(nodes: &[Node], index: u32) -> Value {
    match &nodes[index as usize] {
        Node::Null => Value::Null,
        Node::Boolean(value) => Value::from(*value),
        Node::Number(text) => Value::from(text.parse::<i64>().unwrap()),
        Node::Text(text) => Value::from(text.as_str()),
        Node::Array(items) => items.iter().map(|item| rebuilt(nodes, *item)).collect(),
        Node::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, value)| (name.clone(), rebuilt(nodes, *value)))
                .collect(),
        ),
    }
}

proptest! {
    #[test]
    fn a_document_is_read_whole(value in any_json(), indent in 0..4_u32) {
        let pretty = format(&value.to_string(), indent).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Value>(&pretty).unwrap(), &value);
        if indent == 2 {
            prop_assert_eq!(&pretty, &serde_json::to_string_pretty(&value).unwrap());
        }
        let nodes = parse(&(pretty,), &bounds()).unwrap();
        prop_assert_eq!(rebuilt(&nodes, 0), value);
    }

    /// The same texts are JSON, and pointers find the same, as for serde_json.
    #[test]
    fn answers_are_the_crates(text in "[\\[\\]{}:,\"ab01.e+ \n-]{0,12}|\\PC{0,8}", pointer in "(/[ab01~]{0,2}){0,3}") {
        let ours = get(&(text.clone(), pointer.clone()), &bounds());
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                let expected = match value.pointer(&pointer) {
                    None | Some(Value::Null) => None,
                    Some(Value::String(text)) => Some(text.clone()),
                    Some(other) => Some(other.to_string()),
                };
                let ours = ours.unwrap();
                prop_assert_eq!(ours.is_some(), expected.is_some());
                if let (Some(ours), Some(expected)) = (ours, expected) {
                    // Numbers and blanks stay as they are written.
                    let same = ours == expected || serde_json::from_str::<Value>(&ours).ok() == serde_json::from_str(&expected).ok();
                    prop_assert!(same, "{} {}", ours, expected);
                }
            }
            Err(error) if error.to_string().contains("number out of range") => prop_assert!(ours.is_ok()),
            Err(_) => prop_assert!(ours.is_err()),
        }
    }

    #[test]
    fn nothing_panics(text in any::<String>(), pointer in any::<String>(), fields in prop::collection::vec(any::<String>(), 0..3)) {
        let quoted = format!("[{{\"a\": {}}}, \"\\ud8{}\"]", write::quote(&text), text.chars().take(4).collect::<String>());
        for text in [text, quoted] {
            let _ = get(&(text.clone(), pointer.clone()), &bounds());
            let _ = items(&(text.clone(), pointer.clone()), &bounds());
            let _ = keys(&(text.clone(), pointer.clone()), &bounds());
            let _ = table(&(text.clone(), pointer.clone(), fields.clone()), &bounds());
            let _ = parse(&(text.clone(),), &bounds());
            let _ = format(&text, 2);
        }
    }
}
