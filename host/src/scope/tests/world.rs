//! The cut world as others see it: names, surface, hash, encoder.

use super::*;

#[test]
fn interfaces_of_one_name_are_told_apart_by_their_package() {
    let deps = [
        "package x:one; interface log { record line { a: u8 } emit: func(l: line); }",
        "package x:two; interface log { record line { b: u8 } emit: func(l: line); }",
    ];
    let wit = hole("world hole { import x:one/log; import x:two/log; export run: func(); }");
    let scope = build::scope_of(&deps, &wit, Grants::all()).unwrap();
    let text = "pub fn run() { one_log::emit(one_log::Line { a: 1 }); two_log::emit(two_log::Line { b: 1 }); }";
    let built = build::compile(&scope, text).unwrap_or_else(|e| panic!("{e}\n{}", scope.bindings));
    assert_eq!(
        built.imports_beside_console(),
        ["x:one/log#emit", "x:two/log#emit"]
    );
    build::compile(&scope, "pub fn run() { let x: Line; }").unwrap_err();
    assert_eq!(scope.names["emit"], ["one_log::emit", "two_log::emit"]);
}

#[test]
fn borrowed_parameters_are_what_the_surface_says() {
    let wit = "interface bus { send: func(ms: list<string>, o: option<string>); }
        world hole { import bus; import now: func() -> u64; export run: func(xs: list<string>); }";
    let scope = scope(&hole(wit)).unwrap();
    assert_eq!(
        scope.surface.imports,
        "pub fn now() -> u64;\npub mod bus {\n    pub fn send(ms: &[String], o: Option<&str>);\n}\n"
    );
    let text = "pub fn run(xs: Vec<String>) { now(); bus::send(&xs, None); bus::send(&[\"z\".into()], Some(\"k\")); }";
    build::compile(&scope, text).unwrap();
}

#[test]
fn the_surface_shows_docs_as_data() {
    let wit = "interface fs {
          /// Why\u{200b} it failed.
          variant error {
            /// Nothing there.
            not-found(string),
            other,
          }
          flags mode { read, write }
          record unused { a: u8 }
          /// Reads \"a\" file.
          read: func(path: string, m: mode) -> result<string, error>;
          drop-all: func(u: unused);
        }
        world hole { import fs;
          /// The task.
          export run: func() -> result<string, string>; }";
    let scope = scope_with(&hole(wit), Grants::all().only("t:h/fs", &["read"])).unwrap();
    let all = format!(
        "{}--\n{}--\n{}",
        scope.surface.exports, scope.surface.types, scope.surface.imports
    );
    let expected = "/// The task.
pub fn run() -> Result<String, String>;
--
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Mode; // a set: `|`, `.contains(…)`, `empty()`, `all()`
impl Mode {
    pub const READ: Self;
    pub const WRITE: Self;
}
--
pub mod fs {
    pub use super::Mode;
    /// Why\\u{200b} it failed.
    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Error {
        /// Nothing there.
        NotFound(String),
        Other,
    }
    /// Reads \"a\" file.
    pub fn read(path: &str, m: Mode) -> Result<String, Error>;
}
";
    assert_eq!(all, expected);
    assert_eq!(
        scope.imports[0].functions[0].signature,
        "fn read(path: &str, m: Mode) -> Result<String, fs::Error>"
    );
    assert_eq!(scope.names["NotFound"], ["fs::Error::NotFound"]);
}

#[test]
fn the_hash_is_of_what_is_granted_and_of_nothing_else() {
    let wit = hole(
        "interface i { f: func(); g: func(); } world other { import i; } world hole { import i; export run: func(); }",
    );
    let whole = scope(&wit).unwrap();
    assert_eq!(whole.hash, scope(&wit).unwrap().hash);
    assert_eq!(whole.bindings, scope(&wit).unwrap().bindings);
    assert_ne!(
        whole.hash,
        scope_with(&wit, Grants::all().only("t:h/i", &["f"]))
            .unwrap()
            .hash
    );
    let without = wit.replace("world other { import i; }", "");
    assert_eq!(whole.hash, scope(&without).unwrap().hash);
}

#[test]
fn the_cut_world_is_accepted_by_the_encoder() {
    let wit = hole(
        "interface shapes { use lacuna:fs/types@0.1.0.{kind}; resource r { a: func(k: kind); b: func(); } record p { x: u8 } f: func(p: p) -> r; }
         world hole { use lacuna:fs/types@0.1.0.{entry}; import repo: lacuna:fs/read@0.1.0; import s: shapes; import t: shapes; export run: func(e: entry); export out: shapes; }",
    );
    let grants = Grants::all()
        .only("repo", &["glob"])
        .only("s", &["[method]r.a"])
        .only("t", &["f"]);
    let scope = scope_with(&wit, grants).unwrap();
    let bytes = wit_component::metadata::encode(
        &scope.resolve,
        scope.world,
        wit_component::StringEncoding::UTF8,
        None,
    )
    .unwrap();
    assert!(!bytes.is_empty());
    scope.wit().unwrap();
    let text = "pub fn run(e: Entry) { let p: P2 = t::P { x: 1 }; let r: t::R = t::f(p); let _ = (repo::glob(&e.path), s::R::a); }
        type P2 = t::P; struct It; impl out::GuestR for It { fn a(&self, k: Kind) {} fn b(&self) {} } pub fn f(p: out::P) -> out::R { out::R::new(It) }";
    build::compile_with(&scope, text, &[("GuestR", "It")])
        .unwrap_or_else(|e| panic!("{e}\n{}\n{}", scope.surface.types, scope.bindings));
}

#[test]
fn a_world_may_use_types_and_resources_without_importing_functions() {
    let wit = "interface fs { resource file { read: func() -> string; } record meta { f: u8 } size: func() -> u8; }
        world hole { use fs.{file, meta}; export run: func(f: borrow<file>, m: meta) -> file; }";
    let scope = scope_with(&hole(wit), Grants::all().only("t:h/fs", &[])).unwrap();
    assert_eq!(
        scope.exports[0].functions[0].signature,
        "fn run(f: &File, m: Meta) -> File"
    );
    let error = build::compile(&scope, "pub fn run(f: &File, m: Meta) -> File { *f }").unwrap_err();
    assert!(error.contains("cannot move out of `*f`"), "{error}");
    build::compile(
        &scope,
        "pub fn run(f: &File, m: Meta) -> File { f.read(); loop {} }",
    )
    .unwrap_err();
    let built = build::compile(
        &scope,
        "pub fn run(f: &File, m: Meta) -> File { panic!(\"{f:?}\") }",
    )
    .unwrap();
    assert!(
        built
            .imports
            .iter()
            .all(|name| !name.contains("read") && !name.contains("size")),
        "{:?}",
        built.imports
    );
}

#[test]
fn an_interface_may_be_imported_and_exported() {
    let wit = "interface i { record p { x: u8 } variant e { bad(p), worse } f: func(p: p) -> result<p, e>; } world hole { import i; export i; }";
    let scope = scope(&hole(wit)).unwrap();
    let text = "pub fn f(p: exported_i::P) -> Result<exported_i::P, exported_i::E> {
        match i::f(i::P { x: p.x }) { Ok(p) => Ok(exported_i::P { x: p.x }), Err(_) => Err(exported_i::E::Worse) } }";
    build::compile(&scope, text).unwrap_or_else(|e| panic!("{:?} {e}", scope.names));
    let cut = scope_with(&hole(wit), Grants::all().only("t:h/i", &[])).unwrap_err();
    assert!(matches!(cut, ScopeError::CutExport { .. }), "{cut}");
}

#[test]
fn what_the_generator_cannot_do_is_an_error_and_never_a_panic() {
    let flags: Vec<String> = (0..200).map(|index| format!("flag{index}")).collect();
    let wit = hole(&format!(
        "interface i {{ flags many {{ {} }} f: func(m: many); }} world hole {{ import i; export run: func(); }}",
        flags.join(", ")
    ));
    let error = scope(&wit).unwrap_err();
    assert!(matches!(error, ScopeError::Generator { .. }), "{error}");
    let fields = vec!["u8"; 14].join(", ");
    let wit = hole(&format!(
        "interface i {{ record r {{ t: tuple<{fields}> }} f: func(r: r) -> result<_, r>; }} world hole {{ import i; export run: func(); }}"
    ));
    build::compile(&scope(&wit).unwrap(), "pub fn run() {}").unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn the_glue_is_called_once_and_handles_print_no_number() {
    let wit = "interface fs { resource file { } open: func() -> file; } world hole { import fs; export run: func() -> string; }";
    let scope = scope(&hole(wit)).unwrap();
    let text = "pub fn run() -> String { format!(\"{:?}\", fs::open()) } mod again { fn run() -> String { loop {} } mod deeper { ::__lacuna_bindings::fill!(); } }";
    let error = build::compile(&scope, text).unwrap_err();
    assert!(
        error.contains("already defined") || error.contains("duplicate symbol"),
        "{error}"
    );
    assert!(
        !scope.bindings.contains("derive(Debug)"),
        "{}",
        scope.bindings
    );
}

#[test]
fn docs_are_capped_and_hidden_characters_shown() {
    let text =
        crate::scope::surface::clean(&format!("a\u{1b}[31m\r\n\u{feff}{}", "é".repeat(3000)));
    assert!(text.starts_with("a\\u{1b}[31m\n\\u{feff}é"), "{text}");
    assert!(text.len() < 2100 && text.ends_with("é …"), "{}", text.len());
}

#[test]
fn records_may_hold_borrowed_handles() {
    let wit = "interface fs { resource file { } record pick { f: borrow<file>, n: u8 } record held { f: file, names: list<string> }
          open: func(p: pick) -> held; give: func(o: held, many: list<borrow<file>>, maybe: option<borrow<file>>); }
        world hole { import fs; export run: func() -> u8; }";
    let scope = scope(&hole(wit)).unwrap();
    let text = "pub fn run() -> u8 {
        let first: Held = loop {};
        let second = fs::open(&Pick { f: &first.f, n: 1 });
        fs::give(second, &[&first.f], Some(&first.f));
        format!(\"{first:?}\").len() as u8
    }";
    build::compile(&scope, text).unwrap_or_else(|e| panic!("{e}\n{}", scope.surface.imports));
    assert!(
        scope
            .surface
            .types
            .contains("pub struct Pick<'a> {\n    pub f: &'a File,"),
        "{}",
        scope.surface.types
    );
}
