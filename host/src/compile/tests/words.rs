//! What a rejected snippet is told.

use super::*;

#[tokio::test]
async fn a_verdict_is_kept_and_a_damaged_entry_is_not_believed() {
    let fixture = Fixture::new().await;
    let limits = CompileLimits::default();
    let first = accepted(fixture.judge(GOOD, &limits).await);
    let started = Instant::now();
    let again = accepted(fixture.judge(GOOD, &limits).await);
    assert_eq!(first.wasm, again.wasm);
    println!("from the cache: {:?}", started.elapsed());
    for entry in std::fs::read_dir(fixture.root.path().join("cache/verdicts")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    let third = accepted(fixture.judge(GOOD, &limits).await);
    assert_eq!(first.wasm, third.wasm);
}

#[tokio::test]
async fn nothing_of_a_file_is_said_and_not_whether_it_exists() {
    let fixture = Fixture::new().await;
    let folder = fixture.root.path().join("files");
    std::fs::create_dir(&folder).unwrap();
    let limits = CompileLimits::default();
    for content in [
        "secret_text",
        "\"open secret_text",
        "/* open secret_text",
        "} secret_text",
        "\u{0}",
    ] {
        let path = folder.join("file.rs");
        std::fs::write(&path, content).unwrap();
        for attack in [
            "#[path = \"@\"] mod x; pub fn run(s: String) -> u32 { 1 }",
            "macro_rules! m { ($m:tt $x:tt { $s:tt }) => { #[path = \"@\"] $m $x $s } } m!(mod foo { ; }); pub fn run(s: String) -> u32 { 1 }",
            "#[debugger_visualizer(gdb_script_file = \"@\")] mod x {} pub fn run(s: String) -> u32 { 1 }",
            "pub fn run(s: String) -> u32 { include_str!(\"@\").len() as u32 }",
            "pub fn run(s: String) -> u32 { core::include_bytes!(\"@\").len() as u32 }",
            "mod inner { pub fn f() -> usize { std::include_str!(\"@\").len() } } pub fn run(s: String) -> u32 { inner::f() as u32 }",
            "#[doc = include_str!(\"@\")] pub fn run(s: String) -> u32 { 1 }",
        ] {
            let there = rejected(
                fixture
                    .judge_unscreened(&attack.replace('@', path.to_str().unwrap()), &limits)
                    .await,
            );
            let missing = folder.join("none.rs");
            let absent = rejected(
                fixture
                    .judge_unscreened(&attack.replace('@', missing.to_str().unwrap()), &limits)
                    .await,
            );
            let text = |diagnostics: &[Diagnostic]| {
                let json = serde_json::to_string(diagnostics).unwrap();
                json.replace(path.to_str().unwrap(), "@")
                    .replace(missing.to_str().unwrap(), "@")
            };
            assert_eq!(text(&there), text(&absent), "{attack}");
            assert!(!text(&there).contains("secret_text"), "{attack}");
        }
    }
}

#[tokio::test]
async fn what_a_hole_does_not_have_is_a_name_that_does_not_exist() {
    let fixture = Fixture::new().await;
    for (body, code) in [
        ("std::fs::read(\"x\").unwrap().len() as u32", "E0433"),
        ("option_env!(\"HOME\").map_or(0, |_| 1)", ""),
        ("repo::write(\"x\"); 1", "E0425"),
        ("s", "E0308"),
        ("unsafe { *(0 as *const u32) }", "unsafe_code"),
        ("std::process::exit(1)", "E0433"),
        ("std::env::var(\"HOME\").unwrap().len() as u32", "E0433"),
        ("std::thread::spawn(|| {}); 1", "E0425"),
    ] {
        for text in [
            format!("pub fn run(s: String) -> u32 {{ {body} }}"),
            format!(
                "macro_rules! m {{ ($($t:tt)*) => {{ $($t)* }} }} pub fn run(s: String) -> u32 {{ m!({body}) }}"
            ),
        ] {
            let diagnostics = fixture.rejected(&text).await;
            let first = &diagnostics[0];
            assert_eq!(
                first.code.as_deref().unwrap_or(""),
                code,
                "{text}: {diagnostics:#?}"
            );
            assert!(first.spans.iter().any(|span| span.primary), "{text}");
        }
    }
    let diagnostics = fixture
        .rejected("pub fn run(s: String) -> u32 {\n    repo::write(\"x\");\n    1\n}")
        .await;
    assert!(
        diagnostics[0]
            .help
            .contains(&"granted in `repo`: read-text".to_owned()),
        "{diagnostics:#?}"
    );
    assert!(
        diagnostics[0]
            .help
            .iter()
            .any(|line| line.contains("not granted")),
        "{diagnostics:#?}"
    );
    assert_eq!(diagnostics[0].primary().unwrap().start.line, 2);
    assert_eq!(diagnostics[0].primary().unwrap().start.column, 11);
}

#[tokio::test]
async fn a_wrong_signature_is_told_at_the_function() {
    let fixture = Fixture::new().await;
    for (text, line) in [
        ("pub fn run(s: &str) -> u32 { s.len() as u32 }", 1),
        ("fn other() {}\npub fn run(s: String) -> String { s }", 2),
        ("\npub fn run() -> u32 { 1 }", 2),
    ] {
        let diagnostics = fixture.rejected(text).await;
        assert_eq!(diagnostics.len(), 1, "{diagnostics:#?}");
        assert_eq!(diagnostics[0].code.as_deref(), Some("lacuna::signature"));
        assert!(
            diagnostics[0]
                .message
                .contains("pub fn run(s: String) -> u32")
        );
        assert_eq!(diagnostics[0].primary().unwrap().start.line, line);
    }
    let missing = rejected(
        fixture
            .judge_unscreened(
                "pub fn ran(s: String) -> u32 { 1 }",
                &CompileLimits::default(),
            )
            .await,
    );
    assert!(
        missing[0].message.contains("no function `run`"),
        "{missing:#?}"
    );
}

#[tokio::test]
async fn an_unknown_name_of_std_is_imported_without_asking_a_model() {
    let fixture = Fixture::new().await;
    let limits = CompileLimits::default();
    let text = "pub fn run(s: String) -> u32 { let kept: Rc<u32> = Rc::new(3); *kept }";
    let module = accepted(fixture.judge(text, &limits).await);
    assert_eq!(module.repaired.len(), 1);
    assert_eq!(module.repaired[0].replacement, "use std::rc::Rc;\n");
    assert!(module.snippet.text.starts_with("use std::rc::Rc;\n"));
    // Not enough alone: then the answer is about the text as written.
    let diagnostics = fixture
        .rejected("pub fn run(s: String) -> u32 { let kept: Rc<u32> = Rc::new(3); kept }")
        .await;
    assert_eq!(diagnostics[0].primary().unwrap().start.line, 1);
    assert!(diagnostics[0].fix.is_some());
}

#[tokio::test]
async fn escapes_and_bidirectional_text_do_not_reach_a_terminal() {
    let fixture = Fixture::new().await;
    let text =
        "compile_error!(\"\\u{1b}[31m red \\u{202e} back\"); pub fn run(s: String) -> u32 { 1 }";
    let diagnostics = fixture.rejected(text).await;
    assert!(
        !diagnostics[0].rendered.contains(['\u{1b}', '\u{202e}']),
        "{diagnostics:#?}"
    );
}

#[tokio::test]
async fn bindings_that_do_not_compile_are_no_fault_of_a_snippet() {
    let fixture = Fixture::new().await;
    let mut scope = scope();
    scope.bindings = "pub fn broken() -> u32 { \"\" }".to_owned();
    scope.hash = "blake3:other".to_owned();
    let error = fixture.compiler.prepare(&scope).await.unwrap_err();
    assert!(
        matches!(&error, CompileError::Bindings(text) if text.contains("mismatched types")),
        "{error}"
    );
}

#[tokio::test]
async fn a_body_is_judged_in_its_own_coordinates() {
    let fixture = fixture_of(
        "package t:h; world hole { export run: func(s: string) -> u32; }",
        "",
    )
    .await;
    accepted(fixture.given("s.len() as u32").await);
    for (body, line, column) in [
        ("let n = s.len();", 1, 1),
        ("let n = 1;\nn + missing", 2, 5),
        ("s", 1, 1),
        ("let x = 1.5;\n\n    x", 3, 5),
        ("return;", 1, 1),
    ] {
        let diagnostics = rejected(fixture.given(body).await);
        let start = diagnostics[0].primary().unwrap().start;
        assert_eq!(
            (start.line, start.column),
            (line, column),
            "{body}: {diagnostics:#?}"
        );
        println!("{}", diagnostics[0].rendered);
    }
}
