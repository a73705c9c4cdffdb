//! Snippets from text to component.

use crate::budget::CompileLimits;
use crate::compile::tests::{Fixture, GOOD, accepted, fixture_of, rejected};

#[tokio::test]
async fn a_good_snippet_becomes_the_same_component_in_two_folders() {
    let (one, two) = (Fixture::new().await, Fixture::new().await);
    let limits = CompileLimits::default();
    let first = accepted(one.judge(GOOD, &limits).await);
    let second = accepted(two.judge(GOOD, &limits).await);
    assert_eq!(first.wasm, second.wasm);
    let text = String::from_utf8_lossy(&first.wasm).into_owned();
    for path in ["/root", "/home", "/tmp", ".cargo", ".cache", ".rustup"] {
        assert!(!text.contains(path), "{path} is in the module");
    }
    let first = crate::link::check(&one.scope, first).unwrap();
    let second = crate::link::check(&two.scope, second).unwrap();
    assert_eq!(first.hash, second.hash);
    assert_eq!(first.exports, ["run"]);
    let used: Vec<_> = first
        .imports
        .iter()
        .map(|import| (import.name.as_str(), import.functions.as_slice()))
        .collect();
    assert!(
        used.contains(&("repo", &["read-text".to_owned()][..])),
        "{used:?}"
    );
    assert_eq!(one.leftovers(), 0);
}

#[tokio::test]
async fn exported_resources_and_interfaces_link() {
    let wit = "package t:h;
        interface fns {
            resource roman { constructor(start: u32); call: func(n: u32) -> string; }
            make: func() -> roman;
        }
        world hole { export fns; export plain: func() -> list<string>; }";
    let fixture = fixture_of(wit, "").await;
    let text = "pub struct It(u32);
        impl GuestRoman for It {
            fn new(start: u32) -> Self { It(start) }
            fn call(&self, n: u32) -> String { format!(\"{}\", self.0 + n) }
        }
        pub fn make() -> Roman { Roman::new(It(1)) }
        pub fn plain() -> Vec<String> { vec![String::from(\"a\")] }";
    let module = accepted(fixture.given(text).await);
    let component = crate::link::check(&fixture.scope, module)
        .unwrap_or_else(|rejection| panic!("{rejection:#?}"));
    assert_eq!(
        component.exports,
        ["plain", "t:h/fns"],
        "{:?}",
        component.exports
    );
    let wrong = text.replace(
        "fn call(&self, n: u32) -> String { format!(\"{}\", self.0 + n) }",
        "fn call(&self, n: u32) -> u32 { self.0 + n }",
    );
    let diagnostics = rejected(fixture.given(&wrong).await);
    println!("{}", diagnostics[0].rendered);
    assert_eq!(diagnostics[0].primary().unwrap().start.line, 4);
    let wrong = text.replace(
        "pub fn make() -> Roman { Roman::new(It(1)) }",
        "pub fn make() -> u32 { 1 }",
    );
    let diagnostics = rejected(fixture.given(&wrong).await);
    println!("{}", diagnostics[0].rendered);
    assert_eq!(diagnostics[0].code.as_deref(), Some("lacuna::signature"));
    assert!(
        diagnostics[0].message.contains("pub fn make() -> Roman"),
        "{diagnostics:#?}"
    );
}

#[tokio::test]
async fn two_labels_on_one_interface_import_what_each_is_granted() {
    let wit = "package t:h;
        world hole {
            import left: lacuna:fs/read@0.1.0;
            import right: lacuna:fs/read@0.1.0;
            export run: func() -> string;
        }";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    let manifest = format!(
        "[hole.hole.grant.left]\npath = \"{path}\"\nfunctions = [\"read-text\"]\n[hole.hole.grant.right]\npath = \"{path}\"\nfunctions = [\"glob\"]\n"
    );
    let fixture = fixture_of(wit, &manifest).await;
    let module = accepted(
        fixture
            .given("right::glob(\"*\").unwrap().join(&left::read_text(\"a\").unwrap())")
            .await,
    );
    let component = crate::link::check(&fixture.scope, module)
        .unwrap_or_else(|rejection| panic!("{rejection:#?}"));
    let used: Vec<(&str, &[String])> = component
        .imports
        .iter()
        .filter(|import| !import.implicit)
        .map(|import| (import.name.as_str(), import.functions.as_slice()))
        .collect();
    assert_eq!(
        used,
        [
            ("left", &["read-text".to_owned()][..]),
            ("right", &["glob".to_owned()][..])
        ]
    );
    let diagnostics = rejected(fixture.given("left::glob(\"*\").unwrap().join(\"\")").await);
    assert!(
        diagnostics[0]
            .help
            .contains(&"granted in `left`: read-text".to_owned()),
        "{diagnostics:#?}"
    );
}

/// Real code of a hole that may write, given to holes of the same world that may not.
#[tokio::test]
async fn code_made_under_a_wider_grant_does_not_link_under_a_narrower_one() {
    let wit = "package t:h;
        world hole {
            import repo: lacuna:fs/read@0.1.0;
            import change: lacuna:fs/write@0.1.0;
            export run: func() -> string;
        }";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    let manifest = |functions: &str| {
        format!(
            "[hole.hole.grant.repo]\npath = \"{path}\"\n[hole.hole.grant.change]\npath = \"{path}\"\n{functions}"
        )
    };
    let wide = fixture_of(wit, &manifest("")).await;
    let narrow = fixture_of(wit, &manifest("functions = [\"append\"]")).await;
    let read_only = fixture_of(
        &wit.replace("import change: lacuna:fs/write@0.1.0;", ""),
        &format!("[hole.hole.grant.repo]\npath = \"{path}\""),
    )
    .await;
    for (call, named) in [
        ("write(\"x\", b\"x\")", "write"),
        ("rename(\"x\", \"y\")", "rename"),
        ("remove(\"x\")", "remove"),
        ("create_folder(\"x\")", "create-folder"),
    ] {
        let code = format!("change::{call}.unwrap(); repo::read_text(\"x\").unwrap()");
        for scope in [&narrow.scope, &read_only.scope] {
            let module = accepted(wide.given(&code).await);
            let rejection = crate::link::check(scope, module).unwrap_err();
            let diagnostic = &rejection.diagnostics[0];
            assert_eq!(diagnostic.code.as_deref(), Some("lacuna::not-granted"));
            assert!(diagnostic.message.contains(named), "{diagnostic:#?}");
        }
        let module = accepted(wide.given(&code).await);
        crate::link::check(&wide.scope, module)
            .unwrap_or_else(|rejection| panic!("{rejection:#?}"));
    }
}
