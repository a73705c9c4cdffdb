//! Components that no snippet becomes, on a folder that may only be read.

use std::sync::Arc;

use super::support::{
    Recorder, file_error, folder, function, guest, named, run_observed, text_or_error, try_load,
};
use crate::budget::RunLimits;
use crate::capability::FailureKind;
use crate::scope::ScopeFunction;
use crate::value::Type;

const ERROR: &str = r#"(type $e (variant (case "not-found" string) (case "denied" string) (case "exists" string)
  (case "not-a-folder" string) (case "not-a-file" string) (case "not-empty" string) (case "not-text" string)
  (case "too-large" string) (case "invalid" string) (case "other" string)))
  (export "error" (type $error (eq $e)))"#;

const DONE: &str = "(result (result (error $error)))";

fn read_text() -> ScopeFunction {
    function(
        "read-text",
        vec![named("path", Type::String)],
        Some(text_or_error()),
    )
}

/// A component that imports one function under the label `a`.
fn importing(name: &str, ty: &str) -> String {
    let import = format!(r#"(import "a" (instance $a {ERROR} (export "{name}" (func {ty}))))"#);
    guest(&import, r#"(func (export "run"))"#, &[("run", "")])
}

async fn refusal(wat: &str, granted: Vec<ScopeFunction>) -> String {
    let root = tempfile::tempdir().unwrap();
    let imports = vec![folder("a", root.path(), granted)];
    let loaded = try_load(wat, imports, &RunLimits::default()).await;
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    loaded.unwrap_err().to_string()
}

#[tokio::test]
async fn a_component_that_imports_more_than_reading_does_not_link() {
    let path = "(param \"path\" string)";
    let content = "(param \"path\" string) (param \"content\" (list u8))";
    for (name, parameters) in [
        ("write", content),
        ("append", content),
        ("create-folder", path),
        ("remove", path),
        ("rename", "(param \"old\" string) (param \"new\" string)"),
        ("truncate", "(param \"path\" string) (param \"size\" u64)"),
        ("hard-link", "(param \"old\" string) (param \"new\" string)"),
        ("symlink", "(param \"old\" string) (param \"new\" string)"),
        ("set-times", "(param \"path\" string) (param \"at\" u64)"),
    ] {
        let wat = importing(name, &format!("{parameters} {DONE}"));
        let refused = refusal(&wat, vec![read_text()]).await;
        assert_eq!(
            refused,
            format!("the component imports `a` function `{name}`, which is not granted")
        );
    }
    // Even a scope that would name such a function finds nothing that serves it.
    let done = Type::Result {
        ok: None,
        err: Some(Box::new(file_error())),
    };
    let truncate = vec![named("path", Type::String), named("size", Type::U64)];
    let wat = importing(
        "truncate",
        &format!("(param \"path\" string) (param \"size\" u64) {DONE}"),
    );
    let refused = refusal(&wat, vec![function("truncate", truncate, Some(done))]).await;
    assert!(refused.contains("no function `truncate`"), "{refused}");
}

#[tokio::test]
async fn reading_with_the_type_of_writing_does_not_link() {
    for ty in [
        format!("(param \"path\" string) (param \"content\" (list u8)) {DONE}"),
        format!("(param \"path\" string) {DONE}"),
        "(param \"path\" (list u8)) (result (result string (error $error)))".to_owned(),
        "(param \"path\" string) (result string)".to_owned(),
    ] {
        let refused = refusal(&importing("read-text", &ty), vec![read_text()]).await;
        assert!(refused.contains("another type"), "{ty}: {refused}");
    }
}

/// Bytes that make `../secret`, or could be read as it, and are no text: the call ends before anybody sees them.
#[tokio::test]
async fn a_path_that_is_no_text_ends_the_guest() {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(outer.path().join("secret"), "secret").unwrap();
    std::fs::write(inner.join("public"), "public").unwrap();
    let import = format!(
        r#"(import "a" (instance $a {ERROR}
          (export "read-text" (func (param "path" string) (result (result string (error $error)))))))
        (core func $a-lowered (canon lower (func $a "read-text")
          (memory (core memory $base "memory")) (realloc (core func $base "realloc"))))
        ;;IMPORTS;; (import "host" "a" (func $a (param i32 i32 i32)))
        ;;WITH;; (export "a" (func $a-lowered))"#
    );
    let run = |path: &str, length: usize| {
        let code = format!(
            r#"(data (i32.const 64) "{path}")
            (func (export "run") (result i32)
              (call $a (i32.const 64) (i32.const {length}) (i32.const 8)) (i32.load8_u (i32.const 8)))"#
        );
        guest(&import, &code, &[("run", "(result u32)")])
    };
    for (path, length) in [
        ("\\c0\\ae\\c0\\ae\\c0\\afsecret", 12),
        ("\\c0\\ae\\c0\\ae/secret", 11),
        ("\\e0\\80\\ae\\e0\\80\\ae/secret", 13),
        ("../secret\\ff", 10),
        ("\\ed\\a0\\80public", 9),
        ("public\\c3", 7),
        // Longer than the memory, and beyond its end.
        ("public", 0x7fff_fff0),
        ("public", 65536),
    ] {
        let recorder = Arc::new(Recorder::default());
        let imports = vec![folder("a", &inner, vec![read_text()])];
        let observer = Arc::clone(&recorder);
        let limits = RunLimits::default();
        let report = run_observed(
            &run(path, length),
            imports,
            &limits,
            "run",
            vec![],
            observer,
        )
        .await;
        let failure = report.result.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Trap, "{path}: {failure}");
        assert_eq!(recorder.calls(), Vec::<String>::new(), "{path}");
    }
    // The same guest with a path that is text.
    let imports = vec![folder("a", &inner, vec![read_text()])];
    let wat = run("public", 6);
    let limits = RunLimits::default();
    let report = run_observed(&wat, imports, &limits, "run", vec![], Arc::new(())).await;
    assert_eq!(report.result, Ok(Some(crate::value::Value::U32(0))));
}
