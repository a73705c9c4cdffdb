//! Real components, written as text: small enough to say exactly what the guest does.

mod files;
mod forged;
mod limits;
mod random;
mod secrets;
mod stubs;
mod support;

use std::sync::Arc;

use super::*;
use crate::value::Value;
use support::{Recorder, bare, guest, load, run};

#[tokio::test]
async fn a_value_comes_back_and_the_call_is_accounted_for() {
    let report = run(
        &guest(
            "",
            r#"(func (export "run") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))"#,
            &[("run", "(param \"n\" u32) (result u32)")],
        ),
        Vec::new(),
        &RunLimits::default(),
        "run",
        vec![Value::U32(41)],
    )
    .await;
    assert_eq!(report.result, Ok(Some(Value::U32(42))));
    assert!(report.fuel > 0 && report.fuel < 100, "{}", report.fuel);
    assert_eq!(report.memory, 65536);
}

#[tokio::test]
async fn wrong_calls_run_nothing_and_leave_the_instance_alive() {
    let wat = guest(
        "",
        r#"(func (export "run") (param i32) (result i32) (local.get 0))"#,
        &[("run", "(param \"n\" u32) (result u32)")],
    );
    let (sandbox, program) = load(&wat, Vec::new(), &RunLimits::default()).await;
    let mut instance = sandbox.instance(&program, Arc::new(())).await.unwrap();
    let call = |function: &str, arguments: Vec<Value>| Call {
        interface: None,
        function: function.to_owned(),
        arguments,
        labels: Default::default(),
        named: Vec::new(),
    };
    for (function, arguments, words) in [
        ("walk", vec![], "no function `walk`"),
        ("run", vec![], "takes 1 arguments, 0 were given"),
        ("run", vec![Value::String("x".into())], "argument `n`"),
    ] {
        let failure = instance
            .call(&call(function, arguments))
            .await
            .result
            .unwrap_err();
        assert_eq!(failure.kind, FailureKind::Call);
        assert!(failure.message.contains(words), "{failure}");
    }
    let report = instance.call(&call("run", vec![Value::U32(7)])).await;
    assert_eq!(report.result, Ok(Some(Value::U32(7))));
}

#[tokio::test]
async fn a_trap_says_what_it_was_and_the_instance_is_gone() {
    let wat = guest(
        support::CONSOLE,
        r#"
        (data (i32.const 16) "first line")
        (data (i32.const 32) "panicked at snippet: index out of bounds")
        (func (export "run")
          (call $print (i32.const 16) (i32.const 10))
          (call $panicked (i32.const 32) (i32.const 40))
          unreachable)"#,
        &[("run", "")],
    );
    let (sandbox, program) = load(&wat, vec![support::console()], &RunLimits::default()).await;
    let recorder = Arc::new(Recorder::default());
    let mut instance = sandbox.instance(&program, recorder.clone()).await.unwrap();
    let call = Call {
        interface: None,
        function: "run".to_owned(),
        arguments: Vec::new(),
        labels: Default::default(),
        named: Vec::new(),
    };
    let report = instance.call(&call).await;
    let failure = report.result.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Trap);
    assert_eq!(
        failure.message,
        "panicked at snippet: index out of bounds (wasm `unreachable` instruction executed)"
    );
    assert_eq!(report.log, ["first line"]);
    let again = instance.call(&call).await.result.unwrap_err();
    assert_eq!(again.kind, FailureKind::Gone);
    assert!(again.message.contains("index out of bounds"), "{again}");
    assert_eq!(
        recorder.calls(),
        [
            r#"console.print(["first line"]) -> null"#,
            r#"console.panicked(["panicked at snippet: index out of bounds"]) -> null"#,
        ]
    );
}

#[tokio::test]
async fn an_instance_keeps_state_and_a_fresh_one_has_none() {
    let wat = guest(
        "",
        r#"(global $n (mut i32) (i32.const 0))
        (func (export "run") (result i32)
          (global.set $n (i32.add (global.get $n) (i32.const 1))) (global.get $n))"#,
        &[("run", "(result u32)")],
    );
    let (sandbox, program) = load(&wat, Vec::new(), &RunLimits::default()).await;
    let call = Call {
        interface: None,
        function: "run".to_owned(),
        arguments: Vec::new(),
        labels: Default::default(),
        named: Vec::new(),
    };
    let mut first = sandbox.instance(&program, Arc::new(())).await.unwrap();
    for expected in 1..=3 {
        let report = first.call(&call).await;
        assert_eq!(report.result, Ok(Some(Value::U32(expected))));
    }
    let mut second = sandbox.instance(&program, Arc::new(())).await.unwrap();
    assert_eq!(second.call(&call).await.result, Ok(Some(Value::U32(1))));
}

#[tokio::test]
async fn an_import_that_was_not_granted_does_not_link() {
    let wat = guest(support::CONSOLE, r#"(func (export "run"))"#, &[("run", "")]);
    let error = support::try_load(&wat, Vec::new(), &RunLimits::default())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the component imports `lacuna:hole/console@0.1.0` function `print`, which is not granted"
    );
    // One function of the interface is granted, the other is not.
    let mut console = support::console();
    console.functions.retain(|function| function.wit == "print");
    let error = support::try_load(&wat, vec![console], &RunLimits::default())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("function `panicked`"), "{error}");
}

#[tokio::test]
async fn an_import_of_another_type_does_not_link() {
    let wat = guest(
        r#"(import "now" (func $now (result u32)))
           (core func $now-lowered (canon lower (func $now)))"#,
        r#"(func (export "run"))"#,
        &[("run", "")],
    )
    .replace(";;IMPORTS;;", "");
    let import = bare(
        "now",
        Vec::new(),
        Some(crate::value::Type::U64),
        serde_json::json!({}),
    );
    let error = support::try_load(&wat, vec![import], &RunLimits::default())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("another type"), "{error}");
}

#[tokio::test]
async fn calls_on_different_instances_run_side_by_side() {
    let wat = guest(
        "",
        r#"(func (export "run") (param i32) (result i32) (local $i i32)
          (loop $l (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $l (i32.lt_u (local.get $i) (i32.const 3000000))))
          (local.get 0))"#,
        &[("run", "(param \"n\" u32) (result u32)")],
    );
    let (sandbox, program) = load(&wat, Vec::new(), &RunLimits::default()).await;
    let one = |n: u32| {
        let (sandbox, program) = (sandbox.clone(), program.clone());
        tokio::spawn(async move {
            let mut instance = sandbox.instance(&program, Arc::new(())).await.unwrap();
            let call = Call {
                interface: None,
                function: "run".to_owned(),
                arguments: vec![Value::U32(n)],
                labels: Default::default(),
                named: Vec::new(),
            };
            instance.call(&call).await.result
        })
    };
    let jobs: Vec<_> = (0..20).map(one).collect();
    for (n, job) in jobs.into_iter().enumerate() {
        assert_eq!(job.await.unwrap(), Ok(Some(Value::U32(n as u32))));
    }
}

#[tokio::test]
async fn compiled_code_is_cached_and_a_damaged_file_is_compiled_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let wat = guest(
        "",
        r#"(func (export "run") (result i32) (i32.const 5))"#,
        &[("run", "(result u32)")],
    );
    let run_cached = async || {
        let (sandbox, program) =
            support::load_cached(&wat, Vec::new(), &RunLimits::default(), Some(folder.path()))
                .await
                .unwrap();
        let mut instance = sandbox.instance(&program, Arc::new(())).await.unwrap();
        let call = Call {
            interface: None,
            function: "run".to_owned(),
            arguments: Vec::new(),
            labels: Default::default(),
            named: Vec::new(),
        };
        assert_eq!(instance.call(&call).await.result, Ok(Some(Value::U32(5))));
    };
    run_cached().await;
    let files = || -> Vec<_> {
        std::fs::read_dir(folder.path().join("compiled"))
            .map(|found| found.map(|entry| entry.unwrap().path()).collect())
            .unwrap_or_default()
    };
    let [file] = files().try_into().unwrap();
    let good = std::fs::read(&file).unwrap();
    run_cached().await;
    let mut bad = good.clone();
    let middle = bad.len() / 2;
    bad[middle] ^= 1;
    std::fs::write(&file, &bad).unwrap();
    run_cached().await;
    assert_eq!(std::fs::read(&file).unwrap(), good, "written anew");
    // A folder that others can write is not used.
    std::fs::remove_file(&file).unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    run_cached().await;
    assert!(files().is_empty());
}
