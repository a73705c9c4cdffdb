//! Scopes made from WIT, their bindings compiled by the real rustc, snippets compiled against them.

mod build;
mod world;

use build::{Grants, scope, scope_with};

use super::ScopeError;

fn hole(items: &str) -> String {
    format!("package t:h; {items}")
}

#[test]
fn a_plain_function_is_filled() {
    let scope = scope(&hole(
        "world hole { export run: func(a: u32, name: string) -> list<string>; }",
    ))
    .unwrap();
    assert_eq!(
        scope.exports[0].functions[0].signature,
        "fn run(a: u32, name: String) -> Vec<String>"
    );
    assert_eq!(
        scope.exports[0].functions[0].absolute,
        "fn run(a: u32, name: ::std::string::String) -> ::std::vec::Vec<::std::string::String>"
    );
    let built = build::compile(
        &scope,
        "fn run(a: u32, name: String) -> Vec<String> { vec![name; a as usize] }",
    )
    .unwrap();
    assert_eq!(built.imports_beside_console(), Vec::<String>::new());
    assert!(
        built.exports.contains(&"run".to_owned()),
        "{:?}",
        built.exports
    );
    build::compile(&scope, "fn run(a: u32) -> u32 { a }").unwrap_err();
}

#[test]
fn only_granted_functions_can_be_named_and_are_imported() {
    let wit = hole(
        "world hole { import lacuna:fs/read@0.1.0; import lacuna:fs/write@0.1.0; export run: func() -> result<string, string>; }",
    );
    let grants = Grants::all()
        .only("lacuna:fs/read@0.1.0", &["read-text"])
        .only("lacuna:fs/write@0.1.0", &["append"]);
    let scope = scope_with(&wit, grants).unwrap();
    let text = "pub fn run() -> Result<String, String> { write::append(\"x\", b\"y\")?; Ok(read::read_text(\"x\")?) }";
    let built = build::compile(&scope, text).unwrap();
    assert_eq!(
        built.imports_beside_console(),
        [
            "lacuna:fs/read@0.1.0#read-text",
            "lacuna:fs/write@0.1.0#append"
        ]
    );
    let error = build::compile(
        &scope,
        "pub fn run() -> Result<String, String> { read::entries(\".\"); loop {} }",
    )
    .unwrap_err();
    assert!(error.contains("cannot find function `entries`"), "{error}");
}

#[test]
fn two_labels_on_one_interface_have_different_cuts() {
    let wit = hole(
        "world hole { import repo: lacuna:fs/read@0.1.0; import other: lacuna:fs/read@0.1.0;
          export run: func() -> result<u32, string>; }",
    );
    let grants = Grants::all()
        .only("repo", &["read-text"])
        .only("other", &["entries"]);
    let scope = scope_with(&wit, grants).unwrap();
    let text = "pub fn run() -> Result<u32, String> {
        let all: Vec<Entry> = other::entries(\".\")?;
        let kinds = all.iter().filter(|entry| entry.kind == Kind::File).count();
        match repo::read_text(&all[0].path) { Ok(text) => Ok(text.len() as u32), Err(repo::Error::NotFound(_)) => Ok(kinds as u32), Err(e) => Err(format!(\"{e}\")) }
    }";
    let built = build::compile(&scope, text).unwrap();
    assert_eq!(
        built.imports_beside_console(),
        ["other#entries", "repo#read-text"]
    );
    build::compile(
        &scope,
        "pub fn run() -> Result<u32, String> { repo::entries(\".\"); loop {} }",
    )
    .unwrap_err();
    build::compile(
        &scope,
        "pub fn run() -> Result<u32, String> { other::read_text(\".\"); loop {} }",
    )
    .unwrap_err();
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
    (
        "tuple<u8, string, tuple<bool, char>>",
        "(u8, String, (bool, char))",
    ),
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
    let imports = &scope
        .imports
        .iter()
        .find(|import| import.label == "calls")
        .unwrap()
        .functions;
    let mut text = String::new();
    for (index, (_, rust)) in EVERY_FUNCTION.iter().enumerate() {
        let parameter = imports[index]
            .signature
            .split("a: ")
            .nth(1)
            .unwrap()
            .split(") ->")
            .next()
            .unwrap();
        // A borrowed parameter takes a borrow; everything else is taken as it is.
        let call = match parameter.trim_end_matches(')') {
            text if text.starts_with('&') => format!("calls::f{index}(&a)"),
            "Option<&Person" | "Option<&Person>" => format!("calls::f{index}(a.as_ref())"),
            "Option<Option<&str>>" | "Maybe" => format!("{{ let _ = calls::f{index}; a }}"),
            text if text.contains('&') => format!("{{ let _ = calls::f{index}; a }}"),
            _ => format!("calls::f{index}(a)"),
        };
        text.push_str(&format!(
            "pub fn f{index}(a: {rust}) -> {rust} {{ {call} }}\n"
        ));
    }
    let built = build::compile(&scope, &text)
        .unwrap_or_else(|error| panic!("{error}\n{text}\n{}", scope.bindings));
    assert!(
        built
            .exports
            .iter()
            .any(|export| export == "t:h/answers#f31"),
        "{:?}",
        built.exports
    );
}

#[test]
fn types_have_the_traits_they_can_have() {
    let types = EVERY_TYPE.replace("FUNCTIONS", "go: func(r: report) -> result<person, fault>; no: func() -> result<_, shape>; re: func() -> result<_, report>;");
    let wit = hole(&format!(
        "{types} world hole {{ import all; export run: func() -> result<string, string>; }}"
    ));
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

const FUNCTION_RESULT: &str = "interface fns { resource roman { constructor(); call: func(n: u32) -> string; } } world hole { export fns; }";

#[test]
fn an_exported_resource_is_a_type_of_the_snippet() {
    let scope = scope(&hole(FUNCTION_RESULT)).unwrap();
    let resource = &scope.exports[0].resources[0];
    assert_eq!(
        (resource.trait_name.as_str(), resource.slot.as_str()),
        ("GuestRoman", "__Lacuna_fns_Roman")
    );
    assert_eq!(
        resource.trait_text,
        "pub trait GuestRoman: Sized + 'static {\n    fn new() -> Self;\n    fn call(&self, n: u32) -> String;\n}\n"
    );
    let text = "struct It; impl GuestRoman for It { fn new() -> Self { It } fn call(&self, n: u32) -> String { format!(\"{n}\") } }";
    let built = build::compile_with(&scope, text, &[("GuestRoman", "It")])
        .unwrap_or_else(|e| panic!("{e}\n{}", scope.bindings));
    for name in [
        "t:h/fns#[constructor]roman",
        "t:h/fns#[method]roman.call",
        "t:h/fns#[dtor]roman",
    ] {
        assert!(
            built.exports.contains(&name.to_owned()),
            "{:?}",
            built.exports
        );
    }
    assert!(
        built
            .imports_beside_console()
            .iter()
            .all(|name| name.starts_with("[export]t:h/fns")),
        "{:?}",
        built.imports
    );
    // What an implementation must not be able to replace.
    let forged = "struct It; impl GuestRoman for It { fn new() -> Self { It } fn call(&self, n: u32) -> String { loop {} }
        fn _resource_rep(handle: u32) -> *mut u8 { handle as usize as *mut u8 } }";
    let error = build::compile_with(&scope, forged, &[("GuestRoman", "It")]).unwrap_err();
    assert!(
        error.contains("E0053") || error.contains("unsafe"),
        "{error}"
    );
}

#[test]
fn resources_of_imports_and_exports_meet() {
    let wit = "interface fs { resource file { read: func() -> string; } }
        interface fns { use fs.{file}; make: func(f: file) -> reader; look: func(f: borrow<file>, r: borrow<reader>) -> string;
          resource reader { call: func() -> string; twice: static func(r: reader) -> reader; } }
        world hole { import fs; export fns; }";
    let scope = scope(&hole(wit)).unwrap();
    let text = "
        pub fn make(f: File) -> Reader { Reader::new(Rd(f)) }
        pub fn look(f: &File, r: ReaderBorrow<'_>) -> String { f.read() + &r.get::<Rd>().call() }
        struct Rd(File);
        impl GuestReader for Rd {
            fn call(&self) -> String { self.0.read() }
            fn twice(r: Reader) -> Reader { r }
        }";
    let built = build::compile_with(&scope, text, &[("GuestReader", "Rd")])
        .unwrap_or_else(|e| panic!("{e}\n{}", scope.bindings));
    assert!(
        built
            .imports
            .contains(&"t:h/fs#[method]file.read".to_owned()),
        "{:?}",
        built.imports
    );
    let kept = "
        pub fn make(f: File) -> Reader { loop {} }
        pub fn look(f: &File, r: ReaderBorrow<'_>) -> String { loop {} }
        struct Rd<'a>(&'a File);
        impl<'a> GuestReader for Rd<'a> { fn call(&self) -> String { self.0.read() } fn twice(r: Reader) -> Reader { r } }";
    let error = build::compile_with(&scope, kept, &[("GuestReader", "Rd")]).unwrap_err();
    assert!(error.contains("lifetime"), "{error}");
}

#[test]
fn methods_of_a_resource_are_granted_one_by_one_and_handles_stay_closed() {
    let wit = "interface fs { resource file { constructor(name: string); read: func() -> string; wipe: func(); open: static func(o: option<string>) -> result<file, string>; } size: func(f: borrow<file>) -> u64; }
        world hole { use fs.{file}; import fs; export run: func() -> u64; }";
    let grants = Grants::all().only(
        "t:h/fs",
        &["[method]file.read", "[static]file.open", "size"],
    );
    let scope = scope_with(&hole(wit), grants).unwrap();
    let text = "pub fn run() -> u64 { let f = File::open(Some(\"x\")).unwrap(); f.read().len() as u64 + fs::size(&f) }";
    let built = build::compile(&scope, text).unwrap_or_else(|e| panic!("{e}\n{}", scope.bindings));
    assert!(
        built.imports.iter().all(|name| !name.contains("wipe")),
        "{:?}",
        built.imports
    );
    for attack in [
        "pub fn run() -> u64 { let f = File::open(None).unwrap(); f.wipe(); 0 }",
        "pub fn run() -> u64 { let f = File::new(\"x\"); 0 }",
        "pub fn run() -> u64 { let f = File::open(None).unwrap(); f.handle() as u64 }",
        "pub fn run() -> u64 { let f = File::open(None).unwrap(); f.take_handle() as u64 }",
        "pub fn run() -> u64 { let f = File { handle: unsafe { std::mem::zeroed() } }; 0 }",
        "pub fn run() -> u64 { ::__lacuna_bindings::generated::t::h::fs::size; 0 }",
        "pub fn run() -> u64 { let f: File = Default::default(); 0 }",
    ] {
        build::compile(&scope, attack).unwrap_err();
    }
}

#[test]
fn exports_that_share_a_name_stand_in_modules() {
    let wit = "interface a { go: func() -> u8; } interface b { go: func() -> u16; other: func(); }
        world hole { export a; export b; export now: func(); }";
    let scope = scope(&hole(wit)).unwrap();
    let modules: Vec<_> = scope
        .exports
        .iter()
        .map(|export| export.module.as_deref())
        .collect();
    assert_eq!(modules, [None, Some("a"), Some("b")]);
    let text = "pub fn now() {} pub mod a { pub fn go() -> u8 { 1 } } pub mod b { pub fn go() -> u16 { 2 } pub fn other() {} }";
    build::compile(&scope, text).unwrap_or_else(|e| panic!("{e}\n{}", scope.bindings));
}

#[test]
fn keywords_and_names_of_the_standard_library_are_names() {
    let wit = "interface match { record error { message: string, type: u8 } record hash { self: u8, gen: u8 } enum default { clone, debug }
            variant from { into(hash), other(default) } gen: func(self: u8, type: string) -> result<hash, error>; move: func(f: from); drop: func(); try: func(gen: option<string>); }
        world hole { import match; import gen: func(gen: u8) -> u8; export type: func(match: u8, gen: u8) -> u8; export async: func(); }";
    let wit = wit
        .replace("interface match", "interface %match")
        .replace("import match", "import %match");
    let scope = scope(&hole(&quoted(&wit))).unwrap();
    let text = "pub fn type_(match_: u8, r#gen: u8) -> u8 {
            let hash = match_::r#gen(1, \"x\").unwrap_or_default(); match_::move_(match_::From::Into(hash.clone())); match_::drop(); match_::try_(Some(\"x\"));
            ::__lacuna_bindings::scope::r#gen(hash.r#gen + hash.self_) }
        pub fn async_() {}";
    build::compile(&scope, text).unwrap_or_else(|e| panic!("{e}\n{}", scope.bindings));
    assert_eq!(
        scope.exports[0].functions[0].signature,
        "fn type_(match_: u8, r#gen: u8) -> u8"
    );
}

/// WIT's own keywords need a `%`.
fn quoted(wit: &str) -> String {
    wit.replace(" type: ", " %type: ")
        .replace(" async: ", " %async: ")
        .replace(" from ", " %from ")
        .replace("f: from", "f: %from")
}

#[test]
fn names_that_cannot_be_rust_are_refused() {
    for (wit, word) in [
        (
            "interface i { record option { a: u8 } f: func(o: option); } world hole { import i; export run: func(); }",
            "Option",
        ),
        (
            "interface i { record %result { a: u8 } f: func(o: %result); } world hole { import i; export run: func(); }",
            "Result",
        ),
        (
            "interface i { enum self { a } f: func(o: self); } world hole { import i; export run: func(); }",
            "Self",
        ),
        (
            "interface i { resource a { } record a-borrow { x: u8 } } world hole { export i; }",
            "ABorrow",
        ),
        (
            "interface i { resource a { handle: func(); } } world hole { import i; export run: func(); }",
            "handle",
        ),
        (
            "interface i { resource a { constructor(); new: func(); } } world hole { import i; export run: func(); }",
            "new",
        ),
        (
            "interface i { flags guest { a } f: func(g: guest); } world hole { import i; export run: func(); }",
            "Guest_",
        ),
        (
            "interface i { f: func(); } world hole { import i; import t: i; export run: func(); }",
            "`t`",
        ),
    ] {
        let wit = hole(
            &wit.replace("record option", "record %option")
                .replace("o: option", "o: %option"),
        );
        let error = scope(&wit).unwrap_err();
        assert!(
            matches!(error, ScopeError::Name { .. } | ScopeError::Clash { .. }),
            "{error}"
        );
        assert!(error.to_string().contains(word), "{error}");
    }
}
