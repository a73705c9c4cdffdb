//! Scopes made from WIT, their bindings compiled by the real rustc, snippets compiled against them.

mod build;

use build::{Built, Grants, scope, scope_with};

use crate::scope::ScopeError;

fn hole(items: &str) -> String {
    format!("package t:h; {items}")
}

#[test]
fn a_plain_function_is_filled() {
    let scope = scope(&hole("world hole { export run: func(a: u32, name: string) -> list<string>; }")).unwrap();
    assert_eq!(scope.exports[0].functions[0].signature, "fn run(a: u32, name: String) -> Vec<String>");
    assert_eq!(
        scope.exports[0].functions[0].absolute,
        "fn run(a: u32, name: ::std::string::String) -> ::std::vec::Vec<::std::string::String>"
    );
    let built = build::compile(&scope, "fn run(a: u32, name: String) -> Vec<String> { vec![name; a as usize] }").unwrap();
    assert_eq!(built.imports_beside_console(), Vec::<String>::new());
    assert!(built.exports.contains(&"run".to_owned()), "{:?}", built.exports);
    build::compile(&scope, "fn run(a: u32) -> u32 { a }").unwrap_err();
}

#[test]
fn only_granted_functions_can_be_named_and_are_imported() {
    let wit = hole(
        "world hole { import lacuna:fs/read@0.1.0; import lacuna:fs/write@0.1.0; export run: func() -> result<string, string>; }",
    );
    let grants = Grants::all().only("lacuna:fs/read@0.1.0", &["read-text"]).only("lacuna:fs/write@0.1.0", &["append"]);
    let scope = scope_with(&wit, grants).unwrap();
    let text = "pub fn run() -> Result<String, String> { write::append(\"x\", b\"y\")?; Ok(read::read_text(\"x\")?) }";
    let built = build::compile(&scope, text).unwrap();
    assert_eq!(
        built.imports_beside_console(),
        ["lacuna:fs/read@0.1.0#read-text", "lacuna:fs/write@0.1.0#append"]
    );
    let error = build::compile(&scope, "pub fn run() -> Result<String, String> { read::entries(\".\"); loop {} }").unwrap_err();
    assert!(error.contains("cannot find function `entries`"), "{error}");
}

#[test]
fn two_labels_on_one_interface_have_different_cuts() {
    let wit = hole(
        "world hole { import repo: lacuna:fs/read@0.1.0; import other: lacuna:fs/read@0.1.0;
          export run: func() -> result<u32, string>; }",
    );
    let grants = Grants::all().only("repo", &["read-text"]).only("other", &["entries"]);
    let scope = scope_with(&wit, grants).unwrap();
    let text = "pub fn run() -> Result<u32, String> {
        let all: Vec<Entry> = other::entries(\".\")?;
        let kinds = all.iter().filter(|entry| entry.kind == Kind::File).count();
        match repo::read_text(&all[0].path) { Ok(text) => Ok(text.len() as u32), Err(repo::Error::NotFound(_)) => Ok(kinds as u32), Err(e) => Err(format!(\"{e}\")) }
    }";
    let built = build::compile(&scope, text).unwrap();
    assert_eq!(built.imports_beside_console(), ["other#entries", "repo#read-text"]);
    build::compile(&scope, "pub fn run() -> Result<u32, String> { repo::entries(\".\"); loop {} }").unwrap_err();
    build::compile(&scope, "pub fn run() -> Result<u32, String> { other::read_text(\".\"); loop {} }").unwrap_err();
    let wit = scope.wit().unwrap();
    assert!(wit.contains("import repo: interface"), "{wit}");
    assert!(!wit.contains("interface read"), "{wit}");
    assert!(!wit.contains("glob"), "{wit}");
}

const EVERY_TYPE: &str = "
    interface all {
      enum color { red, dark-green }
      flags rights { read, write, list-all }
      record point { x: s32, y: s32 }
      record measure { at: f64, label: string }
      record person { name: string, born: option<u32>, tags: list<string>, where: point, color: color, rights: rights }
      variant shape { dot, circle(f32), poly(list<point>), named(tuple<string, u8>) }
      type ids = list<u64>;
      type pair = tuple<s8, u16>;
      type maybe = option<option<char>>;
      type outcome = result<person, shape>;
      enum fault { not-there, too-big }
      record report { message: string, code: u16 }
      FUNCTIONS
    }";

const EVERY_FUNCTION: &[(&str, &str)] = &[
    ("bool", "bool"),
    ("s8", "i8"),
    ("u8", "u8"),
    ("s16", "i16"),
    ("u16", "u16"),
    ("s32", "i32"),
    ("u32", "u32"),
    ("s64", "i64"),
    ("u64", "u64"),
    ("f32", "f32"),
    ("f64", "f64"),
    ("char", "char"),
    ("string", "String"),
    ("color", "Color"),
    ("rights", "Rights"),
    ("point", "Point"),
    ("person", "Person"),
    ("shape", "Shape"),
    ("ids", "Ids"),
    ("pair", "Pair"),
    ("maybe", "Maybe"),
    ("outcome", "Outcome"),
    ("list<person>", "Vec<Person>"),
    ("list<list<u8>>", "Vec<Vec<u8>>"),
    ("option<option<string>>", "Option<Option<String>>"),
    ("option<person>", "Option<Person>"),
    ("result", "Result<(), ()>"),
    ("result<u8>", "Result<u8, ()>"),
    ("result<_, fault>", "Result<(), Fault>"),
    ("result<list<shape>, report>", "Result<Vec<Shape>, Report>"),
    ("tuple<u8, string, tuple<bool, char>>", "(u8, String, (bool, char))"),
    ("tuple<u8>", "(u8,)"),
];

#[test]
fn every_type_is_parameter_and_result_of_imports_and_exports() {
    let functions: String = EVERY_FUNCTION
        .iter()
        .enumerate()
        .map(|(index, (wit, _))| format!("f{index}: func(a: {wit}) -> {wit}; "))
        .collect();
    let types = EVERY_TYPE.replace("FUNCTIONS", "");
    let calls = functions.clone();
    let wit = hole(&format!(
        "{types} interface calls {{ use all.{{color, rights, point, person, shape, ids, pair, maybe, outcome, fault, report}}; {calls} }}
         interface answers {{ use all.{{color, rights, point, person, shape, ids, pair, maybe, outcome, fault, report}}; {functions} }}
         world hole {{ import calls; export answers; }}"
    ));
    let scope = scope(&wit).unwrap();
    let imports = &scope.imports.iter().find(|import| import.label == "calls").unwrap().functions;
    let mut text = String::new();
    for (index, (_, rust)) in EVERY_FUNCTION.iter().enumerate() {
        let parameter = imports[index].signature.split("a: ").nth(1).unwrap().split(") ->").next().unwrap();
        // A borrowed parameter takes a borrow; everything else is taken as it is.
        let call = match parameter.trim_end_matches(')') {
            text if text.starts_with('&') => format!("calls::f{index}(&a)"),
            "Option<&Person" | "Option<&Person>" => format!("calls::f{index}(a.as_ref())"),
            "Option<Option<&str>>" | "Maybe" => format!("{{ let _ = calls::f{index}; a }}"),
            text if text.contains('&') => format!("{{ let _ = calls::f{index}; a }}"),
            _ => format!("calls::f{index}(a)"),
        };
        text.push_str(&format!("pub fn f{index}(a: {rust}) -> {rust} {{ {call} }}\n"));
    }
    let built = build::compile(&scope, &text).unwrap_or_else(|error| panic!("{error}\n{text}\n{}", scope.bindings));
    assert!(built.exports.iter().any(|export| export == "t:h/answers#f31"), "{:?}", built.exports);
}

#[test]
fn types_have_the_traits_they_can_have() {
    let types = EVERY_TYPE.replace("FUNCTIONS", "go: func(r: report) -> result<person, fault>; no: func() -> result<_, shape>; re: func() -> result<_, report>;");
    let wit = hole(&format!("{types} world hole {{ import all; export run: func() -> result<string, string>; }}"));
    let scope = scope(&wit).unwrap();
    let text = "
        fn ordered<T: Clone + std::fmt::Debug + Eq + Ord + std::hash::Hash>() {}
        fn record<T: Default>() {}
        fn copied<T: Copy>() {}
        fn equal<T: PartialEq + Clone + std::fmt::Debug>() {}
        fn fails<T: std::error::Error + 'static>() where String: From<T> {}
        pub fn run() -> Result<String, String> {
            ordered::<Color>(); ordered::<Rights>(); ordered::<Point>(); ordered::<Fault>();
            record::<Point>(); record::<Measure>(); record::<Rights>(); copied::<Color>(); copied::<Point>(); copied::<Rights>();
            equal::<Shape>(); equal::<Measure>(); equal::<Person>();
            fails::<Fault>(); fails::<Shape>(); fails::<Report>();
            let person = all::go(&Report { message: String::new(), code: 1 })?;
            all::no().map_err(|error| error.to_string())?;
            match person.rights { Rights::READ => {} _ => {} }
            if person.rights.contains(Rights::READ | Rights::LIST_ALL) { return Err(Fault::NotThere.to_string()); }
            Ok(format!(\"{:?}\", Shape::Circle(1.0)))
        }";
    build::compile(&scope, text).unwrap_or_else(|error| panic!("{error}\n{}", scope.bindings));
}
