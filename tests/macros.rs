//! The rule on our own macros, held by reading their sources: those of the guest's crates, and those that a scope's
//! bindings are generated with.
//!
//! Whatever a caller writes must land where the caller's own lints and names govern it. The standard `thread_local!`
//! broke that: its internal rules put a caller's attributes on an item that the macro wrote, and `-F unsafe_code` was
//! passed by.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the sources of the repository and writes a plan"
)]

mod support;

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};

use support::plan::Plan;
use support::rules::faults;

/// Macros that a snippet can call.
const FOR_SNIPPETS: [&str; 6] = [
    "dbg",
    "eprint",
    "eprintln",
    "print",
    "println",
    "thread_local",
];

/// What the generated bindings call; `lacuna_rt` has no name that a snippet can write. The rule holds it all the same.
const FOR_BINDINGS: [&str; 1] = ["__lacuna_bitflags"];

/// Macros whose callers all stand in the file that has them. They may write items from tokens: those are ours.
const PRIVATE: [&str; 5] = [
    "as_path",
    "compare",
    "compare_text",
    "log_writer",
    "modules",
];

/// A macro that was found in a source.
struct Found {
    name: String,
    exported: bool,
    rules: TokenStream,
}

/// Macros, and names that something re-exports.
#[derive(Default)]
struct Sources {
    macros: Vec<Found>,
    reexported: Vec<String>,
}

impl<'ast> Visit<'ast> for Sources {
    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if let Some(name) = &item.ident {
            let exports = |attribute: &syn::Attribute| attribute.path().is_ident("macro_export");
            self.macros.push(Found {
                name: name.to_string(),
                exported: item.attrs.iter().any(exports),
                rules: item.mac.tokens.clone(),
            });
        }
        visit::visit_item_macro(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !matches!(item.vis, syn::Visibility::Inherited) {
            names(&item.tree, &mut self.reexported);
        }
    }
}

/// Every name in a `use` tree.
fn names(tree: &syn::UseTree, into: &mut Vec<String>) {
    match tree {
        syn::UseTree::Path(path) => {
            into.push(path.ident.to_string());
            names(&path.tree, into);
        }
        syn::UseTree::Name(name) => into.push(name.ident.to_string()),
        syn::UseTree::Rename(rename) => into.push(rename.ident.to_string()),
        syn::UseTree::Glob(_) => {}
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| names(item, into)),
    }
}

fn read(path: &str, text: &str) -> Sources {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut sources = Sources::default();
    sources.visit_file(&file);
    sources
}

#[test]
fn a_callers_tokens_stay_where_its_lints_see_them() {
    let (mut exported, mut private) = (Vec::new(), Vec::new());
    for (path, text) in lacuna_guest::SOURCES {
        for found in read(path, text).macros {
            if !found.exported {
                private.push(found.name);
                continue;
            }
            let faults = faults(found.rules);
            assert!(faults.is_empty(), "{path}: {}!: {faults:#?}", found.name);
            exported.push((found.name, path.starts_with("rt/")));
        }
    }
    let of = |runtime: bool| {
        let own = exported.iter().filter(|(_, own)| *own == runtime);
        let mut names: Vec<&str> = own.map(|(name, _)| &**name).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(
        of(false),
        FOR_SNIPPETS,
        "a new macro gets a place in the list"
    );
    assert_eq!(
        of(true),
        FOR_BINDINGS,
        "a new macro gets a place in the list"
    );
    private.sort();
    assert_eq!(private, PRIVATE, "a new macro gets a place in the list");
}

#[test]
fn what_is_ours_alone_is_not_handed_on() {
    for (path, text) in lacuna_guest::SOURCES {
        let reexported = read(path, text).reexported;
        for name in FOR_BINDINGS.iter().chain(&PRIVATE).chain(&["lacuna_rt"]) {
            // The runtime's root gives the generator's names to its own macro.
            let own = *path == "rt/lib.rs" && FOR_BINDINGS.contains(name);
            assert!(
                own || !reexported.iter().any(|other| other == name),
                "{path} re-exports {name}"
            );
        }
    }
}

/// Everything that makes the generator write a macro, or use one: flags, resources on both sides, functions of the world.
const WIT: &str = "interface files {
    flags mode { read, write, %append }
    variant failure { missing(string), other }
    resource file { constructor(path: string, how: mode); read: func() -> result<string, failure>; }
    open: func(path: string) -> result<file, failure>;
}
interface shapes {
    flags kind { a, b }
    resource shape { constructor(of: kind); area: func() -> f64; }
    all: func() -> list<shape>;
}
world hole { import files; import now: func() -> u64; export shapes; export run: func(k: string) -> string; }";

#[test]
fn bindings_have_one_macro_and_it_takes_nothing() {
    let plan = Plan::new(
        WIT,
        "[hole.hole.grant.files]\nprovider = \"stub\"\nanswers = \"a.json\"\n[hole.hole.grant.now]\nprovider = \"stub\"\nanswers = \"a.json\"",
    );
    plan.write("a.json", "{}");
    let loaded = lacuna::plan::load(&plan.folder.join("plan.wit")).unwrap();
    let hole = loaded
        .holes
        .iter()
        .find(|hole| hole.name == "hole")
        .unwrap();
    let granted = lacuna::grant::resolve(&loaded, hole).unwrap();
    let scope = lacuna::scope::close(&loaded, hole, &granted, "").unwrap();
    let sources = read("bindings", &scope.bindings);
    let [fill] = sources.macros.as_slice() else {
        let names: Vec<&str> = sources.macros.iter().map(|found| &*found.name).collect();
        panic!("{names:?}");
    };
    assert_eq!(fill.name, "fill");
    let mut rules = fill.rules.clone().into_iter();
    let pattern = rules.next().unwrap().to_string();
    assert_eq!(pattern, "()", "no token of a caller gets into it");
    // `() => { … };` and no second rule.
    assert_eq!(rules.count(), 4);
    assert!(!sources.reexported.iter().any(|name| name == "lacuna_rt"));
    let body = fill.rules.to_string();
    assert!(body.contains("no_mangle") && !body.contains("macro_rules"));
}

#[test]
fn the_scan_finds_what_it_is_for() {
    for (bad, words) in [
        (
            "($(#[$m:meta])* static) => { $(#[$m])* static X: u8 = 1; };",
            "under an attribute",
        ),
        (
            "($l:lifetime $d:literal) => { #[doc = $d] struct S; };",
            "under an attribute",
        ),
        ("(@inner $x:expr) => { $x };", "internal rule"),
        ("(inner $x:expr) => { $x };", "internal rule"),
        ("([inner] $x:expr) => { $x };", "internal rule"),
        (
            "($x:expr) => { $x }; (@again $x:expr) => { $x };",
            "internal rule",
        ),
        ("($(@inner)? $x:expr) => { $x };", "internal rule"),
        ("(#[inner] $x:expr) => { $x };", "internal rule"),
        ("($x:expr) => { unsafe { $x } };", "unsafe"),
        ("($x:expr) => { unsafe { $crate::f({ $x }) } };", "unsafe"),
        ("($x:block) => { unsafe $x };", "unsafe"),
        (
            "($x:ident) => { unsafe extern \"C\" { fn $x(); } };",
            "unsafe",
        ),
        ("($x:ty) => { unsafe impl Send for $x {} };", "unsafe"),
        ("($($x:tt)*) => { $($x)* };", "any token"),
        ("($($x:tt)*) => { const _: () = { $($x)* }; };", "any token"),
        (
            "($($x:tt)*) => { format_args!($($x)*) };",
            "not called through",
        ),
        ("($x:expr) => { stringify!($x) };", "not called through"),
        (
            "($x:expr) => { std::stringify!($x) };",
            "not called through",
        ),
        ("($x:expr) => { self::f!($x) };", "not called through"),
        ("($($x:tt)*) => { $crate::other!($($x)*) };", "any token"),
        ("($x:item) => { $x };", "any token"),
        ("($x:stmt) => { $x };", "any token"),
        ("($x:pat) => { let $x = 1; };", "any token"),
        ("($x:path) => { $x!() };", "any token"),
        ("($x:meta) => { fn f() {} };", "any token"),
        ("($x:ident) => { $x!() };", "not called through"),
        (
            "($x:ident) => { macro_rules! y { () => { $x } } };",
            "not called through",
        ),
    ] {
        let found = faults(bad.parse().unwrap());
        assert!(
            found.iter().any(|fault| fault.contains(words)),
            "{bad}: {found:?}"
        );
    }
    for good in [
        "() => {}; ($($x:tt)*) => { $crate::f($crate::format_args!($($x)*)) };",
        "($x:expr) => { $crate::f($x) };",
        "($x:expr) => { ::core::stringify!($x) };",
        "($($x:expr),+ $(,)?) => { ($($crate::dbg!($x)),+,) };",
        "($(#[doc = $d:literal])* $v:vis static $n:ident: $t:ty = $x:expr) => { $v static $n: $t = $x; };",
        "($(#[$($ignored:tt)*])* struct $n:ident;) => { struct $n; };",
        "() => { #[unsafe(no_mangle)] extern \"Rust\" fn f() { unsafe { g() } } };",
    ] {
        assert_eq!(faults(good.parse().unwrap()), [] as [String; 0], "{good}");
    }
}
