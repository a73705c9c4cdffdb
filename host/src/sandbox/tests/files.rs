//! `lacuna:fs` as a guest sees it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::support::{
    Recorder, file_error, folder, function, guest, load, named, run_observed, text_or_error,
};
use crate::budget::RunLimits;
use crate::capability::FailureKind;
use crate::sandbox::{Call, Report};
use crate::scope::ScopeFunction;
use crate::value::{Type, Value};

const ERROR: &str = r#"(type $e (variant (case "not-found" string) (case "denied" string) (case "exists" string)
  (case "not-a-folder" string) (case "not-a-file" string) (case "not-empty" string) (case "not-text" string)
  (case "too-large" string) (case "invalid" string) (case "other" string)))
  (export "error" (type $error (eq $e)))"#;

/// A guest with `read-text` under the labels `a` and `b`: `read-a` and `read-b` answer with (100, text) or with the
/// number of the error's case and its path.
fn readers() -> String {
    let mut imports = String::new();
    let mut functions = String::new();
    for label in ["a", "b"] {
        imports += &format!(
            r#"(import "{label}" (instance ${label} {ERROR}
              (export "read-text" (func (param "path" string) (result (result string (error $error)))))))
            (core func ${label}-lowered (canon lower (func ${label} "read-text")
              (memory (core memory $base "memory")) (realloc (core func $base "realloc"))))
            ;;IMPORTS;; (import "host" "{label}" (func ${label} (param i32 i32 i32)))
            ;;WITH;; (export "{label}" (func ${label}-lowered))
            "#
        );
        functions += &format!(
            r#"(func (export "read-{label}") (param i32 i32) (result i32)
              (call ${label} (local.get 0) (local.get 1) (i32.const 8))
              (if (i32.load8_u (i32.const 8))
                (then
                  (i32.store (i32.const 32) (i32.load8_u (i32.const 12)))
                  (i64.store (i32.const 36) (i64.load (i32.const 16))))
                (else
                  (i32.store (i32.const 32) (i32.const 100))
                  (i64.store (i32.const 36) (i64.load (i32.const 12)))))
              (i32.const 32))"#
        );
    }
    let ty = "(param \"path\" string) (result (tuple u32 string))";
    guest(&imports, &functions, &[("read-a", ty), ("read-b", ty)])
}

fn read_text() -> ScopeFunction {
    function(
        "read-text",
        vec![named("path", Type::String)],
        Some(text_or_error()),
    )
}

async fn read(a: &Path, b: &Path, limits: &RunLimits, which: &str, path: &str) -> Report {
    let recorder = Arc::new(Recorder::default());
    run_observed(
        &readers(),
        vec![
            folder("a", a, vec![read_text()]),
            folder("b", b, vec![read_text()]),
        ],
        limits,
        which,
        vec![Value::String(path.to_owned())],
        recorder,
    )
    .await
}

fn answer(number: u32, text: &str) -> Result<Option<Value>, crate::capability::Failure> {
    Ok(Some(Value::Tuple(vec![
        Value::U32(number),
        Value::String(text.to_owned()),
    ])))
}

#[tokio::test]
async fn two_labels_are_two_folders() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(a.path().join("x"), "\u{feff}from a\r\n").unwrap();
    std::fs::write(b.path().join("x"), "from b").unwrap();
    let limits = RunLimits::default();
    let from_a = read(a.path(), b.path(), &limits, "read-a", "x").await;
    assert_eq!(from_a.result, answer(100, "\u{feff}from a\r\n"));
    let from_b = read(a.path(), b.path(), &limits, "read-b", "./x").await;
    assert_eq!(from_b.result, answer(100, "from b"));
    // One folder under two labels is fine.
    let same = read(a.path(), a.path(), &limits, "read-b", "x").await;
    assert_eq!(same.result, answer(100, "\u{feff}from a\r\n"));
}

#[tokio::test]
async fn nothing_leads_out_of_the_folder() {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(outer.path().join("secret"), "secret").unwrap();
    std::fs::write(inner.join("public"), "public").unwrap();
    std::os::unix::fs::symlink("../secret", inner.join("relative")).unwrap();
    std::os::unix::fs::symlink(outer.path().join("secret"), inner.join("absolute")).unwrap();
    std::os::unix::fs::symlink("..", inner.join("up")).unwrap();
    std::os::unix::fs::symlink("public", inner.join("within")).unwrap();
    let limits = RunLimits::default();
    for path in [
        "../secret",
        "relative",
        "absolute",
        "up/secret",
        "/etc/passwd",
        "x/../../secret",
    ] {
        let report = read(&inner, &inner, &limits, "read-a", path).await;
        let expected = if path.starts_with('x') { 0 } else { 1 };
        assert_eq!(report.result, answer(expected, path), "{path}");
    }
    let within = read(&inner, &inner, &limits, "read-a", "within").await;
    assert_eq!(within.result, answer(100, "public"));
}

fn make_fifo(path: &Path) {
    rustix::fs::mknodat(
        rustix::fs::CWD,
        path,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
}

#[tokio::test]
async fn a_fifo_is_a_file_whose_bytes_are_yet_to_come() {
    let root = tempfile::tempdir().unwrap();
    let fifo = root.path().join("fifo");
    make_fifo(&fifo);
    for millis in [50, 200] {
        let limits = RunLimits {
            host_call_wall: Duration::from_millis(millis),
            ..RunLimits::default()
        };
        let started = Instant::now();
        let report = read(root.path(), root.path(), &limits, "read-a", "fifo").await;
        let Err(failure) = report.result else {
            panic!("a value came from nowhere");
        };
        let FailureKind::Limit { name, at, used } = failure.kind else {
            panic!("{failure}");
        };
        assert_eq!((name, at), ("host-call-wall", millis));
        assert!(used >= millis && started.elapsed() < Duration::from_secs(2));
    }
    // A writer that comes late, writes in two steps, and closes.
    let writer = std::thread::spawn({
        let fifo = fifo.clone();
        move || {
            use std::io::Write;
            std::thread::sleep(Duration::from_millis(50));
            let mut file = std::fs::File::options().write(true).open(fifo).unwrap();
            file.write_all(b"first, ").unwrap();
            std::thread::sleep(Duration::from_millis(50));
            file.write_all(b"second").unwrap();
        }
    });
    let limits = RunLimits::default();
    let report = read(root.path(), root.path(), &limits, "read-a", "fifo").await;
    assert_eq!(report.result, answer(100, "first, second"));
    writer.join().unwrap();
    // One that writes without end meets the limit of what may cross.
    let writer = std::thread::spawn(move || {
        use std::io::Write;
        let mut file = std::fs::File::options().write(true).open(fifo).unwrap();
        while file.write_all(&[b'x'; 4096]).is_ok() {}
    });
    let limits = RunLimits {
        crossing: 100_000,
        ..RunLimits::default()
    };
    let report = read(root.path(), root.path(), &limits, "read-a", "fifo").await;
    let failure = report.result.unwrap_err();
    assert!(
        matches!(
            failure.kind,
            FailureKind::Limit {
                name: "crossing",
                at: 100_000,
                ..
            }
        ),
        "{failure}"
    );
    writer.join().unwrap();
}

#[tokio::test]
async fn what_is_no_file_is_refused_at_once() {
    let root = tempfile::tempdir().unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(root.path().join("socket")).unwrap();
    std::fs::create_dir(root.path().join("folder")).unwrap();
    std::fs::write(root.path().join("bytes"), b"\xff\xfe").unwrap();
    let started = Instant::now();
    for (path, case) in [
        ("socket", 4),
        ("folder", 4),
        ("bytes", 6),
        ("none", 0),
        ("", 8),
        ("bytes/x", 3),
    ] {
        let report = read(
            root.path(),
            root.path(),
            &RunLimits::default(),
            "read-a",
            path,
        )
        .await;
        assert_eq!(report.result, answer(case, path), "{path}");
    }
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_file_larger_than_crossing_is_a_limit_and_is_not_read() {
    let root = tempfile::tempdir().unwrap();
    let file = std::fs::File::create(root.path().join("large")).unwrap();
    file.set_len(10 * 1024 * 1024).unwrap();
    for crossing in [1000, 100_000] {
        let limits = RunLimits {
            crossing,
            ..RunLimits::default()
        };
        let report = read(root.path(), root.path(), &limits, "read-a", "large").await;
        let failure = report.result.unwrap_err();
        assert_eq!(
            failure.kind,
            FailureKind::Limit {
                name: "crossing",
                at: crossing,
                used: 10 * 1024 * 1024
            }
        );
    }
    // Larger than `max-file` of the grant is an error value.
    file.set_len(17 * 1024 * 1024).unwrap();
    let report = read(
        root.path(),
        root.path(),
        &RunLimits::default(),
        "read-a",
        "large",
    )
    .await;
    assert_eq!(report.result, answer(7, "large"));
}

#[tokio::test]
async fn entries_is_a_limit() {
    let wat = guest(
        &format!(
            r#"(import "a" (instance $a {ERROR}
              (export "glob" (func (param "pattern" string) (result (result (list string) (error $error)))))))
            (core func $a-lowered (canon lower (func $a "glob")
              (memory (core memory $base "memory")) (realloc (core func $base "realloc"))))
            ;;IMPORTS;; (import "host" "a" (func $a (param i32 i32 i32)))
            ;;WITH;; (export "a" (func $a-lowered))"#
        ),
        r#"(func (export "run") (param i32 i32) (result i32)
          (call $a (local.get 0) (local.get 1) (i32.const 8)) (i32.load (i32.const 16)))"#,
        &[("run", "(param \"pattern\" string) (result u32)")],
    );
    let root = tempfile::tempdir().unwrap();
    for n in 0..20 {
        std::fs::write(root.path().join(format!("f{n}")), "").unwrap();
    }
    let glob = function(
        "glob",
        vec![named("pattern", Type::String)],
        Some(Type::Result {
            ok: Some(Box::new(Type::List(Box::new(Type::String)))),
            err: Some(Box::new(file_error())),
        }),
    );
    for entries in [3, 19, 20] {
        let limits = RunLimits {
            entries,
            ..RunLimits::default()
        };
        let imports = vec![folder("a", root.path(), vec![glob.clone()])];
        let (sandbox, program) = load(&wat, imports, &limits).await;
        let mut instance = sandbox.instance(&program, Arc::new(())).await.unwrap();
        let call = Call {
            interface: None,
            function: "run".to_owned(),
            arguments: vec![Value::String("*".to_owned())],
            labels: Default::default(),
            named: Vec::new(),
        };
        let result = instance.call(&call).await.result;
        if entries == 20 {
            assert_eq!(result, Ok(Some(Value::U32(20))));
        } else {
            assert_eq!(
                result.unwrap_err().kind,
                FailureKind::Limit {
                    name: "entries",
                    at: entries,
                    used: entries + 1
                }
            );
        }
    }
}
