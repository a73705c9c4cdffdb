//! The provider `stub`: answers, sequences, and handles that a guest makes up.

use std::sync::Arc;

use serde_json::json;

use super::support::{Recorder, bare, function, guest, named, run_observed, stub};
use crate::budget::RunLimits;
use crate::capability::FailureKind;
use crate::sandbox::Report;
use crate::scope::ScopeImport;
use crate::value::{Type, Value};

/// `now: func() -> u64`, called `n` times; the sum is the result.
async fn sum(answers: serde_json::Value, n: u32) -> Report {
    let wat = guest(
        r#"(import "now" (func $now (result u64)))
        (core func $now-lowered (canon lower (func $now)))
        ;;IMPORTS;; (import "host" "now" (func $now (result i64)))
        ;;WITH;; (export "now" (func $now-lowered))"#,
        r#"(func (export "run") (param i32) (result i64) (local $sum i64)
          (loop $l
            (local.set $sum (i64.add (local.get $sum) (call $now)))
            (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
            (br_if $l (local.get 0)))
          (local.get $sum))"#,
        &[("run", "(param \"n\" u32) (result u64)")],
    );
    let import = bare("now", Vec::new(), Some(Type::U64), answers);
    run_observed(
        &wat,
        vec![import],
        &RunLimits::default(),
        "run",
        vec![Value::U32(n)],
        Arc::new(()),
    )
    .await
}

#[tokio::test]
async fn one_answer_serves_every_call_and_a_sequence_one_each() {
    for (answers, n, expected) in [
        (json!({ "now": 5 }), 3, 15),
        (json!({ "now": "5" }), 2, 10),
        (json!({ "now": [1, 2, "40"] }), 3, 43),
        // The more specific key wins.
        (json!({ "now": 1, "now.now": 2 }), 1, 2),
    ] {
        assert_eq!(sum(answers, n).await.result, Ok(Some(Value::U64(expected))));
    }
}

#[tokio::test]
async fn a_missing_answer_names_the_function_and_the_file() {
    for (answers, words) in [
        (json!({}), "no answer for `now.now` in answers.json"),
        (
            json!({ "now": [1, 2] }),
            "`now` in answers.json has 2 answers, and this is call 3",
        ),
        (
            json!({ "now": true }),
            "the answer `now` in answers.json does not fit",
        ),
        (json!({ "now": [1, true] }), "does not fit"),
    ] {
        let failure = sum(answers, 3).await.result.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Trap);
        assert!(failure.message.contains(words), "{failure}");
    }
}

/// An interface with a resource: `open`, `[method]file.read` and `take`, which is given the handle for good.
const FILES: &str = r#"
  (import "t:h/fs" (instance $fs
    (export "file" (type $file (sub resource)))
    (export "other" (type $other (sub resource)))
    (export "open" (func (result (own $file))))
    (export "other-open" (func (result (own $other))))
    (export "[method]file.read" (func (param "self" (borrow $file)) (result u32)))
    (export "take" (func (param "f" (own $file))))))
  (alias export $fs "file" (type $file))
  (core func $drop (canon resource.drop $file))
  (core func $open-lowered (canon lower (func $fs "open")))
  (core func $other-lowered (canon lower (func $fs "other-open")))
  (core func $read-lowered (canon lower (func $fs "[method]file.read")))
  (core func $take-lowered (canon lower (func $fs "take")))
  ;;IMPORTS;; (import "host" "drop" (func $drop (param i32)))
  ;;IMPORTS;; (import "host" "open" (func $open (result i32)))
  ;;IMPORTS;; (import "host" "other" (func $other (result i32)))
  ;;IMPORTS;; (import "host" "read" (func $read (param i32) (result i32)))
  ;;IMPORTS;; (import "host" "take" (func $take (param i32)))
  ;;WITH;; (export "drop" (func $drop))
  ;;WITH;; (export "open" (func $open-lowered))
  ;;WITH;; (export "other" (func $other-lowered))
  ;;WITH;; (export "read" (func $read-lowered))
  ;;WITH;; (export "take" (func $take-lowered))
"#;

fn files() -> ScopeImport {
    let own = || Type::Own("file".to_owned());
    let functions = vec![
        function("open", Vec::new(), Some(own())),
        function(
            "other-open",
            Vec::new(),
            Some(Type::Own("other".to_owned())),
        ),
        function(
            "[method]file.read",
            vec![named("self", Type::Borrow("file".to_owned()))],
            Some(Type::U32),
        ),
        function("take", vec![named("f", own())], None),
    ];
    let mut import = stub(
        "t:h/fs",
        functions,
        json!({ "fs.open": ["@1", "@2", "@3"], "other-open": "@o", "file.read": 7 }),
    );
    import.label = "fs".to_owned();
    import.interface = Some("t:h/fs".to_owned());
    import
}

async fn with_files(body: &str, handles: u64) -> (Report, Vec<String>) {
    let wat = guest(
        FILES,
        &format!(r#"(func (export "run") (result i32) (local $a i32) (local $b i32) {body})"#),
        &[("run", "(result u32)")],
    );
    let recorder = Arc::new(Recorder::default());
    let limits = RunLimits {
        handles,
        ..RunLimits::default()
    };
    let report = run_observed(
        &wat,
        vec![files()],
        &limits,
        "run",
        Vec::new(),
        recorder.clone(),
    )
    .await;
    (report, recorder.calls())
}

#[tokio::test]
async fn handles_are_lent_given_and_dropped() {
    let (report, calls) = with_files(
        r#"(local.set $a (call $open)) (local.set $b (call $open))
        (drop (call $read (local.get $b)))
        (call $take (local.get $a)) (call $drop (local.get $b)) (i32.const 1)"#,
        10,
    )
    .await;
    assert_eq!(report.result, Ok(Some(Value::U32(1))));
    assert_eq!(
        calls,
        [
            r#"fs.open([]) -> "@1""#,
            r#"fs.open([]) -> "@2""#,
            r#"fs.[method]file.read(["@2"]) -> 7"#,
            r#"fs.take(["@1"]) -> null"#,
            r#"fs.[drop]file(["@2"]) -> null"#,
        ]
    );
}

#[tokio::test]
async fn made_up_and_stale_handles_end_the_guest() {
    for body in [
        // Never given out.
        "(call $read (i32.const 77))",
        "(call $read (i32.const 0x3f800000))",
        "(call $read (i32.const 0))",
        "(call $read (i32.const -1))",
        // Dropped, given away.
        "(local.set $a (call $open)) (call $drop (local.get $a)) (call $read (local.get $a))",
        "(local.set $a (call $open)) (call $take (local.get $a)) (call $read (local.get $a))",
        "(local.set $a (call $open)) (call $drop (local.get $a)) (call $drop (local.get $a)) (i32.const 0)",
        // Of another type.
        "(call $read (call $other))",
        "(call $drop (call $other)) (i32.const 0)",
    ] {
        let (report, _) = with_files(body, 10).await;
        let failure = report.result.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Trap, "{body}: {failure}");
        assert!(failure.message.contains("handle"), "{body}: {failure}");
    }
}

#[tokio::test]
async fn handles_is_a_limit() {
    for handles in [1, 2] {
        let (report, calls) = with_files(
            "(drop (call $open)) (drop (call $open)) (drop (call $open)) (i32.const 0)",
            handles,
        )
        .await;
        let failure = report.result.unwrap_err();
        assert_eq!(
            failure.kind,
            FailureKind::Limit {
                name: "handles",
                at: handles,
                used: handles + 1
            }
        );
        assert!(calls.len() as u64 > handles);
    }
}
